"""Comparisons of the runs of a campaign: what is compared, and what is said if nothing is.

The figures are those of `ave-score compare` (`assert_as_score` in test_campaign).
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ave_score import campaign as scored_campaign
from tests.helpers_command import files_of, put_all
from tests.helpers_files import RUN, put
from tests.test_campaign import CAMPAIGN, campaign, here, small

__all__ = ["here"]

HEAD = "## Differences between runs\n"


def setting(folder: Path, line: str, text: str = CAMPAIGN) -> None:
    put(folder, text.replace("[editions.2007]\n", f"[editions.2007]\n{line}\n"), "campaign.toml")


def differences(folder: Path, language: str) -> str:
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


def test_a_language_may_not_have_the_name_of_a_comparison(here: Path) -> None:
    setting(here, "", CAMPAIGN.replace("languages.es]", "languages.en-Comparison]"))
    result = campaign(code=1)
    assert "another name: this one is reserved" in result.err


def test_comparisons_in_python(tmp_path: Path) -> None:
    small(tmp_path)
    found = scored_campaign(tmp_path / "campaign.toml").compared
    assert [*found] == [("2007", "en"), ("2007", "es")]
    assert found["2007", "es"].teams == {"alpha": "Uni A", "delta": "Uni D"}
