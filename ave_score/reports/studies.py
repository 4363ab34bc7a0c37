"""Studies of measures: their error rates, and the differences that they require."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ave_score.exact import fixed, to_number
from ave_score.inference.samples import Sampled
from ave_score.inference.stability import Comparisons, pairs
from ave_score.inference.swap import BINS, WIDTH, Agreement, Swaps
from ave_score.reports.report import Cell, Records, Report, ReportTable, noted, with_notes
from ave_score.reports.scores import DIGITS
from ave_score.studies import Stability, StabilityStudy, Study, Swapped, SwapStudy

STABILITY_SCHEMA = "ave-score/stability/1"
SWAP_SCHEMA = "ave-score/swap/1"

ENOUGH_RUNS = 10
"""Fewer runs make fewer than 45 pairs, and each run is in more than a fifth of them."""

_STABILITY_LEGEND = (
    "Error rate: percentage of comparisons that contradict the majority for their pair; 50 is "
    "chance. Ties: percentage of differences below the fuzziness, a share of the larger score."
)

_FIRST_BIN = "the first bin of differences for which"
_ALL_BINS = "the smallest difference from which on"
_SWAP_LEGEND = (
    "Required: {} two samples contradict each other in at most {} % of comparisons. Relative: as a "
    "percentage of the highest score. Sensitivity: percentage of comparisons that reach it."
)


def _caution(study: Study) -> list[str]:
    """Return a note if there are too few runs for reliable rates."""
    runs = len(study.runs)
    if runs >= ENOUGH_RUNS:
        return []
    pairs = "1 pair" if study.pairs == 1 else f"{study.pairs} pairs"
    return [
        f"{runs} runs make only {pairs}: the rates are rough, and depend more on these runs "
        "than on the measure."
    ]


def _drawn(sampled: Sampled) -> str:
    """Return e.g. `240 of 551 answers`."""
    return f"{sampled.sampling.size:,} of {sampled.units:,} {sampled.unit}"


def _left_out(undefined: int, sampled: Sampled) -> list[str]:
    title = sampled.measure.title
    note = f"{undefined:,} comparisons excluded: {title} is undefined in a sample."
    return [note] * (undefined > 0)


def figure_text(value: Fraction | None, digits: int, scale: int = 1) -> str:
    """Return the text of a figure times `scale`."""
    return "n/a" if value is None else fixed(scale * value, digits)


_SAMPLE = ("measure", "unit", "size")


def _sample_cells(sampled: Sampled) -> tuple[Cell, ...]:
    return sampled.measure.key, str(sampled.unit), sampled.sampling.size


def _sample_document(sampled: Sampled) -> dict[str, object]:
    key, unit, size = _sample_cells(sampled)
    return {"measure": key, "unit": unit, "units": sampled.units, "size": size}


def stability_report(study: StabilityStudy, digits: int | None = None) -> Report:
    """Return the report of the stability of measures."""
    shown = DIGITS if digits is None else digits
    return Report(
        lambda: _stability_tables(study, shown),
        lambda: _stability_document(study),
        lambda: _stability_records(study.measures),
    )


def _stability_tables(study: StabilityStudy, digits: int) -> list[ReportTable]:
    tables = [_curve_table(study, one, digits) for one in study.measures]
    notes = [_STABILITY_LEGEND, *_caution(study), *study.notes]
    return with_notes(tables, notes, study.signature)


def _undefined(study: Study, one: Stability) -> int:
    """Return the number of comparisons that were excluded."""
    return study.pairs * study.repetitions - one.curve[0].total


def _curve_table(study: Study, one: Stability, digits: int) -> ReportTable:
    return ReportTable(
        f"Stability of {one.sampled.measure.title}, {study.repetitions:,} samples of "
        f"{_drawn(one.sampled)}",
        ["Fuzziness", "Error rate, %", "Ties, %"],
        [
            [
                figure_text(point.fuzziness, 2),
                figure_text(point.error_rate, digits, 100),
                figure_text(point.ties, digits, 100),
            ]
            for point in one.curve
        ],
        align="lrr",
        notes=_left_out(_undefined(study, one), one.sampled),
    )


def _stability_records(found: Sequence[Stability]) -> Records:
    """Return every point of every curve; rates are shares in 0..1."""
    rows = [
        [*_sample_cells(one.sampled), point.fuzziness, point.error_rate, point.ties]
        for one in found
        for point in one.curve
    ]
    return Records([*_SAMPLE, "fuzziness", "error_rate", "ties"], rows)


def _stability_document(study: StabilityStudy) -> dict[str, object]:
    return {
        "schema": STABILITY_SCHEMA,
        "signature": study.signature,
        "runs": list(study.runs),
        "pairs": [[study.runs[a], study.runs[b]] for a, b in pairs(len(study.runs))],
        "repetitions": study.repetitions,
        "seed": study.seed,
        **noted(study.notes),
        "measures": [
            {
                **_sample_document(one.sampled),
                "undefined": _undefined(study, one),
                "curve": list(map(_point, one.curve)),
            }
            for one in study.measures
        ],
    }


def _point(point: Comparisons) -> dict[str, object]:
    return {
        "fuzziness": point.fuzziness,
        "error_rate": point.error_rate,
        "ties": point.ties,
        "greater": point.greater.tolist(),
        "less": point.less.tolist(),
        "equal": point.equal.tolist(),
    }


def swap_report(study: SwapStudy, digits: int | None = None) -> Report:
    """Return the report of required differences."""
    shown = DIGITS if digits is None else digits
    return Report(
        lambda: _swap_tables(study, shown),
        lambda: _swap_document(study),
        lambda: _swap_records(study.measures),
    )


def _swap_tables(study: SwapStudy, digits: int) -> list[ReportTable]:
    """Return the table of all measures, and a table of bins for each."""
    found, agreement = study.measures, study.agreement
    summary = ReportTable(
        f"Difference required at {to_number(100 * agreement.level)} %, "
        f"{study.repetitions:,} pairs of samples",
        ["Measure", "Sample size", "Required", "Highest", "Relative, %", "Sensitivity, %"],
        [_summary(one, agreement, digits) for one in found],
        align="llrrrr",
        notes=[_swap_legend(agreement), *_contradictions(found, agreement), *_caution(study)],
    )
    tables = [summary, *(_bins(one, digits) for one in found)]
    return with_notes(tables, study.notes, study.signature)


def _swap_legend(agreement: Agreement) -> str:
    which = _ALL_BINS if agreement.in_all_bins else _FIRST_BIN
    return _SWAP_LEGEND.format(which, to_number(100 - 100 * agreement.level))


def _contradictions(found: Sequence[Swapped], agreement: Agreement) -> list[str]:
    """Name the measures for which a larger difference than the required one is less certain."""
    strict = agreement._replace(in_all_bins=True)
    titles = [
        one.sampled.measure.title
        for one in found
        if one.swaps.required(agreement) != one.swaps.required(strict)
    ]
    if not titles:
        return []
    return [f"A larger difference is less certain for {', '.join(titles)}; see --all-bins."]


def _summary(one: Swapped, agreement: Agreement, digits: int) -> list[str]:
    swaps = one.swaps
    return [
        one.sampled.measure.title,
        _drawn(one.sampled),
        figure_text(swaps.required(agreement), 2),
        figure_text(swaps.highest, digits),
        figure_text(swaps.relative(agreement), digits, 100),
        figure_text(swaps.sensitivity(agreement), digits, 100),
    ]


def _bins(one: Swapped, digits: int) -> ReportTable:
    swaps = one.swaps
    return ReportTable(
        f"Swaps of {one.sampled.measure.title}",
        ["Difference", "Comparisons", "Swaps", "Error rate, %"],
        [
            [
                _span(number),
                f"{swaps.comparisons[number]:,}",
                f"{swaps.swaps[number]:,}",
                figure_text(swaps.error_rate(number), digits, 100),
            ]
            for number in range(BINS)
        ],
        align="lrrr",
        notes=_left_out(swaps.undefined, one.sampled),
    )


def _span(number: int) -> str:
    """Return the range of a bin: the lower end is in it, the upper end is not."""
    last = "and more" if number == BINS - 1 else f"to {fixed((number + 1) * WIDTH, 2)}"
    return f"{fixed(number * WIDTH, 2)} {last}"


def _swap_records(found: Sequence[Swapped]) -> Records:
    """Return every bin of every measure; rates are shares in 0..1."""
    rows = [
        [*_sample_cells(one.sampled), *_bin(one.swaps, number).values()]
        for one in found
        for number in range(BINS)
    ]
    return Records([*_SAMPLE, "difference", "comparisons", "swaps", "error_rate"], rows)


def _swap_document(study: SwapStudy) -> dict[str, object]:
    found, agreement = study.measures, study.agreement
    return {
        "schema": SWAP_SCHEMA,
        "signature": study.signature,
        "runs": list(study.runs),
        "repetitions": study.repetitions,
        "seed": study.seed,
        **noted(study.notes),
        "level": agreement.level,
        "in_all_bins": agreement.in_all_bins,
        "measures": [
            {
                **_sample_document(one.sampled),
                "undefined": one.swaps.undefined,
                "required": one.swaps.required(agreement),
                "largest": one.swaps.largest,
                "equal": one.swaps.equal,
                "highest": one.swaps.highest,
                "relative": one.swaps.relative(agreement),
                "sensitivity": one.swaps.sensitivity(agreement),
                "bins": [_bin(one.swaps, number) for number in range(BINS)],
            }
            for one in found
        ],
    }


def _bin(swaps: Swaps, number: int) -> dict[str, Cell]:
    return {
        "difference": number * WIDTH,
        "comparisons": swaps.comparisons[number],
        "swaps": swaps.swaps[number],
        "error_rate": swaps.error_rate(number),
    }
