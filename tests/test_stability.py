"""The stability of measures, against the algorithm of Buckley and Voorhees in plain loops."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ave_score
from ave_score import Collection, Label, Measure, Run, Sampling, Verdict, parse_measures
from ave_score.counts import Counts, Family, ValidationCounts
from ave_score.counts.decisions import decisions_of
from ave_score.inference import samples
from ave_score.inference.samples import Unit, count_units, draw, score_samples
from ave_score.inference.stability import pairs, stability_curve
from tests import each, examples, slow
from tests.helpers_command import ave, output, process, refusal
from tests.helpers_files import COLLECTION, KEY, RUN, UNLABELLED, put
from tests.oracle import make_campaign
from tests.test_oracle import read

SEEDS = st.integers(0, 10**9)
Exact = list[list[Fraction | None]]
"""Sample, run -> the measure."""


def counts_of_units(run: Run, collection: Collection, family: Family, unit: Unit) -> list[Counts]:
    """Count every unit of a run, exactly and one by one."""
    if unit is Unit.ANSWERS:
        found: list[Counts] = []
        for verdict, label in zip(run.verdicts, collection.labels, strict=True):
            accepted, right = verdict != Verdict.REJECTED, label == Label.VALIDATED
            name = f"{('rejected', 'validated')[accepted]}_{('incorrect', 'correct')[right]}"
            if label != Label.UNKNOWN:
                found.append(ValidationCounts(**{name: 1}))
        return found
    assert family.of_decisions
    return [*map(family.of_decisions, decisions_of(run, collection))]


def exact_scores(
    measure: Measure, runs: Sequence[list[Counts]], drawn: Sequence[Sequence[bool]]
) -> Exact:
    """Score every run in every sample with exact counts, unit by unit."""
    scores: Exact = []
    for sample in drawn:
        row = []
        for counts in runs:
            total = type(counts[0])()
            for taken, one in zip(sample, counts, strict=True):
                if taken:
                    total = total + one
            row.append(measure(total))
        scores.append(row)
    return scores


def transcribed(scores: Exact, fuzziness: Fraction) -> dict[tuple[int, int], list[int]]:
    """Count |A>B|, |A<B| and |A==B| of each pair, as the paper tells it."""
    outcomes = {}
    for a in range(len(scores[0])):
        for b in range(a + 1, len(scores[0])):
            greater = less = equal = 0
            for row in scores:
                one, other = row[a], row[b]
                if one is None or other is None:
                    continue
                larger = one if abs(one) > abs(other) else other
                if one == other or abs(one - other) < fuzziness * abs(larger):
                    equal += 1
                elif one > other:
                    greater += 1
                else:
                    less += 1
            outcomes[a, b] = [greater, less, equal]
    return outcomes


def rates(outcomes: dict[tuple[int, int], list[int]]) -> tuple[Fraction | None, Fraction | None]:
    """Return the error rate and the proportion of ties."""
    errors = ties = total = 0
    for greater, less, equal in outcomes.values():
        errors += min(greater, less)
        ties += equal
        total += greater + less + equal
    return (Fraction(errors, total), Fraction(ties, total)) if total else (None, None)


CASES = [
    *(("f1", Unit.ANSWERS), ("accuracy", Unit.ANSWERS), ("e_alpha(3)", Unit.ANSWERS)),
    *(("f1", Unit.QUESTIONS), ("macro_f1", Unit.QUESTIONS), ("qa_accuracy", Unit.QUESTIONS)),
    *(("headroom", Unit.QUESTIONS), ("utility", Unit.QUESTIONS), ("c_at_1", Unit.QUESTIONS)),
    *(("romip_e", Unit.QUESTIONS), ("n_right", Unit.QUESTIONS)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("key", "unit"), CASES)
@given(SEEDS, st.integers(2, 4))
@settings(max_examples=examples(24))
def test_equal_to_the_published_algorithm(key: str, unit: Unit, seed: int, runs: int) -> None:
    """Both are given the same samples; one has arrays of floats, the other loops of fractions."""
    collection, read_runs = read(make_campaign(seed, questions=9, runs=runs))
    (measure,) = parse_measures(key)
    counted = count_units(read_runs, collection, [measure], unit)
    (sampled,) = score_samples(counted, unit, [measure], Sampling(None, 30, seed))
    (drawn,) = np.concatenate(list(draw(counted[0].questions, sampled.sampling, 1, [30])), axis=1)
    counts = [counts_of_units(run, collection, measure.family, unit) for run in read_runs]
    scores = exact_scores(measure, counts, drawn.tolist())
    for found in stability_curve(sampled.scores[0]):
        expected = transcribed(scores, found.fuzziness)
        outcomes = zip(found.greater, found.less, found.equal, strict=True)
        assert [list(map(int, one)) for one in outcomes] == list(expected.values())
        assert (found.error_rate, found.ties) == rates(expected)


def test_by_hand() -> None:
    """Two runs in five samples: 0.50 against 0.40, 0.44, 0.46, 0.50 and 0.60. Differences of 0.10,
    0.06, 0.04, 0 and -0.10. At 0.01 the least that is no tie is 0.005, so that A is above in three,
    below in one, and one is a tie: error rate 1/5. At 0.09 the bounds are 0.045, four times, and
    0.054: above in two, below in one, two ties."""
    scores = np.array([[0.5, other] for other in (0.40, 0.44, 0.46, 0.50, 0.60)])
    curve = stability_curve(scores)
    assert [float(one.fuzziness) for one in curve] == [n / 100 for n in range(1, 11)]
    first, ninth = curve[0], curve[8]
    assert (first.greater.tolist(), first.less.tolist(), first.equal.tolist()) == ([3], [1], [1])
    assert (first.error_rate, first.ties) == (Fraction(1, 5), Fraction(1, 5))
    assert (ninth.greater.tolist(), ninth.less.tolist(), ninth.equal.tolist()) == ([2], [1], [2])
    assert (ninth.error_rate, ninth.ties) == (Fraction(1, 5), Fraction(2, 5))


@each("one, other, percent, tied", [
    (50 / 100, 49 / 100, 2, False),  # 0.01 = 0.02 · 0.50
    (50 / 100, 49 / 100, 3, True),
    (100 / 300, 97 / 300, 3, False),  # 3/300 = 0.03 · 100/300
    (0.7, 0.63, 10, False),  # in floats 0.7 - 0.63 is less than 0.07
    (0.0, 0.0, 1, True),
    (0.3, 0.3, 1, True),
    (-0.50, -0.49, 2, False),  # the larger score is that farther from 0
    (-0.50, -0.49, 3, True),
    (0.1, -0.1, 10, False),
])  # fmt: skip
def test_at_the_bound(one: float, other: float, percent: int, tied: bool) -> None:
    """A tie is a difference smaller than the bound, and one of nothing."""
    (found,) = stability_curve(np.array([[one, other]]), [Fraction(percent, 100)])
    assert found.equal.tolist() == [int(tied)]
    assert found.total == 1


def test_undefined_scores_are_in_no_comparison() -> None:
    scores = np.array([[0.5, np.nan, 0.1], [0.5, 0.2, 0.1]])
    (found,) = stability_curve(scores, [Fraction(1, 100)])
    assert pairs(3) == [(0, 1), (0, 2), (1, 2)]
    assert found.greater.tolist() == [1, 2, 1]
    assert found.total == 4
    (nothing,) = stability_curve(np.full((3, 2), np.nan), [Fraction(1, 100)])
    assert (nothing.error_rate, nothing.ties) == (None, None)


def test_samples_are_of_the_size_and_without_replacement() -> None:
    settled = Sampling(3, 2000, 5)
    (drawn,) = np.concatenate(list(draw(8, settled, 1, [2000])), axis=1)
    assert drawn.shape == (2000, 8)
    assert drawn.dtype == np.bool_
    assert (drawn.sum(axis=1) == 3).all()
    # each of the 56 samples of 3 of 8 about 2000/56 = 36 times, standard deviation 6
    found, times = np.unique(drawn, axis=0, return_counts=True)
    assert len(found) == 56
    assert 36 - 30 < times.min() <= times.max() < 36 + 30


def test_scores_in_blocks_equal_those_in_one_block(monkeypatch: pytest.MonkeyPatch) -> None:
    collection, runs = read(make_campaign(5, questions=30, runs=3))
    measures = parse_measures("qa_accuracy, macro_f1")
    counted = count_units(runs, collection, measures, Unit.QUESTIONS)
    together = score_samples(counted, Unit.QUESTIONS, measures, Sampling(7, 20), 2)
    monkeypatch.setattr(samples, "BLOCK", 100)  # 3 samples, and 4 or 16 units, at a time
    in_blocks = score_samples(counted, Unit.QUESTIONS, measures, Sampling(7, 20), 2)
    for one, other in zip(in_blocks, together, strict=True):
        assert one.scores == pytest.approx(other.scores, abs=1e-12, nan_ok=True)


def put_campaign(folder: Path, seed: int = 1, runs: int = 3) -> list[str]:
    """Write a random collection and runs; return their names."""
    campaign = make_campaign(seed, questions=20, runs=runs)
    put(folder, campaign.gold, "gold.xml")
    names = [f"run{number}.txt" for number in range(runs)]
    for name, text in zip(names, campaign.runs, strict=True):
        put(folder, text, name)
    return ["gold.xml", *names]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    put_campaign(tmp_path)
    return tmp_path


def test_every_format_says_the_same(here: Path) -> None:
    arguments = ["stability", *put_campaign(here), "-m", "f1,qa_accuracy", "--resamples", "40"]
    document = json.loads(output(*arguments, "--format", "json"))
    assert document["schema"] == "ave-score/stability/1"
    assert document["runs"] == ["run0", "run1", "run2"]
    assert document["pairs"] == [["run0", "run1"], ["run0", "run2"], ["run1", "run2"]]
    assert [one["measure"] for one in document["measures"]] == ["f1", "qa_accuracy"]
    assert [one["unit"] for one in document["measures"]] == ["questions", "questions"]
    assert [one["size"] for one in document["measures"]][1] == 10
    rows = list(csv.DictReader(io.StringIO(output(*arguments, "--format", "csv"))))
    assert len(rows) == 20
    formats = ("table", "markdown", "latex")
    tables = {one: output(*arguments, "--format", one, "--digits", "3") for one in formats}
    points = [point for one in document["measures"] for point in one["curve"]]
    for row, point in zip(rows, points, strict=True):
        for name in ("fuzziness", "error_rate", "ties"):
            assert float(row[name]) == point[name]
        outcomes = [point["greater"], point["less"], point["equal"]]
        assert list(map(sum, zip(*outcomes, strict=True))) == [40, 40, 40]
        errors = sum(map(min, point["greater"], point["less"]))
        assert point["error_rate"] == errors / 120
        for table in tables.values():
            assert f"{100 * point['error_rate']:.3f}" in table
            assert f"{100 * point['ties']:.3f}" in table
    drawn = "resamples:40|seed:0|unit:questions|size:10"
    assert document["signature"].endswith(drawn)
    assert drawn in tables["table"]
    assert "3 runs make only 3 pairs" in tables["table"]


@pytest.mark.parametrize("name", ["stability", "swap"])
@pytest.mark.parametrize("format_", ["table", slow("csv"), "json"])
def test_the_order_of_runs_changes_nothing(name: str, format_: str, here: Path) -> None:
    gold, *runs = put_campaign(here, runs=5)
    more = ["-m", "f1,macro_f1,headroom", "--resamples", "50", "--format", format_]
    first = output(name, gold, *runs, *more)
    random.Random(4).shuffle(runs)
    assert output(name, gold, *runs, *more) == first
    assert output(name, gold, *runs, *more, "--seed", "0") == first
    assert output(name, gold, *runs, *more, "--seed", "1") != first


@pytest.mark.slow
def test_the_number_of_threads_changes_nothing() -> None:
    """Also of sums of fractions, as those of macro_f1 are."""
    runs = sorted(map(str, Path("sample_runs/ave2008-es").glob("*.gz")))
    arguments = ["swap", "gold/ave2008-es.xml.gz", *runs, "-m", "f1,macro_f1,headroom"]
    arguments += ["-f", "json"]
    written = set()
    for threads in ("1", "2", "4"):
        names = (f"{library}_NUM_THREADS" for library in ("OPENBLAS", "OMP", "MKL"))
        environment: dict[str, Any] = dict.fromkeys(names, threads)
        code, out, _ = process(*arguments, **environment)
        assert code == 0
        written.add(out)
    assert len(written) == 1


@pytest.mark.parametrize("name", ["stability", "swap"])
@pytest.mark.parametrize(("arguments", "message"), [
    (["gold.xml", "run0.txt"], "1 run given, at least two needed"),
    (["gold.xml", "run0.txt", "run1.txt", "--size", "0"], "sample of 0 questions"),
    (["gold.xml", "run0.txt", "run1.txt", "--size", "-1"], "sample of -1 questions"),
    (["gold.xml", "run0.txt", "run1.txt", "--size", "21"], "can be drawn from 20"),
    (["one.xml", "a.txt", "b.txt"], "1 question, too few"),
    (["gold.xml", "run0.txt", "run1.txt", "--resamples", "0"], "0 resamples"),
    (["gold.xml", "run0.txt", "run1.txt", "-m", "ff1"], "did you mean f1"),
    (["gold.xml", "run0.txt", "run1.txt", "-m", "mmf1"], "no samples of mmf1 of run0"),
    (["gold.xml", "run0.txt", "run1.txt", "-m", "mrr,f1,qa_accuracy", "--unit", "answers"],
        "samples of answers: mrr, qa_accuracy"),
    (["gold.xml", "run0.txt", "run0.txt"], "given twice"),
    (["gold.xml", "run0.txt", "run1.txt", "-o", "run1.txt"], "not overwritten"),
])  # fmt: skip
def test_what_cannot_be_refused(name: str, arguments: list[str], message: str, here: Path) -> None:
    put(here, '<ave><q id="1"><a id="1" value="VALIDATED"/></q></ave>', "one.xml")
    put(here, "1 1 SELECTED 1\n", "a.txt")
    put(here, "1 1 REJECTED 1\n", "b.txt")
    assert message in refusal(name, *arguments)


def test_a_defective_run_ends_it(here: Path) -> None:
    put(here, "000 000_0 MAYBE 0.5\n", "bad.txt")
    err = refusal("stability", "gold.xml", "run0.txt", "bad.txt", code=1)
    assert "nothing compared: 1 file has errors" in err
    assert "MAYBE" in err


def test_policies_and_files(here: Path) -> None:
    lines = (here / "run0.txt").read_text().splitlines(keepends=True)
    put(here, "".join(lines[1:]), "short.txt")
    more = ["-m", "accuracy", "--unit", "answers", "-f", "json"]
    more += ["--missing", "rejected", "--unknown", "incorrect"]
    code, out, err = ave("stability", "gold.xml", "run1.txt", "short.txt", *more)
    assert code == 0
    assert "read as REJECTED" in err
    document = json.loads(out)
    (one,) = document["measures"]
    assert one["units"] == len(lines)  # UNKNOWN has become a judgement
    assert "missing:rejected|unknown:incorrect" in document["signature"]
    written = ["stability", "gold.xml", "run0.txt", "run1.txt", "-o", "new.md", "-f", "markdown"]
    assert output(*written) == ""
    assert (here / "new.md").read_text().startswith("### Stability of F")


@pytest.mark.parametrize("name", ["stability", "swap"])
def test_labels_of_a_key(name: str, here: Path) -> None:
    for text, file in ((COLLECTION, "full.xml"), (UNLABELLED, "bare.xml"), (KEY, "key.txt")):
        put(here, text, file)
    put(here, RUN, "one.txt")
    put(here, RUN.replace("VALIDATED", "REJECTED"), "two.txt")
    figures, unit = [], ["--unit", "answers"]
    for gold in (["full.xml"], ["bare.xml", "--key", "key.txt"]):
        text = output(name, *gold, "one.txt", "two.txt", "-m", "accuracy", "-f", "csv", *unit)
        figures.append(text)
    assert figures[0] == figures[1]
    assert "accuracy,answers,2," in figures[0]  # of the four that are judged
    assert ave(name, "bare.xml", "one.txt", "two.txt").code == 1


def test_pairs_are_answers(here: Path) -> None:
    """AVE 2006: answers can be drawn, questions there are none."""
    labels = ["YES", "NO", "NO", "YES", "NO", "UNKNOWN"]
    rows = (f'<pair id="{n}" value="{label}"/>' for n, label in enumerate(labels))
    put(here, f"<entailment-corpus>{''.join(rows)}</entailment-corpus>", "pairs.xml")
    for name, yes in (("a.txt", (0, 1)), ("b.txt", (0, 3))):
        put(here, "".join(f"{n} {'YES' if n in yes else 'NO'}\n" for n in range(6)), name)
    files = ["pairs.xml", "a.txt", "b.txt"]
    more = ["-m", "accuracy", "--size", "2", "--format", "json"]
    document = json.loads(output("stability", *files, *more))
    (one,) = document["measures"]
    assert (one["unit"], one["units"], one["size"]) == ("answers", 5, 2)
    # b is right everywhere and a where 1 and 3 are not drawn: below in 1 - C(3,2)/C(5,2) = 0.7
    assert one["curve"][0]["greater"] == [0]
    assert one["curve"][0]["less"][0] / 500 == pytest.approx(0.7, abs=0.08)
    by_default = json.loads(output("stability", *files, *more[2:]))
    assert [one["measure"] for one in by_default["measures"]] == ["f1", "precision", "recall"]
    said = refusal("stability", *files, "-m", "accuracy", "--unit", "questions")
    assert "pairs belong to no question" in said


def test_qa_systems_by_hand(here: Path) -> None:
    """All six samples of two of four questions: c@1 is (right + unanswered · right / 2) / 2.

    a: R W W W, b: W R U U, U unanswered. Of samples {1,2} {1,3} {1,4} {2,3} {2,4} {3,4} a has
    1/2 1/2 1/2 0 0 0; b has 1/2 0 0 3/4 3/4 0: a above in two, below in two, tied in two.
    """
    rows = ["q_id run judgement", *(f"{q} a {letter}" for q, letter in enumerate("RWWW", 1))]
    rows += [f"{q} b {letter}" for q, letter in enumerate("WRUU", 1)]
    put(here, "\n".join(rows).replace(" ", "\t") + "\n", "judged.tsv")
    more = ["--letters", "respubliqa", "--size", "2", "--resamples", "3000", "-f", "json"]
    document = json.loads(output("stability", "judged.tsv", *more))
    assert [one["measure"] for one in document["measures"]] == ["c_at_1", "answering_accuracy"]
    c_at_1 = document["measures"][0]
    assert (c_at_1["unit"], c_at_1["units"]) == ("questions", 4)
    point = c_at_1["curve"][0]
    for outcome in ("greater", "less", "equal"):
        assert point[outcome][0] / 3000 == pytest.approx(1 / 3, abs=0.04)  # 4 standard errors
    assert "letters:respubliqa" in document["signature"]
    assert "no samples of f1 of a" in refusal("stability", "judged.tsv", *more[:2], "-m", "f1")
    halves = json.loads(output("swap", "judged.tsv", *more, "-m", "answering_accuracy"))
    (swapped,) = halves["measures"]
    # questions 1 and 2 in different halves: one of the runs is ahead by 1/2, then the other
    assert swapped["bins"][20]["swaps"] == swapped["bins"][20]["comparisons"]
    assert swapped["bins"][20]["comparisons"] / 3000 == pytest.approx(4 / 6, abs=0.04)


def test_rankings_and_confidences_are_sampled_by_question() -> None:
    """All questions in the sample: the figures of `score`; half of them: the mean of these."""
    collection, runs = read(make_campaign(9, questions=10, runs=3))
    measures = parse_measures("mrr, auc, f1")
    exact = ave_score.score(collection, runs, measures="mrr,auc,f1").rows
    counted = count_units(runs, collection, measures, Unit.QUESTIONS)
    for size in (10, 5):
        found = score_samples(counted, Unit.QUESTIONS, measures, Sampling(size, 4, 3))
        assert [one.measure.key for one in found] == ["mrr", "auc", "f1"]
        for one in found if size == 10 else ():
            for number, name in enumerate(run.name for run in runs):
                (row,) = (row for row in exact if row.run == name)
                value = float(row.values[one.measure.key] or 0)
                assert one.scores[0, :, number] == pytest.approx([value] * 4)
    (masks,) = draw(10, found[0].sampling, 1, [4])
    for number, run in enumerate(counted):
        values = run.of_each(measures[0])
        means = [values[mask].mean() for mask in masks[0]]
        assert found[0].scores[0, :, number] == pytest.approx(means)
