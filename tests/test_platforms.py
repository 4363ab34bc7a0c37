"""Bundles for platforms, and what becomes of submissions: scores, or Failed in plain words. What
platforms read and write is as their published sources have it; TIRA's own code reads what is
written for it, where it is installed."""

from __future__ import annotations

import importlib
import io
import json
import math
import os
import re
import runpy
import shutil
import subprocess
import sys
import traceback
import warnings
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType

import pandas
import pytest
import yaml

from ave_score import AveScoreError, Policies, UsageError
from ave_score.platforms import evalai, kaggle
from tests import mostly_slow, slow
from tests.conftest import ROOT
from tests.helpers_command import Said, ave, process, put_all, refusal
from tests.helpers_files import ANSWERS, QA4MRE

Files = Mapping[str | bytes, bytes | Path]
"""Name in a submission -> content, or where a link leads."""
Run = Callable[..., tuple[Said, dict[str, str]]]

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
max_runs_per_team = 3
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
    """Return a function that runs the program of a platform on files of a submission."""

    def run(
        files: Files, module: str | None = None, written: str = "output"
    ) -> tuple[Said, dict[str, str]]:
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
        if module is not None:
            folders = [worker / "input/ref", given]
            folders = folders if module.endswith("tira") else folders[::-1]
            main = importlib.import_module(module).main
            return ended(lambda: sys.exit(main(*map(str, folders), str(output))), output)
        # as the platform does: the words of the command, without a shell
        metadata = yaml.safe_load((worker / "scoring_program/metadata.yaml").read_text("utf-8"))
        python, program, *paths = metadata["command"].split(" ")
        assert (python, program) == ("python3", "/app/program/score.py")
        assert paths == ["/app/input", "/app/output"]
        monkeypatch.setattr(sys, "argv", ["score.py", str(worker / "input"), str(worker / written)])
        return ended(lambda: runpy.run_path(str(worker / "scoring_program/score.py")), output)

    def ended(program: Callable[[], object], output: Path) -> tuple[Said, dict[str, str]]:
        with pytest.raises(SystemExit) as end:
            program()
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        texts = {path.name: path.read_text("utf-8") for path in output.iterdir()}
        return Said(int(end.value.code or 0), out, err), texts

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
    "not finite": ({"a.txt": BOLD.replace(b"0.70", b"nan")},
        "a.txt:1:17 AVE106 confidence is 'nan'"),
    "too short": ({"a.txt": b"1 1_1 REJECTED 0\n"},
        "a.txt AVE204 no line for answers '1_2' and '1_3' of question '1' .and 7 more.\n  AVE204"),
    "a name": ({b"\xfc\x1b[m\n::error::.txt": b"x\n"}, r"\\xfc\\x1b\[m\\n:\\x3aerror::.txt"),
    "labels": ({"a.xml": (ROOT / "gold/tiny.xml").read_bytes()}, "a.xml:1 AVE116 "),
    "judged": ({"a.tsv": (ROOT / "gold/tiny.qa.tsv").read_bytes()}, "is a table of judged answers"),
    "zip in zip": ({"a.zip": b"PK\3\4" + bytes(99)}, "a.zip:1 AVE117 the file is not text"),
    "link": ({"a.txt": Path("../ref/collection.xml")}, "the submission has no run"),
    "empty": ({"a.txt": b""}, "a.txt AVE115 the file has no answers"),
}  # fmt: skip


TIRA, GRAND_CHALLENGE = "ave_score.platforms.tira", "ave_score.platforms.grand_challenge"


@pytest.mark.parametrize("module", [None, TIRA, GRAND_CHALLENGE])
@pytest.mark.parametrize(("files", "words"), FAILED.values(), ids=FAILED)
def test_a_submission_without_a_sound_run_fails(
    files: Files, words: str, module: str | None, scored: Run
) -> None:
    said, texts = scored(files, module)
    assert (said.code, texts) == (1, {})
    assert re.search(words, said.err)
    assert said.err.startswith("Not scored:\n")


@pytest.mark.slow
@pytest.mark.parametrize(("module", "words", "usage"), mostly_slow([
    (TIRA, ["a", "b"], "TRUTHS RUN OUTPUT"),
    (GRAND_CHALLENGE, ["a", "b", "c", "d"], "[SUBMISSION] [TRUTH] [OUTPUT]"),
], 1))  # fmt: skip
def test_a_program_says_what_it_takes(module: str, words: list[str], usage: str) -> None:
    command = [sys.executable, "-m", module, *words]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    said = ended.returncode, ended.stdout, ended.stderr
    assert said == (2, "", f"Usage: python3 -m {module} {usage}\n")
    asked = subprocess.run([*command[:3], "--help"], capture_output=True, text=True, check=False)
    assert (asked.returncode, asked.stdout, asked.stderr) == (0, said[2], "")


def test_scores_that_cannot_be_written_are_told(scored: Run) -> None:
    said, texts = scored({"bold.txt": BOLD}, written="none")
    assert (said.code, texts) == (1, {})
    assert "cannot be written: its folder does not exist: tell the organisers" in said.err


@pytest.mark.parametrize(("old", "new", "expected"), [
    (b'"REJECTED"', b'"SECRET"', (1, "The scoring failed (RefusedError): tell the organisers.\n")),
    # a warning
    (b"</ave>", b'<q id="6"><q_str>Secret?</q_str></q></ave>', (0, "")),
])  # fmt: skip
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
    said = ave("bundle", "codabench", worker / "campaign.toml", "-o", worker / "again.zip", code=0)
    assert said.err.count("\n") == 1
    assert "AVE713 warning: the campaign file does not have image:" in said.err


GRADED = {
    "gold.xml": """\
<ave assessor="Eve">
 <q id="1" lang="EN" right="1_2"><q_str>Who?</q_str>
  <a id="1_1" value="REJECTED" grade="0"><a_str>Ada</a_str><t_str doc="d1">Ada came.</t_str></a>
  <a id="1_2" value="VALIDATED" grade="3"><a_str>Bob</a_str><t_str doc="d2">Bob did.</t_str></a></q>
</ave>
""",
    "gold.csv": """\
q_id,a_id,label,grade,question,answer,text,doc,right
1,1_1,REJECTED,0,Who?,Ada,Ada came.,d1,1_2
1,1_2,VALIDATED,3,Who?,Bob,Bob did.,d2,1_2
""",
}
"""A collection whose grades and attributes say which answer is right, in two notations."""

BLIND = """\
<?xml version="1.0" encoding="UTF-8"?>
<ave>
  <q id="1">
    <q_str>Who?</q_str>
    <a id="1_1">
      <a_str>Ada</a_str>
      <t_str doc="d1">Ada came.</t_str>
    </a>
    <a id="1_2">
      <a_str>Bob</a_str>
      <t_str doc="d2">Bob did.</t_str>
    </a>
  </q>
</ave>
"""
"""What of it is public: ids and texts, and nothing else."""


@pytest.mark.parametrize("name", GRADED)
def test_what_systems_get_has_ids_and_texts_and_nothing_else(tmp_path: Path, name: str) -> None:
    """Neither labels nor grades, attributes of questions and those of the file."""
    campaign = CAMPAIGN.replace(f"{ROOT}/gold/tiny.xml", name)
    put_all(tmp_path, {"campaign.toml": campaign, name: GRADED[name], "terms.md": "# Rules"})
    for platform in ("codabench", "tira"):
        output = tmp_path / platform
        ave("bundle", platform, tmp_path / "campaign.toml", "-o", output, code=0)
    with zipfile.ZipFile(tmp_path / "codabench") as archive:
        kits = [archive.read("starting_kit/collection.xml").decode()]
        found = archive.read(f"reference_data/collection{Path(name).suffix}")
        assert found.decode() == GRADED[name]
    kits.append((tmp_path / "tira/inputs/collection.xml").read_text("utf-8"))
    assert kits == [BLIND] * 2


def unpack(data: bytes) -> None:
    """Read a bundle as Codabench does, as its sources say; raises for what it refuses. These are
    competitions/unpackers/ (version 2), the models of competitions and leaderboards, and
    compute_worker.py, which reads the metadata of a program."""
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
    folders = [part["path"] for part in read.get("solutions", ())]
    folders += [phase["starting_kit"] for phase in read["phases"]]
    assert all(any(name.startswith(f"{folder}/") for name in names) for folder in folders)
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


REFUSED: dict[str, tuple[str, str, dict[str, bytes], str]] = {
    "title": ("Five *questions*: é", "x" * 257, {},
        "AVE711 title of the competition: found 'xx.*, expected a text of at most 256 characters"),
    "times": ("closes = 2026-05-31", "closes = 2026-04-30", {},
        r"AVE711 end of phases\[0\]: found '2026-04-30 23:59:00', expected a time after its start"),
    "picture": ("terms =", 'image = "logo.png"\nterms =', {"logo.png": b"x"},
        "AVE712 image of the competition: 'logo.png' is no PNG, JPEG or GIF"),
    "terms": ("", "", {"terms.md": b"\xff"}, "AVE712 terms of the competition: .* is not UTF-8"),
    "no terms": ("", "", {"terms.md": b""}, "AVE712 terms of the competition: .* is empty"),
}  # fmt: skip
"""What of the campaign file is replaced, by what, other files -> the finding."""


@pytest.mark.parametrize(("old", "new", "files", "words"), REFUSED.values(), ids=REFUSED)
def test_what_the_platform_would_refuse_is_not_written(
    old: str, new: str, files: dict[str, bytes], words: str, tmp_path: Path
) -> None:
    """The platform's limits are those of its models of competitions and leaderboards."""
    put_all(tmp_path, {"campaign.toml": CAMPAIGN.replace(old, new), "terms.md": "# Rules\n"})
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    target = tmp_path / "b.zip"
    said = ave("bundle", "codabench", tmp_path / "campaign.toml", "-o", target, code=1)
    assert re.search(words, said.err)
    assert said.err.endswith("ave-score: nothing written\n")
    assert not target.exists()


def test_a_bundle_that_no_worker_can_score_with_is_refused(tmp_path: Path) -> None:
    """Without the package, every submission fails: it is in the image, or among the wheels."""
    campaign = "sample_runs/tiny-campaign.toml"
    expected = "an image that has ave_score, or else its wheels (--wheels FOLDER)"
    said = ave("bundle", "codabench", campaign, "-o", tmp_path / "b.zip", code=1)
    found = "found 'python:3.12-slim, which has no ave_score'"
    assert f"AVE711 docker_image of the competition: {found}, expected {expected}" in said.err
    assert "ave-score: nothing written" in said.err
    (tmp_path / "numpy-2-any.whl").write_bytes(b"x")
    wheels = "--wheels", tmp_path, "-o", tmp_path / "b.zip"
    said = ave("bundle", "codabench", campaign, *wheels, code=1)
    assert "numpy-2-any.whl, none of which is of ave_score'" in said.err
    assert not (tmp_path / "b.zip").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.parametrize("kind", ["pipe", *map(slow, ["device", "folder", "large"])])
@pytest.mark.parametrize("what", mostly_slow(["image", "terms", "wheels", "anonymous"], 1))
def test_what_has_no_end_is_not_read(
    what: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody writes to the pipe, and /dev/zero never ends: reading either would not end."""
    monkeypatch.chdir(tmp_path)
    odd = "wheels/ave_score-1.whl" if what == "wheels" else "odd"
    Path("wheels").mkdir()
    match kind:
        case "pipe":
            os.mkfifo(odd)
        case "device":
            Path(odd).symlink_to("/dev/zero")
        case "folder":
            Path(odd).mkdir()
        case _:  # a sparse file, which takes no room
            with Path(odd).open("wb") as file:
                file.truncate(2 << 30 if what == "wheels" else (20 << 20) + 1)
    setting = f'{what} = "odd"\n' if what in ("image", "terms", "anonymous") else ""
    collection = f'[editions.e.languages.en]\ncollection = "{ROOT}/gold/tiny.xml"\n'
    text = f'docker_image = "a/b"\n{setting}{collection}runs = "{ROOT}/sample_runs/tiny"\n'
    Path("c.toml").write_text(text, "utf-8")
    words = {
        "wheels": ["bundle", "codabench", "c.toml", "--wheels", "wheels"],
        "anonymous": ["campaign", "c.toml", "-o", "site", "--audience", "public"],
    }.get(what, ["bundle", "codabench", "c.toml"])
    done = process(*words) if kind == "pipe" else ave(*words)
    limit = {"anonymous": "4,096 bytes", "wheels": "1,024 MiB"}
    reason = f"holds more than {limit.get(what, '20 MiB')}"
    assert (done.code, done.out) == (2, "")
    assert (reason if kind == "large" else "is not a regular file") in done.err
    assert odd in done.err
    assert {path.name for path in tmp_path.iterdir()} <= {"c.toml", "wheels", "odd"}


def test_a_task_is_chosen(tmp_path: Path) -> None:
    campaign = "sample_runs/campaign.toml"
    assert "choose 2006/en, " in refusal("bundle", "codabench", campaign)
    assert "did you mean 2007/es?" in refusal("bundle", "codabench", campaign, "--task", "2007/ess")
    assert "no task 'xx'; there are 2006/" in refusal("bundle", "tira", campaign, "--task", "xx")
    several = refusal("bundle", "codabench", campaign, "--task", "de")
    assert "has several tasks 'de': choose 2006/de, " in several
    (tmp_path / "ave_score-1-py3-none-any.whl").write_bytes(b"x")  # without it, none can score
    chosen = "--task", "2006/de", "--wheels", tmp_path
    said = ave("bundle", "codabench", campaign, *chosen, "-o", tmp_path / "b.zip", code=0)
    assert "AVE713" in said.err
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        assert archive.read("starting_kit/run.txt").split()[1:3] == [b"NO", b"0"]  # a pair
        columns = json.loads(archive.read("competition.yaml"))["leaderboards"][0]["columns"]
    assert [column["key"] for column in columns] == ["f1", "precision", "recall"]


@pytest.mark.parametrize(("settings", "share"), [("", 1), ("threshold = 0.75\n", 2 / 3)])
def test_a_bundle_reads_files_as_its_campaign_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: str, share: float
) -> None:
    """As at PAN, with a mean of measures, whose key is longer than a column can have. Of the
    decisions YES, NO and YES all are right; from .75, the third is NO."""
    text = f"""docker_image = "me/ave-score:1"
[editions.1]
measures = "mean(accuracy, harmonic_mean(accuracy, accuracy)), accuracy"
missing = "unanswered"
columns = {{ pair_id = "id", label = "same" }}
values = {{ true = "YES", false = "NO" }}
{settings}[editions.1.tasks.a]
collection = "truth.jsonl"
"""
    gold = [{"id": f"p{n}", "same": n != 2, "authors": []} for n in (1, 2, 3)]
    run = [{"id": f"p{n}", "value": value} for n, value in enumerate((0.9, 0.2, 0.7), 1)]
    lines = ["".join(f"{json.dumps(row)}\n" for row in rows) for rows in (gold, run)]
    put_all(tmp_path, {"c.toml": text, "truth.jsonl": lines[0], "in/res/run.jsonl": lines[1]})
    ave("bundle", "codabench", tmp_path / "c.toml", "-o", tmp_path / "b.zip", code=0)
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        archive.extractall(tmp_path)
    shutil.copytree(tmp_path / "reference_data", tmp_path / "in/ref")
    (tmp_path / "out").mkdir()
    words = ["score.py", str(tmp_path / "in"), str(tmp_path / "out")]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit, match=r"^0$"):
        runpy.run_path(str(tmp_path / "scoring_program/score.py"))
    scores = json.loads((tmp_path / "out/scores.json").read_text())
    competition = json.loads((tmp_path / "competition.yaml").read_text())
    columns = [column["key"] for column in competition["leaderboards"][0]["columns"]]
    assert [*scores] == columns and max(map(len, columns)) <= 36
    assert [*scores.values()] == [pytest.approx(share)] * 2


def test_wheels_are_in_the_bundle(tmp_path: Path) -> None:
    path, campaign = tmp_path / "b.zip", "sample_runs/tiny-campaign.toml"
    assert "no wheels" in refusal("bundle", "codabench", campaign, "--wheels", tmp_path)
    (tmp_path / "ave_score-1-py3-none-any.whl").write_bytes(b"x")
    said = ave("bundle", "codabench", campaign, "--wheels", tmp_path, "-o", path, code=0)
    assert "docker_image" not in said.err
    with zipfile.ZipFile(path) as archive:
        assert "scoring_program/wheels/ave_score-1-py3-none-any.whl" in archive.namelist()


@pytest.fixture(scope="module")
def task(worker: Path) -> Path:
    """Return the folder of a task for TIRA."""
    ave("bundle", "tira", worker / "campaign.toml", "-o", worker / "task", code=0)
    return worker / "task"


of_tira_warns = pytest.mark.filterwarnings("ignore::ResourceWarning")
"""TIRA's code leaves files open."""


def of_tira(module: str) -> ModuleType:
    """Return a module of TIRA, or of what it needs."""
    reason = "WHAT TIRA READS IS NOT READ BY ITS OWN CODE: pip install tira"
    found: ModuleType = pytest.importorskip(module, reason=reason)
    return found


@pytest.mark.slow
def test_commands_of_containers_score(task: Path, tmp_path: Path) -> None:
    """As TIRA runs its evaluator, in a shell with folders in the place of variables."""
    run, output = tmp_path / "run", tmp_path / "output"
    for folder in (run, output):
        folder.mkdir()
    (run / "bold.txt").write_bytes(BOLD)
    folders = {"inputDataset": task / "truths", "inputRun": run, "outputDir": output}
    command = re.search('"command": "(python3 .*)"', (task / "README.md").read_text("utf-8"))
    assert command is not None
    words = command[1].replace("python3", sys.executable)
    env = os.environ | {name: str(path) for name, path in folders.items()}
    subprocess.run(words, shell=True, check=True, env=env)
    folders["inputRun"], folders["inputDataset"] = folders["inputDataset"], folders["inputRun"]
    paths = map(str, folders.values())
    subprocess.run([sys.executable, "-m", GRAND_CHALLENGE, *paths], check=True)
    names = {path.name for path in output.iterdir()}
    assert names == {"evaluation.prototext", "metrics.json"}


def test_tira_gets_scores_as_its_readers_need_them(scored: Run) -> None:
    said, texts = scored({"bold.txt": BOLD, "ir-metadata.yml": b"x: 1\n"}, TIRA)
    assert said == (0, "", "")
    assert texts.keys() == {"evaluation.prototext"}
    # F and precision by hand: see above; a reader splits at the words measure, key and value
    assert texts["evaluation.prototext"].startswith(
        f'measure {{\n  key: "f1"\n  value: "{2 / 3}"\n}}\n'
        'measure {\n  key: "precision"\n  value: "0.5"\n}\n'
    )
    keys = re.findall('key: "(.*)"', texts["evaluation.prototext"])
    assert keys == ["f1", "precision", "f_beta_2", "brier"]
    assert not any(re.search("measure|key|value", key) for key in keys)


@of_tira_warns
def test_tira_reads_scores(scored: Run, worker: Path) -> None:
    reader = of_tira("tira.io_utils")
    scored({"bold.txt": BOLD}, TIRA)
    assert reader.load_output_of_directory(worker / "output", evaluation=True) == pytest.approx(
        {"f1": 2 / 3, "precision": 1 / 2, "f_beta_2": 5 / 6, "brier": 1.8254 / 9}
    )


def test_a_task_of_tira_has_what_it_names(task: Path) -> None:
    text = (task / "README.md").read_text("utf-8")
    card = yaml.safe_load(text.split("---\n")[1])
    settings = card["tira_configs"]
    fields = {"id_field": "a_id", "value_field": "verdict", "minimum_lines": 1}
    command = "cp $inputDataset/run.jsonl $outputDir/run.jsonl"
    of_format = {"name": "*.jsonl", "config": fields}
    expected = {"link": "baseline", "command": command, "format": of_format}
    assert settings["baseline"] == expected
    assert settings["evaluator"] == {
        "image": "me/ave-score:1",
        "command": "python3 -m ave_score.platforms.tira $inputDataset $inputRun $outputDir",
    }
    assert [part["config_name"] for part in card["configs"]] == ["inputs", "truths"]
    assert settings["input_format"] == settings["truth_format"] == {"name": "arbitrary"}
    assert '"pretty_name": "Five *questions*: é"' in text
    files = {str(path.relative_to(task)) for path in task.rglob("*") if path.is_file()}
    assert files == {
        "README.md", "baseline/Dockerfile", "inputs/collection.xml", "inputs/run.jsonl",
        "truths/campaign.toml", "truths/collection.xml",
    }  # fmt: skip
    collection = task / "inputs/collection.xml"
    ave("check", task / "inputs/run.jsonl", "--collection", collection, code=0)
    assert not re.search("VALIDATED|REJECTED|UNKNOWN|value=", collection.read_text("utf-8"))


def test_tira_accepts_runs_and_leaderboards(task: Path, tmp_path: Path) -> None:
    checks = of_tira("tira.check_format")
    card = yaml.safe_load((task / "README.md").read_text("utf-8").split("---\n")[1])
    runs = card["tira_configs"]["baseline"]["format"]
    (tmp_path / "run").mkdir()
    ave("convert", "sample_runs/tiny/bold.txt", "--to", "jsonl", "-o", tmp_path / "run/run.jsonl")
    level, said = checks.check_format(tmp_path / "run", runs["name"], runs["config"])
    assert level.name == "OK", said
    scores = ave("score", "gold/tiny.xml", "sample_runs/tiny", "-f", "trec", code=0).out
    (tmp_path / "scores").write_text(scores, "utf-8")
    level, said = checks.check_format(tmp_path / "scores", "trec-eval-leaderboard")
    assert level.name == "OK", said


@of_tira_warns
def test_tira_accepts_a_task(task: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `tira-cli dataset-submission --dry-run --skip-baseline` does."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    client = of_tira("tira.rest_api_client").Client()
    of_tira("datasets")
    done = client.submit_dataset(task, "t", "test", True, skip_baseline=True)
    names = {path.name for path in done["truths_dir"].iterdir()}
    assert names == {"campaign.toml", "collection.xml"}


def test_a_task_of_tira_is_written_completely_or_not_at_all(task: Path, tmp_path: Path) -> None:
    campaign = "sample_runs/tiny-campaign.toml"
    said = refusal("bundle", "tira", campaign, "-o", tmp_path / "new")
    assert "name it as docker_image in sample_runs/tiny-campaign.toml" in said
    said = refusal("bundle", "tira", task.parent / "campaign.toml", "-o", task)
    assert "cannot be written: directory not empty" in said
    assert not [*tmp_path.iterdir()]
    assert not [path for path in task.parent.iterdir() if path.name.startswith(".")]


def test_grand_challenge_gets_aggregates(scored: Run) -> None:
    said, texts = scored(ONE[1], GRAND_CHALLENGE)
    assert (said, [*texts]) == ((0, "", ""), ["metrics.json"])
    metrics = json.loads(texts["metrics.json"])
    assert metrics["aggregates"]["f1"] == pytest.approx(2 / 3)
    assert metrics["results"] == []


def test_evalai_gets_the_scores_of_a_split(tmp_path: Path) -> None:
    found = evalai.evaluate(
        "gold/tiny.xml", "sample_runs/tiny/bold.txt", "dev", measures="f1", submission_metadata={}
    )
    assert found["result"] == [{"dev": {"f1": pytest.approx(2 / 3)}}]
    json.dumps(found, allow_nan=False)
    assert found["submission_metadata"] == ""  # the worker writes it to a file as it is
    windows = tmp_path / "windows.txt"
    windows.write_bytes(b"\xef\xbb\xbf" + BOLD.replace(b"\n", b"\r\n"))
    told = evalai.evaluate("gold/tiny.xml", str(windows), "dev", measures="f1")
    lines = str(told["submission_metadata"]).split("\n")
    assert told["submission_result"] == {"f1": pytest.approx(2 / 3)}
    codes = [re.findall("^windows.txt(?::1)? (AVE...) warning: ", line) for line in lines]
    assert (codes, told["result"]) == ([["AVE111"], ["AVE112"]], found["result"])
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"1 1_1 REJECTED nan\n")
    with pytest.raises(AveScoreError, match=r"Not scored:\nbad.txt:1:16 AVE106 .* is 'nan'"):
        evalai.evaluate("gold/tiny.xml", str(bad), "dev")
    # participants see the traceback, so nothing of the labels may be in it
    gold = tmp_path / "gold.xml"
    gold.write_bytes(Path("gold/tiny.xml").read_bytes().replace(b'"REJECTED"', b'"SECRET"'))
    with pytest.raises(AveScoreError) as failed:
        evalai.evaluate(str(gold), "sample_runs/tiny/bold.txt", "dev")
    text = "".join(traceback.format_exception(failed.value))
    assert "The scoring failed (RefusedError): tell the organisers." in text
    assert "SECRET" not in text


def test_answers_are_right_as_the_labels_say(tmp_path: Path) -> None:
    """One of five answers is right, three are withheld: c@1 is (1 + 3 * 1/5) / 5; 0 if wrong."""
    put_all(tmp_path, {"gold.xml": QA4MRE})
    for a_id, value in ("2", 8 / 25), ("1", 0):
        answers = ANSWERS.replace('<answer a_id="2"/>', f'<answer a_id="{a_id}"/>', 1)
        put_all(tmp_path, {"answers.xml": answers})
        gold, run = str(tmp_path / "gold.xml"), str(tmp_path / "answers.xml")
        found = evalai.evaluate(gold, run, "dev", measures="c_at_1")
        assert found["submission_result"] == {"c_at_1": pytest.approx(value)}
        assert found["submission_metadata"] == ""


@pytest.fixture
def frames() -> tuple[pandas.DataFrame, pandas.DataFrame]:
    """Return the solution and a submission as Kaggle has them, with rows in another order."""
    gold = ave("convert", "gold/tiny.xml", "--to", "csv", "-o", "-").out
    solution = pandas.read_csv(io.StringIO(gold), dtype=str)
    solution["row"], solution["Usage"] = [*range(len(solution))], "Public"
    names = ["q_id", "a_id", "verdict", "confidence"]
    run = pandas.read_csv(io.BytesIO(BOLD), sep=" ", names=names, dtype={"q_id": str})
    run = run.merge(solution[["a_id", "row"]])[["row", "verdict", "confidence"]]
    return solution, run.iloc[::-1]


def test_kaggle_gets_one_number(frames: tuple[pandas.DataFrame, pandas.DataFrame]) -> None:
    assert kaggle.score(*frames, "row") == pytest.approx(2 / 3)
    assert kaggle.score(*frames, "row", "brier") == pytest.approx(1.8254 / 9)
    with pytest.raises(UsageError, match="no measure 'f11'"):  # only organisers see it
        kaggle.score(*frames, "row", "f11")
    pairs = (
        pandas.DataFrame({"pair_id": ["a", "b", "c"], "label": ["YES", "NO", "YES"]}),
        pandas.DataFrame({"pair_id": ["c", "b", "a"], "verdict": ["YES", "NO", "NO"]}),
    )
    pairs[1]["confidence"] = 0.5
    assert kaggle.score(*pairs, "pair_id", "recall") == 0.5
    graded = pandas.DataFrame({"row": ["a", "b"], "q_id": "1", "a_id": ["x", "y"]})
    run = pandas.DataFrame({"row": ["a", "b"], "verdict": ["SELECTED", "VALIDATED"]})
    graded["label"], graded["grade"], run["confidence"] = ["REJECTED", "VALIDATED"], [1, 3], [2, 1]
    # gains are 2^1 - 1 and 2^3 - 1, the greater one in the second place
    expected = (1 + 7 / math.log2(3)) / (7 + 1 / math.log2(3))
    assert kaggle.score(graded, run, "row", "ndcg") == pytest.approx(expected)


def test_what_is_unknown_counts_as_the_organisers_say(
    frames: tuple[pandas.DataFrame, pandas.DataFrame], tmp_path: Path
) -> None:
    """With 4_2 as correct, 5 of 9 accepted answers are, and all 5: F is 2 * 5/9 / (5/9 + 1)."""
    policies = Policies(unknown="correct")
    found = evalai.evaluate(
        "gold/tiny.xml", "sample_runs/tiny/bold.txt", "dev", measures="f1", policies=policies
    )
    values = [found["submission_result"], {"f1": kaggle.score(*frames, "row", policies=policies)}]
    # a bundle, of a collection with a key
    xml = Path("gold/tiny.xml").read_text("utf-8")
    key = re.findall(r'<a id="((\d)_\d)" value="(\w+)"', xml)
    lines = [f"{q_id} {a_id} {label}\n" for a_id, q_id, label in key]
    put_all(tmp_path, {"blind.xml": re.sub(' value="\\w+"', "", xml), "key.txt": "".join(lines)})
    put_all(tmp_path, {"terms.md": "# Rules", "input/res/bold.txt": BOLD.decode()})
    files = 'collection = "blind.xml"\nkey = "key.txt"'
    campaign = CAMPAIGN.replace(f'collection = "{ROOT}/gold/tiny.xml"', files)
    campaign = campaign.replace("measures =", 'unknown = "correct"\nmeasures =')
    put_all(tmp_path, {"campaign.toml": campaign})
    command = "bundle", "codabench", tmp_path / "campaign.toml", "-o", tmp_path / "b.zip"
    ave(*command, code=0)
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        archive.extractall(tmp_path)
    (tmp_path / "reference_data").rename(tmp_path / "input/ref")
    program = importlib.import_module("ave_score.platforms.codabench").main
    assert program(str(tmp_path / "input"), str(tmp_path)) == 0
    of_bundle = json.loads((tmp_path / "scores.json").read_text("utf-8"))
    values.append({"f1": of_bundle["f1"]})
    assert values == [{"f1": pytest.approx(5 / 7)}] * 3
    # a key with errors scores nothing, which is better known before it is uploaded
    put_all(tmp_path, {"key.txt": "".join(lines).replace("REJECTED", "NEIN", 1)})
    (tmp_path / "b.zip").unlink()
    assert "'NEIN'" in ave(*command, code=1).err
    assert not (tmp_path / "b.zip").exists()


MISTAKES: dict[str, tuple[Callable[[pandas.DataFrame], pandas.DataFrame], str]] = {
    "missing": (lambda run: run.iloc[3:], "no line for answers '4_1' and '4_2' of question '4'"),
    "repeated": (lambda run: run.iloc[[0, *range(10)]], "AVE205 answer '5_1' .* is repeated"),
    "unknown": (lambda run: run.assign(row=run["row"] + 1), "row: there is no row 10"),
    "long id": (lambda run: run.assign(row="x" * 100_000), "no row x{79}…, .* and 7 more"),
    "odd id": (lambda run: run.assign(row="\x1b[31m"), r"no row \\x1b\[31m, "),
    "long verdict": (lambda run: run.assign(verdict="x" * 100_000), "AVE102 found 'x{79}…'"),
    "long number": (lambda run: run.assign(confidence="9" * 100_000), "AVE106 .* is '9{79}…'"),
    "no rows": (lambda run: run.iloc[:0], "AVE115 the file has no answers"),
    "no ids": (lambda run: run.drop(columns="row"), "there is no column row"),
    "no verdict": (lambda run: run.drop(columns="verdict"), "no key 'verdict'"),
    "verdict": (lambda run: run.assign(verdict="yes"), "'yes'"),
    "not finite": (
        lambda run: run.assign(confidence=math.nan),
        "AVE505 the field confidence is empty",
    ),
    "undefined": (lambda run: run.assign(confidence=7.0), "brier is undefined for this run"),
}


@pytest.mark.parametrize(("change", "words"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes_of_participants_are_visible(
    change: Callable[[pandas.DataFrame], pandas.DataFrame],
    words: str,
    frames: tuple[pandas.DataFrame, pandas.DataFrame],
) -> None:
    solution, run = frames
    with pytest.raises(kaggle.ParticipantVisibleError, match=words) as raised:
        kaggle.score(solution, change(run), "row", "brier")
    assert "--" not in str(raised.value)  # there are no options
    assert len(str(raised.value)) < 3_000  # whatever the cells hold


@pytest.mark.parametrize(("measures", "label", "texts", "asked", "others"), [
    ("map, mrr", "REJECTED", "", "ranks 4 answers to 2 questions: the higher", "UNKNOWN"),
    ("map, mrr", "UNKNOWN", "", "ranks 4 answers to 2 questions: the higher", "supports it"),
    ("f1", "REJECTED", "", "4 answers to 2 questions whether it is correct.", "UNKNOWN"),
    ("f1", "REJECTED", "a passage", "whether the text that is given with it supp", "UNKNOWN"),
    ("brier, map", "REJECTED", "", "decides about 4 answers to 2 questions", "system ranks"),
])  # fmt: skip
def test_pages_say_what_the_task_asks(
    tmp_path: Path, measures: str, label: str, texts: str, asked: str, others: str
) -> None:
    """Two questions with two answers each; a rule about labels is there if the label is."""
    answers = [("VALIDATED", 1), (label, 2)]
    of = "".join(
        f'<a id="{n}" value="{value}"><a_str>x</a_str><t_str doc="d">{texts}</t_str></a>'
        for value, n in answers
    )
    questions = "".join(f'<q id="{q}"><q_str>who</q_str>{of}</q>' for q in "ab")
    (tmp_path / "gold.xml").write_text(f"<ave>{questions}</ave>")
    text = f'[editions.y]\nmeasures = "{measures}"\n[editions.y.languages.en]\n'
    text += 'collection = "gold.xml"\nruns = "runs"\n'
    (tmp_path / "c.toml").write_text(text)
    (tmp_path / "ave_score-1-py3-none-any.whl").write_bytes(b"x")
    path = tmp_path / "b.zip"
    ave("bundle", "codabench", tmp_path / "c.toml", "--wheels", tmp_path, "-o", path, code=0)
    with zipfile.ZipFile(path) as archive:
        pages = [archive.read(f"pages/{name}.md").decode() for name in ("overview", "evaluation")]
        description = json.loads(archive.read("competition.yaml"))["description"]
    assert asked in pages[0]
    assert others not in "".join(pages)
    assert description.startswith("Ranking" if "ranks" in asked else "Validation")
    assert ("UNKNOWN" in pages[1]) == (label == "UNKNOWN")
