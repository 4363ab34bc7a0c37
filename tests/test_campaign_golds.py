"""A campaign takes answer sets and logs, too; the expected figures are those of `score`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests import mostly_slow
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
    "qrels": ("gold.txt",
        {"gold.txt": b"1 0 a 1\n1 0 b 0\n1 0 c 2\n2 0 a 0\n2 0 b 1\n",
            "runs/run-a.txt": b"1 Q0 a 1 3 r\n1 Q0 c 2 3 r\n2 Q0 a 1 2 r\n2 Q0 b 2 1 r\n",
            "runs/run-b.txt": b"1 Q0 c 1 3 r\n1 Q0 a 2 2 r\n2 Q0 b 1 2 r\n2 Q0 a 2 1 r\n"}),
}  # fmt: skip
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


@pytest.fixture(params=mostly_slow(GOLDS, 2))
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
        assert len(measures) >= 5  # as many as qrels have by default
    assert len(expected) == len(figures(found)) == 2
    index = Path("results/index.md").read_text().replace("\\", "")
    for policy in found["signature"].split("|")[1:-1]:
        assert f"; {policy.replace(':', ': ', 1)}" in index  # as what was scored, e.g. ties: trec
    compared = json.loads(ave("compare", here, *runs, "-f", "json", code=0).out)["measures"]
    theirs = json.loads(Path("results/y/en-comparison.json").read_text())["measures"]
    assert compared[0]["measure"] in [their["measure"] for their in theirs]
    for their in theirs:  # the first of each table, those of compare may be fewer
        assert their in compared or their["measure"] not in [other["measure"] for other in compared]


def chosen(setting: str) -> None:
    text = Path("campaign.toml").read_text()
    Path("campaign.toml").write_text(
        text.replace("[editions", f"[editions.y]\n{setting}\n[editions")
    )


@pytest.mark.parametrize("here", ["qrels"], indirect=True)
def test_settings_name_the_measures_of_the_gold_standard(here: str) -> None:
    """`ndcg` is another measure of documents than of answers, and `all` are others."""
    runs = ["runs/run-a.txt", "runs/run-b.txt"]
    for named in ("ndcg", "all"):
        chosen(f'compare = "{named}"')
        ave("campaign", "campaign.toml", "-o", named, code=0)
        theirs = json.loads(Path(named, "y/en-comparison.json").read_text())["measures"]
        own = json.loads(ave("compare", here, *runs, "-m", named, "-f", "json", code=0).out)
        found = [their["measure"] for their in theirs]
        assert found == [measure["measure"] for measure in own["measures"]]
        assert "ndcg(gain=linear)" in [their["measure"] for their in theirs]
        Path("campaign.toml").write_text(TEXT.format(here))


@pytest.mark.parametrize("setting", ["measures", "compare"])
@pytest.mark.parametrize("here", ["qrels"], indirect=True)
def test_measures_that_a_gold_standard_lacks_leave_others_scored(here: str, setting: str) -> None:
    chosen(f'{setting} = "f1"')
    with Path("campaign.toml").open("a") as file:
        file.write(f'[editions.z.languages.en]\ncollection = "{here}"\nruns = "runs"\n')
    said = f"{here}: f1: qrels have only measures of rankings"
    checked = ave("check", "campaign.toml", code=2)
    assert said in checked.err
    result = ave("campaign", "campaign.toml", code=1)
    assert f"not scored: y en: {said}" in result.err and "2 runs scored" in result.out


def test_judged_systems_are_refused_as_by_score(here: str) -> None:
    """Also of qrels, which have questions; judged systems beside logs are read."""
    put_all(Path(), {"judged.tsv": "q_id\trun\tjudgement\n1\tqa\tR\n"})
    with Path("campaign.toml").open("a") as file:
        file.write('judged = "judged.tsv"\n')
    is_refused = "--qa: not available" in ave("score", here, "runs", "--qa", "judged.tsv").err
    said = "judged.tsv: QA systems cannot be scored with "
    for command in ("check", "campaign"):
        result = ave(command, "campaign.toml")
        assert ((said in result.err), bool(result.code)) == (is_refused, is_refused)
    assert is_refused == (here != "runs/ada.json")


def test_the_public_reads_no_name_of_a_run(here: str) -> None:
    ave("campaign", "campaign.toml", "--audience", "public", "-o", "site", code=0)
    page = Path("site/y/en.html").read_text()
    assert not [path.stem for path in Path("runs").iterdir() if path.stem in page]


def test_every_paper_counts_the_same_runs(here: str) -> None:
    """What teams submit are runs, also systems: two of each sort."""
    assert ave("campaign", "campaign.toml", code=0).out.startswith("1 edition, 1 language: 2 runs ")
    assert "<dt>Scored</dt><dd>2 runs</dd>" in Path("results/y/en.html").read_text()
    assert "Runs,2,2\n" in Path("results/y/participants.csv").read_text()


def test_only_who_sees_outcomes_learns_of_equal_logs(tmp_path: Path) -> None:
    gold, files = GOLDS["logs"]
    text = TEXT.format(gold).partition("\n")[2]
    log = json.loads(files[gold])
    log["eval"] = {name: log["eval"][name] for name in ("task", "model", "dataset")}  # no id
    equal = dict.fromkeys((gold, "runs/copy.json"), json.dumps(log).encode())
    put_all(tmp_path, {**files, **equal, "campaign.toml": text})
    file, expected = str(tmp_path / "campaign.toml"), {"scores": False, "everything": True}
    for share, is_told in expected.items():
        (tmp_path / "campaign.toml").write_text(text.replace("scores", share))
        for readers in ("organisers", "public"):
            out = tmp_path / share / readers
            ave("campaign", file, "--audience", readers, "-o", str(out), code=0)
            page = (out / "y/en.html").read_text("utf-8")
            assert ("Logs have the same bytes." in page) is (is_told or readers == "organisers")
            assert ("same as" in page) is (is_told or readers == "organisers")


def test_a_defective_run_is_left_out(here: str) -> None:
    cut = {f"runs/cut{Path(here).suffix}": b'{"eval": {"task', "runs/other.xml": b"<x/>"}
    put_all(Path(), cut)
    result = ave("campaign", "campaign.toml")
    assert (result.code, "2 runs scored" in result.out) == (1, True)
    checked = ave("check", "campaign.toml")
    assert checked.code
    for path in cut:
        assert f"not scored: y en: {path}: " in result.err and path in checked.out + checked.err
