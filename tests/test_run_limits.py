"""What TREC runs may have, at every door: so many documents of a topic, and those of a list. The
run ranks d1, d2, d9 for topic 1 and d3 for topic 2, in lines 1 to 4."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import ave_score
from ave_score import DefectError, UsageError
from tests.conftest import ROOT
from tests.helpers_command import ave, put_all

FILES = {
    "q.qrels": "1 0 d1 1\n1 0 d2 0\n2 0 d3 1\n",
    "a.run": "1 Q0 d1 1 3 s\n1 Q0 d2 2 2 s\n1 Q0 d9 3 1 s\n2 Q0 d3 1 5 s\n",
    "ids.txt": "d1\nd2\n\n# of the collection\nd3\n",
    "all.txt": "d1\nd2\nd3\nd9\n",
    "pool.txt": "1 d1\n1 d2\n1\td9\n",
    "mixed.txt": "d1\n1 d2\n",
    "empty.txt": "\n",
    "pool.csv": "Topic;Doc\n1;d1\n",
    "run.csv": "q_id,a_id,score\n1,d1,3\n",
    "ave.txt": "1 d1 SELECTED 0.5\n",
}
JSON_RUN = json.dumps({"1": {"d1": 3, "d2": 2, "d9": 1}, "2": {"d3": 5}}, indent=1)
TABLE_RUN = "q_id,a_id,score\n1,d1,3\n1,d2,2\n1,d9,1\n2,d3,5\n"

LIMITS: dict[str, tuple[dict[str, Any], str]] = {
    "two a topic": ({"max_per_topic": 2}, "3:1 AVE216"),
    "three a topic": ({"max_per_topic": 3}, ""),
    "a collection": ({"documents": "ids.txt"}, "3:6 AVE217"),
    "all": ({"documents": "all.txt"}, ""),
    "a pool of topic 1": ({"documents": "pool.txt"}, "4:6 AVE217"),
    "qrels": ({"documents": "q.qrels"}, "3:6 AVE217"),
    "a run": ({"documents": "a.run"}, ""),
    "both": ({"documents": "all.txt", "max_per_topic": 2}, "3:1 AVE216"),
}
limits = pytest.mark.parametrize(("limits", "found"), LIMITS.values(), ids=[*LIMITS])


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    put_all(tmp_path, FILES)
    return tmp_path


def options(limits: Mapping[str, Any]) -> list[str]:
    keys = {"max_per_topic": "per-topic", "documents": "documents"}
    return [f"--limit={keys[name]}={value}" for name, value in limits.items()]


@limits
def test_commands_refuse_what_is_beyond(here: Path, limits: dict[str, Any], found: str) -> None:
    put_all(here, {"b.run": FILES["a.run"].replace("1 Q0 d9 3 1 s\n", "")})
    calls = (
        ["check", "a.run", "-f", "concise"],
        ["check", "a.run", "--collection", "q.qrels", "-f", "concise"],
        ["score", "q.qrels", "a.run"],
        ["score", "q.qrels", "a.run", "--breakdown", "topics.tsv"],
        ["compare", "q.qrels", "a.run", "b.run"],
        ["report", "q.qrels", "a.run", "-o", "page.html"],
    )
    put_all(here, {"topics.tsv": "q_id\tgroup\n1\tx\n2\ty\n"})
    for call in calls:
        said = ave(*call, *options(limits))
        assert said.code == (1 if found else 0), (call, said.err)
        assert re.findall(r"a\.run:(\S+ AVE21[67])", said.out + said.err) == [found] * bool(found)


@limits
def test_campaigns_refuse_it_and_check_says_so(
    here: Path, limits: dict[str, Any], found: str
) -> None:
    settings = "".join(f"{name} = {json.dumps(value)}\n" for name, value in limits.items())
    text = f'[editions.y]\n{settings}[editions.y.tasks.t]\ncollection = "q.qrels"\nruns = "a.run"\n'
    put_all(here, {"c.toml": text})
    said = ave("check", "c.toml", "-f", "concise")
    assert re.findall(r"a\.run:(\S+ AVE21[67])", said.out) == [found] * bool(found)
    code = ave("campaign", "c.toml").code
    assert (said.code, code) == ((1, 1) if found else (0, 0))
    scored = json.loads((here / "results/y/t.json").read_text("utf-8"))["runs"] if not found else []
    assert [row["run"] for row in scored] == ["a"] * (not found)


@limits
def test_python_refuses_it_however_a_run_is_given(limits: dict[str, Any], found: str) -> None:
    run = ave_score.read_run("a.run", ave_score.read_collection("q.qrels"))
    checked = ave_score.check("a.run", **limits).findings
    assert [f"{one.line}:{one.column} {one.rule.code}" for one in checked] == [found] * bool(found)
    for given in ("a.run", run):
        if not found:
            (row,) = ave_score.score("q.qrels", given, measures="map", **limits).rows
            assert row.run == "a"
            continue
        with pytest.raises(DefectError, match=found[-6:]):
            ave_score.score("q.qrels", given, **limits)


@pytest.mark.parametrize(("name", "text", "place"), [
    ("a.json", JSON_RUN, "5:3 AVE217"),
    ("a.csv", TABLE_RUN, "4:3 AVE217"),
])  # fmt: skip
def test_other_notations_of_runs_have_places(here: Path, name: str, text: str, place: str) -> None:
    put_all(here, {name: text})
    said = ave(
        "check", name, "--collection", "q.qrels", "--limit", "documents=ids.txt", "-f", "concise"
    )
    assert f"{name}:{place}" in said.out


def test_documents_may_be_in_memory() -> None:
    rows = [{"topic": "1", "doc": doc} for doc in ("d1", "d2", "d9")] + [{"topic": 2, "doc": "d3"}]
    every: list[Any] = [{"d1", "d2", "d3", "d9"}, {"1": {"d1", "d2", "d9"}, "2": {"d3"}}]
    for documents in (*every, rows, [{"doc": row["doc"]} for row in rows]):
        assert not ave_score.check("a.run", documents=documents).findings
    (found,) = ave_score.check("a.run", documents={"d1", "d2", "d3"}).findings
    assert (found.rule.code, found.line) == ("AVE217", 3)


@pytest.mark.parametrize(("documents", "said"), [
    ({"1": "d1 d2 d9 d3"}, "documents: expected a set of ids, or topic -> a set of ids"),
    ({"1": None}, "documents: expected a set of ids"),
    ({1: {"d1"}}, "documents: expected a set of ids"),
    ({1, 2}, "documents: expected a set of ids"),
    (set(), "documents: expected a set of ids"),
    (["d1", "d2"], "expected a set of ids, sets by topic, a path, .*found list"),
    ([{"id": "d1"}], "documents: expected columns 'topic' and 'doc' or 'doc', found id"),
])  # fmt: skip
def test_what_is_no_list_of_documents_is_refused(documents: object, said: str) -> None:
    calls: tuple[Callable[..., object], ...] = (
        partial(ave_score.check, "a.run"),
        partial(ave_score.score, "q.qrels", "a.run"),
    )
    for call in calls:
        with pytest.raises(UsageError, match=f"^{said}"):
            call(documents=documents)


@pytest.mark.parametrize(("words", "code", "said"), [
    ("check a.run +documents=mixed.txt", 2, "mixed.txt:2:3 AVE101 found 2 fields, expected 1"),
    ("check a.run +documents=empty.txt", 2, "empty.txt AVE115"),
    ("check a.run +documents=ave.txt", 2, "ave.txt:1:6 AVE101 found 4 fields, expected 1 or 2"),
    ("check a.run +documents=pool.csv", 2, "pool.csv:1 AVE116 this looks like a table (CSV)"),
    ("score q.qrels a.run +documents=run.csv", 1, "run.csv:1 AVE116 this looks like a table"),
    ("check a.run +documents=none.txt", 2, "none.txt"),
    ("score q.qrels a.run +documents=mixed.txt", 1, "mixed.txt:2:3 AVE101"),
    ("check a.run +per-topic=0", 2, "per-topic=N: expected a whole number from 1, found 0"),
    ("check q.qrels +per-topic=3", 2, "--limit per-topic=N: no FILE is a TREC run"),
    (f"score {ROOT}/gold/tiny.xml {ROOT}/sample_runs/tiny +per-topic=3 +documents=ids.txt", 2,
     "--limit per-topic=N, --limit documents=FILE: only TREC runs have topics and documents"),
    (f"check {ROOT}/sample_runs/tiny/bold.txt --collection {ROOT}/gold/tiny.xml +per-topic=3",
     2, "--limit per-topic=N: only TREC runs have topics and documents, scored with qrels"),
    ("check a.run +per-topic=many", 2, "expected a whole number from 1, found 'many'"),
    ("check a.run +per-topic=", 2, "--limit: found 'per-topic=', expected per-topic=N"),
    ("check a.run +topics=3", 2, "--limit has no key 'topics', only per-topic, documents"),
    ("check a.run +per-topic=3 +per-topic=2", 2, "--limit contains per-topic twice"),
    ("check a.run +documents=ids.txt -o ids.txt", 2, "ids.txt is also an input file"),
])  # fmt: skip
def test_what_cannot_be_held_against_runs_is_said(words: str, code: int, said: str) -> None:
    result = ave(*words.replace("+", "--limit ").split())
    assert (result.code, said in result.err) == (code, True), result.err


@pytest.mark.parametrize("option", ["--limit=per-topic=3", "--limit=documents=ids.txt"])
def test_findings_of_a_damaged_file_are_told_whatever_kind_it_was_to_be(option: str) -> None:
    said = ave("check", "empty.txt", option, "-f", "concise")
    assert (said.code, "empty.txt AVE115" in said.out, said.err) == (1, True, "")


def test_python_says_it_in_its_words() -> None:
    with pytest.raises(UsageError, match="max_per_topic: expected a whole number from 1, found 0"):
        ave_score.score("q.qrels", "a.run", max_per_topic=0)
    with pytest.raises(UsageError, match="max_per_topic: only TREC runs"):
        ave_score.score(ROOT / "gold/tiny.xml", ROOT / "sample_runs/tiny", max_per_topic=3)


def test_a_list_with_errors_leaves_the_task_out(here: Path) -> None:
    task = 'collection = "q.qrels"\nruns = "a.run"\ndocuments = "mixed.txt"\n'
    put_all(here, {"c.toml": f"[editions.y.tasks.t]\n{task}"})
    said = ave("check", "c.toml", "-f", "concise")
    assert said.code == 1 and "mixed.txt:2:3 AVE101" in said.out
    said = ave("campaign", "c.toml")
    assert said.code == 1 and "mixed.txt: 1 error (AVE101: 1)" in said.err


def test_several_tasks_have_limits_of_their_own(here: Path) -> None:
    text = '[editions.y]\nmax_per_topic = 2\ncollection = "q.qrels"\nruns = "a.run"\n'
    text += "[editions.y.tasks.t]\n[editions.y.tasks.u]\nmax_per_topic = 3\n"
    put_all(here, {"c.toml": text})
    assert "1 run scored, 1 file not scored" in ave("campaign", "c.toml", code=1).out


def test_a_campaign_says_it_in_its_words(here: Path) -> None:
    """A setting of an edition is also of tasks that it does not apply to: these are not scored."""
    tasks = {"t": (f"{ROOT}/gold/tiny.xml", f"{ROOT}/sample_runs/tiny"), "u": ("q.qrels", "a.run")}
    text = "[editions.y]\nmax_per_topic = 3\n"
    for name, (gold, runs) in tasks.items():
        text += f'[editions.y.tasks.{name}]\ncollection = "{gold}"\nruns = "{runs}"\n'
    put_all(here, {"c.toml": text})
    said = ave("campaign", "c.toml", code=1)
    assert "tiny.xml: max_per_topic: only TREC runs have topics and documents" in said.err
    assert "1 run scored" in said.out
