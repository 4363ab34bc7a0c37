"""The package has types: a script that calls every function passes `mypy --strict`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import get_args, get_type_hints

import pytest

import ave_score
from ave_score.core.policies import Chosen, Policies
from ave_score.inference.procedures import CORRECTIONS, PROCEDURES
from tests import user_script

WRONG = {
    "ave_score.score(3)": 'Argument 1 to "score" has incompatible type "int"',
    'number: int = ave_score.check("run.txt")': 'expression has type "Checked"',
    'ave_score.compare("gold.xml", "run.txt", design="t")': 'type "str"; expected "Design',
    'ave_score.sweep("gold.xml", "run.txt").best(1)': 'incompatible type "int"; expected "str"',
    'ave_score.Policies(epoch="first")': 'Unexpected keyword argument "epoch" for "Policies"',
    'ave_score.Policies(missing="reject")': 'incompatible type "Literal[\'reject\']"; expected',
    'ave_score.Design(test="ttest")': 'incompatible type "Literal[\'ttest\']"; expected "Literal[',
    'ave_score.Design(correction="b")': 'incompatible type "Literal[\'b\']"; expected "Literal[',
    'ave_score.agree(["run.txt"], column={})': 'Unexpected keyword argument "column" for "agree"',
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
    said = (found.stdout + found.stderr).splitlines()
    return [line for line in said if ": note: " not in line]


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
    assert found[len(WRONG) :] == [f"Found {len(WRONG)} errors in 1 file (checked 2 source files)"]


def test_types_of_choices_are_those_of_their_records() -> None:
    chosen = get_type_hints(Chosen)
    assert [*chosen] == [*Policies.records()]
    for name, record in Policies.records().items():
        if record.choices and name != "epochs":
            assert [*record.choices] == [*get_args(chosen[name])], name
    fields = get_type_hints(ave_score.Design)
    assert {*PROCEDURES} == {*get_args(get_args(fields["test"])[0])}
    assert [*CORRECTIONS] == [*get_args(fields["correction"])]


@pytest.mark.slow
@pytest.mark.skipif(which("pyright") is None, reason="needs pyright")
def test_pyright_refuses_the_same_lines(tmp_path: Path) -> None:
    script = tmp_path / "wrong.py"
    script.write_text("\n".join(["import ave_score", *WRONG, ""]))
    package = str(Path(ave_score.__file__).parent.parent)
    command = ["pyright", "--outputjson", "--pythonpath", sys.executable, str(script)]
    environment = os.environ | {"PYTHONPATH": package}
    found = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    refused = json.loads(found.stdout)["generalDiagnostics"]
    lines = {one["range"]["start"]["line"] for one in refused}
    assert lines == {*range(2, 1 + len(WRONG))}  # any number may be a frame of a library


def test_the_script_uses_every_function_that_a_command_has() -> None:
    text = Path(user_script.__file__).read_text()
    commands = (
        "score check fix compare agree stability swap sweep decide build stats campaign "
        "plot convert"
    )
    for name in [*commands.split(), "per_question", "break_down", "decided_at"]:
        assert f"ave_score.{name}(" in text
    assert (Path(ave_score.__file__).parent / "py.typed").exists()
