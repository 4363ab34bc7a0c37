"""Measures explained from their records: one in full, or all in a list."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from inspect import cleandoc
from textwrap import wrap
from typing import NamedTuple

from ave_score.counts import TABLES
from ave_score.measures import Measure, groups
from ave_score.measures.parameters import shown
from ave_score.measures.registry import EXAMPLES
from ave_score.reports.style import TextStyle

_WIDTH = 80
_INDENT = 13
_SYMBOL = re.compile(r" {4}(\S.*?) {2,}(.+)")
_SOURCE = re.compile(r"Sources: (.*?)(?:\n\n|\Z)", re.S)


class FamilyText(NamedTuple):
    """The documentation of a module of measures.

    Attributes
    ----------
    title
        The question that the measures answer.
    text
        The conventions, without the symbols and sources.
    symbols
        Symbol in formulas -> what it counts.
    sources
        Short name of a source -> the publication.
    """

    title: str
    text: str
    symbols: dict[str, str]
    sources: dict[str, str]


def family_text(measure: Measure) -> FamilyText:
    """Read the documentation of the module that a measure is defined in."""
    text = cleandoc(sys.modules[measure.function.__module__].__doc__ or "")
    title, _, body = text.partition("\n\n")
    match = _SOURCE.search(body)
    sources = {}
    for entry in " ".join(match[1].split()).rstrip(".").split("; ") if match else ():
        name, _, publication = entry.partition(" = ")
        sources[name] = publication
    symbols: dict[str, str] = {}
    for line in body.splitlines():
        symbol = _SYMBOL.fullmatch(line)
        if symbol:
            symbols[symbol[1]] = symbol[2]
        elif line.startswith(" " * 4) and not line.startswith(" " * 5):
            symbols[line.strip()] = ""
        elif symbols and line.startswith(" " * 8):
            last = [*symbols][-1]
            symbols[last] = f"{symbols[last]} {line.strip()}".lstrip()
    plain = re.sub(r"(?m)^    .*\n?", "", _SOURCE.sub("", body))
    return FamilyText(title, plain.strip(), symbols, sources)


def summary(measure: Measure) -> str:
    """Return a one-sentence summary of a measure."""
    first, _, _ = cleandoc(measure.function.__doc__ or "").partition("\n")
    return first


def facts(measure: Measure) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each fact in the record."""
    yield "Formula", measure.formula
    for names, text in family_text(measure).symbols.items():
        patterns = (rf"(?<!\w){re.escape(name)}(?!\w)" for name in names.split(", "))
        if any(re.search(pattern, measure.formula) for pattern in patterns):
            yield "", f"{names}: {text}"
    for parameter in measure.parameters:
        default = shown(parameter.default) or "none"
        yield "Parameter", f"{parameter.symbol}: {parameter.expected}; by default {default}"
    better = "higher" if measure.higher_is_better else "lower"
    yield "Range", f"{measure.lowest}..{measure.highest}, {better} is better"
    yield "0/0", measure.undefined
    yield "UNKNOWN", f"answers labelled UNKNOWN {measure.unknown}"
    yield "Use", measure.use
    yield "Avoid", measure.avoid
    if measure.no_interval:
        yield "No interval", f"{measure.no_interval[0].upper()}{measure.no_interval[1:]}."
    example = EXAMPLES[measure.family].text
    yield "Example", f"{example[0].upper()}{example[1:]}: {measure.worked}"
    yield "Source", source(measure)
    if measure.elsewhere:
        others = dict.fromkeys(alias.partition("(")[0] for alias in measure.elsewhere)
        yield "Elsewhere", ", ".join(others)
    yield "Groups", ", ".join(name for name, keys in groups().items() if measure.key in keys)


def source(measure: Measure) -> str:
    """Return the source of a measure, with full references."""
    known = family_text(measure).sources
    named = [known[name] for name in known if name in measure.source]
    return f"{measure.source} ({'; '.join(named)})" if named else measure.source


def explain_measure(measure: Measure, style: TextStyle) -> str:
    """Return the full description of a measure."""
    width = min(style.width or _WIDTH, _WIDTH)
    lines = [f"{measure.usage} ({measure.title})", "", *wrap(summary(measure), width), ""]
    for name, text in facts(measure):
        begin = f"{name:{_INDENT}}"
        lines += wrap(text, width, initial_indent=begin, subsequent_indent=" " * _INDENT)
    return "\n".join([*lines, ""])


def measure_list(measures: Sequence[Measure], style: TextStyle) -> str:
    """Return the usage and summary of each measure, grouped by table."""
    width = max(len(measure.usage) for measure in measures)
    lines: list[str] = []
    for table, families in TABLES.items():
        of_table = [measure for measure in measures if measure.family in families]
        if of_table:
            lines += ["", table.capitalize()] if lines else [table.capitalize()]
        for measure in of_table:
            begin, further = f"  {measure.usage:{width}}  ", " " * (width + 4)
            room = max(style.width or 100, width + 24)
            lines += wrap(summary(measure), room, initial_indent=begin, subsequent_indent=further)
    return "\n".join([*lines, ""])
