"""The page of all rules, from their records."""

from __future__ import annotations

import re

from ave_score.core.text import visible
from ave_score.reports.findings.rule_text import fix_text, template, where
from ave_score.rules import RULES, Rule


def page() -> str:
    """Return the page of all rules: a table, then each explained."""
    rows = [
        f"| [{one.code}](#{_anchor(one)}) | {one.name} | {one.severity} | {one.safety} |"
        for one in RULES.values()
    ]
    return "\n".join(
        [
            "# Findings",
            "",
            "Everything that can be wrong with a file. An error prevents scoring, a warning does "
            "not. `ave-score rule CODE` prints the same as this page. `ave-score fix` makes *safe* "
            "fixes, and *unsafe* ones only with `--unsafe`.",
            "",
            "| code | name | severity | fix |",
            "|---|---|---|---|",
            *rows,
            "",
            *(_explained(one) for one in RULES.values()),
        ]
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
