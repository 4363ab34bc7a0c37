"""AVE runs: `q_id a_id SELECTED|VALIDATED|REJECTED confidence`, one line per answer.

Runs of AVE 2006 are about text-hypothesis pairs: `pair_id YES|NO` and an optional confidence.
Fields are separated by blanks or tabs; blank lines and lines that start with `#` are skipped.
Blocks of valid lines are split in a few bulk operations; any other block goes through the slower
line-by-line reader, which reports the defects.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ave_score import rules
from ave_score.core.findings import Findings
from ave_score.core.labels import (
    LABELS,
    MEANINGS,
    PAIR_VERDICTS,
    VERDICTS,
    Verdict,
)
from ave_score.core.standards import CANDIDATES, PAIRS, Standard
from ave_score.files.bulk import report_outside, rows_in_bulk
from ave_score.files.decisions import (
    LABEL_WORDS,
    NO_NUMBERS,
    NUMBER,
    are_swapped,
    confidence_of,
    of_pair,
    verdict_of,
)
from ave_score.files.limits import LARGER
from ave_score.files.lines import Block, LineReader
from ave_score.files.placement import unless_empty
from ave_score.files.positions import add_field_count, field_columns, named_columns, separator_hint
from ave_score.files.rows import Rows
from ave_score.files.sniff import sniff
from ave_score.files.source import Source
from ave_score.rules import FileKind, Rule, Safety

if TYPE_CHECKING:
    from ave_score.files.packed import PackedRows


class LineLayout(NamedTuple):
    """The layout of a run: `ids` id fields, a verdict and a confidence.

    The confidence is optional if `least` is less than `most`; if a threshold decides, only the
    verdict is, and a line without one has `undecided`. `verdicts` are the words to read, `words`
    those to write.
    """

    text: str
    ids: int
    verdicts: Mapping[str, int]
    words: Mapping[int, str]
    least: int
    most: int
    is_decided: bool = False
    undecided: Verdict = Verdict.REJECTED

    @property
    def decided(self) -> LineLayout:
        """The layout of a run on which a threshold decides: it needs no verdicts."""
        text = self.text.replace("[confidence]", "confidence")
        ids, verdict, confidence = text.rpartition(f"{'|'.join(self.verdicts)} ")
        text = f"{ids}[{verdict.rstrip()}] {confidence}"
        return self._replace(text=text, least=self.ids + 1, most=self.ids + 2, is_decided=True)


LAYOUTS = {
    CANDIDATES.name: LineLayout(
        *(f"q_id a_id {'|'.join(VERDICTS)} confidence", 2, VERDICTS, CANDIDATES.verdict_words),
        *(4, 4),
    ),
    PAIRS.name: LineLayout(
        *(f"pair_id {'|'.join(PAIR_VERDICTS)} [confidence]", 1, PAIR_VERDICTS),
        *(PAIRS.verdict_words, 2, 3),
    ),
}
"""Runs of AVE 2007 and 2008, and those of AVE 2006, on text-hypothesis pairs."""

_REPAYS = 2 << 20
"""Bytes of runs that repay the import of numpy, which takes about 0.1 seconds."""

_SURE_COLUMNS = frozenset(["q_id", "qid", "question_id", "pair_id"])
_NAMES_COLUMNS = "; --columns says which column is which, e.g. q_id=id,a_id=candidate"
_IS_KEY = "; --kind key checks a file of labels"
_WITHOUT = "; without confidences, write 1 on each line"
UNDECIDED = "; --threshold T decides by confidences alone"
_FIRST_COLUMNS = frozenset(
    ["q_id", "qid", "q", "question", "question_id", "id", "topic", "pair", "pair_id"]
)


class Headers:
    """Recognises header lines: the first row, and its repetitions in concatenated files.

    Elsewhere, only rows whose first field is certainly a column name.

    Attributes
    ----------
    begun
        Whether any row was read.
    """

    def __init__(self) -> None:
        self.begun = False
        self._header: list[str] | None = None

    def has(self, fields: list[str]) -> bool:
        """Tell whether the next row, given as its fields, is a header."""
        if not self.begun and names_columns(fields):
            self._header = fields
        self.begun = True
        return fields == self._header or (
            fields[0].casefold() in _SURE_COLUMNS and names_columns(fields)
        )


def names_columns(fields: list[str]) -> bool:
    """Tell whether a row has no id with a digit, no verdict, no label and no number."""
    words = [word.strip('"') for word in re.split("[,;]", fields[0])] + fields[1:]
    return (
        (len(words) == 4 or words[0].casefold() in _FIRST_COLUMNS)
        and not re.search("[0-9]", "".join(words))
        and (VERDICTS.keys() | LABEL_WORDS).isdisjoint(map(str.upper, words))
        and words[-1].casefold() not in NO_NUMBERS
    )


class RunLine(NamedTuple):
    """A line, its fields, and the findings to add to."""

    number: int
    text: str
    fields: list[str]
    findings: Findings
    layout: LineLayout
    values: Mapping[str, str]

    def decision(self, *, is_header: bool = False) -> tuple[int, float] | None:
        """Return verdict code and confidence, or None if the verdict is unknown.

        The confidence is NaN if it is unknown. Defects are added to the findings.
        """
        layout = self.layout
        if is_header:
            is_table = bool(separator_hint(self.text, len(self.fields)))
            fix, hint = (Safety.NONE, _NAMES_COLUMNS) if is_table else (None, "")
            self.add("q_id", rules.HEADER_LINE, fix, layout=layout.text, hint=hint)
            return None
        if not self.has_right_width:
            self._count_fields()
            return None
        leaves_open = layout.undecided is Verdict.OPEN and self.is_undecided
        if (layout.is_decided and len(self.fields) == layout.least) or leaves_open:
            return layout.undecided, confidence_of(self, self.fields[-1])
        word = self.fields[layout.ids]
        if are_swapped(self, word, self.fields[-1], layout.verdicts):
            return None
        if self.is_undecided and word not in self.values:
            facts = {"found": word, "expected": ", ".join(layout.verdicts)}
            self.add("verdict", rules.UNKNOWN_VERDICT, **facts, hint=UNDECIDED)
            return None
        verdict = verdict_of(self, word, layout.verdicts, self.values)
        confidence = math.nan
        if len(self.fields) == layout.most:
            confidence = confidence_of(self, self.fields[-1])
        return None if verdict is None else (verdict, confidence)

    @property
    def ids(self) -> tuple[str, str]:
        """The ids of question and answer; the question of a pair is ""."""
        return (self.fields[0], self.fields[1]) if self.layout.ids == 2 else ("", self.fields[0])

    @property
    def has_right_width(self) -> bool:
        """Whether the line has as many fields as it should."""
        return self.layout.least <= len(self.fields) <= self.layout.most

    @property
    def is_undecided(self) -> bool:
        """Whether the line has ids and a number, and neither a verdict nor a threshold."""
        *ids, last = self.fields
        has_ids = 1 <= len(ids) <= self.layout.ids and MEANINGS.isdisjoint(map(str.upper, ids))
        return has_ids and not self.layout.is_decided and re.fullmatch(NUMBER, last) is not None

    def add(self, name: str, rule: Rule, fix: Safety | None = None, /, **facts: object) -> None:
        """Add a finding about a field."""
        last = self.layout.most - 1
        if self.layout.is_decided:
            last = min(last, len(self.fields) - 1)
        numbers = {"q_id": 0, "verdict": self.layout.ids, "confidence": last}
        columns = field_columns(self.text, numbers[name])
        self.findings.add(rule, self.number, columns, self.text, fix, **facts)

    def _count_fields(self) -> None:
        hint = ""
        if len(self.fields) == 3 and self.fields[2] in MEANINGS:
            hint = _WITHOUT * (self.fields[2] in VERDICTS) + _IS_KEY * (self.fields[2] in LABELS)
        elif 2 <= len(self.fields) <= 3 and self.fields[1].upper() in PAIR_VERDICTS:
            hint = f"; {' and '.join(PAIR_VERDICTS)} are said of pairs (AVE 2006)"
        elif self.is_undecided:
            hint = UNDECIDED
        least, most = self.layout.least, self.layout.most
        expected = str(most) if least == most else f"{least} or {most}"
        columns = field_columns(self.text, most)  # the first surplus field, or the end of the line
        line, width = (self.findings, self.number, self.text), len(self.fields)
        add_field_count(*line, width, expected, columns, layout=self.layout.text, hint=hint)


_PAIR_LINES = (
    rb"(?i)(?:\xef\xbb\xbf)?(?:[ \t]*(?:#[^\r\n]*)?[\r\n])*"
    rb"(?:pair\S*[ \t][^\r\n]*[\r\n]+)?[ \t]*\S+[ \t]+(?:%b)(?:[ \t]+\S+)?[ \t]*(?:[\r\n]|$)"
)
"""The start of a run of pairs, after comments and an optional header line; with its words."""


def _begins_with_pairs(source: Source) -> bool:
    """Tell whether a run begins as one of pairs, in which the first line has no answer id."""
    named = [word for word, meant in source.naming.values.items() if of_pair(meant)]
    words = "|".join(re.escape(word) for word in (*PAIR_VERDICTS, *named))
    if source.naming.is_decided or source.naming.leaves_open:
        words += rf"|{NUMBER}(?![ \t]+[^ \t\r\n])"  # a pair and its confidence
    return re.match(_PAIR_LINES % words.encode("utf-8", "surrogatepass"), source.head()) is not None


class RunLines:
    """Reads a run of one line per answer.

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
            standard = PAIRS if _begins_with_pairs(source) else CANDIDATES
        self.standard = standard
        layout = LAYOUTS[standard.name]
        self._layout = layout.decided if source.naming.is_decided else layout
        if not standard.has_questions and source.naming.leaves_open:
            self._layout = self._layout._replace(undecided=Verdict.OPEN)

    @staticmethod
    def recognises(source: Source) -> bool:  # noqa: ARG004 - other notations use it
        """Accept every run that no other notation recognises."""
        return True

    def columns(self, line: str, field: str) -> range:
        """Return the columns of a field in a line."""
        if not self.standard.has_questions:
            return field_columns(line, {"verdict": 1, "confidence": 2}.get(field, 0))
        return named_columns(line, field)

    def word(self, verdict: Verdict) -> str:
        """Return how a line says a verdict."""
        return self._layout.words[verdict]

    def line_of(self, q_id: str, a_id: str, verdict: Verdict, confidence: float) -> str:
        """Return a line with a verdict; that of a pair may have no confidence (NaN)."""
        ids = " ".join((q_id, a_id)[-self._layout.ids :])
        line = f"{ids} {self.word(verdict)}"
        return line if math.isnan(confidence) else f"{line} {confidence}"

    def blocks(self) -> Iterator[Rows | PackedRows]:
        """Yield the rows of the run, adding findings about its lines; the codes are verdicts."""
        return unless_empty(self._rows(), self._findings, "answers in it")

    def _rows(self) -> Iterator[Rows | PackedRows]:
        source, findings, layout = self._source, self._findings, self._layout
        reader = LineReader(source, findings, "an AVE run", if_xml=lambda: _hint_of_xml(source))
        headers, values = Headers(), source.naming.values
        is_usual = self.standard.has_questions and VERDICTS.keys().isdisjoint(values)
        pack = _reader_of_plain(source) if is_usual else None
        for data in reader.pieces():
            packed = pack(data, reader.first_line) if pack else None
            if packed is not None:
                reader.skip(len(packed.lines))
                report_outside(findings, packed.lines, packed.outside(), packed.numbers)
                headers.begun = True
                yield packed
                continue
            block = reader.block(data)
            rows = _clean_rows(block, findings) if is_usual else None
            rows = rows or _careful_rows(block, findings, headers, layout, values)
            headers.begun = headers.begun or bool(rows.lines)
            yield rows


class _Read:
    """The bytes of all runs that this process has begun to read."""

    size = 0


def _reader_of_plain(source: Source) -> Callable[[bytes, int], PackedRows | None] | None:
    """Return the reader of plain lines, once the runs read so far repay the import of numpy."""
    _Read.size += source.size
    if _Read.size < _REPAYS and "numpy" not in sys.modules:
        return None
    from ave_score.files.packed import packed_rows

    source.chunk = LARGER
    return packed_rows


def _hint_of_xml(source: Source) -> str:
    """Return the end of a message about XML given as a run."""
    if sniff(source) is FileKind.ANSWERS:
        return "; `check --kind answers` reads the answers of a system"
    is_page = b"<html" in source.head().lower()
    return "" if is_page else rules.SWAPPED


def _clean_rows(block: Block, findings: Findings) -> Rows | None:
    """Split a block in bulk; None if any line may be invalid."""
    columns = block.columns(LAYOUTS[CANDIDATES.name].most)
    if columns is None:
        return None
    lines = range(block.first, block.first + len(columns[0]))
    return rows_in_bulk(findings, lines, *columns)


def _careful_rows(
    block: Block,
    findings: Findings,
    headers: Headers,
    layout: LineLayout,
    values: Mapping[str, str],
) -> Rows:
    """Read a block line by line and report the defects."""
    accepted: list[tuple[int, str, str, int, float]] = []
    unreadable: list[tuple[int, str, str, bool]] = []
    for number, text, fields in block.rows():
        line = RunLine(number, text, fields, findings, layout, values)
        is_header = headers.has(fields)
        bad = number in block.bad
        decision = None if bad else line.decision(is_header=is_header)
        if decision:
            accepted.append((number, *line.ids, *decision))
        elif len(fields) >= layout.ids:
            sure = not bad and line.has_right_width and not is_header
            unreadable.append((number, *line.ids, sure))
    return Rows.of(accepted, unreadable)
