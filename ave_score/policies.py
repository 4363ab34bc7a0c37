"""Every choice that changes a number, each with one record.

A policy is an attribute of `Policies`, and that attribute is its record: choices, default, help,
where the signature shows it and whether a campaign file may set it. The command line, campaign
files, Python, the signature and the documentation read these records, so a new policy is one
attribute here, and the code that obeys it.

What an assessor's letter means is one of these choices. The same letter can mean different things:
U is *unsupported* at QA@CLEF and *unanswered* at ResPubliQA. A new campaign is one entry of
`CAMPAIGNS`; no other module knows any letter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar, cast, overload

from ave_score.errors import UsageError
from ave_score.model import Collection, Label
from ave_score.text import did_you_mean, nearest
from ave_score.version import __version__

if TYPE_CHECKING:
    from ave_score.collection_summary import CollectionSummary

Value = TypeVar("Value")

HASH_DIGITS = 12
"""Digits of the collection's SHA-256 that the signature repeats."""


# --- campaigns: what judgements mean --------------------------------------------------------------


class Answering(StrEnum):
    """What a judged row is worth as the answer of a question-answering system."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    UNANSWERED = "unanswered"


class Meaning(NamedTuple):
    """What one letter means: a label in validation, and a worth as an answer; and its word."""

    label: Label
    answering: Answering
    word: str

    @property
    def is_unsettled(self) -> bool:
        """Whether the policy on UNKNOWN decides what the answer counts as."""
        return self.label is Label.UNKNOWN and self.answering is not Answering.UNANSWERED

    def is_contradicted(self, answered: bool | None) -> bool:
        """Tell whether what a run says of itself shows that the letter is another campaign's.

        No answer that was given is *unanswered*, and none that was withheld is *unsupported*.
        """
        if self.answering is Answering.UNANSWERED:
            return answered is True
        return self == UNSUPPORTED and answered is False


RIGHT = Meaning(Label.VALIDATED, Answering.CORRECT, "right")
WRONG = Meaning(Label.REJECTED, Answering.INCORRECT, "wrong")
UNSUPPORTED = Meaning(Label.REJECTED, Answering.INCORRECT, "unsupported")
INEXACT = Meaning(Label.UNKNOWN, Answering.INCORRECT, "inexact")
INEXACT_AS_RIGHT = Meaning(Label.VALIDATED, Answering.CORRECT, "inexact")
UNANSWERED = Meaning(Label.UNKNOWN, Answering.UNANSWERED, "unanswered")
NOT_JUDGED = Meaning(Label.UNKNOWN, Answering.INCORRECT, "not judged")


class JudgementTable:
    """What the letters of a campaign mean; the empty judgement is NOT_JUDGED in every campaign.

    Some letter means RIGHT, and some means WRONG. `help` and `source` are for the documentation.
    """

    def __init__(self, name: str, letters: Mapping[str, Meaning], help: str, source: str) -> None:
        if "" in letters or not {RIGHT, WRONG} <= {*letters.values()}:
            raise ValueError(f"campaign {name} needs letters for right and wrong, none empty")
        self.name = name
        self.help = help
        self.source = source
        self.table: dict[str, Meaning] = {**letters, "": NOT_JUDGED}

    def letter_of(self, label: Label) -> str:
        """Return the letter that says what a gold label says; "" for a label that says nothing."""
        meaning = {Label.VALIDATED: RIGHT, Label.REJECTED: WRONG}.get(label, NOT_JUDGED)
        return next(letter for letter, means in self.table.items() if means == meaning)


CAMPAIGNS: dict[str, JudgementTable] = {
    one.name: one
    for one in (
        JudgementTable(
            "qa-clef",
            {"R": RIGHT, "W": WRONG, "U": UNSUPPORTED, "X": INEXACT},
            "QA@CLEF, and the collections of AVE",
            "Vallin and others, Overview of the CLEF 2005 Multilingual Question Answering Track",
        ),
        JudgementTable(
            "qa-clef-lenient",
            {"R": RIGHT, "W": WRONG, "U": UNSUPPORTED, "X": INEXACT_AS_RIGHT},
            "QA@CLEF, where an inexact answer counts as correct",
            "Vallin and others, Overview of the CLEF 2005 Multilingual Question Answering Track",
        ),
        JudgementTable(
            "respubliqa",
            {"R": RIGHT, "W": WRONG, "U": UNANSWERED},
            "ResPubliQA, where a question may be left unanswered",
            "Peñas and others, Overview of ResPubliQA 2009: Question Answering Evaluation over "
            "European Legislation",
        ),
    )
}
"""Name -> what the letters of the campaign mean."""


# --- what a choice is -----------------------------------------------------------------------------


class Described(Protocol):
    """Whatever a choice stands for, it says what it does."""

    help: str


class Choice:
    """One choice of a policy; `label` is what the policy on UNKNOWN makes of such answers."""

    def __init__(self, help: str, label: Label = Label.UNKNOWN) -> None:
        self.help = help
        self.label = label


MISSING_CHOICES: dict[str, Choice] = {
    "error": Choice("a finding, and the run is not scored"),
    "rejected": Choice(
        "REJECTED, with a warning; a question that a QA system does not mention is unanswered"
    ),
}
"""What an answer without a line in a run is."""

UNKNOWN_CHOICES: dict[str, Choice] = {
    "ignore": Choice("in no validation count", Label.UNKNOWN),
    "incorrect": Choice("as REJECTED", Label.REJECTED),
    "correct": Choice("as VALIDATED", Label.VALIDATED),
}
"""What answers labelled UNKNOWN count as; the label that they get before anything is counted."""

TIES_CHOICES: dict[str, Choice] = {
    "file": Choice("in the order of the collection"),
    "average": Choice("in all orders, of which measures take the mean"),
}
"""How answers of a question that share a confidence are ranked."""

INTERVAL_METHODS = ("bca", "percentile")
"""How replicates become an interval."""


class IntervalPolicy(NamedTuple):
    """How confidence intervals are made: a bootstrap over the questions.

    Attributes
    ----------
    level
        How many per cent of such intervals hold the true value.
    method
        `bca` (bias-corrected and accelerated) or `percentile`.
    resamples, seed
        How many samples are drawn, and from what they follow.
    """

    level: float = 95
    method: str = "bca"
    resamples: int = 10_000
    seed: int = 0

    def __str__(self) -> str:
        return f"{self.level:g}|method:{self.method}|resamples:{self.resamples}|seed:{self.seed}"

    def check(self) -> None:
        """Raise `UsageError` for intervals that there are not."""
        if not 0 < self.level < 100:
            raise UsageError(f"an interval of {self.level:g} % is none: expected between 0 and 100")
        if self.method not in INTERVAL_METHODS:
            raise UsageError(f"no intervals {self.method!r}, only {', '.join(INTERVAL_METHODS)}")
        if self.resamples < 1:
            raise UsageError("no interval without resamples")
        if self.seed < 0:
            raise UsageError(f"the seed is {self.seed}, and seeds begin with 0")


class Option(NamedTuple):
    """An option of the command line, without the library that parses it."""

    name: str  # without the dashes in front
    help: str | None = None
    default: str | float | None = None  # None is not shown
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    number: type[int] | type[float] | None = None  # an int may go from `low` to `high`
    low: int | None = None
    high: int | None = None

    @property
    def key(self) -> str:
        """What a function calls the argument of the option."""
        return self.name.replace("-", "_")


def one_of(names: Mapping[str, object]) -> str:
    """Return `a, b or c`, of two names `a, or b`."""
    *others, last = names
    return f"{', '.join(others)}{',' if len(others) == 1 else ''} or {last}"


@dataclass(kw_only=True, eq=False)
class Policy(Generic[Value]):
    """The record of a policy, and the attribute of `Policies` that holds what was chosen.

    `{choices}` in a text names the choices; a policy without choices holds a typed value.
    """

    default: Value
    help: str = ""  # of the option
    choices: Mapping[str, Described] = field(default_factory=dict)
    refusal: str = "no choice {found!r}, only {known}"  # or {both}: joined by `and`
    suggests: bool = False  # for a choice that there is not, the one that was probably meant
    setting: str | None = None  # the comment in a new campaign file; None: it has no such setting
    only_rankings: bool = False  # in the signature only where rankings are measured
    check_value: Callable[[Value], object] | None = None  # of a typed value that is not None
    own_options: tuple[Option, ...] = ()  # that give a typed value
    of_options: Callable[..., Value] | None = None  # makes it of theirs, in their order
    name: str = ""  # that of the attribute, which sets it

    def __set_name__(self, owner: type[Policies], name: str) -> None:
        self.name = name

    @overload
    def __get__(self, policies: None, owner: type[Policies]) -> Policy[Value]: ...
    @overload
    def __get__(self, policies: Policies, owner: type[Policies]) -> Value: ...
    def __get__(self, policies: Policies | None, owner: type[Policies]) -> Value | Policy[Value]:
        """Return what was chosen; of the class itself the record."""
        if policies is None:
            return self
        return cast("Value", policies._choices[self.name])  # checked as it was put there

    def with_choices(self, text: str) -> str:
        """Return a help or a comment with the choices in it."""
        return text.format(choices=one_of(self.choices)) if self.choices else text

    def check(self, value: Value) -> None:
        """Raise `UsageError` for a value that there is not."""
        if self.choices and value not in [*self.choices]:
            known, both = ", ".join(self.choices), " and ".join(self.choices)
            hint = did_you_mean(nearest(str(value), self.choices)) if self.suggests else ""
            raise UsageError(self.refusal.format(found=value, known=known, both=both) + hint)
        if self.check_value is not None and value is not None:
            self.check_value(value)

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of the command line that choose."""
        if self.own_options:
            return self.own_options
        # what suggests the choice that was meant must see the others
        choices = () if self.suggests else tuple(self.choices)
        help_text = self.with_choices(self.help)
        return (Option(self.name, help_text, str(self.default), choices=choices),)

    def from_options(self, given: Mapping[str, object]) -> Value:
        """Return what options chose, by their keys; raises `UsageError` for what there is not."""
        values = [given[option.key] for option in self.options]
        if self.of_options is not None:
            return self.of_options(*values)
        return cast("Value", values[0])


def _finite(threshold: float | None) -> float | None:
    if threshold is not None and not math.isfinite(threshold):
        raise UsageError(f"--threshold {threshold} is no finite number")
    return threshold


def _intervals(
    level: float | None, method: str, resamples: int, seed: int
) -> IntervalPolicy | None:
    if level is None:
        return None
    if not 1 <= level < 100:
        raise UsageError(f"--ci {level:g}: expected a percentage from 1 to below 100, as 95")
    return IntervalPolicy(level, method, resamples, seed)


# --- the policies ---------------------------------------------------------------------------------


class Policies:
    """The choices that change figures, e.g. `Policies(campaign="respubliqa")`.

    Attributes
    ----------
    campaign
        Which judgement table is used, a key of `CAMPAIGNS`.
    missing
        What an answer without a line in a run is: `error` or `rejected`.
    unknown
        What answers labelled UNKNOWN count as: `ignore`, `incorrect` or `correct`.
    ties
        How answers of a question that share a confidence are ranked: `file` or `average`.
    threshold
        The confidence from which runs are taken to validate; None: as they decided themselves.
    intervals
        How confidence intervals are made; None where there are none.

    Raises
    ------
    UsageError
        A choice does not exist.
    TypeError
        There is no such policy.
    """

    campaign = Policy(
        default="qa-clef",
        help="What judgements mean: {choices}.",
        choices=CAMPAIGNS,
        refusal="no campaign {found!r}, only {known}",
        suggests=True,
        setting="what judgements mean: {choices}",
    )
    missing = Policy(
        default="error",
        help="What an answer without a line in a run is.",
        choices=MISSING_CHOICES,
        refusal="no policy {found!r} for missing answers, only {both}",
        setting="an answer without a line: {choices}",
    )
    unknown = Policy(
        default="ignore",
        help="What answers labelled UNKNOWN count as.",
        choices=UNKNOWN_CHOICES,
        refusal="no policy {found!r} for UNKNOWN, only {known}",
        setting="answers labelled UNKNOWN: {choices}",
    )
    ties = Policy(
        default="file",
        help="How answers of equal confidence are ranked: in the order of the collection, or as "
        "the mean of all orders.",
        choices=TIES_CHOICES,
        refusal="no way {found!r} to rank ties, only {known}",
        only_rankings=True,
    )
    threshold = Policy[float | None](
        default=None,
        own_options=(
            Option(
                "threshold",
                "Score as if the runs had validated every answer of a confidence of at least T, "
                "and selected the surest of each question.",
                metavar="T",
                number=float,
            ),
        ),
        of_options=_finite,
    )
    intervals = Policy[IntervalPolicy | None](
        default=None,
        check_value=lambda chosen: chosen and chosen.check(),
        own_options=(
            Option(
                "ci",
                "Also give confidence intervals: a bootstrap over the questions. 95 is usual.",
                metavar="PERCENT",
                number=float,
            ),
            Option(
                "ci-method",
                "Bias-corrected and accelerated intervals, or percentiles of the resamples.",
                "bca",
                choices=INTERVAL_METHODS,
            ),
            Option("resamples", None, 10_000, "N", number=int, low=1, high=1_000_000),
            Option("seed", None, 0, "N", number=int, low=0),
        ),
        of_options=_intervals,
    )

    def __init__(self, **choices: object) -> None:
        self._choices: dict[str, object] = {}
        for name, policy in self.records().items():
            value = choices.pop(name, policy.default)
            policy.check(value)
            self._choices[name] = value
        if choices:
            raise TypeError(f"no policy {next(iter(choices))!r}, only {', '.join(self._choices)}")

    @classmethod
    def records(cls) -> dict[str, Policy[object]]:
        """Return the record of every policy, by its name."""
        return {name: one for name, one in vars(cls).items() if isinstance(one, Policy)}

    def _asdict(self) -> dict[str, object]:
        """Return every choice by the name of its policy."""
        return dict(self._choices)

    def _replace(self, **choices: object) -> Policies:
        """Return the same policies but for some."""
        return Policies(**self._choices | choices)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Policies) and self._choices == other._choices

    def __hash__(self) -> int:
        return hash(tuple(self._choices.items()))

    def __repr__(self) -> str:
        choices = ", ".join(f"{name}={value!r}" for name, value in self._choices.items())
        return f"Policies({choices})"


# --- what follows from them -----------------------------------------------------------------------


def campaign_table(campaign: str) -> dict[str, Meaning]:
    """Return judgement -> meaning; raises `UsageError` for a campaign that there is not."""
    Policies.campaign.check(campaign)
    return CAMPAIGNS[campaign].table


def settled_table(campaign: str, unknown: str) -> dict[str, Meaning]:
    """Return the judgement table of a campaign with UNKNOWN read as the policy says.

    So an inexact answer counts the same whether a run selects it or a QA system returns it.
    """
    Policies.unknown.check(unknown)
    settled = {Label.REJECTED: WRONG, Label.VALIDATED: RIGHT}.get(UNKNOWN_CHOICES[unknown].label)
    return {
        letter: settled if settled and meaning.is_unsettled else meaning
        for letter, meaning in campaign_table(campaign).items()
    }


@lru_cache(maxsize=2)
def settle_unknown(collection: Collection, policy: str) -> Collection:
    """Return the collection with answers labelled UNKNOWN relabelled as the policy says.

    Anything but a choice of the policy on UNKNOWN raises `UsageError`. The same collection and
    policy give the same object, so that what it caches is computed once.
    """
    Policies.unknown.check(policy)
    label = UNKNOWN_CHOICES[policy].label
    if label is Label.UNKNOWN:
        return collection
    labels = collection.labels.replace(bytes([Label.UNKNOWN]), bytes([label]))
    return replace(collection, labels=labels)


def signature(
    policies: Policies | None, collection: CollectionSummary, *, ranks: bool = False
) -> str:
    """Return the line that says how figures were made, printed beside every score.

    E.g. `ave-score:0.1.0|campaign:qa-clef|missing:error|...|collection:0f3a...`. Two tables with
    the same signature were computed by the same rules from the same gold standard. Ties are part of
    it where a measure `ranks`.
    """
    parts = [f"ave-score:{__version__}"]
    if policies is not None:
        chosen, records = policies._asdict(), Policies.records()
        parts += [
            f"{name}:{value}"
            for name, value in chosen.items()
            if value is not None and (ranks or not records[name].only_rankings)
        ]
    parts.append(f"collection:{collection.sha256[:HASH_DIGITS]}")
    if collection.key_sha256:
        parts.append(f"key:{collection.key_sha256[:HASH_DIGITS]}")
    return "|".join(parts)
