"""The scores of runs as data: a document with every count, and a row of CSV for each run."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ave_score.core.choices import MISSING_CHOICES
from ave_score.core.exact import spread, to_number
from ave_score.core.labels import LABELS
from ave_score.core.parts import Extent
from ave_score.counts import ANSWERING, FAMILIES, QUESTIONS, SELECTION, VALIDATION
from ave_score.counts.counted import Kind
from ave_score.reports.data import (
    ABSENT,
    BOOLEAN,
    COUNT,
    NOT_SCORED,
    NUMBER,
    POSITIVE,
    SIGNATURE,
    TEXT,
    WHOLE,
    ResultDocument,
    entry,
    list_of,
    mapping,
    one_of,
    shared,
)
from ave_score.reports.intervals import columns_of_ends, interval_keys
from ave_score.reports.report import Records
from ave_score.reports.score_notes import excluded_notes, primary_notes, whole_of
from ave_score.reports.ties import ties_notes_of
from ave_score.tasks.scores import Row, Scores

_DECIDED = (VALIDATION, SELECTION, ANSWERING, QUESTIONS)
"""Families with columns in every file of decisions, whatever is requested."""

SHA256 = shared("sha256")

COLLECTION = {
    "path": TEXT("The file as it was named."),
    "sha256": SHA256("The hash of its bytes; of a compressed file, of the uncompressed bytes."),
    "questions": WHOLE.or_null("The number of questions."),
    "answers": WHOLE.or_null("The number of answers."),
    **{word.lower(): WHOLE.or_null(f"Answers labelled {word} in the file.") for word in LABELS},
    "questions_with_correct": WHOLE.or_null("Questions with an answer that counts as correct."),
    "is_pairs": BOOLEAN(
        "Whether the answers are text-hypothesis pairs (AVE 2006), which belong to no question."
    ),
    "languages": list_of(TEXT)("The languages that the file declares."),
    "available": WHOLE.or_null(
        "The number of answers before the collection was built from them, if the file has it."
    ),
}
"""The keys of a `CollectionSummary`, without those of its key file."""

_KEY = {
    "path": TEXT("The key file as it was named.", "key_path"),
    "sha256": SHA256("The hash of its bytes.", "key_sha256"),
}

SPREAD_COLUMNS = ("{}_sd", "{}_lowest", "{}_highest")
"""The columns of the spread of a measure over the runs of a system."""

_EXTENT = {
    "questions": COUNT("The number of questions."),
    "answers": COUNT("The number of answers."),
}

ENTRANT = {
    "team": TEXT.or_null("The team of the run; null if it has none."),
}
"""What is said of a run beside its figures, in scores and comparisons."""

_ROW = {
    "run": TEXT("The name of the run, the QA system or the baseline."),
    **ENTRANT,
    "kind": one_of(*Kind)(
        "`AV` is a run of answer validation, `TREC` a run that ranks documents, `responses` one "
        "that answers open questions, `QA` a judged question answering system. Without a rank are "
        "`reference`, a run of the organiser (`--reference`), and `baseline`."
    ),
    "counts": entry(
        {
            name: NUMBER.or_null.optional(meaning)
            for family in FAMILIES.values()
            for name, meaning in family.counts.meanings().items()
        }
    )(
        "The counts that apply to this kind of row. Those of baselines are expected values and may "
        "be fractions.",
        lambda row, _: _counts(row),
    ),
    "measures": shared("measures")(get="values"),
    **interval_keys(),
    "stderr": mapping(NUMBER).optional.in_columns("{}_stderr")(
        "The standard error of each measure that is computed from counts of questions, with "
        "`--ci`: of a mean over questions, their standard deviation (n - 1) by the "
        "root of n; of other ratios, linearised. With `--cluster` it is clustered.",
        lambda row, _: row.stderr or ABSENT,
    ),
    "due_to_epochs": mapping(NUMBER).optional.in_columns()(
        "The share of each squared standard error that is due to differences between replicates of "
        "the same question, where there are several.",
        lambda row, _: row.due_to_epochs or ABSENT,
    ),
    "runs": POSITIVE.optional(
        "The number of runs of the system, with `--replicates`: `counts` and `measures` are means "
        "of those of the runs, so that c@1 or F need not follow from the counts.",
        lambda row, _: row.runs or ABSENT,
    ),
    "spread": mapping(shared("spread")).optional.in_columns(*SPREAD_COLUMNS)(
        "How the runs of the system differ in each measure.",
        lambda row, _: {key: figures_of(run) for key, run in row.of_runs.items()} or ABSENT,
    ),
    "not_applicable": shared("reasons").in_columns()(
        "The measures that do not apply to this row, each with the reason; empty for baselines.",
        lambda row, _: {} if row.kind is Kind.BASELINE else row.reasons,
    ),
    "note": TEXT.optional(
        "What tables say beside the name: that it is the same as another run or, "
        "in campaigns, when it came and what the limit was.",
        lambda row, _: str(row.remark) if row.remark else ABSENT,
    ),
    "ranked": BOOLEAN.optional(
        "Whether the run is ranked: one beyond a limit may be listed apart, and one that the "
        "organisers name. Stands beside `note`.",
        lambda row, _: row.is_ranked if row.remark else ABSENT,
    ),
    "primary": BOOLEAN.optional(
        "Whether the run is one that counts, with `--primary` or a column `primary` of `--teams`.",
        lambda row, _: ABSENT if row.is_primary is None else row.is_primary,
    ),
    "scored_on": entry(_EXTENT).optional.in_columns("scored_{}")(
        "What the row is scored on, with `--missing excluded`.",
        lambda row, scores: (row.extent or whole_of(scores)) if _leaves_out(scores) else ABSENT,
    ),
}

DOCUMENT = ResultDocument(
    "scores",
    "Scores",
    "The scores of runs. `ave-score score` and `ave-score campaign` write it.",
    {
        "signature": SIGNATURE,
        "collection": entry(
            COLLECTION
            | {
                "key": entry(_KEY).optional(
                    "The key, with `--key`.",
                    lambda facts, _: ABSENT if facts.key_path is None else facts,
                )
            }
        )("The collection. Labels are counted regardless of `--unknown`."),
        "runs": list_of(entry(_ROW))(
            "Runs in the given order, QA systems in the order of their file, then baselines.",
            "rows",
        ),
        "not_scored": NOT_SCORED,
        "notes": list_of(TEXT)(
            "Sentences about the figures: whether another ranking of equal confidences (`--ties`) "
            "would change them, with `--missing excluded` which runs are scored on fewer answers, "
            "with `--primary` which teams have no primary run, or several, and of logs how their "
            "answers count.",
            lambda scores, _: [
                *scores.collection.notes,
                *primary_notes(scores.rows),
                *excluded_notes(scores, scores.rows),
                *ties_notes_of(scores, scores.rows, scores.measures),
            ],
        ),
    },
)


def _leaves_out(scores: Scores) -> bool:
    return MISSING_CHOICES[scores.policies.missing].is_left_out


def figures_of(of_runs: Sequence[Fraction | None]) -> list[float | None]:
    """Return the spread of the runs of a system as numbers."""
    return [None if figure is None else float(figure) for figure in spread(of_runs)]


def _counts(row: Row) -> dict[str, int | float | None]:
    return {
        name: to_number(value)
        for counts in row.counts.values()
        for name, value in counts.numbers().items()
    }


def score_records(scores: Scores, digits: int | None) -> Records:
    """Return a row for each run, with its counts and measures; ratios are never percentages."""
    standard = scores.collection.standard
    always = [family for family in _DECIDED if family.has_values(standard)]
    decided = any(row.counts.keys() & {*_DECIDED} for row in scores.rows)
    measured = [measure.family for measure in scores.measures]
    families = dict.fromkeys([*(always if decided else ()), *measured])
    names = [name for family in families for name in family.counts.meanings()]
    keys = [measure.key for measure in scores.measures]
    ends = columns_of_ends(keys) if scores.policies.intervals else []
    has_errors = scores.policies.intervals or scores.with_errors
    ends += [f"{key}_stderr" for key in keys] if has_errors else []
    scored_on = [f"scored_{name}" for name in Extent._fields] if _leaves_out(scores) else []
    notes = ["note", "primary"]  # also if no row has any: columns do not depend on the data
    runs = ["runs"] if any(row.runs for row in scores.rows) else []  # all have, or none has
    runs += [column.format(key) for key in keys for column in SPREAD_COLUMNS if runs]
    columns = ["run", *ENTRANT, "kind", *names, *keys, *ends, *runs, *scored_on, *notes]
    return DOCUMENT.records(scores, "runs", columns, digits)
