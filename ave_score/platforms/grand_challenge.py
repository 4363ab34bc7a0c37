"""Grand Challenge: the program of an evaluation container.

It is `python3 -m ave_score.platforms.grand_challenge`. The ground truth has the reference data, a
campaign file of one task with its collection; `metrics.json` has the scores as `aggregates`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from ave_score.platforms.scored import exit_code, program, scored_in


def main(
    submission: str = "/input",
    truth: str = "/opt/ml/input/data/ground_truth",
    output: str = "/output",
) -> int:
    """Score the submission in a folder; return the exit code: 1 if there are no scores."""
    return program(
        lambda: scored_in(Path(truth), Path(submission)),
        lambda result: {
            # results of single cases would show labels
            Path(output, "metrics.json"): json.dumps(
                {"results": [], "aggregates": result.scores}, allow_nan=False
            )
        },
    )


if __name__ == "__main__":
    sys.exit(exit_code(main))
