"""The image for workers of platforms: its recipe, its size, and that commands need no more. Nothing
is built, which would need a network. hadolint reads the recipe where it is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.helpers_command import ave
from tools.own import own_files

DOCKERFILE = ROOT / "Dockerfile"
LEFT_OUT = {"tests", "__pycache__"}
"""Folders of packages that are not in the image."""

BASE = 120
"""MB of python:3.12-slim on disk: 79 of Debian, 4 of its packages, 37 of Python."""

STEPS = [
    (word, " ".join(rest.split()))
    for word, rest in re.findall(
        r"(?m)^([A-Z]+) ((?:.*\\\n)*.*)$", DOCKERFILE.read_text("utf-8").replace("\\\n", " ")
    )
]


def given(word: str) -> list[str]:
    """Return what an instruction is given, each time."""
    return [rest for name, rest in STEPS if name == word]


def test_the_recipe_is_of_one_image_and_no_root() -> None:
    assert {rest.split()[0] for rest in given("FROM")} == {"python:3.12-slim"}
    assert "USER=1000" in given("ARG")
    assert given("USER") == ["${USER}"]
    assert not given("ENTRYPOINT")  # a worker calls `python3` or `sh`
    assert not given("ADD")  # which would fetch


def test_only_what_is_installed_is_sent_to_the_builder() -> None:
    sources = {name for rest in given("COPY") if "--from" not in rest for name in rest.split()[:-1]}
    everything, *others = (ROOT / ".dockerignore").read_text("utf-8").split()
    assert (everything, others.pop()) == ("*", "**/__pycache__")
    assert {name.removeprefix("!") for name in others} == sources
    assert all((ROOT / name).exists() for name in sources)


def test_the_linter_finds_nothing() -> None:
    linter = shutil.which("hadolint", path=Path(sys.executable).parent) or shutil.which("hadolint")
    if linter is None:
        pytest.skip("hadolint is part of the extra dev")
    said = subprocess.run([linter, DOCKERFILE], capture_output=True, text=True, check=False)
    assert (said.returncode, said.stdout) == (0, "")


def installed(package: str, found: dict[str, int]) -> dict[str, int]:
    """Return the packages that a package needs, and the bytes of each in the image."""
    for line in metadata.requires(package) or []:
        name = re.split(r"[^\w.-]", line)[0]
        if "extra ==" in line or name in found or name == "pandas":
            continue
        try:
            files = metadata.files(name) or []
        except metadata.PackageNotFoundError:  # for other systems
            continue
        sizes = (
            Path(file.locate()).stat().st_size
            for file in files
            if not LEFT_OUT & {*file.parts} and file.locate().exists()  # type: ignore[attr-defined]
        )
        found[name] = sum(sizes)
        installed(name, found)
    return found


def test_the_image_has_less_than_200_mb() -> None:
    packages = installed("ave-score", {})
    assert {"numpy", "lxml", "rich", "pygments"} <= packages.keys()
    assert "-name tests -o -name 'pandas*'" in given("RUN")[0]
    own = 2 * sum(path.stat().st_size for path in own_files("ave_score"))  # compiled, too
    assert BASE + (sum(packages.values()) + own) / 1e6 < 200


def test_commands_need_no_pandas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    gold, runs = ROOT / "gold/tiny.xml", ROOT / "sample_runs/tiny"
    campaign = ROOT / "sample_runs/tiny-campaign.toml"
    (tmp_path / "ave_score-1-py3-none-any.whl").write_bytes(b"x")
    for call in (
        ("check", runs, "--collection", gold),
        ("score", gold, runs, "--ci", "95", "--per-question", tmp_path / "rows.csv"),
        ("compare", gold, runs, "-f", "csv"),
        ("agree", runs),
        ("stats", gold),
        ("report", gold, runs, "-o", tmp_path / "report.html"),
        ("campaign", campaign, "--output", tmp_path / "results"),
        ("bundle", "codabench", campaign, "--wheels", tmp_path, "-o", tmp_path / "bundle.zip"),
    ):
        ave(*call, code=0)
