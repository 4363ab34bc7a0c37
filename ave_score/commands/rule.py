"""`ave-score rule`: explain a rule, or list all rules."""

from __future__ import annotations

import click

from ave_score.commands.declared import Options, argument, command
from ave_score.commands.types import A_RULE
from ave_score.core.errors import UsageError
from ave_score.core.text import did_you_mean, nearest
from ave_score.reports.findings.rule_text import explain, rule_list
from ave_score.reports.style import style_for
from ave_score.rules import RULES, Rule


class RuleOptions(Options):
    """The arguments of one call."""

    codes: tuple[str, ...] = argument(nargs=-1, metavar="[CODE]...", shell_complete=A_RULE)


@command(
    "rule",
    RuleOptions,
    examples={
        "Explain a rule": "ave-score rule AVE103",
        "List the rules about runs": "ave-score rule AVE1 AVE2",
    },
)
def rule_command(options: RuleOptions) -> None:
    """Explain rules by code (AVE103) or name (verdict-case); list those of a prefix (AVE1), or all.

    An explanation has an invalid and a valid example, and what `ave-score fix` does.
    """
    for number, rules in enumerate(_named_rules(options.codes or ("AVE",))):
        text = explain(rules[0], style_for("-")) if len(rules) == 1 else rule_list(rules)
        click.echo(("\n" if number else "") + text, nl=False)


def _named_rules(names: tuple[str, ...]) -> list[list[Rule]]:
    """Return the rules of each argument; one `UsageError` lists all unknown names."""
    by_name = {rule.name: rule for rule in RULES.values()}
    listed, unknown = [], []
    for name in names:
        prefix = f"AVE{name}" if name.isdigit() else name.upper()
        by_code = [rule for code, rule in RULES.items() if code.startswith(prefix)]
        named = by_name.get(name.lower())
        if named or (by_code and name):
            listed.append([named] if named else by_code)
        else:
            hint = did_you_mean(nearest(name, [*RULES, *by_name]))
            unknown.append(f"no rule {name!r}{hint}")
    if unknown:
        raise UsageError("; ".join(unknown))
    return listed
