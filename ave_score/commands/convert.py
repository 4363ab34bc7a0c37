"""`ave-score convert`: write a file in another notation."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ave_score.commands.declared import argument, command, option
from ave_score.commands.help import Section
from ave_score.commands.input_files import collecting, ended
from ave_score.commands.options import KEY, OUTPUT, FileOptions, policies
from ave_score.commands.output_files import say
from ave_score.commands.types import FILE
from ave_score.core.errors import UsageError
from ave_score.core.kinds import KINDS, FileKind
from ave_score.core.text import visible
from ave_score.files.writers import notation_of
from ave_score.tasks.convert import converted

if TYPE_CHECKING:
    from ave_score.core.policies import Policies

_KINDS = [kind.value for kind in FileKind if KINDS[kind].is_convertible]
_TO = ("lines", "csv", "tsv", "jsonl", "parquet", "xml", "trec", "json")


class ConvertOptions(FileOptions):
    """The arguments and options of one call."""

    file: str = argument(metavar="FILE", type=FILE)
    kind: str | None = option(
        Section.INPUT,
        "The kind of FILE.",
        _KINDS,
        show_default="by its content; a key needs --kind key",
    )
    key: str | None = KEY
    policies: Policies = policies("letters", "logs")
    to: str | None = option(
        Section.OUTPUT, "The notation.", _TO, show_default="by the suffix of --output"
    )
    output: str = OUTPUT


@command(
    "convert",
    ConvertOptions,
    examples={
        "Write a collection as a table": "ave-score convert gold.xml -o gold.csv",
        "Write a run as JSON Lines": "ave-score convert run.txt -o run.jsonl",
    },
    usual="kind key columns values log to output",
    what="converted",
    how="read",
)
def convert_command(options: ConvertOptions) -> int:
    """Write FILE in another notation.

    Runs, keys, scores and collections may become lines, and any file a table: CSV, TSV, JSON Lines
    (jsonl) or Parquet; a log becomes a table of judged answers. Collections may also become XML;
    their lines are the key. As trec, collections become qrels, and runs and scores TREC runs; as
    json, documents `{q_id: {a_id: score}}`, or `{id: value}` of pairs. The output is compressed if
    its name ends with .gz or .xz. What the notation cannot hold is listed on stderr; nothing else
    is lost.

    Exit codes: 0 success, 1 a file has errors and nothing was written, 2 could not run.
    """
    notation = options.to or notation_of(options.output)
    check_terminal(notation, options.output)
    inputs = collecting(options, options.policies)
    lost = converted(inputs, options.file, options.output, notation, options.kind, options.key)
    ended(inputs)
    say(f"lost: {visible(what)} ({times:,})" for what, times in lost.items() if times)
    return 0


def check_terminal(notation: str | None, output: str) -> None:
    """Raise `UsageError` if bytes would be written to a terminal."""
    if notation == "parquet" and output == "-" and sys.stdout.isatty():
        raise UsageError("Parquet is not written to a terminal; name a file with --output")
