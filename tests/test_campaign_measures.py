"""`ave-score campaign` with measures that need samples: figures equal those of `score`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.helpers_files import put
from tests.test_campaign import CAMPAIGN, ave, campaign, here, rows_of, scores_of

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


def test_a_task_has_its_own_measures_and_policies(here: Path) -> None:
    short = "".join((here / "runs/en/alpha.txt").read_text().splitlines(keepends=True)[:-1])
    put(here / "runs/en", short, "short.txt")
    own = (
        '[editions.2007.languages.en]\nmeasures = "qa_accuracy, precision"\nmissing = "rejected"\n'
    )
    own += 'unknown = "incorrect"\n'
    put(here, CAMPAIGN.replace("[editions.2007.languages.en]\n", own), "campaign.toml")
    assert "not scored" not in campaign("campaign.toml", "-o", "results").err
    mine = scores_of(here / "results/2007/en.json")
    runs = [f"runs/en/{path.name}" for path in sorted((here / "runs/en").iterdir())]
    options = ["-m", "qa_accuracy, precision", "--missing", "rejected", "--unknown", "incorrect"]
    theirs = json.loads(ave("score", "gold/en.xml", *runs, *options, "--format", "json").out)
    for kind in ("AV", "baseline"):
        found = [(row["run"], row["measures"]) for row in rows_of(mine, kind)]
        assert found == [(row["run"], row["measures"]) for row in rows_of(theirs, kind)]
    assert mine["signature"] == theirs["signature"]
    assert "|missing:error|" in scores_of(here / "results/2007/es.json")["signature"]
    index = (here / "results/index.md").read_text()
    assert "- en: measures: qa\\_accuracy, precision; letters: qa-clef; missing: rejected" in index
    assert "- es: measures: f1, precision, recall, qa\\_accuracy; letters: qa-clef" in index
    (best,) = (here / "results/2007").glob("best-validation.md")
    assert "| team | en: Precision | es: F |" in best.read_text()


@pytest.mark.parametrize(("line", "said"), [
    ('measures = "f2, precison"', "AVE703 measures of editions.2007.languages.en"),
    ('missing = "no"', "AVE703 missing of editions.2007.languages.en"),
    ("ties = 1", "AVE703 ties of editions.2007.languages.en"),
    ("ties = true", "AVE703 ties of editions.2007.languages.en is 'true', expected one of"),
    ('compare = "f2"', "AVE703 compare of editions.2007.languages.en"),
])  # fmt: skip
@pytest.mark.parametrize("command", ["check", "campaign"])
def test_unusable_settings_of_a_task_are_told_once_at_their_line(
    here: Path, line: str, said: str, command: str
) -> None:
    head = "[editions.2007.languages.en]\n"
    text = CAMPAIGN.replace(head, f"{head}{line}\n")
    put(here, text, "campaign.toml")
    result = ave(command, "campaign.toml", code=1)
    at = text.splitlines().index(line) + 1
    told = [told for told in (result.out + result.err).splitlines() if said in told]
    assert [told.startswith(f"campaign.toml:{at}") for told in told] == [True]
