"""Every rule has an explanation, a file that breaks only this rule, and the corrected file."""

from __future__ import annotations

import csv
import os
import pickle
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import ave_score
from ave_score import RULES, FileKind, Rule, rules
from ave_score.rules import LABEL_CONFLICT, Safety
from tests import each
from tests.conftest import ROOT
from tests.helpers_broken import BROKEN, BY_HAND, gold_beside
from tests.helpers_command import ave
from tests.helpers_files import Position, positions
from tools.broken import SHOWN, broken_files, wrong_path
from tools.own import own_files

OF_BUILDING = {rules.OUTSIDE_QUESTIONS, rules.JUDGEMENTS_DIFFER}
OF_DOCUMENTS = {rules.DOCUMENT_UNUSABLE, rules.DOCUMENT_MISSING}
"""Rules that only `build` finds broken, the second ones beside a folder of documents."""

OF_BUNDLES = {rules.BUNDLE_REFUSED, rules.BUNDLE_FILE, rules.BUNDLE_DEFAULT}
"""Rules that a campaign file breaks if a bundle is made of it."""

POLICIES = {
    rules.MISSING_AS_REJECTED: "rejected", rules.MISSING_AS_UNANSWERED: "rejected",
    rules.MISSING_EXCLUDED: "excluded", rules.QUESTION_EXCLUDED: "excluded",
    rules.ROW_EXCLUDED: "excluded", rules.TOPICS_EXCLUDED: "excluded",
    rules.ROW_AS_UNANSWERED: "rejected",
}  # fmt: skip
"""Rules of a policy on missing answers, and the policy."""

LIMITS: dict[Rule, dict[str, Any]] = {
    rules.TOO_MANY_DOCUMENTS: {"max_per_topic": 2},
    rules.DOCUMENT_OUTSIDE: {"documents": {"1_1", "1_2", "2_1"}},
}
"""Rules of a limit of runs, and the limit."""

every_rule = each("rule", RULES.values())


@pytest.fixture(scope="module")
def rows() -> list[dict[str, str]]:
    """The findings that somebody read off the files."""
    with BY_HAND.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


SAID = re.compile(r"^\S+?(?::(\d+))?(?::(\d+))? (AVE\d+) ", re.M)
"""A finding, as the commands print it on stderr."""


def said(*command: object) -> list[Position]:
    """Return what a command says of its files."""
    code, _, err = ave(*map(str, command))
    assert code in (0, 1)
    found = SAID.finditer(err)
    return [(one[3], number(one[1]), number(one[2])) for one in found]


def found(path: Path, rule: Rule) -> list[Position]:
    """Return what is found in an example, if it is read as what it is an example of."""
    is_of_qrels = rule.example_of is FileKind.TREC_RUN
    collection = BROKEN / "qrels.txt" if is_of_qrels else gold_beside(rule)
    if rule in POLICIES:
        return said("score", collection, path, "--missing", POLICIES[rule])
    if rule in OF_BUILDING | OF_DOCUMENTS:
        command = ["build", path, "--questions", BROKEN / "build.questions.tsv", "-o", os.devnull]
        more = ["--documents", BROKEN / "documents"] if rule in OF_DOCUMENTS else []
        return said(*command, *more)
    if rule in OF_BUNDLES:
        return said("bundle", "codabench", path, "-o", os.devnull)
    if rule is rules.TARGET_CONTRADICTED:  # which harms no score
        return said("decide", path)
    try:
        match rule.example_of:
            case FileKind.KEY:
                labels = "collection.xml" if rule is LABEL_CONFLICT else "unlabelled.xml"
                ave_score.read_collection(BROKEN / labels, path)
                return []
            case FileKind.CAMPAIGN:
                return positions(ave_score.campaign(path).findings)
            case FileKind.RUN | FileKind.ANSWERS | FileKind.JUDGED as kind:
                labelled = ave_score.read_collection(collection)
                return positions(ave_score.check(path, labelled, kind=kind).findings)
            case FileKind.RESPONSES as kind:
                answer_sets = BROKEN / "answer-sets.json"
                return positions(ave_score.check(path, answer_sets, kind=kind).findings)
            case FileKind.TREC_RUN as kind:
                qrels = ave_score.read_collection(BROKEN / "qrels.txt")
                limits = LIMITS.get(rule, {})
                return positions(ave_score.check(path, qrels, kind=kind, **limits).findings)
            case kind:  # of a log, these are found unless it is for verifiers
                is_of_systems = rule.code in ("AVE915", "AVE916", "AVE917")
                return positions(
                    ave_score.check(path, kind=None if is_of_systems else kind).findings
                )
    except ave_score.DefectError as error:
        return positions(error.findings)


def number(cell: str | None) -> int | None:
    return int(cell) if cell else None


@every_rule
def test_a_rule_is_complete(rule: Rule) -> None:
    # `ave-score fix` is limited to runs: it fixes them, or the text says why it does not
    assert rule.fix or (rule.example_of is not FileKind.RUN and rule.safety is Safety.NONE)
    for text in (rule.explanation, *([rule.fix] if rule.fix else [])):
        assert text.endswith(".")
        assert "  " not in text
        assert text.isprintable()
    assert rule.wrong.endswith("\n")
    assert rule.right.endswith("\n")
    assert rule.wrong != rule.right or rule.stored
    assert rule.kinds[0] is rule.example_of


@every_rule
def test_help_does_not_repeat_the_message(rule: Rule) -> None:
    """Half of its words, by their first four letters, are others; small words do not count."""
    small = {"a", "an", "and", "as", "for", "in", "is", "it", "no", "of", "or", "the", "to", "with"}

    def stems(text: str) -> set[str]:
        found: list[str] = re.findall("[a-z]{2,}", text.lower())
        return {word[:4] for word in found if word not in small}

    said, helped = stems(rule.message), stems(rule.help)
    assert 2 * len(helped - said) >= len(helped)


def test_every_text_belongs_to_a_rule_and_has_a_use() -> None:
    entries = {"explanation", "fix", "example_of", "also_in", "stored"}
    entries |= {"wrong", "right"}
    for path in own_files("ave_score/rules/texts"):
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


@pytest.mark.slow
@every_rule
def test_the_wrong_file_breaks_this_rule_and_no_other(
    rule: Rule, rows: list[dict[str, str]]
) -> None:
    (row,) = (row for row in rows if row["code"] == rule.code)
    expected = (rule.code, number(row["line"]), number(row["column"]))
    assert found(BROKEN / row["file"], rule) == [expected]


@every_rule
def test_the_right_file_breaks_none(rule: Rule) -> None:
    name = wrong_path(rule).removesuffix(".gz")
    assert found(BROKEN / "right" / name, rule) == []


@every_rule
def test_the_wrong_file_is_the_text_of_the_record_unless_that_says_otherwise(rule: Rule) -> None:
    is_text = (BROKEN / wrong_path(rule)).read_bytes() == rule.wrong.encode()
    assert is_text == (not rule.stored)


def test_the_files_that_documentation_shows_are_those_of_the_rules() -> None:
    folder, files = ROOT / "sample_runs/broken", broken_files()
    by_hand = {"README.md", "collection.xml", "unlabelled.xml"}
    assert {path.name for path in own_files("sample_runs/broken")} == by_hand | {*SHOWN}
    assert all((folder / name).read_bytes() == files[name] for name in SHOWN)


def test_every_rule_has_its_row_and_every_row_its_rule(rows: list[dict[str, str]]) -> None:
    assert [(row["code"], row["file"]) for row in rows] == [
        (rule.code, wrong_path(rule)) for rule in RULES.values()
    ]
