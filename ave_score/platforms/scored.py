"""Score a submission on a platform: the one run that it holds, its scores, and the team's page.

Whoever submitted it reads what is said, so nothing of that depends on gold labels, but for what a
team may see. A platform posts the scores of a program that ends well: whatever is wrong with a
submission raises `SubmissionError`, and no number is left behind.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import NamedTuple, Unpack, cast

from ave_score.campaigns.plan import make_plan
from ave_score.core.entrants import TableWords
from ave_score.core.errors import AveScoreError, DefectError, InputError
from ave_score.core.findings import Findings
from ave_score.core.kinds import KINDS, FileKind
from ave_score.core.model import Collection, Label, Run
from ave_score.core.policies import Policies, settled_gold
from ave_score.core.text import brief, quantity, text_of_name, visible
from ave_score.core.writing import write_whole_files
from ave_score.files.folders import is_left_behind, is_regular, unfolded, walk
from ave_score.files.source import Source
from ave_score.inference.units import Gold, Subject
from ave_score.pages.audience import Audience, Shared
from ave_score.pages.content import Page, page_of
from ave_score.pages.report import Wanted, results_of
from ave_score.pages.results import FileFindings
from ave_score.reports.findings.concise import finding_line, help_lines
from ave_score.reports.findings.report import list_findings
from ave_score.reports.scores_text import Numbers, numbers
from ave_score.tasks.given import FileGiven, GoldGiven
from ave_score.tasks.inputs import Inputs
from ave_score.tasks.subjects import MeasuresGiven

CAMPAIGN = "campaign.toml"
"""The name of the campaign file, of one task, beside its collection."""

NAME = "submission"
"""The name of the run and of its team: pages and scores do not depend on names of files."""

_OF_PLATFORMS = ("metadata", "metadata.yaml")
"""Names of files that platforms put beside a submission."""

_ONE_RUN = "submit one run, alone or in a zip file"


_OPTION = re.compile(r";[^;(]*--[^;(]*?(?=;| \(|$)")
"""A clause of a finding that names an option; submissions have none."""

_WITH_OPTION = re.compile(r"(?:; |, or |, e\.g\. )[^;]*?--.*")
"""The end of a help from a clause on that names an option; submissions have none."""


class SubmissionError(AveScoreError):
    """A submission cannot be scored; the message says why, in words for whoever submitted it."""


class Scored(NamedTuple):
    """A scored submission.

    Attributes
    ----------
    scores
        The values of measures, without those that are undefined, as `score -f scores` writes them.
    page
        The page of the team.
    told
        What was found in the run that does not prevent scoring, as lines.
    """

    scores: Numbers
    page: Page
    told: list[str]


def scored(
    collection: GoldGiven,
    submission: FileGiven,
    *,
    key: FileGiven | None = None,
    policies: Policies | None = None,
    measures: MeasuresGiven | None = None,
    shared: Shared = Shared.SCORES,
    title: str | None = None,
    **words: Unpack[TableWords],
) -> Scored:
    """Score the run of a submission.

    Parameters
    ----------
    collection, key
        The collection, or the answer sets, and the labels of a collection without labels.
    submission
        A file, or the folder that a submitted archive was unpacked to, with one run at any depth.
    policies, measures
        As `score` takes them.
    shared
        What teams may see.
    title
        The title of the page; by default the file name of the collection.
    **words
        The names of columns, and the meaning of words, in files.

    Returns
    -------
    Scored
        The scores, and the page of the team.

    Raises
    ------
    SubmissionError
        There is not one run, or it has errors.
    AveScoreError
        The collection or a setting cannot be used: it is the organiser who has to know.
    """
    inputs = Inputs(
        policies, collects=True, entrants=words
    )  # what is found in labels is told to nobody
    gold, _ = inputs.gold(collection, key, with_texts=shared is Shared.EVERYTHING)
    gold = settled_gold(gold, inputs.policies.unknown)
    path, shown = _the_run(submission)
    source = inputs.source(path, NAME)
    subject, findings = _checked(source, shown, gold, inputs.policies)
    lines = map(finding_line, list_findings(findings, 1))
    told = [_OPTION.sub("", line) for line in lines]
    if subject is None:
        helped = (_WITH_OPTION.sub(".", line) for line in help_lines([findings]))
        raise SubmissionError("\n".join([*told, *helped]))
    wanted = Wanted(inputs.policies._replace(intervals=None), measures, {"teams": {NAME: NAME}})
    results = results_of(gold, [subject], wanted)
    files = [FileFindings(shown, NAME, NAME, findings)] if told else []
    page = page_of(replace(results, files=files), Audience(NAME, shared), title=title)
    (row,) = [row for row in results.scores.rows if row.run == NAME]
    return Scored(numbers(row.values), page, told)


def scored_in(reference: Path, submission: Path) -> Scored:
    """Score a submission as the campaign file in a folder says; raises as `scored`."""
    plan, findings = make_plan(Source(reference / CAMPAIGN))
    if plan is None:
        raise DefectError(findings)
    (task,) = plan.tasks
    return scored(
        task.collection,
        submission,
        key=task.key,
        policies=task.policies,
        measures=task.measures or None,
        shared=Shared(plan.share),
        title=f"{plan.title}: {task.title}",
        **cast("TableWords", task.reading),
    )


def program(score: Callable[[], Scored], files: Callable[[Scored], Mapping[Path, str]]) -> int:
    """Score a submission, and write files of its scores, all or none.

    Says on stderr what was found in the run. Returns the exit code: 1 if there are no scores.
    """
    written: dict[str, list[str]] = {}
    try:
        result = score()
        written = {str(path): [text] for path, text in files(result).items()}
        told, code = result.told, 0
    except Exception as error:
        told, code = [why_not(error)], 1
    try:
        write_whole_files(written)
    except AveScoreError as error:
        told, code = [f"{error.for_commands}: tell the organisers."], 1
    sys.stderr.write("".join(f"{line}\n" for line in told))
    return code


def exit_code(main: Callable[..., int]) -> int:
    """Run a program on its command line; return its exit code, 2 for a wrong number of words.

    `--help`, alone, prints what it takes.
    """
    command, takes = sys.argv[1:], signature(main)
    is_asked = command in (["--help"], ["-h"])
    try:
        takes.bind(*command)
        fits = not is_asked
    except TypeError:
        fits = False
    if fits:
        return main(*command)
    words = (
        name.upper() if parameter.default is parameter.empty else f"[{name.upper()}]"
        for name, parameter in takes.parameters.items()
    )
    module = sys.modules["__main__"].__spec__
    name = sys.argv[0] if module is None else f"-m {module.name}"
    stream, code = (sys.stdout, 0) if is_asked else (sys.stderr, 2)
    stream.write(f"Usage: python3 {name} {' '.join(words)}\n")
    return code


def why_not(error: Exception) -> str:
    """Say to whoever submitted a run why it has no scores."""
    if isinstance(error, SubmissionError):
        return f"Not scored:\n{error.for_commands}"
    return f"The scoring failed ({type(error).__name__}): tell the organisers."  # may quote labels


def _the_run(submission: FileGiven) -> tuple[FileGiven, str]:
    """Return the only file of a submission, and its name; links are never followed."""
    if not isinstance(submission, str | os.PathLike):
        return submission, NAME
    folder = Path(submission)
    if not folder.is_dir():
        return submission, text_of_name(folder.name)
    path = str(folder)
    try:
        files = [file for file in unfolded([path]).paths if file != path]
    except InputError as error:
        raise SubmissionError(f"the submission {error.reason}") from None
    files = files or [file for file in sorted(walk(path)) if _may_be_run(Path(file))]
    names = [text_of_name(str(Path(file).relative_to(folder))) for file in files]
    if not files:
        raise SubmissionError(f"the submission has no run: {_ONE_RUN}")
    if len(files) > 1:
        found = f"{quantity(len(files), 'file')} ({brief(names)})"
        raise SubmissionError(visible(f"the submission has {found}: {_ONE_RUN}"))
    return files[0], names[0]


def _may_be_run(path: Path) -> bool:
    """Tell whether a file without a known suffix may be a run."""
    is_file = is_regular(str(path)) and not path.is_symlink()
    return is_file and not is_left_behind(str(path)) and path.name not in _OF_PLATFORMS


def _checked(
    source: Source, shown: str, gold: Gold, policies: Policies
) -> tuple[Subject | None, Findings]:
    """Return a run, None if it has errors, and findings, none of which depends on gold labels."""
    inputs = Inputs(policies, collects=True)
    kind = inputs.kind_of(source)
    if kind is FileKind.JUDGED:  # nobody judges answers of their own
        raise SubmissionError(visible(f"{shown} is {KINDS[kind].called}: {_ONE_RUN}"))
    blind = gold
    if isinstance(gold, Collection):
        blind = replace(gold, labels=bytes([Label.NONE]) * len(gold.labels))
    subject = next(inputs.runs({NAME: source}, blind), None)
    if inputs.unreadable:
        raise SubmissionError(visible(f"{shown}: {inputs.unreadable[0].reason}"))
    findings = inputs.told[0].with_path(shown)
    if subject is not None and not isinstance(subject, Run):  # what is right is read with labels
        subject = next(Inputs(policies, collects=True).runs({NAME: source}, gold), None)
        if subject is None:
            raise SubmissionError("the run cannot be scored; the organisers can find out why")
    return subject, findings
