"""The text of every file in the results folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from ave_score.campaigns.names import COMPARISON
from ave_score.campaigns.overview import overview
from ave_score.campaigns.plan import Plan
from ave_score.campaigns.result import Result
from ave_score.campaigns.task import FileReport
from ave_score.core.findings import Findings
from ave_score.core.text import brief, quantities, quantity, visible
from ave_score.counts import TABLES
from ave_score.reports import latex, markdown
from ave_score.reports.csv_text import csv_text
from ave_score.reports.findings.concise import finding_lines
from ave_score.reports.formats import render
from ave_score.reports.markdown import escaped, paragraph, row
from ave_score.reports.report import Records, Report, ReportTable, table_records
from ave_score.reports.score import describe, score_report, score_tables
from ave_score.reports.score_notes import with_remarks
from ave_score.reports.style import TextStyle
from ave_score.tasks.scores import Scores
from ave_score.version import __version__

INDEX = "index.md"

_PAGE_TITLES = {
    "participants": "participants and runs",
    "collections": "collections",
    **{f"best-{table}": f"best of each team ({table})" for table in TABLES},
}


FOR_ORGANISERS = (
    "For organisers: do not publish this folder. It shows gold labels and the scores of all teams "
    "by name. Send each team only the files in teams/ that are named after it."
)
"""What the first pages say about who may read the results."""

_NOT_SCORED = "Not scored: the collection or its key is unusable."


def make_pages(plan: Plan, results: Sequence[Result], findings: Findings) -> dict[str, str]:
    """Return the text of each results file by its path within the folder."""
    # independent of the working directory
    findings = findings.with_path(os.path.basename(plan.path))
    files: dict[str, str] = {}
    links: dict[str, list[str]] = {}
    for edition, several in groupby(results, key=lambda result: result.task.edition):
        of_edition = list(several)
        for result in of_edition:
            files |= {f"{edition}/{name}": text for name, text in _of_language(result)}
        links[edition] = []
        for page in overview(edition, of_edition):
            path = f"{edition}/{page.name}"
            files[f"{path}.md"] = markdown.table_text(page.shown)
            files[f"{path}.csv"] = csv_text(table_records(page.table))
            files[f"{path}.tex"] = latex.table_text(page.shown, f"{edition}-{page.name}")
            links[edition].append(f"[{_PAGE_TITLES[page.name]}]({path}.md)")
    files["findings.md"] = _findings_page(results, findings)
    files[INDEX] = _index(plan, results, links, findings)
    return files


def _of_language(result: Result) -> Iterator[tuple[str, str]]:
    name, scores = result.task.language, result.scores
    title = f"# {escaped(result.task.title)}"
    sections = []
    for head, reports in (("Not scored", result.not_scored), ("Notes", result.notes)):
        lines = [f"- {escaped(item.path)}: {escaped(item.summary)}" for item in reports]
        sections += [f"## {head}", "\n".join(lines)] if lines else []
    if scores is None:
        yield f"{name}.md", "\n\n".join([title, _NOT_SCORED, *sections]) + "\n"
        return
    style, report = TextStyle(), score_report(scores)
    shown = score_report(replace(scores, not_scored=()))  # listed below, with reasons
    compared = _comparison(result)
    tables = [with_remarks(table, scores) for table in compared.tables()] if compared else []
    parts = [title, render(shown, "markdown", style).rstrip("\n")]
    parts += [*_compared_markdown(tables, result), *sections]
    yield f"{name}.md", "\n\n".join(parts) + "\n"
    yield f"{name}.tex", _latex(result, scores, tables)
    yield f"{name}.csv", render(report, "csv", style)
    yield f"{name}.json", render(report, "json", style)
    if compared is not None:
        noted = compared._replace(records=lambda: _with_note(compared.records(), scores))
        yield f"{name}{COMPARISON}.csv", render(noted, "csv", style)
        yield f"{name}{COMPARISON}.json", render(compared, "json", style)


def _comparison(result: Result) -> Report | None:
    if result.compared is None:
        return None
    from ave_score.reports.compare import compare_report  # imports numpy

    return compare_report(result.compared, for_readers=True)


def _with_note(records: Records, scores: Scores) -> Records:
    """Return the records of pairs with a column of the marks of their runs."""
    marks = scores.marked
    at = [records.columns.index(name) for name in ("run", "other")]
    rows = (
        [*row, "; ".join(marks[str(row[i])] for i in at if row[i] in marks)] for row in records.rows
    )
    return Records([*records.columns, "note"], rows)


def _compared_markdown(tables: Sequence[ReportTable], result: Result) -> list[str]:
    """Return the section on the differences between runs, if any are compared."""
    if not tables and not result.not_compared:
        return []
    texts = [markdown.table_text(table).rstrip("\n") for table in tables]
    return ["## Differences between runs", *texts, *map(escaped, result.not_compared)]


def conclusion_of(result: Result) -> str:
    """Return what the comparison by the first measure found, or why there is none."""
    if result.compared is None:
        return " ".join(result.not_compared)
    from ave_score.reports.compare import DIGITS
    from ave_score.reports.compare_conclusions import conclusions

    return " ".join(conclusions(result.compared.comparisons[0], DIGITS))


def _latex(result: Result, scores: Scores, differences: Sequence[ReportTable]) -> str:
    """Return the tables of scores and of differences, captioned with edition and language."""
    title = result.task.title
    description = describe(replace(scores, not_scored=()))
    text = latex.tables_text(score_tables(scores), title, description, scores.signature)
    return "\n".join([text, latex.tables_text(differences, title)]) if differences else text


def _findings_page(results: Sequence[Result], findings: Findings) -> str:
    """Return all findings, file by file."""
    parts = ["# Findings"]
    if len(findings):
        parts += _code(finding_lines(findings, every=True))
    for result in results:
        for report in result.reports:
            not_scored = " (not scored)" if report.not_scored else ""
            where = f"{result.task.where}: {report.path}"
            parts.append(f"## {escaped(where)}{not_scored}")
            parts.append(paragraph(report.summary))
            parts += _code(report.lines)
    if len(parts) == 1:
        parts.append("None.")
    return "\n\n".join(parts) + "\n"


def _code(lines: Sequence[str] | Iterator[str]) -> list[str]:
    """Indent lines as a Markdown code block."""
    block = "\n".join(f"    {visible(line)}" for line in lines)
    return [block] if block else []


def _index(
    plan: Plan, results: Sequence[Result], links: dict[str, list[str]], findings: Findings
) -> str:
    parts = [
        f"# {escaped(plan.title)}",
        f"{escaped(summary_of(results))}. Created by ave-score {__version__}.",
        FOR_ORGANISERS,
    ]
    for edition, several in groupby(results, key=lambda result: result.task.edition):
        word = plan.tasks[0].word
        of_edition = list(several)
        numbers = {head: of for head, of in _NUMBERS.items() if any(map(of, of_edition))}
        lines = [row([word.name, *numbers, "tables", "data"])]
        lines.append(row(["---", *["--:"] * len(numbers), "---", "---"]))
        lines += [row(_index_cells(result, numbers.values())) for result in of_edition]
        parts += [f"## {escaped(edition)}", _settings(of_edition), "\n".join(lines)]
        parts.append(f"All {word.setting}: " + ", ".join(links[edition]) + ".")
        conclusions = [(result.task.label, conclusion_of(result)) for result in of_edition]
        lines = [f"- {escaped(name)}: {escaped(text)}" for name, text in conclusions if text]
        parts += ["### Differences between runs", "\n".join(lines)] if lines else []
    for head, reports in (("Not scored", not_scored_in(results)), ("Notes", notes_of(results))):
        lines = [
            f"- {escaped(result.task.where)}: {escaped(item.path)}: {escaped(item.summary)}"
            for result, item in reports
        ]
        parts += [f"## {head}", "\n".join(lines)] if lines else []
    if len(findings):
        parts += ["## The campaign file", *_code(finding_lines(findings, every=True))]
    parts.append("All findings: [findings.md](findings.md).")
    return "\n\n".join(parts) + "\n"


def _settings(results: Sequence[Result]) -> str:
    """Return the measures of an edition and the policies that its signatures have, each once."""
    of_texts: dict[str, list[str]] = {}
    for result in results:
        measures = ", ".join(measure.key for measure in result.task.measures) or "default"
        signed = result.scores.signature.split("|") if result.scores else []
        settings = [
            part.replace(":", ": ", 1)
            for part in signed
            if part.partition(":")[0] not in ("ave-score", "collection", "key")
        ]
        text = "; ".join([f"measures: {measures}", *settings])
        of_texts.setdefault(text, []).append(result.task.label)
    if len(of_texts) == 1:
        return escaped(*of_texts)
    return "\n".join(f"- {escaped(f'{brief(one)}: {text}')}" for text, one in of_texts.items())


_NUMBERS: Mapping[str, Callable[[Result], int]] = {
    "runs": lambda result: len(result.runs),
    "QA systems": lambda result: len(result.systems),
    "not scored": lambda result: len(result.not_scored),
}
"""The columns of the index that an edition has if any of its languages has one."""


def _index_cells(result: Result, numbers: Iterable[Callable[[Result], int]]) -> list[str]:
    name, edition = result.task.language, result.task.edition
    base = f"{edition}/{name}"
    data = ", ".join(f"[{kind}]({base}.{kind})" for kind in ("csv", "json", "tex"))
    if result.compared is not None:
        data += f", [comparison]({base}{COMPARISON}.csv)"
    return [
        escaped(name),
        *(str(number(result)) for number in numbers),
        f"[{escaped(name)}]({base}.md)",
        data if result.scores is not None else "",
    ]


def summary_of(results: Sequence[Result]) -> str:
    """Return a one-line summary of the results, with the first files that were not scored."""
    not_scored = [*dict.fromkeys(report.path for _, report in not_scored_in(results))]
    which = f": {brief(not_scored)}"
    others = f", {quantity(len(not_scored), 'file')} not scored{which}" * bool(not_scored)
    return f"{scored_in(results)}{others}"


def scored_in(results: Sequence[Result]) -> str:
    """Return how many runs and systems are scored, in a line."""
    editions = len({result.task.edition for result in results})
    runs = sum(len(result.runs) for result in results)
    systems = sum(len(result.systems) for result in results)
    return (
        f"{quantity(editions, 'edition')}, {quantity(len(results), results[0].task.word.name)}: "
        f"{quantities({'run': runs, 'QA system': systems}) or 'nothing'} scored"
    )


def not_scored_in(results: Sequence[Result]) -> list[tuple[Result, FileReport]]:
    """Return the reports of files not scored, each with its language."""
    return [(result, report) for result in results for report in result.not_scored]


def notes_of(results: Sequence[Result]) -> list[tuple[Result, FileReport]]:
    """Return the notes, each with its language."""
    return [(result, report) for result in results for report in result.notes]
