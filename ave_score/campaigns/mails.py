"""The text of a team for a mail: files that are not scored, its own rows, and where the page is."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from ave_score.campaigns.teams import TeamSection, public_names, shown_to
from ave_score.core.text import quantity, visible
from ave_score.counts.counted import Kind
from ave_score.counts.selection import PERFECT
from ave_score.measures import Measure
from ave_score.pages.audience import Audience
from ave_score.pages.listings import FileListing
from ave_score.reports import terminal
from ave_score.reports.cells import cell_text
from ave_score.reports.findings.concise import finding_line
from ave_score.reports.findings.summary import fix_arguments, fix_lines
from ave_score.reports.printed import printed_digits
from ave_score.reports.report import DIGITS, Column, name_column, table_of
from ave_score.reports.style import TextStyle
from ave_score.tasks.ranked import best_first, ranks_of
from ave_score.tasks.scores import Row

_WIDTH = 72
"""Columns of the texts, as for a mail."""

_MOST_ROWS, _MOST_FILES, _MOST_REMARKS, _MOST_MEASURES = 8, 2, 1, 2
"""What a text of 25 lines has room for; the rest is on the page."""

_fill = partial(textwrap.fill, width=_WIDTH, break_on_hyphens=False)
_indented = partial(
    _fill, initial_indent="  ", subsequent_indent="  ", max_lines=2, placeholder=" ..."
)


def text_of(campaign: str, audience: Audience, sections: Sequence[TeamSection], page: str) -> str:
    """Return what a team gets about all languages, at most 72 columns wide; `page` has the rest."""
    remarks = [*dict.fromkeys(text for section in sections for text in section.remarks)]
    shown = remarks if len(remarks) <= _MOST_REMARKS + 1 else remarks[:_MOST_REMARKS]
    more = [f"{len(remarks) - len(shown)} more remarks: on your page."]
    told = [
        *shown,
        *more * (len(shown) < len(remarks)),
        *dict.fromkeys(text for section in sections for text in section.others),
        *public_names({run: name for each in sections for run, name in each.names.items()}),
    ]
    own = [item for section in sections for item in _own_of(section)]
    rows = _fewest(own)
    apart = f"{quantity(len(own) - len(rows), 'other run')} of yours, and " * (len(rows) < len(own))
    parts = [
        _fill(visible(f"{campaign}: {audience.team}")),
        "\n".join([*_file_lines(sections), *(_fill(visible(remark)) for remark in told)]),
        *_tables(rows, with_title=len(sections) > 1),
        _fill(visible(f"Your page, {page}, has {apart}all else. {shown_to(audience, sections)}")),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _file_lines(sections: Sequence[TeamSection]) -> Iterator[str]:
    """Yield how many files are scored, and of each with findings what is to be done."""
    scored = len({path for section in sections for path in section.scored})
    every = [(file, one.read_with) for one in sections if one.page for file in one.page.files]
    found = [*{(item[0].file.path, item[0].summary): item for item in every}.values()]
    found.sort(key=lambda item: not item[0].file.is_refused)
    refused = len({listing.file.path for listing, _ in found if listing.file.is_refused})
    yield f"{quantity(scored, 'file')} scored{f', {refused:,} not' * (refused > 0)}."
    for section in sections:
        if section.page is None:
            yield _fill(visible(f"{section.title}: not scored."))
    for listing, read_with in found[:_MOST_FILES]:
        yield from _finding_lines(listing, read_with)
    if len(found) > _MOST_FILES:
        yield f"{quantity(len(found) - _MOST_FILES, 'more file')} with findings: on your page."


def _finding_lines(listing: FileListing, read_with: Sequence[str]) -> Iterator[str]:
    """Yield the state of a file, its first finding, and how it is mended."""
    state = "not scored" if listing.file.is_refused else "scored"
    yield _fill(visible(f"{listing.file.path}: {state}: {listing.summary}"))
    for listed in listing.listed[:1]:
        line = finding_line(listed).removeprefix(listed.finding.path)
        yield _indented(line.lstrip(": "))
    if listing.file.findings is not None:
        arguments = fix_arguments("RUN", [*read_with, "--collection", "TEST"])
        fixes = [*fix_lines(listing.file.findings, arguments)]
        yield from fixes or (_indented(f"{rule}: {text}") for rule, text in listing.helps[:1])


class _Own(NamedTuple):
    """A run of the team: its rank, the measure by which it is ranked, and what is beside it.

    `baseline` is the value of the best reference, if there is any.
    """

    section: TeamSection
    row: Row
    rank: str
    main: Measure
    best: str
    baseline: str
    has_reference: bool
    measures: tuple[Measure, ...]


def _tables(rows: Sequence[_Own], *, with_title: bool) -> Iterator[str]:
    """Yield a table for each list of measures, with the runs of all languages that have these."""
    by_measures: dict[tuple[str, ...], list[_Own]] = {}
    for row in rows:
        by_measures.setdefault(tuple(measure.key for measure in row.measures), []).append(row)
    for several in by_measures.values():
        yield _table(several, with_title=with_title)


def _fewest(own: Sequence[_Own]) -> Sequence[_Own]:
    """Return as many runs as a mail has room for: all, those that are ranked, or the best."""
    ranked = [item for item in own if item.rank]
    first = {(item.section.title, item.main.key): item for item in reversed(ranked or own)}
    best = [item for item in own if item in first.values()]
    return next((one for one in (own, ranked) if one and len(one) <= _MOST_ROWS), best)


def _own_of(section: TeamSection) -> Iterator[_Own]:
    """Yield the runs of the team in a language, the best first."""
    if section.page is None:
        return
    scores, team = section.page.seen.scores, section.page.audience.team
    rows = best_first(scores.rows, *scores.measures)
    for row in rows:
        measures = [measure for measure in scores.measures if measure.family in row.counts]
        if row.kind.is_submitted and row.team == team and measures:
            main = measures[0]
            ranks = ranks_of(rows, main)
            number = sum(rank != "" for rank in ranks)
            rank = next(rank for other, rank in zip(rows, ranks, strict=True) if other is row)
            yield _Own(
                section,
                row,
                f"{rank} of {number}" if rank else "",
                main,
                _best(main, [row for row in rows if row.is_ranked]),
                _best(main, _baselines(rows)),
                any(row.kind is Kind.REFERENCE for row in rows),
                tuple(measures[:_MOST_MEASURES]),
            )


def _baselines(rows: Sequence[Row]) -> Sequence[Row]:
    """Return the organiser's own runs, or else the baselines that a system has to beat."""
    own = [row for row in rows if row.kind is Kind.REFERENCE]
    return own or [row for row in rows if row.kind is Kind.BASELINE and row.run != PERFECT]


def _best(main: Measure, rows: Sequence[Row]) -> str:
    best = main.best(row.values[main.key] for row in rows)
    return "" if best is None else cell_text(best, main, printed_digits(main, DIGITS))


def _table(rows: Sequence[_Own], *, with_title: bool) -> str:
    """Return a table of runs that have the same measures."""
    is_one = len({row.section.edition for row in rows}) == 1
    columns = [
        *[name_column("", partial(_named, is_one=is_one))] * with_title,
        name_column("Run", lambda row: row.row.shown, is_key=True),
        Column("Rank", lambda row: row.rank),
        *(_column(number, measure) for number, measure in enumerate(rows[0].measures)),
        Column("Best", lambda row: row.best),
    ]
    beside = "best ranked run"
    if any(row.baseline for row in rows):
        word = "reference" if all(row.has_reference for row in rows) else "baseline"
        columns.append(Column(word.capitalize(), lambda row: row.baseline))
        beside = f"best ranked run and best {word}"
    named = f"Rank, {beside}: by {rows[0].main.title}"
    table = table_of(named, columns, rows)
    return terminal.table_text(table, TextStyle(_WIDTH)).rstrip("\n")


def _named(of: _Own, *, is_one: bool) -> str:
    """Return the name of a language, without the edition if there `is_one`."""
    title = of.section.title
    return title.removeprefix(f"{of.section.edition}, ") if is_one else title


def _column(number: int, measure: Measure) -> Column:
    def text(of: _Own) -> str:
        value, own = of.row.values[measure.key], of.measures[number]
        return cell_text(value, own, printed_digits(own, DIGITS))

    is_told = measure.parts and not number  # above the table, with its parts
    return Column(measure.title.partition(" (")[0] if is_told else measure.title, text)
