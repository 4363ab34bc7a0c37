"""The shape of an output: what a parser of its format finds besides texts.

Each function fails if something in the output is obeyed by who reads it, such as a terminal, the
log of a platform or a spreadsheet. Outputs about files of the same shape have equal shapes,
whatever the words in the files are.
"""

from __future__ import annotations

import csv
import io
import json
import re
import stat
import struct
import tomllib
import zipfile
from collections import Counter
from collections.abc import Callable
from html.parser import HTMLParser

import pandas
from lxml import etree
from markdown_it import MarkdownIt

from tests.helpers_check import obeyed
from tests.helpers_files import is_safe

Shape = Counter[tuple[object, ...]]
"""How often there is what."""

FORMULA = re.compile("[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""What OWASP's page on CSV injection lists as the start of a formula."""

NUMBER = re.compile(r"[-+]?[\d.,]+(e[-+]?\d+)?( \[.*\])?|-inf")


def text(said: str) -> Shape:
    """Fail for a text that a terminal, or the log of GitHub or Azure, would obey."""
    for line in said.split("\n"):
        assert is_safe(line), ascii(line)
        assert "##vso[" not in line, line
    assert not obeyed(said), obeyed(said)
    return Counter()


def coloured(said: str) -> Shape:
    """Fail for a text in a terminal that has more than the program's own colours."""
    return text(re.sub(r"\x1b\[[\d;]*m", "", said))


def github(said: str) -> Shape:
    """Return the names of annotations and of their properties; each line is one."""
    found = obeyed(said)
    assert len(found) == said.count("\n")
    text(re.sub("^::", "", said, flags=re.M))
    named = {name for command in found for name in command.properties}
    assert named <= {"file", "line", "col", "endColumn", "title"}
    return Counter()


def rows(said: str) -> list[list[str]]:
    """Return the cells of CSV."""
    return list(csv.reader(io.StringIO(said, newline=""), strict=True))


def for_spreadsheets(said: str) -> Shape:
    """Return how many cells rows have; fail for a cell that a spreadsheet computes."""
    for cell in (cell for row in rows(said) for cell in row):
        assert not FORMULA.match(cell) or NUMBER.fullmatch(cell), cell
    text(said)
    return Counter((len(row),) for row in rows(said))


def document(said: str) -> Shape:
    """Return the keys of JSON in ASCII; those inside it may be names."""
    text(said)
    assert said.isascii()
    value = json.loads(said)
    return Counter((key,) for key in value) if isinstance(value, dict) else Counter()


def sarif(said: str) -> Shape:
    """Return the keys of a report, in which no message has a link (3.11.6 of the standard)."""
    for run in json.loads(said)["runs"]:
        told = [*run["results"], *run["invocations"][0]["toolExecutionNotifications"]]
        assert not [item for item in told if re.search(r"(?<!\\)\]\(", item["message"]["text"])]
    return document(said)


def documents(said: str) -> Shape:
    """Return the keys of JSON Lines."""
    return sum(map(document, said.splitlines()), Counter())


# what stands for a character, and where a word may be broken
_TEX_TEXT = re.compile(
    r"\\(?:textbackslash|textasciitilde|textasciicircum|textless|textgreater|textbar|textquotedbl)\{\}"
    r"|\\[&%$#_{}]|\{\}|\{[\[\]*]\}|\$-\$|\\allowbreak\{\}"
)
_TEX_COMMANDS = {
    "\\", "abovetopsep", "addlinespace", "addtocounter", "arraybackslash", "begin", "bfdefault",
    "bigskipamount", "bottomrule", "caption", "centering", "else", "emph", "end", "fi",
    "footnotesize", "ifdim", "label", "linewidth", "midrule", "multicolumn", "par", "phantom",
    "raggedright", "renewcommand", "resizebox", "setlength", "shortstack", "smallskip", "textbf",
    "texttt", "toprule", "width",
}  # fmt: skip
"""The commands of tables; how many of them there are depends on how long names are."""


def latex(said: str) -> Shape:
    """Fail for a command that tables do not have; all rows have as many cells."""
    text(said)
    bare = "\n".join(line for line in said.split("\n") if not line.startswith("% "))
    bare = re.sub(r"(?<!\\)%(?=\n|$)", "", _TEX_TEXT.sub("", bare))
    for table in re.findall(r"\\midrule\n(.*?)\\bottomrule", bare, re.S):
        cells = {line.count("&") for line in table.splitlines() if line.endswith(r"\\")}
        assert len(cells) == 1, cells
    assert {*re.findall(r"\\([A-Za-z]+|.)", bare)} <= _TEX_COMMANDS
    assert bare.count("{") == bare.count("}")
    assert not re.search("[%$^~#_]", bare)
    return Counter()


_MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_LINKED = re.compile(r"://|www\.|(?<![A-Za-z0-9])@\w|\w@[\w-]+\.\w")
"""What GitHub makes a link or a mention of in a text without any markup."""


def markdown(said: str) -> Shape:
    """Return the markup of Markdown; the comment that stops a mention is none."""
    said = re.sub(r"\A---\n\{.*?\n\}\n---\n", "", said, flags=re.S)  # JSON that TIRA reads
    text(said)
    found: Shape = Counter()
    for token in _MARKDOWN.parse(said):
        found[token.type,] += token.type != "inline"
        children = [item for item in token.children or () if item.content != "<!-- -->"]
        found.update((item.type,) for item in children if item.type not in _TEXTS)
        source = re.sub(r"`[^`]*`", "", token.content if token.children else "")
        assert not _LINKED.search(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", source)), source
    return +found


_TEXTS = ("text", "text_special", "softbreak")

_ADDRESS = re.compile(r"#[\w%.~!*'()-]*|#q=.*|(?!//|[a-z]+:)[\w./%~-]+(?:#[\w.-]*)?", re.S)


class _Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: Shape = Counter()
        self.own: list[str] = []
        self._is_own = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._is_own = tag in ("script", "style") and not attrs  # not that of data
        for name, value in attrs:
            if name in ("href", "src", "action", "formaction", "data", "xlink:href"):
                assert _ADDRESS.fullmatch(value or ""), value
        if tag not in ("wbr", "title", "tspan"):  # of long names, which are shortened or folded
            self.found[tag, *sorted(name for name, _ in attrs if name != "title")] += 1

    def handle_data(self, data: str) -> None:
        self.own += [data] * self._is_own

    def handle_comment(self, data: str) -> None:
        self.found["comment",] += 1


def page(said: str) -> Shape:
    """Return the elements of HTML with their attributes."""
    text(re.sub("[\t]", " ", said))
    elements = _Elements()
    elements.feed(said)
    elements.close()
    return elements.found + Counter((data,) for data in elements.own)


def xml(said: str | bytes) -> Shape:
    """Return the elements of XML, which has no comments, references or instructions."""
    root = etree.fromstring(said.encode() if isinstance(said, str) else said)
    assert not [*root.iter(etree.Comment, etree.PI, etree.Entity)]
    return Counter((one.tag,) for one in root.iter())


def junit(said: str) -> Shape:
    """Return the elements of JUnit's XML."""
    text(said)
    return xml(said)


def svg(data: bytes) -> Shape:
    """Return the kinds of elements of a figure; how many there are depends on names, too."""
    text(data.decode())
    found = xml(re.sub(rb"<!DOCTYPE[^>]*>|<!--.*?-->", b"", data, flags=re.S))
    return Counter({*found})


def png(data: bytes) -> Shape:
    """Return the kinds of chunks of an image."""
    at, found = 8, set()
    while at < len(data):
        found.add((data[at + 4 : at + 8].replace(b"iTXt", b"tEXt"),))  # of Unicode, of Latin-1
        at += struct.unpack(">I", data[at : at + 4])[0] + 12
    return Counter(found)


def pdf(data: bytes) -> Shape:
    """Return the names of what a PDF does, without those of its letters."""
    bare = re.sub(
        rb"\((?:\\.|[^\\)])*\)", b"", re.sub(rb"stream\r?\n.*?endstream", b"", data, flags=re.S)
    )
    return Counter({(name,) for name in re.findall(rb"/[A-Z][A-Za-z]{2,}\b(?!\+)", bare)})


def trec(said: str) -> Shape:
    """Return how many fields between tabs lines have."""
    text(said.replace("\t", " "))
    return Counter((line.count("\t"),) for line in said.split("\n"))


def archive(data: bytes) -> Shape:
    """Return the suffixes in a zip file; each name is a file below the folder it is unpacked to."""
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        for info in opened.infolist():
            assert re.fullmatch(r"\w[\w.-]*(?:/\w[\w.-]*)*", info.filename), info.filename
            assert info.external_attr >> 28 == stat.S_IFREG >> 12
        return Counter((name.rpartition(".")[2],) for name in opened.namelist())


FORMATS: dict[str, Callable[[str], Shape]] = {
    "table": text, "full": text, "concise": text, "value": trec, "scores": document,
    "json": document, "csv": for_spreadsheets, "markdown": markdown, "latex": latex,
    "trec": trec, "github": github, "gitlab": document, "sarif": sarif,
    "junit": junit,
}  # fmt: skip
"""Format of reports and findings -> its reader."""


def lines(data: bytes) -> Shape:
    """Return how many fields lines have that are no comments."""
    said = [line for line in data.decode().split("\n") if not line.startswith("#")]
    assert is_safe("".join(said))
    return Counter((len(line.split()),) for line in said)


def tabbed(data: bytes) -> Shape:
    """Return how many cells rows between tabs have; only the kinds with line ends quote them."""
    cells = {line.count(b"\t") for line in data.split(b"\n")[:-1]}
    quoted = csv.reader(io.StringIO(data.decode(), newline=""), delimiter="\t")
    return Counter({(len(row) - 1,) for row in quoted} if len(cells) > 1 else {(*cells,)})


def parquet(data: bytes) -> Shape:
    """Return the number of columns."""
    return Counter([pandas.read_parquet(io.BytesIO(data)).shape[1:]])


NOTATIONS: dict[str, Callable[[bytes], Shape]] = {
    "lines": lines,
    "trec": lines,
    "csv": lambda data: Counter((len(row),) for row in rows(data.decode())),
    "tsv": tabbed,
    "json": lambda data: Counter([(len(json.loads(data)),)]),
    "jsonl": lambda data: Counter((len(json.loads(line)),) for line in data.split(b"\n")[:-1]),
    "parquet": parquet,
    "xml": xml,
    "toml": lambda data: Counter((key,) for key in tomllib.loads(data.decode())),
}
"""Notation of files for programs, which has all texts as they are -> its reader."""

_OF_TEXT: dict[str, Callable[[str], Shape]] = {
    ".csv": for_spreadsheets, ".json": document, ".jsonl": documents, ".md": markdown,
    ".tex": latex, ".html": page, ".txt": text, "": text,
}  # fmt: skip
_OF_BYTES = {".svg": svg, ".png": png, ".pdf": pdf, ".zip": archive}


def _decoded(read: Callable[[str], Shape]) -> Callable[[bytes], Shape]:
    return lambda data: read(data.decode())


OF_SUFFIX = _OF_BYTES | {suffix: _decoded(read) for suffix, read in _OF_TEXT.items()}
"""Suffix of a file of results -> its reader."""
