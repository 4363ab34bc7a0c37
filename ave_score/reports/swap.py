"""The differences that measures require."""

from __future__ import annotations

from collections.abc import Sequence

from ave_score.core.exact import fixed, to_number
from ave_score.inference.swap import BINS, WIDTH, Agreement, Swaps
from ave_score.reports.report import Cell, Records, Report, ReportTable, noted, with_notes
from ave_score.reports.score import DIGITS
from ave_score.reports.study import (
    SAMPLE,
    caution,
    drawn_text,
    figure_text,
    left_out_notes,
    sample_cells,
    sample_document,
)
from ave_score.tasks.swap import Swapped, SwapStudy

SCHEMA = "ave-score/swap/1"

_FIRST_BIN = "the first bin of differences for which"
_ALL_BINS = "the smallest difference from which on"
_LEGEND = (
    "Required: {} two samples contradict each other in at most {} % of comparisons. Relative: as a "
    "percentage of the highest score. Sensitivity: percentage of comparisons that reach it."
)


def swap_report(study: SwapStudy, digits: int | None = None) -> Report:
    """Return the report of required differences."""
    shown = DIGITS if digits is None else digits
    return Report(
        lambda: _tables(study, shown),
        lambda: _document(study),
        lambda: _records(study.measures),
    )


def _tables(study: SwapStudy, digits: int) -> list[ReportTable]:
    """Return the table of all measures, and a table of bins for each."""
    found, agreement = study.measures, study.agreement
    summary = ReportTable(
        f"Difference required at {to_number(100 * agreement.level)} %, "
        f"{study.repetitions:,} pairs of samples",
        ["Measure", "Sample size", "Required", "Highest", "Relative, %", "Sensitivity, %"],
        [_summary(one, agreement, digits) for one in found],
        align="llrrrr",
        notes=[_legend(agreement), *_contradictions(found, agreement), *caution(study)],
    )
    tables = [summary, *(_bins(one, digits) for one in found)]
    return with_notes(tables, study.notes, study.signature)


def _legend(agreement: Agreement) -> str:
    which = _ALL_BINS if agreement.in_all_bins else _FIRST_BIN
    return _LEGEND.format(which, to_number(100 - 100 * agreement.level))


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
        drawn_text(one.sampled),
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
        notes=left_out_notes(swaps.undefined, one.sampled),
    )


def _span(number: int) -> str:
    """Return the range of a bin: the lower end is in it, the upper end is not."""
    last = "and more" if number == BINS - 1 else f"to {fixed((number + 1) * WIDTH, 2)}"
    return f"{fixed(number * WIDTH, 2)} {last}"


def _records(found: Sequence[Swapped]) -> Records:
    """Return every bin of every measure; rates are shares in 0..1."""
    rows = [
        [*sample_cells(one.sampled), *_bin(one.swaps, number).values()]
        for one in found
        for number in range(BINS)
    ]
    return Records([*SAMPLE, "difference", "comparisons", "swaps", "error_rate"], rows)


def _document(study: SwapStudy) -> dict[str, object]:
    found, agreement = study.measures, study.agreement
    return {
        "schema": SCHEMA,
        "signature": study.signature,
        "runs": list(study.runs),
        "repetitions": study.repetitions,
        "seed": study.seed,
        **noted(study.notes),
        "level": agreement.level,
        "in_all_bins": agreement.in_all_bins,
        "measures": [
            {
                **sample_document(one.sampled),
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
