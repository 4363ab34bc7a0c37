"""Compositions of questions, counted by an engine of lazy frames, and the defects that it finds.

Gold is joined to a run by (q_id, a_id), completely, so that one pass finds unknown and missing
answers, too. The joined rows are counted by question, and questions of equal counts by these. What
comes back is small whatever the size of the tables. Only if these counts show a defect, the engine
is asked where it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import narwhals as nw

from ave_score import rules
from ave_score.core.aggregated import AggregatedGold, AggregatedRun
from ave_score.core.choices import MISSING_CHOICES, MissingChoice
from ave_score.core.errors import UsageError
from ave_score.core.findings import Findings
from ave_score.core.labels import LABELS, VERDICTS
from ave_score.core.model import Label, Verdict
from ave_score.core.text import quantity
from ave_score.engine.tables import GOLD, RUN, Engine, engine_errors, table_of
from ave_score.files.naming import Naming
from ave_score.rules import Rule, Safety

Frame: TypeAlias = nw.LazyFrame[Any]

FIRST = 50
"""Defects of a rule that are listed, in the order of their ids."""

_NO_ANSWER, _UNKNOWN = 4, 5
"""Codes beside those of `Label`: a question without answers, and an answer that gold lacks."""

_LABELS = (Label.REJECTED, Label.VALIDATED, Label.UNKNOWN)
_VERDICTS = (Verdict.MISSING, Verdict.REJECTED, Verdict.VALIDATED, Verdict.SELECTED)
CELLS = {f"n{8 * v + label}": 8 * v + label for v in _VERDICTS for label in _LABELS}
"""Column of a count -> the cell that it counts."""

_IDS = ("q_id", "a_id")


def _worded(rule: Rule, message: str) -> Rule:
    """Return a rule with a message without line numbers, which tables of engines do not have."""
    return Rule(rule.code, rule.name, rule.severity, message, rule.help)


_DUPLICATE = _worded(rules.DUPLICATE_ANSWER, "{answer} has {rows:,} rows")
_REPEATED = _worded(rules.ANSWER_REPEATED, "{answer} is repeated: {rows:,} rows")
_CONFLICT = _worded(rules.ANSWER_CONFLICT, "{answer} is repeated: {rows:,} rows that conflict")
_SELECTED = _worded(rules.TWO_SELECTED, "question {q_id!r} has {selected:,} SELECTED answers")
_VERDICT = _worded(
    rules.UNKNOWN_VERDICT, "found {found!r} for {answer}, expected one of {expected}"
)
_LABEL = _worded(rules.UNKNOWN_LABEL, "found {found!r} for {answer}, expected one of {expected}")
_EMPTY = _worded(rules.FIELD_EMPTY, "the q_id or a_id is empty in {rows}")


def count_gold(
    source: object, engine: Engine | None, naming: Naming
) -> tuple[AggregatedGold | None, list[Findings]]:
    """Return the collection in a table, as `table_of`; None if a finding prevents scoring."""
    table = table_of(source, "collection", engine, naming, hashed=True)
    findings = Findings(table.path)
    with engine_errors(table.path):
        columns = table.columns(GOLD, naming, findings)
        if not columns:
            return None, [findings]
        words = table.frame.select(*columns.values())
        code = _code("label", LABELS, naming, Label.NONE)
        code = nw.when(nw.col("a_id") == "").then(nw.lit(_NO_ANSWER)).otherwise(code)
        frame = words.with_columns(code.alias("code"))
        compositions = _count_gold(frame, findings)
    if not compositions:
        findings.add(rules.EMPTY_FILE, None, expected="questions in it")
    gold = AggregatedGold(table.path, table.sha256, frame, compositions)
    return (None if findings.errors else gold), [findings]


def _count_gold(frame: Frame, findings: Findings) -> Counter[bytes]:
    """Return the compositions of the labels; report defects."""
    answers = frame.group_by(*_IDS).agg(_rows("rows"), nw.col("code").max())
    labels = {f"n{label}": label for label in _LABELS}
    is_answer = nw.col("code") != _NO_ANSWER
    by_question = answers.group_by("q_id").agg(
        *(_times(nw.col("code") == label, name) for name, label in labels.items()),
        _times(nw.col("code") == Label.NONE, "unlabelled"),
        _times(is_answer & (nw.col("rows") > 1), "repeated"),
        _times(nw.col("q_id") == "", "empty"),
    )
    compositions: Counter[bytes] = Counter()
    defects = [0, 0, 0]
    for *counts, unlabelled, repeated, empty, times in _frequencies(by_question):
        compositions[_bytes(dict(zip(labels.values(), counts, strict=True)))] += times
        defects = [
            n + times * k for n, k in zip(defects, (unlabelled, repeated, empty), strict=True)
        ]
    unlabelled, repeated, empty = defects
    if unlabelled:
        wrong = frame.filter(nw.col("code") == Label.NONE)
        labelled = wrong.filter(nw.col("label") != "").select(*_IDS, nw.col("label").alias("found"))
        _report(_LABEL, labelled, findings, expected=", ".join(LABELS))
        _report(
            rules.UNLABELLED_ANSWER, wrong.filter(nw.col("label") == "").select(*_IDS), findings
        )
    if repeated:
        several = answers.filter(is_answer & (nw.col("rows") > 1)).select(*_IDS, "rows")
        _report(_DUPLICATE, several, findings)
    if empty:
        findings.add(_EMPTY, None, rows=quantity(empty, "row"))
    if compositions[b""]:
        answered = frame.filter(is_answer).select("q_id")
        empty_ones = frame.filter(~is_answer).select("q_id").join(answered, on="q_id", how="anti")
        _report(rules.QUESTION_WITHOUT_ANSWERS, empty_ones, findings)
    return +compositions


def count_runs(
    gold: AggregatedGold,
    source: object,
    name: str,
    engine: Engine | None,
    naming: Naming,
    missing: str,
) -> tuple[list[AggregatedRun] | None, list[Findings]]:
    """Return the run in a table, or with a column `run` its runs, with the findings of each.

    None if a finding prevents scoring.

    Parameters
    ----------
    gold
        What the runs are joined to.
    source, engine, naming
        The table, as `table_of`.
    name
        The name of a run without such a column.
    missing
        A choice of `Policies.missing`.
    """
    table = table_of(source, name, engine, naming)
    findings = Findings(table.path)
    if table.frame.implementation != gold.frame.implementation:
        raise UsageError(f"{table.path}: expected a lazy frame of the library of the collection")
    with engine_errors(table.path):
        columns = table.columns(RUN, naming, findings)
        if not columns:
            return None, [findings]
        code = _code("verdict", VERDICTS, naming, Verdict.UNREADABLE).alias("code")
        rows = table.frame.select(*columns.values()).with_columns(code)
        names = _rows_of(rows.group_by("run").agg(_rows("n"))) if "run" in columns else []
        joined = _Joined.of(gold.frame, rows, names=bool(names))
        choice = MISSING_CHOICES[missing]
        tallies = {str(run): _Tally(choice) for run, _ in names} or {"": _Tally(choice)}
        tallies = dict(sorted(tallies.items()))
        for *run, others, unreadable, times in joined.frequencies():
            cells, of_run = run[-len(CELLS) :], "".join(run[: -len(CELLS)])
            tallies[of_run].add(cells, others, unreadable, times)
        all_findings = []
        answers = sum(len(labels) * times for labels, times in gold.compositions.items())
        for of_run, tally in tallies.items():
            path = f"{table.path} ({of_run})" if names else table.path
            run_findings = Findings(path)
            tally.report(joined.of_run(of_run) if names else joined, answers, run_findings)
            all_findings.append(run_findings)
    if any(listed.errors for listed in all_findings):
        return None, all_findings
    runs = [AggregatedRun(run or name, tally.compositions) for run, tally in tallies.items()]
    return runs, all_findings


class _Joined(NamedTuple):
    """The rows of gold and of runs.

    Attributes
    ----------
    frame
        `q_id`, `a_id`, `verdict` and `label`, as codes, and the `run` if there are several.
    rows
        The rows of the runs.
    gold
        The rows of the collection.
    """

    frame: Frame
    rows: Frame
    gold: Frame

    @classmethod
    def of(cls, gold: Frame, rows: Frame, *, names: bool) -> _Joined:
        """Join gold to each run; `names` tells whether there is a column `run`."""
        keys = [*["run"] * names, *_IDS]
        left = gold.select(*_IDS, nw.col("code").alias("label"))
        if names:
            left = left.join(rows.group_by("run").agg(_rows("n")).select("run"), how="cross")
        right = rows.select(*keys, nw.col("code").alias("verdict"))
        both = left.join(right, on=keys, how="full", suffix="_given")
        ids = [nw.coalesce(nw.col(key), nw.col(f"{key}_given")).alias(key) for key in keys]
        verdict = nw.col("verdict").fill_null(Verdict.MISSING.value).alias("verdict")
        label = nw.col("label").fill_null(_UNKNOWN).alias("label")
        return cls(both.select(*ids, verdict, label), rows, gold)

    def of_run(self, name: str) -> _Joined:
        is_own = nw.col("run") == name
        return _Joined(self.frame.filter(is_own), self.rows.filter(is_own), self.gold)

    def frequencies(self) -> list[Sequence[Any]]:
        """Return the run, if there are several, counts of a question, and how many have them.

        The counts are those of `CELLS`, whether there are other rows, and unreadable verdicts.
        """
        verdict, label = nw.col("verdict"), nw.col("label")
        cell = self.frame.with_columns((8 * verdict + label).alias("cell"))
        is_other = (label == _UNKNOWN) | ((label == _NO_ANSWER) & (verdict > 0))
        is_unreadable = (verdict == Verdict.UNREADABLE) & (label < Label.NONE)
        keys = [name for name in ("run", "q_id") if name in self.frame.collect_schema().names()]
        by_question = cell.group_by(*keys).agg(
            *(_times(nw.col("cell") == code, name) for name, code in CELLS.items()),
            is_other.cast(nw.Int64).max().alias("others"),
            _times(is_unreadable, "unreadable"),
        )
        return _frequencies(by_question)

    def report_unknown(self, findings: Findings) -> None:
        """Report rows about answers that are not in the collection, or without ids."""
        no_id = (nw.col("q_id") == "") | (nw.col("a_id") == "")
        empty = _rows_of(self.rows.filter(no_id).select(nw.len()))[0][0]
        if empty:
            findings.add(_EMPTY, None, rows=quantity(empty, "row"))
        unknown = self.frame.filter((nw.col("label") == _UNKNOWN) & ~no_id).select(*_IDS)
        questions = self.gold.select("q_id").unique()
        of_known = unknown.join(questions, on="q_id", how="semi")
        _report(rules.UNKNOWN_ANSWER, of_known, findings, hint="")
        others = unknown.join(questions, on="q_id", how="anti")
        _report(rules.UNKNOWN_QUESTION, others, findings, hint="")

    def report_unreadable(self, findings: Findings) -> None:
        wrong = self.rows.filter(nw.col("code") == Verdict.UNREADABLE)
        unreadable = wrong.select(*_IDS, nw.col("verdict").alias("found"))
        _report(_VERDICT, unreadable, findings, expected=", ".join(VERDICTS))

    def report_missing(self, choice: MissingChoice, findings: Findings) -> None:
        is_missing = (nw.col("verdict") == Verdict.MISSING) & (nw.col("label") < Label.NONE)
        missing = self.frame.filter(is_missing).select(*_IDS)
        _report(choice.of_answer, missing, findings, read_as=choice.verdict.name)

    def report_repeated(self, findings: Findings) -> None:
        """Report answers with several rows."""
        code = nw.col("code")
        of_answers = self.rows.group_by(*_IDS).agg(
            _rows("rows"), code.min().alias("least"), code.max().alias("most")
        )
        several = of_answers.filter((nw.col("rows") > 1) & (nw.col("a_id") != ""))
        alike = nw.col("least") == nw.col("most")
        _report(_REPEATED, several.filter(alike).select(*_IDS, "rows"), findings)
        _report(_CONFLICT, several.filter(~alike).select(*_IDS, "rows"), findings)

    def report_selections(self, missing: MissingChoice, findings: Findings) -> None:
        """Report questions with two SELECTED answers, or VALIDATED ones without a SELECTED."""
        verdict, is_answer = nw.col("verdict"), nw.col("label") != _NO_ANSWER
        settled = (
            nw.when(is_answer & (verdict == Verdict.MISSING))
            .then(nw.lit(missing.verdict.value))
            .otherwise(verdict)
        )
        open_ones = [Verdict.UNREADABLE.value, *[Verdict.MISSING.value] * missing.is_refused]
        is_open = verdict.is_in(open_ones) & is_answer
        frame = self.frame.with_columns(settled.alias("verdict"))
        by_question = frame.group_by("q_id").agg(
            _times(verdict == Verdict.SELECTED, "selected"),
            _times(verdict == Verdict.VALIDATED, "validated"),
            _times(is_open, "open"),
        )
        selected = nw.col("selected")
        _report(_SELECTED, by_question.filter(selected > 1).select("q_id", "selected"), findings)
        none = (selected == 0) & (nw.col("validated") > 0) & (nw.col("open") == 0)
        _report(rules.NONE_SELECTED, by_question.filter(none).select("q_id"), findings)


class _Tally:
    """What the counts of a run show; its compositions are those after the policy on missing."""

    def __init__(self, missing: MissingChoice) -> None:
        self.compositions: Counter[bytes] = Counter()
        self._choice = missing
        verdict = 8 * missing.verdict
        self._settled = bytes(verdict + cell if cell < 8 else cell for cell in range(256))
        self._left_out = bytes(range(8)) if missing.is_left_out else b""
        self._rows = self._given = 0
        self._others = self._unreadable = self._missing = self._selections = False

    def add(self, counts: Sequence[int], others: int, unreadable: int, times: int) -> None:
        """Add questions of equal counts; those of unknown questions have no cells."""
        cells = _bytes(dict(zip(CELLS.values(), counts, strict=True)))
        settled = cells.translate(self._settled, self._left_out)
        missing = sum(cell < 8 for cell in cells)
        verdicts = bytes(cell // 8 for cell in settled)
        validated, selected = map(verdicts.count, (Verdict.VALIDATED, Verdict.SELECTED))
        self._rows += times * (len(cells) + unreadable)
        self._given += times * (len(cells) - missing + unreadable)
        self._others |= others > 0
        self._unreadable |= unreadable > 0
        self._missing |= missing > 0
        self._selections |= selected > 1 or (validated > 0 and not selected)
        if settled or not (cells or others):  # a question leaves with its answers
            self.compositions[settled] += times

    def report(self, joined: _Joined, answers: int, findings: Findings) -> None:
        """Ask where the defects are that the counts show; `answers` is the number in gold."""
        if not self._given and not self._others:
            findings.add(rules.EMPTY_FILE, None, expected="answers in it")
            return
        if self._others:
            joined.report_unknown(findings)
        if self._others or self._unreadable:
            joined.report_unreadable(findings)
        if self._missing:
            joined.report_missing(self._choice, findings)
        if self._rows > answers:
            joined.report_repeated(findings)
        if self._selections:
            joined.report_selections(self._choice, findings)


# --- expressions and rows -------------------------------------------------------------------------


def _code(column: str, words: Mapping[str, int], naming: Naming, other: int) -> nw.Expr:
    """Return the code of the word in a column; `other` if it means nothing."""
    meant = {word: words.get(meaning, other) for word, meaning in naming.values.items()}
    code: nw.Expr = nw.lit(other)
    for word, known in {**words, **meant}.items():
        code = nw.when(nw.col(column) == word).then(nw.lit(int(known))).otherwise(code)
    return code


def _rows(name: str) -> nw.Expr:
    return nw.len().cast(nw.Int64).alias(name)


def _times(condition: nw.Expr, name: str) -> nw.Expr:
    """Return how many rows of a group meet a condition."""
    return condition.cast(nw.Int64).sum().cast(nw.Int64).alias(name)


def _bytes(counts: Mapping[int, int]) -> bytes:
    return b"".join(bytes([code]) * times for code, times in counts.items())


def _frequencies(by_question: Frame) -> list[Sequence[Any]]:
    """Return the different counts of questions, each with the number of questions."""
    names = [name for name in by_question.collect_schema().names() if name != "q_id"]
    times = by_question.group_by(*names).agg(_rows("times"))
    return _rows_of(times.select(*names, "times"))


def _rows_of(frame: Frame) -> list[Sequence[Any]]:
    """Return the rows of a frame, computed by its engine."""
    native: Any = frame.to_native()
    if hasattr(native, "fetchall"):  # of DuckDB
        return [*native.fetchall()]
    if type(native).__module__.startswith("pyspark."):
        return [*native.collect()]
    return [*frame.collect().rows()]


def _report(rule: Rule, wrong: Frame, findings: Findings, **facts: object) -> None:
    """Report the rows of a frame, whose columns are facts: the first fifty, and their number."""
    names = wrong.collect_schema().names()
    total = _rows_of(wrong.select(nw.len()))[0][0]
    if not total:
        return
    for row in _rows_of(wrong.sort(*names).head(FIRST)):
        own = dict(zip(names, row, strict=True))
        findings.add(rule, None, None, "", Safety.NONE, **facts, **own)
    findings.counts[rule] += max(0, total - FIRST)
