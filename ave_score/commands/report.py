"""`ave-score report`: one page about runs that people share."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from ave_score.commands.compare import CompareOptions, check_correction
from ave_score.commands.declared import command, option
from ave_score.commands.help import Section
from ave_score.commands.options import (
    digits,
    measures,
    parts,
    policies,
    selection,
)
from ave_score.commands.progress import bar_of, progress
from ave_score.commands.score_options import ScoredOptions
from ave_score.commands.types import MEASURES, completion
from ave_score.core.entrants import Entrants
from ave_score.core.errors import InputError, UsageError
from ave_score.core.kinds import FileKind
from ave_score.core.writing import whole_file
from ave_score.pages.audience import ORGANISERS, Audience, Shared, check_team

if TYPE_CHECKING:
    from ave_score.commands.input_files import RunFiles
    from ave_score.core.policies import Policies
    from ave_score.inference.compare_records import Correction, Design, Test
    from ave_score.pages.results import FileFindings, Results
    from ave_score.rules import Told


class ReportOptions(ScoredOptions):
    """The arguments and options of one call: some of `ave-score score`, and more."""

    digits: int | None = digits("2")
    format = ""
    told: Told = selection()
    audience: str = option(
        Section.CONTENT,
        "Readers of the page. TEAM is a team of --teams, or a folder of its runs: these are "
        "shown in full, those of others are anonymous.",
        metavar="organisers|public|TEAM",
        shell_complete=completion(lambda: ["organisers", "public"]),
        default="organisers",
    )
    share: str | None = option(
        Section.CONTENT,
        "What readers other than the organisers may see: scores; also outcomes and curves; or "
        "everything, with gold labels and texts.",
        [shared.name.lower() for shared in Shared],
        show_default="scores",
    )
    title: str | None = option(
        Section.CONTENT,
        "Title of the page.",
        metavar="TEXT",
        show_default="the file name of COLLECTION",
    )
    measures: str | None = measures(
        "Measures or groups, e.g. f1,ave2008: see `ave-score measures`. A table is ranked by its "
        "first.",
        default="ave2007; respubliqa for QA systems only",
    )
    policies: Policies = policies(defaults={"ci": 95}, ci="Level of confidence intervals.")
    breakdown: str | None = parts(
        Section.CONTENT,
        "Also show the scores of each group of questions (a type, a topic)",
        "group",
    )
    compare: str | None = option(
        Section.COUNTING,
        "Measures by which the runs are compared.",
        metavar="LIST",
        shell_complete=MEASURES,
        show_default="the first of each table",
    )
    against: str | None = CompareOptions.against
    test: Test | None = CompareOptions.test
    correction: Correction | None = CompareOptions.correction

    def design(self, policies: Policies) -> Design | None:
        """Return how the runs are compared; None if nothing is said about it."""
        from ave_score.pages.report import default_design

        if not self.given("test", "against", "correction"):
            return None
        return default_design(policies)._replace(
            test=self.test,
            against=self.against,
            correction=self.correction or "holm",
        )

    def check(self) -> None:
        """Raise `UsageError` for invalid options, before any file is read."""
        from ave_score.measures import parse_measures

        super().check()
        if self.output == "-" and sys.stdout.isatty():
            raise UsageError("a page is not for terminals: give -o report.html")
        design = self.design(self.policies)
        if design is not None:
            design.check()
            check_correction(design, self.correction)
        if self.compare is not None:
            parse_measures(self.compare)
        if self.audience == "organisers" and self.share is not None:
            raise UsageError("--share is what others may see: give --audience public or a team")
        if (
            self.readers.team is not None
            and self.teams is None
            and not any(map(os.path.isdir, self.runs))
        ):
            raise UsageError(
                f"--audience {self.audience}: organisers, public, or a team of --teams, which is "
                "not given"
            )

    @property
    def readers(self) -> Audience:
        """The readers, of a team that may not exist."""
        if self.audience == "organisers":
            return ORGANISERS
        shared = Shared[(self.share or "scores").upper()]
        return Audience(None if self.audience == "public" else self.audience, shared)


@command(
    "report",
    ReportOptions,
    examples={
        "Write a page for the organisers": ("ave-score report gold.xml runs -o report.html"),
        "Write a page that anybody may read": (
            "ave-score report gold.xml runs --audience public -o page.html"
        ),
        "Compare two models on one page": (
            "ave-score report ada.eval bob.eval --breakdown subject -o page.html"
        ),
    },
    usual="columns missing ties ci against measures breakdown audience title output",
)
def report_command(options: ReportOptions) -> int:
    """Write a page (HTML) about RUNs: scores, intervals, comparisons, questions, findings.

    The page is one file that needs no network. COLLECTION and RUNs, or LOGs, are as in
    `ave-score score`, and runs are compared as by `ave-score compare`.

    Exit codes: 0 success, 1 a file has errors, 2 could not run.
    """
    from ave_score.commands.input_files import RunFiles, ended
    from ave_score.pages.report import Wanted, results_of
    from ave_score.tasks.replicates import replicated

    files = RunFiles(options, with_texts=options.readers.sees_gold)
    with closing(files.subjects):
        subjects = [*replicated(files.subjects, files.replicates)]
    files.check_left([subject.name for subject in subjects])
    inputs, audience = files.inputs, options.readers
    check_team(audience, files.teams, ["organisers", "public"])
    by = None if options.breakdown is None else inputs.clusters(options.breakdown, files.gold)
    design = options.design(files.policies)
    entrants = files.entrants(Entrants)
    wanted = Wanted(files.policies, options.measures, entrants, by, options.compare, design)
    results = results_of(files.gold, subjects, wanted, bar_of("Computing"))
    results = replace(
        results,
        scores=replace(results.scores, not_scored=inputs.not_scored),
        files=_findings(files),
    )
    text = _text_of(results, audience, options)
    with whole_file(options.output) as out:
        out.write(text)
    return ended(inputs)


def _text_of(results: Results, audience: Audience, options: ReportOptions) -> str:
    """Return the page; a bar shows that it is being made."""
    from ave_score.pages.content import page_of

    title, digits = options.title, options.digits
    with progress(["contents", "HTML"], "Making the page", str) as parts:
        part = iter(parts)
        next(part)
        page = page_of(results, audience, title=title, digits=digits)
        next(part)
        return page.to_html()


def _findings(files: RunFiles) -> list[FileFindings]:
    """Return the findings in the files of runs.

    No team sees those of judged files: some depend on gold labels.
    """
    from ave_score.pages.results import FileFindings

    names = {source.path: name for name, source in files.sources.items()}
    of_files = []
    for problem in files.inputs.problems:
        if problem.path not in names:
            continue
        name = names[problem.path]
        team = files.teams.get(name)
        if isinstance(problem, InputError):
            of_files.append(FileFindings(problem.path, name, team, None, problem.reason))
        elif len(problem):
            is_judged = files.inputs.kind_of(files.sources[name]) is FileKind.JUDGED
            of_files.append(FileFindings(problem.path, name, None if is_judged else team, problem))
    return of_files
