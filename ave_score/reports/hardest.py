"""The questions that the fewest runs get right, and those that one run alone gets right."""

from __future__ import annotations

from collections.abc import Sequence

from ave_score.inference.questions import Answered
from ave_score.reports.grid import Grid
from ave_score.text import counted

_NAMED = 10
"""Questions of a run that are named."""


def hardest_grids(answered: Sequence[Answered], runs: Sequence[str], number: int) -> list[Grid]:
    """Return the `number` hardest questions, and how often each run is alone in being right.

    Parameters
    ----------
    answered
        Every question with a correct answer, the hardest first.
    """
    rows = [[one.question, f"{len(one.right)}", ", ".join(one.right)] for one in answered[:number]]
    nobody = sum(not one.right for one in answered)
    questions = counted(len(answered), "question")
    note = (
        f"Of {questions} with a correct answer; right is who selects one. "
        f"{f'No run is right on {nobody:,}' if nobody else 'Some run is right on each'} of these."
    )
    alone = {run: [one.question for one in answered if list(one.right) == [run]] for run in runs}
    several = [
        [run, f"{len(of_run):,}", ", ".join(of_run[:_NAMED]) + ", ..." * (len(of_run) > _NAMED)]
        for run, of_run in alone.items()
    ]
    return [
        Grid("Hardest questions", ["Question", "Runs right", "Right"], rows, "lrl", notes=[note]),
        Grid(
            "Questions that one run alone gets right", ["Run", "Alone", "Questions"], several, "lrl"
        ),
    ]
