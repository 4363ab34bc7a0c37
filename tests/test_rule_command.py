"""The command `ave-score rule`: rules listed and explained."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

from ave_score import RULES, Rule
from ave_score.rules import BYTE_ORDER_MARK, CONTROL_CHARACTER, LINE_ENDS, Safety
from tests import each, mostly_slow
from tests.helpers_command import output, refusal
from tests.helpers_files import is_safe

every_rule = each("rule", RULES.values())


rule_ = partial(output, "rule")
refused = partial(refusal, "rule")


@pytest.mark.parametrize("arguments", [[], ["AVE"], ["ave"], ["A"]])
def test_all_rules_are_listed_in_the_order_of_their_codes(arguments: list[str]) -> None:
    lines = rule_(*arguments).splitlines()
    codes = [line.split()[0] for line in lines]
    assert codes == sorted(codes)
    assert {*codes} == {*RULES}
    assert len({line.index(line.split()[2]) for line in lines}) == 1  # columns below each other


def test_a_line_of_the_list_has_the_rule_and_whether_it_can_be_fixed() -> None:
    rows = {line.split()[0]: line.split() for line in rule_().splitlines()}
    assert rows["AVE103"] == ["AVE103", "verdict-case", "error", "fix:", "safe"]
    assert rows["AVE108"] == ["AVE108", "confidence-range", "warning"]
    assert rows["AVE206"] == ["AVE206", "answer-conflict", "error", "fix:", "unsafe"]
    for code, rule in RULES.items():
        safety = rule.safety
        assert rows[code][3:] == ([] if safety is Safety.NONE else ["fix:", str(safety)])


def test_lists_have_no_blanks_at_their_line_ends() -> None:
    assert not re.search(r" $", rule_(), re.MULTILINE)


@pytest.mark.parametrize(("prefix", "codes"), [
    ("AVE3", ["AVE301", "AVE302", "AVE303"]),
    ("ave11", [f"AVE11{n}" for n in range(10)]),
    ("AVE10", [f"AVE10{n}" for n in range(1, 10)]),
    ("AVE20", [f"AVE20{n}" for n in range(1, 10)]),
])  # fmt: skip
def test_a_prefix_lists_its_rules(prefix: str, codes: list[str]) -> None:
    assert [line.split()[0] for line in rule_(prefix).splitlines()] == codes


@every_rule
def test_a_rule_is_found_by_code_or_name_in_any_case(rule: Rule) -> None:
    text = rule_(rule.code)
    for given in (rule.code.lower(), rule.name, rule.name.upper(), rule.code.title()):
        assert rule_(given) == text


@every_rule
def test_everything_there_is_to_say_is_said(rule: Rule) -> None:
    out = rule_(rule.code)
    assert is_safe(out.replace("\n", ""))
    assert out.endswith("\n")
    assert not out.endswith("\n\n")
    flowing = " ".join(out.split())
    assert out.startswith(f"{rule.code} {rule.name} ({rule.severity}, ")
    for text in (rule.explanation, rule.help, rule.fix or "", rule.stored):
        assert " ".join(text.split()) in flowing
    assert re.search(r"^Wrong\b", out, re.MULTILINE)
    assert re.search(r"^Right:", out, re.MULTILINE)
    assert "{found!r}" not in out  # placeholders are shown as names


@every_rule
@each("width", [60, 80, 33])
def test_text_is_wrapped_and_examples_are_not(
    monkeypatch: pytest.MonkeyPatch, rule: Rule, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    lines = rule_(rule.code).splitlines()
    long = [line for line in lines[1:] if len(line) > width]
    examples = (rule.wrong + rule.right).replace("\t", "\\t").split("\n")
    assert {*long} <= {f"    {line}" for line in examples}
    for line in (rule.wrong + rule.right).split("\n"):
        if line.isprintable():
            assert f"    {line}".rstrip() in lines


@pytest.mark.parametrize(
    "columns", mostly_slow(["1", "5", "0", "", "-3", "wide", "²", "100000"], 3)
)
def test_any_width_will_do(monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    for code in RULES:
        assert rule_(code)


@pytest.mark.parametrize(("rule", "shown"), [
    (BYTE_ORDER_MARK, r"    \ufeff1 1_1 SELECTED 0.9"),
    (LINE_ENDS, r"    1 1_1 SELECTED 0.9\r"),
])  # fmt: skip
def test_what_cannot_be_seen_is_shown_as_an_escape(rule: Rule, shown: str) -> None:
    assert shown in rule_(rule.code).splitlines()


def test_characters_that_resemble_a_blank_are_shown_as_escapes() -> None:
    """Else the wrong example of AVE113 looks just like the right one."""
    out = rule_(CONTROL_CHARACTER.code)
    wrong, right = out.split("Wrong")[1].split("Right:")
    assert "\u00a0" not in wrong
    assert r"\xa0" in wrong
    assert r"\xa0" not in right


def test_every_rule_is_explained_in_the_documents_too() -> None:
    """The page of its level, which the list of levels names, has a heading for each."""
    folder = Path("docs/reference")
    levels = re.findall(r"\(findings/(AVE\d)\.md\)", (folder / "findings.md").read_text("utf-8"))
    texts = [(folder / f"findings/{level}.md").read_text("utf-8") for level in levels]
    assert [*re.findall(r"^## (AVE\d{3}) ", "".join(texts), re.M)] == [*RULES]


def test_several_are_explained_in_the_order_asked_for_with_a_line_between() -> None:
    out = rule_("AVE301", "verdict-case", "AVE3")
    parts = [rule_(one) for one in ("AVE301", "verdict-case", "AVE3")]
    assert out == "\n".join(parts)


def test_all_unknown_ones_are_named_at_once_with_what_was_meant() -> None:
    err = refused("verdict-caes", "AVE301", "nonsense", "AVE999", "AVE3O1")
    for given in ("verdict-caes", "nonsense", "AVE999", "AVE3O1"):
        assert f"{given!r}" in err
    assert "did you mean verdict-case?" in err
    assert "did you mean AVE301?" in err
    assert "no rule 'AVE301'" not in err


@each("given", ["", " ", "AVE1033", "VE103", "999", "*", "AVE103 ", "\x1b[31m"])
def test_what_names_no_rule_is_refused(given: str) -> None:
    err = refused(given)
    assert is_safe(err.replace("\n", ""))


def test_an_option_it_does_not_have_is_refused() -> None:
    assert "--nonsense" in refused("--nonsense")
