"""What pages are made of, and the part of it that their readers may see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from ave_score.core.findings import Findings
from ave_score.core.model import Collection
from ave_score.core.open_questions import ResponseRun
from ave_score.core.text import shortest_names
from ave_score.counts.counted import Kind
from ave_score.inference.units import Gold, Subject
from ave_score.pages.audience import Audience
from ave_score.pages.renamed import (
    ANOTHER,
    key_of,
    renamed,
    renamed_breakdown,
    renamed_comparison,
    renamed_scores,
    with_rows,
)
from ave_score.reports.printed import (
    printed_digits,
    printed_interval,
    printed_scores,
    printed_value,
)
from ave_score.reports.report import DIGITS
from ave_score.tasks.broken_down import Breakdown
from ave_score.tasks.compared import Compared
from ave_score.tasks.ranked import is_on_equal, notes_on_equal, without_equal
from ave_score.tasks.scores import OF_STATISTICS, Row, Scores

_OF_INTERVALS = ("intervals:", "resamples:", "seed:", "cluster:")
_OF_GOLD = ("collection:", "key:")
"""The parts of a signature that depend on gold labels."""


@dataclass(frozen=True)
class FileFindings:
    """What was found in the file of a run.

    Attributes
    ----------
    path, run, team
        The file, the name that its run has or would have, and the team that submitted it. The
        findings in a judged file depend on gold labels: it has no team.
    findings
        Its findings; None if it cannot be read.
    reason
        Why it cannot be read, "" if it can.
    """

    path: str
    run: str
    team: str | None
    findings: Findings | None
    reason: str = ""

    @property
    def is_refused(self) -> bool:
        """Whether its run is not scored."""
        return self.findings is None or bool(self.findings.errors)

    @property
    def parts(self) -> tuple[tuple[str, ...], str]:
        """Its folders, and its name with those folders that its run is named after."""
        *folders, name = PurePath(self.path).parts
        return tuple(folders), "/".join([*self.run.split("/")[:-1], name])


def names_of(files: Sequence[FileFindings]) -> list[str]:
    """Return the shortest names that tell files apart."""
    return shortest_names([file.parts for file in files])


@dataclass(frozen=True)
class Results:
    """Everything that is known about some runs: what a page is made of.

    Attributes
    ----------
    scores
        The scores, with intervals if these were computed.
    gold, subjects
        What was scored: for outcomes of single questions, and for curves.
    compared
        The comparison of the runs; None if there is none.
    not_compared
        Why runs are not compared, as a sentence; "" if they are, or need not be.
    breakdowns
        Scores of groups of questions.
    files
        The findings in the files of runs.
    systems
        How many QA systems are not among the runs: those judged beside a campaign; None: all.
    """

    scores: Scores
    gold: Gold | None = None
    subjects: Sequence[Subject] = ()
    compared: Compared | None = None
    not_compared: str = ""
    breakdowns: Sequence[Breakdown] = ()
    files: Sequence[FileFindings] = ()
    systems: int | None = None


def seen(results: Results, audience: Audience, digits: int | None = None) -> Results:
    """Return what readers may see: pages are made of nothing else.

    On a team's page the runs of others have numbers instead of names, the best first, and only
    the team's own files and outcomes remain. `digits` are the decimals of all figures, None: those
    of each table.
    """
    if not audience.sees_statistics:
        scores = printed_scores(results.scores, DIGITS if digits is None else digits)
        results = replace(
            results, scores=_without_statistics(scores), compared=None, not_compared=""
        )
    elif not audience.sees_exact and results.compared is not None:
        results = replace(results, compared=_printed(results.compared, digits))
    if audience.team is not None:
        results = _for_team(results, audience.team)
    elif not audience.sees_outcomes:
        rows = [
            row._replace(remark=without_equal(row.remark)) for row in results.scores.rows
        ]  # answers are not seen
        results = replace(results, scores=replace(results.scores, rows=rows))
    if results.compared is not None:  # its notes have the names of all runs
        equal = [f"{note}." for note in notes_on_equal(results.scores.rows).values()]
        others = [note for note in results.compared.notes if not is_on_equal(note)]
        compared = with_rows(results.compared, results.scores)
        results = replace(results, compared=replace(compared, notes=[*equal, *others]))
    if not audience.sees_outcomes:
        facts = results.scores.collection
        told = tuple(note for note in facts.notes if not is_on_equal(note))
        scores = replace(results.scores, collection=facts._replace(notes=told))
        results = replace(results, scores=scores)
        results = replace(results, gold=None, subjects=(), breakdowns=())
        if results.compared is not None:
            compared = replace(results.compared, gold=None, subjects=())
            results = replace(results, compared=compared)
    called = dict(zip((file.path for file in results.files), names_of(results.files), strict=True))
    not_scored = [called.get(path, PurePath(path).name) for path in results.scores.not_scored]
    results = replace(results, scores=replace(results.scores, not_scored=not_scored))
    if not audience.sees_gold:
        results = _without_gold(results)
        if audience.team is None:  # findings name questions and answers
            results = replace(results, files=())
    return results


def _printed(compared: Compared, digits: int | None) -> Compared:
    """Return a comparison whose values, intervals and order are those that are printed.

    Runs with equal figures are in the order of their names, and so are their pairs, unless the
    difference is significant: then it is exact, since it says which run is better.
    """
    comparisons, beside = [], {}
    for comparison in compared.comparisons:
        measure = comparison.measure
        shown = printed_digits(measure, DIGITS if digits is None else digits)
        standings = [
            row._replace(
                value=row.value and printed_value(row.value, measure, shown),
                interval=printed_interval(row.interval, measure, shown),
            )
            for row in comparison.standings
        ]
        pairs = [
            pair._replace(
                difference=pair.difference
                if pair.is_significant or pair.difference is None
                else printed_value(pair.difference, measure, shown),
                interval=printed_interval(pair.interval, measure, shown),
            )
            for pair in comparison.pairs
        ]
        others = compared.beside.get(measure.key, ())
        beside[measure.key] = [printed_value(value, measure, shown) for value in others]
        names = {run: run for run in sorted(row.run for row in standings)}
        printed = comparison._replace(standings=standings, pairs=pairs)
        comparisons.append(renamed_comparison(printed, names))
    return replace(compared, comparisons=comparisons, beside=beside)


def _without_statistics(scores: Scores) -> Scores:
    """Return scores without what is computed from single questions beyond the values."""
    policies = scores.policies._replace(intervals=None)
    hidden = {name: Row._field_defaults[name] for name in OF_STATISTICS}
    rows = [row._replace(**hidden) for row in scores.rows]
    signature = _without(_OF_INTERVALS, scores.signature)
    return replace(scores, policies=policies, rows=rows, signature=signature)


def _without_gold(results: Results) -> Results:
    """Return results without texts, and without hashes by which guesses of labels can be tested."""
    summary = results.scores.collection._replace(sha256="", key_sha256=None)
    scores = replace(
        results.scores, collection=summary, signature=_without(_OF_GOLD, results.scores.signature)
    )
    gold, compared = results.gold, results.compared
    if isinstance(gold, Collection):
        gold = replace(gold, texts=None, sha256="", key_sha256=None)
    if compared is not None:
        compared = replace(compared, gold=None, signature=_without(_OF_GOLD, compared.signature))
    breakdowns = [
        replace(breakdown, signature=_without(_OF_GOLD, breakdown.signature))
        for breakdown in results.breakdowns
    ]
    return replace(results, scores=scores, gold=gold, compared=compared, breakdowns=breakdowns)


def _without(starts: tuple[str, ...], signature: str) -> str:
    """Return a signature without the parts that start so."""
    return "|".join(part for part in signature.split("|") if not part.startswith(starts))


# --- a team's page


def _for_team(results: Results, team: str) -> Results:
    """Return results in which the runs of others are anonymous."""
    names = _names(results, team)
    shown: dict[str, str] = {}
    for (_, run), name in names.items():  # a system may be named like a run, which comes first
        shown.setdefault(run, name)
    kept = {key_of(row) for row in results.scores.rows if _keeps_its_name(row, team)}
    own = {row.run for row in results.scores.rows if _is_own(row, team)}
    files = [file for file in results.files if file.team == team]
    not_scored = [file.path for file in files if file.is_refused]
    scores = replace(renamed_scores(results.scores, names, kept), not_scored=not_scored)
    return replace(
        results,
        scores=scores,
        subjects=[subject for subject in results.subjects if subject.name in own],
        compared=results.compared
        and replace(renamed(results.compared, shown, scores), not_scored=()),
        not_compared="The runs are not compared." if results.not_compared else "",
        breakdowns=[renamed_breakdown(breakdown, names) for breakdown in results.breakdowns],
        files=files,
    )


def _is_own(row: Row, team: str) -> bool:
    return row.kind.is_submitted and row.team == team


def _keeps_its_name(row: Row, team: str) -> bool:
    """Tell whether a team may know which run it is: its own, or one of the organiser."""
    return not row.kind.is_submitted or _is_own(row, team)


def anonymous(results: Results, names: Mapping[str, str], teams: Mapping[str, str]) -> Results:
    """Return results of a campaign in which runs have other names, by which equal ones are sorted.

    `names` is run -> name, `teams` is name -> name of its team. Baselines keep their names.
    Nothing is said of files and of times.
    """
    rows = [row for row in results.scores.rows if row.kind.is_submitted]
    in_order = sorted(rows, key=lambda row: (row.kind is Kind.QA, names[row.run]))
    kept = {key_of(row) for row in results.scores.rows if not row.kind.is_submitted}
    of_rows = {key_of(row): names[row.run] for row in in_order}
    scores = renamed_scores(results.scores, of_rows, kept)
    named = [row._replace(team=teams.get(row.run)) for row in scores.rows]
    scores = replace(scores, rows=named, not_scored=())
    return replace(
        results,
        scores=scores,
        subjects=[_named(subject, names) for subject in results.subjects],
        compared=results.compared and replace(renamed(results.compared, names, scores), notes=()),
        not_compared="The runs are not compared." if results.not_compared else "",
        files=(),
    )


def _named(subject: Subject, names: Mapping[str, str]) -> Subject:
    """Return a subject under another name, if it has one."""
    name = names.get(subject.name, subject.name)
    if isinstance(subject, ResponseRun):
        return subject._replace(name=name)
    return replace(subject, name=name)


def _names(results: Results, team: str) -> dict[tuple[Kind, str], str]:
    """Return the names on a team's page, the runs of other teams numbered by their scores.

    Nothing else than figures determines the order: neither names nor the order of files. Runs
    whose figures are equal have the same row, so that their order does not matter.
    """
    scores = results.scores
    parts = {
        (run.kind, run.run): repr(run.parts)
        for breakdown in results.breakdowns
        for run in breakdown.runs
    }

    def best_first(row: Row) -> tuple[object, ...]:
        values = [measure.sort_key(row.values[measure.key]) for measure in scores.measures]
        of_parts = parts.get((row.kind, row.run), "")
        return row.is_apart, values, repr(sorted(row.intervals.items())), of_parts

    names = {key_of(row): row.run for row in scores.rows if not row.kind.is_submitted}
    taken = {row.run for row in scores.rows if _keeps_its_name(row, team)}
    for kind in ANOTHER:
        of_kind = [row for row in scores.rows if row.kind is kind]
        names |= {key_of(row): row.run for row in of_kind if _is_own(row, team)}
        others = sorted((row for row in of_kind if not _is_own(row, team)), key=best_first)
        for number, row in enumerate(others, 1):
            name = f"{ANOTHER[kind]} {number}"
            while name in taken:  # a team names its runs as it likes
                name += "*"
            names[key_of(row)] = name
    return names
