"""A level is a percentage wherever one is given: on the command line and in Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

import click
import pytest

import ave_score
from ave_score import Agreement, Design, IntervalPolicy, Policies
from ave_score.commands import COMMANDS, app
from tests import each
from tests.helpers_command import ave, document_of, refusal

GOLD, RUNS = "gold/tiny.xml", ["sample_runs/tiny/bold.txt", "sample_runs/tiny/careful.txt"]
SCORES = "sample_runs/best-of-n.jsonl"
JUDGED = "sample_runs/judge/systems.csv"

DOORS = {
    "agree": ["agree", RUNS[0], "--collection", GOLD, "--ci"],
    "compare": ["compare", GOLD, *RUNS, "--level"],
    "decide": ["decide", SCORES, "--curve", "--ci"],
    "estimate": ["estimate", JUDGED, "--ci"],
    "report": ["report", GOLD, *RUNS, "--output", "page.html", "--ci"],
    "score": ["score", GOLD, *RUNS, "--ci"],
    "swap": ["swap", GOLD, *RUNS, "--level"],
}
"""Command -> a call that ends with the option of its level."""

RECORDS: Mapping[str, Callable[[float], object]] = {
    "Agreement": lambda level: ave_score.swap(GOLD, RUNS, agreement=Agreement(level)),
    "Design": lambda level: ave_score.compare(GOLD, RUNS, design=Design(level=level)),
    "IntervalPolicy": lambda level: Policies(intervals=IntervalPolicy(level)),
}
"""Record with a level -> a call that takes it."""

CALLS: Mapping[str, Callable[[float], object]] = {
    **RECORDS,
    "best_of_n": lambda level: ave_score.best_of_n(
        ave_score.read_scores(SCORES), intervals=IntervalPolicy(level)
    ),
    "estimate": lambda level: ave_score.estimate(JUDGED, level=level),
    "report": lambda level: ave_score.report(GOLD, RUNS, design=Design(level=level)),
}

LEVELS = [
    (0.95, "a level is a percentage: 95"),
    (0.999, "a level is a percentage: 99.9"),
    (0.001, "a level is a percentage: 95"),  # 0.1 would be refused, too
    (0, "a level is a percentage from 1 to below 100, such as 95"),
    (-95, "a level is a percentage from 1 to below 100, such as 95"),
    (100, "a level is a percentage from 1 to below 100, such as 95"),
    (float("nan"), "a level is a percentage from 1 to below 100, such as 95"),
    (float("inf"), "a level is a percentage from 1 to below 100, such as 95"),
]


def test_every_door_is_here() -> None:
    context = click.Context(app)
    with_level = set()
    for name in COMMANDS:
        made = app.get_command(context, name)
        assert made is not None
        options = [option for param in made.params for option in param.opts]
        if {"--ci", "--level"} & {*options}:
            with_level.add(name)
    assert with_level == {*DOORS}
    public = {name: getattr(ave_score, name) for name in dir(ave_score)}
    assert {name for name, one in public.items() if hasattr(one, "level")} == {*RECORDS}


@each("level, message", LEVELS)
@each("command", DOORS)
def test_commands_refuse_what_is_no_percentage(command: str, level: float, message: str) -> None:
    option = DOORS[command][-1]
    said = refusal(*DOORS[command], str(level), code=2)
    assert said.strip().endswith(f"{option} {level:g}: {message}")


@each("level, message", LEVELS)
@each("call", CALLS)
def test_python_refuses_what_is_no_percentage(call: str, level: float, message: str) -> None:
    with pytest.raises(ave_score.UsageError) as refused:
        CALLS[call](level)
    assert str(refused.value) == f"level {level:g}: {message}"


@each("call", CALLS)
def test_python_refuses_what_is_no_number(call: str) -> None:
    with pytest.raises(ave_score.UsageError, match="level '95': expected a number"):
        CALLS[call]("95")  # type: ignore[arg-type]


@each("command", ["compare", "swap", "decide"])
def test_commands_take_percentages(command: str) -> None:
    assert ave(*DOORS[command], "1").code == 0
    assert ave(*DOORS[command], "99.5").code == 0


def test_levels_leave_the_rest() -> None:
    for level, alpha in [(95, 0.05), (90, 0.1), (99.9, 0.001), (1, 0.99)]:
        assert Design(level=level).alpha == alpha
    assert Agreement(99.9).share == Fraction(999, 1000)  # as written, not as a float


def test_documents_have_levels_as_they_are_given() -> None:
    for command in ("compare", "swap"):
        document = document_of(*DOORS[command], "99.5")
        assert document["level"] == 99.5
        assert "|level:99.5|" in f"{document['signature']}|"
