"""The differences that measures require."""

from __future__ import annotations

from collections.abc import Sequence

from ave_score.core.exact import fixed, to_number
from ave_score.inference.swap import BINS, WIDTH, Agreement, SwapBin
from ave_score.reports.data import (
    AMOUNT,
    COUNT,
    NOTES,
    NUMBER,
    POSITIVE,
    RUNS,
    SEED,
    SHARE,
    SIGNATURE,
    Reporter,
    ResultDocument,
    entry,
    level,
    list_of,
)
from ave_score.reports.report import (
    Column,
    ReportTable,
    figure_text,
    name_column,
    table_of,
    with_notes,
)
from ave_score.reports.study import (
    SAMPLE,
    SAMPLE_KEYS,
    UNDEFINED_COMPARISONS,
    caution,
    drawn_text,
    left_out_notes,
)
from ave_score.tasks.swap import Swapped, SwapStudy

_BIN = {
    "difference": AMOUNT(
        "The lower end of the bin.",
        lambda of_bin, _: float(of_bin.difference),  # a setting, which is not rounded
    ),
    "comparisons": COUNT("Comparisons in the bin."),
    "swaps": COUNT("Comparisons that the second sample contradicts."),
    "error_rate": SHARE("`swaps` / `comparisons`; null if the bin is empty."),
}

_MEASURE = SAMPLE_KEYS | {
    "undefined": COUNT(UNDEFINED_COMPARISONS, "swaps.undefined"),
    "required": AMOUNT.or_null(
        "The lower end of the first bin that reaches `level`; null if none does, or if the runs "
        "never differ.",
        lambda measure, study: measure.swaps.required(study.agreement),
    ),
    "largest": AMOUNT.or_null(
        "The largest difference of two runs in a first sample; null without comparisons.",
        "swaps.largest",
    ),
    "equal": COUNT(
        "Comparisons with equal scores in the first sample. No second sample can contradict them: "
        "they are in the first bin, and `required` ignores them.",
        "swaps.equal",
    ),
    "highest": NUMBER.or_null("The highest score of a run in any sample.", "swaps.highest"),
    "relative": NUMBER.or_null(
        "`required` / `highest`; null if `required` is.",
        lambda measure, study: measure.swaps.relative(study.agreement),
    ),
    "sensitivity": SHARE(
        "The share of comparisons with a difference of at least `required`: 0 if that is null; "
        "null without comparisons.",
        lambda measure, study: measure.swaps.sensitivity(study.agreement),
    ),
    "bins": list_of(entry(_BIN), BINS)("The bins.", "swaps.bins"),
}

DOCUMENT = ResultDocument(
    "swap",
    "Swaps",
    "The differences that a second sample confirms: `ave-score swap`. CSV has a row for each "
    "measure and bin.",
    {
        "signature": SIGNATURE,
        "runs": RUNS,
        "resamples": POSITIVE("The number of pairs of samples."),
        "seed": SEED,
        "notes": NOTES,
        "level": level(
            "The comparisons in per cent that the required difference must decide correctly.",
            lambda study: study.agreement.level,
        ),
        "measures": list_of(entry(_MEASURE))("The measures in the requested order."),
    },
)

_LEGEND = (
    "Required: the first bin of differences for which two samples contradict each other in at most "
    "{} % of comparisons. Relative: as a percentage of the highest score. Sensitivity: percentage "
    "of comparisons that reach it."
)


def _tables(study: SwapStudy, digits: int) -> list[ReportTable]:
    """Return the table of all measures, and a table of bins for each."""
    measures, agreement = study.measures, study.agreement
    columns = [
        name_column("Measure", lambda row: row.sampled.measure.title),
        name_column("Sample size", lambda row: drawn_text(row.sampled)),
        Column("Required", lambda row: figure_text(row.swaps.required(agreement), 2)),
        Column("Highest", lambda row: figure_text(row.swaps.highest, digits)),
        Column("Relative, %", lambda row: figure_text(row.swaps.relative(agreement), digits, 100)),
        Column(
            "Sensitivity, %",
            lambda row: figure_text(row.swaps.sensitivity(agreement), digits, 100),
        ),
    ]
    summary = table_of(
        f"Difference required at {to_number(100 * agreement.share)} %, "
        f"{study.resamples:,} pairs of samples",
        columns,
        measures,
        notes=[_legend(agreement), *_contradictions(measures, agreement), *caution(study)],
    )
    tables = [summary, *(_bins(measure, digits) for measure in measures)]
    return with_notes(tables, study.notes, study.signature)


def _legend(agreement: Agreement) -> str:
    return _LEGEND.format(to_number(100 - 100 * agreement.share))


def _contradictions(measures: Sequence[Swapped], agreement: Agreement) -> list[str]:
    """Name the measures for which a larger difference than the required one is less certain."""
    titles = [
        measure.sampled.measure.title
        for measure in measures
        if measure.swaps.is_contradicted(agreement)
    ]
    if not titles:
        return []
    return [f"A larger difference is less certain for {', '.join(titles)}: see the bins."]


def _bins(measure: Swapped, digits: int) -> ReportTable:
    columns = [
        name_column("Difference", _span),
        Column("Comparisons", lambda row: f"{row.comparisons:,}"),
        Column("Swaps", lambda row: f"{row.swaps:,}"),
        Column("Error rate, %", lambda row: figure_text(row.error_rate, digits, 100)),
    ]
    return table_of(
        f"Swaps of {measure.sampled.measure.title}",
        columns,
        measure.swaps.bins,
        notes=left_out_notes(measure.swaps.undefined, measure.sampled),
    )


def _span(bin_: SwapBin) -> str:
    """Return the range of a bin: the lower end is in it, the upper end is not."""
    end = bin_.difference + WIDTH
    upper = "and more" if end == BINS * WIDTH else f"to {fixed(end, 2)}"
    return f"{fixed(bin_.difference, 2)} {upper}"


swap_report = Reporter(
    DOCUMENT,
    _tables,
    lambda study, digits: DOCUMENT.records(study, "measures.bins", [*SAMPLE, *_BIN], digits),
)
