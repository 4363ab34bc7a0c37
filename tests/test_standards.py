"""Every sort of gold standard at the doors: what its record says applies is taken, else refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import ave_score
from ave_score import AveScoreWarning, Design, Policies, UsageError
from tests import mostly_slow
from tests.conftest import ROOT
from tests.helpers_command import ave

QRELS = "T1 0 D1 1\nT1 0 D2 0\nT2 0 D3 1\nT2 0 D4 0\n"
TREC = "T1 Q0 D1 1 2.0 r\nT1 Q0 D2 2 1.0 r\nT2 Q0 D4 1 2.0 r\nT2 Q0 D3 2 1.0 r\n"

SORTS = ["collections", "pairs", "qrels", "judged files", "logs", "answer sets"]

POLICIES = {
    "letters": "qa-clef-lenient", "unknown": "incorrect", "epochs": "first", "threshold": 0.5,
    "ties": "file",
}  # fmt: skip
"""Policy -> a value that is not its default."""

REFUSED = {"logs": {"letters"}, "qrels": {*POLICIES} - {"ties"}, "answer sets": {*POLICIES}}
"""Sort -> the policies that do not apply: documents have grades and ranks, responses no labels."""


def files_of(sort: str, folder: Path) -> tuple[str, list[str]]:
    """Return a gold standard of a sort, and runs, if it has no systems."""
    if sort == "qrels":
        (folder / "g.qrels.txt").write_text(QRELS)
        (folder / "r.txt").write_text(TREC)
        return str(folder / "g.qrels.txt"), [str(folder / "r.txt")]
    if sort == "pairs":
        (folder / "g.tsv").write_text("pair_id\tlabel\n1\tYES\n2\tNO\n")
        (folder / "r.txt").write_text("1 YES 0.9\n2 YES 0.4\n")
        return str(folder / "g.tsv"), [str(folder / "r.txt")]
    gold, *runs = {
        "collections": ["gold/tiny.xml", "sample_runs/tiny/bold.txt"],
        "judged files": ["gold/tiny.qa.tsv"],
        "logs": ["sample_runs/logs/ada.json", "sample_runs/logs/bob.json"],
        "answer sets": ["gold/lists.json", "sample_runs/lists/broad.tsv"],
    }[sort]
    return str(ROOT / gold), [str(ROOT / run) for run in runs]


def scored(gold: str, runs: list[str], sort: str, **policies: object) -> ave_score.Scores:
    """Return scores from Python, where logs are all of what is given."""
    given = [gold, *runs] if sort == "logs" else gold
    return ave_score.score(given, [] if sort == "logs" else runs, policies=Policies.of(**policies))


@pytest.mark.parametrize("sort", SORTS)
def test_default_measures_apply(tmp_path: Path, sort: str) -> None:
    gold, runs = files_of(sort, tmp_path)
    scores = json.loads(ave("score", gold, *runs, "-f", "json").out)
    of_python = scored(gold, runs, sort)
    assert of_python.collection.standard.name == sort
    assert scores["runs"] and of_python.measures
    for measure in of_python.measures:
        assert any(measure.family in row.counts for row in of_python.rows) or sort == "pairs"


@pytest.mark.parametrize("sort", mostly_slow(SORTS, 3))
@pytest.mark.parametrize("name", POLICIES)
def test_policies_that_do_not_apply_are_refused(tmp_path: Path, sort: str, name: str) -> None:
    gold, runs = files_of(sort, tmp_path)
    option, refused = [f"--{name}", str(POLICIES[name])], name in REFUSED.get(sort, ())
    said = f"--{name}: not available for {sort}"
    copies = [tmp_path / f"copy-{Path(run).name}" for run in runs if sort != "logs"]
    for copy, run in zip(copies, runs, strict=False):
        copy.write_bytes(Path(run).read_bytes())
    for command in ("score", "compare"):
        more = [*runs, *copies] if command == "compare" else runs
        assert (said in ave(command, gold, *more, *option).err) == refused
    if sort == "logs" and refused:  # systems beside them, of --qa, have letters
        assert said in ave("check", gold, *runs, *option).err
        policies, logs = Policies.of(**{name: POLICIES[name]}), [gold, *runs]
        doors: list[Callable[[], object]] = [
            lambda: ave_score.score(logs, policies=policies),
            lambda: ave_score.report(logs, policies=policies),
            lambda: ave_score.compare(logs, design=Design(policies=policies)),
        ]
        for door in doors:
            with pytest.raises(UsageError, match=said.removeprefix("--")):
                door()
        with pytest.raises(AveScoreWarning, match="AVE509"):  # systems of other questions are read
            ave_score.score(logs, qa=str(ROOT / "gold/tiny.qa.tsv"), policies=policies)
    elif refused:
        with pytest.raises(UsageError, match=said.removeprefix("--")):
            scored(gold, runs, sort, **{name: POLICIES[name]})
        checked = ave("check", *runs, "--collection", gold, *option)
        assert said in checked.err
    elif sort != "logs" and (sort, name) != ("judged files", "threshold"):
        scored(gold, runs, sort, **{name: POLICIES[name]})


@pytest.mark.parametrize("sort", ["pairs", "qrels", "answer sets"])
def test_more_systems_are_refused(tmp_path: Path, sort: str) -> None:
    gold, runs = files_of(sort, tmp_path)
    judged = str(ROOT / "gold/tiny.qa.tsv")
    words = "needs questions" if sort == "pairs" else f"--qa: not available for {sort}"
    assert words in ave("score", gold, *runs, "--qa", judged).err
    for door in (ave_score.score, ave_score.report):
        with pytest.raises(UsageError, match="QA systems cannot be scored with "):
            door(gold, runs, judged)
    with pytest.raises(UsageError, match="QA systems cannot be compared with "):
        ave_score.compare(gold, runs, judged)
