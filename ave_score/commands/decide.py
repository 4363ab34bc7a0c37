"""`ave-score decide`: convert verifier scores to a run."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ave_score.commands.options import FILE, TableOptions, argument, command, option
from ave_score.commands.output_files import check_output_paths, write_whole_files
from ave_score.errors import InputError, UsageError, error_text

if TYPE_CHECKING:
    from ave_score.deciding import DecisionPolicy
    from ave_score.files.log import Choice
    from ave_score.files.scores import VerifierScores


class DecideOptions(TableOptions):
    """The arguments and options of one call."""

    scores: str = argument(metavar="SCORES", type=FILE)
    threshold: float | None = option(
        type=float,
        metavar="T",
        help="Accept answers with a score of at least T.",
    )
    top_k: int | None = option(
        type=click.IntRange(1),
        metavar="K",
        help="Accept at most K answers per question. Default: 1; no limit with --threshold.",
    )
    ties: str = option(
        type=click.Choice(["first", "last", "none", "random"]),
        default="first",
        show_default=True,
        help="Which of several answers with the same score is preferred: by file order, none, or "
        "random.",
    )
    seed: int = option(
        type=int, default=0, show_default=True, metavar="N", help="Random seed of --ties random."
    )
    correct_scorer: str | None = option(
        metavar="NAME",
        help="The scorer of a log that says whether an answer is correct. Default: the one that "
        "gives letters.",
    )
    score_scorer: tuple[str, ...] = option(
        metavar="NAME,...",
        multiple=True,
        help="The scorers of a log whose numbers rank the answers. Default: all others.",
    )
    filter: str | None = option(
        metavar="NAME", help="The filter of lm-evaluation-harness, if SCORES has several."
    )
    collection: str | None = option(
        metavar="FILE",
        type=FILE,
        help="The collection that the run must cover; sets the order of its lines.",
    )
    output: str = option(
        "-o",
        default="-",
        metavar="FILE",
        type=FILE,
        help="Write to FILE, not stdout; with several verifiers, a folder for VERIFIER.txt each.",
    )
    write_collection: str | None = option(
        metavar="FILE",
        type=FILE,
        help="Also write the answers as a collection, with labels from the column correct or a "
        "scorer.",
    )

    @property
    def policy(self) -> DecisionPolicy:
        """Which answers are accepted; raises `UsageError` for an invalid policy."""
        from ave_score.deciding import DecisionPolicy, check_policy

        policy = DecisionPolicy(self.threshold, self.top_k, self.ties, self.seed)
        check_policy(policy)
        return policy

    @property
    def choice(self) -> Choice:
        """Which scorers and which filter of a log are used."""
        from ave_score.files.log import Choice

        named = (name.strip() for names in self.score_scorer for name in names.split(","))
        return Choice(self.correct_scorer, tuple(named), self.filter)


@command("decide", DecideOptions)
def decide_command(options: DecideOptions) -> int:
    """Convert the SCORES that a verifier assigned to answers to a run.

    SCORES is JSON Lines with the keys q_id, score and optionally a_id, correct, question and
    answer; a table (TSV or CSV) with these columns; or lines `q_id a_id score`. The best accepted
    answer of a question is SELECTED, other accepted answers are VALIDATED, and the rest are
    REJECTED. Scores are written unchanged as confidences.

    SCORES may also be nested samples, a log of Inspect AI (.json, .eval) or the samples of
    lm-evaluation-harness.

    Exit codes: 0 success, 1 a file has errors and nothing was written, 2 could not run.
    """
    from ave_score.commands.input_files import InputFiles
    from ave_score.deciding import decide, scored_table
    from ave_score.files.collection_writer import xml_lines
    from ave_score.files.gold import check_test_collection
    from ave_score.files.scores import check_verifiers
    from ave_score.files.tabular import Lost

    policy, source = options.policy, options.source(options.scores)
    read = [options.scores, *filter(None, [options.collection])]
    collections = {"--write-collection": options.write_collection}
    check_output_paths(read, {"--output": options.output} | collections)
    inputs, collection = InputFiles(options.naming), None
    if options.collection is not None:
        collection = inputs.take(check_test_collection, options.source(options.collection))
    # check the scores even if the collection is invalid
    with_texts = options.write_collection is not None
    given = source, collection, options.choice
    scores = inputs.take(check_verifiers, *given, with_texts=with_texts)
    if scores is None or inputs.refused:
        raise inputs.refuse("nothing written")
    if with_texts and not scores[0].has_correct:
        raise UsageError(
            f"{scores[0].path} has no field correct, which --write-collection needs; in a log, "
            "--correct-scorer may name a scorer instead"
        )
    paths = _paths(options.output, scores)
    check_output_paths(read, {f"--output ({path})": path for path in paths} | collections)
    if len(paths) > 1:
        _create_folder(options.output)
    decided = [decide(verifier, policy) for verifier in scores]
    contents = {path: made.lines() for path, made in zip(paths, decided, strict=True)}
    if options.write_collection is not None:
        contents[options.write_collection] = xml_lines(scored_table(scores[0]), Lost())
    write_whole_files(contents)
    inputs.show()
    for made in decided:
        click.echo(f"{made.run.name}: " * (len(decided) > 1) + made.summary(), err=True)
    return 0


def _paths(output: str, scores: Sequence[VerifierScores]) -> list[str]:
    """Return the path of each run: `output`, or files in this folder."""
    if len(scores) == 1:
        return [output]
    names = [_file_name(verifier.name) for verifier in scores]
    listed = ", ".join(verifier.name for verifier in scores)
    asked = f"{scores[0].path} has the scores of {len(scores)} verifiers: {listed}; choose one"
    if output == "-":
        raise UsageError(
            f"{asked} with --score-scorer, or name a folder for all runs with --output"
        )
    if len({*names}) < len(names):
        raise UsageError(f"{asked} at a time with --score-scorer: their files have the same name")
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
