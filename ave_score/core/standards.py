"""One record per sort of gold standard: its words, measures, policies and options.

Whatever depends on the sort is a field here, which `Collection.standard` and `OpenGold.standard`
give: nobody else asks what is scored against what.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import NamedTuple

from ave_score.core.labels import (
    LABEL_WORDS,
    LABELS,
    PAIR_LABEL_WORDS,
    PAIR_LABELS,
    PAIR_VERDICT_WORDS,
    PAIR_WORDS,
    VERDICT_WORDS,
)


class Defaults(NamedTuple):
    """The measures of what is scored if none are named: those of tables, and those compared.

    The first of both is the same, if it applies to all rows; one that is compared is a mean, which
    some tests need.
    """

    tables: str
    compared: tuple[str, ...]


DEFAULTS = {
    "runs": Defaults("ave2007", ("f1", "qa_accuracy")),
    "systems": Defaults("respubliqa", ("c_at_1", "answering_accuracy")),
    "systems of logs": Defaults("answering_accuracy,n_right,n_wrong", ("answering_accuracy",)),
    "systems of logs with numbers": Defaults("mean_score", ("mean_score",)),
    "systems of logs that withhold": Defaults(
        "answering_accuracy,c_at_1,share_answered,accuracy_given_answered,simpleqa_f,"
        "n_right,n_wrong,n_unanswered",
        ("answering_accuracy", "c_at_1"),
    ),
    "runs and systems": Defaults("ave2007", ("qa_accuracy", "c_at_1")),
    "pairs": Defaults("f1,precision,recall", ("f1", "accuracy")),
    "list": Defaults("mmf1,list", ("mmf1",)),
    "definition": Defaults("definition", ("nugget_f",)),
    "factoid": Defaults("combined", ("factoid_accuracy",)),
    "documents": Defaults(
        "ndcg(gain=linear)@10,map,mrr,precision@10,recall@100", ("ndcg(gain=linear)@10", "map")
    ),
}
"""What is scored -> its measures; of responses, in the order of their tables."""

DATA_MEASURES = "validation,selection,answering"
"""The default measures of data formats: everything that is quick to count."""


class Standard(NamedTuple):
    """A sort of gold standard.

    Attributes
    ----------
    name
        What messages call such gold standards, in the plural.
    submitted
        What is scored against it, likewise.
    heading, task
        What a page calls it, and what is scored.
    kind
        The kind of row of what is scored against it, in JSON and CSV: a value of `Kind`.
    unit
        What is sampled, and has an outcome of its own.
    noun
        What has a label.
    complete
        What a run has that lacks nothing of a unit.
    has_questions
        Whether answers belong to questions; pairs do not.
    has_candidates
        Whether it says which answers are correct, also in a part without any; otherwise, its
        questions are those of judged systems, and only these say what is right.
    has_decisions
        Whether it is decided about answers, by verdicts or by answering.
    ranks_documents
        Whether runs rank documents, also such as nobody judged, by the conventions of trec_eval.
    ordering
        What ranks answers, in the plural.
    is_told_by_notes
        Whether its notes say what it is, and not its numbers.
    ids
        The columns that identify an answer in files.
    label_words, labels, verdict_words, said
        The words of labels in files, and what words mean there; those of verdicts; verdict or
        label -> its word, if files have another.
    words
        What tables and summaries call answers, or labels of answers, if it is something else.
    named_verdicts
        The verdicts of runs, in a sentence.
    equal, equal_systems
        What runs have in common that are the same; and QA systems or responses.
    family
        The attribute of the families of counts that apply; "" if all do.
    why_no_family
        The reason why others do not, as the end of a sentence.
    others_refused
        Why measures of other families are refused; "" if they have no values.
    scored
        What is scored against it: keys of `DEFAULTS`; none if the runs say it.
    data_measures
        The default measures of data formats; "" if they are those of tables.
    policies
        The policies that apply; None: all.
    unsigned
        Those that apply to none of its own systems, so that no signature has them.
    own_policies
        The defaults of policies, if they are others than usually.
    usage
        How a command is called that lacks a run.
    why_no_key
        Why no key labels it, as the end of a sentence; "" if one does.
    refused, refused_by_score
        The options of files that do not apply, and those of `ave-score score`.
    refusal
        What is said of these.
    """

    name: str
    submitted: str = "runs"
    heading: str = "Collection"
    task: str = "Answer validation"
    kind: str = "AV"
    unit: str = "question"
    noun: str = "answer"
    complete: str = "all its answers"
    has_questions: bool = True
    has_candidates: bool = True
    has_decisions: bool = True
    ranks_documents: bool = False
    ordering: str = "confidences"
    is_told_by_notes: bool = False
    ids: tuple[str, ...] = ("q_id", "a_id")
    label_words: Mapping[int, str | None] = LABEL_WORDS
    labels: Mapping[str, int] = LABELS
    verdict_words: Mapping[int, str] = VERDICT_WORDS
    said: Mapping[str, str] = {}
    words: Mapping[str, str] = {}
    named_verdicts: str = "SELECTED, VALIDATED or REJECTED"
    equal: str = "equal verdicts and order of confidences"
    equal_systems: str = "equal outcomes and order of confidences"
    family: str = ""
    why_no_family: str = ""
    others_refused: str = ""
    scored: tuple[str, ...] = ()
    data_measures: str = DATA_MEASURES
    policies: tuple[str, ...] | None = None
    unsigned: tuple[str, ...] = ()
    own_policies: Mapping[str, str] = {}
    usage: str = "COLLECTION RUN..."
    why_no_key: str = ""
    refused: tuple[str, ...] = ()
    refused_by_score: tuple[str, ...] = ()
    refusal: str = "{options}: not available for {name}"

    def refusal_of(self, options: list[str]) -> str:
        """Return the message about options that do not apply."""
        return self.refusal.format(options=", ".join(options), name=self.name)


CANDIDATES = Standard("collections")
"""Questions with candidate answers, about which runs decide."""

PAIRS = Standard(
    "pairs",
    submitted="runs about pairs",
    unit="pair",
    noun="pair",
    words={"answer": "pair"},
    has_questions=False,
    ids=("pair_id",),
    label_words=PAIR_LABEL_WORDS,
    labels=PAIR_LABELS,
    verdict_words=PAIR_VERDICT_WORDS,
    said=PAIR_WORDS,
    named_verdicts="YES or NO",
    family="of_pairs",
    why_no_family="pairs belong to no question, so that nothing is selected or answered",
    scored=("pairs",),
    data_measures="validation",
    why_no_key="has pairs",
    refused=("qa",),
    refused_by_score=("per_question",),
    refusal="{options} needs questions, and pairs have none",
)
"""Text-hypothesis pairs, which belong to no question."""


def of_columns(columns: Container[str]) -> Standard:
    """Return the sort of the gold standard whose answers these columns of a file identify."""
    return PAIRS if PAIRS.ids[0] in columns else CANDIDATES


QRELS = Standard(
    "qrels",
    submitted="TREC runs",
    heading="Qrels",
    task="Document ranking",
    kind="TREC",
    ordering="scores",
    noun="judged document",
    words={"answer": "document", "validated": "correct", "rejected": "not correct"},
    complete="results",
    equal="equal order of documents",
    has_decisions=False,
    ranks_documents=True,
    family="of_documents",
    why_no_family="runs rank documents, and accept none",
    others_refused="qrels have only measures of rankings (ranking), such as AP, nDCG@10, RR, P@5",
    scored=("documents",),
    data_measures="",
    policies=("missing", "ties", "intervals"),
    own_policies={"ties": "trec"},
    why_no_key="is qrels",
    refused=("key", "qa"),
    refused_by_score=("plot", "sweep"),
)
"""Topics with judged documents, beside which runs retrieve others."""

JUDGED = Standard(
    "judged files",
    submitted="QA systems",
    heading="Judged answers",
    task="Question answering",
    kind="QA",
    has_candidates=False,
    data_measures="answering",
)
"""Questions that judged systems answered, without candidates."""

LOGS = JUDGED._replace(
    name="logs",
    heading="Task",
    is_told_by_notes=True,
    scored=("systems of logs",),
    unsigned=("letters",),
)
"""Questions of logs, in which no letters of assessors are."""

SAME_LOGS = "Logs have the same bytes."
"""The note on logs of which some are equal, after the name of their task."""

LOGS_THAT_WITHHOLD = LOGS._replace(scored=("systems of logs that withhold",))
"""The same, some of which are not answered."""

LOGS_WITH_NUMBERS = LOGS._replace(
    name="logs with numbers",
    has_decisions=False,
    family="of_numbers",
    why_no_family="a scorer that gives numbers does not say what is right",
    scored=("systems of logs with numbers",),
    data_measures="",
    policies=("missing", "epochs", "intervals", "logs"),
    refused_by_score=("sweep",),
)
"""The same, whose scorer gives other numbers than 0 and 1; what is refused names it."""

ANSWER_SETS = Standard(
    "answer sets",
    submitted="responses to open questions",
    heading="Answer sets",
    task="Question answering",
    kind="responses",
    equal="equal answers",
    has_decisions=False,
    family="of_responses",
    scored=("list", "definition", "factoid"),
    data_measures="",
    policies=("intervals",),
    usage="ANSWER_SETS RESPONSES...",
    refused=("key", "qa"),
    refused_by_score=("per_question", "plot", "sweep"),
)
"""Open questions, to which systems respond with answers of their own."""

STANDARDS = {one.name: one for one in (CANDIDATES, PAIRS, QRELS, JUDGED, LOGS, ANSWER_SETS)}
"""Name -> record of each sort."""

OF_JUDGES = ("missing", "unknown", "intervals", "logs")
"""The policies that apply to the agreement of judges."""
