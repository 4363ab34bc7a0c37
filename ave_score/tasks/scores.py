"""What scoring says: the row of each run, and the scores of all rows against one collection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import nan
from typing import TYPE_CHECKING, Any, NamedTuple

from ave_score.core.collection_summary import CollectionSummary
from ave_score.core.epochs import Epochs
from ave_score.core.parts import Extent
from ave_score.core.policies import Policies
from ave_score.core.reported import Reported
from ave_score.core.text import brief, quantity
from ave_score.counts import Counts, Family
from ave_score.counts.counted import Kind
from ave_score.measures import Measure
from ave_score.measures.registry import families_for
from ave_score.tasks.subjects import kind_of

if TYPE_CHECKING:
    import pandas as pd

    from ave_score.inference.intervals import Estimate
    from ave_score.inference.units import Subject


class Remark(NamedTuple):
    """What tables say about a run beside its figures.

    Attributes
    ----------
    mark
        A word or two beside its name, such as `late`.
    text
        What it is about, in a sentence without its end.
    is_apart
        Whether it is not ranked, but listed behind the others.
    same_as
        A run that is equal, as `with_equal` says; empty if none is.
    """

    mark: str
    text: str
    is_apart: bool = False
    same_as: str = ""

    def __str__(self) -> str:
        return f"{self.mark}: {self.text}"


class Row(NamedTuple):
    """The counts and values of one run, system or baseline.

    `counts` holds the families that apply; `values` every requested measure, None if it is
    undefined or does not apply. `reasons` explains why a measure does not apply. `intervals` holds
    the requested confidence intervals, each a tuple of its ends (NaN if the measure is undefined),
    method, and caution. `no_interval` explains why a measure with a value has no interval. With
    intervals, `stderr` holds the standard errors of measures that are computed from sums over
    questions, and `due_to_epochs` the shares of their squares that are due to replicates.
    `other_ties` holds the values that differ if answers of equal confidence are ranked otherwise
    (`choices.other_ties`). `of_runs` holds the values of each run of a system, whose means are its
    own, as are its counts; empty without `--replicates`. `extent` is what is scored, None for the
    whole collection. `remark` is what tables say beside the figures. `is_primary` tells whether
    the run is the one of its team that counts, None if no runs are named for this. `digest` and
    `epochs` are as in `Counted`.
    """

    run: str
    kind: Kind
    counts: Mapping[Family, Counts]
    values: Mapping[str, Fraction | None]
    team: str | None = None
    reasons: Mapping[str, str] = {}
    intervals: Mapping[str, Estimate] = {}
    no_interval: Mapping[str, str] = {}
    other_ties: Mapping[str, Fraction] = {}
    extent: Extent | None = None
    remark: Remark | None = None
    is_primary: bool | None = None
    digest: bytes = b""
    epochs: Epochs = Epochs()
    of_runs: Mapping[str, Sequence[Fraction | None]] = {}
    stderr: Mapping[str, float] = {}
    due_to_epochs: Mapping[str, float] = {}

    @property
    def shown(self) -> str:
        """The name in tables, with the mark of the remark."""
        return self.run if self.remark is None else f"{self.run} ({self.remark.mark})"

    @property
    def runs(self) -> int:
        """The number of runs of a system; 0 without `--replicates`."""
        return len(next(iter(self.of_runs.values()), ()))

    @property
    def is_apart(self) -> bool:
        """Whether it is listed behind the others."""
        return self.remark is not None and self.remark.is_apart

    @property
    def is_ranked(self) -> bool:
        """Whether it has a rank, may be the best, and is compared."""
        return self.kind.is_submitted and not self.is_apart and self.is_primary is not False


OF_STATISTICS = frozenset(
    ("intervals", "no_interval", "other_ties", "stderr", "due_to_epochs", "of_runs", "digest")
)
"""The fields that are computed from single questions beyond the values: see `Audience`."""

OF_FIGURES = frozenset(
    ("kind", "counts", "values", "reasons", "intervals", "no_interval", "other_ties", "extent")
) | {"is_primary", "epochs", "of_runs", "stderr", "due_to_epochs"}
"""The fields that teams see of the runs of others: one that is not named here is hidden."""

_OF_MEASURES = (
    *("values", "reasons", "intervals", "no_interval"),
    *("of_runs", "stderr", "due_to_epochs"),
)
"""The fields of a row that have a measure's key for each of them."""


@dataclass(frozen=True, repr=False)
class Scores(Reported):
    """The scores of all rows against one collection.

    `print` shows the tables of `ave-score score`, a notebook shows them as HTML.

    Attributes
    ----------
    collection
        A summary of the collection.
    policies, signature
        The policies that were applied, and the line that identifies them.
    measures
        The measures of every row, in the requested order.
    rows
        Runs, then QA systems, then baselines.
    not_scored
        The files that could not be scored.
    with_errors
        Whether tables show the standard errors of rows.
    """

    collection: CollectionSummary
    policies: Policies
    signature: str
    measures: Sequence[Measure]
    rows: Sequence[Row]
    not_scored: Sequence[str] = ()
    with_errors: bool = False

    def __repr__(self) -> str:
        names = brief([measure.key for measure in self.measures])
        return f"<Scores of {quantity(len(self.rows), 'row')} on {self.collection.path}: {names}>"

    @property
    def marked(self) -> dict[str, str]:
        """Run -> its name with the mark of its remark, for runs that have one."""
        return {row.run: row.shown for row in self.rows if row.remark is not None}

    @property
    def epochs(self) -> str:
        """The number of replicates of questions, as tables print it behind theirs; "" for one."""
        known = [row.epochs for row in self.rows if row.kind is Kind.QA]
        least = min((item.least for item in known), default=1)
        epochs = Epochs(least, max((item.most for item in known), default=1))
        return f" × {epochs}" * (epochs.most > 1)

    def only(self, measures: Sequence[Measure]) -> Scores:
        """Return these scores with some of the measures."""
        keys = {measure.key for measure in measures}
        rows = []
        for row in self.rows:
            kept: dict[str, Any] = {
                name: {key: item for key, item in getattr(row, name).items() if key in keys}
                for name in _OF_MEASURES
            }
            rows.append(row._replace(counts=counts_for(measures, row.counts), **kept))
        return replace(self, measures=measures, rows=rows)

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas frame: one row per run, with kind, team and one column per measure.

        Returns
        -------
        pandas.DataFrame
            Its index is the run. Values are unrounded floats; NaN if undefined or not applicable.
            If intervals were computed, each measure is followed by their ends, in the columns
            `MEASURE_low` and `MEASURE_high`.
        """
        import pandas as pd  # slow to import, and only needed here

        index = pd.Index([row.run for row in self.rows], name="run")
        columns: dict[str, Sequence[str | float | None]] = {
            "kind": [str(row.kind) for row in self.rows],
            "team": [row.team for row in self.rows],
        }
        for measure in self.measures:
            values = [row.values[measure.key] for row in self.rows]
            columns[measure.key] = [nan if value is None else float(value) for value in values]
            if self.policies.intervals is not None:
                intervals = [row.intervals.get(measure.key) for row in self.rows]
                ends = [interval.interval if interval else (nan, nan) for interval in intervals]
                columns[f"{measure.key}_low"] = [low for low, _ in ends]
                columns[f"{measure.key}_high"] = [high for _, high in ends]
        return pd.DataFrame(columns, index=index)


def rows_of(subjects: Iterable[Subject]) -> list[Row]:
    """Return rows without measures, by which those that are ranked are known."""
    return [
        Row(subject.name, kind_of(subject), {}, {}, digest=subject.digest) for subject in subjects
    ]


def rows_in(scores: Scores, subjects: Sequence[Subject]) -> list[Row]:
    """Return the row of each subject in scores, which may have it as one of the organiser's."""
    rows = {(row.kind, row.run): row for row in scores.rows}
    of_own = Kind.REFERENCE
    return [rows.get((kind_of(one), one.name)) or rows[of_own, one.name] for one in subjects]


def counts_for(
    measures: Iterable[Measure], counts: Mapping[Family, Counts]
) -> dict[Family, Counts]:
    """Return the counts that measures need, and those that all data has."""
    needed = families_for(measures)
    return {family: counts[family] for family in counts if family.in_all_data or family in needed}
