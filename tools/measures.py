"""The page of all measures, from their records."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from ave_score.measures import MEASURES, Measure, groups
from ave_score.reports.measure_text import facts, family_text, summary


def page() -> str:
    """Return the page of all measures, from their records."""
    some = {name: keys for name, keys in groups().items() if name != "all"}
    named = [f"| `{name}` | {', '.join(keys)} |" for name, keys in some.items()]
    parts = [
        "# Measures\n\nAll ratios are exact fractions, rounded half up for printing. "
        "`ave-score measures NAME` prints the same for a single measure. "
        "The group `all` has every measure; these groups have some:\n",
        "\n".join(["| group | measures |", "|---|---|", *named]) + "\n",
    ]
    shown = {key: MEASURES[name] for name in MEASURES for key in [MEASURES[name].key]}
    ordered = [shown[key] for key in groups()["all"]]
    for _, several in groupby(ordered, key=lambda one: one.function.__module__):
        of_module = list(several)
        usual = _usual(of_module)
        parts.append(_family(of_module[0], usual))
        parts.append("\n".join(["| name | head |", "|---|---|", *map(_row, of_module)]))
        parts += ["", *(_measure(one, usual) for one in of_module)]
    return "\n".join(parts)


def _facts(measure: Measure) -> Iterator[tuple[str, str]]:
    """Yield the facts of a measure; its groups are in the table of all groups."""
    for name, text in facts(measure):
        if name == "Example":
            yield name, text.removesuffix(f": {measure.worked}")
            yield "Calculation", measure.worked
        elif name == "Source":
            yield name, measure.source  # the family has the full references
        elif name and name != "Groups":
            yield name, text


def _usual(measures: list[Measure]) -> dict[str, str]:
    """Return what the facts of these names are for most of several measures."""
    found = Counter(fact for one in measures for fact in _facts(one))
    return {
        name: text
        for (name, text), times in found.items()
        if name in ("0/0", "UNKNOWN", "Example") and times > max(1, len(measures) // 2)
    }


def _family(measure: Measure, usual: dict[str, str]) -> str:
    """Return what the measures of a family have in common."""
    family = family_text(measure)
    symbols = [f"| {names} | {text} |" for names, text in family.symbols.items()]
    sources = [f"- {name}: {publication}" for name, publication in family.sources.items()]
    heads = ["| symbol | counts |", "|---|---|"]
    return "\n".join(
        [
            f"## {family.title}",
            "",
            family.text,
            "",
            *heads,
            *symbols,
            "",
            *(["Unless a measure says otherwise:", ""] if usual else []),
            *(f"- {name}: {text}" for name, text in usual.items()),
            *([""] if usual else []),
            "Sources:",
            "",
            *sources,
            "",
        ]
    )


def _row(measure: Measure) -> str:
    return f"| [`{measure.usage}`](#{_anchor(measure)}) | {measure.title} |"


def _anchor(measure: Measure) -> str:
    return re.sub(r"[^a-z0-9_ -]", "", measure.usage).replace(" ", "-")


def _measure(measure: Measure, usual: dict[str, str]) -> str:
    """Return what the record of a measure says beyond what is usual in its family."""
    own = [f"- {name}: {text}" for name, text in _facts(measure) if usual.get(name) != text]
    return "\n".join([f"### {measure.usage}", "", summary(measure), "", *own, ""])
