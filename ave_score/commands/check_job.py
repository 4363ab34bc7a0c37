"""What `ave-score check` does: read, check, choose what is listed, render, write."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from ave_score.commands.files import check_written, whole_file
from ave_score.commands.progress import progress
from ave_score.errors import InputError, UsageError
from ave_score.files.check import Checked, check_file
from ave_score.files.gold import check_test_collection
from ave_score.files.sniff import sniff
from ave_score.files.source import Source
from ave_score.findings import Finding, Findings
from ave_score.labels import campaign_table
from ave_score.model import Collection
from ave_score.reports.findings.concise import finding_lines
from ave_score.reports.findings.report import FOR_PEOPLE, FOR_PROGRAMS, Report, make_report
from ave_score.rules import RULES, FileKind, Rule
from ave_score.text import did_you_mean, nearest, visible

if TYPE_CHECKING:
    from ave_score.open_questions import OpenGold

_TEXTS = ("full", "concise", "markdown")
_WITH_STATISTICS = ("full", "concise")


class Options(NamedTuple):
    """The options of one call, as given."""

    collection: str | None
    kind: str
    campaign: str
    format: str
    select: str | None
    ignore: str | None
    strict: bool
    max_findings: int | None
    statistics: bool
    output: str


def check_files(paths: Sequence[str], options: Options) -> int:
    """Check files and write what was found as the options ask for it; return the exit code."""
    wanted = _wanted_rules(options)
    campaign_table(options.campaign)
    if options.statistics and options.format not in _WITH_STATISTICS:
        raise UsageError(f"--statistics is for --format {' or '.join(_WITH_STATISTICS)}")
    check_written([*paths, *filter(None, [options.collection])], {"--output": options.output})
    collection = _read_collection(options.collection)
    files = _checked(list(map(Source, paths)), collection, wanted, options)
    shown = FOR_PEOPLE if options.format in _TEXTS else FOR_PROGRAMS
    report = make_report(files, shown, at_most=options.max_findings, strict=options.strict)
    with whole_file(options.output) as out:
        out.write(_rendered(report, options))
    for one in report.files:
        if one.checked.unreadable is not None:
            path, reason = visible(one.checked.path), visible(one.checked.unreadable)
            click.echo(f"ave-score: {path}: {reason}", err=True)
    return report.exit_code


def _read_collection(path: str | None) -> Collection | OpenGold | None:
    """Return the collection of this path without its labels, or the answer sets that it holds."""
    source = None if path is None else Source(path)
    if source is None or sniff(source) is not FileKind.ANSWER_SETS:
        return _read_test_collection(source)
    from ave_score.files.answer_sets import check_answer_sets  # most are collections

    gold, (findings,) = check_answer_sets(source)
    if gold is None:
        for line in finding_lines(findings):
            click.echo(line, err=True)
        raise InputError(source.path, "nothing can be checked against these answer sets")
    return gold


def read_test_collection(path: str | None) -> Collection | None:
    """Return the collection of this path without its labels.

    Where nothing can be checked against it, what is wrong with it is said and the command ends; but
    not the columns, which would tell how long the labels before them are.
    """
    return _read_test_collection(None if path is None else Source(path))


def _read_test_collection(source: Source | None) -> Collection | None:
    if source is None:
        return None
    collection, (findings,) = check_test_collection(source)
    if collection is None:
        for line in finding_lines(findings.changed(_without_columns)):
            click.echo(line, err=True)
        raise InputError(source.path, "nothing can be checked against this collection")
    return collection


def _without_columns(found: Finding) -> Finding:
    return found._replace(column=None, end_column=None)


def _checked(
    sources: Sequence[Source],
    collection: Collection | OpenGold | None,
    wanted: Callable[[Rule], bool],
    options: Options,
) -> Iterator[Checked]:
    """Yield every file checked; of its findings those that are wanted."""
    kind = None if options.kind == "auto" else FileKind(options.kind)
    with progress(sources, "Checking", lambda source: source.path) as watched:
        for source in watched:
            try:
                checked = check_file(source, kind, collection, options.campaign)
            except InputError as error:
                yield Checked(source.path, None, Findings(source.path), unreadable=error.reason)
            else:
                yield checked._replace(findings=checked.findings.only(wanted))


def _wanted_rules(options: Options) -> Callable[[Rule], bool]:
    """Return which rules --select and --ignore leave."""
    selected, unknown = _prefixes(options.select, "--select")
    ignored, also_unknown = _prefixes(options.ignore, "--ignore")
    if unknown + also_unknown:
        raise UsageError("; ".join(unknown + also_unknown))
    selected = selected or ("AVE",)
    return lambda rule: rule.code.startswith(selected) and not rule.code.startswith(ignored)


def _prefixes(given: str | None, option: str) -> tuple[tuple[str, ...], list[str]]:
    """Return the prefixes of an option, and what is wrong with those that begin no code."""
    if given is None:
        return (), []
    prefixes = tuple(part.strip().upper() for part in given.split(",") if part.strip())
    if not prefixes:
        return (), [f"{option} names no code"]
    return prefixes, [
        f"{option}: no rule has a code that begins with {one!r}{did_you_mean(nearest(one, RULES))}"
        for one in prefixes
        if not any(code.startswith(one) for code in RULES)
    ]


def _rendered(report: Report, options: Options) -> str:
    """Return the report in its format; each renderer is imported only when it is used."""
    if options.statistics:
        from ave_score.reports.findings.summary import statistics_lines

        return "\n".join([*statistics_lines(report), ""])
    if options.format == "full":
        from ave_score.commands.look import look_for
        from ave_score.reports.findings.full import render_full

        return render_full(report, look_for(options.output))
    from importlib import import_module

    module, name = _RENDERERS[options.format]
    renderer = getattr(import_module(f"ave_score.reports.findings.{module}"), name)
    text: str = renderer(report)
    return text


_RENDERERS = {
    "concise": ("concise", "render_concise"),
    "json": ("document", "render_json"),
    "markdown": ("markdown", "render_markdown"),
    "github": ("github", "render_github"),
    "gitlab": ("gitlab", "render_gitlab"),
    "sarif": ("sarif", "render_sarif"),
    "junit": ("junit", "render_junit"),
}
"""Format -> module and function."""
