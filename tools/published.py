"""What was published, and may therefore not disappear: `python -m tools.published` adds to it.

Run it before a release. `tests/test_compatibility.py` compares the program with the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import click

import ave_score
from ave_score import rules
from ave_score.commands import COMMANDS, app
from ave_score.measures import MEASURES
from tools import schemas

FILE = Path(__file__).resolve().parent.parent / "tests/data/published.json"


def present() -> dict[str, list[str]]:
    """Return the names that the program has now, by what they name."""
    options: dict[str, list[str]] = {}
    with click.Context(app) as context:
        for name in COMMANDS:
            command = app.get_command(context, name)
            assert command is not None
            options |= _options(command, f"options of {name}")
    return {
        "rules": [f"{rule.code} {rule.name}" for rule in rules.RULES.values()],
        "measures": [*MEASURES],
        "python": [*dir(ave_score)],
        **options,
        **{f"keys of {name}": schemas.required(name) for name in schemas.DOCUMENTS},
    }


def _options(command: click.Command, what: str) -> dict[str, list[str]]:
    """Return the options of a command and of its own commands."""
    options = {
        what: [
            name
            for parameter in command.params
            for name in (*parameter.opts, *parameter.secondary_opts)
            if name.startswith("-")
        ]
    }
    if isinstance(command, click.Group):
        for name, inner in command.commands.items():
            options |= _options(inner, f"{what} {name}")
    return options


def missing(published: Mapping[str, Iterable[str]]) -> list[str]:
    """Return what was published and is gone."""
    now = present()
    return [
        f"{what}: {name}"
        for what, names in published.items()
        for name in names
        if name not in now.get(what, ())
    ]


if __name__ == "__main__":
    known: dict[str, list[str]] = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    added = {what: sorted({*known.get(what, ()), *names}) for what, names in present().items()}
    lines = [f"{json.dumps(what)}: {json.dumps(names)}" for what, names in (known | added).items()]
    FILE.write_text("{{\n{}\n}}\n".format(",\n".join(lines)), "utf-8")
