"""Statistics of collections: their size and their labels."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ave_score.core.collection_summary import CollectionSummary
from ave_score.core.exact import fixed
from ave_score.core.labels import LABELS
from ave_score.reports.data import Get, Reporter, ResultDocument, each, entry
from ave_score.reports.report import DIGITS, Records, ReportTable, table_records
from ave_score.reports.score_data import COLLECTION
from ave_score.tasks.stats import Described, Stats

_LABEL_KEYS = (*map(str.lower, LABELS), "questions_with_correct")


def _if_labelled(name: str) -> Get:
    """Return what gets a count of labels: None if the collection has none."""
    return lambda one, _: getattr(one.facts, name) if _labelled(one.facts) else None


_COLLECTION = {
    name: key._replace(get=_if_labelled(name) if name in _LABEL_KEYS else f"facts.{name}")
    for name, key in COLLECTION.items()
}

DOCUMENT = ResultDocument(
    "collections",
    "Collections",
    "The sizes of collections: `ave-score stats`. If no answer has a label, the numbers of labels "
    "are null.",
    {"collections": each(entry(_COLLECTION))("The collections in the given order.")},
)

_HEADS = (
    "questions",
    "answers",
    "% of available",
    "with correct",
    *(head for word in LABELS for head in (word, f"% {word}")),
)


def _tables(stats: Stats, digits: int) -> list[ReportTable]:
    heads = ("collection", "language")
    return [collections_table("Collections", heads, stats.collections, digits)]


def _records(stats: Stats, digits: int | None) -> Records:
    """Return the rows of the table."""
    (table,) = _tables(stats, DIGITS if digits is None else digits)
    return table_records(table)


stats_report = Reporter(DOCUMENT, _tables, _records)


def collections_table(
    title: str, heads: tuple[str, ...], described: Sequence[Described], digits: int = DIGITS
) -> ReportTable:
    """Return a row for each collection, and a total if there are several.

    `heads` are those of the columns of names. Shares of labels are percentages of the labelled
    answers; unknown values are blank.
    """
    rows = [(one.names, _figures(one.facts, digits)) for one in described]
    if len(described) > 1:
        total = _figures(_total([one.facts for one in described]), digits)
        shown = [cell if _is_known(number, described) else "" for number, cell in enumerate(total)]
        rows.append((("Total", *[""] * (len(heads) - 1)), shown))
    cells = [[*names, *figures] for names, figures in rows]
    notes = []
    if any(_labelled(one.facts) < one.facts.answers for one in described):
        notes.append(
            "Shares of labels are percentages of the labelled answers; blank if there are none."
        )
    align = "l" * len(heads) + "r" * len(_HEADS)
    return ReportTable(title, [*heads, *_HEADS], cells, align, notes=notes)


def _figures(facts: CollectionSummary, digits: int) -> list[str]:
    labels = (facts.validated, facts.rejected, facts.unknown)
    labelled = sum(labels)
    shares = [
        text for label in labels for text in (f"{label:,}", _percent(label, labelled, digits))
    ]
    return [
        "" if facts.is_pairs else f"{facts.questions:,}",
        f"{facts.answers:,}" if facts.answers else "",
        "" if facts.available is None else _percent(facts.answers, facts.available, digits),
        f"{facts.questions_with_correct:,}" if labelled and not facts.is_pairs else "",
        *(shares if labelled else [""] * len(shares)),
    ]


_QUESTION_FIGURES = (0, 3)


def _is_known(number: int, described: Sequence[Described]) -> bool:
    """Tell whether a figure is known for all collections; pairs have no counts of questions."""
    return all(
        _figures(one.facts, 0)[number] or (one.facts.is_pairs and number in _QUESTION_FIGURES)
        for one in described
    )


def _percent(part: int, whole: int, digits: int) -> str:
    return fixed(Fraction(100 * part, whole), digits) if whole else "n/a"


def _labelled(facts: CollectionSummary) -> int:
    return facts.validated + facts.rejected + facts.unknown


def _total(facts: Sequence[CollectionSummary]) -> CollectionSummary:
    """Add collections up; `available` is known only if all collections have it."""
    available = [one.available for one in facts if one.available is not None]
    return CollectionSummary(
        path="",
        sha256="",
        questions=sum(one.questions for one in facts),
        answers=sum(one.answers for one in facts),
        validated=sum(one.validated for one in facts),
        rejected=sum(one.rejected for one in facts),
        unknown=sum(one.unknown for one in facts),
        questions_with_correct=sum(one.questions_with_correct for one in facts),
        is_pairs=all(one.is_pairs for one in facts),
        available=sum(available) if len(available) == len(facts) else None,
    )
