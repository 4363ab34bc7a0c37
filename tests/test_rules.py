"""Every rule has an explanation, a file that breaks only this rule, and the corrected file."""

from __future__ import annotations

import csv
import gzip
import pickle
import tomllib
from pathlib import Path

import pytest

from ave_score import rules
from ave_score.campaigns.plan import make_plan
from ave_score.core.findings import Findings
from ave_score.core.model import Collection
from ave_score.files.answer_sets import check_answer_sets
from ave_score.files.check import check_file
from ave_score.files.documents import Documents
from ave_score.files.gold import check_collection
from ave_score.files.judged import check_judged, check_rows, locate_rows
from ave_score.files.qa4mre import check_answers
from ave_score.files.questions import check_questions
from ave_score.files.responses import check_responses
from ave_score.files.run import check_run
from ave_score.files.scores import check_scores
from ave_score.files.source import Source
from ave_score.rules import LABEL_CONFLICT, RULES, FileKind, Rule
from ave_score.tasks.build import BuildSettings, build_collection
from ave_score.tasks.build_passages import Extraction, stop_words_for
from tests import each
from tests.helpers_files import Position, positions
from tools.broken import broken_files, wrong_path

BROKEN = Path(__file__).parent.parent / "sample_runs" / "broken"
BY_HAND = {"README.md", "findings.tsv", "collection.xml", "unlabelled.xml"}
BY_HAND |= {"build.questions.tsv", "D1.txt", "answer-sets.json"}

OF_BUILDING = {rules.OUTSIDE_QUESTIONS, rules.JUDGEMENTS_DIFFER}
OF_DOCUMENTS = {rules.DOCUMENT_UNUSABLE, rules.DOCUMENT_MISSING}
"""Rules that only `build` finds broken, the second ones beside a folder of documents."""

POLICIES = {
    rules.MISSING_AS_REJECTED: "rejected",
    rules.MISSING_AS_UNANSWERED: "rejected",
    rules.MISSING_EXCLUDED: "excluded",
    rules.QUESTION_EXCLUDED: "excluded",
    rules.ROW_EXCLUDED: "excluded",
}
"""Rules of a policy on missing answers, and the policy."""

every_rule = each("rule", RULES.values())


@pytest.fixture(scope="module")
def collection() -> Collection:
    """The collection that the examples belong to."""
    checked, (findings,) = check_collection(Source(BROKEN / "collection.xml"))
    assert checked is not None
    assert not len(findings)
    return checked


@pytest.fixture(scope="module")
def rows() -> list[dict[str, str]]:
    """The findings that somebody read off the files."""
    with (BROKEN / "findings.tsv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


def check(path: Path, rule: Rule, collection: Collection) -> list[Findings]:
    """Check an example as what it is an example of."""
    source = Source(path)
    match rule.example_of:
        case FileKind.RUN:
            return check_run(source, collection.index, POLICIES.get(rule, "error"))[1]
        case FileKind.KEY:
            labels = "collection.xml" if rule is LABEL_CONFLICT else "unlabelled.xml"
            return check_collection(Source(BROKEN / labels), source)[1]
        case FileKind.COLLECTION:
            return check_collection(source)[1]
        case FileKind.JUDGED if rule in OF_BUILDING | OF_DOCUMENTS:
            return built(source, with_documents=rule in OF_DOCUMENTS)
        case FileKind.JUDGED:
            return check_judged(source, collection, "qa-clef", POLICIES.get(rule, "error"))[1]
        case FileKind.ANSWERS:
            return check_answers(source, collection, "qa-clef", POLICIES.get(rule, "error"))[1]
        case FileKind.CAMPAIGN:
            return [make_plan(source)[1]]
        case FileKind.GROUPS | FileKind.TIMES:
            return [check_file(source, rule.example_of).findings]
        case FileKind.QUESTIONS:
            return check_questions(source)[1]
        case FileKind.SCORES:
            return check_scores(source)[1]
        case FileKind.ANSWER_SETS:
            return check_answer_sets(source)[1]
        case FileKind.RESPONSES:
            gold, _ = check_answer_sets(Source(BROKEN / "answer-sets.json"))
            assert gold is not None
            return check_responses(source, gold)[1]


def built(source: Source, *, with_documents: bool) -> list[Findings]:
    """Build a collection of an example, and of the questions beside it."""
    questions, _ = check_questions(Source(BROKEN / "build.questions.tsv"))
    rows, found = check_rows(source, "qa-clef")
    assert rows is not None
    documents = Documents(str(BROKEN / "documents"))
    extraction = Extraction(documents, stop_words_for) if with_documents else None
    build_collection([rows], questions, BuildSettings("qa-clef", 700, extraction=extraction))
    locate_rows([rows])
    return found


def found(path: Path, rule: Rule, collection: Collection) -> list[Position]:
    """Return what is found in an example, and in the files it is read with."""
    return [
        position for findings in check(path, rule, collection) for position in positions(findings)
    ]


def number(cell: str) -> int | None:
    return int(cell) if cell else None


# --- the record -------------------------------------------------------------------------------


@every_rule
def test_a_rule_is_complete(rule: Rule) -> None:
    for text in (rule.explanation, rule.fix.text):
        assert text.endswith(".")
        assert "  " not in text
        assert text.isprintable()
    assert rule.wrong.endswith("\n")
    assert rule.right.endswith("\n")
    assert rule.wrong != rule.right or rule.stored
    assert rule.kinds[0] is rule.example_of


def test_every_text_belongs_to_a_rule_and_has_a_use() -> None:
    entries = {"explanation", "fix", "only_runs", "example_of", "also_in", "stored"}
    entries |= {"wrong", "right"}
    for path in (Path(rules.__file__).parent / "texts").iterdir():
        texts = tomllib.loads(path.read_text(encoding="utf-8"))
        tables = {name: table for name, table in texts.items() if isinstance(table, dict)}
        assert tables.keys() == {code for code in RULES if code.startswith(path.stem)}
        for table in (texts.keys() - tables.keys(), *tables.values()):
            assert entries.issuperset(table)


def test_a_copy_of_a_rule_is_the_rule() -> None:
    assert all(pickle.loads(pickle.dumps(rule)) is rule for rule in RULES.values())


def test_no_two_rules_share_an_explanation_or_a_name() -> None:
    assert len({rule.explanation for rule in RULES.values()}) == len(RULES)
    assert len({rule.name for rule in RULES.values()}) == len(RULES)


# --- the files --------------------------------------------------------------------------------


@pytest.mark.slow
@every_rule
def test_the_wrong_file_breaks_this_rule_and_no_other(
    rule: Rule, rows: list[dict[str, str]], collection: Collection
) -> None:
    (row,) = (row for row in rows if row["code"] == rule.code)
    expected = (rule.code, number(row["line"]), number(row["column"]))
    assert found(BROKEN / row["file"], rule, collection) == [expected]


@every_rule
def test_the_right_file_breaks_none(rule: Rule, collection: Collection) -> None:
    name = wrong_path(rule).removesuffix(".gz")
    assert found(BROKEN / "right" / name, rule, collection) == []


@every_rule
def test_the_wrong_file_is_the_text_of_the_record_unless_that_says_otherwise(rule: Rule) -> None:
    is_text = (BROKEN / wrong_path(rule)).read_bytes() == rule.wrong.encode()
    assert is_text == (not rule.stored)


def test_the_folder_holds_what_follows_from_the_rules_and_nothing_else() -> None:
    stored = {
        path.relative_to(BROKEN).as_posix(): unpacked(path.read_bytes())
        for path in BROKEN.rglob("*")
        if path.is_file() and path.name not in BY_HAND
    }
    assert stored == {name: unpacked(data) for name, data in broken_files().items()}


def unpacked(data: bytes) -> bytes:
    """Return the contents of gzip, whose bytes may differ between builds of zlib."""
    return gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data


def test_every_rule_has_its_row_and_every_row_its_rule(rows: list[dict[str, str]]) -> None:
    assert [(row["code"], row["file"]) for row in rows] == [
        (rule.code, wrong_path(rule)) for rule in RULES.values()
    ]
