"""A folder stands for the files below it, by the same rules in every command and in Python."""

from __future__ import annotations

from pathlib import Path

import pytest

import ave_score
from ave_score import AveScoreWarning, InputError
from tests import each
from tests.helpers_check import posix
from tests.helpers_command import Call, assert_call, ave, calls, document_of, put_all
from tests.helpers_files import COLLECTION, KEY, PAIRS, RUN, UNLABELLED

SECOND = RUN.replace("2_1 VALIDATED", "2_1 REJECTED")
FILES = {
    "gold.xml": COLLECTION, "teams/Ann/deep/run.txt": RUN, "teams/Bob/run.txt": SECOND,
    "teams/Bob/.hidden.txt": "no run", "teams/.git/config.txt": "no run",
    "teams/Bob/notes": "no run", "teams/Bob/run.fixed.txt": "no run", "teams/README.txt": "no run",
    "teams/old/index.md": "", "teams/old/findings.md": "", "teams/old/cache.json": "{}",
}  # fmt: skip
SKIPPED = (
    "ave-score: 1 file not named like runs (README.txt), 1 file that fix wrote (run.fixed.txt), "
    "1 file without a known suffix (notes), 1 folder of results (old) and 3 links (above, "
    "dangling.txt, run2.txt) not "
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work beside a folder with a run of each of two teams, and with what is no run."""
    monkeypatch.chdir(tmp_path)
    put_all(tmp_path, FILES)
    (tmp_path / "teams" / "links").mkdir()
    for name, target in (("above", "../.."), ("dangling.txt", "x"), ("run2.txt", "../Bob/run.txt")):
        (tmp_path / "teams" / "links" / name).symlink_to(target)
    return tmp_path


@posix
@each("words, done, shown", [
    ("score gold.xml teams", "scored", "Bob/run "),
    ("compare gold.xml teams", "compared", "2 runs on 3 questions"),
    ("report gold.xml teams/", "scored", "Bob/run"),
    ("agree teams", "compared", "2 runs"),
    ("stability gold.xml teams --size 2 -m f1", "scored", "2 runs make only 1 pair"),
    ("swap gold.xml teams --size 1 --unit questions -m f1", "scored", "2 runs make only 1 pair"),
    ("check teams --collection gold.xml", "checked", "2 files checked, no findings"),
    ("fix teams --diff", "fixed", ""),
])  # fmt: skip
def test_every_command_takes_a_folder(here: Path, words: str, done: str, shown: str) -> None:
    said = ave(*words.split(), code=0)
    assert f"{SKIPPED}{done}\n" in said.err
    assert shown in said.out


def named(*arguments: str) -> dict[str, str | None]:
    """Return the team of each run, as `score` tells it."""
    rows = document_of("score", "gold.xml", *arguments)["runs"]
    return {row["run"]: row["team"] for row in rows if row["kind"] != "baseline"}


def test_a_sub_folder_names_the_team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    put_all(
        tmp_path, {"gold.xml": COLLECTION, "teams/Ann/a/run.txt": RUN, "teams/Bob/run.txt": RUN}
    )
    assert named("teams") == {"a/run": "Ann", "Bob/run": "Bob"}
    put_all(tmp_path, {"teams.tsv": "run\tteam\na/run\tone\n"})
    assert named("teams", "--teams", "teams.tsv") == {"a/run": "one", "Bob/run": None}
    page = ave("report", "gold.xml", "teams", "--audience", "Ann", code=0).out
    assert "Bob" not in page
    assert (
        "there is no such team"
        in ave("report", "gold.xml", "teams", "--audience", "Cy", code=2).err
    )
    # not if any run is in none
    put_all(tmp_path, {"teams/alone.txt": RUN})
    assert {*named("teams").values()} == {None}


@posix
def test_python_takes_a_folder(here: Path) -> None:
    remark = SKIPPED.removeprefix("ave-score: ") + "read"
    with pytest.warns(AveScoreWarning) as said:
        scores = ave_score.score("gold.xml", here / "teams")
        ave_score.agree("teams")
    assert [str(warning.message) for warning in said] == [remark] * 2
    assert {*scores.to_frame().index.get_level_values("run")} >= {"deep/run", "Bob/run"}
    (here / "empty").mkdir()
    with pytest.raises(InputError, match="empty: is a folder without files to read"):
        ave_score.score("gold.xml", ["teams/Bob/run.txt", "empty"])


YES = "1 YES\n2 YES\n3 YES\n4 YES\n"
IN_FOLDER = {"pairs.xml": PAIRS, "runs/run.txt": YES, "runs/gold.txt": YES, "runs/a_key.txt": KEY}


@calls([
    # what has labels is no run, even if it looks like one: a run of pairs needs no confidences
    Call("score pairs.xml runs", 0, "2 files of kind key (a_key.txt, gold.txt) not scored\n",
         "run", IN_FOLDER),
    Call("score gold.xml .", 0, "1 file of kind collection (other.xml) not scored\n", "run", {
        "gold.xml": COLLECTION, "other.xml": COLLECTION, "run.txt": RUN}),
    Call("score gold.xml . -o run.txt", 2, "run.txt is also an input file", (), {
        "gold.xml": COLLECTION, "run.txt": RUN}),
    # nothing to score
    Call("compare gold.xml runs", 2, ("runs: is a folder without files to read",), (), {
        "gold.xml": COLLECTION, "runs/notes": "", "runs/.run.txt": RUN}),
    Call("compare gold.xml runs", 2, "at least two runs needed", (), {
        "gold.xml": COLLECTION, "runs/run.txt": RUN}),
    Call("agree runs", 2, "at least two runs needed", (), {"runs/run.txt": RUN}),
    Call("score gold.xml runs runs/run.txt", 2, "runs/run.txt is given twice", (), {
        "gold.xml": COLLECTION, "runs/run.txt": RUN}),
    Call("score gold.xml runs runs", 2, "run3.txt and 3 more is given twice", (), {
        "gold.xml": COLLECTION, **{f"runs/run{at}.txt": RUN for at in range(1, 7)}}),
    Call("report gold.xml runs --audience Ann -o p.html", 2, "there is no such team", (), {
        "gold.xml": COLLECTION, "runs/run.txt": RUN}),
])  # fmt: skip
def test_which_files_are_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: Call) -> None:
    monkeypatch.chdir(tmp_path)
    assert_call(tmp_path, call)


def test_files_of_options_in_the_folder_are_no_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    teams = "run\tteam\nrun\tA\n"
    files = {"test.xml": UNLABELLED, "key.txt": KEY, "run.txt": RUN, "teams.tsv": teams}
    put_all(tmp_path, files | {"out.csv": "run,f1\n"})
    call = "score test.xml . --key key.txt --teams teams.tsv -f csv -o out.csv"
    assert ave(*call.split()) == (0, "", "")
    rows = (tmp_path / "out.csv").read_text().splitlines()
    assert [row.split(",")[0] for row in rows].count("run") == 2  # the header, and one run
