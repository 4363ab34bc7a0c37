"""Which runs are ranked and compared, in which order, with which ranks; which are the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ave_score.core.standards import SAME_LOGS, STANDARDS, Standard
from ave_score.core.text import brief, natural_key
from ave_score.counts.counted import Kind
from ave_score.measures import Measure, by_table
from ave_score.tasks.named import check_teams_used, matching
from ave_score.tasks.scores import Remark, Row
from ave_score.tasks.subjects import kind_of

if TYPE_CHECKING:
    from ave_score.inference.units import Subject
    from ave_score.tasks.inputs import Inputs

_KINDS = [*Kind]


def with_entrants(rows: Sequence[Row], inputs: Inputs, standard: Standard) -> list[Row]:
    """Return the rows of runs with what makes them count: kind, team, `is_primary`, equal runs.

    Without `primary`, the teams may name these runs. QA systems beside runs are not submitted, and
    so not to be primary. Raises `UsageError` for a pattern that matches no run, and for wrong names
    in the teams.
    """
    given, teams = inputs.entrants, inputs.teams()
    if rows and not teams.is_checked:
        check_teams_used("teams", teams, [row.run for row in rows])
    own = matching("reference", given.get("reference"), [row.run for row in rows])
    rows = [
        row._replace(kind=Kind.REFERENCE)
        if row.run in own
        else row._replace(team=teams.get(row.run))
        for row in rows
    ]
    kind = next((kind for kind in Kind for row in rows if row.kind is kind), None)
    submitted = [row.run for row in rows if row.kind is kind]
    main = matching("primary", given.get("primary"), submitted) or teams.primary
    if main is not None:
        rows = [
            row._replace(is_primary=row.run in main) if row.kind is kind else row for row in rows
        ]
    return with_equal(rows, standard)


def _is_known(row: Row) -> tuple[bool, bool]:
    """Return the order of equal runs: the organiser's first, then ranked ones."""
    return row.kind.is_submitted, not row.is_ranked


def with_equal(rows: Sequence[Row], standard: Standard) -> list[Row]:
    """Return rows with remarks on those that are the same as another one, which share their rank.

    These have equal figures for equal reasons, which the sort of the gold standard names; of
    systems, outcomes of questions and the order of confidences are equal.
    Nothing tells who copied from whom, so all are treated alike. Each is said to be the same as the
    organiser's, if that is one of them: every team may know it.
    """
    same: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        if row.digest:
            same.setdefault((row.digest, *row.values.items()), []).append(row)
    others: dict[int, Row] = {}
    for equal in same.values():
        first, *more = sorted(equal, key=_is_known)
        others |= {id(row): first for row in more} | ({id(first): more[0]} if more else {})
    return [_same(row, others[id(row)], standard) if id(row) in others else row for row in rows]


def best_first(rows: Iterable[Row], *measures: Measure) -> list[Row]:
    """Return rows by their values, best first, undefined ones last; those apart behind the others.

    Ties are in the order of the next measure, then runs, systems, baselines, then by name.
    """

    def key(row: Row) -> tuple[object, ...]:
        values = [measure.sort_key(row.values[measure.key]) for measure in measures]
        return row.is_apart, values, _KINDS.index(row.kind), natural_key(row.run)

    return sorted(rows, key=key)


def ranks(values: Sequence[Fraction | None]) -> list[str]:
    """Return the rank of each value; `values` are sorted, the best first.

    Equal values share a rank, marked `=`. Undefined values have the rank "".
    """
    times = Counter(values)
    first: dict[Fraction | None, int] = {}
    for rank, value in enumerate(values, 1):
        first.setdefault(value, rank)
    return [
        "" if value is None else f"{first[value]}{'=' if times[value] > 1 else ''}"
        for value in values
    ]


def ranks_among(
    values: Sequence[Fraction | None], others: Iterable[Fraction], measure: Measure
) -> list[str]:
    """Return the rank of each value, as `ranks` does, if other values are ranked with them."""
    every = sorted([*values, *others], key=measure.sort_key)
    rank_of = dict(zip(every, ranks(every), strict=True))
    return [rank_of[value] for value in values]


def are_comparable(rows: Iterable[Row]) -> bool:
    """Tell whether ranked rows are scored on the same answers: others have no rank."""
    return all(row.extent is None for row in rows if row.is_ranked)


def ranks_of(rows: Sequence[Row], measure: Measure) -> list[str]:
    """Return the rank of each row by a measure, "" for rows that are not ranked.

    None has one if ranked rows are scored on different answers. The order of `rows` is any.
    """
    if not are_comparable(rows):
        return [""] * len(rows)
    ranked = best_first((row for row in rows if row.is_ranked), measure)
    told = zip(map(id, ranked), ranks([row.values[measure.key] for row in ranked]), strict=True)
    rank_of = dict(told)
    return [rank_of.get(id(row), "") for row in rows]


def leading(measures: Iterable[Measure]) -> list[Measure]:
    """Return the first measure of each table: its best run leads."""
    return [columns[0] for columns in by_table(measures).values()]


def leading_tested(
    measures: Iterable[Measure], rows: Iterable[Row]
) -> tuple[list[Measure], list[str]]:
    """Return the first measure of each table that runs can be compared by, if it applies to all.

    A sentence on each of the columns before it, which cannot be tested, comes with them.
    """
    columns: list[Measure] = []
    for of_table in by_table(measures).values():
        at = next(
            (at for at, letter in enumerate(of_table) if not letter.no_interval), len(of_table)
        )
        columns += of_table[: at + 1]
    of_rows = [row.counts.keys() for row in rows]
    return with_tests(
        column for column in columns if all(counted >= {*column.families} for counted in of_rows)
    )


def with_tests(measures: Iterable[Measure]) -> tuple[list[Measure], list[str]]:
    """Return the measures that runs can be compared by, and a sentence on each of the others."""
    chosen = [*measures]
    others = [item for item in chosen if item.no_interval]
    notes = [f"Not compared by {other.title}: {other.no_interval}." for other in others]
    return [item for item in chosen if not item.no_interval], notes


def to_compare(
    subjects: Sequence[Subject], rows: Sequence[Row], against: str | None
) -> list[Subject]:
    """Return the ranked ones, and the one that all are compared with."""
    keys = {(row.kind, row.run) for row in rows if row.is_ranked}
    return [one for one in subjects if one.name == against or (kind_of(one), one.name) in keys]


def reported_with_another(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield rows that are the same as one before them, of which that is said already."""
    said = set[frozenset[str]]()
    for row in rows:
        if row.remark is not None and row.remark.same_as:
            pair = frozenset([row.run, row.remark.same_as])
            if pair in said:
                yield row
            said.add(pair)


def notes_on_equal(rows: Iterable[Row]) -> dict[str, str]:
    """Return run -> what it is the same as, in a sentence without its end; two runs have one."""
    given = [row for row in rows if row.remark is not None and row.remark.same_as]
    told = {row.run for row in reported_with_another(reversed(given))}  # the later of two is told
    return {
        row.run: f"{row.run} is the same as {row.remark.same_as}: "
        f"{row.remark.text.rpartition('; ')[2]}"
        for row in given
        if row.remark is not None and row.run not in told
    }


def is_on_equal(note: str) -> bool:
    """Tell whether a note says that two runs or logs are the same."""
    reasons = {why for one in STANDARDS.values() for why in (one.equal, one.equal_systems)}
    return note.endswith((*(f": {reason}." for reason in reasons), SAME_LOGS))


def without_equal(remark: Remark | None) -> Remark | None:
    """Return a remark that does not tell which run is the same; None if nothing else is said."""
    if remark is None or not remark.same_as:
        return remark
    mark = remark.mark.removesuffix(f"same as {remark.same_as}").removesuffix(", ")
    text = remark.text.rpartition("; ")[0]
    return remark._replace(mark=mark, text=text, same_as="") if mark else None


def not_primary_notes(rows: Iterable[Row]) -> list[str]:
    """Return a note on the runs without a rank that no other note explains, if there are any."""
    others = [row.run for row in rows if row.is_primary is False and not row.is_apart]
    return [f"Not primary: {brief(others)}."] * bool(others)


def _same(row: Row, other: Row, standard: Standard) -> Row:
    """Return the row of a run that is the same as another one."""
    mark = f"same as {other.run}"
    text = standard.equal_systems if Kind.QA in (row.kind, other.kind) else standard.equal
    if row.remark is not None:
        mark, text = f"{row.remark.mark}, {mark}", f"{row.remark.text}; {text}"
    return row._replace(remark=Remark(mark, text, row.is_apart, other.run))
