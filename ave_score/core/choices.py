"""The choices of the policies on missing answers, UNKNOWN labels and ties, with one record each.

A record says what a choice means for every module that must know; no other module names a choice.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from ave_score import rules
from ave_score.core.labels import Label, Verdict
from ave_score.core.standards import Standard
from ave_score.rules import Rule

Answer = TypeVar("Answer")


class PolicyChoice:
    """A choice of a policy, with its description."""

    def __init__(self, help: str) -> None:
        self.help = help


class MissingChoice(PolicyChoice):
    """What happens to answers that a run lacks, and to questions that a system does not mention.

    Attributes
    ----------
    of_answer, of_question, of_row, of_topics
        The rules that report a missing answer of a run, a missing question of a system's answers,
        a question without a row in a judged file, and the topics of qrels without results; None if
        the choice does not apply to these.
    verdict
        The verdict that a missing answer counts with; a missing question is then unanswered.
        `MISSING` if it does not count. Given as `OPEN`, it is that of pairs (`opens_pairs`), as is
        that of pairs with `OPEN_CONFIDENCE` and no verdict; other answers are REJECTED.
    is_left_out
        Whether the run is scored as if the collection did not have them.
    """

    def __init__(
        self,
        help: str,
        *,
        of_answer: Rule,
        of_question: Rule,
        of_row: Rule = rules.QUESTION_UNANSWERED,
        of_topics: Rule | None = None,
        verdict: Verdict = Verdict.MISSING,
        is_left_out: bool = False,
    ) -> None:
        super().__init__(help)
        self.of_answer = of_answer
        self.of_question = of_question
        self.of_row = of_row
        self.of_topics = of_topics
        self.opens_pairs = verdict is Verdict.OPEN
        self.verdict = Verdict.REJECTED if self.opens_pairs else verdict
        self.is_left_out = is_left_out

    @property
    def is_refused(self) -> bool:
        """Whether a run that lacks answers is not scored, so that a scored one lacks none."""
        return self.verdict is Verdict.MISSING and not self.is_left_out


MISSING_CHOICES: dict[str, MissingChoice] = {
    "error": MissingChoice(
        "a finding, and the run is not scored",
        of_answer=rules.ANSWER_MISSING,
        of_question=rules.QUESTION_MISSING,
        of_topics=rules.TOPICS_WITHOUT_RESULTS,
    ),
    "rejected": MissingChoice(
        "REJECTED with confidence 0, or below the lowest of the run if that is negative, with a "
        "warning; a question that a QA system does not mention is unanswered",
        of_answer=rules.MISSING_AS_REJECTED,
        of_question=rules.MISSING_AS_UNANSWERED,
        of_row=rules.ROW_AS_UNANSWERED,
        verdict=Verdict.REJECTED,
    ),
    "unanswered": MissingChoice(
        "without an answer, with a warning: the decision on a pair is open, with confidence 0.5, "
        "as by the evaluators of PAN: a pair with a confidence and no verdict is YES above 0.5, NO "
        "below and open at 0.5 (measures of decisions leave it out, those of confidences count "
        "0.5); an answer to a question is REJECTED, and a question that a QA system does not "
        "mention is unanswered",
        of_answer=rules.MISSING_AS_REJECTED,
        of_question=rules.MISSING_AS_UNANSWERED,
        of_row=rules.ROW_AS_UNANSWERED,
        verdict=Verdict.OPEN,
    ),
    "excluded": MissingChoice(
        "left out of all counts of this run, as if the collection did not have them, with a "
        "warning, as are topics of qrels without results; rows of runs that lack answers are only "
        "comparable with rows on the same answers",
        of_answer=rules.MISSING_EXCLUDED,
        of_question=rules.QUESTION_EXCLUDED,
        of_row=rules.ROW_EXCLUDED,
        of_topics=rules.TOPICS_EXCLUDED,
        is_left_out=True,
    ),
}
"""Treatment of answers missing in a run."""


class UnknownChoice(PolicyChoice):
    """What answers labelled UNKNOWN count as.

    Attributes
    ----------
    label
        The label that replaces UNKNOWN before anything is counted; UNKNOWN if it stays.
    effect
        What then happens to these answers, for the description of a collection.
    """

    def __init__(self, help: str, label: Label, effect: str) -> None:
        super().__init__(help)
        self.label = label
        self.effect = effect


UNKNOWN_CHOICES: dict[str, UnknownChoice] = {
    "ignore": UnknownChoice(
        "left out, or not correct: each measure says which", Label.UNKNOWN, "left out of validation"
    ),
    "incorrect": UnknownChoice("as REJECTED", Label.REJECTED, "counted as incorrect"),
    "correct": UnknownChoice("as VALIDATED", Label.VALIDATED, "counted as correct"),
}
"""Treatment of answers labelled UNKNOWN."""


class TiesChoice(PolicyChoice):
    """A way to rank answers of equal confidence.

    Attributes
    ----------
    rule
        How they are ranked, without the scorers that do so, too.
    is_mean
        Whether measures take the mean over all their orders; otherwise they have one order.
    keeps_order
        Whether that is the order of the collection; otherwise it is that of descending ids.
    of_documents
        How TREC runs are ranked, if otherwise.
    has_ranks
        Whether that is the order of the ranks in the file, which only TREC runs have.
    is_single
        Whether scores of TREC runs are equal if they are in single precision.
    """

    def __init__(
        self,
        rule: str,
        scorers: str = "",
        *,
        is_mean: bool = False,
        keeps_order: bool = True,
        of_documents: str = "",
        has_ranks: bool = False,
        is_single: bool = False,
    ) -> None:
        with_qrels = f"with qrels {of_documents}" * bool(of_documents)
        super().__init__(", ".join(filter(None, [rule, scorers, with_qrels])))
        self.rule = rule
        self.is_mean = is_mean
        self.keeps_order = keeps_order
        self.of_documents = of_documents
        self.has_ranks = has_ranks
        self.is_single = is_single

    def rule_of(self, standard: Standard) -> str:
        """Return how answers are ranked, or documents."""
        return (self.of_documents if standard.ranks_documents else "") or self.rule

    def arranged(
        self, answers: Sequence[Answer], ids: Callable[[Answer], tuple[str, str]]
    ) -> Sequence[Answer]:
        """Return answers in the order that they have if all their confidences are equal.

        Parameters
        ----------
        answers
            In the order of the collection.
        ids
            Returns the answer id and the question id of an answer.
        """
        return answers if self.keeps_order else by_descending_ids(answers, ids)

    def is_of_run(self, standard: Standard) -> bool:
        """Tell whether equal confidences have an order that each run has itself."""
        has_lines = standard.ranks_documents and self.keeps_order
        return self.has_ranks or (has_lines and not self.is_mean)

    def compared(self, confidences: array[float], standard: Standard) -> array[float]:
        """Return confidences, or scores of documents, as they are compared."""
        is_single = self.is_single and standard.ranks_documents
        return array("d", array("f", confidences)) if is_single else confidences


def by_descending_ids(
    answers: Iterable[Answer], ids: Callable[[Answer], tuple[str, str]]
) -> list[Answer]:
    """Return answers in the order of ties that do not keep that of the collection."""
    return sorted(answers, key=ids, reverse=True)


TIES_CHOICES: dict[str, TiesChoice] = {
    "average": TiesChoice("as the mean over all orders", is_mean=True),
    "file": TiesChoice(
        "in the order of the collection",
        "as the scorer of SemEval-2016 does",
        of_documents="in the order of the lines of the run",
    ),
    "trec": TiesChoice("by descending id", "as trec_eval does", keeps_order=False, is_single=True),
    "rank": TiesChoice("by the ranks in a TREC run", has_ranks=True),
}
"""Ranking of equal confidences."""


def other_ties(ties: str) -> str:
    """Return the choice that shows whether ties matter: the mean, or for it the file's order."""
    is_mean = TIES_CHOICES[ties].is_mean
    return next(name for name, choice in TIES_CHOICES.items() if choice.is_mean is not is_mean)
