"""The JSON schemas: what every command writes is valid, and what it never writes is not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from ave_score import RULES
from ave_score.measures import MEASURES
from tests import each, mostly_slow
from tests.conftest import ROOT
from tests.helpers_broken import BROKEN
from tests.helpers_command import ave, document_of
from tests.helpers_files import COLLECTION, RUN, put
from tests.test_campaign import small
from tools import schemas
from tools.own import own_files

GOLD, RUNS = "gold/tiny.xml", ("sample_runs/tiny/bold.txt", "sample_runs/tiny/careful.txt")
TINY = ("gold/tiny.xml", *RUNS)
SPANISH = ("gold/ave2007-es.xml", *sorted(map(str, Path("sample_runs/ave2007-es").glob("*.txt"))))
LISTS = ("gold/lists.json", "sample_runs/lists/brief.tsv", "sample_runs/lists/broad.tsv")
JUDGED = "sample_runs/judge/systems.csv"
QUICK = ("--resamples", "200")


@cache
def schema_of(name: str) -> dict[str, Any]:
    """Return the schema of a document, as its file has it."""
    path = ROOT / f"docs/reference/schemas/{name}.schema.json"
    return dict(json.loads(path.read_text("utf-8")))


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(schema_of(name))


def assert_valid(name: str, document: object) -> None:
    errors = [f"{one.json_path}: {one.message}" for one in validator(name).iter_errors(document)]
    assert not errors, errors[:5]


def test_every_schema_is_a_schema_and_has_a_file_of_its_own() -> None:
    names = {path.name.removesuffix(".schema.json") for path in own_files(str(schemas.FOLDER))}
    assert names == {*schemas.DOCUMENTS}
    for name in names:
        Draft202012Validator.check_schema(schema_of(name))
        assert schema_of(name)["$id"] == f"urn:ave-score:schema:{name}:1"
        assert "$ref" not in json.dumps(schema_of(name)).replace('"$ref": "#/$defs/', "")


def objects(part: object) -> Iterator[dict[str, Any]]:
    """Yield every part of a schema that describes the keys of an object."""
    if isinstance(part, dict):
        if "properties" in part:
            yield part
        for inner in part.values():
            yield from objects(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from objects(inner)


@each("name", schemas.DOCUMENTS)
def test_every_key_is_described_and_no_other_is_allowed(name: str) -> None:
    schema = schema_of(name)
    shared = schema.get("$defs", {})
    for one in objects(schema):
        assert one["additionalProperties"] is False
        for key, value in one["properties"].items():
            assert not {"$ref", "type"} <= value.keys(), key  # both would apply
            described = value.get("description") or shared[value["$ref"][8:]]["description"]
            assert described.endswith("."), key


PAIRS = (
    '<entailment-corpus><pair id="1" value="YES"><t>a</t><h>b</h></pair>'
    '<pair id="2" value="NO"><t>a</t><h>c</h></pair></entailment-corpus>'
)
HOSTILE = 'a"b,\\|<b>\u202e {}'
"""A name of a run that JSON, CSV, HTML and a terminal would misunderstand."""

SCORES: dict[str, tuple[str, ...]] = {
    "every measure": (*TINY, "--qa", "gold/tiny.qa.tsv", "-m", "all"),
    "intervals": (*TINY, "-m", "f1,auc,qa_accuracy", "--ci", "95", *QUICK),
    "threshold": (*TINY, "--unknown", "correct", "--threshold", "2", "-m",
        "ndcg@5,map(norm=min)@3"),
    "responses": (*LISTS, "-m", "all", "--ci", "90", *QUICK),
    "judged systems": ("gold/respubliqa2009-ro.qa.tsv.gz", "--letters", "respubliqa"),
    "key": ("unlabelled.xml", "good.txt", "--key", "key.tsv"),
    "pairs": ("pairs.xml", "pairs.txt"),
    "excluded": ("gold.xml", "few.txt", "--missing", "excluded"),
    "undefined": ("gold.xml", "none.txt"),
    "hostile name": ("gold.xml", f"{HOSTILE}.txt", "--teams", "teams.tsv"),
}  # fmt: skip

OTHERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "sweep": ("sweep", ("score", *TINY, "--sweep", "f1")),
    "sweep, undefined": ("sweep", ("score", *TINY, "--sweep", "precision")),
    "breakdown": ("breakdown", ("score", *TINY, "--breakdown", "lang", "--ci", "95", *QUICK)),
    "comparison": ("comparison", ("compare", *TINY, *QUICK)),
    "by group": ("comparison-by-group", ("compare", *TINY, *QUICK, "--breakdown", "lang")),
    "against": ("comparison",
        (*("compare", *SPANISH[:4], "--against", "Rodrigo"),
            *("--teams", "gold/ave2007-es.teams.tsv", *QUICK))),
    "rankings": ("comparison", ("compare", *TINY, *QUICK, "-m", "auc,n_right")),
    "undefined": ("comparison", ("compare", *TINY, *QUICK, "-m", "nil_precision")),
    "stability": ("stability", ("stability", *TINY, "-m", "f1,precision", "--resamples", "20")),
    "swap": ("swap", ("swap", *TINY, "-m", "f1,qa_accuracy", "--resamples", "20")),
    "best of n": ("best-of-n", ("decide", "sample_runs/best-of-n.jsonl", "--curve", "--ci", "95")),
    "votes": ("best-of-n",
        ("decide", "sample_runs/best-of-n.jsonl", "--curve", "--columns", "answer_key=answer")),
    "statistics": ("collections",
        ("stats", GOLD, "gold/ave2007-es.xml", "pairs.xml", "unlabelled.xml")),
    "list": ("campaign", ("campaign", "list", "sample_runs/campaign.toml")),
    "estimates": ("estimates", ("estimate", JUDGED, "--half-width", ".03")),
    "calibrated": ("estimates", ("estimate", "few.csv", "--calibration", JUDGED)),
    "bounds": ("estimates", ("estimate", "few.csv", "--labels", "verdict")),
    "agreement": ("agreement", ("agree", *RUNS, "--collection", GOLD, "--ci", "95", *QUICK)),
    "verdicts": ("agreement",
        ("agree", *RUNS, "few.txt", "--missing", "excluded", "--verdicts", "three")),
}  # fmt: skip


@pytest.fixture
def files(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with small files, where the samples are, too."""
    for name in ("gold", "sample_runs"):
        (here / name).symlink_to(ROOT / name)
    rows = (ROOT / JUDGED).read_text("utf-8")  # ada has no labels, cat none of rejected answers
    few = re.sub(r",(ada,[RW](?=,)|cat,[RW](?=,REJ))", lambda row: f",{row[1][:4]}", rows)
    put(here, few, "few.csv")
    put(here, PAIRS, "pairs.xml")
    put(here, "1 YES 0.5\n2 YES\n", "pairs.txt")
    put(here, COLLECTION.replace(' value="', ' v="'), "unlabelled.xml")
    put(here, RUN.replace("SELECTED", "REJECTED").replace("VALIDATED", "REJECTED"), "none.txt")
    put(here, RUN, f"{HOSTILE}.txt")
    put(here, f"run\tteam\n{HOSTILE}\t=A1|\n", "teams.tsv")
    put(here, RUN.removesuffix("3 3_1 REJECTED 0.1\n"), "few.txt")
    labels = zip(
        "11223", "12121", ("VALIDATED", "REJECTED", "UNKNOWN", *["REJECTED"] * 2), strict=True
    )
    key = ["q_id\ta_id\tlabel\n", *(f"{q}\t{q}_{a}\t{label}\n" for q, a, label in labels)]
    put(here, "".join(key), "key.tsv")
    return here


@pytest.mark.parametrize("given", SCORES.values(), ids=SCORES)
def test_scores_are_valid(files: Path, given: Sequence[str]) -> None:
    document = json.loads(ave("score", *given, "-f", "json", code=0).out)
    assert_valid("scores", document)
    assert document["runs"]


SLOW = [
    ("compare", *TINY, *QUICK, "--power", "0.1", "--equivalence", "0.2"),
    ("compare", *SPANISH, "--test", "tukey"),
    ("compare", *SPANISH, "--test", "friedman"),
]
"""Calls that import scipy."""


@pytest.mark.slow
@pytest.mark.parametrize("given", SLOW)
def test_more_comparisons_are_valid(given: Sequence[str]) -> None:
    assert_valid("comparison", document_of(*given))


@pytest.mark.parametrize(("name", "given"), mostly_slow(OTHERS.values(), 8), ids=OTHERS)
def test_other_documents_are_valid(files: Path, name: str, given: Sequence[str]) -> None:
    assert_valid(name, json.loads(ave(*given, "-f", "json", code=0).out))


def test_documents_with_files_left_out_are_valid(files: Path) -> None:
    given = ("score", "gold.xml", "good.txt", "bad.txt", "--keep-going", "-f", "json")
    for name, more in (("scores", ()), ("sweep", ("--sweep", "f1"))):
        document = json.loads(ave(*given, *more, code=1).out)
        assert_valid(name, document)
        assert document["not_scored"] == ["bad.txt"]


def test_report_of_build_is_valid(files: Path) -> None:
    given = ("gold/build/answers.qa.tsv", "--questions", "gold/build/questions.tsv")
    more = ("--documents", ".", "-o", "new.xml", "--format", "json")
    document = json.loads(ave("build", *given, *more, code=0).out)
    assert_valid("build", document)
    steps = enum("build", "properties", "steps", "items", "properties", "step")
    assert {one["step"] for one in document["steps"]} == steps
    put(files, "q_id\trun\tjudgement\tanswer\n1\ta\tW\tNIL\n", "nil.tsv")
    said = ave("build", "nil.tsv", "-o", "no.xml", "--format", "json", code=1)
    text, _, _ = said.err.partition("\n}\n")
    assert_valid("build", json.loads(text + "\n}"))


@pytest.mark.parametrize(("name", "given"), [
    ("per-question", ("score", *TINY, "--qa", "gold/tiny.qa.tsv")),
    ("per-question", ("score", "gold/respubliqa2009-ro.qa.tsv.gz", "--letters", "respubliqa")),
    ("compared-question", ("compare", *TINY, "-m", "f1,qa_accuracy,auc", *QUICK)),
])  # fmt: skip
def test_lines_of_questions_are_valid(files: Path, name: str, given: Sequence[str]) -> None:
    ave(*given, "--per-question", "lines.jsonl", code=0)
    lines = (files / "lines.jsonl").read_text("utf-8").splitlines()
    assert len(lines) >= 10
    for line in lines[:100]:
        assert_valid(name, json.loads(line))


@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.slow)])
def test_findings_are_valid(every: int) -> None:
    """Each rule has a file that breaks it."""
    paths = sorted(str(path) for path in BROKEN.iterdir() if path.is_file())
    said = ave("check", *TINY, *paths[::every], "no/such/file", "-f", "json")
    document = json.loads(said.out)
    assert_valid("findings", document)
    # a campaign file stands for what it names, too
    assert {file["path"] for file in document["files"]} >= {*TINY, *paths[::every], "no/such/file"}


def test_documents_of_a_campaign_are_valid(tmp_path: Path) -> None:
    small(tmp_path)
    ave("campaign", tmp_path / "campaign.toml", "-o", tmp_path / "results", code=0)
    paths = {path.name: path for path in tmp_path.glob("results/2007/*.json")}
    assert {*paths} == {"en.json", "en-comparison.json", "es.json", "es-comparison.json"}
    for name, path in paths.items():
        document = json.loads(path.read_text("utf-8"))
        assert_valid("comparison" if "-" in name else "scores", document)


def refused(name: str, document: object) -> list[str]:
    """Return the places of what is wrong."""
    return sorted(one.json_path for one in validator(name).iter_errors(document))


def test_wrong_documents_are_refused() -> None:
    scores = document_of("score", *TINY, "-m", "f1")
    first = scores["runs"][0]
    assert refused("scores", scores | {"note": []}) == ["$"]
    assert refused("scores", {key: scores[key] for key in scores if key != "runs"}) == ["$"]
    assert refused("scores", scores | {"schema": "ave-score/scores/2"}) == ["$.schema"]
    for key, value, place in (
        ("measures", {"f1": "0.5"}, "$.runs[0].measures.f1"),
        ("measures", {"f2": 0.5}, "$.runs[0].measures"),
        ("measures", {"f1(": 0.5}, "$.runs[0].measures"),
        ("counts", {"validated_correct": "3"}, "$.runs[0].counts.validated_correct"),
        ("counts", {"validated_rigth": 3}, "$.runs[0].counts"),
        ("intervals", {"f1": [0.1]}, "$.runs[0].intervals.f1"),
        ("interval_methods", {"f1": "auto"}, "$.runs[0].interval_methods.f1"),
        ("kind", "av", "$.runs[0].kind"),
        ("run", None, "$.runs[0].run"),
    ):
        assert refused("scores", scores | {"runs": [first | {key: value}]}) == [place]
    found = document_of("check", GOLD)
    assert refused("findings", found | {"errors": -1}) == ["$.errors"]
    assert refused("findings", found | {"exit_code": 3}) == ["$.exit_code"]
    file = found["files"][0]
    wrong = found | {"files": [file | {"counts": {"AVE1": 2}}]}
    assert refused("findings", wrong) == ["$.files[0].counts"]


def test_an_empty_object_is_no_document() -> None:
    for name in schemas.DOCUMENTS:
        assert len(refused(name, {})) == len(schema_of(name)["required"])


def part(name: str, *path: str) -> dict[str, Any]:
    """Return a part of a schema."""
    found: Any = schema_of(name)
    for key in path:
        found = found[key]
    return dict(found)


def enum(name: str, *path: str) -> set[str | None]:
    return {*part(name, *path)["enum"]}


def test_choices_are_those_of_the_program() -> None:
    in_findings = ("properties", "files", "items", "properties", "findings", "items", "properties")
    assert enum("findings", *in_findings, "fix") == {rule.safety for rule in RULES.values()}
    rule = re.compile(part("findings", "$defs", "rule")["pattern"])
    assert all(map(rule.search, RULES))


def test_names_of_measures_are_those_of_the_program() -> None:
    pattern = re.compile(part("scores", "$defs", "measure")["pattern"])
    for written in ("map(norm=min)@3", "f_beta(2)", "ndcg(gain=linear)@10", "best_of@2"):
        assert pattern.search(written)
    assert all(pattern.search(measure.key) for measure in MEASURES.values())
    for wrong in ("F1", "f", "f1x", "precision@", "map()", "precision@x", ""):
        assert not pattern.search(wrong), wrong
