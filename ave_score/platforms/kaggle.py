"""Kaggle: the metric of a competition, on frames of pandas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ave_score.core.policies import Policies
from ave_score.core.text import brief, excerpt, visible
from ave_score.measures.registry import CRITERION
from ave_score.platforms.scored import SubmissionError, scored

if TYPE_CHECKING:
    import pandas

_IDS = ("pair_id", "q_id", "a_id")


class ParticipantVisibleError(Exception):
    """A mistake of a participant; the platform shows only the messages of errors of this name."""


def score(
    solution: pandas.DataFrame,
    submission: pandas.DataFrame,
    row_id_column_name: str,
    measure: str = CRITERION,
    policies: Policies | None = None,
) -> float:
    """Return the value of a measure.

    Parameters
    ----------
    solution
        The collection: `q_id`, `a_id` and `label`, or `pair_id` and `label`, and the ids of rows.
    submission
        The run: the ids of rows, `verdict` and `confidence`.
    row_id_column_name
        The column with the ids of rows, which may be `pair_id`.
    measure
        The key of the measure.
    policies
        As `score` takes them.

    Raises
    ------
    ParticipantVisibleError
        The run has errors, or the measure is undefined for it.
    """
    try:
        run = _with_ids(solution, submission, row_id_column_name)
        columns = [name for name in (*_IDS, "label", "grade") if name in solution]
        scores = scored(solution[columns], run, measures=measure, policies=policies).scores
    except SubmissionError as error:
        raise ParticipantVisibleError(error.for_commands) from None
    if not scores:
        raise ParticipantVisibleError(f"{measure} is undefined for this run")
    (value,) = scores.values()
    return value


def _with_ids(
    solution: pandas.DataFrame, submission: pandas.DataFrame, row_id: str
) -> pandas.DataFrame:
    """Return a run with the ids of answers in the place of those of rows."""
    if row_id not in submission:
        raise SubmissionError(visible(f"there is no column {row_id}"))
    names = [name for name in _IDS if name in solution]
    ids = {str(row): cells for row, *cells in solution[[row_id, *names]].itertuples(index=False)}
    rows = [*map(str, submission[row_id])]
    unknown = [row for row in rows if row not in ids]
    if unknown:
        shown = brief([*map(excerpt, unknown)])
        raise SubmissionError(f"{visible(row_id)}: there is no row {shown}")
    run = submission[[name for name in ("verdict", "confidence") if name in submission]]
    columns = zip(names, zip(*(ids[row] for row in rows), strict=True), strict=False)
    return run.assign(**dict(columns))
