"""`ave-score report`: one page about runs that people share."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import click

from ave_score.commands.compare import CompareOptions
from ave_score.commands.options import command, option, policies
from ave_score.commands.output_files import check_output_paths, whole_file
from ave_score.commands.progress import progress
from ave_score.commands.score import ScoreJob, ScoreOptions, files_read
from ave_score.errors import InputError, UsageError
from ave_score.pages.audience import ORGANISERS, Audience, Shared
from ave_score.text import did_you_mean, nearest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ave_score.commands.input_files import InputFiles
    from ave_score.comparing import Compared
    from ave_score.files.source import Source
    from ave_score.inference.compared import Design
    from ave_score.inference.units import Gold, Subject
    from ave_score.pages.results import FileFindings, Results
    from ave_score.policies import Policies
    from ave_score.scoring import Scores

SHARES = {
    "scores": Shared.SCORES,
    "outcomes": Shared.OUTCOMES,
    "everything": Shared.EVERYTHING,
}
"""The choices of --share."""


class ReportOptions(ScoreOptions):
    """The arguments and options of one call: those of `ave-score score`, and more."""

    command_name = "report"

    policies: Policies = policies(defaults={"ci": 95}, intervals="Level of confidence intervals.")
    breakdown: str | None = option(
        metavar="FILE|ATTRIBUTE",
        help="Also show the scores of each group of questions (a type, a topic): a table of q_id "
        "and group (TSV), or an attribute of questions in COLLECTION.",
    )
    compare: str | None = option(
        metavar="LIST",
        help="Measures by which the runs are compared. Default: those of ave-score compare.",
    )
    test: str | None = CompareOptions.test
    baseline: str | None = CompareOptions.baseline
    correction: str | None = CompareOptions.correction
    family: str = CompareOptions.family
    audience: str = option(
        metavar="organisers|public|TEAM",
        default="organisers",
        show_default=True,
        help="Readers of the page. TEAM is a group of --groups: its own runs are shown in full, "
        "those of others are anonymous.",
    )
    share: str | None = option(
        type=click.Choice([*SHARES]),
        help="What readers other than the organisers may see: scores; also outcomes of questions, "
        "curves and scores of groups of questions; or everything, with gold labels and texts. "
        "Default: scores.",
    )
    title: str | None = option(
        metavar="TEXT", help="Title of the page. Default: the file name of COLLECTION."
    )

    format: str = "table"
    sweep: str | None = None
    per_question: str | None = None
    plot: str | None = None
    figure: str | None = None
    plot_width: float | None = None
    engine: str | None = None

    @property
    def design(self) -> Design:
        """How the runs are compared."""
        from ave_score.inference.compared import Design
        from ave_score.inference.resampling import Resampling

        intervals = self.policies.intervals
        assert intervals is not None  # --ci has a default
        resampling = Resampling(intervals.resamples, intervals.seed)
        level = round(intervals.level / 100, 12)
        correction = self.correction or "holm"
        made = Design(self.test, resampling, level, correction, self.baseline, self.policies)
        return made._replace(family=self.family)

    def check(self) -> None:
        """Raise `UsageError` for invalid options, before any file is read."""
        from ave_score.measures import parse_measures

        super().check()
        self.design.check()
        if self.compare is not None and not parse_measures(self.compare):
            raise UsageError("no measure to compare by")
        if self.audience == "organisers" and self.share is not None:
            raise UsageError("--share is what others may see: give --audience public or a team")
        if self.audience not in ("organisers", "public") and self.groups is None:
            raise UsageError(
                f"--audience {self.audience}: organisers, public, or a team of --groups, which is "
                "not given"
            )

    def _check_breakdown(self) -> None:
        """Allow --breakdown with other options: its table stands beside others."""

    def readers(self, groups: Mapping[str, str]) -> Audience:
        """Return the readers; raises `UsageError` for a team that is not in the groups."""
        if self.audience == "organisers":
            return ORGANISERS
        shared = SHARES[self.share or "scores"]
        if self.audience == "public":
            return Audience(None, shared)
        teams = sorted({*groups.values()})
        if self.audience not in teams:
            hint = did_you_mean(nearest(self.audience, ["organisers", "public", *teams]))
            raise UsageError(f"--audience: {self.groups} has no group {self.audience!r}{hint}")
        return Audience(self.audience, shared)


@command("report", ReportOptions)
def report_command(options: ReportOptions) -> int:
    """Write a page (HTML) about RUNs: scores, intervals, comparisons, questions, findings.

    The page is one file that needs no network. COLLECTION and RUNs are as in `ave-score score`;
    runs are compared as `ave-score compare` does. Needs ave-score[page].

    Exit codes: 0 success, 1 a file has errors, 2 could not run.
    """
    from ave_score.commands.input_files import kind_of
    from ave_score.kinds import FileKind
    from ave_score.pages.content import page_of
    from ave_score.pages.render import check_installed

    options.check()
    check_installed()
    runs = options.named(options.runs)
    read = files_read(options, [name for _, name in runs])
    check_output_paths(read, {"--output": options.output})
    gold = options.source(options.collection)
    is_open = kind_of(gold) is FileKind.ANSWER_SETS
    inputs, results, audience = (_of_responses if is_open else _of_runs)(gold, runs, options)
    page = page_of(results, audience, title=options.title, digits=options.digits, sort=options.sort)
    text = page.to_html()
    with whole_file(options.output) as out:
        out.write(text)
    inputs.show()
    return 1 if inputs.refused else 0


_Read = tuple["InputFiles", "Results", Audience]


def _of_runs(gold: Source, runs: Sequence[tuple[Source, str]], options: ReportOptions) -> _Read:
    """Read runs and QA systems; score and compare them."""
    from ave_score.commands.input_files import note_unused_groups
    from ave_score.scoring import score
    from ave_score.subjects import RUN_MEASURES, SYSTEM_MEASURES, kinds_of

    sees_texts = options.audience == "organisers" or options.share == "everything"
    job = ScoreJob(options, gold, runs, with_texts=sees_texts)
    audience = options.readers(job.groups)
    thresholds = job.thresholds()
    with job.runs() as read:
        subjects: list[Subject] = [*(map(thresholds.apply, read) if thresholds else read)]
    job.check_found(len(subjects))
    systems = kinds_of(subjects, job.collection) == ["systems"]
    scores = score(
        job.collection,
        subjects,
        policies=job.policies,
        measures=options.chosen_measures(SYSTEM_MEASURES if systems else RUN_MEASURES),
        groups=job.groups,
    )
    note_unused_groups(job.groups, [*(subject.name for subject in subjects), *job.names])
    results = _results(options, job.inputs, job.collection, subjects, scores, job.groups)
    found = None if thresholds is None else thresholds.found()
    return job.inputs, replace(results, thresholds=found), audience


def _of_responses(
    gold: Source, runs: Sequence[tuple[Source, str]], options: ReportOptions
) -> _Read:
    """Read answer sets and responses; score and compare these."""
    from ave_score.commands.input_files import InputFiles, with_clusters
    from ave_score.commands.responses import check_options, read_response_files
    from ave_score.counts import response_families
    from ave_score.measures import parse_measures
    from ave_score.scoring import score_responses
    from ave_score.subjects import response_measures

    check_options(options)
    inputs = InputFiles(options.naming)
    answer_sets, subjects = read_response_files(inputs, gold, runs, options.keep_going)
    names = response_measures(answer_sets) if options.measures is None else options.measures
    groups = inputs.groups(options.groups)
    audience = options.readers(groups)
    clusters = inputs.clusters(options.cluster, answer_sets)
    scores = score_responses(
        answer_sets,
        subjects,
        measures=parse_measures(names, response_families()),
        groups=groups,
        intervals=with_clusters(options.policies, clusters).intervals,
    )
    return inputs, _results(options, inputs, answer_sets, subjects, scores, groups), audience


def _results(
    options: ReportOptions,
    inputs: InputFiles,
    gold: Gold,
    subjects: Sequence[Subject],
    scores: Scores,
    groups: Mapping[str, str],
) -> Results:
    """Return the results with the comparison, the breakdown and the findings."""
    from ave_score.breakdown import break_down
    from ave_score.pages.results import Results
    from ave_score.subjects import subjects_of

    breakdowns = []
    if options.breakdown is not None:
        by = inputs.clusters(options.breakdown, gold)
        assert by is not None
        given, policies = scores.measures, scores.policies
        breakdowns = [break_down(gold, subjects, by, measures=given, policies=policies)]
    compared, why_not = _compared(options, gold, subjects, scores, groups)
    return Results(
        replace(scores, left_out=inputs.left_out),
        gold,
        [*subjects_of(gold, (), subjects, scores.policies)],
        compared,
        why_not,
        breakdowns,
        files=_files(options, inputs, groups),
    )


def _compared(
    options: ReportOptions,
    gold: Gold,
    subjects: Sequence[Subject],
    scores: Scores,
    groups: Mapping[str, str],
) -> tuple[Compared | None, str]:
    """Return the comparison of the runs, or why there is none.

    QA systems beside two or more runs are not compared.
    """
    from ave_score.bulk import processes
    from ave_score.comparing import compare
    from ave_score.model import Run

    runs = [subject for subject in subjects if isinstance(subject, Run)]
    asked = options.given("compare", "test", "baseline", "correction")
    some = runs if len(runs) > 1 and options.baseline not in _others(subjects) else subjects
    if len(some) < 2:
        if asked:
            raise UsageError(f"{asked[0]} needs two or more runs")
        return None, "A single run is not compared."
    intervals = scores.policies.intervals
    try:
        found = compare(
            gold,
            some,
            groups=groups,
            measures=options.compare,
            design=options.design._replace(clusters=intervals and intervals.clusters),
            watch=partial(progress, label="Comparing", name=lambda _: ""),
            jobs=processes(options.jobs),
        )
    except UsageError as error:
        if asked:
            raise
        return None, f"The runs are not compared: {error}."
    return found, ""


def _others(subjects: Sequence[Subject]) -> list[str]:
    """Return the names of QA systems."""
    from ave_score.model import QARun

    return [subject.name for subject in subjects if isinstance(subject, QARun)]


def _files(
    options: ReportOptions, inputs: InputFiles, groups: Mapping[str, str]
) -> list[FileFindings]:
    """Return the findings in the files of runs; those of other files concern no team."""
    from ave_score.pages.results import FileFindings

    names = {source.path: name for source, name in options.named(options.runs)}
    files = []
    for problem in inputs.problems:
        name = names.get(problem.path)
        if name is None:
            continue
        group = groups.get(name)
        if isinstance(problem, InputError):
            files.append(FileFindings(problem.path, name, group, None, problem.reason))
        elif len(problem):
            files.append(FileFindings(problem.path, name, group, problem))
    return files
