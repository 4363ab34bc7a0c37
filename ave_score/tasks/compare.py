"""Comparisons of runs by several measures, with everything that is reported about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import nan
from typing import TYPE_CHECKING, NamedTuple, cast

from ave_score.core.errors import UsageError
from ave_score.core.model import Collection, QARun, Run
from ave_score.core.open_questions import OpenGold
from ave_score.core.policies import IntervalPolicy, settle_unknown
from ave_score.core.replicates import Epochs
from ave_score.core.reported import Drawn, brief, called
from ave_score.core.text import counted
from ave_score.counts import response_families, run_families
from ave_score.counts.counted import Kind
from ave_score.inference.compare import compare as compare_subjects
from ave_score.inference.compare_records import Comparison, Design, Standing
from ave_score.inference.power import PairPower, PowerPolicy, comparison_power
from ave_score.inference.questions import Answered, QuestionTable, answered_rightly, question_table
from ave_score.inference.resampling import Interval
from ave_score.inference.samples import Watch
from ave_score.inference.units import Gold, Subject
from ave_score.measures import Measure
from ave_score.tasks.inputs import (
    GoldGiven,
    Inputs,
    Path,
    RunsGiven,
    SubjectsGiven,
    settings_of,
)
from ave_score.tasks.named import Patterns
from ave_score.tasks.ranked import entered, notes_on_equal, to_compare
from ave_score.tasks.score import Row, Scores, score
from ave_score.tasks.subjects import (
    MeasuresGiven,
    compared_measures,
    kind_of,
    kinds_of,
    paired,
    signature_of,
    subset,
    wanted_measures,
)

if TYPE_CHECKING:
    import pandas as pd

    from ave_score.reports.report import Records


class Powers(NamedTuple):
    """What was asked, and the power of the pairs of each comparison."""

    asked: PowerPolicy
    of_comparisons: Sequence[Sequence[PairPower]]


@dataclass(frozen=True, repr=False)
class Compared(Drawn):
    """Runs compared by one or more measures: what `ave-score compare` reports.

    `to_frame` has a row for each measure and pair of runs. `plot` draws the differences of the best
    pairs by the first measure, with their intervals.

    Attributes
    ----------
    comparisons
        A comparison for each measure: the standings of the runs, and all pairs.
    signature
        The line that identifies the policies and the design.
    left_out
        The files that could not be compared.
    answered
        All questions with a correct answer, the hardest first; None unless they were requested.
    hardest
        The number of these that tables show.
    powers
        What the comparison could detect; None unless it was asked.
    subjects, gold
        What was compared, and the gold standard.
    notes
        On which questions, if missing answers are excluded.
    groups
        Run -> the group that submitted it.
    apart
        The scores of those that are not compared, with intervals; None if all are.
    """

    comparisons: Sequence[Comparison]
    signature: str
    left_out: Sequence[str] = ()
    answered: Sequence[Answered] | None = None
    hardest: int = 0
    powers: Powers | None = None
    subjects: Sequence[Subject] = ()
    gold: Gold | None = None
    notes: Sequence[str] = ()
    groups: Mapping[str, str] = field(default_factory=dict)
    apart: Scores | None = None

    def __repr__(self) -> str:
        names = brief([comparison.measure.key for comparison in self.comparisons])
        return f"<Compared {counted(len(self.comparisons[0].standings), 'run')}: {names}>"

    def apart_by(self, measure: Measure) -> list[tuple[Standing, str]]:
        """Return those that are not compared, the best first, and why not.

        Parameters
        ----------
        measure
            One of the measures that runs are compared by.

        Returns
        -------
        list of tuples
            A standing without ranks and letters, and a reason: `baseline`, `same as another`
            or `not primary`.
        """
        standings = []
        for row in self.apart.rows if self.apart is not None else ():
            interval = row.intervals.get(measure.key)
            ends = Interval(nan, nan) if interval is None else interval.interval
            standing = Standing(row.run, row.values[measure.key], ends, None, "")
            if interval is not None:
                standing = standing._replace(method=interval.method, caution=interval.caution)
            why = "same as another" if row.remark is not None else "not primary"
            standings.append((standing, "baseline" if row.kind is Kind.BASELINE else why))
        return sorted(standings, key=lambda of: (measure.sort_key(of[0].value), of[0].run))

    @cached_property
    def tables(self) -> list[tuple[Measure, QuestionTable]]:
        """The values of the runs on each question, by each measure."""
        if self.gold is None:
            return []
        return [
            (comparison.measure, question_table(self.subjects, self.gold, comparison))
            for comparison in self.comparisons
        ]

    def per_question(self) -> pd.DataFrame:
        """Return the values of the runs on each question, and what it adds to each difference.

        Returns
        -------
        pandas.DataFrame
            A row for each measure and question, with a column for each run and each pair, named
            `run - other`; in the units of the measure, NaN if undefined.
        """
        return cast("Records", called("compare_data.question_records", self.tables)).to_frame()


def compare(  # noqa: PLR0913 - one for each question, all optional
    collection: GoldGiven,
    runs: SubjectsGiven = (),
    qa: RunsGiven = (),
    *,
    measures: MeasuresGiven | None = None,
    groups: Mapping[str, str] | Path | None = None,
    reference: Patterns | None = None,
    primary: Patterns | None = None,
    design: Design | None = None,
    power: PowerPolicy | None = None,
    hardest: int = 0,
    watch: Watch = nullcontext,
    jobs: int = 1,
) -> Compared:
    """Test the differences between runs, QA systems or responses for significance.

    Parameters
    ----------
    collection, runs, qa, groups, reference, primary
        As `score` takes them; at least two runs with different names. Runs that are not ranked,
        such as equal ones, are scored and not compared, unless one is the baseline of the design.
    measures
        Names in a text, or a list of names or measures. By default f1 and qa_accuracy; for QA
        systems c_at_1 and answering_accuracy; with runs, too, qa_accuracy and c_at_1; for pairs f1
        and accuracy; for responses one for each type of question. Tests on values of questions use
        only those that are means of these.
    design
        The test, its samples, the level, the correction and the baseline; by default `Design()`.
    power
        What is asked about the power of the comparison; None: nothing.
    hardest
        The number of questions to show that the fewest runs answer correctly, at least 0.
    watch
        Passes blocks of samples and the numbers of pairs through, and may show progress.
    jobs
        The largest number of processes that test many pairs. It should be 1 in a program with
        threads, and in a main module without `if __name__ == "__main__":`.

    Returns
    -------
    Compared
        Standings, pairs and groups of runs for each measure.

    Raises
    ------
    UsageError
        An argument has a wrong type; fewer than two runs, or two of one name; a test, correction,
        baseline or measure does not exist, the test does not apply to the measure, or a pattern
        matches no run.
    DefectError, InputError
        A file has errors, or cannot be read.
    """
    design = settings_of(design, Design)
    design.check()
    if power is not None:
        settings_of(power, PowerPolicy).check()
    policies = design.policies
    inputs = Inputs(policies)
    gold, systems = inputs.gold(collection)
    if isinstance(gold, OpenGold) and (not isinstance(qa, tuple) or qa):
        raise UsageError("QA systems cannot be compared with responses to open questions")
    given = [*inputs.subjects(gold, systems, runs, qa)]
    known = inputs.groups(groups)
    rows = entered(_rows_of(given), reference, primary, known)
    ranked = to_compare(given, rows, design.baseline)
    equal = [f"{note}." for note in notes_on_equal(rows).values()]
    epochs = Epochs.of(given)
    if epochs.most > 1:
        equal += [f"Each question is the mean of {epochs}.", _ONE_RUN]
    are_ranked = {*map(id, ranked)}
    others = [of for of in zip(given, rows, strict=True) if id(of[0]) not in are_ranked]
    common, subjects, notes = paired(gold, ranked)
    settled = common if isinstance(common, OpenGold) else settle_unknown(common, policies.unknown)
    chosen = _measures(measures, subjects, settled, design)
    if not chosen:
        raise UsageError("no measure selected")
    comparisons = compare_subjects(subjects, settled, chosen, design, watch, jobs)
    compared = Compared(
        comparisons,
        "",
        hardest=hardest,
        subjects=subjects,
        gold=settled,
        notes=[*equal, *notes, *_notes_of(gold)],
        groups=_groups(known, given),
        apart=_apart(common, others, chosen, design) if others else None,
    )
    if hardest:
        compared = replace(compared, answered=_answered(compared))
    if power is not None:
        powers = [comparison_power(comparison, power) for comparison in comparisons]
        compared = replace(compared, powers=Powers(power, powers))
    return replace(compared, signature=_signature(gold, compared))


def _notes_of(gold: Gold) -> Sequence[str]:
    return gold.notes if isinstance(gold, Collection) else ()


def _measures(
    measures: MeasuresGiven | None,
    subjects: Sequence[Subject],
    gold: Gold,
    design: Design,
) -> Sequence[Measure]:
    """Return the measures, by default those of what is compared that the test supports."""
    if measures is None:
        are_means = design.procedure.of_values
        return compared_measures(kinds_of(subjects, gold), are_means=are_means)
    is_open = isinstance(gold, OpenGold)
    return wanted_measures(measures, response_families() if is_open else run_families())


def _rows_of(subjects: Sequence[Subject]) -> list[Row]:
    """Return rows without measures, by which those that are ranked are known."""
    return [
        Row(subject.name, kind_of(subject), {}, {}, digest=getattr(subject, "digest", b""))
        for subject in subjects
    ]


def _apart(
    gold: Gold, others: Sequence[tuple[Subject, Row]], measures: Sequence[Measure], design: Design
) -> Scores:
    """Return the scores of those that are not compared, with intervals as these have."""
    resampling, clusters = design.resampling, design.clusters
    level, samples = 100 * design.level, (resampling.resamples, resampling.seed)
    intervals = IntervalPolicy(level, "auto", *samples, clusters=clusters)
    policies = design.policies._replace(intervals=intervals)
    subjects = [subset(subject, gold) for subject, _ in others]
    scores = score(gold, subjects, policies=policies, measures=measures)
    known = {(kind_of(subject), subject.name): row for subject, row in others}
    rows = []
    for row in scores.rows:
        if entry := known.get((row.kind, row.run)):
            made = row._replace(is_primary=entry.is_primary, remark=entry.remark)
            rows.append(made._replace(kind=entry.kind))
    return replace(scores, rows=rows)


_ONE_RUN = (
    "Each system has one run: differences between runs of the same system are not measured, and p "
    "does not cover them."
)


def _groups(groups: Mapping[str, str], subjects: Sequence[Subject]) -> Mapping[str, str]:
    """Return the groups of those that are compared."""
    return {subject.name: groups[subject.name] for subject in subjects if subject.name in groups}


def _answered(compared: Compared) -> list[Answered]:
    """Return the questions by the number of runs that answer them; the best runs first."""
    if not isinstance(compared.gold, Collection) or compared.gold.index.is_pairs:
        raise UsageError("hardest needs questions, and pairs have none")
    comparison = compared.comparisons[0]
    by_name = {run.name: run for run in compared.subjects if isinstance(run, Run | QARun)}
    best_first = [by_name[standing.run] for standing in comparison.standings]
    return answered_rightly(best_first, compared.gold, comparison.design.policies)


def _signature(gold: Gold, compared: Compared) -> str:
    """Return the signature of a comparison: that of the scores, the tests, and what is asked."""
    comparisons = compared.comparisons
    design = comparisons[0].design
    ranks = any(comparison.measure.family.is_ranked for comparison in comparisons)
    tests = ",".join(dict.fromkeys(str(comparison.design.test) for comparison in comparisons))
    settings: dict[str, object] = {"test": tests, **design.settings}
    if compared.powers is not None:
        policy = compared.powers.asked
        named = {"equivalence": policy.equivalence, "detect": policy.difference}
        settings |= {name: f"{value:g}" for name, value in named.items() if value is not None}
    signed = signature_of(gold, compared.subjects, design.policies, ranks=ranks)
    return "|".join([signed, *(f"{key}:{value}" for key, value in settings.items())])
