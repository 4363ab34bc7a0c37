"""Bundles for platforms, and what becomes of submissions: scores, or Failed in plain words."""

from __future__ import annotations

import io
import json
import os
import re
import runpy
import shutil
import sys
import warnings
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import ROOT
from tests.helpers_command import Said, ave, refusal

Files = Mapping[str | bytes, bytes | Path]
"""Name in a submission -> content, or where a link leads."""
Run = Callable[..., tuple[Said, dict[str, str]]]
Change = Callable[[dict[str, Any]], object]

BOLD = (ROOT / "sample_runs/tiny/bold.txt").read_bytes()
CAMPAIGN = f"""\
title = "Five *questions*: é"
terms = "terms.md"
docker_image = "me/ave-score:1"
[editions.2026]
measures = "f1, precision, f_beta(2), brier"
[editions.2026.tasks.A]
collection = "{ROOT}/gold/tiny.xml"
opens = 2026-05-01T02:00:00+02:00
closes = 2026-05-31T23:59:00Z
max_runs_per_group = 3
"""


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder as a worker of Codabench has it: program, reference data, no submission."""
    folder = tmp_path_factory.mktemp("worker")
    (folder / "campaign.toml").write_text(CAMPAIGN, "utf-8")
    (folder / "terms.md").write_text("# Rules\n", "utf-8")
    for name in ("bundle.zip", "again.zip"):
        ave("bundle", "codabench", folder / "campaign.toml", "-o", folder / name, code=0)
    # the same bytes, whenever it is made
    assert (folder / "bundle.zip").read_bytes() == (folder / "again.zip").read_bytes()
    with zipfile.ZipFile(folder / "bundle.zip") as archive:
        archive.extractall(folder)
    shutil.copytree(folder / "reference_data", folder / "input/ref")
    return folder


@pytest.fixture
def scored(worker: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs the scoring program on files of a submission."""

    def run(files: Files, written: str = "output") -> tuple[Said, dict[str, str]]:
        given, output = worker / "input/res", worker / "output"
        for folder in (given, output):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        for name, data in files.items():
            path = given / os.fsdecode(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(data, Path):
                path.symlink_to(data)
                assert path.exists()
            else:
                path.write_bytes(data)
        # as the platform does: the words of the command, without a shell
        metadata = yaml.safe_load((worker / "scoring_program/metadata.yaml").read_text("utf-8"))
        python, program, *paths = metadata["command"].split(" ")
        assert (python, program) == ("python3", "/app/program/score.py")
        assert paths == ["/app/input", "/app/output"]
        monkeypatch.setattr(sys, "argv", ["score.py", str(worker / "input"), str(worker / written)])
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(str(worker / "scoring_program/score.py"))
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        texts = {path.name: path.read_text("utf-8") for path in output.iterdir()}
        return Said(int(ended.value.code or 0), out, err), texts

    return run


ONE = [
    {"bold.txt": BOLD},
    {"a/b/bold.txt": BOLD, "__MACOSX/a/b/._bold.txt": b"x", "metadata": b"x", ".DS_Store": b"x"},
    {"run": BOLD, "metadata": b"x", "README.md": b"x"},
    {b"B\xfc\x1b[31mr\n<script>.txt": BOLD},
]
"""Submissions of one run, whatever else the zip file holds."""


@pytest.mark.parametrize("files", ONE, ids=range(len(ONE)))
def test_the_one_run_of_a_submission_is_scored(files: Files, scored: Run) -> None:
    said, texts = scored(files)
    assert said == (0, "", "")
    assert texts.keys() == {"scores.json", "detailed_results.html"}
    # by hand, without 4_2, which is UNKNOWN: 8 answers are accepted, among them all 4 that are
    # right; F(2) = 5 * 1/2 / (4 * 1/2 + 1); the squares of the differences sum to 1.8254
    scores = json.loads(texts["scores.json"])
    assert scores == pytest.approx(
        {"f1": 2 / 3, "precision": 1 / 2, "f_beta_2": 5 / 6, "brier": 1.8254 / 9}
    )
    page = texts["detailed_results.html"]
    assert "0.67" in page
    assert not re.search("Almora|TN-0101|>1_1<", page)  # the campaign shares scores only
    assert not re.search("https?://(?!www.w3.org)", page)
    assert "<script>.txt" not in page


def test_undefined_values_are_left_out(scored: Run) -> None:
    rejected = re.sub(rb"SELECTED|VALIDATED", b"REJECTED", BOLD)
    said, texts = scored({"run.txt": rejected})
    scores = json.loads(texts["scores.json"])
    assert (said.code, scores["f1"], scores["precision"]) == (0, 0, 0)
    # Brier needs probabilities
    _, texts = scored({"run.txt": BOLD.replace(b"0.70", b"7.0")})
    assert "brier" not in json.loads(texts["scores.json"])


FAILED = {
    "nothing": ({}, "the submission has no run: submit one run"),
    "two": ({"a.txt": BOLD, "b.txt": BOLD}, r"the submission has 2 files \(a.txt, b.txt\)"),
    "not finite": (
        {"a.txt": BOLD.replace(b"0.70", b"nan")},
        "a.txt:1:17 AVE106 confidence is 'nan'",
    ),
    "too short": (
        {"a.txt": b"1 1_1 REJECTED 0\n"},
        "a.txt AVE204 no line for answers '1_2' and '1_3' of question '1' .and 7 more.\n  AVE204",
    ),
    "a name": ({b"\xfc\x1b[m\n::error::.txt": b"x\n"}, r"\\xfc\\x1b\[m\\n:\\x3aerror::.txt"),
    "labels": ({"a.xml": (ROOT / "gold/tiny.xml").read_bytes()}, "a.xml:1 AVE116 "),
    "judged": ({"a.tsv": (ROOT / "gold/tiny.qa.tsv").read_bytes()}, "is a table of judged answers"),
    "zip in zip": ({"a.zip": b"PK\3\4" + bytes(99)}, "a.zip:1 AVE117 the file is not text"),
    "link": ({"a.txt": Path("../ref/collection.xml")}, "the submission has no run"),
    "empty": ({"a.txt": b""}, "a.txt AVE115 the file has no answers"),
}


@pytest.mark.parametrize(("files", "words"), FAILED.values(), ids=FAILED)
def test_a_submission_without_a_sound_run_fails(files: Files, words: str, scored: Run) -> None:
    said, texts = scored(files)
    assert (said.code, texts) == (1, {})
    assert re.search(words, said.err)
    assert said.err.startswith("Not scored:\n")


def test_scores_that_cannot_be_written_are_told(scored: Run) -> None:
    said, texts = scored({"bold.txt": BOLD}, "none")
    assert (said.code, texts) == (1, {})
    assert "cannot be written: its folder does not exist: tell the organisers" in said.err


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            b'"REJECTED"',
            b'"SECRET"',
            (1, "The scoring failed (RefusedError): tell the organisers.\n"),
        ),
        # a warning
        (b"</ave>", b'<q id="6"><q_str>Secret?</q_str></q></ave>', (0, "")),
    ],
)
def test_what_is_found_in_the_labels_is_not_told(
    old: bytes, new: bytes, expected: tuple[int, str], worker: Path, scored: Run
) -> None:
    gold = worker / "input/ref/collection.xml"
    sound = gold.read_bytes()
    gold.write_bytes(sound.replace(old, new))
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        said, texts = scored({"bold.txt": BOLD})
    gold.write_bytes(sound)
    assert (said.code, said.err, [*map(str, warned)]) == (*expected, [])
    assert bool(texts) is (said.code == 0)


def test_a_bundle_has_what_the_platform_reads(worker: Path) -> None:
    unpack((worker / "bundle.zip").read_bytes())
    read = yaml.safe_load((worker / "competition.yaml").read_text("utf-8"))
    assert (read["version"], read["title"]) == (2, "Five *questions*: é")
    assert read["docker_image"] == "me/ave-score:1"
    (phase,) = read["phases"]
    # the platform ignores offsets, so times are of UTC
    assert (phase["start"], phase["end"]) == ("2026-05-01 00:00:00", "2026-05-31 23:59:00")
    assert phase["max_submissions"] == 3
    ((board),) = read["leaderboards"]
    columns = [tuple(column.values()) for column in board["columns"]]
    assert columns == [
        (0, "f1", "F", "desc", 4),
        (1, "precision", "Precision", "desc", 4),
        (2, "f_beta_2", "F(2)", "desc", 4),
        (3, "brier", "Brier", "asc", 4),
    ]
    assert (worker / read["terms"]).read_text("utf-8") == "# Rules\n"
    for page in read["pages"]:
        text = (worker / page["file"]).read_text("utf-8")
        assert text.startswith("# ")
    kit = worker / phase["starting_kit"]
    ave("check", kit / "run.txt", "--collection", kit / "collection.xml", code=0)
    assert not re.search("VALIDATED|REJECTED|UNKNOWN|value=", (kit / "collection.xml").read_text())
    assert ave("bundle", "check", worker / "bundle.zip", code=0).out.count("AVE713") == 1  # image


def unpack(data: bytes) -> None:
    """Read a bundle as Codabench does, as its sources say; raises for what it refuses.

    These are competitions/unpackers/ (version 2), the models of competitions and leaderboards, and
    compute_worker.py, which reads the metadata of a program.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
        read = yaml.safe_load(archive.read("competition.yaml"))
        assert str(read["version"]) == "2"
        assert 0 < len(read["title"]) <= 256
        for text in (read["terms"], *(page["file"] for page in read["pages"])):
            assert archive.read(text).decode()
        assert archive.read(read["image"]).startswith(b"\x89PNG")
        tasks = {task["index"]: task for task in read["tasks"]}
        assert 0 < len(tasks) == len(read["tasks"])
        for task in tasks.values():
            assert any(name.startswith(f"{task['reference_data']}/") for name in names)
            program = yaml.safe_load(archive.read(f"{task['scoring_program']}/metadata.yaml"))
            assert program["command"]
    ended = ""
    for part in (*read["phases"], *read.get("solutions", ())):
        assert {*part["tasks"]} <= tasks.keys()
    for phase in read["phases"]:
        assert ended is not None
        assert ended < str(phase["start"])
        ended = phase.get("end")
    for board in read["leaderboards"]:
        for key in ("index", "key"):
            assert len({column[key] for column in board["columns"]}) == len(board["columns"])
        for column in board["columns"]:
            assert max(len(column["key"]), len(column["title"])) <= 36
            assert column["sorting"] in ("asc", "desc")


def changed(worker: Path, change: Change, **files: bytes | None) -> bytes:
    """Return the bundle with another description, and with other files, or without these."""
    out = io.BytesIO()
    with zipfile.ZipFile(worker / "bundle.zip") as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            data: bytes | None = old.read(name)
            if name == "competition.yaml":
                document = json.loads(old.read(name))
                change(document)
                data = yaml.safe_dump(document).encode()
            data = files.get(name, data)
            if data is not None:
                new.writestr(name, data)
    return out.getvalue()


def phase_after(document: dict[str, Any]) -> None:
    document["phases"].append(document["phases"][0] | {"start": "2026-05-02"})


REFUSED: dict[str, tuple[Change, dict[str, bytes | None], str]] = {
    "title": (lambda d: d.pop("title"), {}, "AVE711 title of the competition: found 'missing'"),
    "version": (lambda d: d.update(version=1.5), {}, "AVE711 version .* found '1.5', expected '?2"),
    "boards": (
        lambda d: d.update(leaderboard=d.pop("leaderboards")),
        {},
        "AVE711 leaderboards of the competition: found 'missing'",
    ),
    "pages": (lambda d: d.pop("pages"), {}, "AVE711 pages of the competition"),
    "page": (
        lambda _: None,
        {"pages/data.md": b""},
        r"AVE712 file of pages\[2\]: 'pages/data.md' is empty",
    ),
    "gone": (
        lambda _: None,
        {"logo.png": None},
        "AVE712 image of the competition: 'logo.png' is not in",
    ),
    "picture": (lambda _: None, {"logo.png": b"x"}, "AVE712 image of .*: 'logo.png' is no PNG"),
    "terms": (lambda _: None, {"pages/terms.md": b"\xff"}, "AVE712 terms of .* is not UTF-8"),
    "program": (lambda _: None, {"scoring_program/metadata.yaml": None}, "AVE712 .*metadata.yaml"),
    "task": (lambda d: d["phases"][0].update(tasks=[7]), {}, "AVE711 tasks of .*'7', expected the"),
    "index": (
        lambda d: d["leaderboards"][0]["columns"][1].update(index=0),
        {},
        r"AVE711 index of columns\[0\] of leaderboards\[0\] and others: found '0', expected one",
    ),
    "key": (
        lambda d: d["leaderboards"][0]["columns"][1].update(key="k" * 37),
        {},
        "AVE711 key of .* expected a text of at most 36 characters",
    ),
    "sorting": (
        lambda d: d["leaderboards"][0]["columns"][1].update(sorting="up"),
        {},
        "AVE711 sorting of .* expected one of asc, desc",
    ),
    "overlap": (
        phase_after,
        {},
        r"AVE711 start of phases\[1\]: found '2026-05-02', expected a later time",
    ),
    "types": (lambda d: d.update(tasks=[7], phases={}), {}, r"AVE711 tasks\[0\]: found '7'"),
}


@pytest.mark.parametrize(("change", "files", "words"), REFUSED.values(), ids=REFUSED)
def test_what_the_platform_would_refuse_is_found(
    change: Change,
    files: dict[str, bytes | None],
    words: str,
    worker: Path,
    tmp_path: Path,
) -> None:
    path = tmp_path / "b.zip"
    path.write_bytes(changed(worker, change, **files))
    with pytest.raises((AssertionError, KeyError, TypeError, UnicodeDecodeError)):
        unpack(path.read_bytes())
    assert re.search(words, ave("bundle", "check", path, code=1).out)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"x", "AVE711 the file: found 'File is not a zip file'"),
        (b"PK\3\4", "AVE711 the file"),
        # an end of a zip file whose folder would begin before the file
        (b"PK\5\6" + bytes(8) + b"\xff" * 8 + bytes(2), "AVE711 the file"),
        (
            "b/competition.yaml",
            "AVE711 competition.yaml: found 'only in a folder: b/competition.yaml'",
        ),
        ("competition.yaml", "AVE711 the competition: found 'nothing', expected settings"),
    ],
)
def test_what_is_no_bundle_is_found(data: bytes | str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "b.zip"
    if isinstance(data, bytes):
        path.write_bytes(data)
    else:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(data, "null")
    assert words in ave("bundle", "check", path, code=1).out


def test_a_task_is_chosen(tmp_path: Path) -> None:
    campaign = "sample_runs/campaign.toml"
    assert "choose 2006/en, " in refusal("bundle", "codabench", campaign)
    assert "did you mean 2007/es?" in refusal("bundle", "codabench", campaign, "--task", "2007/ess")
    said = ave(
        "bundle", "codabench", campaign, "--task", "2006/de", "-o", tmp_path / "b.zip", code=0
    )
    assert "AVE713" in said.err
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        assert archive.read("starting_kit/run.txt").split()[1:3] == [b"NO", b"0"]  # a pair
        columns = json.loads(archive.read("competition.yaml"))["leaderboards"][0]["columns"]
    assert [column["key"] for column in columns] == ["f1", "precision", "recall"]


def test_wheels_are_in_the_bundle(tmp_path: Path) -> None:
    path, campaign = tmp_path / "b.zip", "sample_runs/tiny-campaign.toml"
    assert "no wheels" in refusal("bundle", "codabench", campaign, "--wheels", tmp_path)
    (tmp_path / "ave_score-1-py3-none-any.whl").write_bytes(b"x")
    said = ave("bundle", "codabench", campaign, "--wheels", tmp_path, "-o", path, code=0)
    assert "docker_image" not in said.err
    with zipfile.ZipFile(path) as archive:
        assert "scoring_program/wheels/ave_score-1-py3-none-any.whl" in archive.namelist()
