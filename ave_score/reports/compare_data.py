"""Comparisons of runs as data: a document, a row for each pair, a row for each question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from ave_score.core.standards import CANDIDATES
from ave_score.inference.compare_records import Comparison
from ave_score.inference.procedures import CORRECTIONS, PROCEDURES
from ave_score.reports.compare_reasons import reasons_of
from ave_score.reports.data import (
    ABSENT,
    AMOUNT,
    BOOLEAN,
    COUNT,
    MEASURE,
    NOT_SCORED,
    NUMBER,
    POSITIVE,
    SIGNATURE,
    TEXT,
    VALUE,
    WHOLE,
    Get,
    Key,
    P,
    ResultDocument,
    decimal,
    entry,
    level,
    list_of,
    numeric,
    one_of,
    record,
    shared,
)
from ave_score.reports.intervals import METHODS
from ave_score.reports.report import Cell, Records
from ave_score.reports.score_data import ENTRANT, figures_of
from ave_score.reports.ties import TiedFigure, ties_notes
from ave_score.tasks.compared import Compared, Listed
from ave_score.tasks.scores import Row

COLUMNS = (
    *("measure", "run", "other", "value", "other_value", "difference", "low", "high"),
    *("p", "p_corrected", "significant", "exact", "won", "tied", "lost", "effect"),
    *("stderr", "t", "df"),
)

_OF_RUNS = (*ENTRANT, *(f"other_{name}" for name in ENTRANT))
"""Further columns, of either run; empty for one that has nothing there."""


_VARIANCE = {
    "questions": AMOUNT.or_null("The part over questions.", "questions.variance"),
    "runs": AMOUNT.or_null(
        "The part over the runs of `run`.", lambda spread, _: spread.runs[0].variance
    ),
    "other_runs": AMOUNT.or_null(
        "The part over the runs of `other`.", lambda spread, _: spread.runs[1].variance
    ),
    "residual": AMOUNT.or_null(
        "The noise of single answers, which is in the part over questions and in those over runs: "
        "the mean square of the interaction of questions and runs of each system, by their numbers."
    ),
}

TIED_AND_LOST = {
    "tied": WHOLE.or_null(
        "Questions on which both are equal.", lambda pair, _: pair.score and pair.score.ties
    ),
    "lost": WHOLE.or_null(
        "Questions on which `other` is better.", lambda pair, _: pair.score and pair.score.losses
    ),
}

_PAIR = {
    "run": TEXT(
        "The run with the better measure; with `against`, the run that was compared with it."
    ),
    "other": TEXT("The other run; with `against`, that is `other`."),
    "difference": NUMBER.or_null.with_integers("The measure of `run` minus that of `other`."),
    "low": NUMBER.or_null(
        "The lower end of the differences that the test does not reject at `cutoff`; null if there "
        "is no interval.",
        "interval.low",
    ),
    "high": NUMBER.or_null("The upper end of these differences.", "interval.high"),
    "p": P("p of the test."),
    "p_corrected": P("p, corrected for all pairs.", "adjusted"),
    "significant": BOOLEAN(
        "Whether `p_corrected` is at most 1 - `level` / 100, and the test favours the run with the "
        "better measure. `sign`, `wilcoxon` and `friedman` need not: they find differences of "
        "signs or ranks, not of the measure.",
        "is_significant",
    ),
    "exact": BOOLEAN("Whether p was computed without random numbers or approximation.", "is_exact"),
    "won": WHOLE.or_null(
        "Questions on which `run` is better; null for measures that rank the answers to all "
        "questions together.",
        lambda pair, _: pair.score and pair.score.wins,
    ),
    **TIED_AND_LOST,
    "effect": NUMBER.or_null(
        "The effect size, Cohen's d_z; null for measures that are not means over questions."
    ),
    "stderr": AMOUNT.or_null(
        "The standard error of the difference; null for measures that rank the answers to all "
        "questions together.",
        lambda pair, comparison: comparison.stderr_of(pair),
    ),
    "t": NUMBER.or_null(
        "The difference by its standard error. p is of it for the tests `t` and `crossed` alone.",
        lambda pair, comparison: comparison.t_of(pair),
    ),
    "df": AMOUNT.or_null(
        "The degrees of freedom of the standard error.",
        lambda pair, _: pair.free if pair.free > 0 else None,
    ),
}

OF_CROSSED = entry(_VARIANCE).optional(
    "The parts of the squared standard error, with the test `crossed`: it is the sum of those over "
    "questions and over the runs of both.",
    lambda pair, _: pair.spread if pair.spread is not None and pair.spread.runs else ABSENT,
)

_REASON = TEXT(
    "Why there is no p or no interval, why the interval is not that of the test, or why both are "
    "rough; empty if there is no reason.",
    lambda pair, comparison: reasons_of(comparison, pair),
)


class _Entered(NamedTuple):
    """A run in a comparison, and the rows of all."""

    listed: Listed
    rows: Sequence[Row]


def _if_any(name: str, key: Key) -> Key:
    """Return the key of what is said of a run; absent where nothing is said of any."""

    def get(of: _Entered, _: object) -> object:
        values = [key.value(name, row, None) for row in of.rows]
        known = any(value is not None for value in values)
        return key.value(name, of.listed.row, None) if known else ABSENT

    return Key(key.type.optional, f"{key.text[:-1]}; absent if no run has one.", get)


def _entered(comparison: Comparison, compared: Compared, *, apart: bool) -> list[_Entered]:
    """Return the runs that are compared, or those that are not."""
    rows = [*compared.rows, *compared.apart]
    listed = compared.listed(comparison)
    return [_Entered(item, rows) for item in listed if bool(item.reason) is apart]


_STANDING = {
    "run": TEXT("The name of the run.", "listed.standing.run"),
    **{name: _if_any(name, key) for name, key in ENTRANT.items()},
    "value": VALUE.with_integers("The measure of the run.", "listed.standing.value"),
    "low": NUMBER.or_null("The lower end of its interval.", "listed.standing.interval.low"),
    "high": NUMBER.or_null("The upper end of its interval.", "listed.standing.interval.high"),
    "method": one_of("", *METHODS)(
        "The method of its interval; empty if it has none.", "listed.standing.method"
    ),
    "ranks": list_of(POSITIVE, 2).or_null(
        "The best and the worst rank that the significant differences leave; null if the measure "
        "is undefined, and for `sign`, `wilcoxon` and `friedman`, which do not compare it.",
        "listed.standing.ranks",
    ),
    "runs": POSITIVE.optional(
        "The number of runs of the system, with `--replicates`: `value` is their mean.",
        lambda entered, _: len(entered.listed.standing.of_runs) or ABSENT,
    ),
    "spread": shared("spread").optional(
        "How these runs differ.",
        lambda entered, _: (
            figures_of(entered.listed.standing.of_runs)
            if entered.listed.standing.of_runs
            else ABSENT
        ),
    ),
    "letters": TEXT(
        "The letters of its groups of runs; empty with `against`.", "listed.standing.letters"
    ),
}

_OMNIBUS = {
    "statistic": AMOUNT.or_null("F of the analysis of variance, or Friedman's chi square."),
    "p": P("p that no run differs."),
}


def _with_epochs(name: str) -> Get:
    """Return what gets a figure of a pair whose questions have several epochs."""
    return lambda pair, _: getattr(pair, name) if pair.due_to_epochs else ABSENT


_POWER = {
    "run": TEXT("The name of the run."),
    "other": TEXT("The other run."),
    "deviation": AMOUNT.or_null("The standard deviation of the difference per question."),
    "detectable": AMOUNT.or_null("The least true difference that is found with probability 0.8."),
    "units_needed": WHOLE.or_null(
        "The questions that the difference of `--power` needs.", "questions"
    ),
    "p_equivalent": P("The corrected p of a true difference of at least `--equivalence`."),
    "stderr": AMOUNT.or_null.optional(
        "The standard error of the difference, where questions have several epochs.",
        _with_epochs("stderr"),
    ),
    "due_to_epochs": AMOUNT.or_null.optional(
        "The share of its square that is due to epochs.", _with_epochs("due_to_epochs")
    ),
    "with_twice_epochs": AMOUNT.or_null.optional(
        "The standard error with twice as many epochs.", _with_epochs("with_twice_epochs")
    ),
    "with_twice_questions": AMOUNT.or_null.optional(
        "The standard error with twice as many questions.", _with_epochs("with_twice_questions")
    ),
}

_TEST = one_of(*PROCEDURES)


def _powers(comparison: Comparison, compared: Compared) -> object:
    """Return what the pairs of a comparison could show, if that was asked."""
    if compared.powers is None:
        return ABSENT
    pairs = zip(compared.comparisons, compared.powers.of_comparisons, strict=True)
    return next(powers for other, powers in pairs if other is comparison)


_COMPARISON = {
    "measure": MEASURE("The name of the measure.", "measure.key"),
    "test": _TEST("The test of this measure.", "design.test"),
    "unit": one_of("question", "pair", "cluster")("What was sampled."),
    "questions": COUNT("The number of these units."),
    "cutoff": P("The uncorrected p up to which a difference is significant after the correction."),
    "runs": list_of(entry(_STANDING))(
        "The runs, best first.",
        lambda comparison, compared: _entered(comparison, compared, apart=False),
    ),
    "pairs": list_of(entry(_PAIR | {"variance": OF_CROSSED, "reason": _REASON}))(
        "The pairs of runs."
    ),
    "groups": list_of(list_of(TEXT))(
        "Runs of which no two differ significantly, in the order of the letters."
    ),
    "apart": list_of(
        entry(
            _STANDING | {"reason": one_of("reference", "not primary")("Why not.", "listed.reason")}
        )
    ).optional(
        "The runs that are scored and not compared, best first: with `--reference` or `--primary`.",
        lambda comparison, compared: _entered(comparison, compared, apart=True) or ABSENT,
    ),
    "omnibus": entry(_OMNIBUS).or_null("The test of all runs at once, if there is one."),
    "power": list_of(entry(_POWER)).optional(
        "What each pair could show, with `--power` or `--equivalence`; null if unknown or not "
        "requested.",
        _powers,
    ),
}


def _design(path: str) -> Get:
    """Return what gets a setting of the first measure."""
    setting = attrgetter(path)
    return lambda compared, _: setting(compared.comparisons[0].design)


DOCUMENT = ResultDocument(
    "comparison",
    "Comparisons",
    "The differences between runs: `ave-score compare` and `ave-score campaign`. CSV has a row for "
    "each pair; it starts with `measure`, and has `value` and `other_value`, the measures of the "
    "two runs. Figures are null (empty in CSV) if the measure is undefined.",
    {
        "signature": SIGNATURE,
        "test": _TEST("The test of the first measure.", _design("test")),
        "resamples": POSITIVE(
            "The number of bootstrap and randomisation samples.", _design("resampling.resamples")
        ),
        "seed": COUNT("The seed of the random samples.", _design("resampling.seed")),
        "level": level(
            "The confidence level in per cent.",
            lambda compared: compared.comparisons[0].design.level,
        ),
        "correction": one_of(*CORRECTIONS)(
            "The correction of p; `none` for tests that compare all runs at once.",
            _design("corrected_by"),
        ),
        "against": TEXT.or_null(
            "The run that all others were compared with; null if all pairs were compared.",
            _design("against"),
        ),
        "measures": list_of(entry(_COMPARISON))(
            "The measures in the requested order.", "comparisons"
        ),
        "not_scored": NOT_SCORED,
        "notes": list_of(TEXT)(
            "Sentences about the figures.",
            lambda compared, _: [*tied_notes(compared), *compared.notes],
        ),
    },
)


def comparison_records(compared: Compared, digits: int | None) -> Records:
    """Return a row for each measure and pair; values are rounded unless `digits` is None."""
    columns = (*COLUMNS, *_OF_RUNS)
    entrants = {row.run: record(ENTRANT, row) for row in compared.rows}

    def rows() -> Iterator[list[Cell]]:
        for comparison in compared.comparisons:
            values = {standing.run: standing.value for standing in comparison.standings}
            for pair in comparison.pairs:
                cells = record(_PAIR, pair, comparison) | {
                    "measure": comparison.measure.key,
                    "value": values[pair.run],
                    "other_value": values[pair.other],
                    "low": decimal(pair.interval.low),
                    "high": decimal(pair.interval.high),
                    **entrants[pair.run],
                    **{f"other_{name}": item for name, item in entrants[pair.other].items()},
                }
                yield [numeric(cells.get(name), digits) for name in columns]

    return Records(columns, rows())


def tied_notes(compared: Compared, digits: int | None = None) -> list[str]:
    """Return a sentence about figures that another ranking of ties would change, if any."""
    figures = [
        TiedFigure(
            standing.run, comparison.measure, standing.value, comparison.other_ties[standing.run]
        )
        for comparison in compared.comparisons
        for standing in comparison.standings
        if standing.value is not None and standing.run in comparison.other_ties
    ]
    ties = compared.comparisons[0].design.policies.ties
    standard = CANDIDATES if compared.gold is None else compared.gold.standard
    return ties_notes(ties, figures, digits, standard)
