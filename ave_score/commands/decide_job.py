"""What `ave-score decide` does: read scores, decide, write all files or none."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from typing import NamedTuple

import click

from ave_score.commands.files import check_written, whole_file
from ave_score.commands.intake import Intake
from ave_score.deciding import DecisionPolicy, check_policy, decide, scored_questions
from ave_score.errors import UsageError
from ave_score.files.collection_writer import Head, collection_lines
from ave_score.files.gold import check_test_collection
from ave_score.files.scores import check_names, check_scores
from ave_score.files.source import Source


class Options(NamedTuple):
    """The options of one call, as given."""

    threshold: float | None
    top_k: int | None
    ties: str
    seed: int
    columns: str | None
    collection: str | None
    output: str
    write_collection: str | None


def decide_file(path: str, options: Options) -> int:
    """Write the run that the scores of a file make; return the exit code."""
    policy = DecisionPolicy(options.threshold, options.top_k, options.ties, options.seed)
    check_policy(policy)
    names = _names(options.columns)
    written = {"--output": options.output, "--write-collection": options.write_collection}
    check_written([path, *filter(None, [options.collection])], written)
    intake, collection = Intake(), None
    if options.collection is not None:
        collection = intake.take(check_test_collection, Source(options.collection))
    # scores without the collection that they are about may still have findings of their own
    with_texts = options.write_collection is not None
    scores = intake.take(check_scores, Source(path), collection, names, with_texts=with_texts)
    if scores is None or intake.refused:
        raise intake.refuse("nothing written")
    if options.write_collection is not None and not scores.has_correct:
        raise UsageError(f"{scores.path} does not say what is correct: no collection without it")
    decided = decide(scores, policy)
    contents: dict[str, Iterable[str]] = {options.output: decided.lines()}
    if options.write_collection is not None:
        head = Head("", "", len(scores.roster))
        contents[options.write_collection] = collection_lines(scored_questions(scores), head)
    _write(contents)
    intake.show()
    click.echo(decided.summary(), err=True)
    return 0


def _names(columns: str | None) -> dict[str, str]:
    """Return field -> what the file calls it."""
    names: dict[str, str] = {}
    for part in [] if columns is None else columns.split(","):
        field, separator, name = (piece.strip() for piece in part.partition("="))
        if not separator or not field or not name:
            raise UsageError(f"--columns: found {part!r}, expected such as q_id=problem")
        if field in names:
            raise UsageError(f"--columns names {field} twice")
        names[field] = name
    check_names(names)
    return names


def _write(contents: dict[str, Iterable[str]]) -> None:
    """Write all files or none, standard output last."""
    with ExitStack() as open_files:
        for path in sorted(contents, key=lambda path: path == "-"):
            out = open_files.enter_context(whole_file(path))
            out.writelines(contents[path])
            out.flush()
