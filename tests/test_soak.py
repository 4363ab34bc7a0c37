"""Long use: a thousand runs in one call, and a process that scores again and again. The bounds on
memory are tolerances: what is measured is in docs/promises.md."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.campaign import prepare
from benchmarks.data import make
from tests import THOROUGH, examples
from tests.conftest import ROOT
from tests.helpers_command import needs_proc, peak_of, process, program
from tests.test_structure import trees

TOLERANCE = 16
"""MiB by which memory may differ."""

WITHOUT_LIMIT = {
    "core.text._any_of": "the sets of characters in its module",
    "measures.orders._discounts": "the bits of the number of answers to a question",
    "rules.rule._texts_of": "the files of texts of rules",
}
"""Functions that keep all that they return, and what they are called with. None is a part of a
file; the second one keeps in proportion to the longest question of all files."""


def name_of(node: ast.expr) -> str:
    """Return the last part of a name."""
    return getattr(node, "attr", getattr(node, "id", ""))


@pytest.mark.slow
def test_what_is_kept_has_a_limit() -> None:
    """A cache without a limit whose keys come from files grows as long as a process lives."""
    found = set()
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and name_of(node.func) == "lru_cache":
                given = [*node.args, *(one.value for one in node.keywords if one.arg == "maxsize")]
                assert all(ast.unparse(one) != "None" for one in given), ast.unparse(node)
            if isinstance(node, ast.FunctionDef) and node.args.args + node.args.kwonlyargs:
                kept = {*map(name_of, node.decorator_list)}
                found |= {f"{module}.{node.name}"} if "cache" in kept else set()
    assert found == {f"ave_score.{name}" for name in WITHOUT_LIMIT}


QUESTIONS, ANSWERS = 1_000, 10

SCORED_BY_ITSELF = """
import sys
import ave_score
collection = ave_score.read_collection("gold.tsv")
def sound():
    for path in sys.argv[1:]:
        try:
            yield ave_score.read_run(path, collection)
        except ave_score.DefectError as error:
            print(error, file=sys.stderr)
print(*(row.run for row in ave_score.score(collection, sound()).rows if row.kind == "AV"))
"""


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of runs of 10,000 answers; one in the middle has an unknown verdict."""
    folder = tmp_path_factory.mktemp("many")
    make(folder, examples(1000), QUESTIONS, ANSWERS, ("gold.tsv", ".txt"))
    bad = folder / "run50.txt"
    lines = bad.read_text().splitlines()
    lines[5000] = re.sub("[A-Z]+", "MAYBE", lines[5000])
    bad.write_text("\n".join(lines))
    return folder


def rows_of(document: str) -> dict[str, Any]:
    """Return the row of each run in a document of scores."""
    scores = json.loads(document[: document.rindex("}") + 1])
    return {row["run"]: row for row in scores["runs"] if row["kind"] == "AV"}


@needs_proc
@pytest.mark.slow
def test_memory_does_not_grow_with_runs_and_a_bad_one_stops_no_other(many: Path) -> None:
    runs = sorted(path.name for path in many.glob("run*"))
    few = [*runs[:: len(runs) // 15], "run50.txt"]
    sound = {name.removesuffix(".txt") for name in runs} - {"run50"}

    def measured(*command: str, of_each: float = 0.03) -> str:
        code, of_few, _ = peak_of(many, *command, *few, timeout=600)
        assert code == 1
        code, of_all, said = peak_of(many, *command, *runs, timeout=600)
        assert (code, said.count("'MAYBE'")) == (1, 1)
        assert of_all - of_few < TOLERANCE + of_each * len(runs), command
        return said

    rows = rows_of(measured("score", "--keep-going", "--format", "json", "gold.tsv"))
    assert rows.keys() == sound
    for name in few[:3]:  # as when it is scored alone
        alone = process("score", "--format", "json", "gold.tsv", name, cwd=many).out
        assert rows_of(alone) == {name.removesuffix(".txt"): rows[name.removesuffix(".txt")]}
    compared = "compare", "--keep-going", "--against", "run00", "--test", "t", "-m", "f1"
    measured(*compared, "gold.tsv", of_each=0.15)
    assert f"1 of {len(runs):,} files with errors" in measured("check", "--collection", "gold.tsv")
    by_itself = process(*runs, command=program(SCORED_BY_ITSELF), cwd=many, timeout=600)
    assert ({*by_itself.out.split()}, by_itself.code) == (sound, 0)
    assert by_itself.err.count("MAYBE") == 1


USED = """
import gc, hashlib, json, os, sys, tempfile
from pathlib import Path
import ave_score
from benchmarks.data import make

def campaign(path, turn, folder):
    ave_score.campaign(path, folder / "results")

def others(size, turn, folder):
    make(folder, 10, *map(int, size.split("x")), ("gold.tsv", ".txt"), seed=turn)
    gold, runs = folder / "gold.tsv", sorted(folder.glob("run*"))
    ave_score.score(gold, runs, measures="all")
    ave_score.compare(gold, runs[:4], measures="map, mrr", design=ave_score.Design(test="sign"))
    ave_score.check(runs[0], collection=gold)

def files(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())

def pages():
    return int(Path("/proc/self/statm").read_text().split()[1])

for turn in range(int(sys.argv[3])):
    with tempfile.TemporaryDirectory() as name:
        globals()[sys.argv[1]](sys.argv[2], turn, Path(name))
        written = [(str(path.relative_to(name)), path.read_bytes()) for path in files(Path(name))]
    digest = hashlib.sha256(repr(written).encode()).hexdigest()
    gc.collect()
    print(json.dumps({
        "MiB": pages() * os.sysconf("SC_PAGESIZE") >> 20,
        "open": len(os.listdir("/proc/self/fd")),
        "threads": len(os.listdir("/proc/self/task")),
        "children": Path(f"/proc/self/task/{os.getpid()}/children").read_text(),
        "left": os.listdir(tempfile.gettempdir()),
        "files": len(written), "digest": digest,
    }))
"""
"""Uses the Python interface in a process, and says after each turn what the process holds."""

TURNS = 10 if THOROUGH else 5


def turns(folder: Path, *use: str) -> Sequence[dict[str, Any]]:
    """Return what a process holds after each turn; nothing is left of what it used."""
    (folder / "temporary").mkdir()
    said = process(
        *use, str(TURNS), command=program(USED), timeout=1800, TMPDIR=str(folder / "temporary")
    )
    assert said.code == 0, said.err
    held = [json.loads(line) for line in said.out.splitlines()]
    assert len(held) == TURNS
    for one in held:
        assert (one["children"], one["left"]) == ("", [])
        assert (one["open"], one["threads"]) == (held[0]["open"], held[0]["threads"])
    return held


@needs_proc
@pytest.mark.slow
@pytest.mark.parametrize("which", ["shipped", "large"])
def test_each_campaign_in_a_process_is_as_the_first(which: str, tmp_path: Path) -> None:
    path = ROOT / "sample_runs" / ("campaign.toml" if THOROUGH else "tiny-campaign.toml")
    if which == "large":
        path = prepare(tmp_path, 1, 6 if THOROUGH else 2, 150 if THOROUGH else 20, 7)
    held = turns(tmp_path, "campaign", str(path))
    assert held[0]["files"] > 20
    assert len({one["digest"] for one in held}) == 1
    assert held[-1]["MiB"] - held[1]["MiB"] < TOLERANCE


@needs_proc
@pytest.mark.slow
@pytest.mark.parametrize("size", ["10x1000", "1000x10"][: 1 + THOROUGH])
def test_nothing_is_kept_of_other_collections(size: str, tmp_path: Path) -> None:
    held = turns(tmp_path, "others", size)
    assert len({one["digest"] for one in held}) == TURNS
    assert held[-1]["MiB"] - held[1]["MiB"] < TOLERANCE
