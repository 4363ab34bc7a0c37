"""The cells of tables in LaTeX, as a person reads them in a paper."""

from __future__ import annotations

import re

_TABULAR = re.compile(r"\\begin\{tabular\}\{@\{\}(.*?)@\{\}\}\n\\toprule\n(.*?)\\bottomrule", re.S)
_COLUMN = re.compile(r"r@\{ \}l|[rl]|>\{\\raggedright\\arraybackslash\}p\{[\d.]+em\}")
_ROW_END = re.compile(r" ?\\\\$")
_TEXTS = {
    r"\textasciitilde": "~", r"\textasciicircum": "^", r"\textless": "<", r"\textgreater": ">",
    r"\textbar": "|", r"\textquotedbl": '"', r"\allowbreak": "", "$-$": "-", r"\textbf": "",
    r"\emph": "",
}  # fmt: skip


def plain(text: str) -> str:
    text = re.sub(r"\\phantom\{[^}]*\}", "", text.replace(r"\textbackslash{}", "\0"))
    text = re.sub(r"\\multicolumn\{2\}\{c\}", "", text)
    for command, character in _TEXTS.items():
        text = text.replace(command, character)
    text = re.sub(r"(?<!\\)[{}]", "", text)
    return re.sub(r"\\([&%$#_{}])", r"\1", text).replace("\0", "\\")


def grids(text: str) -> list[list[list[str]]]:
    """Return the rows of each grid, the heads first; what is in brackets belongs to its figure."""
    found = []
    for letters, body in _TABULAR.findall(text):
        columns = _COLUMN.findall(letters)
        assert "".join(columns) == letters
        above, below = (
            [
                re.split(r"(?<!\\)&", _ROW_END.sub("", line))
                for line in part.splitlines()
                if _ROW_END.search(line)
            ]
            for part in body.split("\\midrule\n", 1)
        )
        heads = [
            " ".join(filter(None, (plain(cell).strip() for cell in lines)))
            for lines in zip(*above, strict=True)
        ]
        assert len(heads) == len(columns)
        found.append([heads, *(_row(columns, cells) for cells in below)])
    return found


def _row(columns: list[str], cells: list[str]) -> list[str]:
    left = [plain(cell).strip() for cell in cells]
    row = [
        f"{left.pop(0)} {left.pop(0)}".strip() if "@" in column else left.pop(0)
        for column in columns
    ]
    assert not left
    return row


def table(text: str) -> list[list[str]]:
    """Return the rows of a single table, whose columns may continue in other grids."""
    first, *others = grids(text)
    for other in others:
        shared = sum(a == b for a, b in zip(first[0], other[0], strict=False))
        assert [row[:shared] for row in first] == [row[:shared] for row in other]
        first = [[*row, *more[shared:]] for row, more in zip(first, other, strict=True)]
    return first
