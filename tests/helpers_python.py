"""Files for the tests of the Python functions, and the cells of HTML tables."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from html.parser import HTMLParser
from itertools import permutations

import ave_score
from tests.conftest import ROOT
from tools.own import own_files

GOLD = ROOT / "gold/tiny.xml"
CAREFUL, BOLD = (ROOT / f"sample_runs/tiny/{name}.txt" for name in ("careful", "bold"))
PAPER = ["gold/ave2007-de.xml", *map(str, own_files("sample_runs/ave2007-de"))]
LISTS = ["gold/lists.json", "sample_runs/lists/brief.tsv", "sample_runs/lists/broad.tsv"]


def runs_named(names: Iterable[str]) -> list[ave_score.Run]:
    """Return a run of the small collection under several names: none is a copy of another.

    Each has another order of confidences, with the same values.
    """
    runs = [ave_score.read_run(BOLD, GOLD, name=name) for name in names]
    orders = permutations(range(len(runs[0].confidences))) if runs else iter(())
    known: set[tuple[float, ...]] = set()
    for run in runs:
        values = [*run.confidences]
        found = (tuple(values[at] for at in order) for order in orders)
        chosen = next(one for one in found if one not in known)
        known.add(chosen)
        run.confidences[:] = array("d", chosen)
    return runs


class Cells(HTMLParser):
    """The texts of the cells of all tables, and the other tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.tags: set[str] = set()
        self._inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            self._inside = True

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.rows[-1][-1] += data
