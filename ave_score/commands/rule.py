"""`ave-score rule`: one rule explained, or all in a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ave_score.rules import Rule


@click.command("rule", short_help="Explain a rule, or list all.")
@click.argument("codes", nargs=-1, metavar="[CODE]...")
def rule_command(codes: tuple[str, ...]) -> None:
    """Explain rules by code (AVE103) or name (verdict-case); list those of a prefix (AVE1), or all.

    Each explanation has a wrong and a right example and what `ave-score fix` does about it.
    """
    from ave_score.commands.look import look_for
    from ave_score.reports.findings.rule_text import explain, rule_list

    for number, rules in enumerate(_found(codes)):
        text = explain(rules[0], look_for("-")) if len(rules) == 1 else rule_list(rules)
        click.echo(("\n" if number else "") + text, nl=False)


def _found(codes: tuple[str, ...]) -> list[list[Rule]]:
    """Return the rules that each argument names; raises `UsageError` for all that name none."""
    from ave_score.errors import UsageError
    from ave_score.rules import RULES
    from ave_score.text import did_you_mean, nearest

    by_name = {rule.name: rule for rule in RULES.values()}
    found, unknown = [], []
    for given in codes or ("AVE",):
        prefix = f"AVE{given}" if given.isdigit() else given.upper()
        by_code = [rule for code, rule in RULES.items() if code.startswith(prefix)]
        named = by_name.get(given.lower())
        if named or (by_code and given):
            found.append([named] if named else by_code)
        else:
            hint = did_you_mean(nearest(given, [*RULES, *by_name]))
            unknown.append(f"no rule {given!r}{hint}")
    if unknown:
        raise UsageError("; ".join(unknown))
    return found
