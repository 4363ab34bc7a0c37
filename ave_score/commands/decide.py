"""`ave-score decide`: convert verifier scores to a run."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ave_score.commands.declared import (
    argument,
    command,
    file_option,
    flag,
    option,
)
from ave_score.commands.help import Section
from ave_score.commands.input_files import collecting, ended
from ave_score.commands.options import (
    PLOT,
    FileOptions,
    chosen_scores,
    digits,
    log_option,
    selection,
    tables,
)
from ave_score.commands.output_files import check_output_paths, write_report
from ave_score.commands.types import FILE, LEVEL
from ave_score.core.choice import LOG_KEYS, OF_VERIFIERS, Choice
from ave_score.core.errors import InputError, UsageError, error_text
from ave_score.core.policies import IntervalPolicy
from ave_score.core.writing import write_whole_files
from ave_score.files.collection_writer import xml_lines
from ave_score.files.gold import check_test_collection
from ave_score.files.scores import check_verifiers
from ave_score.files.tabular import Lost
from ave_score.reports.formats import of_any_report
from ave_score.tasks.decide import DecisionPolicy, check_policy, decide, scored_table

if TYPE_CHECKING:
    from ave_score.files.naming import Naming
    from ave_score.files.scores import VerifierScores
    from ave_score.rules import Told
    from ave_score.tasks.decide import Decided

_KEYS = {key: LOG_KEYS[key] for key in ("scorer", "filter")} | OF_VERIFIERS
"""The keys of --log that apply."""


class DecideOptions(FileOptions):
    """The arguments and options of one call."""

    scores: str = argument(metavar="SCORES", type=FILE)
    collection: str | None = file_option(
        Section.INPUT, "The collection that the run must cover; sets the order of its lines."
    )
    log: tuple[str, ...] | None = log_option(_KEYS)
    told: Told = selection()
    naming: Naming = tables("q_id=id,score=prm,score=orm", has_scores=True)
    threshold: float | None = option(
        Section.COUNTING, "Accept answers with a score of at least T.", float, metavar="T"
    )
    top_k: int | None = option(
        Section.COUNTING,
        "Accept at most K answers per question.",
        click.IntRange(1),
        metavar="K",
        show_default="1; no limit with --threshold",
    )
    ties: str | None = option(
        Section.COUNTING,
        "Which of several answers with the same score is preferred.",
        ["first", "last", "none", "random"],
        show_default="first; with --curve the mean of random",
    )
    seed: int = option(
        Section.COUNTING,
        "Random seed of --ties random, and of what --curve and --ci sample.",
        int,
        default=0,
    )
    curve: bool = flag(
        Section.CONTENT,
        "Instead, show how accurate the best of n answers is, for n = 1, 2, 4, .. and all; "
        "beside majority votes with --columns answer_key=NAME.",
    )
    ci: float | None = option(
        Section.CONTENT,
        "Add intervals of this level to --curve, usually 95.",
        LEVEL,
        metavar="PERCENT",
    )
    digits: int | None = digits("2; csv is not rounded", " of --curve")
    output: str = file_option(
        Section.OUTPUT,
        "Write to FILE, not stdout; with several verifiers, a folder for VERIFIER.txt each.",
        short="-o",
        default="-",
        show_default=False,
    )
    write_collection: str | None = file_option(
        Section.OUTPUT,
        "Also write the answers as a collection, with labels from the column correct or a scorer.",
    )
    format: str | None = option(
        Section.OUTPUT, "Format of --curve.", of_any_report(), short="-f", show_default="table"
    )
    plot: str | None = PLOT

    def check(self) -> None:
        """Raise `UsageError` for options that conflict, before any file is read."""
        of_curve = self.given("ci", "format", "digits", "plot")
        if of_curve and not self.curve:
            raise UsageError(f"{of_curve[0]} needs --curve")
        self.refuse("curve", "threshold", "top_k", "write_collection")

    @property
    def policy(self) -> DecisionPolicy:
        """Which answers are accepted; raises `UsageError` for an invalid policy."""
        policy = DecisionPolicy(self.threshold, self.top_k, self.ties or "first", self.seed)
        check_policy(policy)
        return policy

    @property
    def choice(self) -> Choice:
        """Which scorers and which filter of a log are used."""
        return chosen_scores(self.log, _KEYS, self.naming)


@command(
    "decide",
    DecideOptions,
    examples={
        "Accept the best answer of each question": "ave-score decide scores.jsonl -o run.txt",
        "Show how accurate the best of n answers is": "ave-score decide scores.jsonl --curve",
    },
    usual="collection log columns threshold top_k curve ci output format plot",
    what="read",
    how="decided",
)
def decide_command(options: DecideOptions) -> int:
    """Convert the SCORES that a verifier assigned to answers to a run.

    SCORES is a table with the columns q_id and score, and optionally a_id, correct, question and
    answer. It may also be lines `q_id a_id score`, nested samples, a log of Inspect AI or the
    samples of lm-evaluation-harness. The best accepted answer of a question is SELECTED, other
    accepted answers are VALIDATED, and the rest are REJECTED. Scores become confidences.

    Exit codes: 0 success, 1 a file has errors and nothing was written, 2 could not run.
    """
    policy, inputs = options.policy, collecting(options)
    collection = None
    if options.collection is not None:
        collection = inputs.take(check_test_collection, inputs.source(options.collection))
    # check the scores even if the collection is invalid
    scores = inputs.take(
        check_verifiers,
        inputs.source(options.scores),
        collection,
        options.choice,
        with_texts=options.write_collection is not None,
        with_keys=options.curve,
    )
    if scores is None or inputs.refused:
        raise inputs.refusal("nothing written")
    if options.curve:
        _show_curve(options, scores)
        return ended(inputs)
    decided = _write_runs(options, scores, policy)
    ended(inputs)
    for made in decided:
        click.echo(f"{made.run.name}: " * (len(decided) > 1) + made.summary(), err=True)
    return 0


def _write_runs(
    options: DecideOptions, scores: Sequence[VerifierScores], policy: DecisionPolicy
) -> list[Decided]:
    """Write a run for each verifier, and the collection if it is wanted."""
    if options.write_collection is not None and not scores[0].has_correct:
        raise UsageError(
            f"{scores[0].path} has no field correct, which --write-collection needs; in a log, "
            "--log scorer=NAME may name a scorer instead"
        )
    paths = _paths(options.output, scores)
    outputs = {f"--output ({path})": path for path in paths}
    check_output_paths(options.read, outputs | options.written | {"--output": None})
    if len(paths) > 1:
        _create_folder(options.output)
    decided = [decide(verifier, policy) for verifier in scores]
    contents = {path: made.lines() for path, made in zip(paths, decided, strict=True)}
    if options.write_collection is not None:
        contents[options.write_collection] = xml_lines(scored_table(scores[0]), Lost())
    write_whole_files(contents)
    return decided


def _show_curve(options: DecideOptions, scores: Sequence[VerifierScores]) -> None:
    """Write the report and the figure of --curve."""
    from ave_score.reports.best_of_n import best_of_n_report
    from ave_score.tasks.best_of_n import MEAN, best_of_n

    policy = None if options.ci is None else IntervalPolicy(options.ci, seed=options.seed)
    curves = best_of_n(scores, ties=options.ties or MEAN, intervals=policy, seed=options.seed)
    report = best_of_n_report(curves, options.digits)
    write_report(report, options.format or "table", options.output, options.plot, curves.plot)


def _paths(output: str, scores: Sequence[VerifierScores]) -> list[str]:
    """Return the path of each run: `output`, or files in this folder."""
    if len(scores) == 1:
        return [output]
    names = [_file_name(verifier.name) for verifier in scores]
    listed = ", ".join(verifier.name for verifier in scores)
    message = f"{scores[0].path} has the scores of {len(scores)} verifiers: {listed}; choose one"
    if output == "-":
        raise UsageError(
            f"{message} with --log score=NAME, or name a folder for all runs with --output"
        )
    if len({*names}) < len(names):
        raise UsageError(
            f"{message} at a time with --log score=NAME: their files have the same name"
        )
    return [os.path.join(output, name) for name in names]


def _create_folder(path: str) -> None:
    """Create the folder for the runs of several verifiers."""
    try:
        os.makedirs(path, exist_ok=True)
    except FileExistsError:
        reason = "cannot be created: a file has this name, and several runs need a folder"
        raise InputError(path, reason) from None
    except OSError as error:
        raise InputError(path, f"cannot be created: {error_text(error)}") from error


def _file_name(verifier: str) -> str:
    """Return a file name for the run of a verifier, whose name is any text."""
    return re.sub(r"[^\w.-]|^[.-]", "_", verifier)[:100] + ".txt"
