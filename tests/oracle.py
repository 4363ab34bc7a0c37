"""A second, naive scorer: raw lines, one loop an answer, fractions; shares no code with ave_score.

Also the strategies that make small random campaigns for it.
"""

from __future__ import annotations

import math
import random
import xml.etree.ElementTree as ET
from fractions import Fraction
from typing import NamedTuple

from hypothesis import strategies as st

Answer = tuple[str, str]


class Campaign(NamedTuple):
    """Texts as they would stand in files."""

    gold: str
    runs: list[str]


def make_campaign(seed: int, questions: int = 6, runs: int = 2, most_answers: int = 4) -> Campaign:
    """Return a random collection and random legal runs."""
    chance = random.Random(seed)
    xml, shape = ["<ave>"], []
    for number in range(questions):
        q_id = f"{number:03d}"
        answers = [f"{q_id}_{k}" for k in range(chance.randint(1, most_answers))]
        shape.append((q_id, answers))
        labels = [chance.choice(["VALIDATED", "REJECTED", "REJECTED", "UNKNOWN"]) for _ in answers]
        body = "".join(
            f'<a id="{a_id}" value="{label}"><a_str>x</a_str><t_str doc="d">y</t_str></a>'
            for a_id, label in zip(answers, labels, strict=True)
        )
        xml.append(f'<q id="{q_id}" lang="EN"><q_str>?</q_str>{body}</q>')
    texts = ["".join(_question_lines(chance, *one) for one in shape) for _ in range(runs)]
    return Campaign("\n".join([*xml, "</ave>"]), texts)


def _question_lines(chance: random.Random, q_id: str, answers: list[str]) -> str:
    verdicts = [chance.choice(["VALIDATED", "REJECTED", "REJECTED"]) for _ in answers]
    accepted = [place for place, verdict in enumerate(verdicts) if verdict == "VALIDATED"]
    if accepted:
        verdicts[chance.choice(accepted)] = "SELECTED"
    return "".join(
        f"{q_id} {a_id} {verdict} {chance.random():.3f}\n"
        for a_id, verdict in zip(answers, verdicts, strict=True)
    )


campaigns = st.builds(
    make_campaign,
    seed=st.integers(0, 2**32),
    questions=st.integers(1, 8),
    runs=st.integers(1, 3),
    most_answers=st.integers(1, 5),
)


def labels_of(gold: str) -> dict[str, dict[Answer, str]]:
    """Return question -> answer -> label."""
    return {
        question.attrib["id"]: {
            (question.attrib["id"], answer.attrib["id"]): answer.attrib["value"]
            for answer in question.iter("a")
        }
        for question in ET.fromstring(gold).iter("q")
    }


def verdicts_of(run: str) -> dict[Answer, str]:
    """Return answer -> verdict."""
    rows = [line.split() for line in run.splitlines()]
    return {(q_id, a_id): verdict for q_id, a_id, verdict, _ in rows}


def quotient(above: Fraction | int, below: Fraction | int) -> Fraction | None:
    return None if below == 0 else Fraction(above) / below


def naive_scores(gold: str, run: str) -> dict[str, Fraction | None]:
    """Return every validation, selection and answering measure, by the formulas of the papers."""
    labels, verdicts = labels_of(gold), verdicts_of(run)
    answering = _answering(labels, verdicts)
    return _validation(labels, verdicts) | _selection(labels, verdicts) | answering


def _validation(
    labels: dict[str, dict[Answer, str]], verdicts: dict[Answer, str]
) -> dict[str, Fraction | None]:
    cv = iv = cr = ir = 0
    f1_by_question, with_both = [], 0
    for answers in labels.values():
        right = wrong = missed = 0
        for answer, label in answers.items():
            accepted = verdicts[answer] in ("VALIDATED", "SELECTED")
            right += accepted and label == "VALIDATED"
            wrong += accepted and label == "REJECTED"
            missed += not accepted and label == "VALIDATED"
            ir += not accepted and label == "REJECTED"
        cv, iv, cr = cv + right, iv + wrong, cr + missed
        f1_by_question.append(_f(right, wrong, missed, Fraction(1)))
        with_both += right + wrong > 0 and right + missed > 0
    every = cv + iv + cr + ir
    tp, fp = quotient(cv, cv + cr), quotient(iv, iv + ir)
    defined = [f1 for f1 in f1_by_question if f1 is not None]
    return {
        "precision": quotient(cv, cv + iv) or Fraction(0),
        "recall": tp,
        "f1": _f(cv, iv, cr, Fraction(1)),
        "f_beta": _f(cv, iv, cr, Fraction(1, 2)),
        "accuracy": quotient(cv + ir, every),
        "error": quotient(iv + cr, every),
        "error_1": quotient(iv, every),
        "error_2": quotient(cr, every),
        "e_alpha": quotient(2 * iv + cr, 3 * (cv + ir) + 2 * iv + cr),
        "tp_rate": tp,
        "fp_rate": fp,
        "auc_point": None if tp is None or fp is None else (1 + tp - fp) / 2,
        # thesis 4.1: F needs precision and recall; where one is missing, _f gives 0 or nothing
        "macro_f1": quotient(sum(defined, Fraction(0)), with_both),
        "macro_f1_either": quotient(sum(defined, Fraction(0)), len(defined)),
        "class_macro_f1": _class_macro_f(labels, verdicts),
        **_chance_corrected(cv, iv, cr, ir),
    }


def _chance_corrected(cv: int, iv: int, cr: int, ir: int) -> dict[str, Fraction | None]:
    """By definition: means of recalls, a correlation, and observed against expected agreement."""
    n = cv + iv + cr + ir
    recalls = [one for one in (quotient(cv, cv + cr), quotient(ir, iv + ir)) if one is not None]
    chance = quotient((cv + iv) * (cv + cr) + (cr + ir) * (iv + ir), n * n)
    kappa = None if chance is None else quotient(Fraction(cv + ir, n) - chance, 1 - chance)
    variances = (cv + iv) * (cr + ir) * (cv + cr) * (iv + ir)
    covariance = n * cv - (cv + iv) * (cv + cr)  # n² times that of decisions and labels
    root = math.isqrt(variances * 10**122)  # that of the product, truncated to 61 decimals
    return {
        "balanced_accuracy": quotient(sum(recalls, Fraction(0)), len(recalls)),
        "specificity": quotient(ir, iv + ir),
        "cohen_kappa": kappa,
        "mcc": quotient(covariance * 10**61, root),
    }


def _class_macro_f(
    labels: dict[str, dict[Answer, str]], verdicts: dict[Answer, str]
) -> Fraction | None:
    """The mean F of the classes that occur among the labels or the decisions."""
    pairs = [
        (label, "REJECTED" if verdicts[answer] == "REJECTED" else "VALIDATED")
        for answers in labels.values()
        for answer, label in answers.items()
        if label != "UNKNOWN"
    ]
    scores = []
    for class_ in {name for pair in pairs for name in pair}:
        right = pairs.count((class_, class_))
        wrong = sum(one == class_ != other for one, other in pairs)
        wrong += sum(other == class_ != one for one, other in pairs)
        scores.append(Fraction(2 * right, 2 * right + wrong))
    return quotient(sum(scores, Fraction(0)), len(scores))


def _f(cv: int, iv: int, cr: int, beta: Fraction) -> Fraction | None:
    """F by way of precision and recall where both are defined and not both 0, as in textbooks."""
    if cv == 0:
        return None if iv + cr == 0 else Fraction(0)
    precision, recall = Fraction(cv, cv + iv), Fraction(cv, cv + cr)
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


def _answering(
    labels: dict[str, dict[Answer, str]], verdicts: dict[Answer, str]
) -> dict[str, Fraction | None]:
    """Question by question: each adds what it is worth, an unanswered one what it may be worth."""
    worth: list[str] = []
    for answers in labels.values():
        selected = [answer for answer in answers if verdicts[answer] == "SELECTED"]
        if not selected:
            worth.append("u")
        else:
            worth.append("ac" if answers[selected[0]] == "VALIDATED" else "aw")
    n, ac, aw, u = len(worth), worth.count("ac"), worth.count("aw"), worth.count("u")

    def expected(unanswered: Fraction | None) -> Fraction | None:
        if unanswered is None:
            return None
        value = {"ac": Fraction(1), "aw": Fraction(0), "u": unanswered}
        return sum((value[one] for one in worth), Fraction(0)) / n

    return {
        "c_at_1": expected(Fraction(ac, n)),
        "answering_accuracy": expected(Fraction(0)),
        # a run withholds no candidate that anybody judged
        "accuracy_with_withheld": None if u else expected(Fraction(0)),
        "utility": Fraction(ac - aw, n),
        "unanswered_as_right": expected(Fraction(1)),
        "unanswered_as_half": expected(Fraction(1, 2)),
        "unanswered_as_answered": expected(quotient(ac, ac + aw)),
        "unanswered_as_missed": expected(quotient(aw, ac + aw)),
        "share_answered": 1 - Fraction(u, n),
        "accuracy_given_answered": quotient(ac, ac + aw),
        "simpleqa_f": quotient(2 * ac, n + ac + aw) or Fraction(0),
        "n_right": Fraction(ac),
        "n_wrong": Fraction(aw),
        "n_unanswered": Fraction(u),
        "n_withheld_right": None if u else Fraction(0),
        "n_withheld_wrong": None if u else Fraction(0),
    }


def _selection(
    labels: dict[str, dict[Answer, str]], verdicts: dict[Answer, str]
) -> dict[str, Fraction | None]:
    n = len(labels)
    ca = rejected = answerable = 0
    random_pick = Fraction(0)
    for answers in labels.values():
        correct = [answer for answer, label in answers.items() if label == "VALIDATED"]
        selected = [answer for answer in answers if verdicts[answer] == "SELECTED"]
        answerable += bool(correct)
        ca += any(answer in correct for answer in selected)
        rejected += not correct and not selected
        random_pick += Fraction(len(correct), len(answers))
    accuracy, rejection = Fraction(ca, n), Fraction(rejected, n)
    perfect, chance = Fraction(answerable, n), random_pick / n
    return {
        "qa_accuracy": accuracy,
        "normalized_qa_accuracy": quotient(ca, answerable),
        "random_qa_accuracy": chance,
        "qa_rej_accuracy": rejection,
        "qa_accuracy_max": accuracy + rejection,
        "estimated_qa_performance": accuracy + rejection * accuracy,
        "gain_over_random": accuracy - chance,
        "headroom": quotient(accuracy - chance, perfect - chance),
    }
