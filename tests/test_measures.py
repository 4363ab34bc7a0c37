"""Measures by figures worked out by hand, and the registry of their records."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import ave_score
from ave_score import UsageError, parse_measures
from ave_score import counts as families
from ave_score.counts import AnsweringCounts, Counts, Family, SelectionCounts, ValidationCounts
from ave_score.inference.by_question import evaluate
from ave_score.measures import MEASURES, groups
from ave_score.measures.registry import measure
from tests import each
from tests.helpers_command import output

# 40 answers: 6 validated rightly, 4 wrongly, 2 rejected wrongly, 28 rightly
VALIDATION = ValidationCounts(6, 4, 2, 28, validated_unknown=3, rejected_unknown=5)
# 20 questions: 8 right, 3 wrong and 1 withheld though answerable, 2 wrong and 6 withheld of the
# unanswerable ones; the shares of correct answers add up to 5
SELECTION = SelectionCounts(
    8, 3, 1, 2, 6, selected_unknown=1, expected_random=5, questions_with_correct=12
)

# 50 questions: 20 right, 10 wrong, 20 unanswered, of which 5 and 12 with a judged candidate
ANSWERING = AnsweringCounts(20, 10, 20, withheld_right=5, withheld_wrong=12)

BY_HAND = {
    "f1": Fraction(12, 18),  # 2·6 / (2·6 + 2 + 4)
    "precision": Fraction(6, 10),
    "recall": Fraction(6, 8),
    "f_beta": Fraction(15, 24),  # 1.25·6 / (1.25·6 + 0.25·2 + 4) = 7.5 / 12
    "f_beta(2)": Fraction(30, 42),  # 5·6 / (5·6 + 4·2 + 4)
    "accuracy": Fraction(34, 40),
    "error": Fraction(6, 40),
    "error_1": Fraction(4, 40),
    "error_2": Fraction(2, 40),
    "e_alpha": Fraction(10, 112),  # (2·4 + 2) / (3·34 + 2·4 + 2)
    "e_alpha(1)": Fraction(6, 74),  # (4 + 2) / (2·34 + 6)
    "class_macro_f1": Fraction(73, 93),  # (2·6/(2·6 + 6) + 2·28/(2·28 + 6)) / 2 = (2/3 + 28/31)/2
    "tp_rate": Fraction(6, 8),
    "fp_rate": Fraction(4, 32),
    "auc_point": Fraction(13, 16),  # (1 + 3/4 - 1/8) / 2
    "balanced_accuracy": Fraction(13, 16),  # (6/8 + 28/32) / 2
    "specificity": Fraction(28, 32),
    "cohen_kappa": Fraction(4, 7),  # (34/40 - 13/20) / (1 - 13/20): chance is (10·8 + 30·32) / 40²
    # 160 / √(10·8·32·30) = 160 / (160·√3) = 1/√3, whose first 60 decimals are
    "mcc": Fraction(577350269189625764509148780501957455647601751270126876018602, 10**60),
    "qa_accuracy": Fraction(8, 20),
    "normalized_qa_accuracy": Fraction(8, 12),
    "random_qa_accuracy": Fraction(5, 20),
    "qa_rej_accuracy": Fraction(6, 20),
    "qa_accuracy_max": Fraction(14, 20),
    "estimated_qa_performance": Fraction(52, 100),  # 0.4 + 0.3·0.4
    "headroom": Fraction(3, 7),  # (8 - 5) / (12 - 5)
    "gain_over_random": Fraction(3, 20),  # (8 - 5) / 20
    "c_at_1": Fraction(28, 50),  # (20 + 20·20/50) / 50
    "answering_accuracy": Fraction(20, 50),
    "accuracy_with_withheld": Fraction(25, 50),
    "utility": Fraction(10, 50),
    "unanswered_as_right": Fraction(40, 50),
    "unanswered_as_half": Fraction(30, 50),
    "unanswered_as_answered": Fraction(2, 3),  # (20 + 20·20/30) / 50 = (100/3) / 50
    "unanswered_as_missed": Fraction(8, 15),  # (20 + 20·10/30) / 50 = (80/3) / 50
    "share_answered": Fraction(30, 50),
    "accuracy_given_answered": Fraction(20, 30),
    "simpleqa_f": Fraction(1, 2),  # of 20/50 and 20/30: 2 · 4/15 / (16/15)
    "n_right": Fraction(20),
    "n_wrong": Fraction(10),
    "n_unanswered": Fraction(20),
    "n_withheld_right": Fraction(5),
    "n_withheld_wrong": Fraction(12),
}


def value(name: str, counts: Counts) -> Fraction | None:
    return parse_measures(name)[0](counts)


@each("name", BY_HAND)
def test_hand_worked_figure(name: str) -> None:
    family = parse_measures(name)[0].family
    counts: dict[Family, Counts] = {
        families.VALIDATION: VALIDATION,
        families.SELECTION: SELECTION,
        families.ANSWERING: ANSWERING,
    }
    found = value(name, counts[family])
    assert found is not None
    # roots are truncated to 60 decimals
    assert 0 <= found - BY_HAND[name] < (Fraction(1, 10**60) if name == "mcc" else 1e-99)


def test_answering_measures_of_a_system_that_says_nothing() -> None:
    silent = AnsweringCounts(0, 0, 7)
    assert value("c_at_1", silent) == value("utility", silent) == value("simpleqa_f", silent) == 0
    assert value("simpleqa_f", AnsweringCounts()) == 0
    assert value("unanswered_as_right", silent) == 1  # why the thesis rejects this estimate
    for name in ("unanswered_as_answered", "unanswered_as_missed", "accuracy_given_answered"):
        assert value(name, silent) is None
    assert value("c_at_1", AnsweringCounts()) is None


def test_every_measure_of_counts_has_a_hand_worked_figure() -> None:
    """Those of other families have theirs in the test of worked examples."""
    counted = {families.VALIDATION, families.SELECTION, families.ANSWERING}
    keys = {record.key for record in MEASURES.values() if record.family in counted}
    assert keys <= BY_HAND.keys()


MACRO = """\
<ave>
<q id="1" lang="EN"><q_str>?</q_str>
<a id="1_1" value="VALIDATED">{0}</a><a id="1_2" value="VALIDATED">{0}</a></q>
<q id="2" lang="EN"><q_str>?</q_str><a id="2_1" value="VALIDATED">{0}</a></q>
<q id="3" lang="EN"><q_str>?</q_str><a id="3_1" value="REJECTED">{0}</a></q>
<q id="4" lang="EN"><q_str>?</q_str><a id="4_1" value="REJECTED">{0}</a></q>
<q id="5" lang="EN"><q_str>?</q_str><a id="5_1" value="UNKNOWN">{0}</a></q>
</ave>
""".format("<a_str>x</a_str><t_str doc='d'>y</t_str>")
MACRO_RUN = """\
1 1_1 SELECTED 1
1 1_2 REJECTED 1
2 2_1 REJECTED 1
3 3_1 SELECTED 1
4 4_1 REJECTED 1
5 5_1 SELECTED 1
"""


def macro_row(tmp_path: Path) -> ave_score.Row:
    gold, run = tmp_path / "gold.xml", tmp_path / "run.txt"
    gold.write_text(MACRO, encoding="utf-8")
    run.write_text(MACRO_RUN, encoding="utf-8")
    collection = ave_score.read_collection(gold)
    measures = "macro_f1, macro_f1_either, class_macro_f1"
    scores = ave_score.score(collection, [ave_score.read_run(run, collection)], measures=measures)
    return scores.rows[0]


def test_three_macro_averages_of_f1_by_hand(tmp_path: Path) -> None:
    """F of 1 is 2·1/(2·1 + 1) = 2/3. 2 has a correct answer and no validated one, 3 the reverse: by
    thesis 4.1, precision or recall, and therefore F, is undefined. From counts it is 0. 4 has
    neither, nor has 5, which is UNKNOWN. Classes: VALIDATED 2·1/(2·1 + 2 + 1) = 2/5, REJECTED
    2·1/(2·1 + 2 + 1) = 2/5."""
    row = macro_row(tmp_path)
    assert row.values == {
        "macro_f1": Fraction(2, 3),
        "macro_f1_either": Fraction(2, 9),
        "class_macro_f1": Fraction(2, 5),
    }
    counts = row.counts[families.QUESTIONS].numbers()
    assert counts["questions_correct_and_validated"] == 1
    assert counts["questions_correct_or_validated"] == 3


def test_tables_print_over_how_many_questions_macro_f1_is_a_mean(tmp_path: Path) -> None:
    macro_row(tmp_path)
    files = [str(tmp_path / "gold.xml"), str(tmp_path / "run.txt")]
    out = output("score", *files, "-m", "macro_f1,macro_f1_either")
    assert "Macro F: a mean over 1 of 5 questions." in out
    assert "Macro F (either): a mean over 3 of 5 questions." in out


SCIKIT_LEARN: dict[str, tuple[str, dict[str, str]]] = {
    "balanced_accuracy": ("balanced_accuracy_score", {}),
    "mcc": ("matthews_corrcoef", {}),
    "cohen_kappa": ("cohen_kappa_score", {}),
    "class_macro_f1": ("f1_score", {"average": "macro"}),
}


@pytest.mark.filterwarnings("ignore:y_pred contains classes not in y_true")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
@pytest.mark.filterwarnings("ignore:A single label was found")
@each("name", SCIKIT_LEARN)
def test_measures_of_decisions_equal_scikit_learn(name: str) -> None:
    """For all tables of up to two answers a cell, exactly and in arrays of samples. Where all
    decisions or all labels are equal, scikit-learn's MCC is 0, and here undefined."""
    from sklearn import metrics

    tables = [one for one in product(range(3), repeat=4) if any(one)]
    record = parse_measures(name)[0]
    sampled = evaluate(record, np.array([(*one, 0, 0) for one in tables], dtype=float).T)
    for counts, of_samples in zip(tables, sampled, strict=True):
        times = dict(zip([(1, 1), (0, 1), (1, 0), (0, 0)], counts, strict=True))
        gold, decided = zip(*(pair for pair, n in times.items() for _ in range(n)), strict=True)
        function, settings = SCIKIT_LEARN[name]
        expected = getattr(metrics, function)(gold, decided, **settings)
        if name == "mcc" and 1 in (len({*gold}), len({*decided})):
            assert expected == 0
            expected = math.nan
        found = record(ValidationCounts(*counts))
        exact = math.nan if found is None else float(found)
        for one in (exact, of_samples):
            assert one == pytest.approx(expected, abs=1e-11, nan_ok=True)


def test_baselines_of_measures_of_decisions() -> None:
    """Whoever accepts everything, each answer by the toss of a coin, or nothing, has no skill.
    gold/tiny.xml has 4 correct and 5 incorrect answers."""
    measures = "balanced_accuracy,mcc,specificity,cohen_kappa"
    out = output("score", "gold/tiny.xml", "sample_runs/tiny/bold.txt", "-m", measures)
    rows = [line.split() for line in out.splitlines()]
    baselines = {row[0]: row[3:] for row in rows if "VALIDATED" in row}
    assert baselines == {
        "100%": ["0.50", "n/a", "0.00", "0.00"],
        "50%": ["0.50", "0.00", "0.50", "0.00"],
        "0%": ["0.50", "n/a", "1.00", "0.00"],
    }


def test_weighted_error_of_the_trivial_systems() -> None:
    """At 34.95 % correct the weighted-error paper prints 0.5537 and 0.1519, and F0.5 = 0.40."""
    accept_all = ValidationCounts(3495, 6505, 0, 0)
    reject_all = ValidationCounts(0, 0, 3495, 6505)
    assert round(float(value("e_alpha", accept_all) or 0), 4) == 0.5537
    assert round(float(value("e_alpha", reject_all) or 0), 4) == 0.1519
    assert round(float(value("f_beta", accept_all) or 0), 2) == 0.40


KEYS = {name: parse_measures(name)[0].family for name in BY_HAND}
VALIDATION_KEYS = [name for name, family in KEYS.items() if family is families.VALIDATION]


CONSTANT = {"mcc", "cohen_kappa"}
"""Undefined if all decisions and all labels are the same."""


@pytest.mark.parametrize(("counts", "undefined"), [
    (ValidationCounts(), set(VALIDATION_KEYS) - {"precision"}),
    # nothing correct and nothing validated
    (ValidationCounts(rejected_incorrect=3),
        {*("f1", "f_beta", "f_beta(2)", "recall", "tp_rate", "auc_point"), *CONSTANT}),
    # everything correct
    (ValidationCounts(validated_correct=3), {"fp_rate", "auc_point", "specificity", *CONSTANT}),
])  # fmt: skip
def test_zero_by_zero_in_validation(counts: ValidationCounts, undefined: set[str]) -> None:
    assert {name for name in VALIDATION_KEYS if value(name, counts) is None} == undefined


def test_precision_of_nothing_validated_is_0_as_ave_printed() -> None:
    assert value("precision", ValidationCounts(rejected_incorrect=3)) == 0


def test_zero_by_zero_in_selection() -> None:
    nothing_correct = SelectionCounts(selected_wrong_unanswerable=1, withheld_unanswerable=1)
    assert value("normalized_qa_accuracy", nothing_correct) is None
    assert value("headroom", nothing_correct) is None
    assert value("qa_accuracy", nothing_correct) == 0
    assert value("qa_accuracy", SelectionCounts()) is None
    # every answer correct: random is perfect, there is nothing to gain
    perfect = SelectionCounts(selected_right=2, expected_random=2, questions_with_correct=2)
    assert value("headroom", perfect) is None


@each("counts", list(product(range(3), repeat=4)))
def test_values_stay_in_the_range_of_the_record(counts: tuple[int, ...]) -> None:
    for one in parse_measures(", ".join([*VALIDATION_KEYS, "f_beta(3)", "e_alpha(0)"])):
        found = one(ValidationCounts(*counts))
        assert found is None or Fraction(one.lowest) <= found <= 1, one.key


@each("text, keys", [
    ("f1", ["f1"]),
    (" f1 ,precision ", ["f1", "precision"]),
    ("f_beta(2),e_alpha( 0.50 )", ["f_beta(2)", "e_alpha(0.5)"]),
    ("f_beta(0.5), e_alpha(2.0)", ["f_beta", "e_alpha"]),  # the defaults
    ("f1,f1,f_beta,f_beta(0.5)", ["f1", "f_beta"]),
    ("ave2007", ["f1", "precision", "recall", "qa_accuracy", "normalized_qa_accuracy"]),
    ("f_beta(0), selection", ["f_beta(0)", *groups()["selection"]]),
])  # fmt: skip
def test_names_are_parsed(text: str, keys: list[str]) -> None:
    assert [one.key for one in parse_measures(text)] == keys


@each("name", [
    *(one.key for one in MEASURES.values()),
    *("f_beta(2)", "f_beta(0.25)", "e_alpha(10)", "ndcg@5", "precision@10", "hit@1"),
    *("map(norm=returned)", "map(norm=returned, of=accepted)", "hit(of=accepted)@3"),
    *("ece(15)", "precision_at_recall(0)", "precision_at_recall(1, of=accepted)"),
])  # fmt: skip
def test_names_print_as_they_parse(name: str) -> None:
    assert [one.key for one in parse_measures(name)] == [name]


def test_the_head_of_a_parametrised_measure_shows_its_parameter() -> None:
    assert [one.title for one in parse_measures("f_beta, f_beta(2), e_alpha(0.5)")] == [
        "F(0.5)", "F(2)", "E(0.5)",
    ]  # fmt: skip


def test_all_unknown_names_are_reported_at_once_with_suggestions() -> None:
    with pytest.raises(UsageError) as error:
        parse_measures("f1, precison, qa_acuracy, f1(2), f_beta(x), ,e_alpha(-1), f_beta(nan)")
    message = str(error.value)
    for part in ("did you mean precision?", "did you mean qa_accuracy?", "f1 takes no parameter"):
        assert part in message
    for part in ("f_beta(x)", "'' is not a measure name", "e_alpha(-1)", "f_beta(nan)"):
        assert part in message


def test_groups_name_registered_measures() -> None:
    for keys in groups().values():
        assert keys
        assert [one.key for one in parse_measures(",".join(keys))] == list(keys)
    assert sorted(groups()["all"]) == sorted(one.key for one in MEASURES.values())


def test_every_record_is_complete() -> None:
    for key, one in MEASURES.items():
        assert one.name == key
        assert all((one.head, one.use, one.avoid, one.worked, one.formula, one.undefined)), key
        assert one.source and one.function.__doc__, key


@pytest.mark.parametrize(
    ("name", "message"),
    [("f1", "registered twice"), ("ave2007", "a group is named"), ("ranking", "a group is named")],
)
def test_a_name_of_a_measure_or_a_group_is_not_registered_again(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        measure(
            name, "F", families.VALIDATION, formula="", undefined="", source="",
        )(lambda counts: None)  # fmt: skip
