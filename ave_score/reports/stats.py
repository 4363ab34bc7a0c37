"""Statistics of collections: their size and their labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from ave_score.core.collection_summary import CollectionSummary
from ave_score.core.exact import ratio
from ave_score.core.labels import LABELS, Label
from ave_score.core.standards import CANDIDATES
from ave_score.reports.data import Get, Reporter, ResultDocument, entry, list_of
from ave_score.reports.report import (
    DIGITS,
    Column,
    Records,
    ReportTable,
    figure_text,
    name_column,
    table_of,
    table_records,
)
from ave_score.reports.score_data import COLLECTION
from ave_score.tasks.stats import Described, Stats

_LABEL_KEYS = (*map(str.lower, LABELS), "questions_with_correct")


def _if_labelled(name: str) -> Get:
    """Return what gets a count of labels: None if the collection has none."""
    return lambda row, _: getattr(row.facts, name) if _labelled(row.facts) else None


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


class _Figure(NamedTuple):
    """A figure of collections; one of questions, pairs have none of."""

    head: str
    text: Callable[[CollectionSummary], str]
    of_questions: bool = False

    def cell(self, of: Described, described: Sequence[Described], total: Described) -> str:
        """Return the cell of a collection; blank if unknown, or known only of some of a total."""
        is_known = of is not total or all(map(self._is_known, described))
        return self.text(of.facts) if is_known and self._applies(of) else ""

    def _is_known(self, of: Described) -> bool:
        return not self._applies(of) or self.text(of.facts) != ""

    def _applies(self, of: Described) -> bool:
        return of.facts.standard.has_questions or not self.of_questions


def _figures(digits: int) -> Iterator[_Figure]:
    """Yield the figures of a collection; those of labels are blank without any."""

    def share(part: int, whole: int) -> str:
        return figure_text(ratio(part, whole), digits, 100)

    def count(facts: CollectionSummary, name: str) -> str:
        return f"{getattr(facts, name):,}" if _labelled(facts) else ""

    def share_of(facts: CollectionSummary, name: str) -> str:
        labelled = _labelled(facts)
        return share(getattr(facts, name), labelled) if labelled else ""

    yield _Figure("questions", lambda facts: f"{facts.questions:,}", of_questions=True)
    yield _Figure("answers", lambda facts: f"{facts.answers:,}" if facts.answers else "")
    yield _Figure(
        "% of available",
        lambda facts: "" if facts.available is None else share(facts.answers, facts.available),
    )
    with_correct = partial(count, name="questions_with_correct")
    yield _Figure("with correct", with_correct, of_questions=True)
    for word in LABELS:
        yield _Figure(word, partial(count, name=word.lower()))
        yield _Figure(f"% {word}", partial(share_of, name=word.lower()))


def _table(stats: Stats, digits: int) -> ReportTable:
    return collections_table("Collections", ("collection", "language"), stats.collections, digits)


def _tables(stats: Stats, digits: int) -> list[ReportTable]:
    return [for_people(_table(stats, digits), stats.collections)]


def _records(stats: Stats, digits: int | None) -> Records:
    """Return the rows of the table, with all columns: they do not depend on the data."""
    return table_records(_table(stats, DIGITS if digits is None else digits))


stats_report = Reporter(DOCUMENT, _tables, _records)


def collections_table(
    title: str, heads: tuple[str, ...], described: Sequence[Described], digits: int = DIGITS
) -> ReportTable:
    """Return a row for each collection, and a total if there are several.

    `heads` are those of the columns of names. Shares of labels are percentages of the labelled
    answers; unknown values are blank.
    """
    total = Described(
        ("Total", *[""] * (len(heads) - 1)), _total([summary.facts for summary in described])
    )
    notes = []
    if any(_labelled(collection.facts) < collection.facts.answers for collection in described):
        notes.append(
            "Shares of labels are percentages of the labelled answers; blank if there are none."
        )
    names_of = [name_column(head, partial(_name, at=at)) for at, head in enumerate(heads)]
    figures = [
        Column(figure.head, partial(figure.cell, described=described, total=total))
        for figure in _figures(digits)
    ]
    rows = [*described, *[total] * (len(described) > 1)]
    return table_of(title, [*names_of, *figures], rows, notes=notes)


def for_people(table: ReportTable, described: Sequence[Described]) -> ReportTable:
    """Return a table of collections without blank columns, and without UNKNOWN if none is.

    Its heads are in the words of the sort of gold standard, if all are of one.
    """
    words: list[Mapping[str, str]] = [each.facts.standard.words for each in described]
    of_all = words[0] if all(each == words[0] for each in words) else {}

    def head(text: str) -> str:
        sign, _, word = text.rpartition(" ")
        own = of_all.get(word.lower().removesuffix("s"))
        return text if own is None else f"{sign} {own}{'s' * word.endswith('s')}".lstrip()

    def says(at: int) -> bool:
        cells = {row[at] for row in table.rows}
        return any(cell.strip("0.") for cell in cells) or (
            any(cells) and not table.heads[at].endswith(Label.UNKNOWN.name)
        )

    kept = [at for at in range(len(table.heads)) if says(at)]
    return table._replace(
        heads=[head(table.heads[at]) for at in kept],
        rows=[[row[at] for at in kept] for row in table.rows],
        align="".join(table.align[at] for at in kept),
    )


def _name(of: Described, at: int) -> str:
    return of.names[at]


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
        if len({summary.standard.has_questions for summary in summaries}) == 1
        else CANDIDATES,
        available=sum(available) if len(available) == len(summaries) else None,
    )
