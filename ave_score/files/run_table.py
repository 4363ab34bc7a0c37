"""Runs as tables or JSON Lines: `q_id a_id verdict confidence`, or `pair_id verdict confidence`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from ave_score import rules
from ave_score.core.findings import Findings
from ave_score.core.kinds import IN_RUNS, KINDS, OF_PAIRS
from ave_score.core.labels import Verdict
from ave_score.core.standards import CANDIDATES, PAIRS, Standard, of_columns
from ave_score.core.text import are_plain_ids
from ave_score.files.bulk import rows_in_bulk
from ave_score.files.decisions import NUMBER, are_swapped, confidence_of, verdict_of
from ave_score.files.layout import Layout
from ave_score.files.placement import unless_empty
from ave_score.files.rows import Rows
from ave_score.files.run_lines import LAYOUTS, UNDECIDED
from ave_score.files.sniff import begins_as_table, has_column, own_header, sniff
from ave_score.files.source import Source
from ave_score.files.table import Columns, Table
from ave_score.files.table_row import TableRow
from ave_score.rules import FileKind

_RUN = KINDS[FileKind.RUN]
_SCORES = "; `ave-score decide --columns score=NAME` makes a run of scores"
_TABLES = {
    CANDIDATES.name: Layout(
        *("a run", _RUN.fields, ()),
        quotes_tabs=_RUN.quotes_tabs,
        otherwise=IN_RUNS,
        lacking={_RUN.fields[2:]: _SCORES, _RUN.fields[2:3]: UNDECIDED},
    ),
    PAIRS.name: Layout(
        *("a run of pairs", (*PAIRS.ids, "verdict"), ("confidence",)),
        quotes_tabs=_RUN.quotes_tabs,
        otherwise=OF_PAIRS,
        lacking={("verdict",): UNDECIDED},
    ),
}


class RunTable:
    """Reads a run that is a table.

    Parameters
    ----------
    source, findings
        The file, and the findings to add to.
    standard
        What it is scored against; None detects it.
    """

    def __init__(self, source: Source, findings: Findings, standard: Standard | None) -> None:
        self._source = source
        self._findings = findings
        if standard is None:
            standard = of_columns([name for name in PAIRS.ids if has_column(source, name)])
        self.standard, self._ids = standard, standard.ids
        self._layout = LAYOUTS[standard.name]
        layout = _TABLES[standard.name]
        is_of_pairs = not standard.has_questions
        self._leaves_open = source.naming.leaves_open and is_of_pairs
        lacks_verdicts = self._leaves_open and not has_column(source, "verdict")
        self._is_decided = source.naming.is_decided or lacks_verdicts
        if self._is_decided:
            needed = (*self._ids, "confidence")
            otherwise = {**layout.otherwise, "confidence": "value" if is_of_pairs else "score"}
            otherwise.pop("verdict", None)
            layout = Layout(layout.kind, needed, ("verdict",), otherwise=otherwise)
        self._table = Table(source, findings, layout)

    @staticmethod
    def recognises(source: Source) -> bool:
        """Tell whether a file begins as a table."""
        return begins_as_table(source)

    def columns(self, line: str, field: str) -> range:
        """Return the columns of a field in a line; for pairs, those of the id."""
        first, last = self._ids[0], self._ids[-1]
        return self._table.cell_columns(line, {"q_id": first, "a_id": last}.get(field, field))

    def word(self, verdict: Verdict) -> str:
        """Return how a row says a verdict."""
        return self._layout.words[verdict]

    def line_of(self, q_id: str, a_id: str, verdict: Verdict, confidence: float) -> str:
        """Return a line with a verdict, once the header was read.

        That of a pair may have no confidence (NaN).
        """
        ids = zip(self._ids, (q_id, a_id)[-len(self._ids) :], strict=True)
        value: dict[str, str | float] = {**dict(ids), "verdict": self.word(verdict)}
        if not math.isnan(confidence):
            value["confidence"] = confidence
        return self._table.line_of(value)

    def blocks(self) -> Iterator[Rows]:
        """Yield the rows of the run, adding findings about its lines; the codes are verdicts."""
        findings = self._findings
        kind = sniff(self._source)
        if kind is not FileKind.RUN and not (own_header(self._source) and self._has_decisions):
            hint = rules.SWAPPED if kind is FileKind.COLLECTION else KINDS[kind].no_run
            if kind is FileKind.COLLECTION and has_column(self._source, "confidence"):
                hint = "; if its verdicts are in the column label: --columns verdict=label"
            facts = {"found": KINDS[kind].called, "expected": "a run", "hint": hint}
            findings.add(rules.OTHER_FORMAT, 1, **facts)
            return
        blocks = self._table.blocks(self._ids, self._decision, self._in_bulk)
        yield from unless_empty(blocks, findings, "answers in it")

    @property
    def _has_decisions(self) -> bool:
        return any(has_column(self._source, name) for name in ("verdict", "confidence"))

    def _in_bulk(self, lines: range, columns: Columns) -> Rows | None:
        """Return the rows of columns; None if any may be invalid."""
        if not self.standard.has_questions or self._source.naming.is_decided:
            return None
        q_ids, a_ids, words, numbers = columns.values()
        if not (are_plain_ids(q_ids) and are_plain_ids(a_ids)):
            return None
        return rows_in_bulk(self._findings, lines, q_ids, a_ids, words, numbers)

    def _decision(self, row: TableRow) -> tuple[int, float] | None:
        """Return verdict code and confidence of a row, or None if the verdict is unknown."""
        confidence, verdicts = math.nan, self._layout.verdicts
        is_decided = self._is_decided
        verdict: int | None = None
        word, number = (row.value.get(name) or "" for name in ("verdict", "confidence"))
        if are_swapped(row, word, number, verdicts):
            return None
        if is_decided and not word:
            verdict = Verdict.OPEN if self._leaves_open else Verdict.REJECTED
        elif row.filled("verdict"):
            is_number = re.fullmatch(NUMBER, word) and word not in self._source.naming.values
            if is_number and self._leaves_open and not number:
                return Verdict.OPEN, confidence_of(row, word)
            if is_number and not number:
                facts = {"found": word, "expected": ", ".join(verdicts), "hint": UNDECIDED}
                row.add("verdict", rules.UNKNOWN_VERDICT, **facts)
                return None
            values = self._source.naming.values
            verdict = verdict_of(row, row.value["verdict"], verdicts, values)
        if row.value.get("confidence") or (
            (is_decided or self.standard.has_questions) and row.filled("confidence")
        ):
            confidence = confidence_of(row, row.value["confidence"])
        return None if verdict is None else (verdict, confidence)
