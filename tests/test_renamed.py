"""Old names of options are refused, and the refusal says what is done today."""

from __future__ import annotations

import pytest

from ave_score.commands import app, refused_names
from tests.helpers_command import refusal
from tests.test_hostile import every_command

CASES = [
    (name, old, today)
    for name, command in every_command(app)
    for old, (beside, today) in refused_names().items()
    for options in [{word for param in command.params for word in param.opts}]
    if old not in options and beside in options
]


def test_every_old_name_was_of_a_command() -> None:
    assert {old for _, old, _ in CASES} == refused_names().keys()


@pytest.mark.parametrize(("command", "old", "today"), CASES)
def test_an_old_name_is_refused_with_what_is_done_today(command: str, old: str, today: str) -> None:
    for written in ([old, "x"], [f"{old}=x"]):
        assert f"Error: {old}: {today}\n" in refusal(*command.split(), *written)


def test_an_old_name_is_no_option_where_there_is_no_new_one() -> None:
    assert "No such option" in refusal("measures", "--correct-scorer", "x")
