"""The package has types: a script that calls every function passes `mypy --strict`."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import ave_score
from tests import user_script

WRONG = {
    "ave_score.score(3)": 'Argument 1 to "score" has incompatible type "int"',
    'number: int = ave_score.check("run.txt")': 'expression has type "Checked"',
    'ave_score.compare("gold.xml", "run.txt", design="t")': 'type "str"; expected "Design',
    'ave_score.sweep("gold.xml", "run.txt").best(1)': 'incompatible type "int"; expected "str"',
}  # fmt: skip
"""A wrong line of a script, and what mypy says about it."""


def mypy(folder: Path, **scripts: str) -> list[str]:
    """Return what mypy says about scripts that use the package from outside."""
    names = [f"{name}.py" for name in scripts]
    for name, text in zip(names, scripts.values(), strict=True):
        (folder / name).write_text(text)
    package = str(Path(ave_score.__file__).parent.parent)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, *names]
    environment = os.environ | {"PYTHONPATH": package}
    found = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return (found.stdout + found.stderr).splitlines()


@pytest.mark.slow
def test_a_script_of_a_user_passes_strict_type_checks(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    if find_spec("pandas-stubs") is None:
        pytest.skip("needs the types of pandas")
    sound = Path(user_script.__file__).read_text()
    found = mypy(tmp_path, sound=sound, wrong="\n".join(["import ave_score", *WRONG, ""]))
    for number, (line, message) in enumerate(zip(found, WRONG.values(), strict=False), 2):
        assert line.startswith(f"wrong.py:{number}: error: ")
        assert message in line
    assert found[len(WRONG) :] == ["Found 4 errors in 1 file (checked 2 source files)"]


def test_the_script_uses_every_function_that_a_command_has() -> None:
    text = Path(user_script.__file__).read_text()
    commands = (
        "score check fix compare agree stability swap sweep decide build stats campaign "
        "plot convert"
    )
    for name in [*commands.split(), "per_question", "break_down", "decided_at"]:
        assert f"ave_score.{name}(" in text
    assert (Path(ave_score.__file__).parent / "py.typed").exists()
