"""Old names of options are refused, and the refusal says what is written today."""

from __future__ import annotations

import pytest

from ave_score.commands import RENAMED, app
from tests.helpers_command import refusal
from tests.test_hostile import every_command

CASES = [
    (name, old, today)
    for name, command in every_command(app)
    for old, today in RENAMED.items()
    for options in [{word for param in command.params for word in param.opts}]
    if old not in options and today.split()[0] in options
]


def test_every_new_name_is_an_option() -> None:
    assert {old for _, old, _ in CASES} == RENAMED.keys()


@pytest.mark.parametrize(("command", "old", "today"), CASES)
def test_an_old_name_is_refused_with_the_new_one(command: str, old: str, today: str) -> None:
    for written in ([old, "x"], [f"{old}=x"]):
        assert f"Error: {old}: use {today}\n" in refusal(*command.split(), *written)


def test_an_old_name_is_no_option_where_there_is_no_new_one() -> None:
    assert "No such option" in refusal("measures", "--correct-scorer", "x")
