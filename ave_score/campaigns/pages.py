"""Every file of the folder of results, as text by its path."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import groupby

from ave_score.campaigns.overview import overview
from ave_score.campaigns.plan import Plan
from ave_score.campaigns.score import FileReport, Result
from ave_score.counts import TABLES
from ave_score.findings import Findings
from ave_score.reports import latex, markdown
from ave_score.reports.csv_text import csv_text
from ave_score.reports.findings.concise import finding_lines
from ave_score.reports.formats import render
from ave_score.reports.markdown import escaped, row
from ave_score.reports.report import ReportTable, table_records
from ave_score.reports.scores import describe, score_tables, scores_report
from ave_score.reports.style import TextStyle
from ave_score.scoring import Scores
from ave_score.text import counted, visible
from ave_score.version import __version__

INDEX = "index.md"

_PAGE_TITLES = {
    "participants": "participants and runs",
    "collections": "collections",
    **{f"best-{table}": f"best of each group ({table})" for table in TABLES},
}


_NOT_SCORED = "Not scored: its collection, or the key to it, cannot be used."


def make_pages(plan: Plan, results: Sequence[Result], findings: Findings) -> dict[str, str]:
    """Return the text of every file of the results, by its path in their folder."""
    findings = findings.with_path(os.path.basename(plan.path))  # the same from wherever it is read
    files: dict[str, str] = {}
    links: dict[str, list[str]] = {}
    for edition, several in groupby(results, key=lambda result: result.task.edition):
        of_edition = list(several)
        for result in of_edition:
            files |= {f"{edition}/{name}": text for name, text in _of_language(result)}
        links[edition] = []
        for page in overview(edition, of_edition):
            path = f"{edition}/{page.name}"
            files[f"{path}.md"] = markdown.table_text(page.table)
            files[f"{path}.csv"] = csv_text(table_records(page.table))
            files[f"{path}.tex"] = latex.table_text(page.table)
            links[edition].append(f"[{_PAGE_TITLES[page.name]}]({path}.md)")
    files["findings.md"] = _findings_page(results, findings)
    files[INDEX] = _index(plan, results, links, findings)
    return files


def _of_language(result: Result) -> Iterator[tuple[str, str]]:
    name, scores = result.task.language, result.scores
    title = f"# {escaped(result.task.edition)}, {escaped(name)}"
    told = []
    for head, reports in (("Left out", result.left_out), ("Notes", result.notes)):
        lines = [f"- {escaped(one.path)}: {escaped(one.summary)}" for one in reports]
        told += [f"## {head}", "\n".join(lines)] if lines else []
    if scores is None:
        yield f"{name}.md", "\n\n".join([title, _NOT_SCORED, *told]) + "\n"
        return
    style, report = TextStyle(), scores_report(scores)
    shown = scores_report(scores._replace(left_out=()))  # which stands below, with the reasons
    parts = [title, render(shown, "markdown", style).rstrip("\n"), *told]
    yield f"{name}.md", "\n\n".join(parts) + "\n"
    yield f"{name}.tex", _latex(result, scores, score_tables(scores))
    yield f"{name}.csv", render(report, "csv", style)
    yield f"{name}.json", render(report, "json", style)


def _latex(result: Result, scores: Scores, tables: Sequence[ReportTable]) -> str:
    """Return the tables with edition and language in their captions, and the rest as comments."""
    edition, name = result.task.edition, result.task.language
    comments = [visible(describe(scores._replace(left_out=()))), scores.signature]
    return "\n".join(
        [
            *(f"% {comment}" for comment in comments),
            "",
            *(
                latex.table_text(one._replace(title=f"{edition}, {name}: {one.title}"))
                for one in tables
            ),
        ]
    )


def _findings_page(results: Sequence[Result], findings: Findings) -> str:
    """Return everything that was found, file by file, as it would be said of each alone."""
    parts = ["# Findings"]
    if len(findings):
        parts += _code(finding_lines(findings, every=True))
    for result in results:
        for report in result.reports:
            left_out = " (left out)" if report.left_out else ""
            where = f"{result.task.where}: {report.path}"
            parts.append(f"## {escaped(where)}{left_out}")
            parts.append(escaped(report.summary))
            parts += _code(report.lines)
    if len(parts) == 1:
        parts.append("None.")
    return "\n\n".join(parts) + "\n"


def _code(lines: Sequence[str] | Iterator[str]) -> list[str]:
    """Indent lines, so that nothing in them is markup."""
    block = "\n".join(f"    {visible(line)}" for line in lines)
    return [block] if block else []


def _index(
    plan: Plan, results: Sequence[Result], links: dict[str, list[str]], findings: Findings
) -> str:
    parts = [
        f"# {escaped(plan.title)}",
        f"By ave-score {__version__}. {summary_of(results)}.",
    ]
    for edition, several in groupby(results, key=lambda result: result.task.edition):
        heads = ["language", "runs", "QA systems", "left out", "tables", "data"]
        lines = [row(heads), row(["---", "--:", "--:", "--:", "---", "---"])]
        of_edition = list(several)
        lines += [row(_index_cells(result)) for result in of_edition]
        parts += [f"## {escaped(edition)}", _policies(of_edition[0]), "\n".join(lines)]
        parts.append("All languages: " + ", ".join(links[edition]) + ".")
    for head, reports in (("Left out", left_out_of(results)), ("Notes", notes_of(results))):
        lines = [
            f"- {escaped(result.task.where)}: {escaped(one.path)}: {escaped(one.summary)}"
            for result, one in reports
        ]
        parts += [f"## {head}", "\n".join(lines)] if lines else []
    if len(findings):
        parts += ["## The campaign file", *_code(finding_lines(findings, every=True))]
    parts.append("Everything that was found in the files: [findings.md](findings.md).")
    return "\n\n".join(parts) + "\n"


def _policies(result: Result) -> str:
    """Return by which choices the figures of an edition were made."""
    asked = ", ".join(measure.key for measure in result.task.measures) or "by what was submitted"
    told = [f"{name}: {value}" for name, value in result.task.policies._asdict().items()]
    return escaped(f"measures: {asked}; {'; '.join(told)}")


def _index_cells(result: Result) -> list[str]:
    name, edition = result.task.language, result.task.edition
    base = f"{edition}/{name}"
    data = ", ".join(f"[{kind}]({base}.{kind})" for kind in ("csv", "json", "tex"))
    return [
        escaped(name),
        str(len(result.runs)),
        str(len(result.systems)),
        str(len(result.left_out)),
        f"[{escaped(name)}]({base}.md)",
        data if result.scores is not None else "",
    ]


def summary_of(results: Sequence[Result]) -> str:
    """Return in one line what was scored."""
    editions = len({result.task.edition for result in results})
    runs = sum(len(result.runs) for result in results)
    systems = sum(len(result.systems) for result in results)
    left_out = sum(len(result.left_out) for result in results)
    return (
        f"{counted(editions, 'edition')}, {counted(len(results), 'language')}: "
        f"{counted(runs, 'run')} scored, {counted(systems, 'QA system')} beside them, "
        f"{counted(left_out, 'file')} left out"
    )


def left_out_of(results: Sequence[Result]) -> list[tuple[Result, FileReport]]:
    """Return what was left out, each with its language."""
    return [(result, one) for result in results for one in result.left_out]


def notes_of(results: Sequence[Result]) -> list[tuple[Result, FileReport]]:
    """Return what else is to be told, each with its language."""
    return [(result, one) for result in results for one in result.notes]
