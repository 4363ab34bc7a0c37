"""The tests that can be asked for, each with its record; help and documentation read it here."""

from __future__ import annotations

from typing import NamedTuple


class Procedure(NamedTuple):
    """What is known of one test.

    Attributes
    ----------
    name
        How it is asked for.
    title
        What it is called in a sentence.
    does
        How it comes to its p.
    assumes
        What must be true for that p to mean something.
    avoid
        When it is not the right test.
    source
        Where it was defined.
    of_values
        Whether it compares values of questions, and so needs a measure that is a mean of these.
    adjusts
        Whether its p are those of all pairs together, with nothing left to correct.
    """

    name: str
    title: str
    does: str
    assumes: str
    avoid: str
    source: str
    of_values: bool = True
    adjusts: bool = False


_PROCEDURES = (
    Procedure(
        "randomisation",
        "paired randomisation test",
        "swaps what two runs did on a question, question by question, and counts how often chance "
        "makes as large a difference; exact where at most 13 questions differ",
        "if the runs were equal, either could have given either's answers to a question",
        "to speak of questions unlike these: chance swaps runs on the questions at hand",
        "Noreen 1989; Yeh 2000; Smucker, Allan, Carterette 2007",
        of_values=False,
    ),
    Procedure(
        "bootstrap",
        "paired bootstrap test",
        "draws questions with replacement, moves the differences so that they lie about 0, and "
        "counts those as large as the one seen",
        "the questions are a sample of those that the systems are for, and the spread of the "
        "difference is the same where there is none",
        "with fewer than some 30 questions: its p are too small",
        "Efron, Tibshirani 1993, chapter 16; Noreen 1989",
        of_values=False,
    ),
    Procedure(
        "t",
        "paired t test",
        "compares the mean difference of questions with its standard error",
        "the mean difference is normally distributed, as it nearly is with many questions",
        "with few questions, or where almost all of them are ties",
        "Student 1908; Smucker, Allan, Carterette 2007",
    ),
    Procedure(
        "wilcoxon",
        "Wilcoxon signed rank test",
        "ranks the differences of questions by size and adds up the ranks of either sign; ties are "
        "dropped",
        "differences are symmetric about 0 if the runs are equal, and sizes can be ranked",
        "where outcomes are 0 or 1: all differences are then of one size; and to compare means",
        "Wilcoxon 1945",
    ),
    Procedure(
        "sign",
        "sign test",
        "counts the questions that either run wins, as tosses of a coin; ties are dropped; exact",
        "questions are independent; if the runs are equal either wins as easily",
        "where it matters by how much a question is won",
        "Conover 1999, chapter 3",
    ),
    Procedure(
        "mcnemar",
        "McNemar test",
        "counts the questions that one run alone gets right, as tosses of a coin: the sign test of "
        "right and wrong; exact",
        "questions are independent, and each is right or wrong",
        "where outcomes of questions are anything but 0 and 1: it is refused",
        "McNemar 1947",
    ),
    Procedure(
        "tukey",
        "Tukey HSD test after an analysis of variance of runs and questions",
        "takes what belongs to questions away and compares all runs at once with what is left over",
        "what is left over is normal, of one spread, and independent",
        "with few questions, or where outcomes are 0 or 1 and nearly always the same",
        "Tukey 1953; Tague-Sutcliffe, Blustein 1994",
        adjusts=True,
    ),
    Procedure(
        "friedman",
        "Friedman test with Nemenyi's comparison of all pairs",
        "ranks the runs on each question and compares their mean ranks; ties share a rank and "
        "narrow the spread",
        "questions are independent, and there are enough for mean ranks to be normal",
        "with two runs (sign), or to say by how much a run is better",
        "Friedman 1937; Nemenyi 1963; Demšar 2006",
        adjusts=True,
    ),
)

PROCEDURES = {one.name: one for one in _PROCEDURES}
"""Name -> test, the default first."""

CORRECTIONS = {
    "holm": "Holm's correction",
    "bonferroni": "Bonferroni's correction",
    "fdr": "the false discovery rate of Benjamini and Hochberg",
    "none": "no correction",
}
"""Name -> what it is called in a sentence, the default first."""
