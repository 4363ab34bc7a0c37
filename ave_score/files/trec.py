"""Runs of TREC, which rank documents, and what they share with `qrels`.

Runs have lines `topic Q0 doc rank score tag`. `rank` and `tag` are not used, as in trec_eval, which
ranks documents by their scores in single precision.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, count

from ave_score import rules
from ave_score.core.errors import for_one_file
from ave_score.core.findings import Findings
from ave_score.core.kinds import KINDS, FileKind
from ave_score.core.model import AnswerIndex, Collection, QARun, Run, Verdict
from ave_score.core.text import counted
from ave_score.files.contents import Contents, Examined, examined
from ave_score.files.lines import Block, LineReader
from ave_score.files.positions import add_field_count, field_columns, locate
from ave_score.files.source import Source
from ave_score.rules import Rule

_NAMED = 5
"""Topics that a finding names."""

_LARGEST = (2 - 2**-23) * 2.0**127
"""The largest number of single precision."""

_FIELD = {
    rules.TOPIC_WITHOUT_QRELS: "0",
    rules.ANOTHER_COLLECTION: "0",
    rules.ANSWER_REPEATED: "2",
    rules.ANSWER_CONFLICT: "2",
    rules.GRADE_UNUSABLE: "3",
    rules.SCORE_NOT_A_NUMBER: "4",
}
"""The number of the field that a finding is about."""

Documents = Mapping[str, dict[str, tuple[float, int]]]
"""Topic -> document -> its grade or score, and its line."""


@for_one_file
def check_trec_run(
    source: Source, qrels: Collection | None, name: str | None = None
) -> tuple[Run | None, list[Findings]]:
    """Read a run; return it with the documents of the qrels and its own, and with its findings.

    It is None if a finding prevents scoring. Documents that it does not retrieve have no verdict.
    Without qrels, it has only its own.
    """
    findings = Findings(source.path)
    results = documents_of(source, findings, FileKind.TREC_RUN, _score, rules.SCORE_NOT_A_NUMBER)
    if qrels is None:
        judged: dict[str, list[str]] = {topic: [] for topic in results}
        findings.skip("topics without qrels or results (AVE210, AVE211): no qrels were given")
    else:
        index = qrels.index
        spans = zip(index.questions, index.spans, strict=True)
        judged = {topic: index.a_ids[span] for topic, span in spans}
        if results:
            _compare_topics(results, judged, findings)
    locate_fields(source, findings)
    if findings.errors:
        return None, [findings]
    merged = {topic: dict.fromkeys(docs) | results.get(topic, {}) for topic, docs in judged.items()}
    rows = [*chain.from_iterable(of_topic.values() for of_topic in merged.values())]
    run = Run(
        name or source.name,
        source.path,
        AnswerIndex.of(merged),
        bytes(Verdict.VALIDATED if row else Verdict.MISSING for row in rows),
        array("d", array("f", (row[0] if row else 0.0 for row in rows))),
        array("Q", (row[1] if row else 0 for row in rows)),
    )
    return run, [findings]


def locate_fields(source: Source, findings: Findings) -> None:
    """Add columns and quoted lines to findings about fields."""
    locate(source, findings, _FIELD, lambda line, number: field_columns(line, int(number)))


def _compare_topics(
    results: Documents, judged: Mapping[str, Sequence[str]], findings: Findings
) -> None:
    """Report topics that only the run or only the qrels have; an error if none is in both."""
    unjudged = [topic for topic in results if topic not in judged]
    first = [(topic, *next(iter(results[topic].items()))) for topic in unjudged]
    if first and len(unjudged) == len(results):
        topic, doc, (_, line) = first[0]
        size, unknown = (f"{sum(map(len, of.values())):,}" for of in (judged, results))
        facts = {"named": "0", "size": size, "unknown": unknown, "hint": ""}
        findings.add(rules.ANOTHER_COLLECTION, line, q_id=topic, a_id=doc, **facts)
        return
    for topic, _, (_, line) in first:
        size = counted(len(results[topic]), "document")
        findings.add(rules.TOPIC_WITHOUT_QRELS, line, q_id=topic, documents=size)
    if without := [topic for topic in judged if topic not in results]:
        names = ", ".join(without[:_NAMED]) + ", ..." * (len(without) > _NAMED)
        facts = {"number": f"{len(without):,}", "size": counted(len(judged), "topic")}
        findings.add(rules.TOPICS_WITHOUT_RESULTS, topics=names, **facts)


def documents_of(
    source: Source,
    findings: Findings,
    kind: FileKind,
    number_of: Callable[[str], float | None],
    rule: Rule,
) -> Documents:
    """Return the documents of each topic; `rule` reports a word that is no number."""
    topics: dict[str, dict[str, tuple[float, int]]] = {}
    fields, at = KINDS[kind].fields, int(_FIELD[rule])
    for block in LineReader(source, findings, KINDS[kind].called).blocks():
        for line, topic, doc, word in _rows(block, fields, at, findings):
            number = number_of(word)
            if number is None:
                findings.add(rule, line, found=word)
                continue
            of_topic = topics.setdefault(topic, {})
            if doc in of_topic:
                other, first = of_topic[doc]
                repeated = rules.ANSWER_REPEATED if other == number else rules.ANSWER_CONFLICT
                findings.add(repeated, line, q_id=topic, a_id=doc, first=first)
            else:
                of_topic[sys.intern(doc)] = number, line
    if not topics and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected="documents in it")
    return topics


def _rows(
    block: Block, fields: Sequence[str], at: int, findings: Findings
) -> Iterable[tuple[int, str, str, str]]:
    """Return the number, the topic, the document and a field of each line that has all fields."""
    columns, width = block.columns(len(fields)), len(fields)
    if columns is not None:
        return zip(count(block.first), columns[0], columns[2], columns[at], strict=False)
    rows = []
    for line, text, row in block.rows():
        if len(row) == width and line not in block.bad:
            rows.append((line, row[0], row[2], row[at]))
        elif line not in block.bad:
            where, layout = field_columns(text, width), " ".join(fields)
            add_field_count(findings, line, text, len(row), str(width), where, layout=layout)
    return rows


def _score(word: str) -> float | None:
    """Return a score, None if it is not a finite number."""
    try:
        score = float(word)
    except ValueError:
        return None
    return score if -_LARGEST <= score <= _LARGEST and "_" not in word else None


def examine(source: Source, collection: Collection | None, *_: str) -> Examined:
    """Check a run, optionally against qrels."""
    return examined(check_trec_run(source, collection), _contents)


def submitted(
    source: Source, collection: Collection, _: str, __: str, name: str | None
) -> tuple[list[Run | QARun] | None, list[Findings]]:
    """Read a run."""
    run, findings = check_trec_run(source, collection, name)
    return (None if run is None else [run]), findings


def _contents(run: Run) -> Contents:
    retrieved = run.index.count(run.verdicts, Verdict.VALIDATED)
    return {"questions": sum(map(bool, retrieved)), "answers": sum(retrieved)}
