"""Comparisons of the runs of a campaign: what is compared, and what is said if nothing is.

The figures are those of `ave-score compare` (`assert_as_score` in test_campaign).
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ave_score import campaign as scored_campaign
from tests import mostly_slow
from tests.helpers_command import files_of, put_all
from tests.helpers_files import RUN, put
from tests.test_campaign import CAMPAIGN, ave, campaign, here, small

__all__ = ["here"]

HEAD = "## Differences between runs\n"


def setting(folder: Path, line: str, text: str = CAMPAIGN) -> None:
    """Write the small campaign with one more setting of its edition."""
    put(folder, text.replace("[editions.2007]\n", f"[editions.2007]\n{line}\n"), "campaign.toml")


def differences(folder: Path, language: str) -> str:
    """Return the section of a page of results; empty if there is none."""
    page = (folder / f"results/2007/{language}.md").read_text("utf-8")
    return page.partition(HEAD)[2].partition("\n## Notes\n")[0]


def test_no_comparison_if_it_is_not_wanted(here: Path) -> None:
    setting(here, 'compare = "none"')
    assert campaign().code == 0
    pages = files_of(here / "results")
    assert not [name for name in pages if "comparison" in name]
    assert not [name for name, data in pages.items() if b"Differences between" in data]


def test_runs_are_compared_by_the_first_measures_that_apply_to_all(here: Path) -> None:
    campaign()
    for language, expected in (("en", ["qa_accuracy"]), ("es", ["f1", "qa_accuracy"])):
        document = json.loads((here / f"results/2007/{language}-comparison.json").read_text())
        assert [each["measure"] for each in document["measures"]] == expected
        by_first = {"f1": "F", "qa_accuracy": "QA accuracy"}[expected[0]]
        assert f"\n- {language}: By {by_first}, " in (here / "results/index.md").read_text()


def test_systems_without_the_measure_are_left_out_and_named(here: Path) -> None:
    setting(here, 'compare = "qa_accuracy, f1"')
    assert campaign().code == 0
    text = differences(here, "en")
    assert "### F: 3 runs on 3 questions" in text
    note = r"Without qa\_1, qa\_2: no f1: a QA system decides on no candidate answers."
    assert text.rstrip().endswith(note)
    document = json.loads((here / "results/2007/en-comparison.json").read_text("utf-8"))
    assert [each["measure"] for each in document["measures"]] == ["qa_accuracy", "f1"]


def test_the_index_concludes_each_language_in_a_line(here: Path) -> None:
    campaign()
    lines = (here / "results/index.md").read_text("utf-8").partition("#" + HEAD)[2].splitlines()
    # at most three questions: an exact test cannot find p below 2 · 2^-3
    assert lines[1].startswith("- en: By QA accuracy, 3 questions are too few: even if a run ")
    assert lines[2].startswith("- es: By F, 3 questions are too few: even if a run ")
    assert lines[3] == ""


@pytest.mark.parametrize(("files", "expected"), [
    ({"runs/es/delta.txt": None}, "Not compared: 1 run, and a comparison needs two."),
    (
        {"runs/es/alpha.txt": "a 1 REJECTED 0.1\n", "runs/es/delta.txt": "b 1 REJECTED 0.1\n"},
        # only c, which has no answers, lacks none in both
        "Not compared: samples need at least 2 questions, the collection has 1.",
    ),
])  # fmt: skip
def test_why_runs_are_not_compared(here: Path, files: dict[str, str | None], expected: str) -> None:
    setting(here, 'missing = "excluded"')
    file = here / "campaign.toml"
    if None in files.values():  # nobody may be named that did not take part
        file.write_text(file.read_text().replace(', delta = "Uni D"', ""))
    for name, text in files.items():
        (here / name).unlink()
        put_all(here, {} if text is None else {name: text})
    campaign()
    assert differences(here, "es").partition("\n## ")[0].strip() == expected
    assert not (here / "results/2007/es-comparison.csv").exists()
    assert f"- es: {expected}" in (here / "results/index.md").read_text("utf-8")


def test_nothing_is_said_about_comparing_no_runs(here: Path) -> None:
    for name in ("alpha", "delta"):
        (here / f"runs/es/{name}.txt").unlink()
    campaign()
    assert differences(here, "es") == ""
    assert "- es: " not in (here / "results/index.md").read_text("utf-8").partition("## Left")[0]


def test_a_run_and_a_system_of_one_name_are_not_compared(here: Path) -> None:
    put(here / "runs/en", RUN.replace(" 0.9", " 0.8"), "qa_1.txt")
    assert campaign().code == 0
    assert differences(here, "en").strip() == "Not compared: two runs have the same name."


def test_measures_that_do_not_exist_are_found(here: Path) -> None:
    setting(here, 'compare = "f2"')
    result = campaign()
    assert result.code == 1
    assert result.err.startswith("campaign.toml:4 AVE703 compare ")
    assert "nothing scored" in result.err


def test_a_language_may_not_have_the_name_of_a_comparison(here: Path) -> None:
    setting(here, "", CAMPAIGN.replace("languages.es]", "languages.en-Comparison]"))
    result = campaign()
    assert result.code == 1
    assert "another name: this one is reserved" in result.err


def test_comparisons_in_python(tmp_path: Path) -> None:
    small(tmp_path)
    found = scored_campaign(tmp_path / "campaign.toml").compared
    assert [*found] == [("2007", "en"), ("2007", "es")]
    assert found["2007", "es"].teams == {"alpha": "Uni A", "delta": "Uni D"}


def right_on(*questions: range, at: int, of: int) -> str:
    """Return a run that selects the answers to some questions, with confidences of its own."""
    chosen = {number for part in questions for number in part}
    words = ("SELECTED" if number in chosen else "REJECTED" for number in range(of))
    return "".join(f"{number} 1 {word} 0.{at:03}\n" for number, word in enumerate(words))


LONG = "x" * 60
SOME = "no significant difference was found"

THAN_EACH = "significantly worse than each of these"
"""Not "below", which left open whether all of the team are better."""

CONCLUSIONS: dict[str, tuple[dict[str, tuple[range, ...]], str]] = {
    # the exact p of 14 won questions is 2 · 2^-14, times at most 5,050 pairs: 0.6
    "better than each": (
        {"best": (range(14),), **{f"run{number:02}": () for number in range(11)}},
        ("best is significantly better than run00, run01, run02, run03, run04, run05, run06, "
         "run07, run08, run09 and run10. 11 of 66 pairs"),
    ),
    "one team": (
        {**{f"run{number:02}": (range(14),) for number in range(22)},
         **{f"low{number}": () for number in range(6)}},
        (f"22 of 28 runs share the first group, within which {SOME}; low0, low1, low2, low3, low4 "
         f"and low5 are {THAN_EACH}. 132 of 378 pairs differ"),
    ),
    "one below": (
        {**{f"run{number:02}": (range(14),) for number in range(10)}, "low": ()},
        (f"10 of 11 runs share the first group, within which {SOME}; low is {THAN_EACH}. 10 of 55 "
         "pairs differ"),
    ),
    "few in the first group": (
        {"best": (range(14),), "good": (range(13),), **{f"low{n}": () for n in range(10)}},
        (f"best and good share the first group, within which {SOME}; 10 of 12 runs are "
         f"{THAN_EACH}. 20 of 66 pairs"),
    ),
    "long names": (
        {**{f"run{number:02}": (range(14),) for number in range(10)},
         **{f"{LONG}{number}": () for number in range(2)}},
        (f"10 of 12 runs share the first group, within which {SOME}; 2 runs are {THAN_EACH}. "
         "20 of 66"),
    ),
    # a few with long names: best and mid are alike
    "few": (
        {f"a{LONG}": (range(14),), f"b{LONG}": (range(13),), f"c{LONG}": ()},
        (f"2 of 3 runs share the first group, within which {SOME}; c{LONG} is {THAN_EACH}. 2 of 3 "
         "pairs"),
    ),
    # best wins 10 and loses 3 beside each x (p = 0.09), 4 and 3 beside each y, and each y wins 6
    # beside each x (p = 0.03): best is in two teams, and none is worse than it
    "two teams": (
        {"best": (range(3, 16),),
         **{f"x{number}": (range(6),) for number in range(5)},
         **{f"y{number}": (range(12),) for number in range(5)}},
        ("x0, x1, x2, x3 and x4 are significantly worse than y0, y1, y2, y3 and y4 only. 25 of 55 "
         "pairs"),
    ),
    # low loses 14 of 14 questions to the best alone (p · 36 pairs = 0.004), and 8 of 14 to others
    "one pair": (
        {"best": (range(14),), **{f"run{number}": (range(8),) for number in range(7)}, "low": ()},
        "low is significantly worse than best only. 1 of 36 pairs differs significantly",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", mostly_slow(CONCLUSIONS, 2))
def test_conclusions_count_runs(tmp_path: Path, case: str) -> None:
    """Pairs are counted by hand: each run of one kind with each of another."""
    runs, expected = CONCLUSIONS[case]
    questions = 20 if case == "two teams" else 14
    line = '<q id="{}"><q_str>?</q_str><a id="1" value="VALIDATED"/></q>'
    gold = f"<ave>{''.join(map(line.format, range(questions)))}</ave>"
    texts = {
        f"{name}.txt": right_on(*right, at=at, of=questions)
        for at, (name, right) in enumerate(runs.items())
    }
    put_all(tmp_path, {"gold.xml": gold, **texts})
    files = [str(tmp_path / name) for name in ("gold.xml", *texts)]
    correction = ["--correction", "none" if case == "two teams" else "holm"]
    out = " ".join(ave("compare", *files, "-m", "qa_accuracy", *correction).out.split())
    assert f"By QA accuracy, {expected}" in out
