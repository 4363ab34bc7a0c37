"""`ave-score measures`: one measure explained, or all in a list."""

from __future__ import annotations

import click


@click.command("measures", short_help="Explain a measure, or list all.")
@click.argument("names", nargs=-1, metavar="[NAME]...")
def measures_command(names: tuple[str, ...]) -> None:
    """Explain measures by name (f1, ndcg@5); list those of a group (ranking), or all.

    Each explanation has the formula and what its symbols count, the range, what 0/0 gives, when to
    use the measure and when not, an example worked by hand, and the source. Groups: validation,
    selection, answering, confidence, ranking, list, definition, combined, categories, and ave2007,
    ave2008, respubliqa, best_of_n, the columns of tables.
    """
    from ave_score.commands.look import look_for
    from ave_score.measures import groups, parse_measures
    from ave_score.measures.names import ALL
    from ave_score.reports.measure_text import explain_measure, measure_list

    look = look_for("-")
    # all names are looked up first, so that every unknown one is said
    parse_measures(",".join(names or (ALL,)))
    texts = []
    for name in names or (ALL,):
        found = parse_measures(name)
        if name.strip() in groups():
            texts.append(measure_list(found, look))
        else:
            texts += [explain_measure(one, look) for one in found]
    click.echo("\n".join(texts), nl=False)
