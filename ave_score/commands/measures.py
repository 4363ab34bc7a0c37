"""`ave-score measures`: one measure explained, or all in a list."""

from __future__ import annotations

import click

from ave_score.commands.options import Options, argument, command


class MeasuresOptions(Options):
    """The arguments of one call."""

    names: tuple[str, ...] = argument(nargs=-1, metavar="[NAME]...")


@command("measures", MeasuresOptions, short_help="Explain a measure, or list all.")
def measures_command(options: MeasuresOptions) -> None:
    """Explain measures by name (f1, ndcg@5); list those of a group (ranking), or all.

    Each explanation has the formula and what its symbols count, the range, what 0/0 gives, when to
    use the measure and when not, an example worked by hand, and the source. Groups: validation,
    selection, answering, confidence, ranking, list, definition, combined, categories, and ave2007,
    ave2008, respubliqa, best_of_n, the columns of tables.
    """
    from ave_score.measures import groups, parse_measures
    from ave_score.measures.names import ALL
    from ave_score.reports.measure_text import explain_measure, measure_list
    from ave_score.reports.style import style_for

    style = style_for("-")
    names = options.names or (ALL,)
    parse_measures(",".join(names))  # one error for all unknown names
    texts = []
    for name in names:
        found = parse_measures(name)
        if name.strip() in groups():
            texts.append(measure_list(found, style))
        else:
            texts += [explain_measure(one, style) for one in found]
    click.echo("\n".join(texts), nl=False)
