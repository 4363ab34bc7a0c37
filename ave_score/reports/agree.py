"""Agreement of runs: all of them, with gold labels, and pair by pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ave_score.core.choices import MISSING_CHOICES
from ave_score.core.text import brief, quantity
from ave_score.inference.agree import ALPHA, FLEISS, PAIR_MEASURES
from ave_score.reports.cells import measured_column
from ave_score.reports.data import (
    BOOLEAN,
    COUNT,
    SIGNATURE,
    TEXT,
    VALUE,
    Reporter,
    ResultDocument,
    entry,
    list_of,
    one_of,
)
from ave_score.reports.intervals import columns_of_ends, interval_keys
from ave_score.reports.report import (
    MOST_PAIRS,
    Column,
    Records,
    ReportTable,
    name_column,
    table_of,
    with_notes,
)
from ave_score.reports.score_notes import interval_notes
from ave_score.tasks.agree import VERDICTS
from ave_score.tasks.agreed import Agreed, PairAgreement, Reliability

_LEGEND = (
    "Agreement: {noun}s judged alike. Kappa: agreement beyond chance, as a share of what is "
    "possible beyond chance. Overlap: {noun}s accepted by both, of those accepted by either."
)
_SELECTED = "Same selected: questions with the same selected answer, of those where either has one."
_ALPHA = (
    "Krippendorff's alpha (nominal): 1 - observed / expected disagreement; {noun}s with one "
    "judgement are left out. Fleiss' kappa needs all judgements."
)
_VERDICTS = {
    ("two", False): "An answer is accepted (VALIDATED or SELECTED) or rejected.",
    ("pairs", False): "A pair is accepted (YES) or rejected (NO).",
    ("three", False): "Judgements are REJECTED, VALIDATED or SELECTED.",
    ("two", True): "An answer is accepted (right) or not (wrong or withheld).",
    ("three", True): "An answer is right, wrong or withheld.",
}
"""What verdicts are, and whether judges are graders of logs -> the sentence that says so."""


_JUDGE = {
    "name": TEXT("The name of the run, or the path of the collection."),
    "missing": COUNT("Answers without a verdict."),
    "unknown": COUNT("Labels UNKNOWN."),
    "is_labels": BOOLEAN("Whether these are the labels of `--collection`."),
}

_OF_ALL = {
    "alpha": VALUE("Krippendorff's alpha."),
    "fleiss_kappa": VALUE.optional("Fleiss' kappa; only if no judgement is missing."),
}

_OVERALL = {
    "judges": list_of(TEXT)(
        "The names of the judges.", lambda row, _: [judge.name for judge in row.judges]
    ),
    "answers": COUNT("Answers with two judgements or more."),
    "measures": entry(_OF_ALL)("The measures; null if undefined.", "figures.values"),
    **interval_keys("figures."),
}

_OF_PAIR = {
    "agreement": VALUE("The share of answers with the same verdict."),
    "kappa": VALUE("Cohen's kappa."),
    "overlap": VALUE("The share of answers that both accept among those that either accepts."),
    "same_selected": VALUE.optional(
        "The share of questions with the same selected answer; only of two runs about questions."
    ),
}

_PAIR = {
    "run": TEXT("The first judge.", "one.name"),
    "other": TEXT("The second judge.", "other.name"),
    "answers": COUNT("Answers that both judge."),
    "table": list_of(list_of(COUNT))(
        "Answers that are rejected, validated and selected by `run` (a row each) and by `other` (a "
        "column each). Of logs: wrong, withheld and right; of two verdicts, not right and right."
    ),
    "measures": entry(_OF_PAIR)("The measures; null if undefined.", "figures.values"),
    **interval_keys("figures."),
}

_OF_COLLECTION = "{} in the collection, or in all files together."

DOCUMENT = ResultDocument(
    "agreement",
    "Agreement",
    "How far runs and judges agree: `ave-score agree`. CSV has a row for each pair.",
    {
        "signature": SIGNATURE,
        "verdicts": one_of(*VERDICTS)(
            "Whether SELECTED is a verdict of its own; of logs, whether withheld is."
        ),
        "answers": COUNT(
            _OF_COLLECTION.format("Answers"), lambda agreed, _: len(agreed.collection.index)
        ),
        "questions": COUNT(
            _OF_COLLECTION.format("Questions"),
            lambda agreed, _: len(agreed.collection.index.questions),
        ),
        "judges": list_of(entry(_JUDGE))("The runs, and the labels."),
        "overall": list_of(entry(_OVERALL))(
            "The agreement of all runs, and of all runs and the labels."
        ),
        "pairs": list_of(entry(_PAIR))("The agreement of each two judges."),
    },
)


def _tables(agreed: Agreed, digits: int) -> list[ReportTable]:
    with_labels = [pair for pair in agreed.pairs if pair.other.is_labels]
    runs = [pair for pair in agreed.pairs if not pair.other.is_labels]
    standard = agreed.collection.standard
    tables, head = [_overall(agreed, digits)], f"{standard.noun.capitalize()}s"
    if with_labels:
        title = f"Runs and the labels of {agreed.collection.path}"
        tables.append(_of_pairs(title, with_labels, digits, answers=head))
    if runs:
        differ = {pair.answers for pair in runs} != {len(agreed.collection.index)}
        tables.append(_of_pairs("Pairs of runs", runs, digits, answers=head * differ))
    verdicts = agreed.verdicts if standard.has_questions else standard.name
    said = _LEGEND.format(noun=standard.noun)
    legend = [_VERDICTS[verdicts, agreed.judges[0].is_grader], said]
    has_selections = any(PAIR_MEASURES[-1].key in pair.figures.values for pair in runs)
    legend += [_SELECTED] * has_selections
    notes = [" ".join(legend)]
    notes += [*_missing(agreed), *_interval_notes(agreed)]
    return with_notes(tables, notes, agreed.signature)


def _overall(agreed: Agreed, digits: int) -> ReportTable:
    index, noun = agreed.collection.index, agreed.collection.standard.noun
    what, of = quantity(len(index), index.standard.noun), ""
    if index.standard.has_questions:
        of = f" to {quantity(len(index.questions), index.standard.unit)}"
    columns = [
        name_column("Judges", _named),
        Column(f"{noun.capitalize()}s", lambda row: f"{row.answers:,}"),
        *(measured_column(measure, lambda row: row.figures, digits) for measure in (ALPHA, FLEISS)),
    ]
    notes = [_ALPHA.format(noun=noun)]
    return table_of(f"Agreement on {what}{of}", columns, agreed.overall, notes=notes)


def _named(row: Reliability) -> str:
    runs = quantity(sum(not judge.is_labels for judge in row.judges), "run")
    return f"{runs} and the labels" if row.judges[-1].is_labels else runs


def _of_pairs(
    title: str, pairs: Sequence[PairAgreement], digits: int, *, answers: str
) -> ReportTable:
    """Return the table of pairs of runs, or of runs and the labels.

    `answers` is the head of the numbers of answers, "" without them.
    """
    of_labels = pairs[0].other.is_labels
    shown, notes = pairs, []
    if len(pairs) > MOST_PAIRS and not of_labels:
        half = MOST_PAIRS // 2
        shown = [*pairs[:half], *pairs[-half:]]
        notes.append(
            f"{MOST_PAIRS} of {len(pairs):,} pairs: {half} of the highest and {half} of the lowest "
            "kappa; csv and json have all."
        )
    has = {key for pair in pairs for key in pair.figures.values}
    measures = [measure for measure in PAIR_MEASURES if measure.key in has]
    other = name_column("Other run", lambda pair: pair.other.name, is_key=True)
    columns = [
        name_column("Run", lambda pair: pair.one.name, is_key=True),
        *[other] * (not of_labels),
        *[Column(answers, lambda pair: f"{pair.answers:,}")] * bool(answers),
        *(measured_column(measure, lambda pair: pair.figures, digits) for measure in measures),
    ]
    return table_of(title, columns, shown, notes=notes)


def _missing(agreed: Agreed) -> list[str]:
    """Name the runs that lack answers, and labels that are no judgements."""
    notes = []
    unknown = [f"{judge.name} {judge.unknown:,}" for judge in agreed.judges if judge.unknown]
    if unknown:
        notes.append(f"UNKNOWN labels, which are not judgements: {', '.join(unknown)}.")
    lacking = [f"{judge.name} {judge.missing:,}" for judge in agreed.judges if judge.missing]
    if lacking:
        verdict = MISSING_CHOICES[agreed.policies.missing].verdict
        how = f"counted as {verdict.name}" if verdict else "left out of the pairs of the run"
        notes.append(f"Answers without a verdict, {how}: {brief(lacking)}.")
    return notes


def _interval_notes(agreed: Agreed) -> list[str]:
    policy = agreed.policies.intervals
    if policy is None:
        return []
    titles = {measure.key: measure.title for measure in (ALPHA, FLEISS, *PAIR_MEASURES)}
    rows = [*(row.figures for row in agreed.overall), *(pair.figures for pair in agreed.pairs)]
    used = [(titles[key], interval) for row in rows for key, interval in row.intervals.items()]
    lacking = Counter((why, titles[key]) for row in rows for key, why in row.no_interval.items())
    absent = [
        f"No interval of {title} in {quantity(number, 'row')}: {why}."
        for (why, title), number in lacking.items()
    ]
    return interval_notes(policy, used, absent)


def _records(agreed: Agreed, digits: int | None) -> Records:
    """Return a row for each pair of judges."""
    ends = columns_of_ends(_OF_PAIR) if agreed.policies.intervals else []
    return DOCUMENT.records(agreed, "pairs", ["run", "other", "answers", *_OF_PAIR, *ends], digits)


agree_report = Reporter(DOCUMENT, _tables, _records)
