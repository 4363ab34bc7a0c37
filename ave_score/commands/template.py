"""`ave-score template`: write a run to fill in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ave_score.commands.convert import check_terminal
from ave_score.commands.declared import argument, command, option
from ave_score.commands.help import Section
from ave_score.commands.input_files import collecting, ended
from ave_score.commands.options import OUTPUT, FileOptions, tables
from ave_score.commands.types import FILE
from ave_score.tasks.template import RUNS, write_template

if TYPE_CHECKING:
    from ave_score.files.naming import Naming


class TemplateOptions(FileOptions):
    """The argument and options of one call."""

    collection: str = argument(metavar="COLLECTION", type=FILE)
    to: str | None = option(
        Section.OUTPUT,
        "The notation.",
        RUNS,
        show_default="by the suffix of --output; lines",
    )
    output: str = OUTPUT
    naming: Naming = tables("q_id=id,a_id=cand")


@command(
    "template",
    TemplateOptions,
    examples={
        "Write a template": "ave-score template test.xml -o run.txt",
        "Write a table": "ave-score template test.xml --to csv",
    },
    what="read",
)
def template_command(options: TemplateOptions) -> int:
    """Write a run that rejects every answer of COLLECTION, with confidence 0.

    Participants replace the verdicts and confidences. Labels of COLLECTION are not read. A template
    of answer sets has the response NIL to every question. The output is compressed if its name ends
    with .gz or .xz.

    Exit codes: 0 success, 1 a file has errors and nothing was written, 2 could not run.
    """
    check_terminal(options.to, options.output)
    inputs = collecting(options)
    write_template(inputs, options.collection, options.output, options.to)
    return ended(inputs)
