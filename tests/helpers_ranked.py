"""What the tests of measures of confidence, rankings and categories share: questions as values.

Questions are written to files and read again, so that a figure has come all the way; `orders` and
the functions below it are a naive second computation that shares no code with ave_score.
"""

from __future__ import annotations

import math
import random
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import groupby, permutations, product
from pathlib import Path
from typing import NamedTuple

from hypothesis import assume, settings
from hypothesis import strategies as st

import ave_score
from ave_score import AveScoreWarning
from tests import examples


class Item(NamedTuple):
    """An answer: what is true of it, and what a run says of it."""

    label: str
    verdict: str
    confidence: str
    grade: int = 0

    @property
    def right(self) -> bool:
        return self.label == "VALIDATED"

    @property
    def accepted(self) -> bool:
        return self.verdict != "REJECTED"

    @property
    def sure(self) -> Fraction:
        return Fraction(self.confidence)


Question = list[Item]


def condensed(items: Sequence[Item]) -> list[Item]:
    """Return the judged answers: those labelled UNKNOWN leave rankings (Sakai, SIGIR 2007)."""
    return [item for item in items if item.label != "UNKNOWN"]


Worth = Callable[[Sequence[Item], Question], Fraction]
"""What a ranking of answers of a question is worth; some look at its other answers as well."""

FEW = ("0", "0.25", "0.3", "1")
"""So few confidences that many answers share one; two are no sums of halves."""


def make_questions(
    seed: int,
    questions: int = 4,
    most_answers: int = 5,
    confidences: Sequence[str] | None = FEW,
    labels: Sequence[str] = ("VALIDATED", "REJECTED", "REJECTED", "UNKNOWN"),
) -> list[Question]:
    """Return random questions with a legal run of them; all confidences differ where none given."""
    chance = random.Random(seed)
    different = iter(chance.sample(range(1, 10_000), questions * most_answers))
    made = []
    for _ in range(questions):
        size = chance.randint(1, most_answers)
        verdicts = [chance.choice(["VALIDATED", "REJECTED"]) for _ in range(size)]
        if "VALIDATED" in verdicts:
            taken = [place for place, verdict in enumerate(verdicts) if verdict == "VALIDATED"]
            verdicts[chance.choice(taken)] = "SELECTED"
        question = []
        for verdict in verdicts:
            label = chance.choice(labels)
            grade = chance.randint(1, 3) if label == "VALIDATED" else 0
            sure = chance.choice(confidences) if confidences else f"0.{next(different):04d}"
            question.append(Item(label, verdict, sure, grade))
        made.append(question)
    return made


often = settings(max_examples=examples(40), deadline=None)
"""Each example writes and reads files, which may take its time."""

SEEDS = st.integers(0, 2**32)
tied = st.builds(make_questions, seed=SEEDS, questions=st.integers(1, 4))
untied = st.builds(make_questions, seed=SEEDS, questions=st.integers(1, 6), confidences=st.none())


def xml_of(questions: Sequence[Question]) -> str:
    body = "".join(
        f'<q id="{number:03d}"><q_str>?</q_str>'
        + "".join(f'<a id="{at}" value="{item.label}"/>' for at, item in enumerate(question))
        + "</q>\n"
        for number, question in enumerate(questions)
    )
    return f"<ave>\n{body}</ave>\n"


def lines_of(questions: Sequence[Question]) -> list[str]:
    return [
        f"{number:03d} {at} {item.verdict} {item.confidence}\n"
        for number, question in enumerate(questions)
        for at, item in enumerate(question)
    ]


def read_texts(gold: str, *runs: str) -> tuple[ave_score.Collection, list[ave_score.Run]]:
    """Read a collection and runs by way of files; warnings are no matter here."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", AveScoreWarning)
        path = Path(folder, "gold.xml")
        path.write_text(gold, encoding="utf-8")
        collection = ave_score.read_collection(path)
        found = []
        for number, text in enumerate(runs):
            path = Path(folder, f"run{number}.txt")
            path.write_text(text, encoding="utf-8")
            found.append(ave_score.read_run(path, collection))
    return collection, found


def read_questions(*runs: Sequence[Question]) -> tuple[ave_score.Collection, list[ave_score.Run]]:
    """Read runs on the same questions."""
    return read_texts(xml_of(runs[0]), *("".join(lines_of(run)) for run in runs))


def baseline(questions: Sequence[Question], name: str, measures: str) -> ave_score.Row:
    """Score a baseline on the questions."""
    collection, _ = read_texts(xml_of(questions))
    scores = ave_score.score(collection, [], measures=measures)
    return next(row for row in scores.rows if row.run == name)


def row_of(
    questions: Sequence[Question],
    measures: str,
    ties: str = "average",
    *,
    graded: bool = False,
    unknown: str = "ignore",
    lines: Sequence[str] | None = None,
) -> ave_score.Row:
    """Score the run of the questions, perhaps with its lines in another order."""
    text = "".join(lines_of(questions) if lines is None else lines)
    collection, runs = read_texts(xml_of(questions), text)
    if graded:
        grades = tuple(item.grade for question in questions for item in question)
        collection = replace(collection, grades=dict(enumerate(grades)))
    policies = ave_score.Policies.of(ties=ties, unknown=unknown)
    return ave_score.score(collection, runs, measures=measures, policies=policies).rows[0]


def exact(row: ave_score.Row, key: str) -> Fraction:
    """Return a value that must be defined."""
    value = row.values[key]
    assert value is not None, key
    return value


MOST_ORDERS = 5040
"""Orders that take less than a second to go through."""


def orders(items: Sequence[Item], sure: Callable[[Item], Fraction]) -> Iterator[list[Item]]:
    """Yield every order of the items in which no surer one stands behind.

    An example of a property test with too many orders is skipped.
    """
    ranked = sorted(items, key=sure, reverse=True)
    groups = [list(group) for _, group in groupby(ranked, key=sure)]
    assume(math.prod(math.factorial(len(group)) for group in groups) <= MOST_ORDERS)
    for ways in product(*(permutations(group) for group in groups)):
        yield [item for way in ways for item in way]


def mean_over_orders(
    items: Sequence[Item],
    worth: Worth,
    everything: Question,
    sure: Callable[[Item], Fraction] = lambda item: item.sure,
) -> Fraction:
    """Return what the orders of the items are worth on average; `everything` is the question."""
    return mean([worth(order, everything) for order in orders(items, sure)])


def mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def precision_in(ranked: Sequence[Item], places: int) -> Fraction:
    return Fraction(sum(item.right for item in ranked[:places]), places)


def reciprocal_rank(ranked: Sequence[Item], everything: Question) -> Fraction:
    places = [place for place, item in enumerate(ranked, 1) if item.right]
    return Fraction(1, min(places)) if places else Fraction(0)


def hit(ranked: Sequence[Item], everything: Question) -> Fraction:
    return Fraction(any(item.right for item in ranked))


def r_precision(ranked: Sequence[Item], everything: Question) -> Fraction:
    size = sum(item.right for item in everything)
    return precision_in(ranked, size) if size else Fraction(0)


def _precisions(ranked: Sequence[Item]) -> list[Fraction]:
    return [precision_in(ranked, place) for place, one in enumerate(ranked, 1) if one.right]


def average_precision(
    ranked: Sequence[Item], everything: Question, norm: str, places: int = 10**6
) -> Fraction:
    """Precisions at the ranks of correct answers, summed up to a cut-off, over the size by norm."""
    found = _precisions(ranked[:places])
    correct = sum(item.right for item in everything)
    sizes = {
        "relevant": correct, "min": min(correct, places), "returned": len(ranked[:places]),
        "found": len(found),
    }  # fmt: skip
    return sum(found, Fraction(0)) / sizes[norm] if sizes[norm] else Fraction(0)


def ap_relevant(ranked: Sequence[Item], everything: Question) -> Fraction:
    return average_precision(ranked, everything, "relevant")


def recall(ranked: Sequence[Item], everything: Question, places: int) -> Fraction:
    size = sum(item.right for item in everything)
    return Fraction(sum(item.right for item in ranked[:places]), size) if size else Fraction(0)


def needed(share: Fraction, size: int, rule: str) -> Fraction:
    """Return how many correct answers reach a share of all, as each version of trec_eval has it."""
    if rule == "trec9":  # (long) (r * R + 0.9)
        return Fraction(math.trunc(float(share) * size + 0.9))
    if rule == "trec10":  # lround(r * R)
        rounded = Decimal(float(share) * size).to_integral_value(ROUND_HALF_UP)
        return Fraction(rounded)
    return share * size


def precision_at_recall(
    ranked: Sequence[Item], everything: Question, share: Fraction, rule: str = "exact"
) -> Fraction:
    least = needed(share, sum(item.right for item in everything), rule)
    reached = [
        precision_in(ranked, place)
        for place in range(1, len(ranked) + 1)
        if sum(item.right for item in ranked[:place]) >= least
    ]
    return max(reached, default=Fraction(0))


def eleven_points(ranked: Sequence[Item], everything: Question, rule: str = "exact") -> Fraction:
    tenths = [Fraction(tenth, 10) for tenth in range(11)]
    return mean([precision_at_recall(ranked, everything, tenth, rule) for tenth in tenths])


def ndcg(
    ranked: Sequence[Item], everything: Question, places: int = 10**6, *, linear: bool = False
) -> Fraction:
    """In floats, turned into fractions to be added up."""

    def gained(items: Sequence[Item]) -> float:
        return sum(
            (item.grade if linear else (1 << item.grade) - 1) / math.log2(place + 1)
            for place, item in enumerate(items[:places], 1)
        )

    best = gained(sorted(everything, key=lambda item: item.grade, reverse=True))
    return Fraction(gained(ranked) / best) if best else Fraction(0)
