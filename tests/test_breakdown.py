"""Scores of groups of questions, with micro and macro values: `score --breakdown`."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ave_score
from ave_score import Clusters, Design, IntervalPolicy, Policies, parse_measures
from ave_score.core.model import ClustersGiven
from ave_score.counts import run_families
from ave_score.inference.intervals import wilson
from tests import mostly_slow
from tests.helpers_command import ave, document_of, output, put_all, refusal
from tests.helpers_files import put
from tests.oracle import Campaign, make_campaign
from tests.test_oracle import read

GOLD = "gold/ave2007-es.xml"
RUNS = [f"sample_runs/ave2007-es/{name}.txt" for name in ("Tellez_1", "Tellez_2")]
LISTS = ["gold/lists.json", "sample_runs/lists/broad.tsv", "sample_runs/lists/brief.tsv"]


def only(campaign: Campaign, wanted: set[str]) -> Campaign:
    parts = re.findall(r"<q .*?</q>", campaign.gold, re.S)
    gold = "".join(part for part in parts if part.split('"')[1] in wanted)
    runs = [
        "".join(line for line in text.splitlines(keepends=True) if line.split()[0] in wanted)
        for text in campaign.runs
    ]
    return Campaign(f"<ave>{gold}</ave>", runs)


@pytest.mark.parametrize("seed", mostly_slow(range(5), 2))
def test_a_group_is_scored_like_a_file_of_its_questions(seed: int) -> None:
    """Every measure; micro is the score of the whole file."""
    campaign = make_campaign(seed, questions=7, runs=2)
    collection, runs = read(campaign)
    names = dict(zip(collection.index.questions, "abacbca", strict=True))
    measures = parse_measures("all", run_families())
    groups = Clusters("letters", names)
    found = ave_score.break_down(collection, runs, groups, measures=measures)
    for place, run in enumerate(found.runs):
        assert [part.name for part in run.parts] == ["a", "b", "c", "micro", "macro"]
        for part in run.parts[:-1]:
            wanted = {q_id for q_id, name in names.items() if name == part.name} or {*names}
            other, others = read(only(campaign, wanted))
            expected = ave_score.score(other, [others[place]], measures=measures).rows[0].values
            assert part.questions == len(wanted) and part.values == expected


LISTED = """\
{"q_id": "1", "a_id": "a", "label": "VALIDATED", "topic": "x", "tags": ["x"]}
{"q_id": "2", "a_id": "b", "label": "VALIDATED", "topic": ["x", "y"]}
"""
JUDGED = """\
{"q_id": "1", "run": "s", "judgement": "R", "topic": "x"}
{"q_id": "2", "run": "s", "judgement": "R", "topic": {"of": "x"}}
"""


def test_a_value_that_is_no_text_is_an_error_of_who_asks_for_it(here: Path) -> None:
    """Every way to ask for an attribute; a key that nobody asks for may have any value."""
    put(here, LISTED, "gold.jsonl")
    put(here, "1 a SELECTED 1\n2 b SELECTED 1\n", "run.txt")
    put(here, JUDGED, "judged.jsonl")
    listed = "gold.jsonl:2:{} AVE906 topic is a list of 2 values, expected a text or a number"
    listed = listed.format(LISTED.splitlines()[1].index("[") + 1)
    place = JUDGED.splitlines()[1].index("{", 1) + 1
    of_object = f"judged.jsonl:2:{place} AVE906 topic is an object of 1 key, expected a text"
    for said, call in (
        (listed, "score gold.jsonl run.txt --breakdown topic"),
        (listed, "score gold.jsonl run.txt --ci 95 --cluster topic"),
        (listed, "report gold.jsonl run.txt --breakdown topic -o page.html"),
        (of_object, "score judged.jsonl --breakdown topic"),
        (
            f"gold.jsonl:1:{LISTED.index('[') + 1} AVE906 tags is a list",
            "score gold.jsonl run.txt --breakdown tags",
        ),
    ):
        assert said in refusal(*call.split(), code=1)
    for call in ("score gold.jsonl run.txt", "check gold.jsonl", "score judged.jsonl"):
        assert ave(*call.split(), code=0).err == ""
    for gold in ("gold.jsonl", ave_score.read_collection("gold.jsonl")):
        with pytest.raises(ave_score.DefectError, match="AVE906 topic is a list of 2 values"):
            ave_score.break_down(gold, "run.txt", by="topic")


def test_macro_is_the_mean_of_the_groups_with_a_value(tmp_path: Path) -> None:
    """% of perfect: 1/2 of group a, 1 of b, undefined in c, which has no correct answer."""
    labels = {"1": "VALIDATED", "2": "VALIDATED", "3": "VALIDATED", "4": "REJECTED"}
    answers = "".join(
        f'<q id="{q_id}"><a id="1" value="{label}"/></q>' for q_id, label in labels.items()
    )
    collection = ave_score.read_collection(put(tmp_path, f"<c>{answers}</c>", "gold.xml"))
    lines = "1 1 SELECTED 0.5\n2 1 REJECTED 0.5\n3 1 SELECTED 0.5\n4 1 REJECTED 0.5\n"
    run = ave_score.read_run(put(tmp_path, lines, "run.txt"), collection)
    groups = Clusters("letters", {"1": "a", "2": "a", "3": "b", "4": "c"})
    measures = "normalized_qa_accuracy, qa_accuracy"
    (found,) = ave_score.break_down(collection, [run], groups, measures=measures).runs
    values = {part.name: part.values["normalized_qa_accuracy"] for part in found.parts}
    assert values == {"a": Fraction(1, 2), "b": 1, "c": None, "micro": Fraction(2, 3),
                      "macro": Fraction(3, 4)}  # fmt: skip
    assert found.parts[-1].values["qa_accuracy"] == Fraction(1, 2)  # of 1/2, 1 and 0
    assert found.parts[-1].questions == 3


def test_an_infinite_loss_in_a_group_is_no_mean_over_the_others(tmp_path: Path) -> None:
    """Log loss: -ln(0) of group a, ln(2) of b; Brier: (1 + 0.25) / 2."""
    xml = "".join(f'<q id="{n}"><a id="1" value="VALIDATED"/></q>' for n in (1, 2))
    collection = ave_score.read_collection(put(tmp_path, f"<c>{xml}</c>", "gold.xml"))
    run = ave_score.read_run(
        put(tmp_path, "1 1 REJECTED 0\n2 1 REJECTED 0.5\n", "run.txt"), collection
    )
    groups = Clusters("letters", {"1": "a", "2": "b"})
    whole = ave_score.break_down(collection, [run], groups, measures="log_loss, brier")
    remark = "Log loss is infinite in a group of 1 run, and so is the mean over the groups (macro)"
    text = " ".join(whole.to_text("markdown").split())
    assert f"{remark}: it has no value." in text
    assert "in which a measure is defined (n/a if it is infinite in one)" in text
    assert json.loads(whole.to_text("json"))["notes"] == [f"{remark}: it has no value."]
    (found,) = whole.runs
    values = {part.name: part.values for part in found.parts}
    assert float(values["b"]["log_loss"] or 0) == pytest.approx(math.log(2))
    assert [values[name]["log_loss"] for name in ("a", "micro", "macro")] == [None] * 3
    assert values["macro"]["brier"] == Fraction(5, 8)
    expected = ["a", "micro", "macro"]
    assert [part.name for part in found.parts if "log_loss" in part.infinite] == expected


def test_a_group_to_which_a_loss_does_not_apply_is_left_out_of_the_mean(tmp_path: Path) -> None:
    """Confidences above 1 in group a: undefined there and on all questions; ln(2) in group b."""
    xml = "".join(f'<q id="{n}"><a id="1" value="VALIDATED"/></q>' for n in (1, 2))
    files = put(tmp_path, f"<c>{xml}</c>", "gold.xml"), tmp_path / "run.txt"
    files[1].write_text("1 1 SELECTED 7\n2 1 REJECTED 0.5\n", "utf-8")
    groups = Clusters("letters", {"1": "a", "2": "b"})
    found = ave_score.break_down(files[0], [files[1]], groups, measures="log_loss, brier")
    values = {part.name: part.values for part in found.runs[0].parts}
    assert float(values["macro"]["log_loss"] or 0) == pytest.approx(math.log(2))
    assert values["macro"]["brier"] == Fraction(1, 4)
    assert values["micro"] == {"log_loss": None, "brier": None}
    assert not found.notes and "infinite" not in found.to_text("json")


def asked(folder: Path, sizes: dict[str, tuple[int, int]]) -> tuple[str, str, str]:
    """Write a collection and a run with so many right answers of so many questions per group."""
    gold, lines, groups, number = [], [], [], 0
    for group, (right, questions) in sizes.items():
        for place in range(questions):
            number += 1
            gold.append(f'<q id="{number}" topic="{group}"><a id="1" value="VALIDATED"/></q>')
            lines.append(f"{number} 1 {'SELECTED' if place < right else 'REJECTED'} 0.5\n")
            groups.append(f"{number}\t{group}\n")
    return (
        str(put(folder, f"<c>{''.join(gold)}</c>", "gold.xml")),
        str(put(folder, "".join(lines), "run.txt")),
        str(put(folder, "".join(groups), "groups.tsv")),
    )


def test_intervals_of_groups_micro_and_macro(tmp_path: Path) -> None:
    """Groups have Wilson's, micro that of score; macro has the standard error of two fixed groups:
    sqrt(0.3·0.7/40 + 0.8·0.2/200) / 2.
    """
    gold, run, _ = asked(tmp_path, {"x": (12, 40), "y": (160, 200)})
    options = ["-m", "qa_accuracy,c_at_1", "--ci", "95", "-f", "json"]
    document = document_of("score", gold, run, "--breakdown", "topic", *options)
    (found,) = document["runs"]
    assert [one["group"] for one in found["groups"]] == ["x", "y"]
    ends = [one["intervals"]["qa_accuracy"] for one in found["groups"]]
    assert ends[0] == pytest.approx(wilson(12, 40, 0.95))
    assert ends[1] == pytest.approx(wilson(160, 200, 0.95))
    whole = document_of("score", gold, run, *options)["runs"][0]
    assert found["micro"]["intervals"] == whole["intervals"]
    assert found["macro"]["measures"]["qa_accuracy"] == pytest.approx((0.3 + 0.8) / 2)
    low, high = found["macro"]["intervals"]["qa_accuracy"]
    error = (0.3 * 0.7 / 40 + 0.8 * 0.2 / 200) ** 0.5 / 2
    assert (high - low) / 2 == pytest.approx(1.96 * error, rel=0.05)
    assert document["signature"].endswith("|by:topic")


def test_groups_of_one_question_have_no_interval(tmp_path: Path) -> None:
    gold, run, _ = asked(tmp_path, {"x": (1, 1), "y": (3, 6)})
    policies = Policies(intervals=IntervalPolicy(resamples=100))
    found = ave_score.break_down(gold, run, "topic", measures="c_at_1", policies=policies)
    x, y, micro, macro = found.runs[0].parts
    assert "one question" in x.no_interval["c_at_1"]
    assert y.intervals.keys() == micro.intervals.keys() == {"c_at_1"}
    assert macro.no_interval == {"c_at_1": "a group has none"}


def test_a_table_and_an_attribute_say_the_same(tmp_path: Path) -> None:
    gold, run, table = asked(tmp_path, {"x": (1, 3), "y": (2, 2)})
    pages = []
    for by in ("topic", table):
        out = output("score", gold, run, "--breakdown", by, "-m", "qa_accuracy,f1")
        pages.append([line.split() for line in out.splitlines() if line.startswith("run ")])
    assert pages[0] == pages[1]
    assert [*pages[0][-1]] == ["run", "macro", "2", "0.67", "0.75"]  # F: 2·1/(2 + 2) and 1
    asked_csv = ["--breakdown", "topic", "-m", "qa_accuracy", "--ci", "90", "-f", "csv"]
    rows = list(csv.DictReader(io.StringIO(output("score", gold, run, *asked_csv))))
    expected = [("group", "x", "3"), ("group", "y", "2"), ("micro", "", "5"), ("macro", "", "2")]
    assert [(row["part"], row["group"], row["questions"]) for row in rows] == expected
    assert rows[0]["qa_accuracy_method"] == "wilson"


def test_systems_pairs_and_responses_have_groups(tmp_path: Path) -> None:
    lines = ["q_id\trun\tjudgement", *(f"{n}\ts\t{'R' if n < 3 else 'W'}" for n in range(6))]
    judged = str(put(tmp_path, "\n".join([*lines, ""]), "judged.tsv"))
    halves = str(put(tmp_path, "".join(f"{n}\th{n % 2}\n" for n in range(6)), "halves.tsv"))
    options = ["-m", "answering_accuracy", "-f", "json", "--breakdown"]
    (found,) = document_of("score", judged, *options, halves)["runs"]
    # 0, 2 of 0, 2, 4 are right, and 1 of 1, 3, 5
    values = [one["measures"]["answering_accuracy"] for one in found["groups"]]
    assert values == pytest.approx([2 / 3, 1 / 3])
    rows = "".join(
        f'<pair id="{n}" value="{"YES" if n else "NO"}" task="{"QA" if n < 2 else "IE"}">'
        "<t>x</t><h>y</h></pair>"
        for n in range(3)
    )
    gold = str(put(tmp_path, f"<c>{rows}</c>", "pairs.xml"))
    run = str(put(tmp_path, "0 YES\n1 YES\n2 YES\n", "run.txt"))
    (found,) = document_of("score", gold, run, "-m", "accuracy", "--breakdown", "task")["runs"]
    assert [one["measures"]["accuracy"] for one in found["groups"]] == [0.5, 1]
    broad, _ = document_of("score", *LISTS, "--breakdown", "type", "-m", "mmf1")["runs"]
    by_type = {one["group"]: one["measures"]["mmf1"] for one in broad["groups"]}
    # test_responses_scores has this mean by hand
    assert by_type == {"list": pytest.approx((4 / 9 + 1) / 2), "factoid": None, "definition": None}


def test_a_group_that_a_run_does_not_mention_has_no_values(tmp_path: Path) -> None:
    """K is .5 by hand: one question, selected rightly with .5; the other is left out."""
    gold = put(tmp_path, "q_id,a_id,label,topic\n1,a,VALIDATED,x\n2,a,REJECTED,y\n", "gold.csv")
    run = put(tmp_path, "1 a SELECTED 0.5\n", "run.txt")
    given = ("score", gold, run, "--missing", "excluded", "--breakdown", "topic")
    out = ave(*given, "-m", "k,cws,auc,brier", "-f", "csv", code=0).out
    found = [(row["group"], row["questions"], row["k"]) for row in csv.DictReader(io.StringIO(out))]
    assert found == [("x", "1", "0.5"), ("y", "0", ""), ("", "1", "0.5"), ("", "2", "0.5")]


@pytest.mark.parametrize(("arguments", "said"), [
    (["--breakdown", "theme"], "no file or attribute 'theme'; questions have lang"),
    (["--breakdown", "lang", "--plot", "x.svg"], "--breakdown cannot be combined with --plot"),
    (["--breakdown", "lang", "--cluster", "lang", "--ci", "stderr"], "--cluster needs a level"),
])  # fmt: skip
def test_what_cannot_be_broken_down(arguments: list[str], said: str) -> None:
    err = refusal("score", GOLD, *RUNS, *arguments)
    assert said in err


def test_the_table_of_groups_is_not_overwritten(tmp_path: Path) -> None:
    gold, run, table = asked(tmp_path, {"x": (1, 3), "y": (2, 2)})
    assert "not overwritten" in refusal("score", gold, run, "--breakdown", table, "--output", table)


def test_tables_name_the_methods_of_intervals(tmp_path: Path) -> None:
    gold, run, _ = asked(tmp_path, {"x": (12, 40), "y": (20, 50)})
    options = ["-m", "qa_accuracy", "--ci", "95", "--resamples", "200"]
    out = " ".join(output("score", gold, run, "--breakdown", "topic", *options).split())
    methods = "Wilson's for QA accuracy; BCa, from 200 bootstrap samples, for QA accuracy"  # macro
    assert f"95 % intervals: {methods}; groups are fixed" in out
    tiny = ["gold/tiny.xml", "sample_runs/tiny/bold.txt", "--breakdown", "lang"]
    assert (
        "intervals:"
        not in output("score", *tiny, "-m", "nil_precision", "--ci", "95").partition("Signature")[0]
    )  # all undefined


def test_every_question_needs_a_group(tmp_path: Path) -> None:
    table = str(put(tmp_path, "q_id\tgroup\n0001\ta\n0002\tb\n", "part.tsv"))
    assert "no group for 168 questions: '0003'" in refusal(
        "score", GOLD, *RUNS, "--breakdown", table
    )


PASSAGES = {"p": "RRW", "q": "RR", "r": "RWWW", "s": "W"}
"""Passage -> what is right of its questions: 5 of 10."""


def test_groups_and_clusters_have_standard_errors() -> None:
    """By hand: of 3 questions with 2 right, sqrt(1/3 / 3) = 1/3; of 2 right 0; of 4 with one,
    sqrt(1/4 / 4) = 1/4; of the mean over these 3, sqrt(1/9 + 1/16) / 3 = 5/36; of all, 1/2 / 3.

    Of clusters, the sums of right - 1/2 are 1/2, 1, -1 and -1/2, with the squares 5/2; times 4/3 by
    10 questions squared, that is 1/30.
    """
    rows = [
        {"q_id": f"{name}{n}", "run": "ada", "judgement": letter, "passage": name}
        for name, letters in PASSAGES.items()
        for n, letter in enumerate(letters)
    ]
    without = [row for row in rows if row["passage"] != "s"]
    measure = "answering_accuracy"
    (run,) = ave_score.break_down(without, by="passage", measures=measure, stderr=True).runs
    errors = [part.stderr[measure] for part in run.parts]
    micro = (5 * 4 / 9 / 8 / 9) ** 0.5  # 5 of 9 are right
    assert errors == pytest.approx([1 / 3, 0, 1 / 4, micro, 5 / 36])
    (row,) = ave_score.score(rows, clusters="passage", measures=measure, stderr=True).rows
    assert row.stderr[measure] == pytest.approx(30**-0.5)
    with pytest.raises(ave_score.UsageError, match="IntervalPolicy has those of intervals"):
        ave_score.score(rows, clusters="passage")


HALF_OF = {"p": "1", "q": "1", "r": "2", "s": "2"}
"""Passage -> the half that it is in."""


def in_halves() -> list[dict[str, str]]:
    """Return what one system answers to the questions of passages, which are in halves."""
    return [
        {
            "q_id": f"{name}{n}",
            "run": "ada",
            "judgement": letter,
            "passage": name,
            "half": HALF_OF[name],
            "parity": str(n % 2),
        }
        for name, letters in PASSAGES.items()
        for n, letter in enumerate(letters)
    ]


def test_clusters_are_sampled_in_each_group() -> None:
    """By hand: of the first half 4 of 5 are right, and its passages have the sums of right - 4/5
    -2/5 and 2/5; the squares, 8/25, times 2/1 by 5 questions squared, are (4/25)^2. Of the second
    half with 1 of 5, 1/5 and -1/5 give (2/25)^2. Of all, the root of 1/30, as without groups.
    """
    measure = "answering_accuracy"
    given: dict[str, Any] = {"measures": measure, "stderr": True}

    def clustered(seed: int) -> Policies:
        return Policies(intervals=IntervalPolicy(95, 500, seed, "passage"))

    broken = ave_score.break_down(in_halves(), by="half", policies=clustered(0), **given)
    parts = broken.runs[0].parts
    errors = [part.stderr[measure] for part in parts]
    macro = (0.16**2 + 0.08**2) ** 0.5 / 2
    assert errors == pytest.approx([0.16, 0.08, 30**-0.5, macro])
    assert all(measure in part.intervals for part in parts)
    assert "|cluster:passage" in broken.signature
    # a group is what it is alone, with its own samples
    for number, half in enumerate("12", 1):
        alone = [row for row in in_halves() if row["half"] == half]
        (row,) = ave_score.score(alone, policies=clustered(number), **given).rows
        assert row.intervals[measure] == parts[number - 1].intervals[measure]
    (row,) = ave_score.score(in_halves(), policies=clustered(0), **given).rows
    assert row.intervals[measure] == parts[2].intervals[measure]


@pytest.mark.parametrize(("by", "why"), [
    ("passage", ["a group of one cluster cannot be sampled"] * 4 + ["a group has none"]),
    # odd and even questions of one passage are not independent
    ("parity", ["a cluster has questions of several groups, which are not independent then"]),
])  # fmt: skip
def test_groups_that_cannot_be_sampled_by_clusters_say_why(by: str, why: list[str]) -> None:
    policies = Policies(intervals=IntervalPolicy(95, 100, 0, "passage"))
    given: dict[str, Any] = {"by": by, "measures": "answering_accuracy", "stderr": True}
    parts = ave_score.break_down(in_halves(), policies=policies, **given).runs[0].parts
    assert [text for part in parts for text in part.no_interval.values()] == why
    assert not parts[-1].stderr


def test_commands_sample_clusters_in_groups(tmp_path: Path) -> None:
    table = "\n".join(map("\t".join, [[*in_halves()[0]], *(row.values() for row in in_halves())]))
    judged = str(put(tmp_path, f"{table}\n", "judged.tsv"))
    options = ["--cluster", "passage", "--ci", "95", "-m", "answering_accuracy", "-f", "csv"]
    rows = csv.DictReader(output("score", judged, "--breakdown", "half", *options).splitlines())
    errors = [float(row["answering_accuracy_stderr"]) for row in rows]
    assert errors[:2] == pytest.approx([0.16, 0.08])
    assert "clusters of questions (passage) sampled inside each" in " ".join(
        output("score", judged, "--breakdown", "half", *options[:-2]).split()
    )
    first = table.split("\n")[1].split("\t")[0]
    some = put(tmp_path, f"q_id\tcluster\n{first}\tp\n", "some.tsv")
    err = refusal("score", judged, "--breakdown", "half", "--ci", "95", "--cluster", some)
    assert f"no cluster for {len(in_halves()) - 1} questions" in err  # not those of one group


GROUPS: dict[str, list[object]] = {
    "q_id": [f"{name}{n}" for name, letters in PASSAGES.items() for n in range(len(letters))],
    "group": [name for name, letters in PASSAGES.items() for _ in letters],
}


def rows_of(columns: dict[str, list[object]]) -> list[dict[str, object]]:
    return [
        dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)
    ]


@pytest.mark.parametrize("given", [GROUPS, rows_of(GROUPS), pd.DataFrame(GROUPS).assign(other=1)])
def test_frames_and_rows_are_groups_and_clusters(given: ClustersGiven) -> None:
    """They are what the attribute of the questions is."""
    rows = [
        {"q_id": q_id, "run": run, "judgement": letter, "passage": passage}
        for run in ("ada", "bob")
        for (q_id, passage), letter in zip(
            zip(GROUPS["q_id"], GROUPS["group"], strict=True),
            "".join(PASSAGES.values())[:: 1 if run == "ada" else -1],
            strict=True,
        )
    ]
    measure, design = "answering_accuracy", Design(clusters=given)
    parts = [
        ave_score.break_down(rows, by=by, measures=measure).runs[0].parts
        for by in (given, "passage")
    ]
    assert parts[0] == parts[1]
    by_group = ave_score.compare_groups(rows, by=given, measures=measure, design=design)
    assert {part.why_not for part in by_group.pairs[0].parts} == {
        "a group of one cluster is not tested",
        "",
        "the spread of differences in a group is unknown, as that of one cluster is",
    }
    compared = [
        ave_score.compare(rows, measures=measure, design=one).comparisons[0].pairs
        for one in (design, Design(clusters="passage"))
    ]
    assert repr(compared[0]) == repr(compared[1])
    errors = [
        ave_score.score(rows, measures=measure, stderr=True, clusters=clusters).rows[0].stderr
        for clusters in (given, "passage")
    ]
    assert errors[0] == errors[1]
    page = ave_score.report(rows, by=given, compared=measure, design=design).to_html()
    assert "|cluster:" in page
    policies = Policies(intervals=IntervalPolicy(clusters=given))
    assert ave_score.score(rows, measures=measure, policies=policies).rows[0].intervals


@pytest.mark.parametrize("given, said", [
    ([{"id": "p0", "group": "p"}], "expected columns 'q_id' and 'cluster' or 'q_id' and 'group'"),
    ([{"q_id": "p0", "group": "p\tq"}], "has a tab or a line break"),
    ([{"q_id": "p0", "group": "p\u2028q", "": 1}], "has a tab or a line break"),
    ([{"q_id": "zz", "group": "p"}], "clusters:1:1 AVE201"),
    (7, "expected an attribute"),
])  # fmt: skip
def test_rows_that_are_no_groups_are_refused(given: ClustersGiven, said: str) -> None:
    rows = [{"q_id": "p0", "run": "ada", "judgement": "R"}]
    with pytest.raises(ave_score.AveScoreError) as raised:
        ave_score.break_down(rows, by=given)
    assert said in str(raised.value)


def test_standard_errors_of_groups_and_clusters_are_shown(tmp_path: Path) -> None:
    """The figures are those of the test above."""
    lines = [
        f"{name}{n}\tada\t{letter}\t{name}\n"
        for name, letters in PASSAGES.items()
        for n, letter in enumerate(letters)
    ]
    head = "q_id\trun\tjudgement\tpassage\n"
    judged = str(put(tmp_path, head + "".join(lines), "judged.tsv"))
    given = "score", judged, "-m", "answering_accuracy", "--ci", "stderr"
    text = output(*given, "--cluster", "passage")
    assert "0.50 ± 0.18" in text and "|cluster:passage" in "".join(text.split())
    text = output(*given, "--breakdown", "passage")
    assert "0.67 ± 0.33" in text and "0.25 ± 0.25" in text
    assert "±: standard errors" in text
    found = document_of(*given, "--breakdown", "passage")["runs"][0]
    assert found["groups"][0]["stderr"] == pytest.approx({"answering_accuracy": 1 / 3})
    assert "stderr" not in found["macro"]  # one group has one question
    head, row, *_ = output(*given, "--breakdown", "passage", "-f", "csv").splitlines()
    said = float(row.split(",")[head.split(",").index("answering_accuracy_stderr")])
    assert said == pytest.approx(1 / 3)
    assert "give --ci PERCENT, too" in refusal("score", judged, "--cluster", "passage")


SEEDS = {
    "a/1": "RRWRWW", "a/2": "RWWRWW", "a/3": "RRRRWR", "b/1": "WWWWRR", "b/2": "RWWWRR",
    "b/3": "WWWRRR",
}  # fmt: skip
"""What is right in three runs of two systems: the first three questions are a group."""

HALVES = slice(3), slice(3, 6)


def test_systems_of_several_runs_have_groups(tmp_path: Path) -> None:
    """By hand: x of a is (2/3 + 1/3 + 1) / 3, y (1/3 + 1/3 + 2/3) / 3; of b 1/9 and 7/9."""
    scipy_stats = pytest.importorskip("scipy.stats")
    questions = "".join(
        f'<q id="{q}" topic="{"xy"[q > 2]}"><a id="0" value="VALIDATED"/>'
        '<a id="1" value="REJECTED"/></q>'
        for q in range(6)
    )
    files = {"gold.xml": f"<ave>{questions}</ave>"}
    for name, said in SEEDS.items():
        files[f"{name}.txt"] = "".join(
            f"{q} {a} {'SELECTED' if (a == 0) == (value == 'R') else 'REJECTED'} 0.5\n"
            for q, value in enumerate(said)
            for a in (0, 1)
        )
    put_all(tmp_path, files)
    gold, runs = tmp_path / "gold.xml", [tmp_path / "a", tmp_path / "b"]
    found = ave_score.break_down(gold, runs, "topic", measures="qa_accuracy", replicates="folder")
    values = {(run.run, part.name): part.values["qa_accuracy"] for run in found.runs
              for part in run.parts}  # fmt: skip
    assert values == {
        ("a", "x"): Fraction(2, 3), ("a", "y"): Fraction(4, 9),
        ("a", "micro"): Fraction(5, 9), ("a", "macro"): Fraction(5, 9),
        ("b", "x"): Fraction(1, 9), ("b", "y"): Fraction(7, 9),
        ("b", "micro"): Fraction(4, 9), ("b", "macro"): Fraction(4, 9),
    }  # fmt: skip
    paths = [str(gold), *map(str, runs)]
    more = ["--replicates", "folder", "-m", "qa_accuracy", "--ci", "95", "-f", "json"]
    broken = json.loads(output("score", *paths, *more, "--breakdown", "topic"))
    whole = json.loads(output("score", *paths, *more))
    got = [run["micro"]["intervals"] for run in broken["runs"]]
    assert got == [run["intervals"] for run in whole["runs"] if run["kind"] == "AV"]
    # of the mean over runs, the variance over questions of each group, by 2 groups; of the macro
    # means of the runs, their variance: the groups share them
    for run in broken["runs"]:
        seeds = np.array([[s == "R" for s in SEEDS[f"{run['run']}/{n}"]] for n in (1, 2, 3)])
        of_questions = [seeds[:, at].mean(axis=0).var(ddof=1) / 3 / 4 for at in HALVES]
        means = np.mean([seeds[:, at].mean(axis=1) for at in HALVES], axis=0)
        parts = [*of_questions, means.var(ddof=1) / 3]
        free = sum(parts) ** 2 / sum(part**2 / 2 for part in parts)
        half = scipy_stats.t.ppf(0.975, free) * sum(parts) ** 0.5
        expected = np.clip([seeds.mean() - half, seeds.mean() + half], 0, 1)
        assert run["macro"]["intervals"]["qa_accuracy"] == pytest.approx(expected.tolist())
        assert run["macro"]["interval_methods"] == {"qa_accuracy": "crossed"}
    assert "Means of the runs of each system: a 3, b 3." in broken["notes"]
    page = tmp_path / "page.html"
    output("report", *paths, "--replicates", "folder", "--breakdown", "topic", "-o", str(page))
    assert "a 3, b 3" in page.read_text("utf-8")
