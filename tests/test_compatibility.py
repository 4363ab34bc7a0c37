"""What was published stays: `docs/reference/compatibility.md` says what users can rely on."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence

from tests import each
from tests.helpers_command import ave
from tools import published

TINY = ("gold/tiny.xml", "sample_runs/tiny/bold.txt", "sample_runs/tiny/careful.txt")

COLUMNS: dict[str, tuple[tuple[str, ...], str]] = {
    "scores": (("score", *TINY, "-m", "f1"),
        "run team kind validated_correct validated_incorrect rejected_correct rejected_incorrect "
        "validated_unknown rejected_unknown questions_correct_and_validated "
        "questions_correct_or_validated sum_of_f1 selected_right selected_wrong_answerable "
        "withheld_answerable selected_wrong_unanswerable withheld_unanswerable selected_unknown "
        "expected_random questions_with_correct answered_right answered_wrong unanswered "
        "withheld_right withheld_wrong f1"),
    "intervals": (("score", *TINY, "-m", "f1", "--ci", "95", "--resamples", "100"),
        "f1 f1_low f1_high f1_method"),
    "sweep": (("score", *TINY, "--sweep", "f1"), "run threshold accepted f1"),
    "breakdown": (("score", *TINY, "--breakdown", "lang", "-m", "f1"),
        "run kind part group questions f1"),
    "comparison": (("compare", *TINY, "-m", "qa_accuracy"),
        "measure run other value other_value difference low high p p_corrected significant exact "
        "won tied lost effect"),
    "stability": (("stability", *TINY, "-m", "f1", "--resamples", "10"),
        "measure unit size fuzziness error_rate ties"),
    "swap": (("swap", *TINY, "-m", "f1", "--resamples", "10"),
        "measure unit size difference comparisons swaps error_rate"),
    "best of n": (("decide", "sample_runs/best-of-n.jsonl", "--curve"), "n choice verifier value"),
    "agreement": (("agree", *TINY[1:]), "run other answers agreement kappa overlap same_selected"),
    "campaign list": (("campaign", "list", "sample_runs/campaign.toml"),
        "edition language team run file"),
    "collections": (("stats", TINY[0]), "collection language questions answers"),
}  # fmt: skip
"""The columns of the pages below docs/reference/json and of the pages about each command."""


def test_what_was_published_is_still_there() -> None:
    """After an intended removal, see docs/reference/compatibility.md: it needs a new number."""
    names: dict[str, list[str]] = json.loads(published.FILE.read_text("utf-8"))
    assert published.missing(names) == [] and "AVE103 verdict-case" in names["rules"]
    assert "--measures" in names["options of score"]
    assert "runs[].measures" in names["keys of scores"]


def test_what_disappears_is_named() -> None:
    gone = {"rules": ["AVE103 verdict-case", "AVE103 verdict-kase"], "options of rank": ["--up"]}
    assert published.missing(gone) == ["rules: AVE103 verdict-kase", "options of rank: --up"]


@each("given, columns", COLUMNS.values())
def test_columns_stay(given: Sequence[str], columns: str) -> None:
    out = ave(*given, "-f", "csv", code=0).out
    heads = next(csv.reader(io.StringIO(out)))
    assert {*columns.split()} <= {*heads} and len({*heads}) == len(heads)
