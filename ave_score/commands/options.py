"""What options of several commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class _FileName(click.ParamType):  # type: ignore[type-arg]  # click 8.1 has none to give
    """The name of a file, taken as it stands; a shell completes it.

    click.Path does as much, and takes a thirtieth of the time of a whole check to be made.
    """

    name = "file"

    def shell_complete(self, *given: object) -> list[CompletionItem]:
        """Return what stands for the files that begin as the last of `given` does."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(given[-1], type="file")]


FILE = _FileName()

output_option = click.option(
    "--output", "-o", default="-", metavar="FILE", type=FILE, help="Write to FILE, not stdout."
)

campaign_option = click.option(
    "--campaign",
    default="qa-clef",
    show_default=True,
    help="What judgements mean: qa-clef, qa-clef-lenient or respubliqa.",
)

format_option = click.option(
    "--format",
    "-f",
    type=click.Choice(["table", "json", "csv", "markdown", "latex"]),
    default="table",
    show_default=True,
)

plot_option = click.option(
    "--plot",
    metavar="FILE",
    type=FILE,
    help="Also draw a figure; FILE ends in .svg, .png or .pdf. Needs ave-score[plot].",
)

plot_width_option = click.option(
    "--plot-width",
    metavar="INCHES",
    type=click.FloatRange(3, 20),
    help="How wide the figure is, text being of one size. Default: 6.3; a column of a paper: 3.3.",
)

key_option = click.option(
    "--key", metavar="FILE", type=FILE, help="Gold labels of an unlabelled COLLECTION."
)

missing_option = click.option(
    "--missing",
    type=click.Choice(["error", "rejected"]),
    default="error",
    show_default=True,
    help="What an answer without a line in a run is.",
)

unknown_option = click.option(
    "--unknown",
    type=click.Choice(["ignore", "incorrect", "correct"]),
    default="ignore",
    show_default=True,
    help="What answers labelled UNKNOWN count as.",
)
