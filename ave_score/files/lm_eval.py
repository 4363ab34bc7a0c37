"""Samples of lm-evaluation-harness: JSON Lines with a question each.

Multiple choice: each choice is an answer, its log-likelihood the score. Generated text: each
response is an answer; the metrics of the task are its scorers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import PurePath

from ave_score import rules
from ave_score.core.errors import InputError
from ave_score.files.folders import OF_SAMPLES
from ave_score.files.json import DECODER, Members, NotFinite, Number, Path, member, text_of
from ave_score.files.log import Log, LogAnswer, LogHead, LogValue, literal
from ave_score.files.log_entries import LogEntry, entries, scalars
from ave_score.files.source import Source

EXPECTED = "samples of lm-evaluation-harness"

_NO_METRICS = frozenset(
    ["doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"]
)
_NORMS: dict[str, Callable[[str], int]] = {
    "acc": lambda _: 1,
    "acc_norm": len,
    "acc_bytes": lambda text: len(text.encode("utf-8", "surrogatepass")),
}
"""Metric -> what it divides the log-likelihood of a choice by."""


_MAX_RESULTS = 1 << 26
"""Bytes of the largest results: they have a few numbers of each task."""


class LmEvalLog(Log):
    """Reads the answers of a file of samples."""

    usual = ("acc",)
    """Normalised log-likelihoods (acc_norm, acc_bytes) only count if they are asked for."""
    without = " of single responses, only metrics of all responses to a question;"

    def candidates(self) -> Iterator[LogAnswer]:
        """Yield the choices, or the responses."""
        for entry, fields in self._questions():
            responses = entry.items(
                fields.get("filtered_resps"), ("filtered_resps",), "a list of responses"
            )
            if responses and all(_is_choice(response) for response in responses):
                yield from _choices(entry, fields, responses)
            elif responses:
                yield from _responses(entry, fields, responses)

    def graded(self) -> Iterator[LogAnswer]:
        """Yield the answers, whose scorers are the metrics; each value of a list is a replicate."""
        for entry, fields in self._questions():
            yield from _graded(entry, fields)
            entry.forget()

    def _questions(self) -> Iterator[tuple[LogEntry, dict[str, object]]]:
        for entry, fields in entries(self._source, self._findings, EXPECTED):
            if "doc_id" in fields:
                yield entry, fields
            else:
                entry.missing(("doc_id",), "the id of the question")

    def head(self) -> LogHead:
        """Return what the name of the file says, and the results that were written with it."""
        path = PurePath(self._source.path)
        name = OF_SAMPLES.fullmatch(path.name)
        if name is None:
            return LogHead("lm_eval")
        task = name["task"]
        results = _results(path.with_name(f"results_{name['date']}.json"))
        groups = member(results, "group_subtasks")
        arguments = text_of(member(results, "config", "model_args"))
        seed = re.search(r"(?:^|,)seed=([0-9]+)", arguments)
        return LogHead(
            f"lm_eval {text_of(member(results, 'lm_eval_version'))}".strip(),
            task,
            text_of(member(results, "versions", task)),
            text_of(member(results, "model_name")) or path.parent.name,
            seed[1] if seed else "",
            "success",
            name["date"],
            groups={
                text_of(part): group
                for group, parts in (groups if isinstance(groups, Members) else ())
                for part in (parts if isinstance(parts, list) else ())
            },
            settings=re.sub(r"(?:^|,)seed=[0-9]+", "", arguments),
        )


def _graded(entry: LogEntry, fields: Mapping[str, object]) -> Iterator[LogAnswer]:
    """Yield an answer, or one for each repeat if a metric has a value for each."""
    listed, repeats = fields.get("filtered_resps"), fields.get("resps")
    responses = listed if isinstance(listed, list) else []
    first = repeats[0] if isinstance(repeats, list) and repeats else None
    size = len(first) if isinstance(first, list) and len(first) > 1 else 0
    values = {name: value for name, value in fields.items() if _is_metric(name, fields)}
    of_repeats = {
        name: value
        for name, value in values.items()
        if size and isinstance(value, list) and len(value) == size
    }
    asked = text_of(member(fields.get("doc"), "question"))  # a prompt has examples before it
    asked = asked or _request(fields.get("arguments"), 0)[0]
    known = {
        "question": LogValue(asked, ("doc",)),
        "answer": LogValue(next(iter(responses), ""), ("filtered_resps", 0)),
    }
    answer = LogAnswer(
        entry,
        known,
        {},
        _filter(fields),
        attributes=scalars(fields.get("doc")),
        confidences=_confidences(fields, responses),
        hash=text_of(fields.get("doc_hash")),
    )
    for number in range(size if of_repeats else 1):
        single = {name: value[number] for name, value in of_repeats.items()} or values
        scores = {name: LogValue(value, (name,)) for name, value in single.items()}
        yield answer._replace(fields=known | _common(fields, number), scores=scores)


def _is_metric(name: str, fields: Mapping[str, object]) -> bool:
    """Tell whether a field is a metric: one that the line lists, or may be one if it lists none."""
    listed = fields.get("metrics")
    if isinstance(listed, list) and listed:
        return name in listed
    return name not in _NO_METRICS and isinstance(fields[name], Number | NotFinite | bool | list)


def _confidences(fields: Mapping[str, object], responses: list[object]) -> dict[str, float]:
    """Return the probability of the most likely choice among all, by metric."""
    if not responses or not all(map(_is_choice, responses)):
        return {}
    responses = _in_context(fields, responses)
    texts = [_request(fields.get("arguments"), number)[1] for number in range(len(responses))]
    pairs = zip(responses, texts, strict=True)
    values = [_likelihoods(response, text.lstrip()) for response, text in pairs]
    found: dict[str, float] = {}
    for metric in _NORMS:
        of_choices = [value.get(metric) for value in values]
        numbers = [float(number) for number in of_choices if isinstance(number, Number)]
        if len(numbers) == len(responses):
            found[metric] = 1 / sum(math.exp(number - max(numbers)) for number in numbers)
    return found


def _results(path: PurePath) -> object:
    """Return the results of an evaluation, if they can be read."""
    with suppress(InputError, ValueError, RecursionError):
        source = Source(path)
        data = source.whole(_MAX_RESULTS) if source.size else None
        return None if data is None else DECODER.decode(data.decode("utf-8"))
    return None


def _is_choice(response: object) -> bool:
    """Tell whether a response is a log-likelihood and whether it is the most probable text."""
    return isinstance(response, list) and len(response) == 2 and response[1] in ("True", "False")


def _in_context(fields: Mapping[str, object], responses: list[object]) -> list[object]:
    """Return the responses to the choices: the second half of mutual information has no context."""
    return responses[: len(responses) // 2] if "acc_mutual_info" in fields else responses


def _choices(
    entry: LogEntry, fields: dict[str, object], responses: list[object]
) -> Iterator[LogAnswer]:
    responses = _in_context(fields, responses)
    requests = [_request(fields.get("arguments"), number) for number in range(len(responses))]
    texts = [text.lstrip() for _, text in requests]
    correct = _correct(entry, fields.get("target"), texts)
    made = []
    for number, (response, (question, text)) in enumerate(zip(responses, requests, strict=True)):
        path = ("filtered_resps", number, 0)
        values = _likelihoods(response, texts[number])
        made.append(
            LogAnswer(
                entry,
                {
                    **_common(fields, number),
                    "question": LogValue(question, ("arguments",)),
                    "answer": LogValue(text.strip(), ("arguments",)),
                    **({"correct": LogValue(number in correct, ("target",))} if correct else {}),
                },
                {name: LogValue(value, path) for name, value in values.items()},
                _filter(fields),
            )
        )
    if correct:
        _compare(entry, fields, made)
    yield from made


def _likelihoods(response: object, text: str) -> dict[str, object]:
    """Return the log-likelihood of a choice as it is, and normalised by its length."""
    likelihood = _number(response[0] if isinstance(response, list) else response)
    values: dict[str, object] = {}
    for metric, norm in _NORMS.items():
        if metric == "acc":
            values[metric] = likelihood  # as written
        elif isinstance(likelihood, Number) and text:
            values[metric] = Number(repr(float(likelihood) / norm(text)))
    return values


def _correct(entry: LogEntry, target: object, texts: list[str]) -> set[int]:
    """Return the numbers of the correct choices; none, with a finding, if they are not known."""
    path: Path = ("target",)
    if isinstance(target, str):
        listed = re.fullmatch(r"\[([0-9, ]*)\]|([0-9]+)", target)
        numbers = {int(digits) for digits in re.findall(r"[0-9]{1,9}", target) if listed}
        known = numbers & {*range(len(texts))}
        known = known or {n for n, text in enumerate(texts) if text.strip() == target.strip()}
        if known:
            return known
    expected = f"the number of a choice, from 0 to {len(texts) - 1}, or its text"
    if target is None:
        entry.missing(path, expected)
    else:
        entry.refuse(path, target, expected)
    return set()


def _compare(entry: LogEntry, fields: Mapping[str, object], made: list[LogAnswer]) -> None:
    """Report metrics that disagree with the target and the log-likelihoods."""
    for metric in _NORMS:
        value = fields.get(metric)
        if not isinstance(value, Number) or float(value) not in (0, 1):
            continue
        values = [answer.scores[metric].value for answer in made if metric in answer.scores]
        scores = [float(score) for score in values if isinstance(score, Number)]
        if len(scores) < len(made):
            continue
        is_right = made[scores.index(max(scores))].fields["correct"].value
        if is_right != (float(value) == 1):
            facts = {"target": str(fields["target"]), "expected": "right" if is_right else "wrong"}
            entry.add((metric,), rules.TARGET_CONTRADICTED, metric=metric, found=value, **facts)


def _responses(
    entry: LogEntry, fields: dict[str, object], extracted: list[object]
) -> Iterator[LogAnswer]:
    """Yield generated responses; a metric scores each of them only if it has a value for each."""
    listed = entry.items(fields.get("resps"), ("resps",), "a list of lists")
    texts = entry.items(listed[0] if listed else [], ("resps", 0), "a list of responses")
    question = _request(fields.get("arguments"), 0)[0]
    metrics = {
        name: value
        for name, value in fields.items()
        if name not in _NO_METRICS and isinstance(value, Number | bool | list)
    }
    has_keys = len(extracted) == len(texts)
    for number, text in enumerate(texts):
        scores = {
            name: of_response
            for name, value in metrics.items()
            if (of_response := _metric(name, value, number, len(texts))) is not None
        }
        known = {
            **_common(fields, number),
            "question": LogValue(question, ("arguments",)),
            "answer": LogValue(text, ("resps", 0, number)),
        }
        if has_keys and isinstance(extracted[number], str):
            known["answer_key"] = LogValue(extracted[number], ("filtered_resps", number))
        yield LogAnswer(entry, known, scores, _filter(fields))


def _metric(name: str, value: object, number: int, size: int) -> LogValue | None:
    """Return the value of a metric for a response; None if it has only one for all of them."""
    if isinstance(value, list) and not isinstance(value, Members):
        return LogValue(value[number], (name, number)) if len(value) == size else None
    return LogValue(value, (name,)) if size == 1 else None


def _common(fields: Mapping[str, object], number: int) -> dict[str, LogValue]:
    return {
        "q_id": LogValue(fields["doc_id"], ("doc_id",)),
        "number": LogValue(Number(number + 1), ("doc_id",)),
    }


def _filter(fields: Mapping[str, object]) -> str:
    name = fields.get("filter")
    return str(name) if isinstance(name, str) else ""


def _request(arguments: object, number: int) -> tuple[str, str]:
    """Return context and continuation of a request; "" for each that is not known."""
    request: object = None
    if isinstance(arguments, Members):
        request = dict(arguments).get(f"gen_args_{number}")
    elif isinstance(arguments, list) and number < len(arguments):
        request = arguments[number]
    if isinstance(request, Members):
        named = dict(request)
        pair = [named.get("arg_0"), named.get("arg_1")]
    else:
        pair = [*request[:2], "", ""] if isinstance(request, list) else ["", ""]
    context, continuation = (str(part) if isinstance(part, str) else "" for part in pair[:2])
    return context, continuation


def _number(value: object) -> object:
    """Return a text that is a number as one."""
    if not isinstance(value, str) or isinstance(value, Number | NotFinite):
        return value
    return literal(value)
