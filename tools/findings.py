"""The pages of all rules, from their records: a list, and a page for each level of codes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ave_score.core.kinds import KINDS, TEXT_TABLES
from ave_score.core.text import visible
from ave_score.reports.findings.rule_text import fix_text, template, where
from ave_score.rules import RULES, Rule

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
    """Return the page with the table of all rules, and the pages that explain them."""
    rows = [
        f'| <a id="{_anchor(rule)}"></a>[{rule.code}](findings/{rule.code[:4]}.md#{_anchor(rule)}) '
        f"| {rule.name} | {rule.severity} | {rule.safety} |"
        for rule in RULES.values()
    ]
    by_path = {"docs/reference/findings.md": "\n".join([*_HEAD, *rows, ""])}
    for number, title in enumerate(_TITLES, 1):
        level = f"AVE{number}"
        page = "\n".join([f"# {level}: {title}", "", *_said_once(level), *_of_level(level)])
        by_path[f"docs/reference/findings/{level}.md"] = page
    return by_path


_HEAD = (
    "# Findings",
    "",
    "Everything that can be wrong with a file. An error prevents scoring, a warning does not. "
    "`ave-score rule CODE` prints what is said of a code. `ave-score fix` makes *safe* "
    "fixes, and *unsafe* ones only with `--unsafe`.",
    "",
    "| code | name | severity | fix |",
    "|---|---|---|---|",
)


def _said_once(level: str) -> list[str]:
    """Return what the head of a page says for all rules of its level."""
    rules = [rule for code, rule in RULES.items() if code.startswith(level)]
    lines = []
    if any(rule.fix is None for rule in rules):
        lines += ["Without a line *Fix* there is none: `ave-score fix` is limited to AVE runs.", ""]
    if any(set(TEXT_TABLES) <= set(rule.kinds) for rule in rules):
        plurals = ", ".join(KINDS[kind].plural for kind in TEXT_TABLES)
        lines += [f"*Text tables* are {plurals}.", ""]
    if any("\t" in rule.wrong for rule in rules):
        lines += ["In examples, `\\t` stands for a tab.", ""]
    return lines


def _of_level(level: str) -> Iterator[str]:
    """Yield the texts of the rules of a level; a right file that several have is shown once."""
    shown: dict[str, str] = {}
    for code, rule in RULES.items():
        if code.startswith(level):
            yield _explained(rule, shown.get(rule.right, ""))
            shown.setdefault(rule.right, code)


def _where(rule: Rule) -> str:
    """Return the kinds of files that a rule applies to; the head of a page names text tables."""
    if not set(TEXT_TABLES) <= set(rule.kinds):
        return where(rule)
    others = (KINDS[kind].plural for kind in rule.kinds if kind not in TEXT_TABLES)
    return ", ".join(["text tables", *others])


def _anchor(rule: Rule) -> str:
    return f"{rule.code} {rule.name}".lower().replace(" ", "-")


def _explained(rule: Rule, as_for: str) -> str:
    """Return the text of a rule; `as_for` is the code of a rule with the same right file."""
    stored = f" ({rule.stored})" if rule.stored else ""
    right = [f"Right: as for {as_for}."] if as_for else ["Right:", "", *_fenced(rule.right)]
    parts = [f"## {rule.code} {rule.name}", ""]
    parts += [f"{rule.severity.capitalize()}, in {_where(rule)}: *{_text(template(rule))}*", ""]
    parts += [_text(rule.explanation), "", f"Wrong{stored}:", "", *_fenced(rule.wrong), ""]
    parts += [*right, "", f"What to do: {_text(rule.help)}", ""]
    parts += [f"Fix: {_text(fix_text(rule))}", ""] if rule.fix else []
    return "\n".join(parts)


def _fenced(text: str) -> list[str]:
    return ["```", *map(visible, text.removesuffix("\n").split("\n")), "```"]


def _text(text: str) -> str:
    """Escape what Markdown would take as markup; what stands in backquotes is none."""
    parts = text.split("`")
    parts[::2] = [re.sub(r"([<*_#])", r"\\\1", part.replace("&", "&amp;")) for part in parts[::2]]
    return "`".join(parts)
