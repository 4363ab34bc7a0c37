"""Names of measures: parse a list such as `f_beta(2), ndcg@5, selection`.

A measure is also known by its column head in tables, `F(2)`, and by what ir_measures, trec_eval and
scikit-learn call it. Names do not depend on case. Lines as trec_eval prints them have its names.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from ave_score.core.errors import UsageError
from ave_score.core.text import did_you_mean, excerpt, nearest
from ave_score.counts import TABLES, Family
from ave_score.measures.means import MEANS, complement, mean_of
from ave_score.measures.parameters import Value, shown
from ave_score.measures.registry import MEASURES, PRESETS, Measure

ALL = "all"
"""The group of every measure."""

_STATS = "ave-score stats counts questions, answers and labels"
_TREC = "with rule=trec9 or rule=trec10 that of trec_eval 9 or 10"
_MAP = "map is the closest; answers labelled UNKNOWN leave rankings"
_SET_F = "macro_f1_either is the closest, over questions with a correct or a validated answer"
_ALL_ANSWERS = "is the closest, over the answers to all questions"
_CLOSEST = {
    "11pt_avg": f"eleven_points, {_TREC}",
    "acc": "accuracy is that of answers, answering_accuracy that of questions",
    "err@k": "ndcg@k is the closest",
    "exact_match": "answering_accuracy is that of judged answers, factoid_accuracy that of others",
    "f1_micro": "accuracy is the same for two classes",
    "f1_weighted": "class_macro_f1 is the closest, the mean over both classes",
    "fbeta_score": "f_beta(2) is that of beta=2",
    "gm_map": "map is the closest, an arithmetic mean",
    "iprec@k": f"precision_at_recall(0.1) is that at recall 0.1, {_TREC}",
    "iprec_at_recall_k": f"precision_at_recall(0.1) is that at recall 0.10, {_TREC}",
    "jaccard_score": "f1 orders runs equally",
    "neg_brier_score": "brier is the same with the other sign",
    "neg_log_loss": "log_loss is the same with the other sign",
    "top_k_accuracy_score": "hit@2 is that of k=2",
    **dict.fromkeys(
        ("judged@k", "num_q", "num_rel", "num_ret", "numq", "numrel", "numret"), _STATS
    ),
    **dict.fromkeys(("dcg", "rbp"), "ndcg is the closest"),
    **dict.fromkeys(("bpref", "infap"), _MAP),
    **dict.fromkeys(("set_f", "setf"), _SET_F),
    **dict.fromkeys(("set_p", "setp"), f"precision {_ALL_ANSWERS}"),
    **dict.fromkeys(("set_recall", "setr"), f"recall {_ALL_ANSWERS}"),
}
"""Names of other programs for what is not measured here -> the closest measure."""

_NAME = re.compile(r"\s*(\w+)\s*(?:\(([^()]*)\))?\s*(?:@\s*([^\s@]*))?\s*")
_OF_PARTS = re.compile(rf"\s*({'|'.join(MEANS)})\s*\((.*)\)\s*", re.I | re.S)
_COMPLEMENT = re.compile(r"\s*1\s*[-−]\s*(\D.*)", re.S)
_MOST_PARTS = 50
"""Brackets and differences in a name, so that reading it does not nest too deeply."""
_PIECE = re.compile(r"[(),]|[^(),]+")


def groups(families: Collection[Family] | None = None) -> dict[str, tuple[str, ...]]:
    """Return the names of groups of measures: layouts, tables and `all`.

    With `families`, `all` has only measures of these families.
    """
    return {**_groups(tuple(MEASURES), None if families is None else frozenset(families))}


@lru_cache(maxsize=32)
def _groups(
    names: tuple[str, ...], families: frozenset[Family] | None
) -> dict[str, tuple[str, ...]]:
    keys = [(MEASURES[name].key, MEASURES[name].family) for name in names]
    tables = {
        table: tuple(key for key, value in keys if table in (value.table, value.asked_with))
        for table in TABLES
    }
    everything = tuple(
        key
        for members in TABLES.values()
        for key, family in keys
        if family in members and (families is None or family in families)
    )
    return {**PRESETS, **tables, ALL: everything}


def by_table(measures: Iterable[Measure]) -> dict[str, list[Measure]]:
    """Return the tables that show measures, each with its columns, in the order of the measures.

    The first column of a table is its main measure, by which it is ranked.
    """
    tables: dict[str, list[Measure]] = {}
    for measure in measures:
        tables.setdefault(measure.family.table, []).append(measure)
    return tables


def _is_group(name: str) -> bool:
    return name in PRESETS or name in TABLES or name == ALL


def parse_measures(
    text: str, families: Collection[Family] | None = None, *, of_qrels: bool = False
) -> list[Measure]:
    """Return the measures of a list of names, each once.

    Parameters
    ----------
    text
        Names, groups or unambiguous column heads, separated by commas: `f1, f_beta(2), selection`.
    families
        The families of the group `all`; None: every family.
    of_qrels
        Whether measures have the defaults of qrels, which are those of trec_eval.

    Returns
    -------
    list of Measure
        The records, in the order of the names.

    Raises
    ------
    UsageError
        Names are unknown or ambiguous; all of them are listed, with suggestions.
    """
    measures: dict[str, Measure] = {}
    problems: list[str] = []
    for name in listed_names(text):
        try:
            for record in _named_or_headed(name.strip(), families):
                known = _with_qrels(record, name.casefold()) if of_qrels else record
                measures[known.key] = known
        except UsageError as error:
            problems.append(str(error))
    if problems:
        raise UsageError("; ".join(problems))
    return list(measures.values())


def listed_names(text: str) -> list[str]:
    """Return the names in a list; commas in brackets do not separate any."""
    names, depth = [""], 0
    for piece in _PIECE.findall(text):
        depth += (piece == "(") - (piece == ")")
        if piece == "," and depth <= 0:
            names.append("")
        else:
            names[-1] += piece
    return names


def _of_parts(text: str, families: Collection[Family] | None) -> list[Measure]:
    """Return the measure that a text makes of others; none if it does not."""
    if text.count("(") + text.count("1-") > _MOST_PARTS:
        raise UsageError(f"'{excerpt(text)}' has more than {_MOST_PARTS} brackets or '1-'")
    names = _names_of_parts(text)
    parts = [part for name in names for part in _named_or_headed(name, families)]
    if found := _OF_PARTS.fullmatch(text):
        return [mean_of(found[1].casefold(), parts)]
    return [complement(part) for part in parts]


def _names_of_parts(text: str) -> list[str]:
    """Return the names of the measures of which a text makes one."""
    if found := _OF_PARTS.fullmatch(text):
        return [name.strip() for name in listed_names(found[2])]
    found = _COMPLEMENT.fullmatch(text)
    return [found[1].strip()] if found else []


def _with_qrels(record: Measure, name: str) -> Measure:
    """Return a measure with the defaults of qrels for what its name does not say."""
    if record.parts:
        names = _names_of_parts(name)
        if len(names) != len(record.parts):  # a name of several measures
            names = [name] * len(record.parts)
        parts = [_with_qrels(*pair) for pair in zip(record.parts, names, strict=True)]
        kind = record.key.partition("(")[0]
        return mean_of(kind, parts) if kind in MEANS else complement(*parts)
    pairs = zip(record.parameters, record.values, strict=True)
    return record.with_values(
        [
            value
            if any(word in name for word in parameter.choices)
            else parameter.with_qrels or value
            for parameter, value in pairs
        ]
    )


def _named_or_headed(text: str, families: Collection[Family] | None) -> list[Measure]:
    """Return the measures of a name or, if there is none, of a column head in any case."""
    if made := _of_parts(text, families):
        return made
    try:
        return _parse(text, families)
    except UsageError:
        names = _names_of_head(text) or _names_of_alias(text)
        if not names:
            raise
    if len(names) > 1:
        raise UsageError(f"{text!r} is the heading of {' and '.join(names)}: give one of these")
    return _parse(names[0], families)


def _names_of_head(text: str) -> list[str]:
    """Return the names of the measures with this head; in any case, if none has exactly this."""
    text = " ".join(text.split())
    exact = [name for record in MEASURES.values() for name in _with_head(record, text, exact=True)]
    if exact:
        return exact
    names = [name for record in MEASURES.values() for name in _with_head(record, text, exact=False)]
    known = {*MEASURES, *groups()}
    lower = text.casefold()
    name = re.split("[(@]", lower)[0].strip()
    named = [lower] if {name, f"{name}@"} & known and lower != text else []
    return [*dict.fromkeys([*names, *named])]


def _with_head(record: Measure, text: str, *, exact: bool) -> Iterator[str]:
    """Yield the name of a measure, with parameters, if `text` is its column head."""
    pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^()@=,]+)", re.escape(record.head))
    words = {
        word: parameter.symbol for parameter in record.parameters for word in parameter.choices
    }
    shown = [*words, *(rf"{parameter.symbol}=\d+" for parameter in record.in_title)]
    if shown:
        word = f"(?:{'|'.join(shown)})"
        pattern += rf"(?: \((?P<words>{word}(?:, {word})*)\))?"
    has_cutoff = any(parameter.is_cutoff for parameter in record.parameters)
    if has_cutoff and not record.name.endswith("@"):
        pattern += r"(?:@(?P<k>[^\s@]+))?"
    match = re.fullmatch(pattern, text, 0 if exact else re.IGNORECASE)
    if not match:
        return
    values = match.groupdict()
    chosen, cutoff = values.pop("words", None) or "", values.pop("k", None)
    inside = [f"{symbol}={value}" for symbol, value in values.items()]
    inside += [
        word if "=" in word else f"{words[word]}={word}"
        for word in chosen.casefold().split(", ")
        if word
    ]
    arguments = f"({', '.join(inside)})" if inside else ""
    yield f"{record.name.removesuffix('@')}{arguments}{f'@{cutoff}' if cutoff else ''}"


def _names_of_alias(text: str) -> list[str]:
    """Return the name of the measure that other programs call so: `recip_rank`, `P_5`.

    Raises `UsageError` with the closest measure if it differs.
    """
    plain = re.sub(r"\([^()]*\)", "", text)
    given = "".join(re.findall(r"\(([^()]*)\)", text))
    asked, cutoffs = re.subn(r"(?<=[_@])[\d.]+$", "k", plain.casefold())
    cutoff = f"@{plain[len(asked) - 1 :]}" * cutoffs
    if asked in _CLOSEST:
        raise UsageError(f"no measure {text!r}: {_CLOSEST[asked]}")
    for record in MEASURES.values():
        for alias in record.elsewhere:
            name, _, inside = alias.removesuffix(")").partition("(")
            if name.casefold() == asked:
                arguments = ", ".join(filter(None, [inside, given]))
                brackets = f"({arguments})" if arguments else ""
                return [f"{record.name.removesuffix('@')}{brackets}{cutoff}"]
    return []


def trec_eval_names(measures: Iterable[Measure]) -> dict[str, str]:
    """Return key -> what trec_eval calls a measure; its key if it does not know it.

    Two measures that trec_eval calls alike keep their keys, as do those with other values of their
    parameters than trec_eval has.
    """
    names = {measure.key: _trec_eval_name(measure) for measure in measures}
    return {key: name if [*names.values()].count(name) == 1 else key for key, name in names.items()}


def _trec_eval_name(measure: Measure) -> str:
    cutoffs = [
        value
        for parameter, value in zip(measure.parameters, measure.values, strict=True)
        if parameter.is_cutoff and value is not None
    ]
    for alias in measure.trec_eval:
        name, _, inside = alias.removesuffix(")").partition("(")
        if inside.startswith("k"):  # a share, with two decimals
            number = f"{float(Fraction(str(measure.values[0]))):.2f}"
            own = f"{measure.name}({inside.replace('k', number, 1)})"
        else:
            number = "".join(map(shown, cutoffs))
            brackets = f"({inside})" if inside else ""
            own = f"{measure.name.removesuffix('@')}{brackets}{f'@{number}' * bool(number)}"
        if name.endswith("_k") == bool(number) and _parse(own, None)[0].key == measure.key:
            return f"{name.removesuffix('k')}{number}" if number else name
        if name == measure.key:  # with other values than trec_eval has, which this name must say
            values = dict(
                zip(
                    [parameter.symbol for parameter in measure.parameters],
                    measure.values,
                    strict=True,
                )
            )
            symbol = inside.partition("=")[0]
            return f"{name}({symbol}={shown(values[symbol])})"
    return measure.key


def _parse(text: str, families: Collection[Family] | None) -> list[Measure]:
    match = _NAME.fullmatch(text)
    if not match:
        raise UsageError(f"{text!r} is not a measure name")
    name, arguments, behind = match.groups()
    if arguments is None and behind is None and _is_group(name):
        return [_parse(member, None)[0] for member in groups(families)[name]]
    record = _record(name, behind is not None)
    if arguments is None and behind is None:
        return [record]
    return [record.with_values(_values(record, text, arguments, behind))]


def _record(name: str, has_cutoff: bool) -> Measure:
    """Return the record of a name: `precision@5` and `precision` are different measures."""
    for key in (f"{name}@", name) if has_cutoff else (name, f"{name}@"):
        if key in MEASURES:
            return MEASURES[key]
    known = [*(key.removesuffix("@") for key in MEASURES), *groups()]
    hint = did_you_mean(nearest(name, known)) or ": ave-score measures lists all"
    raise UsageError(f"no measure {name!r}{hint.replace(';', ':')}")


def _values(
    record: Measure, text: str, arguments: str | None, behind: str | None
) -> Sequence[Value]:
    """Return the value of every parameter, the default if the name does not give one."""
    values = list(record.values)
    if behind:
        place = next(
            (n for n, parameter in enumerate(record.parameters) if parameter.is_cutoff), None
        )
        if place is None:
            raise UsageError(f"{text}: {record.key} takes no cut-off")
        values[place] = record.parameters[place].read(behind, text)
    listed = [] if arguments is None else [*map(str.strip, arguments.split(","))]
    taken: set[int] = set()
    for number, argument in enumerate(listed):
        symbol, equals, value = (part.strip() for part in argument.rpartition("="))
        place = _named(record, text, symbol) if equals else _unnamed(record, text, number, value)
        if place in taken:
            raise UsageError(f"{text}: {record.parameters[place].symbol} is given twice")
        taken.add(place)
        values[place] = record.parameters[place].read(value, text)
    return values


def _inside(record: Measure) -> list[int]:
    """Return the indices of the parameters that are written in brackets."""
    return [place for place, parameter in enumerate(record.parameters) if not parameter.is_cutoff]


def _named(record: Measure, text: str, symbol: str) -> int:
    symbols = {record.parameters[place].symbol: place for place in _inside(record)}
    if symbol not in symbols:
        raise UsageError(f"{text}: {_takes(record)}, not {symbol}")
    return symbols[symbol]


def _unnamed(record: Measure, text: str, number: int, value: str) -> int:
    """Return the index of the parameter that takes a word, or has this position."""
    places = _inside(record)
    taking = [place for place in places if value in record.parameters[place].choices]
    if taking:
        return taking[0]
    is_number = number < len(places) and not record.parameters[places[number]].choices
    if value.isdecimal() and not is_number and len(places) < len(record.parameters):
        name = record.name.removesuffix("@")
        raise UsageError(f"{text}: the cut-off of {name} is written {name}@{value}")
    if number >= len(places):
        raise UsageError(f"{text}: {_takes(record)}")
    return places[number]


def _takes(record: Measure) -> str:
    symbols = [record.parameters[place].symbol for place in _inside(record)]
    return f"{record.key} takes {', '.join(symbols) or 'no parameter'}"
