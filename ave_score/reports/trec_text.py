"""Lines of measure, query and value, separated by tabs, as trec_eval prints them.

Measures have the names of trec_eval if it knows them. trec_eval pads them to 22 characters and
prints values by the format %6.4f, numbers of anything as whole numbers, `runid` and `num_q` first,
and single queries before `all`. Lines of several runs begin with the run and have no `runid`, as
leaderboards of TIRA are (`trec-eval-leaderboard`): run, query, measure and value.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import nan
from typing import TYPE_CHECKING

from ave_score.core.model import Collection, QARun, Run
from ave_score.core.policies import Policies
from ave_score.core.text import visible
from ave_score.measures import Measure
from ave_score.measures.names import trec_eval_names
from ave_score.reports.per_question import question_values
from ave_score.reports.report import Report, values_of
from ave_score.reports.style import TextStyle
from ave_score.tasks.applied import with_policies
from ave_score.tasks.subjects import kind_of

if TYPE_CHECKING:
    from ave_score.inference.units import Subject

DIGITS = 4
"""Default number of decimals."""

ALL = "all"
"""The query of a value over all queries."""


def render(report: Report, _style: TextStyle) -> str:
    """Return the lines of each run, of measures that apply; an undefined value is `nan`."""
    values = values_of(report, "trec")
    texts = []
    for run in values.runs:
        name = "_".join(visible(run.run).split())
        lines = [values.by_question.get((run.kind, run.run), "")]
        if len(values.runs) == 1:
            lines.append(_line("runid", ALL, name))
        if run.questions:
            lines.append(_line("num_q", ALL, str(run.questions)))
        lines += (
            _line(values.trec_eval[key], ALL, _text(value, key in values.whole, values.digits))
            for key, value in run.values.items()
            if key not in run.absent
        )
        text = "".join(lines)
        texts.append(text if len(values.runs) == 1 else _of_run(name, text))
    return "".join(texts)


def _of_run(name: str, text: str) -> str:
    """Return the lines of a run, which come first, with its name."""
    fields = (line.split("\t") for line in text.splitlines())
    return "".join(
        f"{name}\t{query}\t{key.strip()}\t{value.strip()}\n" for key, query, value in fields
    )


def _line(key: str, query: str, text: str) -> str:
    return f"{key:<22}\t{query}\t{text}\n"


def _text(value: Fraction | float | None, is_whole: bool, digits: int | None) -> str:
    number = nan if value is None else float(value)
    if is_whole and number.is_integer():
        return str(int(number))
    return f"{number:6.{DIGITS if digits is None else digits}f}"


class QuestionLines:
    """The lines of single questions, which the report prints before those of their run.

    Parameters
    ----------
    collection
        What runs are scored against, UNKNOWN labels resolved.
    digits
        The number of decimals; None: 4.
    """

    def __init__(
        self,
        collection: Collection,
        measures: Sequence[Measure],
        policies: Policies,
        digits: int | None,
    ) -> None:
        self._collection, self._measures, self._policies = collection, measures, policies
        self._digits, self._names = digits, trec_eval_names(measures)
        self.by_question: dict[tuple[str, str], str] = {}

    def take(self, run: Subject) -> Subject:
        """Keep the lines of a run, and return it unchanged; some measures have none."""
        assert isinstance(run, Run | QARun)
        decided = with_policies(run, self._collection, self._policies)
        values, _ = question_values(decided, self._collection, self._measures, self._policies)
        measures = [measure for measure in self._measures if measure.key in values]
        self.by_question[kind_of(run), run.name] = "".join(
            _line(
                self._names[measure.key],
                q_id,
                _text(values[measure.key][q_id], measure.whole, self._digits),
            )
            for q_id in next(iter(values.values()), ())
            for measure in measures
        )
        return run
