"""What runs beside the program's own code: packages of the lock, nothing of the working folder."""

from __future__ import annotations

import re
import shutil
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests import mostly_slow
from tests.conftest import ROOT
from tests.helpers_command import AVE_SCORE, output, process
from tests.helpers_files import RUN, put
from tests.test_integrations import BIN, SCRIPT, plant
from tests.test_processes import METHODS, program

PINNED = re.compile(
    r"^([a-z0-9-]+)==([^ ]+)(?: ; [^\\\n]+)?(?: \\\n    --hash=sha256:[0-9a-f]{64})+\n", re.M
)


def test_the_lock_has_all_that_is_needed_with_hashes() -> None:
    lock = (ROOT / ".ci/requirements.txt").read_text("utf-8")
    pinned: dict[str, list[str]] = {}
    for name, version in PINNED.findall(lock):
        pinned.setdefault(name, []).append(version)
    # nothing else: no options, no registry
    assert all(line.startswith("#") for line in PINNED.sub("", lock).splitlines())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = (ROOT / ".ci/requirements.in").read_text("utf-8").splitlines()
    waiting = [
        Requirement("ave-score[dev]"),
        *(Requirement(line) for line in lines if line[0] != "#"),
    ]
    while waiting:
        needed = waiting.pop()
        if needed.name == "ave-score":
            waiting += map(Requirement, project["dependencies"])
            for extra in needed.extras:
                waiting += map(Requirement, project["optional-dependencies"][extra])
        else:
            versions = pinned[canonicalize_name(needed.name)]
            assert all(needed.specifier.contains(version) for version in versions), needed


@pytest.fixture
def marker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with runs, and with a module of every name that Python could import."""
    folder = tmp_path / "here"
    shutil.copytree(ROOT / "sample_runs/ave2007-es", folder / "es")
    shutil.copytree(ROOT / "sample_runs/tiny", folder / "tiny")
    for name in ("ave2007-es.xml", "tiny.xml", "tiny.qa.tsv", "../sample_runs/tiny-campaign.toml"):
        shutil.copy(ROOT / "gold" / name, folder)
    campaign = folder / "tiny-campaign.toml"
    text = campaign.read_text().replace("../gold/", "")
    campaign.write_text(f'docker_image = "me/x:1"\n{text}')
    put(folder, RUN.replace("REJECTED 0.2", "Rejected 0.2"), "wrong.txt")
    put(folder, "q_id,a_id,score\n1,1,0.5\n", "scores.csv")
    put(folder, "q_id,a_id,label\n1,1,VALIDATED\n", "gold.csv")
    put(folder, "q_id,a_id,verdict\n1,1,SELECTED\n", "run.csv")
    monkeypatch.chdir(folder)
    return plant(folder)


@pytest.mark.parametrize("words", mostly_slow([
    "check es --collection ave2007-es.xml", "score ave2007-es.xml es --plot figure.svg",
    "score gold.csv run.csv --engine duckdb", "compare ave2007-es.xml es --test t",
    "fix wrong.txt --in-place", "convert ave2007-es.xml --to parquet -o gold.parquet",
    "template tiny.xml", "stats tiny.xml", "decide scores.csv", "measures f1", "rule AVE101",
    "agree es", "stability ave2007-es.xml es --resamples 10 --plot figure.png",
    "swap ave2007-es.xml es --resamples 10",
    "report ave2007-es.xml es --resamples 100 -o page.html", "campaign tiny-campaign.toml",
    "bundle codabench tiny-campaign.toml -o bundle.zip",
], 1))  # fmt: skip
def test_no_code_of_the_working_folder_runs(marker: Path, words: str) -> None:
    done = process(*words.split(), command=SCRIPT, MPLCONFIGDIR=str(marker.parent.parent))
    assert (done.code, "Traceback" in done.err) == (0, False), done.err
    assert not marker.exists()


@pytest.mark.parametrize("command", mostly_slow([
    [sys.executable, "-P", "-m", "ave_score"],
    [str(BIN / "python"), "-I", "-m", "ave_score"],
    ["env", "PYTHONSAFEPATH=1", *AVE_SCORE],
], 0))  # fmt: skip
def test_the_module_runs_without_the_working_folder_if_asked(
    marker: Path, command: Sequence[str]
) -> None:
    """Python itself puts the folder first for `-m`; docs/how-to/install.md says so."""
    assert process("check", "es", command=command).code == 0
    assert not marker.exists()
    assert process("check", "es").code != 0
    assert marker.exists()


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_no_process_imports_from_working_folder(marker: Path, method: str, tmp_path: Path) -> None:
    """One that is not forked starts as `python -c`, which would look in that folder first."""
    words = ["compare", str(ROOT / "gold/ave2007-es.xml"), "es", "--resamples", "200"]
    done = process(command=program(tmp_path, method, *words))
    assert done == (0, output(*words), "")
    assert not marker.exists()
