"""The pages of all rules, from their records: a list, and a page for each level of codes."""

from __future__ import annotations

import re

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
        texts = [_explained(rule) for code, rule in RULES.items() if code.startswith(level)]
        page = "\n".join([f"# {level}: {title}", "", *texts])
        by_path[f"docs/reference/findings/{level}.md"] = page
    return by_path


_HEAD = (
    "# Findings",
    "",
    "Everything that can be wrong with a file. An error prevents scoring, a warning does not. "
    "`ave-score rule CODE` prints the same as the page of a code. `ave-score fix` makes *safe* "
    "fixes, and *unsafe* ones only with `--unsafe`.",
    "",
    "| code | name | severity | fix |",
    "|---|---|---|---|",
)


def _anchor(rule: Rule) -> str:
    return f"{rule.code} {rule.name}".lower().replace(" ", "-")


def _explained(rule: Rule) -> str:
    stored = f" ({rule.stored})" if rule.stored else ""
    return "\n".join(
        [
            f"## {rule.code} {rule.name}",
            "",
            f"{rule.severity.capitalize()}, in {where(rule)}: *{_text(template(rule))}*",
            "",
            _text(rule.explanation),
            "",
            f"Wrong{stored}:",
            "",
            *_fenced(rule.wrong),
            "",
            "Right:",
            "",
            *_fenced(rule.right),
            "",
            *(["(`\\t` stands for a tab.)", ""] if "\t" in rule.wrong else []),
            f"What to do: {_text(rule.help)}",
            "",
            f"Fix: {_text(fix_text(rule))}",
            "",
        ]
    )


def _fenced(text: str) -> list[str]:
    return ["```", *map(visible, text.removesuffix("\n").split("\n")), "```"]


def _text(text: str) -> str:
    """Escape what Markdown would take as markup; what stands in backquotes is none."""
    parts = text.split("`")
    parts[::2] = [re.sub(r"([<*_#])", r"\\\1", part.replace("&", "&amp;")) for part in parts[::2]]
    return "`".join(parts)
