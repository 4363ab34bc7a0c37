"""The scoring program of a bundle for Codabench: `python3 -m ave_score.platforms.codabench IN OUT`.

`IN/ref` has the reference data, a campaign file of one task with its collection, and `IN/res` the
submission. `OUT` gets `scores.json` and `detailed_results.html`, both or none.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from ave_score.platforms.scored import program, scored_in


def main(given: str, output: str) -> int:
    """Score the submission in a folder; return the exit code: 1 if there are no scores."""
    return program(
        lambda: scored_in(Path(given, "ref"), Path(given, "res")),
        lambda result: {
            Path(output, "detailed_results.html"): result.page.to_html(),
            Path(output, "scores.json"): json.dumps(result.scores, allow_nan=False) + "\n",
        },
    )


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
