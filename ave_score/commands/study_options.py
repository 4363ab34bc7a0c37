"""The options of the commands that study measures, and what follows from them alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from ave_score.commands.options import (
    FILE,
    format_option,
    key_option,
    output_option,
    policies,
    policy_options,
)

if TYPE_CHECKING:
    from ave_score.policies import Policies

Command = TypeVar("Command", bound=Callable[..., Any])

POLICIES = policies("missing", "unknown")

_OPTIONS = [
    click.argument("collection", type=FILE),
    click.argument("runs", nargs=-1, metavar="RUN RUN...", type=FILE),
    click.option(
        "--measures",
        "-m",
        metavar="LIST",
        help="Measures, or groups of them, as in ave-score score; none of confidences or rankings. "
        "Default: ave2007; of pairs those of validation.",
    ),
    click.option(
        "--unit",
        type=click.Choice(["answers", "questions"]),
        help="What samples are drawn of. Default: answers for measures of validation, questions "
        "for all others.",
    ),
    click.option(
        "--size", metavar="N", type=int, help="Units in a sample. Default: half of all there are."
    ),
    click.option(
        "--repetitions",
        metavar="N",
        type=click.IntRange(max=100_000),
        default=500,
        show_default=True,
        help="How often samples are drawn.",
    ),
    click.option(
        "--seed",
        metavar="N",
        type=click.IntRange(min=0),
        default=0,
        show_default=True,
        help="Another seed draws other samples.",
    ),
    key_option,
    policy_options(POLICIES),
    format_option,
    click.option(
        "--digits", type=click.IntRange(0, 12), default=2, show_default=True, help="Decimals."
    ),
    output_option,
]


def study_options(command: Command) -> Command:
    """Give a command the arguments and options of all studies."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


class StudyOptions(NamedTuple):
    """The options of one call, as given."""

    measures: str | None
    unit: str | None
    size: int | None
    repetitions: int
    seed: int
    key: str | None
    policies: Policies
    format: str
    digits: int
    output: str
    plot: str | None = None
    plot_width: float | None = None
