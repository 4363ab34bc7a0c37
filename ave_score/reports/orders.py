"""Orders of runs by two measures, or under two gold standards: how far they agree."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice

from ave_score.core.exact import fixed
from ave_score.core.text import counted
from ave_score.reports.data import (
    COUNT,
    MEASURE,
    RUNS,
    SIGNATURE,
    TEXT,
    VALUE,
    Reporter,
    ResultDocument,
    between,
    entry,
    list_of,
    mapping,
)
from ave_score.reports.report import MOST_PAIRS, ReportTable, figure_text, with_notes
from ave_score.reports.score import cell_text
from ave_score.reports.study import ENOUGH_RUNS
from ave_score.tasks.orders import ComparedOrders, Order, Orders

_ORDER = {
    "measure": MEASURE("The measure that orders the runs.", "measure.key"),
    "collection": TEXT("The path of the collection."),
    "values": mapping(VALUE).in_columns()("The measure of each run; null if undefined."),
}

_COMPARED = {
    "reference": entry(_ORDER, "order")("The first order."),
    "other": entry(_ORDER, "order").in_columns("other_{}")("The second order."),
    "runs": list_of(TEXT)("The runs with a value in both, the best of the reference first."),
    "tau": between(-1, 1).or_null("Kendall's tau-b; null if undefined."),
    "tau_ap": between(-1, 1).or_null("tau-AP; null if undefined."),
    "pairs": COUNT("The number of pairs of these runs."),
    "swapped": list_of(list_of(TEXT, 2))(
        "The pairs in a different order; the better run of the reference is first."
    ),
}

DOCUMENT = ResultDocument(
    "orders",
    "Orders",
    "How far two measures or two gold standards order runs alike: `ave-score orders`. CSV has a "
    "row for each two orders, with the number of swapped pairs.",
    {
        "signature": SIGNATURE,
        "runs": RUNS,
        "notes": list_of(TEXT)(
            "Sentences: with `--missing excluded`, on which questions the runs are scored."
        ),
        "orders": list_of(entry(_COMPARED))("Each two orders.", "compared"),
    },
)

_TAUS = {"tau": "Kendall's tau-b", "tau_ap": "tau-AP"}

_LEGEND = (
    "1: the same order, -1: the reverse. Tau-AP weighs swaps by the ranks in the other order, most "
    "at the top, and takes the mean over all orders of equal values. Swapped: pairs of runs in a "
    "different order, ties left out; ave-score compare tests whether two runs differ."
)


def _tables(orders: Orders, digits: int) -> list[ReportTable]:
    tables = [_taus(orders, digits)]
    if any(compared.swapped for compared in orders.compared):
        tables.append(_swapped(orders, digits))
    notes = [*orders.notes, *_few(orders), *_undefined(orders)]
    return with_notes(tables, notes, orders.signature)


def _is_of_golds(orders: Orders) -> bool:
    """Tell whether a measure is compared with itself, under another gold standard."""
    first = orders.compared[0]
    return first.reference.measure == first.other.measure


def _titles(orders: Orders, compared: ComparedOrders) -> list[str]:
    measures = [compared.reference.measure.title]
    return measures if _is_of_golds(orders) else [*measures, compared.other.measure.title]


def _heads(orders: Orders) -> list[str]:
    return ["Measure"] if _is_of_golds(orders) else ["Reference", "Other"]


def _taus(orders: Orders, digits: int) -> ReportTable:
    golds = ""
    if _is_of_golds(orders):
        first = orders.compared[0]
        golds = f" under {first.reference.collection} (reference) and {first.other.collection}"
    heads = _heads(orders)
    return ReportTable(
        f"Orders of {counted(len(orders.runs), 'run')}{golds}",
        [*heads, *_TAUS.values(), "Swapped"],
        [
            [
                *_titles(orders, compared),
                *(figure_text(getattr(compared, key), digits) for key in _TAUS),
                f"{len(compared.swapped):,} of {compared.pairs:,}",
            ]
            for compared in orders.compared
        ],
        "l" * len(heads) + "rrr",
        keys=len(heads),
        notes=[_LEGEND],
    )


def _swapped(orders: Orders, digits: int) -> ReportTable:
    several = len(orders.compared) > 1
    pairs = ((compared, pair) for compared in orders.compared for pair in compared.swapped)
    total = sum(len(compared.swapped) for compared in orders.compared)
    rows = [
        [
            *pair,
            *(_titles(orders, compared) if several else []),
            *(_values(order, pair, digits) for order in (compared.reference, compared.other)),
        ]
        for compared, pair in islice(pairs, MOST_PAIRS)
    ]
    first = orders.compared[0]
    ends = ["reference", "other"]
    if not several and not _is_of_golds(orders):
        ends = [first.reference.measure.title, first.other.measure.title]
    heads = [*(f"Better by {end}" for end in ends), *(_heads(orders) if several else [])]
    names = len(heads)
    heads += [end[:1].upper() + end[1:] if not several else f"Values, {end}" for end in ends]
    notes = [f"{MOST_PAIRS} of {total:,} swapped pairs; json has all."] * (total > MOST_PAIRS)
    return ReportTable("Swapped pairs", heads, rows, "l" * names + "rr", keys=2, notes=notes)


def _values(order: Order, pair: Sequence[str], digits: int) -> str:
    return " and ".join(cell_text(order.values[run], order.measure, digits) for run in pair)


def _few(orders: Orders) -> list[str]:
    """Say how much a swap weighs if there are few runs."""
    fewest = min(orders.compared, key=lambda compared: compared.pairs)
    runs, pairs = len(fewest.runs), fewest.pairs
    if runs >= ENOUGH_RUNS or not pairs:
        return []
    return [
        f"{runs} runs make only {counted(pairs, 'pair')}: a swap changes tau by "
        f"{fixed(Fraction(2, pairs), 2)} or more."
    ]


def _undefined(orders: Orders) -> list[str]:
    """Name the runs that are not in an order."""
    notes: dict[str, None] = {}
    for order in (order for compared in orders.compared for order in compared[:2]):
        without = [run for run in orders.runs if order.values[run] is None]
        if without:
            names = ", ".join(without)
            notes[f"Left out where {order.measure.title} is undefined: {names}."] = None
    return [*notes]


_COLUMNS = (
    *("measure", "collection", "other_measure", "other_collection"),
    *("runs", *_TAUS, "swapped", "pairs"),
)

orders_report = Reporter(
    DOCUMENT, _tables, lambda orders, digits: DOCUMENT.records(orders, "orders", _COLUMNS, digits)
)
