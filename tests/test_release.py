"""What a release consists of: its description, its extras, its site."""

from __future__ import annotations

import re
import tomllib
from html import unescape
from pathlib import Path

import pytest
import yaml

import ave_score
from tests.conftest import ROOT
from tools.check_site import defects
from tools.console import block

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_core_needs_what_it_says() -> None:
    needed = [re.split("[>=]", line)[0] for line in PROJECT["dependencies"]]
    assert needed == ["click", "jinja2", "lxml", "numpy", "pandas", "rich"]


def test_the_page_about_installing_has_every_extra() -> None:
    page = (ROOT / "docs/how-to/install.md").read_text("utf-8")
    assert re.findall(r"^\| `(\w+)` \|", page, re.M) == [*PROJECT["optional-dependencies"]]
    _, *tested = (
        version
        for line in PROJECT["classifiers"]
        for version in re.findall(r":: (3(?:\.\d+)?)$", line)
    )
    assert f"tested with {', '.join(tested[:-1])} and {tested[-1]}" in page
    assert f"Python {tested[0]} or later" in page


def test_the_citation_is_of_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    # what the schema of CFF 1.2.0 requires
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert citation["cff-version"] == "1.2.0"
    assert citation["authors"] == PROJECT["authors"]
    assert (str(citation["version"]), citation["license"]) == (ave_score.__version__, "MIT")


SITE = {
    "index.html": '<a href="how/to.html#b%20c">x</a><a href="https://example.org">y</a>'
    '<link href="a.css"><img src="data:image/png;base64,AA"><p id="top">',
    "how/to.html": '<p id="b c"><a href="../index.html#top">x</a><a href="#">up</a>',
    "404.html": '<a href="/how/to.html">x</a>',
    "a.css": "p { background: url('data:image/svg+xml,<svg>') }",
}


WIDE = "#  Run" + "  0.50" * 13
"""A line of a table in a console block; lines of text may be long."""


def test_only_a_dollar_is_a_prompt_of_a_console_block() -> None:
    shown = block('$ a "b"\n#  Run  % of <all>\n$ c\n')
    lines = unescape(re.sub("<[^>]+>", "", shown)).splitlines()
    assert lines == ['$ a "b"', "#  Run  % of <all>", "$ c"]
    assert shown.count('class="gp"') == 2
    assert '<span class="go">#  Run  % of &lt;all&gt;</span>' in shown


@pytest.mark.parametrize(("name", "text", "expected"), [
    ("index.html", '<a href="no.html">x</a>', "index.html: no.html: no such file in the site"),
    ("index.html", '<img src="../out.png">', "index.html: ../out.png: no such file in the site"),
    ("index.html", '<a href="how/to.html#d">', "index.html: how/to.html#d: no such anchor"),
    ("how/to.html", '<a href="/a.css">', "how/to.html: /a.css: no such file in the site"),
    ("b.html", '<script src="//cdn.org/a.js">', "b.html: //cdn.org/a.js: fetched from elsewhere"),
    ("b.html", '<link href="https://f.org/a">', "b.html: https://f.org/a: fetched from elsewhere"),
    ("b.css", "@import 'http://a.b/c';", "b.css: @import 'http://a.b/c: fetched from elsewhere"),
    ("b.html", f'<i class="go">{WIDE}</i><i class="go">{"word " * 20}</i>',
        f"b.html: {WIDE}: wider than 80 characters"),
    ("a/__pycache__/b.pyc", "", "a/__pycache__/b.pyc: does not belong in the site"),
])  # fmt: skip
def test_a_broken_site_is_refused(tmp_path: Path, name: str, text: str, expected: str) -> None:
    (tmp_path / "out.png").write_bytes(b"")
    site = tmp_path / "site"
    for path, content in SITE.items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(content)
    assert defects(site) == []
    kept = SITE.get(name, "")
    (site / name).parent.mkdir(parents=True, exist_ok=True)
    (site / name).write_text(kept + text)
    assert expected in defects(site)


def test_a_folder_without_pages_is_refused(tmp_path: Path) -> None:
    assert defects(tmp_path) == [f"{tmp_path}: no pages"]
