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


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"runs/es/delta.txt": None}, "Not compared: 1 run, and a comparison needs two."),
        (
            {"runs/es/alpha.txt": "a 1 REJECTED 0.1\n", "runs/es/delta.txt": "b 1 REJECTED 0.1\n"},
            # only c, which has no answers, lacks none in both
            "Not compared: samples need at least 2 questions, the collection has 1.",
        ),
    ],
)
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
    put(here / "runs/en", RUN, "qa_1.txt")
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
    assert found["2007", "es"].groups == {"alpha": "Uni A", "delta": "Uni D"}


def test_the_best_of_many_runs_may_be_better_than_each(tmp_path: Path) -> None:
    line = '<q id="{}"><q_str>?</q_str><a id="1" value="VALIDATED"/></q>'
    gold = f"<ave>{''.join(map(line.format, range(14)))}</ave>"
    right, wrong = (
        "".join(f"{n} 1 {word} 0.5\n" for n in range(14)) for word in ("SELECTED", "REJECTED")
    )
    names = [f"run{number:02}.txt" for number in range(11)]
    put_all(tmp_path, {"gold.xml": gold, "best.txt": right, **dict.fromkeys(names, wrong)})
    files = [str(tmp_path / name) for name in ("gold.xml", "best.txt", *names)]
    # the exact p of 14 won questions is 2 · 2^-14, times 66 pairs: 0.008
    out = " ".join(ave("compare", *files, "-m", "qa_accuracy").out.split())
    assert "By QA accuracy, best is significantly better than 11 runs. 11 of 66 pairs" in out


@pytest.mark.parametrize(("length", "named"), [(20, 10), (70, 4)])
def test_conclusions_name_fewer_runs_with_long_names(
    tmp_path: Path, length: int, named: int
) -> None:
    """At most 10, and at most 300 characters: 4 of 70."""
    line = '<q id="{}"><q_str>?</q_str><a id="1" value="VALIDATED"/></q>'
    gold = f"<ave>{''.join(map(line.format, range(14)))}</ave>"
    right, wrong = (
        "".join(f"{n} 1 {word} 0.5\n" for n in range(14)) for word in ("SELECTED", "REJECTED")
    )
    names = [f"{number:02}".rjust(length, "x") for number in range(13)]
    files = {f"{name}.txt": right for name in names}
    put_all(tmp_path, {"gold.xml": gold, "worst.txt": wrong, **files})
    paths = [str(tmp_path / name) for name in ("gold.xml", "worst.txt", *files)]
    out = " ".join(ave("compare", *paths, "-m", "qa_accuracy").out.split())
    listed = f"it and {', '.join(names[1 : named + 1])} and {12 - named} more. 13 of 91 pairs"
    assert listed in out
