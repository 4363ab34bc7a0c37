"""Which runs are ranked and compared: primary ones, not the organiser's, and equal ones once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ave_score.core.reported import brief
from ave_score.counts.counted import Kind
from ave_score.files.groups import primary_in
from ave_score.measures import Measure, by_table
from ave_score.tasks.named import Patterns, matching
from ave_score.tasks.subjects import kind_of

if TYPE_CHECKING:
    from ave_score.inference.units import Subject
    from ave_score.tasks.score import Row

_EQUAL = "equal verdicts and confidences"


class Remark(NamedTuple):
    """What tables say about a run beside its figures.

    Attributes
    ----------
    mark
        A word or two beside its name, such as `late`.
    text
        What it is about, in a sentence without its end.
    is_apart
        Whether it is not ranked, but listed behind the others.
    same_as
        The run that has the same answers, verdicts and confidences; empty if there is none.
    """

    mark: str
    text: str
    is_apart: bool = False
    same_as: str = ""

    def __str__(self) -> str:
        return f"{self.mark}: {self.text}"


def entered(
    rows: Sequence[Row],
    reference: Patterns | None,
    primary: Patterns | None,
    groups: Mapping[str, str],
) -> list[Row]:
    """Return the rows of runs with what makes them count: kind, group, `is_primary`, equal runs.

    Without `primary`, the groups may name these runs. QA systems beside runs are not submitted, and
    so not to be primary. Raises `UsageError` for a pattern that matches no run.
    """
    own = matching("reference", reference, [row.run for row in rows])
    rows = [
        row._replace(kind=Kind.BASELINE)
        if row.run in own
        else row._replace(group=groups.get(row.run))
        for row in rows
    ]
    kind = next((kind for kind in Kind for row in rows if row.kind is kind), None)
    submitted = [row.run for row in rows if row.kind is kind]
    main = matching("primary", primary, submitted) or primary_in(groups)
    if main is not None:
        rows = [
            row._replace(is_primary=row.run in main) if row.kind is kind else row for row in rows
        ]
    return with_equal(rows)


def with_equal(rows: Sequence[Row], came: Mapping[str, float] = MappingProxyType({})) -> list[Row]:
    """Return rows with remarks on those that are the same as another one.

    Of equal runs the one that is ranked, came first, or is given first has none. `came` is run ->
    time of its submission, if known.
    """
    first: dict[bytes, str] = {}
    for row in sorted(rows, key=lambda row: (not row.is_ranked, came.get(row.run, inf))):
        first.setdefault(row.digest, row.run)
    return [
        _same(row, first[row.digest]) if row.digest and first[row.digest] != row.run else row
        for row in rows
    ]


def leading(measures: Iterable[Measure], rows: Iterable[Row] = ()) -> list[Measure]:
    """Return the first measure of each table, if it applies to all rows: its best run leads."""
    first = [columns[0] for columns in by_table(measures).values()]
    of_rows = [row.counts.keys() for row in rows]
    return [of for of in first if all(of.family in counted for counted in of_rows)]


def with_tests(measures: Iterable[Measure]) -> tuple[list[Measure], list[str]]:
    """Return the measures that runs can be compared by, and a sentence on each of the others."""
    chosen = [*measures]
    others = [of for of in chosen if of.no_interval]
    notes = [f"Not compared by {of.title}: {of.no_interval}." for of in others]
    return [of for of in chosen if not of.no_interval], notes


def to_compare(
    subjects: Sequence[Subject], rows: Sequence[Row], baseline: str | None
) -> list[Subject]:
    """Return the ranked ones, the baseline, and equal ones if there are too few others."""

    def chosen(rows: Sequence[Row]) -> list[Subject]:
        keys = {(row.kind, row.run) for row in rows if row.is_ranked}
        return [one for one in subjects if one.name == baseline or (kind_of(one), one.name) in keys]

    ranked = chosen(rows)
    return ranked if len(ranked) > 1 else chosen([row._replace(remark=None) for row in rows])


def notes_on_equal(rows: Iterable[Row]) -> dict[str, str]:
    """Return run -> what it is the same as, in a sentence without its end."""
    return {
        row.run: f"{row.run} is the same as {row.remark.same_as}: {_EQUAL}"
        for row in rows
        if row.remark is not None and row.remark.same_as
    }


def not_primary_notes(rows: Iterable[Row]) -> list[str]:
    """Return a note on the runs without a rank that no other note explains, if there are any."""
    others = [row.run for row in rows if row.is_primary is False and not row.is_apart]
    return [f"Not primary: {brief(others)}."] * bool(others)


def _same(row: Row, first: str) -> Row:
    """Return the row of a run that is the same as another one, and so not ranked."""
    mark, text = f"same as {first}" + ", not ranked" * row.is_ranked, _EQUAL
    if row.remark is not None:
        mark, text = f"{row.remark.mark}, {mark}", f"{row.remark.text}; {text}"
    return row._replace(remark=Remark(mark, text, row.is_apart or row.is_ranked, first))
