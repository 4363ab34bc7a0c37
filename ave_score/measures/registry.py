"""The records of all measures, which help, documentation, table heads and JSON read.

A measure is a pure function of exact counts. It is registered once, beside its formula, by
`@measure(...)`; its name parses and prints the same way: `f1`, `f_beta(2)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ave_score.counts import TABLES, Counts, Family
from ave_score.measures.parameters import Parameter, Value, shown, written_name


class Measure(NamedTuple):
    """The record of one measure.

    Attributes
    ----------
    name
        Its name without parameters; a name that ends in `@` always has a cut-off.
    head
        Its column head in tables; `{b}` is the value of the parameter b.
    family
        The family of the counts it is computed from.
    formula
        The formula; its symbols are explained in the docstring of the family's module.
    undefined
        What the value is if the formula gives 0/0; by default, `undefined`.
    unknown
        What it does with answers labelled UNKNOWN if the policy ignores them; by default, what its
        family does.
    source
        Where it was defined.
    higher_is_better
        Whether higher values are better.
    percent
        Whether tables print it times 100, as the campaigns' papers do.
    whole
        Whether it is a number of questions, printed without decimals.
    is_mean
        Whether it is the mean over questions of its value for each question.
    is_share
        Whether it counts answers or questions as 0 or 1: it is the share of those that count 1, or
        their number. If each question or pair counts 0 or 1, its interval is Wilson's.
    denominator
        The count of the questions over which it is a mean, if they differ between runs; tables then
        print the number.
    ignores_ties
        Whether it does not depend on the order of equal confidences although its family does.
    sampler
        The name of its sampler in `inference.weighted`, which computes it in samples of questions.
        Only needed by a measure that is not such a mean and whose family does not count single
        questions; without one, it has no intervals.
    no_interval
        Why it has neither intervals nor tests, and what to use instead, as the end of a sentence.
    lowest, highest
        Its range.
    aliases
        What other programs call it, k for any cut-off: `P_k`. Values in brackets are those of its
        parameters: `ndcg_score(gain=linear)`.
    trec_eval
        What trec_eval calls it, likewise.
    use, avoid
        When to use it, and when not.
    note
        A sentence for readers of a table.
    remark
        Returns what readers of a table have to know about some counts, "" if nothing; it takes the
        same arguments as the function.
    worked
        The formula with the numbers of the family's example, and the result.
    function
        The formula as code: from counts and values of the parameters to the measure. It returns
        None for 0/0, and raises `NotApplicable` if the measure does not apply to the data.
    parameters, values
        Its parameters, and the value of each.
    parts
        The measures that it is computed from, if it has no counts of its own: its function takes a
        list of their values, and its family is that of the first.
    """

    name: str
    head: str
    family: Family
    formula: str
    undefined: str
    source: str
    function: Callable[..., Fraction | None]
    use: str = ""
    avoid: str = ""
    worked: str = ""
    unknown: str = ""
    note: str = ""
    remark: Callable[..., str] | None = None
    aliases: tuple[str, ...] = ()
    trec_eval: tuple[str, ...] = ()
    higher_is_better: bool = True
    percent: bool = False
    whole: bool = False
    is_mean: bool = False
    is_share: bool = False
    denominator: str = ""
    ignores_ties: bool = False
    sampler: str | None = None
    no_interval: str = ""
    lowest: str = "0"
    highest: str = "1"
    parameters: tuple[Parameter, ...] = ()
    values: tuple[Value, ...] = ()
    parts: tuple[Measure, ...] = ()

    @property
    def leaves(self) -> tuple[Measure, ...]:
        """The measures with counts that it is computed from: itself, or those of its parts."""
        return tuple(leaf for part in self.parts for leaf in part.leaves) or (self,)

    @property
    def families(self) -> tuple[Family, ...]:
        """The families of the counts that it is computed from."""
        return tuple(dict.fromkeys(leaf.family for leaf in self.leaves))

    @property
    def is_ranked(self) -> bool:
        """Whether ties are ranked for it."""
        return any(family.is_ranked for family in self.families)

    @property
    def elsewhere(self) -> tuple[str, ...]:
        """What other programs call it if that is another name, k for any cut-off."""
        names = (*self.aliases, *self.trec_eval)
        return tuple(name for name in names if name.partition("(")[0] != self.name)

    @property
    def key(self) -> str:
        """Its name on the command line and in JSON: `f_beta(2)`, `ndcg@5`."""
        if not self.parameters:
            return self.name
        return written_name(self.name, self.parameters, self.values)

    def __call__(self, counts: Counts) -> Fraction | None:
        """Return the exact value for these counts, or None if it is undefined.

        Raises `NotApplicable` if the measure does not apply to such data.
        """
        return self.function(counts, *self.values)

    def of(self, counts: Mapping[Family, Counts]) -> Fraction | None:
        """Return its value for counts of all its families, as a call does for those of one."""
        if not self.parts:
            return self(counts[self.family])
        values = [part.of(counts) for part in self.parts]
        return None if None in values else self.function(values)

    @property
    def span(self) -> float:
        """The largest difference between two values; infinite for numbers of questions."""
        if self.whole or self.lowest == "-infinity" or self.highest == "∞":
            return inf
        return float(Fraction(self.highest) - Fraction(self.lowest))

    @property
    def bounds(self) -> tuple[float, float]:
        """The lowest and the highest value; infinite if the span is."""
        if self.span == inf:
            return -inf, inf
        return float(Fraction(self.lowest)), float(Fraction(self.highest))

    def with_other_ties(
        self, counts: Mapping[Family, Counts], other: Mapping[Family, Counts]
    ) -> Fraction | None:
        """Return its value for counts with ties ranked otherwise, if there are and it needs any."""
        if self.ignores_ties or other.keys().isdisjoint(self.families):
            return None
        try:
            return self.of({**counts, **other})
        except NotApplicable:
            return None

    def sort_key(self, value: Fraction | None) -> tuple[bool, Fraction]:
        """Return the sort key of a value: the best values first, undefined ones last."""
        return value is None, (-1 if self.higher_is_better else 1) * (value or Fraction(0))

    def best(self, values: Iterable[Fraction | None]) -> Fraction | None:
        """Return the best of some values, None if none is defined."""
        return min(values, key=self.sort_key, default=None)

    @property
    def usage(self) -> str:
        """Its name with the symbols of its parameters: `f_beta(b)`, `ndcg@k`."""
        inside = ", ".join(
            parameter.symbol for parameter in self.parameters if not parameter.is_cutoff
        )
        behind = "@k" * any(parameter.is_cutoff for parameter in self.parameters)
        return f"{self.name.removesuffix('@')}{f'({inside})' if inside else ''}{behind}"

    def with_values(self, values: Sequence[Value]) -> Measure:
        """Return the same measure with other values of its parameters."""
        return self._replace(values=tuple(values))

    @property
    def in_title(self) -> list[Parameter]:
        """The whole numbers that its title has by their symbols, if they are not the default."""
        wholes = (
            parameter
            for parameter in self.parameters
            if parameter.is_whole and not parameter.is_cutoff
        )
        return [part for part in wholes if f"{{{part.symbol}}}" not in self.head]

    @property
    def title(self) -> str:
        """Its column head, with the values of its parameters."""
        named = list(zip(self.parameters, self.values, strict=True))
        title = self.head.format(**{parameter.symbol: shown(value) for parameter, value in named})
        words = [
            shown(value)
            for parameter, value in named
            if parameter.choices and value != parameter.default
        ]
        words += [
            parameter.written(value, first=False)
            for parameter, value in named
            if parameter in self.in_title and value != parameter.default
        ]
        if words:
            title += f" ({', '.join(words)})"
        if not self.name.endswith("@"):
            title += "".join(
                parameter.written(value)
                for parameter, value in named
                if parameter.is_cutoff and value
            )
        return title


class NotApplicable(Exception):
    """Raised if a measure does not apply to some data; the reason ends a sentence."""


class Example(NamedTuple):
    """The counts of a family's worked examples, and their description."""

    text: str
    counts: Counts


EXAMPLES: dict[Family, Example] = {}
"""Family -> its example, set by the module of the family."""

MEASURES: dict[str, Measure] = {}
"""Name -> record, in the order of registration."""

PRESETS: dict[str, tuple[str, ...]] = {
    # the columns of the overview papers' tables
    "ave2007": ("f1", "precision", "recall", "qa_accuracy", "normalized_qa_accuracy"),
    "ave2008": (
        "f1",
        "precision",
        "recall",
        "estimated_qa_performance",
        "qa_accuracy",
        "normalized_qa_accuracy",
        "qa_rej_accuracy",
        "qa_accuracy_max",
    ),
    # a verifier that selects the best of N samples
    "best_of_n": ("qa_accuracy", "random_qa_accuracy", "gain_over_random", "headroom"),
    "respubliqa": (
        "c_at_1",
        "accuracy_with_withheld",
        "answering_accuracy",
        "n_right",
        "n_wrong",
        "n_unanswered",
        "n_withheld_right",
        "n_withheld_wrong",
    ),
}
"""Name of a layout -> the measures of its tables."""


BARS = ("qa_accuracy", "qa_rej_accuracy")
"""The measures of the bars in figures A.1-A.5 of the thesis."""

CRITERION = "f1"
"""Default measure by which thresholds are chosen."""


def families_for(measures: Iterable[Measure]) -> dict[Family, None]:
    """Return the families of the counts that measures are computed from, in their order."""
    return dict.fromkeys(family for measure in measures for family in measure.families)


def measure(
    name: str,
    head: str,
    family: Family,
    *parameters: Parameter,
    **record: Any,  # noqa: ANN401 - the fields of Measure
) -> Callable[[Callable[..., Fraction | None]], Callable[..., Fraction | None]]:
    """Register the decorated function as a measure; see `Measure` for the fields of the record."""

    def register(function: Callable[..., Fraction | None]) -> Callable[..., Fraction | None]:
        if name in MEASURES:
            raise ValueError(f"measure {name} is registered twice")
        if name in PRESETS or name in TABLES:
            raise ValueError(f"a group is named {name}, so no measure can be")
        values = tuple(parameter.default for parameter in parameters)
        record.setdefault("unknown", family.unknown)
        record.setdefault("undefined", "undefined")
        MEASURES[name] = Measure(
            name, head, family, function=function, parameters=parameters, values=values, **record
        )
        return function

    return register
