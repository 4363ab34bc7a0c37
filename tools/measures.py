"""The pages of all measures, from their records: a list, and a page for each family."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from itertools import groupby

from ave_score.measures import MEASURES, Measure, groups
from ave_score.measures.means import MEANS
from ave_score.reports.measure_text import facts, family_text, summary


def pages() -> dict[str, str]:
    """Return the page that lists all measures, and a page for the measures of each module."""
    group_keys = {name: keys for name, keys in groups().items() if name != "all"}
    by_path, sections, of_section = {}, [], set()
    shown = {key: MEASURES[name] for name in MEASURES for key in [MEASURES[name].key]}
    ordered = [shown[key] for key in groups()["all"]]
    for module, several in groupby(ordered, key=lambda measure: measure.function.__module__):
        of_module = list(several)
        usual, page = _usual(of_module), f"measures/{module.rpartition('.')[2]}.md"
        rows = [_row(measure, page) for measure in of_module]
        title = family_text(of_module[0]).title
        same = [name for name, keys in group_keys.items() if {*keys} == {m.key for m in of_module}]
        of_section |= {*same}
        group = [f"Group: `{same[0]}`\n"] if same else []
        sections += [f"## {title}\n", *group, "\n".join([*rows, ""])]
        texts = [_family(of_module[0], usual), *(_measure(measure, usual) for measure in of_module)]
        by_path[f"docs/reference/{page}"] = "\n".join(texts)
    others = {name: keys for name, keys in group_keys.items() if name not in of_section}
    named = [f"- `{name}`: {', '.join(keys)}" for name, keys in others.items()]
    head = (
        "# Measures\n\nAll ratios are exact fractions, rounded half up for printing. "
        "`ave-score measures NAME` explains one, and calculates it for an example. The group `all` "
        "has every measure, and a section names the group of its measures. Other groups:\n"
    )
    forms = [f"- `{name}(a, b, ...)`: {formula}" for name, (_, _, formula) in MEANS.items()]
    means = (
        "## One figure of several measures\n\nMeasures may be made of others, as "
        "`mean(auc, c_at_1_pan, f1, f_05_u, 1-brier)`, by which PAN ranks. They are used as any "
        "measure: to rank, with intervals by the bootstrap, in tests, campaign files and Python. "
        "The table is that of the first part. A part that is undefined, or does not apply, leaves "
        "the whole without a value.\n"
    )
    forms.append("- `1-a`: the complement of a measure in 0..1 (of one that is better if lower)")
    page = "\n".join([head, *named, "", *sections, means, "\n".join([*forms, ""])])
    return {"docs/reference/measures.md": page, **by_path}


def _facts(measure: Measure) -> Iterator[tuple[str, str]]:
    """Yield the facts of a measure but its groups, which the list has, and its example."""
    for name, text in facts(measure):
        if name == "Source":
            yield name, measure.source  # the family has the full references
        elif name and name not in ("Example", "Groups"):
            yield name, text


Facts = Collection[tuple[str, str]]


def _usual(measures: list[Measure]) -> Facts:
    """Return the facts of most of several measures, and the parameters of three or more."""
    times_of = Counter(fact for measure in measures for fact in _facts(measure))
    least = {name: max(1, len(measures) // 2) + 1 for name in ("Range", "0/0", "UNKNOWN")}
    least["Parameter"] = 3
    return [fact for fact, times in times_of.items() if times >= least.get(fact[0], times + 1)]


def _family(measure: Measure, usual: Facts) -> str:
    """Return what the measures of a family have in common."""
    family = family_text(measure)
    symbols = [f"- {names}: {text}" for names, text in family.symbols.items()]
    sources = [f"- {name}: {publication}" for name, publication in family.sources.items()]
    title, _, question = family.title.partition(": ")
    return "\n".join(
        [
            f"# {title}",
            "",
            f"{question[:1].upper()}{question[1:]} {family.text}",
            "",
            *symbols,
            "",
            *(
                ["Unless a measure says otherwise, and if it has the parameter:", ""]
                if usual
                else []
            ),
            *(f"- {name}: {text}" for name, text in sorted(usual)),
            *([""] if usual else []),
            "Sources:",
            "",
            *sources,
            "",
        ]
    )


def _row(measure: Measure, page: str) -> str:
    return f"- [`{measure.usage}`]({page}#{_anchor(measure)}): {measure.title}"


def _anchor(measure: Measure) -> str:
    return re.sub(r"[^a-z0-9_ -]", "", measure.usage).replace(" ", "-")


def _measure(measure: Measure, usual: Facts) -> str:
    """Return what the record of a measure says beyond what is usual in its family."""
    own = [f"- {name}: {text}" for name, text in _facts(measure) if (name, text) not in usual]
    return "\n".join([f"## {measure.usage}", "", summary(measure), "", *own, ""])
