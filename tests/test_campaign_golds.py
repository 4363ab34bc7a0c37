"""A campaign takes answer sets and logs, too; the expected figures are those of `score`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.helpers_command import ave, put_all

LISTS, LOGS = ROOT / "sample_runs/lists", ROOT / "sample_runs/logs"

GOLDS: dict[str, tuple[str, dict[str, bytes]]] = {
    "answer sets": (
        "gold.json",
        {"gold.json": (ROOT / "gold/lists.json").read_bytes()}
        | {f"runs/{name}.tsv": (LISTS / f"{name}.tsv").read_bytes() for name in ("brief", "broad")},
    ),
    "logs": (
        "runs/ada.json",
        {f"runs/{name}.json": (LOGS / f"{name}.json").read_bytes() for name in ("ada", "bob")},
    ),
}
"""Sort -> the collection, and all files."""

TEXT = """\
anonymous = "secret"
share = "scores"
[editions.y.languages.en]
collection = "{}"
runs = "runs"
"""


def figures(document: Any) -> dict[str, dict[str, float]]:  # noqa: ANN401 - JSON
    """Return the measures of each run; a campaign adds some that do not apply."""
    return {
        row["run"]: {key: value for key, value in row["measures"].items() if value is not None}
        for row in document["runs"]
        if row["kind"] != "baseline"
    }


@pytest.fixture(params=GOLDS)
def here(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Work in a folder with a campaign; return its collection."""
    monkeypatch.chdir(tmp_path)
    gold, files = GOLDS[request.param]
    put_all(tmp_path, {**files, "campaign.toml": TEXT.format(gold), "secret": "0123456789abcdef"})
    return gold


def test_figures_and_comparisons_are_those_of_score_and_compare(here: str) -> None:
    assert ave("check", "campaign.toml", code=0).err == ""
    assert "2 runs scored" in ave("campaign", "campaign.toml", code=0).out
    runs = sorted(f"runs/{path.name}" for path in Path("runs").iterdir() if str(path) != here)
    found = json.loads(Path("results/y/en.json").read_text())
    expected = figures(json.loads(ave("score", here, *runs, "-f", "json", code=0).out))
    for run, measures in figures(found).items():
        assert measures.items() <= expected[run].items()
        assert len(measures) > 5
    assert len(expected) == len(figures(found)) == 2
    compared = json.loads(ave("compare", here, *runs, "-f", "json", code=0).out)["measures"]
    theirs = json.loads(Path("results/y/en-comparison.json").read_text())["measures"]
    assert compared[0]["measure"] in [of["measure"] for of in theirs]
    for of in theirs:  # the first of each table, those of compare may be fewer
        assert of in compared or of["measure"] not in [other["measure"] for other in compared]


def test_the_public_reads_no_name_of_a_run(here: str) -> None:
    ave("campaign", "campaign.toml", "--audience", "public", "-o", "site", code=0)
    page = Path("site/y/en.html").read_text()
    assert not [path.stem for path in Path("runs").iterdir() if path.stem in page]


def test_a_defective_run_is_left_out(here: str) -> None:
    cut = {f"runs/cut{Path(here).suffix}": b'{"eval": {"task', "runs/other.xml": b"<x/>"}
    put_all(Path(), cut)
    result = ave("campaign", "campaign.toml")
    assert (result.code, "2 runs scored" in result.out) == (1, True)
    checked = ave("check", "campaign.toml")
    assert checked.code
    for path in cut:
        assert f"not scored: y en: {path}: " in result.err
        assert path in checked.out + checked.err
