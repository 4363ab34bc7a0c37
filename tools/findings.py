"""The pages of all rules, from their records: a list, and a page for each level of codes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher

from ave_score.core.kinds import KINDS, TEXT_TABLES
from ave_score.core.text import visible
from ave_score.reports.findings.rule_text import fix_text, template, where
from ave_score.rules import RULES, Rule, Safety, Severity

_TITLES = (
    "text and lines",
    "runs and keys beside their collection",
    "verdicts on a question",
    "collections and keys",
    "judged runs, teams and input of build",
    "answers of a system",
    "campaign files and bundles",
    "answer sets and responses",
    "scores of a verifier",
)
"""What the rules of each level are about, from AVE1 on."""


def pages() -> dict[str, str]:
    """Return the page that lists the levels of rules, and the pages that explain them."""
    levels = {f"AVE{number}": title for number, title in enumerate(_TITLES, 1)}
    rows = [f"- [{level}](findings/{level}.md): {title}" for level, title in levels.items()]
    by_path = {"docs/reference/findings.md": "\n".join([*_HEAD, *rows, ""])}
    for level, title in levels.items():
        rules = [rule for code, rule in RULES.items() if code.startswith(level)]
        [(usual, _)] = Counter(map(_kinds, rules)).most_common(1)
        texts = [_explained(rule, usual) for rule in rules]
        page = "\n".join([f"# {level}: {title}", "", *_said_once(rules, usual), *texts])
        by_path[f"docs/reference/findings/{level}.md"] = page
    return by_path


_HEAD = (
    "# Findings",
    "",
    "Everything that can be wrong with a file: errors, which prevent scoring, and where it is said "
    "warnings, which do not. `ave-score rule` lists all rules, with severity and fix, and "
    "`ave-score rule CODE` prints what is said of one, also why there is no fix. `ave-score fix` "
    "makes *safe* fixes, and *unsafe* ones only with `--unsafe`. In examples, `-` is before a line "
    "that is wrong, and `+` before one that is right.",
    "",
)


def _said_once(rules: list[Rule], usual: str) -> list[str]:
    """Return what the head of a page says for all rules of its level."""
    lines = [f"Findings are errors, in {usual}, if nothing else is said.", ""]
    if any(set(TEXT_TABLES) <= set(rule.kinds) for rule in rules):
        plurals = ", ".join(KINDS[kind].plural for kind in TEXT_TABLES)
        lines += [f"*Text tables* are {plurals}.", ""]
    if any("\t" in rule.wrong for rule in rules):
        lines += ["In texts of files, `\\t` stands for a tab.", ""]
    return lines


def _kinds(rule: Rule) -> str:
    """Return the kinds of files that a rule applies to; the head of a page names text tables."""
    if not set(TEXT_TABLES) <= set(rule.kinds):
        return where(rule)
    others = (KINDS[kind].plural for kind in rule.kinds if kind not in TEXT_TABLES)
    return ", ".join([*others, "text tables"])


def _applies(rule: Rule, usual: str) -> str:
    """Return what the head of the page does not say: that it is a warning, and other kinds."""
    warning = "" if rule.severity is Severity.ERROR else f"{rule.severity.capitalize()}"
    kinds = "" if _kinds(rule) == usual else f"in {_kinds(rule)}"
    said = ", ".join(filter(None, (warning, kinds)))
    return said and f"{said[0].upper()}{said[1:]}: "


def _explained(rule: Rule, usual: str) -> str:
    stored = f" ({rule.stored})" if rule.stored else ""
    parts = [f"## {rule.code} {rule.name}", ""]
    parts += [f"{_applies(rule, usual)}*{_text(template(rule))}*", ""]
    parts += [_text(rule.explanation), "", *([f"Example{stored}:", ""] if stored else [])]
    parts += ["```diff", *_differences(rule), "```", "", f"Help: {_text(rule.help)}", ""]
    parts += [f"Fix: {_text(fix_text(rule))}", ""] if rule.safety is not Safety.NONE else []
    return "\n".join(parts)


def _differences(rule: Rule) -> Iterator[str]:
    """Yield the lines of the wrong file, and after what is wrong in it those that are right.

    Of lines that are equal, it has the names of columns, and one before and after each change.
    """
    wrong, right = (
        [visible(line) for line in text.removesuffix("\n").split("\n")]
        for text in (rule.wrong, rule.right)
    )
    codes = SequenceMatcher(a=wrong, b=right).get_opcodes()
    for place, (kind, start, end, first, last) in enumerate(codes):
        if kind == "equal":
            shown = [f"  {line}".rstrip() for line in wrong[start:end]]
            before = 1 if place else int("\t" in wrong[0])
            after = 1 if place < len(codes) - 1 else 0
            if before + after + 1 < len(shown) and len(codes) > 1:
                shown[before : len(shown) - after] = ["  ..."]
            yield from shown
        else:
            yield from (f"- {line}" for line in wrong[start:end])
            yield from (f"+ {line}" for line in right[first:last])


def _text(text: str) -> str:
    """Escape what Markdown would take as markup; what stands in backquotes is none."""
    parts = text.split("`")
    parts[::2] = [re.sub(r"([<*_#])", r"\\\1", part.replace("&", "&amp;")) for part in parts[::2]]
    return "`".join(parts)
