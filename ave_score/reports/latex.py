"""Tables in LaTeX, for the booktabs package: a caption above, notes below."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import NamedTuple
from unicodedata import normalize

from ave_score.core.text import visible
from ave_score.reports.latex_layout import (
    LatexCell,
    LatexColumn,
    LatexPanel,
    Size,
    column_of,
    panels_of,
    space_beside,
)
from ave_score.reports.report import Report, ReportTable, RowStyle
from ave_score.reports.style import TextStyle

_SPECIAL = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\textquotedbl{}",
        "[": "{[}",  # after \\, these would be read as its arguments
        "]": "{]}",
        "*": "{*}",
        "−": "$-$",
        "–": "--",
        **{character: f"\\{character}" for character in "&%$#_{}"},
    }
)
_LIGATURE = re.compile(r"(?<=[-,'`!?])(?=[-,'`])")
"""Between characters that TeX would print as another one: -- as a dash."""

_LATIN = re.compile(
    r"[\x00-\u0125\u0128-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u0165\u0168-\u017e\u0218-\u021b"
    r"\u2013\u2014\u2018-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122\u2212]+"
)
"""What pdflatex prints with the font encoding T1."""

_SIGNATURE = "Signature: "
_LONG = 20
"""Characters of a word that need not be broken."""

_BREAK = r"\allowbreak{}"


class _NamedTable(NamedTuple):
    """A table with its caption, the end of its label, and all notes."""

    table: ReportTable
    caption: str
    label: str
    notes: Sequence[str]


def render(report: Report, _style: TextStyle) -> str:
    """Return the comments of all tables, and a float for each."""
    title, description, signature = report.heading or (report.about, "", "")
    name = PurePath(title).name.split(".")[0]
    return tables_text(report.tables(), name, description, signature)


def tables_text(
    tables: Sequence[ReportTable], title: str = "", description: str = "", signature: str = ""
) -> str:
    """Return the packages that tables need as a comment, and a float for each table.

    Parameters
    ----------
    title
        What the tables are about: it begins captions and labels.
    description, signature
        The first and the last note of each table.
    """
    parts = [_float(one) for one in _named(tables, title, description, signature)]
    return "\n\n".join([_comment("".join(parts)), *parts]) + "\n"


def table_text(table: ReportTable, label: str = "") -> str:
    """Return a table, with a comment; the label is that of its title unless it is given."""
    named = _NamedTable(table, _sentence(table.title), slug(label or _kind(table)), _notes(table))
    text = _float(named)
    return f"{_comment(text)}\n\n{text}\n"


def _named(
    tables: Sequence[ReportTable], title: str, description: str, signature: str
) -> Iterator[_NamedTable]:
    """Yield tables with captions and labels; those that share a title follow the one before."""
    times = Counter(table.title for table in tables)
    before, labels = "", Counter[str]()
    for table in tables:
        if times[table.title] == 1:
            before = table.title.split(":")[0]
        follows = times[table.title] > 1 and before
        about = [title, *[before] * bool(follows), table.title]
        label = "-".join(filter(None, map(slug, [*about[:-1], _kind(table)])))
        labels[label] += 1
        number = f"-{labels[label]}" if labels[label] > 1 else ""
        notes = [*[description] * bool(description), *_notes(table)]
        if signature:
            bold = ["Best of its column in bold, baselines excluded."] * bool(table.best)
            notes += [*bold, f"{_SIGNATURE}{signature}"]
        yield _NamedTable(table, _sentence(": ".join(filter(None, about))), label + number, notes)


def _notes(table: ReportTable) -> list[str]:
    return [*table.notes, *table.legend]


def _sentence(text: str) -> str:
    return f"{text}." if text else ""


def _kind(table: ReportTable) -> str:
    """Return what a table shows: its title without numbers and details."""
    return re.split("[,:]", re.sub(r"^[\d,]+ ", "", table.title))[0]


def slug(text: str) -> str:
    """Return a text as part of a label: ASCII letters, digits and hyphens."""
    plain = "".join(one for one in normalize("NFKD", text) if not "\u0300" <= one <= "\u036f")
    coded = re.sub("[^\x00-\x7f]", lambda match: f"u{ord(match[0]):x}", plain)
    return re.sub("[^a-z0-9]+", "-", coded.lower()).strip("-")[:60]


def _comment(text: str) -> str:
    """Return what a document needs to print a text."""
    lines = [r"% Needs \usepackage{booktabs} and, with pdflatex, \usepackage[T1]{fontenc}."]
    others = "".join(dict.fromkeys(_LATIN.sub("", text)))
    if others:
        lines += [
            f"% pdflatex cannot print {others[:40]}: use lualatex or xelatex with",
            r"% \usepackage{fontspec} and a font that has these characters.",
        ]
    return "\n".join(lines)


def _float(named: _NamedTable) -> str:
    """Return the environments of a table; what does not fit on a page continues on the next."""
    table = named.table
    if not table.rows:
        return f"% {visible(named.caption)} {visible(' '.join(named.notes))}"
    order = _order(table)
    columns = _columns(table, order)
    space = space_beside(named.notes)
    size, panels = panels_of(columns, table.keys, space)
    rules = _rules(table, order)
    pages: list[list[LatexPanel]] = []
    for panel in panels:
        if not pages or sum(one.lines + 2 for one in pages[-1]) + panel.lines > space:
            pages.append([])
        pages[-1].append(panel)
    texts = []
    for number, page in enumerate(pages):
        grids = "\n\n\\bigskip\n".join(_grid(panel, rules) for panel in page)
        caption = _caption(named, is_continued=number > 0)
        notes = _notes_text(named.notes if number == len(pages) - 1 else [])
        texts.append("\n".join([r"\begin{table}", *caption, _setting(size, table), grids, *notes]))
    return "\n\n".join(f"{text}\n\\end{{table}}" for text in texts)


def _caption(named: _NamedTable, *, is_continued: bool) -> list[str]:
    text = breakable(named.caption)
    if is_continued:
        return [r"\addtocounter{table}{-1}", rf"\caption{{{text} (Continued.)}}"]
    return [rf"\caption{{{text}}}", rf"\label{{tab:{named.label}}}"]


def _setting(size: Size, table: ReportTable) -> str:
    """Return the size of a table, its gaps, and bold figures as wide as others."""
    gap = [rf"\setlength{{\tabcolsep}}{{{size.gap:g}pt}}"] * (size.gap != 6)
    bold = [r"\renewcommand{\bfdefault}{b}"] * bool(table.best)
    commands = [r"\centering", size.command, *gap, r"\setlength{\abovetopsep}{1ex}", *bold]
    return "".join(commands)


def _order(table: ReportTable) -> list[int]:
    """Return the rows, those of baselines last."""
    baselines = [n for n, style in table.styles.items() if style is RowStyle.BASELINE]
    return sorted(range(len(table.rows)), key=lambda number: number in baselines)


def _columns(table: ReportTable, order: Sequence[int]) -> list[LatexColumn]:
    """Return the columns with rows in this order: the best in bold, names of baselines slanted."""
    name = table.align.find("l")

    def markup(row: int, column: int) -> str:
        if (row, column) in table.best:
            return r"\textbf"
        is_name = column == name and table.styles.get(row) is RowStyle.BASELINE
        return r"\emph" if is_name else ""

    return [
        column_of(
            head,
            table.align[number],
            [table.rows[row][number] for row in order],
            [markup(row, number) for row in order],
        )
        for number, head in enumerate(table.heads)
    ]


def _rules(table: ReportTable, order: Sequence[int]) -> dict[int, str]:
    """Return the rule above some rows: of baselines, and of the next run if runs have many rows."""
    runs = [row for row in order if table.styles.get(row) is not RowStyle.BASELINE]
    first = [table.rows[row][0] for row in runs]
    starts = [at for at in range(1, len(runs)) if first[at] != first[at - 1]]
    are_blocks = table.align[0] == "l" and len(set(first)) == len(starts) + 1 < len(runs)
    rules = dict.fromkeys(starts if are_blocks else [], r"\addlinespace")
    if 0 < len(runs) < len(order):
        rules[len(runs)] = r"\midrule"
    return rules


def _grid(panel: LatexPanel, rules: Mapping[int, str]) -> str:
    """Return the `tabular` of a part of a table."""
    columns = panel.columns
    end = r" \tabularnewline" if any(one.width for one in columns) else r" \\"
    height = max(len(one.heads) for one in columns)
    heads = [
        [""] * (height - len(one.heads)) + [_text_in(one, head) for head in one.heads]
        for one in columns
    ]
    lines = [" & ".join(map(_head_cell, columns, row)) + end for row in zip(*heads, strict=True)]
    lines.append(r"\midrule")
    for row in panel.rows:
        if row in rules and row > panel.rows.start:
            lines.append(rules[row])
        lines.append(" & ".join(_cell_text(one, one.cells[row]) for one in columns) + end)
    letters = "".join(map(_letter, columns))
    begin = rf"\begin{{tabular}}{{@{{}}{letters}@{{}}}}"
    return "\n".join([begin, r"\toprule", *lines, r"\bottomrule", r"\end{tabular}"])


def _letter(column: LatexColumn) -> str:
    if column.width:
        return rf"p{{{column.width:.0f}pt}}"
    return "r@{ }l" if column.is_double else column.letter


def _head_cell(column: LatexColumn, text: str) -> str:
    return rf"\multicolumn{{2}}{{c}}{{{text}}}" if column.is_double else text


def _text_in(column: LatexColumn, text: str) -> str:
    return rf"\raggedright {breakable(text)}" if column.width else escaped(text)


def _cell_text(column: LatexColumn, cell: LatexCell) -> str:
    text = _text_in(column, cell.text)
    if cell.markup:
        text = rf"{cell.markup}{{{text}}}"
    if cell.absent:
        text += rf"\phantom{{{cell.absent}}}"
    behind = escaped(cell.behind).replace("{[}", "[").replace("{]}", "]")
    return f"{text} & {behind}" if column.is_double else text


def _notes_text(notes: Sequence[str]) -> list[str]:
    """Return the notes as paragraphs below a table."""
    if not notes:
        return []
    box = r"\par\smallskip\begin{minipage}{\linewidth}\footnotesize\raggedright"
    return [box, *(f"{_note(note)}\\par" for note in notes), r"\end{minipage}"]


def _note(note: str) -> str:
    if not note.startswith(_SIGNATURE):
        return breakable(note)
    parts = re.split("(?<=[|:])", note.removeprefix(_SIGNATURE))
    return rf"{_SIGNATURE}\texttt{{{_BREAK.join(map(breakable, parts))}}}"


def breakable(text: str) -> str:
    """Escape a text; its long words may be broken, best behind punctuation."""
    return " ".join(map(_broken, visible(text).split(" ")))


def _broken(word: str) -> str:
    parts = re.findall(r".{1,10}?[_./:,;|=@+-]+|.{1,10}", word) if len(word) > _LONG else [word]
    return _BREAK.join(map(escaped, parts))


def escaped(text: str) -> str:
    """Escape characters that are special in TeX."""
    return "{}".join(part.translate(_SPECIAL) for part in _LIGATURE.split(visible(text)))
