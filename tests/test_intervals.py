"""Confidence intervals: `score --ci`."""

from __future__ import annotations

import csv
import io
import re
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ave_score
from ave_score import Clusters, IntervalPolicy, Resampling, parse_measures
from ave_score.counts import ANSWERING
from ave_score.inference.by_question import ByQuestion, Floats
from ave_score.inference.intervals import (
    FEW_CONTRIBUTE,
    FEW_UNITS,
    ONE_UNIT,
    Estimate,
    interval_of,
    wilson,
)
from ave_score.inference.resampling import replicate, whole
from tests import each
from tests.helpers_command import ave, document_of, refusal
from tests.helpers_command import output as output_of
from tests.helpers_files import put
from tests.helpers_latex import plain
from tests.helpers_statistics import answered, validated

GOLD = "gold/ave2007-es.xml"
RUNS = [f"sample_runs/ave2007-es/{name}.txt" for name in ("Rodrigo", "Tellez_1", "Tellez_2")]
QUICK = ["--ci", "95", "--resamples", "400"]


output = partial(output_of, "score")
document = partial(document_of, "score")


def test_every_run_and_system_has_intervals_around_its_figures() -> None:
    found = document(GOLD, *RUNS, "--qa", "gold/ave2007-es.qa.tsv", *QUICK)
    for row in found["runs"]:
        if row["kind"] == "baseline":
            assert "intervals" not in row
            continue
        assert {"qa_accuracy", "c_at_1"} <= row["intervals"].keys()
        assert ("f1" in row["intervals"]) == (row["kind"] == "AV")
        for key, (low, high) in row["intervals"].items():
            if row["measures"][key] is not None:
                assert low <= row["measures"][key] <= high, key
    assert "|intervals:95|resamples:400|seed:0|" in found["signature"]
    seeded = document(GOLD, RUNS[0], "-m", "f1", "--ci", "90", "--resamples", "50", "--seed", "7")
    assert "|intervals:90|resamples:50|seed:7|" in seeded["signature"]


def test_tables_show_them_and_say_what_they_are() -> None:
    for format_ in ("table", "markdown", "latex"):
        asked = ["-m", "f1,mcc,auc,cws,mrr", "--format", format_]
        out = output(GOLD, *RUNS, *QUICK, *asked)
        text = plain(out).replace("\\", "")
        assert re.search(r"0\.53\** (& )?\[0\.\d\d, 0\.\d\d\]", text)
        assert "Wilson's with an effective size for F; BCa, from 400 bootstrap samples, for" in text
        assert "No interval" not in text


def test_undefined_measures_have_no_method(tmp_path: Path) -> None:
    answers = "".join(f'<q id="{q}"><q_str/><a id="{q}" value="UNKNOWN"/></q>' for q in "12")
    gold = put(tmp_path, f"<ave>{answers}</ave>", "gold.xml")
    run = put(tmp_path, "1 1 SELECTED 1\n2 2 SELECTED 1\n")
    said = output(str(gold), str(run), "-m", "f1", "--ci", "95")
    assert "intervals:" not in said.replace("|intervals:95|", "")


def test_csv_has_the_ends() -> None:
    asked = ["-m", "f1,cws_rte", "--format", "csv", "--digits", "3"]
    out = output(GOLD, *RUNS, *QUICK, *asked)
    rows = {row["run"]: row for row in csv.DictReader(io.StringIO(out))}
    assert float(rows["Rodrigo"]["f1_low"]) < float(rows["Rodrigo"]["f1"])
    assert float(rows["Rodrigo"]["cws_rte_low"]) < float(rows["Rodrigo"]["cws_rte"])
    assert rows["100% VALIDATED"]["f1_low"] == ""
    without = output(GOLD, *RUNS, "-m", "f1,auc", "--format", "csv")
    assert "f1_low" not in without


@pytest.mark.slow
def test_one_seed_has_one_result_whatever_the_order_of_runs() -> None:
    def found(*arguments: str) -> dict[str, Any]:
        runs = document(GOLD, *arguments, *QUICK)["runs"]
        return {row["run"]: row.get("intervals") for row in runs}

    first = found(*RUNS)
    assert found(*RUNS[::-1]) == first
    assert found(RUNS[1])["Tellez_1"] == first["Tellez_1"]
    assert found(*RUNS, "--seed", "1") != first


def test_every_measure_has_an_interval() -> None:
    """Of the shipped runs; those that are undefined, or do not apply, have none, and ECE."""
    asked = ["--ci", "95", "--resamples", "100", "-m", "all"]
    (row, *_) = document(GOLD, RUNS[0], *asked)["runs"]
    known = {key for key, value in row["measures"].items() if value is not None}
    assert known - row["intervals"].keys() == {"ece"}  # see test_no_interval
    for key in known - {"ece"}:
        low, high = row["intervals"][key]
        assert low <= row["measures"][key] <= high, key


def test_what_has_no_interval_is_refused(tmp_path: Path) -> None:
    assert "combined with --ci" in refusal("score", GOLD, *RUNS, "--ci", "95", "--sweep", "f1")
    gold = put(tmp_path, '<c><q id="1"><a id="1" value="VALIDATED"/></q></c>', "gold.xml")
    said = refusal("score", gold, put(tmp_path, "1 1 SELECTED 0.5\n"), "--ci", "95")
    assert "samples need at least 2 questions, the collection has 1" in said


def test_policies_in_python_are_checked() -> None:
    collection = ave_score.read_collection("gold/tiny.xml")
    run = ave_score.read_run("sample_runs/tiny/careful.txt", collection)
    for wrong in (IntervalPolicy(level=120), IntervalPolicy(resamples=0), IntervalPolicy(seed=-1)):
        with pytest.raises(ave_score.UsageError):
            ave_score.score(collection, [run], policies=ave_score.Policies(intervals=wrong))


def _campaign(chance: np.random.Generator, questions: int) -> Floats:
    """Draw counts of questions: correct and wrong answers, more of the one validated."""
    correct, wrong = chance.binomial(2, 0.4, questions), chance.binomial(4, 0.8, questions)
    validated = chance.binomial(correct, 0.7), chance.binomial(wrong, 0.3)
    columns = [*validated, correct - validated[0], wrong - validated[1]]
    return np.column_stack([*columns, np.zeros(questions), np.zeros(questions)]).astype(float)


@each(
    "successes, units, level",
    [(0, 20, 0.95), (20, 20, 0.95), (1, 20, 0.9), (37, 170, 0.99), (5, 5, 0.8), (500, 1000, 0.95)],
)
def test_wilson_equals_scipy(successes: int, units: int, level: float) -> None:
    stats = pytest.importorskip("scipy.stats", reason="SCIPY IS MISSING: pip install scipy")
    expected = stats.binomtest(successes, units).proportion_ci(level, method="wilson")
    assert wilson(successes, units, level) == pytest.approx((expected.low, expected.high))


def estimated(counted: ByQuestion, name: str) -> Estimate:
    (measure,) = parse_measures(name)
    (values,) = replicate([counted], [measure], Resampling(500)).values()
    return interval_of(counted, measure, values, IntervalPolicy(95, 500))


def test_shares_of_questions_have_wilson_s_interval() -> None:
    right = [1] * 30 + [0] * 10
    ends = wilson(30, 40, 0.95)
    for name in ("qa_accuracy", "answering_accuracy", "normalized_qa_accuracy"):
        found = estimated(answered(right), name)
        assert (found.method, found.caution) == ("wilson", None)
        assert found.interval == pytest.approx(ends)
    # the number of questions: whole numbers that include 40 times these ends
    found = estimated(answered(right), "n_right")
    assert found.interval == (np.floor(40 * ends[0]), np.ceil(40 * ends[1]))
    # c@1 is no share, and with half a point for each question neither is accuracy
    assert estimated(answered(right), "c_at_1").method == "wilson-effective"
    assert estimated(answered(right), "unanswered_as_half").method == "wilson-effective"
    # the gain over random selection may be negative
    assert estimated(answered(right), "gain_over_random").method == "bca"


def test_a_ratio_above_1_has_no_wilson_interval(tmp_path: Path) -> None:
    """A system is right on all three questions, where perfect selection is right on two: 3/2."""
    gold = "q_id,a_id,label\n1,a,REJECTED\n2,a,VALIDATED\n3,a,VALIDATED\n"
    judged = "q_id\trun\tjudgement\ta_id\n1\ts\tR\ta\n2\ts\tR\ta\n3\ts\tR\ta\n"
    files = put(tmp_path, gold, "gold.csv"), "--qa", put(tmp_path, judged, "judged.tsv")
    ends = ("--ci", "95", "--resamples", "100", "-f", "csv")
    _, out, err = ave("score", *files, "-m", "normalized_qa_accuracy", *ends)
    system = next(csv.DictReader(io.StringIO(out)))
    assert system["normalized_qa_accuracy"] == "1.5"
    assert system["normalized_qa_accuracy_method"] == "bca"
    assert "RuntimeWarning" not in err


def test_equal_samples_of_a_mean_are_bounded_by_the_rule_of_three() -> None:
    """MRR 1 on 20 questions: up to 1 - 0.05^(1/20) = 13.9 % of all questions may have another."""
    (mrr,) = parse_measures("mrr")
    for undefined in (0, 10):  # questions that have no value say nothing about the others
        rows = np.vstack([np.ones((20, 2)), np.zeros((undefined, 2))])
        counted = ByQuestion("run", {}, {"mrr": rows})
        found = interval_of(counted, mrr, np.ones(100), IntervalPolicy())
        assert found.method == "rule of three"
        assert found.interval == pytest.approx((0.05 ** (1 / 20), 1))


def test_equal_samples_of_other_measures_give_no_interval() -> None:
    found = estimated(answered([1] * 20), "utility")
    assert np.isnan(found.low)
    assert "all bootstrap samples are equal" in str(found.caution)


def test_few_questions_are_named() -> None:
    few, enough = answered([1, 0] * 14 + [1]), answered([1, 0] * 15)
    assert estimated(few, "c_at_1").caution == FEW_CONTRIBUTE.format(unit="question")
    for name in ("utility", "gain_over_random"):
        assert estimated(few, name).caution == FEW_UNITS.format(unit="question")
    for name in ("c_at_1", "utility"):
        assert estimated(enough, name).caution is None


def test_a_share_of_answers_is_wilson_s_only_if_they_are_independent() -> None:
    """A run of two answers per question: accuracy has units of two answers, pairs have one each."""
    columns = np.zeros((40, 6))
    columns[:, 0] = columns[:, 3] = 1  # one correct answer validated, one wrong one rejected
    columns[:10, [2, 0]] = 1, 0
    accuracy = estimated(validated(columns), "accuracy")
    assert accuracy.method == "wilson-effective"
    alone = np.zeros((40, 6))
    alone[:30, 0] = alone[30:, 1] = 1
    accuracy = estimated(validated(alone, unit="pair"), "accuracy")
    assert accuracy.method == "wilson"
    assert accuracy.interval == pytest.approx(wilson(30, 40, 0.95))
    # two correct answers to each of 40 questions, all found: no more than 40 are independent
    both = np.zeros((40, 6))
    both[:, 0] = 2
    recall = estimated(validated(both), "recall")
    assert recall.method == "wilson-effective"
    assert recall.interval == pytest.approx((40 / (40 + 1.959964**2), 1), abs=1e-6)


def test_methods_are_named_in_every_format() -> None:
    asked = [GOLD, RUNS[0], "-m", "qa_accuracy,c_at_1", *QUICK]
    (row, *_) = document(*asked)["runs"]
    assert row["interval_methods"] == {"qa_accuracy": "wilson", "c_at_1": "wilson-effective"}
    assert "interval_cautions" not in row
    found = list(csv.DictReader(io.StringIO(output(*asked, "--format", "csv"))))
    assert found[0]["qa_accuracy_method"] == "wilson"
    assert found[0]["c_at_1_method"] == "wilson-effective"
    out = output(*asked)
    assert "95 % intervals: Wilson's for QA accuracy." in out
    assert "95 % intervals: Wilson's with an effective size for c@1." in out
    tiny = ["gold/tiny.xml", "sample_runs/tiny/careful.txt", "-m", "f1,utility,precision", *QUICK]
    out = output(*tiny)
    assert "95 % intervals: BCa, from 400 bootstrap samples, for UF." in out
    assert "Caution: the interval of a ratio to which fewer than 30 questions contribute" in out
    (row, *_) = document(*tiny)["runs"]
    assert row["interval_methods"]["utility"] == "bca"
    assert list(row["interval_cautions"]) == ["f1", "utility", "precision"]


def ends(share: float, size: float, z: float = 1.959963985) -> tuple[float, float]:
    """Return the shares p whose distance to a share is z times their error, as Wilson 1927. They
    are the roots of (share - p)² = z² p (1 - p) / size."""
    square, linear = 1 + z**2 / size, -(2 * share + z**2 / size)
    root = (linear**2 - 4 * square * share**2) ** 0.5
    return (-linear - root) / (2 * square), (-linear + root) / (2 * square)


def test_effective_size_by_hand() -> None:
    """F of three questions (validated correct, incorrect; rejected correct): 2·2 / 7 = 4/7. Each
    adds (2 cv - F (2 cv + cr + iv)) / 7 to its error: 2/49, 6/49 and -8/49, so the variance is 3/2
    · 104/2401 = 156/2401, and 4/7 · 3/7 of it 588/156. Student's t of 2 degrees of freedom is
    4.302653 where the normal quantile is 1.959964."""
    found = estimated(validated([(1, 1, 0), (1, 0, 0), (0, 1, 1)]), "f1")
    size = 588 / 156 * (1.959964 / 4.302653) ** 2
    assert found.method == "wilson-effective"
    assert found.interval == pytest.approx(ends(4 / 7, size), abs=1e-6)


def test_a_size_is_at_most_the_number_of_answers() -> None:
    """A right and a wrong answer validated for each of 40 questions: no variance, 80 answers."""
    found = estimated(validated([(1, 1)] * 40), "precision")
    assert found.interval == pytest.approx(ends(0.5, 80), abs=1e-6)


def _ratios(rows: Floats) -> dict[str, tuple[Floats, Floats]]:
    """Return the numerator and the denominator of measures, question by question."""
    cv, iv, cr, ir, *_ = rows.T
    return {
        "f1": (2 * cv, 2 * cv + iv + cr),
        "precision": (cv, cv + iv),
        "recall": (cv, cv + cr),
        "accuracy": (cv + ir, cv + iv + cr + ir),
        "error_1": (iv, cv + iv + cr + ir),
        "f_beta(2)": (5 * cv, 5 * cv + iv + 4 * cr),
    }


@each("name", _ratios(np.zeros((1, 6))))
def test_size_of_a_ratio_of_totals(name: str) -> None:
    """The variance of a ratio estimator is n s² / total² with s² that of y - r x (Cochran 1977).
    One more correct answer that is rejected adds 4 to the denominator of F(2), so that all its
    answers weigh no more than a quarter of this denominator."""
    stats = pytest.importorskip("scipy.stats", reason="SCIPY IS MISSING: pip install scipy")
    rows = _campaign(np.random.default_rng(1977), 80)
    rows[::4] = 0  # questions without answers
    over, under = _ratios(rows)[name]
    ratio = over.sum() / under.sum()
    variance = 80 * np.var(over - ratio * under, ddof=1) / under.sum() ** 2
    free = np.count_nonzero(under) - 1
    size = ratio * (1 - ratio) / variance * (stats.norm.ppf(0.95) / stats.t.ppf(0.95, free)) ** 2
    answers = {"f1": rows[:, :3].sum(), "f_beta(2)": under.sum() / 4}.get(name, under.sum())
    (measure,) = parse_measures(name)
    run = validated(rows)
    found = interval_of(run, measure, np.zeros(1), IntervalPolicy(90))
    expected = ends(ratio, min(size, answers), stats.norm.ppf(0.95))
    assert found.interval == pytest.approx(expected, abs=1e-8)


def test_size_of_c_at_1() -> None:
    """60 questions, 30 right, 24 wrong, 6 open: c@1 = (30 + 6 · 30/60) / 60 = 0.55. Its
    differential, by the numbers of right, wrong and open questions: (60 + 6 + 30 - 66) / 60², (30 -
    66) / 60² and (2 · 30 - 66) / 60², that is 30, -36 and -6. The sum of squares over the questions
    is 30 · 900 + 24 · 1296 + 6 · 36 = 58320, and 60/59 · 58320 / 60⁴ the variance."""
    answers = np.repeat([[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0]], [30, 24, 6], axis=0)
    found = estimated(ByQuestion("run", {ANSWERING: answers.astype(float)}), "c_at_1")
    t_of_59 = 2.000995
    size = 0.55 * 0.45 / (60 / 59 * 58320 / 60**4) * (1.959964 / t_of_59) ** 2
    assert found.interval == pytest.approx(ends(0.55, size), abs=1e-6)


@pytest.mark.parametrize(("name", "rows", "value", "size"), [
    # 1: as many answers as questions contribute
    ("precision", [(2, 0, 1)] * 30 + [(0, 0, 1)] * 9, 1, 30),
    ("f1", [(2, 0, 0)] * 30 + [(0, 0, 0)] * 9, 1, 30),
    # 0: one more right answer gives F = 2 / (2 + 10), of which 5 would give 1
    ("f1", [(0, 0, 1)] * 10, 0, 5),
    # 0: one more gives 1/31, but only 10 questions contribute
    ("precision", [(0, 3, 1)] * 10, 0, 10),
])  # fmt: skip
def test_sizes_at_0_and_1(name: str, rows: list[tuple[int, ...]], value: int, size: int) -> None:
    """Wilson's other end is z² / (n + z²) away; the bootstrap gives no width."""
    found = estimated(validated(rows), name)
    away = 1.959964**2 / (size + 1.959964**2)
    expected = (0, away) if value == 0 else (1 - away, 1)
    assert found.interval == pytest.approx(expected, abs=1e-6)


def test_a_ratio_of_fewer_than_two_questions_has_no_interval(tmp_path: Path) -> None:
    """One run accepts answers to one question; the other accepts nothing, which is F = 0."""
    answers = "".join(
        f'<q id="{q}"><q_str/><a id="1" value="{label}"/><a id="2" value="REJECTED"/></q>'
        for q, label in zip("123", ["VALIDATED", "VALIDATED", "REJECTED"], strict=True)
    )
    (tmp_path / "gold.xml").write_text(f"<ave>{answers}</ave>", encoding="utf-8")
    files = [str(tmp_path / "gold.xml")]
    for name, accepted in (("one", "1 1"), ("none", "")):
        lines = [
            f"{q} {a} {'SELECTED' if f'{q} {a}' == accepted else 'REJECTED'} 0.5"
            for q in "123"
            for a in "12"
        ]
        path = tmp_path / f"{name}.txt"
        path.write_text("\n".join([*lines, ""]), encoding="utf-8")
        files.append(str(path))
    rows = {row["run"]: row for row in document(*files, "-m", "f1,precision", *QUICK)["runs"]}
    reason = ONE_UNIT.format(unit="question")
    assert reason == "fewer than 2 questions contribute to it"
    for name in ("one", "none"):
        assert rows[name]["no_interval"] == {"precision": reason}
        assert list(rows[name]["intervals"]) == ["f1"]
    # two correct answers rejected: one more accepted gives 2 / (2 + 2), of which 1 would give 1
    assert rows["none"]["intervals"]["f1"] == pytest.approx([0, 3.841459 / 4.841459], abs=1e-6)


def test_error_has_the_interval_of_accuracy_from_the_other_side() -> None:
    chance = np.random.default_rng(1)
    some = _campaign(chance, 40)
    none, every = some.copy(), some.copy()
    none[:, [1, 2]] = 0
    every[:, [0, 3]] = 0
    for rows in (some, none, every):
        run = validated(rows)
        accuracy, error = (estimated(run, name).interval for name in ("accuracy", "error"))
        assert (1 - error.high, 1 - error.low) == pytest.approx(accuracy, abs=1e-9)


def test_ratios_of_any_counts_have_intervals_with_a_width() -> None:
    """Runs of few questions that accept nothing, everything, or something, all right or wrong."""
    chance = np.random.default_rng(9)
    names = "f1, f_beta(0.5), precision, recall, accuracy, e_alpha(2), auc_point, class_macro_f1"
    for measure in parse_measures(f"{names}, balanced_accuracy, specificity"):
        for number in range(40):
            rows = chance.integers(0, 3, (2 + number % 7, 6)) * chance.integers(0, 2, 6)
            run = validated(rows)
            value = whole(run, measure)
            low, high, method, _ = interval_of(run, measure, np.zeros(1), IntervalPolicy())
            assert np.isnan(low) or (0 <= low <= value <= high <= 1 and high - low > 0.01)
            assert bool(method) != np.isnan(low)


def test_shares_of_clusters_have_an_effective_size() -> None:
    """20 clusters of 5 questions, 10 all right and 10 all wrong: they are worth 20 answers. The
    variance of the share is p (1 - p) / 19, Student's t of 19 degrees of freedom 2.093024."""
    ids = [str(number) for number in range(100)]
    right = np.repeat([1.0, 0.0], 50)
    clusters = Clusters("x", {q_id: str(number // 5) for number, q_id in enumerate(ids)})
    size = 19 * (1.959964 / 2.093024) ** 2
    of_hits = ByQuestion("run", {}, {"hit": np.column_stack([right, np.ones(100)])}, ids=ids)
    for name, run in (("qa_accuracy", answered(right.astype(int).tolist())), ("hit", of_hits)):
        found = estimated(run._replace(ids=ids).by_cluster(clusters), name)
        assert found.method == "wilson-effective"
        assert found.interval == pytest.approx(ends(0.5, size), abs=1e-6)


def test_categories_of_questions_are_shares() -> None:
    """R and E count each question 0 or 1; Wilson's ends of their fractions as they are printed."""
    (row, *_) = document(GOLD, RUNS[0], "-m", "romip_r,romip_e", *QUICK)["runs"]
    counts = row["counts"]
    right, other = counts["some_right"], counts["answered_unanswerable"]
    missed = counts["none_right_answerable"] + counts["unanswered_answerable"]
    answerable = right + missed
    questions = answerable + other + counts["unanswered_unanswerable"]
    e = (missed + other) / questions
    for key, share, size in (
        ("romip_r", right / answerable, answerable), ("romip_e", e, questions)
    ):  # fmt: skip
        assert row["interval_methods"][key] == "wilson"
        assert row["intervals"][key] == pytest.approx(ends(share, size), abs=1e-6)


def test_means_of_values_have_no_effective_size() -> None:
    """They are no ratios of counts, though they are between 0 and 1."""
    asked = ["-m", "mrr,map,macro_f1,mrc,random_qa_accuracy", *QUICK]
    (row, *_) = document(GOLD, RUNS[0], *asked)["runs"]
    assert set(row["interval_methods"].values()) == {"bca"}


def test_coverage_of_a_precision_of_098() -> None:
    """60 questions, half of which have a validated answer, 2 % of these wrong. All right has a
    probability of about 0.55: then all bootstrap samples are equal."""
    chance, true, held = np.random.default_rng(60), 0.98, 0
    (measure,) = parse_measures("precision")
    for _ in range(400):
        rows = np.zeros((60, 6))
        is_validated, is_right = chance.random(60) < 0.5, chance.random(60) < true
        rows[:, 0], rows[:, 1] = is_validated & is_right, is_validated & ~is_right
        run = validated(rows)
        low, high = interval_of(run, measure, np.ones(2), IntervalPolicy()).interval
        held += low <= true <= high
    assert 0.93 <= held / 400 <= 0.995


def test_measures_that_samples_often_leave_undefined_are_named() -> None:
    """39 of 50 questions are answered, but fewer than 38 in almost a third of the samples. Their
    number is binomial (50, 0.78): P(at most 37) = 0.30, P(at most 24) < 10^-5."""
    ids = [str(number) for number in range(50)]
    gold = {"q_id": ids, "a_id": ids, "label": ["VALIDATED", "REJECTED"] * 25}
    verdicts = ["SELECTED"] * 39 + ["REJECTED"] * 11
    sure = [number / 50 for number in range(50)]
    run = {"q_id": ids, "a_id": ids, "verdict": verdicts, "confidence": sure}
    measures = "risk_at_coverage(0.75), risk_at_coverage(0.5)"
    policies = ave_score.Policies(intervals=IntervalPolicy(resamples=400))
    scores = ave_score.score(gold, {"run": run}, measures=measures, policies=policies)
    (row,) = (row for row in scores.rows if row.run == "run")
    assert row.intervals["risk_at_coverage(0.5)"].caution is None
    assert row.intervals["risk_at_coverage"].caution == (
        "Risk at coverage 0.75 is undefined in more than 5 % of the bootstrap samples; these "
        "are left out"
    )
