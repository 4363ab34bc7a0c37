"""Tables in LaTeX: a caption above, notes below; TeX makes what is wider than a line smaller."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from pathlib import PurePath
from typing import NamedTuple
from unicodedata import normalize

from ave_score.core.text import visible
from ave_score.reports.columns import head_lines, parts_of
from ave_score.reports.report import BEST_IN_BOLD, Report, ReportTable, RowStyle, notes_on_best
from ave_score.reports.style import TextStyle, cells_of

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

_FIGURE = re.compile(
    r"(?P<figure>[-+]?[\d,]+(?P<decimals>\.\d+)?|n/a)(?: (?P<behind>[(\[].*[)\]]))?"
)

_LINE, _GAP = 88, 2
"""Characters of a line of a table, and between columns; TeX makes long lines smaller."""

_NAME, _NAME_LINES = 24, 20
"""Characters of a name that does not wrap; most lines of a name, for which its column is wider."""

_PAGE_LINES, _FEW_NOTES, _NOTE_LINE = 38, 5, 80
"""Lines of tables on a page, and of notes for which it has space; characters of a line of notes."""


class LatexColumn(NamedTuple):
    """A column in LaTeX; how long its cells are and how wide it is with its gap, in characters."""

    letters: str
    heads: Sequence[str]
    cells: Sequence[str]
    lengths: Sequence[int]
    width: int

    def lines(self, row: int) -> int:
        """Return how many lines a cell has in the width of the column."""
        return ceil(self.lengths[row] / (self.width - _GAP)) or 1


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
    parts = [_float(table) for table in _named(tables, title, description, signature)]
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
            best = [f"{note}." for note in notes_on_best([table], BEST_IN_BOLD)]
            notes += [*best, f"{_SIGNATURE}{signature}"]
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
    plain = re.sub("[\u0300-\u036f]", "", normalize("NFKD", text))
    coded = re.sub("[^\x00-\x7f]", lambda match: f"u{ord(match[0]):x}", plain)
    return re.sub("[^a-z0-9]+", "-", coded.lower()).strip("-")[:60]


def _comment(text: str) -> str:
    """Return what a document needs to print a text."""
    lines = [
        r"% Needs \usepackage{array,booktabs,graphicx}",
        r"% and, with pdflatex, \usepackage[T1]{fontenc}.",
    ]
    others = "".join(dict.fromkeys(_LATIN.sub("", text)))
    if others:
        lines += [
            f"% pdflatex cannot print {others[:40]}: use lualatex or xelatex with",
            r"% \usepackage{fontspec} and a font that has these characters.",
        ]
    return "\n".join(lines)


def _float(named: _NamedTable) -> str:
    """Return the environments of a table; what does not fit on a page continues on the next."""
    table, caption = named.table, breakable(named.caption)
    if not table.rows:
        return f"% {visible(named.caption)} {visible(' '.join(named.notes))}"
    bold = r"\renewcommand{\bfdefault}{b}" * bool(table.best)  # as wide as other figures
    setting = rf"\centering\setlength{{\abovetopsep}}{{1ex}}{bold}"
    first = [rf"\caption{{{caption}}}", rf"\label{{tab:{named.label}}}"]
    others = [r"\addtocounter{table}{-1}", rf"\caption{{{caption} (Continued.)}}"]
    pages = [
        [r"\begin{table}", *(others if number else first), setting, *_fitted(grids)]
        for number, grids in enumerate(_pages(table, named.notes))
    ]
    pages[-1] += _notes_text(named.notes)
    return "\n\n".join("\n".join([*lines, r"\end{table}"]) for lines in pages)


def _fitted(grids: Sequence[str]) -> list[str]:
    """Return grids, one below the other; TeX makes them smaller if they are wider than a line."""
    text = "\\\\[\\bigskipamount]\n".join(grids)
    if len(grids) > 1:
        text = f"\\shortstack{{%\n{text}}}"
    return [r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%", f"{text}}}"]


def _pages(table: ReportTable, notes: Sequence[str]) -> list[list[str]]:
    """Return the grids of each page: as many rows as it has space for, in all parts of a table."""
    are_last = [table.styles.get(row) is RowStyle.BASELINE for row in range(len(table.rows))]
    order = sorted(range(len(are_last)), key=are_last.__getitem__)
    columns, rules = _columns(table, order), _rules(table, order)
    below = sum(ceil(len(note) / _NOTE_LINE) for note in notes)
    space = max(_PAGE_LINES - max(below - _FEW_NOTES, 0), _FEW_NOTES)
    head = max(len(column.heads) for column in columns) + 2
    heights = [max(column.lines(row) for column in columns) for row in range(len(order))]
    parts = parts_of([column.width for column in columns], table.keys, _LINE)
    grids: list[str] = []
    lines: list[int] = []
    for rows in _cut(heights, space - head):
        grids += [_grid([columns[at] for at in part], rows, rules) for part in parts]
        lines += [head + sum(heights[row] for row in rows)] * len(parts)
    return [[grids[at] for at in page] for page in _cut(lines, space)]


def _cut(heights: Sequence[int], space: int) -> list[range]:
    """Return what stands together: as much as fits the space, at least one."""
    starts = [0]
    for at in range(1, len(heights)):
        if sum(heights[starts[-1] : at + 1]) > space:
            starts.append(at)
    return [*map(range, starts, [*starts[1:], len(heights)])]


def _columns(table: ReportTable, order: Sequence[int]) -> list[LatexColumn]:
    """Return the columns with rows in this order; long names share what others leave of a line."""
    columns = []
    for at, (head, letter) in enumerate(zip(table.heads, table.align, strict=True)):
        texts = [visible(table.rows[row][at]) for row in order]
        marks = [_mark(table, row, at) for row in order]
        make = _figures if letter == "r" else _names
        columns.append(make(visible(head), texts, marks))
    long = [column.width for column in columns if column.letters == "l" and column.width > _NAME]
    left = _LINE - sum(column.width for column in columns) + sum(long)
    most = max([_NAME, *(left // len(long) for _ in long), *(name // _NAME_LINES for name in long)])
    wraps = rf">{{\raggedright\arraybackslash}}p{{{most / 2:g}em}}"
    for at, column in enumerate(columns):
        if column.letters == "l" and column.width > most:
            columns[at] = column._replace(letters=wraps, width=most)
    return columns


def _mark(table: ReportTable, row: int, column: int) -> str:
    """Return what a cell is written in: the best in bold, names of baselines slanted."""
    if (row, column) in table.best:
        return r"\textbf{%s}"
    is_name = column == table.align.find("l")
    return r"\emph{%s}" if is_name and table.styles.get(row) is RowStyle.BASELINE else "%s"


def _names(head: str, texts: Sequence[str], marks: Sequence[str]) -> LatexColumn:
    lengths = [cells_of(text) for text in texts]
    width = max(cells_of(head), *lengths) + _GAP
    write = breakable if width > _NAME else escaped
    cells = [mark % write(text) for mark, text in zip(marks, texts, strict=True)]
    return LatexColumn("l", [write(head)], cells, lengths, width)


def _figures(head: str, texts: Sequence[str], marks: Sequence[str]) -> LatexColumn:
    """Return a column of figures, aligned at the point; what is in brackets has its own column."""
    matches = [_FIGURE.fullmatch(text) for text in texts]
    longest = max((match["decimals"] or "" for match in matches if match), key=len, default="")
    is_double = any(match and match["behind"] for match in matches)
    letters, title = ("r@{ }l", r"\multicolumn{2}{c}{%s}") if is_double else ("r", "%s")
    heads = head_lines(head, texts) or [""]
    width = max(map(cells_of, [*heads, *texts])) + _GAP
    cells = []
    for text, match, mark in zip(texts, matches, marks, strict=True):
        cell = mark % _signed(match["figure"] if match else text)
        if match and match["figure"] != "n/a":
            absent = longest[len(match["decimals"] or "") :]
            cell += rf"\phantom{{{absent}}}" * bool(absent)
        behind = _signed(match["behind"] or "") if match else ""
        plain = behind.replace("{[}", "[").replace("{]}", "]")  # both are safe behind &
        cells.append(f"{cell} & {plain}" if is_double else cell)
    titles = [title % escaped(line) for line in heads]
    return LatexColumn(letters, titles, cells, [1] * len(cells), width)


def _signed(text: str) -> str:
    """Escape figures, which have minus signs, and their ranges dashes."""
    if not text.startswith("("):  # a name
        text = re.sub(r"(?<=\d)-(?=\d)", "–", re.sub(r"(?<![\w.])-(?=[\d.])", "−", text))
    return escaped(text)


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


def _grid(columns: Sequence[LatexColumn], rows: range, rules: Mapping[int, str]) -> str:
    """Return the `tabular` of a part of a table."""
    height = max(len(column.heads) for column in columns)
    heads = [[""] * (height - len(column.heads)) + [*column.heads] for column in columns]
    lines = [" & ".join(line) + r" \\" for line in zip(*heads, strict=True)]
    lines.append(r"\midrule")
    for row in rows:
        if row in rules and row > rows.start:
            lines.append(rules[row])
        lines.append(" & ".join(column.cells[row] for column in columns) + r" \\")
    letters = "".join(column.letters for column in columns)
    begin = rf"\begin{{tabular}}{{@{{}}{letters}@{{}}}}"
    return "\n".join([begin, r"\toprule", *lines, r"\bottomrule", r"\end{tabular}"])


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
