"""`ave-score campaign` with measures that need samples: figures equal those of `score`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.helpers_files import put
from tests.test_campaign import (
    CAMPAIGN,
    ave,
    campaign,
    here,
    rows_of,
    scores_of,
)

__all__ = ["here"]

MEASURES = "ranking, confidence, categories, f1"

JUDGED = """\
q_id\trun\tjudgement\tanswer\tconfidence
1\tqa_1\tR\tAnn\t0.9
2\tqa_1\tW\tNIL\t0.125
3\tqa_1\tR\tNIL\t5e-324
1\tqa_2\tW\tBob\t
"""


def ask(here: Path, measures: str = MEASURES) -> None:
    put(here, CAMPAIGN.replace("f1, precision, recall, qa_accuracy", measures), "campaign.toml")


@pytest.fixture
def asked(here: Path) -> Path:
    """Return the folder of the small campaign with all measures, ties, and odd confidences."""
    ask(here)
    put(here / "gold", JUDGED, "en.qa.tsv")
    run = (here / "runs/en/alpha.txt").read_text()
    put(here / "runs/en", run.replace("0.2", "0.9").replace("0.7", "0.6"), "tied.txt")
    put(here / "runs/en", run.replace("0.2", "-1e300").replace("0.7", "7"), "wild.txt")
    put(here / "runs/en", run.replace("0.2", "5e-324").replace("0.7", "0.1"), "tiny.txt")
    return here


def test_figures_are_those_of_score(asked: Path) -> None:
    campaign("campaign.toml", "-o", "results")
    mine = scores_of(asked / "results/2007/en.json")
    runs = sorted(path.relative_to(asked).as_posix() for path in (asked / "runs/en").iterdir())
    options = ["--qa", "gold/en.qa.tsv", "-m", MEASURES, "--format", "json"]
    result = ave("score", "gold/en.xml", *runs, *options)
    theirs = json.loads(result.out)
    for kind in ("AV", "QA", "baseline"):
        values = {row["run"]: row["measures"] for row in rows_of(mine, kind)}
        assert values == {row["run"]: row["measures"] for row in rows_of(theirs, kind)}
        assert values
    wild = next(row for row in rows_of(mine, "AV") if row["run"] == "wild")
    assert wild["measures"]["brier"] is None
    assert wild["measures"]["auc"] is not None
