"""Check the built site of the documentation: links, anchors, tables, and that it needs no network.

`python -m tools.check_site build/site` names what is wrong and exits with 1. It finds what
`zensical build --strict` does not: links to files, anchors of the theme, addresses from which a
page would fetch something, files that do not belong in the site, and tables in console blocks that
are wider than the column of the site.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lxml import etree, html

FILES = {".css", ".html", ".ipynb", ".js", ".json", ".png", ".svg", ".xml"}
NAMED = {"LICENSE"}
"""What a site consists of: the endings of names, and whole names."""

_ADDRESSES = ("href", "src", "srcset", "poster", "data", "action")
_COLUMN = 80
"""Characters of a console block that fit the column of a page; only lines of text wrap."""

_FETCHED_BY_CSS = re.compile(r"(?:url\(|@import)\s*[\"']?\s*(?:https?:)?//[^\s\"')]+")


def defects(site: Path) -> list[str]:
    """Return what is wrong with a site, as lines of text."""
    _anchors.cache_clear()
    paths = sorted(path for path in site.rglob("*") if path.is_file())
    if not any(path.suffix == ".html" for path in paths):
        return [f"{site}: no pages"]
    return [f"{path.relative_to(site)}: {text}" for path in paths for text in _of_file(site, path)]


def _of_file(site: Path, path: Path) -> Iterator[str]:
    if path.suffix not in FILES and path.name not in NAMED:
        yield "does not belong in the site"
    if path.suffix == ".css":
        yield from map(_fetches, _FETCHED_BY_CSS.findall(path.read_text("utf-8")))
    elif path.suffix == ".html":
        yield from _of_page(site, path)


def _of_page(site: Path, page: Path) -> Iterator[str]:
    for line in _tree(page).xpath("//*[@class='go']/text()"):
        if len(line) > _COLUMN and "  " in line.strip():
            yield f"{line.strip()}: wider than {_COLUMN} characters"
    for element in _tree(page).iter(etree.Element):
        styles = [element.get("style", ""), (element.text or "") * (element.tag == "style")]
        yield from map(_fetches, _FETCHED_BY_CSS.findall(" ".join(styles)))
        for name in _ADDRESSES:
            if address := element.get(name, "").strip():
                yield from _of_address(site, page, element.tag, address)


def _of_address(site: Path, page: Path, tag: str, address: str) -> Iterator[str]:
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        if tag != "a" and parts.scheme != "data":
            yield _fetches(address)
        return
    target = page
    if parts.path:  # only a server shows 404.html, in place of any page
        folder, path = (
            (site, parts.path[1:]) if page.name == "404.html" else (page.parent, parts.path)
        )
        target = (folder / unquote(path)).resolve()
    if not (target.is_file() and target.is_relative_to(site.resolve())):
        yield f"{address}: no such file in the site"
    elif parts.fragment and unquote(parts.fragment) not in _anchors(target):
        yield f"{address}: no such anchor"


def _fetches(address: str) -> str:
    return f"{address}: fetched from elsewhere"


def _tree(page: Path) -> html.HtmlElement:
    return html.fromstring(page.read_bytes(), parser=html.HTMLParser(encoding="utf-8"))


@cache
def _anchors(page: Path) -> set[str]:
    named = _tree(page).xpath("//@id | //a/@name") if page.suffix == ".html" else []
    return {str(name) for name in named}


def main() -> int:
    """Print what is wrong with the site named on the command line."""
    broken = defects(Path(sys.argv[1]).resolve())
    print("\n".join(broken) or "every link of the site leads to a file or an anchor of the site")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
