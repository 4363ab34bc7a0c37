"""Explanations of rules: the full text of a rule, or a list of all."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from functools import partial

from ave_score.core.kinds import KINDS
from ave_score.core.text import visible
from ave_score.reports.style import TextStyle
from ave_score.rules import Rule, Safety

wrap = partial(textwrap.wrap, break_on_hyphens=False)


def rule_list(rules: Iterable[Rule]) -> str:
    """Return a line for each rule: code, name, severity, whether it can be fixed."""
    rules = list(rules)
    width = max(len(rule.name) for rule in rules)
    return "".join(
        f"{rule.code}  {rule.name:{width}}  {rule.severity:7}  {_fixable(rule)}".rstrip() + "\n"
        for rule in rules
    )


def explain(rule: Rule, style: TextStyle) -> str:
    """Return the full text of a rule: why it exists, a wrong and a right example, the fix."""
    width = min(style.width or 80, 80)
    parts = [f"{rule.code} {rule.name} ({rule.severity}, {where(rule)})", ""]
    parts += wrap(f"Says: {template(rule)}", width, subsequent_indent="      ")
    parts += ["", *wrap(rule.explanation, width), ""]
    stored = f" ({rule.stored})" if rule.stored else ""
    parts += [*wrap(f"Wrong{stored}:", width), *_example(rule.wrong), ""]
    parts += ["Right:", *_example(rule.right), ""]
    if "\t" in rule.wrong:
        parts += ["(\\t is a tab)", ""]
    parts += wrap(f"What to do: {rule.help}", width)
    parts += wrap(f"Fix: {fix_text(rule)}", width)
    return "\n".join([*parts, ""])


def where(rule: Rule) -> str:
    """Return the kinds of files that a rule applies to."""
    return ", ".join(KINDS[kind].plural for kind in rule.kinds)


def template(rule: Rule) -> str:
    """Return a rule's message with its facts as `{fields}`."""
    return re.sub(r"\{(\w+)[^}]*\}", r"{\1}", rule.message)


def fix_text(rule: Rule) -> str:
    """Return how `ave-score fix` fixes a finding of a rule, or why it does not."""
    return f"{rule.safety}. {rule.fix or '`ave-score fix` is limited to AVE runs.'}"


def _example(text: str) -> Iterator[str]:
    for line in text.removesuffix("\n").split("\n"):
        yield f"    {visible(line)}".rstrip()


def _fixable(rule: Rule) -> str:
    return "" if rule.safety is Safety.NONE else f"fix: {rule.safety}"
