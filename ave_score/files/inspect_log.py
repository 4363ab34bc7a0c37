"""Logs of Inspect AI: a JSON document, or a ZIP archive (`.eval`) with a document per sample.

A sample id is a question, its epochs are the answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from io import BytesIO
from json import JSONDecodeError
from typing import Any

from ave_score import rules
from ave_score.core.errors import InputError
from ave_score.core.findings import Columns, Findings
from ave_score.files.encoding import decoded
from ave_score.files.json import JsonText, Members, Number, Path, Walk, described, member, text_of
from ave_score.files.limits import check_unpacked
from ave_score.files.log import Log, LogAnswer, LogHead, LogValue
from ave_score.files.log_entries import MAX_LOG, LogEntry, add_not_json, items, scalars, whole
from ave_score.files.source import Source

EXPECTED = "a log of Inspect AI"

MAX_MEMBERS = 1_000_000
"""Files in the largest archive; each holds one sample."""

ARCHIVE = b"PK\x03\x04"
_ZSTANDARD = 93
_PIECES = {0: 1 << 16, 8: 1 << 16, _ZSTANDARD: 1 << 12}
"""Stored, deflated and Zstandard: what Inspect writes, and what can be unpacked in pieces.

Bytes that are unpacked at a time, or where Python cannot limit these, bytes that are read.
"""

_HEADER = "header.json"
_ONE_LINE = bytes.maketrans(b"\r\n", b"  ")
_START = "_journal/start.json"
_READ = re.compile(r"header\.json|_journal/start\.json|samples/.*\.json")
_OF_HEAD = frozenset(["status", "eval", "results"])


class InspectLog(Log):
    """Reads the samples of a log.

    In an archive, the line of a finding is the number of the sample.
    """

    without = "; score it (`inspect score LOG`), run it again (`inspect eval-retry LOG`), or"

    def __init__(self, source: Source, findings: Findings) -> None:
        super().__init__(source, findings)
        self._head = Members()

    def candidates(self) -> Iterator[LogAnswer]:
        """Yield the samples."""
        for answer, _ in self._samples():
            yield answer

    def graded(self) -> Iterator[LogAnswer]:
        """Yield the samples with attributes, reasons and edits; failed ones have no scores."""
        is_packed = self._is_packed
        for answer, sample in self._samples():
            yield _graded(answer, sample)
            if is_packed:
                answer.entry.forget()

    def head(self) -> LogHead:
        """Return what the header says, or the journal of an evaluation that was stopped."""

        def said(*keys: str) -> str:
            return text_of(member(self._head, "eval", *keys))

        task, version, model, created, key = map(
            said, ("task", "task_version", "model", "created", "eval_id")
        )
        settings = ("model_generate_config", "model_args", "task_args")
        seeds = (said(setting, "seed") for setting in settings)
        replicates = said("config", "epochs")
        scorers = _items(member(self._head, "eval", "scorers"))
        return LogHead(
            f"inspect_ai {said('packages', 'inspect_ai')}".strip(),
            task,
            version,
            model,
            next(filter(None, seeds), ""),
            text_of(member(self._head, "status")),
            created,
            key,
            [*map(text_of, _items(member(self._head, "eval", "dataset", "sample_ids")))],
            int(replicates) if re.fullmatch("[0-9]{1,6}", replicates) else 1,
            text_of(member(self._head, "results", "headline", "scorer")),
            {
                text_of(member(scorer, "name")): repr(member(scorer, "options"))
                for scorer in scorers
            },
            settings=repr(
                [_without_seed(member(self._head, "eval", setting)) for setting in settings]
            ),
            reducers=self._reducers(),
        )

    def _reducers(self) -> Sequence[str]:
        """Return how epochs were reduced: as it was asked for, or else as the results say."""
        asked = member(self._head, "eval", "config", "epochs_reducer")
        names = [asked] if isinstance(asked, str) else _items(asked)
        if not names:
            results = _items(member(self._head, "results", "scores"))
            names = [member(result, "reducer") for result in results]
        return [*dict.fromkeys(filter(None, map(text_of, names)))]

    @property
    def _is_packed(self) -> bool:
        return self._source.head().startswith(ARCHIVE)

    def _samples(self) -> Iterator[tuple[LogAnswer, dict[str, object]]]:
        """Yield the samples, and all that the log has of each."""
        for entry, value in self._packed() if self._is_packed else self._document():
            found = self._candidate(entry, value)
            if found is not None:
                yield found

    def _document(self) -> Iterator[tuple[LogEntry, object]]:
        text = decoded(whole(self._source), self._findings, EXPECTED)
        if text is None:
            return
        walk, within = Walk(text), JsonText(text)
        try:
            for key in walk.members():
                if key in _OF_HEAD:
                    start, value = walk.at, walk.value()
                    self._head.append((key, value))
                    if key == "status" and value != "success":
                        self._add_unfinished(value, *within.located(start, ()))
                elif key == "samples" and walk.next() == "[":
                    yield from items(walk, within, self._findings)
            walk.end()
        except JSONDecodeError as error:
            add_not_json(self._findings, error)

    def _add_unfinished(
        self, status: object, line: int | None = None, columns: Columns = None, text: str = ""
    ) -> None:
        facts = {"found": described(status)}
        self._findings.add(rules.LOG_UNFINISHED, line, columns, text, **facts)

    def _packed(self) -> Iterator[tuple[LogEntry, object]]:
        number, has_header = 0, False
        for name, content in _unpacked(self._source.path, whole(self._source)):
            text = decoded(content.translate(_ONE_LINE), self._findings, EXPECTED)
            if text is None:
                return
            walk, is_header = Walk(text), name == _HEADER
            is_sample = name not in (_HEADER, _START)
            number, has_header = number + is_sample, has_header or is_header
            try:
                if not is_sample:
                    self._read_head(walk)
                    continue
                value = walk.value()
                walk.end()
            except JSONDecodeError as error:
                add_not_json(self._findings, error, number or 1)
                return
            yield LogEntry(self._findings, JsonText(text, number), 0, number), value
        if not has_header:
            self._findings.add(rules.LOG_UNFINISHED, found="unknown")

    def _read_head(self, walk: Walk) -> None:
        for key in walk.members():
            if key in _OF_HEAD:
                self._head.append((key, value := walk.value()))
                if key == "status" and value != "success":
                    self._add_unfinished(value)

    def _candidate(
        self, entry: LogEntry, value: object
    ) -> tuple[LogAnswer, dict[str, object]] | None:
        """Return a sample; None, with a finding, if it is not an object with an id."""
        sample = entry.fields(value)
        if not sample:
            return None
        fields = {"q_id": LogValue(sample.get("id"), ("id",))}
        if "id" not in sample:
            entry.missing(("id",), "the id of the sample")
            return None
        epoch = sample.get("epoch", Number("1"))
        if not isinstance(epoch, Number) or not re.fullmatch("[0-9]{1,12}", epoch):
            entry.refuse(("epoch",), epoch, "a whole number")
            return None
        fields["number"] = LogValue(epoch, ("epoch",))
        fields["question"] = LogValue(_question(sample.get("input")), ("input",))
        fields["answer"] = LogValue(_answer(sample.get("output")), ("output",))
        scores, keys = _scores(entry, sample), _keys(sample)
        return LogAnswer(entry, fields, scores, failed=_failure(sample), keys=keys), sample


def _without_seed(settings: object) -> list[object]:
    return (
        [setting for setting in settings if setting[0] != "seed"]
        if isinstance(settings, Members)
        else []
    )


def _scores(entry: LogEntry, sample: dict[str, object]) -> dict[str, LogValue]:
    """Return the values by scorer; a scorer with several values counts as several scorers.

    A sample that was invalidated has none, as one that failed.
    """
    scores: dict[str, LogValue] = {}
    if sample.get("scores") is None or sample.get("invalidation") is not None:
        return scores
    for name, scored in entry.fields(sample["scores"], ("scores",)).items():
        path: Path = ("scores", name)
        fields = entry.fields(scored, path)
        if "value" not in fields:
            continue
        path = (*path, "value")
        if isinstance(fields["value"], Members):
            for key, value in entry.fields(fields["value"], path).items():
                scores[f"{name}.{key}"] = LogValue(value, (*path, key))
        else:
            scores[name] = LogValue(fields["value"], path)
    return scores


def _keys(sample: dict[str, object]) -> dict[str, LogValue]:
    """Return the answer that each scorer extracted from the output."""
    return {
        name: LogValue(answer, ("scores", name, "answer"))
        for name, score in _scored(sample).items()
        if isinstance(answer := score.get("answer"), str)
    }


def _scored(sample: dict[str, object]) -> dict[str, dict[str, object]]:
    """Return what the log has of each score."""
    scores = sample.get("scores")
    named = dict(scores) if isinstance(scores, Members) else {}
    return {name: dict(score) for name, score in named.items() if isinstance(score, Members)}


def _graded(answer: LogAnswer, sample: dict[str, object]) -> LogAnswer:
    """Return a sample with what says how it counts."""
    scored = _scored(sample)
    scorers = {name: scored[str(score.path[1])] for name, score in answer.scores.items()}
    return answer._replace(
        attributes=scalars(sample.get("metadata")),
        reasons={name: text_of(scorer.get("reason")) for name, scorer in scorers.items()},
        edited=frozenset(name for name, scorer in scorers.items() if _items(scorer.get("history"))),
    )


def _failure(sample: dict[str, object]) -> str:
    if sample.get("invalidation") is not None:
        return " since it was invalidated"
    error = member(sample.get("error"), "message")
    return f" after the error {error!r}" if isinstance(error, str) else ""


def _question(content: object) -> str:
    """Return the text of an input: a text, or the messages of the user."""
    if isinstance(content, str):
        return str(content)
    users = (message for message in _items(content) if member(message, "role") == "user")
    return "\n".join(filter(None, (_text(member(message, "content")) for message in users)))


def _answer(output: object) -> str:
    """Return the text of the first choice of an output."""
    completion = member(output, "completion")
    if isinstance(completion, str) and completion:
        return str(completion)
    first = next(iter(_items(member(output, "choices"))), None)
    return _text(member(member(first, "message"), "content"))


def _text(content: object) -> str:
    """Return the text of a message, which may have several parts."""
    if isinstance(content, str):
        return str(content)
    parts = (member(part, "text") for part in _items(content))
    return "\n".join(part for part in parts if isinstance(part, str))


def _items(value: object) -> list[object]:
    return value if isinstance(value, list) and not isinstance(value, Members) else []


def _unpacked(path: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of the header and the samples; names are not used as paths."""
    try:
        with _opened(path, data) as archive:
            infos = archive.infolist()
            has_header = any(info.filename == _HEADER for info in infos)
            members = [
                info
                for info in infos
                if _READ.fullmatch(info.filename) and not (has_header and info.filename == _START)
            ]
            _check_sizes(path, data, members)
            for info in members:
                yield info.filename, _content(archive, info)
    except InputError:
        raise
    except Exception as error:  # both modules and each compression have their own
        reason = "it is damaged, or not complete"
        raise InputError(path, f"cannot be unpacked: {reason} ({error})") from error


def _content(archive: Any, info: Any) -> bytes:  # noqa: ANN401 - of two modules
    """Return the content of a file of an archive.

    Reading in pieces stops where the size in the directory says, even if far more is packed.
    """
    content = bytearray()
    with archive.open(info) as member:
        while piece := member.read(_PIECES[info.compress_type]):
            content += piece
    return bytes(content)


def _check_sizes(path: str, data: bytes, members: list[Any]) -> None:
    """Refuse archives that would unpack to too much; no more is read than the sizes say."""
    if any(info.compress_type not in _PIECES for info in members):
        raise InputError(path, "is compressed in a way that Inspect does not use")
    total = sum(info.file_size for info in members)
    if len(members) > MAX_MEMBERS:
        raise InputError(path, f"has more than {MAX_MEMBERS:,} samples")
    check_unpacked(path, total, len(data), MAX_LOG)


def _opened(path: str, data: bytes) -> Any:  # noqa: ANN401 - of two modules
    """Return an archive, opened by a module that can unpack it."""
    import zipfile
    from importlib import import_module

    archive = zipfile.ZipFile(BytesIO(data))
    has_zstandard = any(info.compress_type == _ZSTANDARD for info in archive.infolist())
    if not has_zstandard or hasattr(zipfile, "ZIP_ZSTANDARD"):
        return archive
    try:
        return import_module("backports.zstd.zipfile").ZipFile(BytesIO(data))
    except ImportError:
        reason = (
            "is compressed with Zstandard, which needs another package: pip install "
            "backports.zstd; or convert it: inspect log convert --to json"
        )
        raise InputError(path, reason) from None
