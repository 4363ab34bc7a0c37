"""EvalAI: the function that its workers call."""

from __future__ import annotations

from ave_score.core.policies import Policies
from ave_score.platforms.scored import SubmissionError, scored, why_not
from ave_score.tasks.subjects import MeasuresGiven


def evaluate(
    test_annotation_file: str,
    user_annotation_file: str,
    phase_codename: str,
    *,
    split: str | None = None,
    measures: MeasuresGiven | None = None,
    policies: Policies | None = None,
    **_kwargs: object,
) -> dict[str, object]:
    """Score a submission.

    Parameters
    ----------
    test_annotation_file
        The collection with its labels.
    user_annotation_file
        The run.
    phase_codename
        The phase.
    split
        The code name of the split; by default that of the phase.
    measures, policies
        As `score` takes them.
    _kwargs
        What the platform says about the submission.

    Returns
    -------
    dict
        The scores as the platform reads them: the labels of the leaderboard are keys of measures
        in letters, digits and `_`. `submission_metadata`, a text, has what was found in the run.

    Raises
    ------
    SubmissionError
        There are no scores; participants may read the message.
    """
    try:
        result = scored(
            test_annotation_file, user_annotation_file, measures=measures, policies=policies
        )
    except Exception as error:
        raise SubmissionError(why_not(error)) from None  # participants see the whole traceback
    return {
        "result": [{split or phase_codename: result.scores}],
        "submission_metadata": "\n".join(result.told),
        "submission_result": result.scores,
    }
