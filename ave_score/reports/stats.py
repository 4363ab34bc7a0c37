"""Statistics of collections: their size and their labels."""

from __future__ import annotations

from collections.abc import Sequence

from ave_score.core.collection_summary import CollectionSummary
from ave_score.core.exact import ratio
from ave_score.core.labels import LABELS
from ave_score.core.standards import CANDIDATES
from ave_score.reports.data import Get, Reporter, ResultDocument, entry, list_of
from ave_score.reports.report import DIGITS, Records, ReportTable, figure_text, table_records
from ave_score.reports.score_data import COLLECTION
from ave_score.tasks.stats import Described, Stats

_LABEL_KEYS = (*map(str.lower, LABELS), "questions_with_correct")


def _if_labelled(name: str) -> Get:
    """Return what gets a count of labels: None if the collection has none."""
    return lambda of, _: getattr(of.facts, name) if _labelled(of.facts) else None


_COLLECTION = {
    name: key._replace(get=_if_labelled(name) if name in _LABEL_KEYS else f"facts.{name}")
    for name, key in COLLECTION.items()
}

DOCUMENT = ResultDocument(
    "collections",
    "Collections",
    "The sizes of collections: `ave-score stats`. If no answer has a label, the numbers of labels "
    "are null.",
    {"collections": list_of(entry(_COLLECTION))("The collections in the given order.")},
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
    rows = [(collection.names, _figures(collection.facts, digits)) for collection in described]
    if len(described) > 1:
        total = _figures(_total([collection.facts for collection in described]), digits)
        shown = [cell if _is_known(number, described) else "" for number, cell in enumerate(total)]
        rows.append((("Total", *[""] * (len(heads) - 1)), shown))
    cells = [[*names, *figures] for names, figures in rows]
    notes = []
    if any(_labelled(collection.facts) < collection.facts.answers for collection in described):
        notes.append(
            "Shares of labels are percentages of the labelled answers; blank if there are none."
        )
    align = "l" * len(heads) + "r" * len(_HEADS)
    return ReportTable(title, [*heads, *_HEADS], cells, align, notes=notes)


def _figures(facts: CollectionSummary, digits: int) -> list[str]:
    labels = (facts.validated, facts.rejected, facts.unknown)
    labelled = sum(labels)
    shares = [
        text
        for label in labels
        for text in (f"{label:,}", figure_text(ratio(label, labelled), digits, 100))
    ]
    available = facts.available
    return [
        f"{facts.questions:,}" * facts.standard.has_questions,
        f"{facts.answers:,}" if facts.answers else "",
        "" if available is None else figure_text(ratio(facts.answers, available), digits, 100),
        f"{facts.questions_with_correct:,}" if labelled and facts.standard.has_questions else "",
        *(shares if labelled else [""] * len(shares)),
    ]


_QUESTION_FIGURES = (0, 3)


def _is_known(number: int, described: Sequence[Described]) -> bool:
    """Tell whether a figure is known for all collections; pairs have no counts of questions."""
    return all(
        _figures(of.facts, 0)[number]
        or (number in _QUESTION_FIGURES and not of.facts.standard.has_questions)
        for of in described
    )


def _labelled(facts: CollectionSummary) -> int:
    return facts.validated + facts.rejected + facts.unknown


def _total(summaries: Sequence[CollectionSummary]) -> CollectionSummary:
    """Add collections up; `available` is known only if all collections have it."""
    available = [summary.available for summary in summaries if summary.available is not None]
    return CollectionSummary(
        path="",
        sha256="",
        questions=sum(summary.questions for summary in summaries),
        answers=sum(summary.answers for summary in summaries),
        validated=sum(summary.validated for summary in summaries),
        rejected=sum(summary.rejected for summary in summaries),
        unknown=sum(summary.unknown for summary in summaries),
        questions_with_correct=sum(summary.questions_with_correct for summary in summaries),
        standard=summaries[0].standard
        if len({of.standard.has_questions for of in summaries}) == 1
        else CANDIDATES,
        available=sum(available) if len(available) == len(summaries) else None,
    )
