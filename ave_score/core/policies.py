"""Policies: every choice that changes a result, with one record each.

A policy is an attribute of `Policies`, and that attribute is its record: choices, default, help,
whether the signature shows it and whether a campaign file may set it. The command line, campaign
files, Python, the signature and the documentation read these records. To add a policy, add an
attribute here and the code that implements it; `choices` says what each choice means.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple, TypedDict, TypeVar, Unpack, cast

from ave_score.core.choice import KEYS_OF_SYSTEMS, Choice, choice_of
from ave_score.core.choices import MISSING_CHOICES, TIES_CHOICES, UNKNOWN_CHOICES
from ave_score.core.epochs import EPOCHS_CHOICES
from ave_score.core.errors import UsageError
from ave_score.core.judgements import LETTERS, RIGHT, WRONG, Meaning
from ave_score.core.levels import check_level
from ave_score.core.model import ClustersGiven, Collection, Label
from ave_score.core.policy import Option, Policy
from ave_score.core.standards import Standard

if TYPE_CHECKING:
    from ave_score.core.open_questions import OpenGold


class IntervalPolicy(NamedTuple):
    """Settings of confidence intervals.

    Shares of questions or pairs counted 0 or 1 have Wilson's interval; other ratios of counts
    between 0 and 1 have it with an effective size; all other measures have the bias-corrected and
    accelerated bootstrap (BCa).

    Attributes
    ----------
    level
        Confidence level in per cent, from 1 to below 100.
    resamples, seed
        Number of bootstrap samples (at least 1), and their random seed (at least 0).
    clusters
        Questions that are sampled together: their attribute, the path of a table of q_id and
        cluster, a frame or rows of it, or its value; None: each alone.
    """

    level: float = 95
    resamples: int = 10_000
    seed: int = 0
    clusters: ClustersGiven | None = None

    def __str__(self) -> str:
        settings = f"{float(self.level):.15g}|resamples:{self.resamples}|seed:{self.seed}"
        return settings if self.clusters is None else f"{settings}|cluster:{self.clusters}"

    def check(self) -> None:
        """Raise `UsageError` for invalid settings."""
        check_level(self.level)
        if self.resamples < 1:
            raise UsageError(f"{self.resamples} resamples: expected at least 1")
        if self.seed < 0:
            raise UsageError(f"seed {self.seed}: expected 0 or more")


def _intervals(level: float | None, resamples: int, seed: int) -> IntervalPolicy | None:
    if level is None:
        return None
    check_level(level, "--ci")
    return IntervalPolicy(level, resamples, seed)


def _check_intervals(chosen: IntervalPolicy | None) -> None:
    if not isinstance(chosen, IntervalPolicy):
        kind = type(chosen).__name__
        raise UsageError(f"intervals: expected an IntervalPolicy, found {kind}")
    chosen.check()


def _check_logs(chosen: Choice | None) -> None:
    if not isinstance(chosen, Choice):
        raise UsageError(f"logs: expected a Choice, found {type(chosen).__name__}")
    chosen.check()


def _check_threshold(chosen: float | None) -> None:
    if not isinstance(chosen, int | float):
        raise UsageError(f"threshold: expected a number, found {type(chosen).__name__}")
    if not -math.inf < chosen < math.inf:
        raise UsageError(f"--threshold {chosen} is not a finite number")


class Chosen(TypedDict, total=False):
    """The policies and their choices, for type checkers; a test compares them with the records."""

    letters: Literal["qa-clef", "qa-clef-lenient", "respubliqa"]
    missing: Literal["error", "rejected", "unanswered", "excluded"]
    unknown: Literal["ignore", "incorrect", "correct"]
    ties: Literal["average", "file", "trec", "rank"]
    epochs: str  # also at_least_K, for any K
    threshold: float | None
    intervals: IntervalPolicy | None
    logs: Choice | None


# --- the policies ---------------------------------------------------------------------------------


class Policies:
    """The choices that change results, e.g. `Policies(letters="respubliqa")`.

    Attributes
    ----------
    letters
        The judgement table, a key of `LETTERS`.
    missing
        Treatment of answers without a line in a run: `error`, `rejected`, `unanswered` or
        `excluded`.
    unknown
        Treatment of answers labelled UNKNOWN: `ignore`, `incorrect` or `correct`.
    ties
        Ranking of answers with equal confidence: `average`, `file`, `trec` or, of TREC runs,
        `rank`.
    epochs
        Treatment of several replicates of a question: `mean`, `first`, `majority`, `mode`,
        `median`, `max`, `at_least_K` or `each`.
    threshold
        Confidence threshold that replaces the decisions of runs, and below which QA systems
        withhold; None: keep their decisions.
    intervals
        Settings of confidence intervals; None: no intervals.
    logs
        What is chosen of logs whose systems are scored; None: nothing.

    Raises
    ------
    UsageError
        Unknown choice or invalid value.
    TypeError
        Unknown policy.
    """

    letters = Policy(
        default="qa-clef",
        help="Meaning of the letters of assessors.",
        choices=LETTERS,
        refusal="no letters {found!r}, only {known}",
        suggests=True,
        setting="meaning of judgements: {choices}",
    )
    missing = Policy(
        default="error",
        help="Treatment of answers missing in a run.",
        choices=MISSING_CHOICES,
        refusal="no policy {found!r} for missing answers, only {known}",
        setting="an answer without a line: {choices}",
    )
    unknown = Policy(
        default="ignore",
        help="Treatment of answers labelled UNKNOWN.",
        choices=UNKNOWN_CHOICES,
        refusal="no policy {found!r} for UNKNOWN, only {known}",
        setting="answers labelled UNKNOWN: {choices}",
    )
    ties = Policy(
        default="average",
        help="Ranking of equal confidences; with qrels, trec unless another is given.",
        choices=TIES_CHOICES,
        refusal="no way {found!r} to rank ties, only {known}",
        setting="answers with equal confidence: {choices}",
        only_rankings=True,
    )
    epochs = Policy(
        default="mean",
        help="Treatment of several replicates of a question, as of the epochs of a log; also "
        "at_least_K.",
        choices=EPOCHS_CHOICES,
        refusal="no treatment {found!r} of replicates, only {known} or at_least_K",
        suggests=True,
        only_chosen=True,
    )
    threshold = Policy[float | None](
        default=None,
        setting="answers with this confidence or more are accepted",
        example="0.5",
        own_options=(
            Option(
                "threshold",
                "Validate answers with a confidence of at least T, and select the most confident "
                "of each question (the first of equals). QA systems withhold those below T.",
                metavar="T",
                number=float,
            ),
        ),
        check_value=_check_threshold,
    )
    intervals = Policy[IntervalPolicy | None](
        default=None,
        may_refuse=False,
        check_value=_check_intervals,
        own_options=(
            Option(
                "ci",
                "Add confidence intervals of this level, usually 95: Wilson's of shares and "
                "ratios of counts (such as F), else a bootstrap.",
                metavar="PERCENT",
                number=float,
            ),
            Option(
                "resamples",
                "Bootstrap samples.",
                10_000,
                "N",
                number=int,
                low=1,
                high=1_000_000,
            ),
            Option("seed", "Seed of the random samples.", 0, "N", number=int, low=0),
        ),
        of_options=_intervals,
    )
    logs = Policy[Choice | None](
        default=None,
        check_value=_check_logs,
        own_options=(
            Option(
                "log",
                "What is chosen of LOGs; may be repeated.",
                metavar="KEY=VALUE",
                keys=KEYS_OF_SYSTEMS,
            ),
        ),
        of_options=lambda texts: choice_of(texts) if texts else None,
    )

    def __init__(self, **chosen: Unpack[Chosen]) -> None:
        self._choices: dict[str, object] = {}
        choices: dict[str, object] = {**chosen}
        self._given = frozenset(choices)
        for name, policy in self.records().items():
            value = choices.pop(name, policy.default)
            policy.check(value)
            self._choices[name] = value
        if choices:
            raise TypeError(f"no policy {next(iter(choices))!r}, only {', '.join(self._choices)}")

    @classmethod
    def of(cls, **choices: object) -> Policies:
        """Return policies of choices that are only known when the program runs, as `Policies()`."""
        return cls(**cast("Chosen", choices))

    @classmethod
    def records(cls) -> dict[str, Policy[object]]:
        """Return name -> record of all policies."""
        return {name: record for name, record in vars(cls).items() if isinstance(record, Policy)}

    @classmethod
    def refusing(cls) -> list[str]:
        """Return the names of the policies by which files may be refused."""
        return [name for name, record in cls.records().items() if record.may_refuse]

    def _asdict(self) -> dict[str, object]:
        return dict(self._choices)

    def shown(self) -> dict[str, object]:
        """Return the policies that have a value, without those that are shown only if chosen."""
        records = self.records()
        return {
            name: value
            for name, value in self._choices.items()
            if value is not None
            and not (records[name].only_chosen and value == records[name].default)
        }

    @property
    def chosen(self) -> list[str]:
        """The names of the policies with another value than their default."""
        records = self.records()
        return [name for name, value in self._choices.items() if value != records[name].default]

    def check_applied(self, applied: Iterable[str], what: str) -> None:
        """Raise `UsageError` if a policy is chosen that does not apply to something."""
        self.refuse(self.records().keys() - {*applied}, what)

    def refuse(self, names: Iterable[str], what: str) -> None:
        """Raise `UsageError` if one of these policies is chosen, which something has not."""
        refused = {*names}
        if others := [f"--{name}" for name in self.chosen if name in refused]:
            raise UsageError(f"{', '.join(others)}: not available for {what}")

    def _replace(self, **choices: object) -> Policies:
        given = {name: self._choices[name] for name in self._given}
        return Policies.of(**given | choices)

    def check_no_log(self) -> None:
        """Raise `UsageError` if something is chosen of logs: no log is given."""
        if self.logs is not None:
            raise UsageError(f"{self.logs} is chosen of logs, and no log is given")

    def check_signed(self, gold: Standard) -> None:
        """Raise `UsageError` if one is chosen that applies to no system of a gold standard."""
        self.refuse(gold.unsigned, f"{gold.name} without judged systems")

    def check_for(self, gold: Standard) -> None:
        """Raise `UsageError` if one is chosen that a gold standard lacks."""
        if gold.policies is not None:
            self.check_applied(gold.policies, gold.name)
        if not gold.ranks_documents and TIES_CHOICES[self.ties].has_ranks:
            raise UsageError(f"--ties {self.ties}: only TREC runs have ranks, scored with qrels")
        if gold.ranks_documents and MISSING_CHOICES[self.missing].of_topics is None:
            raise UsageError(
                f"--missing {self.missing}: not available for {gold.name}, where a topic without "
                "results counts 0, or is left out with --missing excluded"
            )

    def for_gold(self, gold: Standard) -> Policies:
        """Return the policies for a gold standard; those not given have its own defaults.

        Raises `UsageError` if one is chosen that does not apply to it.
        """
        self.check_for(gold)
        if not gold.own_policies:
            return self
        given = {name: self._choices[name] for name in self._given}
        return Policies.of(**{**gold.own_policies} | given)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Policies) and self._choices == other._choices

    def __hash__(self) -> int:
        return hash(tuple(self._choices.items()))

    def __repr__(self) -> str:
        choices = ", ".join(f"{name}={value!r}" for name, value in self._choices.items())
        return f"Policies({choices})"


# --- functions of policies -----------------------------------------------------------------------


def letters_table(letters: str) -> dict[str, Meaning]:
    """Return judgement -> meaning; raises `UsageError` for an unknown name."""
    Policies.letters.check(letters)
    return LETTERS[letters].table


def settled_table(letters: str, unknown: str) -> dict[str, Meaning]:
    """Return the meaning of letters after the policy on UNKNOWN.

    An inexact answer then counts the same whether a run selects it or a QA system returns it.
    """
    Policies.unknown.check(unknown)
    settled = {Label.REJECTED: WRONG, Label.VALIDATED: RIGHT}.get(UNKNOWN_CHOICES[unknown].label)
    return {
        letter: settled if settled and meaning.is_unsettled else meaning
        for letter, meaning in letters_table(letters).items()
    }


AnyGold = TypeVar("AnyGold", bound="Collection | OpenGold")


def settled_gold(gold: AnyGold, policy: str) -> AnyGold:
    """Return a gold standard with UNKNOWN labels replaced, if it has labels: `settle_unknown`."""
    if isinstance(gold, Collection):
        return cast("AnyGold", settle_unknown(gold, policy))
    return gold


@lru_cache(maxsize=2)
def settle_unknown(collection: Collection, policy: str) -> Collection:
    """Return the collection with UNKNOWN labels replaced according to the policy.

    Raises `UsageError` for an unknown policy. Repeated calls return the same object, so its cached
    properties are computed once.
    """
    Policies.unknown.check(policy)
    label = UNKNOWN_CHOICES[policy].label
    if label is Label.UNKNOWN:
        return collection
    labels = collection.labels.replace(bytes([Label.UNKNOWN]), bytes([label]))
    return replace(collection, labels=labels)
