"""Names of measures as users write them: headings of tables, any case, several options."""

from __future__ import annotations

import csv
import io

import pytest

from ave_score import Measure, UsageError, parse_measures
from ave_score.measures import MEASURES
from tests import each
from tests.helpers_command import ave, output, refusal

SCORE = ["score", "gold/tiny.xml", "sample_runs/tiny/careful.txt", "-f", "csv"]


@each("text, keys", [
    ("F", ["f1"]),
    ("f", ["f1"]),
    ("F1", ["f1"]),
    ("F(2)", ["f_beta(2)"]),
    ("F_Beta(2)", ["f_beta(2)"]),
    ("c@1", ["c_at_1"]),
    ("C@1", ["c_at_1"]),
    ("QA accuracy", ["qa_accuracy"]),
    (" qa   ACCURACY ", ["qa_accuracy"]),
    ("% of perfect", ["normalized_qa_accuracy"]),
    ("Accuracy with withheld", ["accuracy_with_withheld"]),
    ("accuracy", ["accuracy"]),  # the name of one, the heading of two
    ("P@5", ["precision@5"]),
    ("NDCG@5", ["ndcg@5"]),
    ("R", ["romip_r"]),
    ("r", ["pearson_r"]),
    ("E(0.5)", ["e_alpha(0.5)"]),
    ("ndcg(linear)@5, map(accepted, min)", ["ndcg(gain=linear)@5", "map(norm=min, of=accepted)"]),
    ("precision_at_recall(0.3, trec9)", ["precision_at_recall(0.3, rule=trec9)"]),
    ("F, c@1, Right, recall", ["f1", "c_at_1", "n_right", "recall"]),
    ("AVE2007", [one.key for one in parse_measures("ave2007")]),
])  # fmt: skip
def test_headings_and_names_in_any_case(text: str, keys: list[str]) -> None:
    assert [one.key for one in parse_measures(text)] == keys


@each(
    "names, keys",
    [  # ir_measures, trec_eval 9 and scikit-learn; other tests compare their values
        ("AP, AP@10, RR, rr@5", ["map", "map@10", "mrr", "mrr@5"]),
        ("P@5, R@5, Rprec, Success@5", ["precision@5", "recall@5", "r_precision", "hit@5"]),
        ("recip_rank, map_cut_10, P_5, recall_10", ["mrr", "map@10", "precision@5", "recall@10"]),
        ("success_1, ndcg_cut_10", ["hit@1", "ndcg(gain=linear)@10"]),
        ("ndcg_score, f1_score, f1_macro", ["ndcg(gain=linear)", "f1", "class_macro_f1"]),
        ("precision_score, recall_score, accuracy_score", ["precision", "recall", "accuracy"]),
        ("zero_one_loss, matthews_corrcoef", ["error", "mcc"]),
        ("balanced_accuracy_score, cohen_kappa_score", ["balanced_accuracy", "cohen_kappa"]),
        ("roc_auc_score, brier_score_loss", ["auc", "brier"]),
        ("average_precision_score", ["average_precision"]),
    ],
)
def test_names_of_other_programs(names: str, keys: list[str]) -> None:
    assert [one.key for one in parse_measures(names)] == keys


OTHERS = (
    "11pt_avg Acc bpref dcg ERR@20 exact_match f1_micro f1_weighted fbeta_score gm_map infAP "
    "IPrec@0.1 iprec_at_recall_0.10 jaccard_score neg_brier_score neg_log_loss RBP set_F set_P "
    "set_recall SetF SetP SetR top_k_accuracy_score"
)


@each("name", OTHERS.split())
def test_what_is_not_measured_has_an_answer(name: str) -> None:
    with pytest.raises(UsageError, match=f"^no measure '{name}': ") as error:
        parse_measures(name)
    closest = str(error.value).split()[3].strip(",;")
    assert parse_measures(closest.replace("@k", "@20"))


@each("record", MEASURES.values())
def test_every_heading_is_understood(record: Measure) -> None:
    """Also with every word of a parameter, and another number."""
    variants = [record]
    for number, parameter in enumerate(record.parameters):
        for value in (*parameter.choices, *([] if parameter.choices else ["1"])):
            values = list(record.values)
            values[number] = parameter.read(value, record.name)
            variants.append(record.with_values(values))
    for variant in variants:
        if variant.title == "Accuracy":
            with pytest.raises(UsageError, match=variant.key):
                parse_measures(variant.title)
        else:
            (found,) = parse_measures(variant.title)
            assert (found.name, found.title) == (record.name, variant.title)


@pytest.mark.parametrize("text", ["Accuracy", "ACCURACY"])
def test_an_ambiguous_heading_is_asked_for(text: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_measures(f"f1, {text}")
    assert str(error.value) == (
        f"'{text}' is the heading of answering_accuracy and accuracy: give one of these"
    )


@each("text, message", [
    ("Recal", "did you mean recall"),
    ("nDCG@x", "'x' is not a whole number"),
    ("AUC@5", "auc takes no cut-off"),
    ("map(10)", r"map\(10\): the cut-off of map is written map@10"),
    ("ece(5, 3)", r"ece\(5, 3\): bins is width or mass"),
    ("best_of(3)", "the cut-off of best_of is written best_of@3"),
    ("precision_at_recall(x)", "not a number from 0 to 1, such as 0.5"),  # its default
    ("hit@0", "not a whole number from 1, such as @5"),  # it has none
    ("precision_at_recall(0.5, 3)", "of is candidates or accepted, not '3'"),
    ("% of all", "'% of all' is not a measure name"),
    ("Acc", "accuracy is that of answers, answering_accuracy that of questions"),
    ("bpref", "no measure 'bpref': map is the closest"),
    ("IPrec@0.1", r"precision_at_recall\(0.1\) is that at recall 0.1"),
    ("P", "no measure 'P'"),  # without a cut-off
    ("", "not a measure name"),
])  # fmt: skip
def test_other_names_are_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_measures(text)


@pytest.mark.parametrize(
    "options",
    [["-m", "f1,recall"], ["-m", "f1", "-m", "recall"], ["-m", "F", "--measures", "Recall,f1"]],
)
def test_options_of_measures_add_up(options: list[str]) -> None:
    columns = next(csv.reader(io.StringIO(output(*SCORE, *options))))
    assert [name for name in columns if name in MEASURES] == ["f1", "recall"]


@pytest.mark.parametrize("command", [
    ["compare", "--seed", "1"],
    ["stability", "--seed", "1", "--unit", "questions"],
    ["swap", "--seed", "1"],
    ["score", "--breakdown", "lang"],
])  # fmt: skip
def test_in_every_command(command: list[str]) -> None:
    runs = ["gold/tiny.xml", "sample_runs/tiny/careful.txt", "sample_runs/tiny/bold.txt"]
    name, *options = command
    said = []
    for names in (["-m", "qa_accuracy,f1"], ["-m", "QA accuracy", "-m", "F"]):
        said.append(ave(name, *runs, *options, *names))
    assert said[0] == said[1]
    assert "accuracy" in said[0].out


def test_an_empty_list_is_refused() -> None:
    assert "not a measure name" in refusal(*SCORE, "-m", "")


@pytest.mark.parametrize(("arguments", "message"), [
    (["chekc"], "no command 'chekc'; did you mean check?"),
    (["Score"], "no command 'Score'; did you mean score?"),
    (["xyzzy"], "no command 'xyzzy'"),
    (["check", "--formatt"], "Did you mean --format?"),
])  # fmt: skip
def test_misspelt_commands_and_options(arguments: list[str], message: str) -> None:
    err = refusal(*arguments).replace("'--", "--").replace("format'", "format")  # of new click
    assert err.splitlines()[-1].endswith(message)
