"""`ave-score measures`: explain a measure, or list all measures."""

from __future__ import annotations

import click

from ave_score.commands.declared import Options, argument, command
from ave_score.commands.types import A_MEASURE_OR_GROUP
from ave_score.reports.style import style_for


class MeasuresOptions(Options):
    """The arguments of one call."""

    names: tuple[str, ...] = argument(
        nargs=-1, metavar="[NAME]...", shell_complete=A_MEASURE_OR_GROUP
    )


@command(
    "measures",
    MeasuresOptions,
    examples={
        "Explain two measures": "ave-score measures c_at_1 ndcg@5",
        "List the measures of a group": "ave-score measures ranking",
    },
)
def measures_command(options: MeasuresOptions) -> None:
    """Explain measures by name (f1, ndcg@5); list those of a group (ranking), or all.

    An explanation has the formula and its symbols, the range, the value of 0/0, when to use the
    measure and when not to, a worked example, and the source. Groups: validation, selection,
    answering, confidence, ranking, list, definition, combined, categories, and the table columns
    ave2007, ave2008, respubliqa, best_of_n.
    """
    from ave_score.measures import groups, parse_measures
    from ave_score.measures.names import ALL
    from ave_score.reports.measure_text import explain_measure, measure_list

    style = style_for("-")
    names = options.names or (ALL,)
    parse_measures(",".join(names))  # one error for all unknown names
    texts = []
    for name in names:
        measures = parse_measures(name)
        if name.strip() in groups():
            texts.append(measure_list(measures, style))
        else:
            texts += [explain_measure(measure, style) for measure in measures]
    click.echo("\n".join(texts), nl=False)
