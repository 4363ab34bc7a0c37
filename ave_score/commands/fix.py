"""`ave-score fix`: the options of the command; `fix_job` does the work."""

from __future__ import annotations

import click

from ave_score.commands.options import FILE


@click.command("fix", short_help="Mend what can be mended in a run.")
@click.argument("run", type=FILE)
@click.option("--collection", metavar="FILE", type=FILE, help="The collection that RUN is about.")
@click.option(
    "--unsafe",
    is_flag=True,
    help="Also decide for the author: which of two lines is meant, which answer is SELECTED, that "
    "missing answers are REJECTED.",
)
@click.option("--output", "-o", metavar="FILE", type=FILE, help="Write to FILE (- is stdout).")
@click.option("--in-place", is_flag=True, help="Write over RUN, which is kept as RUN.bak.")
@click.option("--diff", is_flag=True, help="Only show what would be changed.")
def fix_command(run: str, **options: object) -> int:
    """Write a mended copy of a RUN, beside it as NAME.fixed.txt, and list every change.

    Safe changes are always made: byte order mark and UTF-16, line ends, blanks of other widths, the
    case of verdicts, decimal commas, header lines (made comments), repeated lines. No line is lost
    unless it says what another says.

    Exit codes: 0 nothing is wrong any more, 1 something is left that only its author can mend, 2
    could not run.
    """
    from ave_score.commands.fix_job import Options, fix_file  # not on the way to --help

    return fix_file(run, Options(**options))  # type: ignore[arg-type]
