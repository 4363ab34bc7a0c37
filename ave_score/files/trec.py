"""Runs of TREC, which rank documents, and what they share with `qrels`.

Runs have lines `topic Q0 doc rank score tag`, or are tables of q_id, a_id and score. `Q0`, `rank`
and `tag` are not used, as in trec_eval, which ranks documents by their scores; `--ties rank` asks
for the ranks.
"""

from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, count, groupby
from math import isnan, nan
from operator import itemgetter
from typing import NamedTuple

from ave_score import rules
from ave_score.core.choices import MISSING_CHOICES
from ave_score.core.errors import for_one_file
from ave_score.core.findings import Findings
from ave_score.core.kinds import KINDS, FileKind
from ave_score.core.model import AnswerIndex, Collection, Run, Verdict
from ave_score.core.policies import Policies
from ave_score.core.text import quantity
from ave_score.files.contents import Checking, Contents
from ave_score.files.layout import Layout
from ave_score.files.lines import Block, LineReader
from ave_score.files.positions import add_field_count, field_columns, locate
from ave_score.files.sniff import begins_as_table
from ave_score.files.source import Source
from ave_score.files.table import Table
from ave_score.rules import Rule

_TABLE = Layout("a TREC run", ("q_id", "a_id", "score"), ())

_NAMED = 5
"""Topics that a finding names."""

_LARGEST = (2 - 2**-23) * 2.0**127
"""The largest number of single precision."""

_FIELD = {
    rules.TOPIC_WITHOUT_QRELS: "0",
    rules.TOO_MANY_DOCUMENTS: "0",
    rules.DOCUMENT_OUTSIDE: "2",
    rules.ANOTHER_COLLECTION: "0",
    rules.ANSWER_REPEATED: "2",
    rules.ANSWER_CONFLICT: "2",
    rules.RANKS_CONTRADICT_SCORES: "3",
    rules.GRADE_UNUSABLE: "3",
    rules.SCORE_NOT_A_NUMBER: "4",
    rules.SEVERAL_TAGS: "5",
}
"""The number of the field that a finding is about."""

_COLUMNS = {"0": "q_id", "2": "a_id", "3": "score", "4": "score"}
"""The columns of these fields in a table, which has no ranks."""

_WHOLE = re.compile(r"[+-]?[0-9]{1,15}")
"""What is a rank: a whole number that a double holds."""

Documents = Mapping[str, dict[str, tuple[float, int, str]]]
"""Topic -> document -> its grade or score, its line, and its fourth field."""


@for_one_file
def check_trec_run(
    source: Source, qrels: Collection | None, name: str | None = None, missing: str = "error"
) -> tuple[Run | None, list[Findings]]:
    """Read a run; return it with the documents of the qrels and its own, and with its findings.

    It is None if a finding prevents scoring. Documents that it does not retrieve have no verdict.
    Without qrels, it has only its own. `missing` is a choice of `Policies.missing`: topics without
    results are left out, or the run has nothing of them.
    """
    Policies.missing.check(missing)
    leaves_out = MISSING_CHOICES[missing].is_left_out
    findings = Findings(source.path)
    tags: dict[str, int] = {}
    of_score = _score, rules.SCORE_NOT_A_NUMBER
    results = documents_of(source, findings, FileKind.TREC_RUN, *of_score, tags)
    if qrels is None:
        judged: dict[str, list[str]] = {topic: [] for topic in results}
        findings.skip("topics without qrels or results (AVE210, AVE211): no qrels were given")
    else:
        index = qrels.index
        spans = zip(index.questions, index.spans, strict=True)
        judged = {topic: index.a_ids[span] for topic, span in spans}
        if results:
            _compare_topics(results, judged, findings, missing)
    _compare_ranks(results, findings)
    _compare_tags(tags, findings)
    locate_fields(source, findings)
    if findings.errors:
        return None, [findings]
    merged = {
        topic: dict.fromkeys(docs) | results.get(topic, {})
        for topic, docs in judged.items()
        if topic in results or not leaves_out
    }
    rows = [*chain.from_iterable(of_topic.values() for of_topic in merged.values())]
    run = Run(
        name or source.name,
        source.path,
        AnswerIndex.of(merged),
        bytes(Verdict.VALIDATED if row else Verdict.MISSING for row in rows),
        array("d", (row[0] if row else 0.0 for row in rows)),
        array("Q", (row[1] if row else 0 for row in rows)),
        missing if leaves_out else Policies.missing.default,
        array("d", (_rank(row[2]) if row else nan for row in rows)),
    )
    return run, [findings]


@lru_cache(2**14)
def _rank(word: str) -> float:
    """Return a rank, NaN if it is no whole number."""
    return float(word) if _WHOLE.fullmatch(word) else nan


def locate_fields(source: Source, findings: Findings) -> None:
    """Add columns and quoted lines to findings about fields."""
    if not begins_as_table(source):
        locate(source, findings, _FIELD, lambda line, number: field_columns(line, int(number)))
        return
    table = Table(source, Findings(source.path), _TABLE)
    next(table.records(), None)  # which has the names of the columns
    locate(source, findings, _FIELD, lambda line, at: table.cell_columns(line, _COLUMNS[at]))


def _compare_topics(
    results: Documents, judged: Mapping[str, Sequence[str]], findings: Findings, missing: str
) -> None:
    """Report topics that only the run or only the qrels have; an error if none is in both."""
    unjudged = [topic for topic in results if topic not in judged]
    first = [(topic, *next(iter(results[topic].items()))) for topic in unjudged]
    if first and len(unjudged) == len(results):
        topic, doc, (_, line, _) = first[0]
        size, unknown = (f"{sum(map(len, one.values())):,}" for one in (judged, results))
        facts = {"named": "0", "size": size, "unknown": unknown, "hint": ""}
        findings.add(rules.ANOTHER_COLLECTION, line, q_id=topic, a_id=doc, **facts)
        return
    for topic, _, (_, line, _) in first:
        size = quantity(len(results[topic]), "document")
        findings.add(rules.TOPIC_WITHOUT_QRELS, line, q_id=topic, documents=size)
    if without := [topic for topic in judged if topic not in results]:
        names = ", ".join(without[:_NAMED]) + ", ..." * (len(without) > _NAMED)
        facts = {"number": f"{len(without):,}", "size": quantity(len(judged), "topic")}
        of_topics = MISSING_CHOICES[missing].of_topics or rules.TOPICS_WITHOUT_RESULTS
        findings.add(of_topics, topics=names, **facts)


def _compare_ranks(results: Documents, findings: Findings) -> None:
    """Warn of ranks that contradict scores, and of ranks beside scores that are all equal."""
    wrong: list[tuple[str, _RankedLine, _RankedLine]] = []
    unlike, are_equal = 0, True
    for topic, docs in results.items():
        scores, lines, words = zip(*docs.values(), strict=True)
        ranks = [*map(_rank, words)]
        unlike += len({rank for rank in ranks if not isnan(rank)}) > 1
        are_equal = are_equal and len({*array("f", (min(scores), max(scores)))}) == 1
        if sorted(scores, reverse=True) == [*scores] and sorted(ranks) == ranks:
            continue  # as nearly all files are
        pair = _contradiction([*map(_RankedLine, ranks, scores, lines)])
        if pair is not None:
            wrong.append((topic, *pair))
    size = quantity(len(results), "topic")
    if wrong:
        topic, above, below = wrong[0]
        facts = {
            "number": f"{len(wrong):,}",
            "size": size,
            "q_id": topic,
            "rank": f"{below.rank:g}",
        }
        found, other = f"{below.score:g}", f"{above.score:g}"
        findings.add(rules.RANKS_CONTRADICT_SCORES, below.line, found=found, other=other, **facts)
    elif unlike and are_equal:
        findings.add(rules.EQUAL_SCORES, number=f"{unlike:,}", size=size)


def _compare_tags(tags: Mapping[str, int], findings: Findings) -> None:
    """Warn of a second tag: the file may have the results of several runs."""
    if len(tags) > 1:
        (first, _), (found, line), *_ = sorted(tags.items(), key=itemgetter(1))
        facts = {"found": found, "first": first, "number": f"{len(tags):,}"}
        findings.add(rules.SEVERAL_TAGS, line, **facts)


class _RankedLine(NamedTuple):
    """The numbers of a line."""

    rank: float
    score: float
    line: int


def _contradiction(rows: list[_RankedLine]) -> tuple[_RankedLine, _RankedLine] | None:
    """Return two lines, the second of which has the greater rank and the higher score."""
    if any(isnan(row.rank) for row in rows):
        return None
    lowest: _RankedLine | None = None
    for _, equal in groupby(sorted(rows, key=itemgetter(0)), key=itemgetter(0)):
        of_rank = [*equal]
        best = max(of_rank, key=itemgetter(1))
        if lowest is not None and best.score > lowest.score:
            return lowest, best
        lowest = min([*([lowest] if lowest else []), *of_rank], key=itemgetter(1))
    return None


def documents_of(
    source: Source,
    findings: Findings,
    kind: FileKind,
    number_of: Callable[[str], float | None],
    rule: Rule,
    tags: dict[str, int] | None = None,
) -> Documents:
    """Return the documents of each topic; `rule` reports a word that is no number.

    `tags` gets the first line of each last field. What is beyond limits of the source is reported.
    """
    topics: dict[str, dict[str, tuple[float, int, str]]] = {}
    fields, at = KINDS[kind].fields, int(_FIELD[rule])
    if begins_as_table(source):
        rows = _rows_of_table(Table(source, findings, _TABLE._replace(kind=KINDS[kind].called)))
    else:
        blocks = LineReader(source, findings, KINDS[kind].called).blocks()
        rows = chain.from_iterable(_rows(block, fields, at, findings, tags) for block in blocks)
    for line, topic, doc, fourth, word in rows:
        number = number_of(word)
        if number is None:
            findings.add(rule, line, found=word)
            continue
        of_topic = topics.setdefault(topic, {})
        if doc in of_topic:
            other, first, _ = of_topic[doc]
            repeated = rules.ANSWER_REPEATED if other == number else rules.ANSWER_CONFLICT
            findings.add(repeated, line, q_id=topic, a_id=doc, first=first)
        else:
            of_topic[sys.intern(doc)] = number, line, sys.intern(fourth)
    if not topics and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected="documents in it")
    if source.limits is not None:
        lines = ({doc: row[1] for doc, row in docs.items()} for docs in topics.values())
        source.limits.compare(zip(topics, lines, strict=True), findings)
    return topics


def _rows_of_table(table: Table) -> Iterator[tuple[int, str, str, str, str]]:
    """Yield what `_rows` returns, of a table that has the column of each field but the fourth."""
    names = table.layout.needed
    for row in table.rows():
        ids = all([*map(row.filled, names), *map(row.has_usable_id, names[:2])])
        if ids:
            topic, doc, word = map(row.value.__getitem__, names)
            yield row.number, topic, doc, "", word


def _rows(
    block: Block,
    fields: Sequence[str],
    at: int,
    findings: Findings,
    tags: dict[str, int] | None,
) -> Iterable[tuple[int, str, str, str, str]]:
    """Return the number of each line that has all fields, and four of them: 0, 2, 3 and `at`."""
    columns, width, taken = block.columns(len(fields)), len(fields), (0, 2, 3, at)
    if columns is not None:
        if tags is not None:
            for tag in {*columns[-1]}:
                tags.setdefault(tag, block.first + columns[-1].index(tag))
        return zip(count(block.first), *map(columns.__getitem__, taken), strict=False)
    rows = []
    for line, text, row in block.rows():
        if len(row) == width and line not in block.bad:
            rows.append((line, row[0], row[2], row[3], row[at]))
            if tags is not None:
                tags.setdefault(row[-1], line)
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


def examine(
    source: Source, collection: Collection | None, _: str, missing: str, name: str | None
) -> Checking:
    """Check a run, optionally against qrels."""
    return check_trec_run(source, collection, name, missing)


def contents(run: Run) -> Contents:
    """Describe a run in numbers."""
    retrieved = run.index.count(run.verdicts, Verdict.VALIDATED)
    return {"questions": sum(map(bool, retrieved)), "answers": sum(retrieved)}
