"""Every published table next to the one that ave-score computes, figure by figure.

`python -m tools.reproduction` prints how many figures match and lists those that do not;
`python -m tools.generate` writes `docs/explanation/reproduction.md`. The published figures are
those of `gold/published/*.tsv`, as printed; the computed ones are the output of the command line
for the reconstructed files of `gold/` and `sample_runs/`.
"""

from __future__ import annotations

import contextlib
import csv
import io
import sys
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from itertools import groupby
from typing import NamedTuple

from ave_score.commands import run
from ave_score.core.exact import fixed
from ave_score.counts import ValidationCounts
from ave_score.measures import parse_measures
from tools.own import ROOT, own_files

Record = dict[str, str]

VALIDATION = {"f1": "f1", "precision": "precision", "recall": "recall"}
SELECTION = {
    "estimated_qa_performance": "estimated_qa_performance",
    "qa_accuracy": "qa_accuracy",
    "percent_of_perfect": "normalized_qa_accuracy",
    "qa_rej_accuracy": "qa_rej_accuracy",
    "qa_accuracy_max": "qa_accuracy_max",
}
ANSWERING = {
    "c@1": "c_at_1",
    "accuracy": "accuracy_with_withheld",
    "correct": "n_right",
    "incorrect": "n_wrong",
    "unanswered": "n_unanswered",
    "unanswered_right": "n_withheld_right",
    "unanswered_wrong": "n_withheld_wrong",
}
"""Column of the published files -> measure."""

COLLECTIONS = {
    "questions": "questions",
    "answers": "answers",
    "percent_of_available": "% of available",
    "validated": "VALIDATED",
    "rejected": "REJECTED",
    "unknown": "UNKNOWN",
}
"""Column of the published file -> column of `ave-score stats`."""


class Figure(NamedTuple):
    """One figure: as printed, as computed, and why the two differ, if known."""

    printed: str
    computed: str
    reason: str = ""

    @property
    def matches(self) -> bool:
        """Whether the two are the same number, such as 0.5 and 0.50."""
        try:
            return Decimal(self.printed) == Decimal(self.computed.replace(",", ""))
        except ArithmeticError:
            return False


class Table(NamedTuple):
    """A published table: for each row a name and a figure per column, None if none was printed."""

    title: str
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Figure | None]]]

    @property
    def figures(self) -> Iterator[tuple[str, str, Figure]]:
        """Every printed figure with its row and its column."""
        for name, cells in self.rows:
            for column, figure in zip(self.columns, cells, strict=True):
                if figure is not None:
                    yield name, column, figure


def published(name: str) -> list[Record]:
    """Return the rows of a file of published figures."""
    with (ROOT / "gold" / "published" / f"{name}.tsv").open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


@cache
def tables() -> list[Table]:
    """Return every published table with the computed figures."""
    return [*_collections(), *_scored("validation", VALIDATION), *_scored("selection", SELECTION),
            *_answering()]  # fmt: skip


def _collections() -> Iterator[Table]:
    for edition, rows in groupby(published("collections"), key=lambda row: row["edition"]):
        made = []
        for row in rows:
            (described,) = _csv("stats", f"{_gold(edition, row['lang'])}", "--format", "csv")
            made.append((row["lang"], _figures(row, described, COLLECTIONS, "5.1-5.11")))
        columns = _printed_columns(made, COLLECTIONS)
        yield Table(f"Tables 5.1-5.11: collections of AVE {edition}", *columns)


def _scored(name: str, measures: Mapping[str, str]) -> Iterator[Table]:
    key = lambda row: (row["table"], row["edition"], row["lang"])  # noqa: E731
    for (table, edition, lang), rows in groupby(published(name), key=key):
        computed = _by_name(edition, lang)
        made = [
            (row["run"], _figures(row, computed[row["kind"], row["run"]], measures, table))
            for row in rows
        ]
        title = f"Table {table}: AVE {edition}, {lang}, {name}"
        yield Table(title, *_printed_columns(made, measures))


def _answering() -> Iterator[Table]:
    made = []
    for row in published("answering"):
        gold = f"gold/respubliqa{row['edition']}-{row['lang']}.qa.tsv.gz"
        rows = _markdown("score", gold, "--letters", "respubliqa", *_measures(ANSWERING))
        scored = next(other for other in rows if other["Run"] == row["run"])
        made.append((row["run"], _figures(row, scored, ANSWERING)))
    yield Table("Tables 6.3-6.4: ResPubliQA 2009", *_printed_columns(made, ANSWERING))


def _figures(
    row: Record, computed: Record, columns: Mapping[str, str], table: str = ""
) -> list[Figure | None]:
    misprints = {
        (misprint["table"], misprint["lang"], misprint["run"], misprint["column"]): misprint[
            "reason"
        ]
        for misprint in published("misprints")
    }
    where = (table, row["lang"], row.get("run", ""))
    return [
        Figure(row[column], computed[name], misprints.get((*where, column), ""))
        if row[column]
        else None
        for column, name in columns.items()
    ]


def _printed_columns(
    rows: list[tuple[str, list[Figure | None]]], columns: Mapping[str, str]
) -> tuple[list[str], list[tuple[str, list[Figure | None]]]]:
    """Drop the columns that a table does not have."""
    used = [number for number in range(len(columns)) if any(cells[number] for _, cells in rows)]
    names = list(columns)
    return (
        [names[number] for number in used],
        [(name, [cells[number] for number in used]) for name, cells in rows],
    )


@cache
def _by_name(edition: str, lang: str) -> dict[tuple[str, str], Record]:
    """Score a collection as an organiser would; return every row by its kind and name."""
    base = f"ave{edition}-{lang}"
    runs = [*map(str, own_files(f"sample_runs/{base}"))]
    judged = [path for path in (f"gold/{base}.qa.tsv", f"gold/{base}.qa.tsv.gz") if _exists(path)]
    beside = [*(("--qa", judged[0]) if judged else ())]
    wanted = _measures(VALIDATION if not judged else VALIDATION | SELECTION)
    rows = _markdown("score", _gold(edition, lang), *runs, *beside, *wanted)
    scores: dict[tuple[str, str], Record] = {}
    for row in rows:
        scores.setdefault((row["Kind"], row["Run"]), {}).update(row)
    return scores


def _measures(columns: Mapping[str, str]) -> list[str]:
    return ["--measures", ",".join(columns.values())]


def _gold(edition: str, lang: str) -> str:
    base = f"gold/ave{edition}-{lang}.xml"
    return base if _exists(base) else f"{base}.gz"


def _exists(path: str) -> bool:
    return (ROOT / path).exists()


def _ran(*arguments: str) -> str:
    said = io.StringIO()
    with contextlib.chdir(ROOT), contextlib.redirect_stdout(said):
        if code := run([*arguments]):
            raise RuntimeError(f"{' '.join(arguments)}: exit code {code}")
    return said.getvalue()


def _csv(*arguments: str) -> list[Record]:
    return list(csv.DictReader(io.StringIO(_ran(*arguments))))


def _markdown(*arguments: str) -> list[Record]:
    """Return the rows of all tables, cells by the key of their measure, as they are printed."""
    keys = arguments[-1].split(",")
    rows: list[Record] = []
    heads: list[str] = []
    for line in _ran(*arguments, "--format", "markdown").splitlines():
        if line.startswith("|"):
            cells = [cell.strip(" *").replace("\\", "") for cell in line.strip("|").split("|")]
            if cells[0] == "#":
                names = [name for name in ("#", "Run", "Team", "Kind") if name in cells]
                heads = [*names, *keys[: len(cells) - len(names)]]
                keys = keys[len(cells) - len(names) :]
            elif not cells[0].startswith("-"):
                rows.append(dict(zip(heads, cells, strict=True)))
    return rows


def _differences() -> Iterator[tuple[Table, str, str, Figure]]:
    """Every figure that differs, with its table, row and column."""
    for table in tables():
        yield from ((table, *where) for where in table.figures if not where[-1].matches)


def counts() -> tuple[int, int, int]:
    """Return how many figures match, how many differ for a known reason, and the total."""
    every = [figure for table in tables() for _, _, figure in table.figures]
    matching = sum(figure.matches for figure in every)
    explained = sum(bool(figure.reason) for *_, figure in _differences())
    return matching, explained, len(every)


def page() -> str:
    """Return docs/explanation/reproduction.md."""
    matching, explained, total = counts()
    parts = [
        "# Reproduction of published tables",
        f"**{matching:,} of {total:,} published figures are reproduced**, with every printed "
        f"decimal. The {explained} others were rounded in another way:",
        "\n".join(
            f"- {table.title}, {_plain(name)}, {_plain(column)}: *{figure.printed}* → "
            f"**{figure.computed}**. {figure.reason}."
            for table, name, column, figure in _differences()
        ),
        "The tables are those of AVE 2006-2008 (the collections with runs, and those of 2008 "
        "without) and of four runs of ResPubliQA 2009. A cell has the published figure. "
        "`ave-score` prints the same number for the collections and runs in `gold/` and "
        "`sample_runs/`; where it does not, the cell has both, *published* → **computed**. These "
        "files were generated to have the published counts and scores, with invented texts. The "
        "match shows that the measures and their rounding are those of the papers. It shows "
        "nothing about the original data: see [What is reconstructed](reconstructed.md).",
        "Rows are in the order of the papers. `ave-score` ranks by exact values, so rows that "
        "print the same figure may be in another order. `python -m tools.generate` writes this "
        "page, and `python -m tools.reproduction` counts the matches.",
    ]
    for table in tables():
        parts += [f"## {table.title}", _markdown_table(table)]
    return "\n\n".join([*parts, *_weighted_error()]) + "\n"


def _weighted_error() -> list[str]:
    """Show that table 3 of the paper that defines `e_alpha` contradicts itself.

    It prints E and F0.5 of accepting and of rejecting every answer, and counts of answers. The
    counts give 35.8 % correct answers, the scores 34.95 %.
    """
    rows = []
    for name, key, accepted, printed in (
        ("all accepted, E", "e_alpha", True, "0.5537"),
        ("all rejected, E", "e_alpha", False, "0.1519"),
        ("all accepted, F0.5", "f_beta(0.5)", True, "0.40"),
    ):
        (measure,) = parse_measures(key)
        cells = []
        for correct in (3495, 3580):
            both = (correct, 10_000 - correct)
            counts = ValidationCounts(*both) if accepted else ValidationCounts(0, 0, *both)
            cells.append(fixed(measure(counts) or 0, len(printed) - 2))
        rows.append(f"| {name} | {printed} | {' | '.join(cells)} |")
    return [
        "## Weighted error: a published table that contradicts itself",
        "Table 3 of the paper on answer validation in Russian question answering, which defines "
        "`e_alpha`, has two trivial systems: one accepts every answer, one rejects every answer. "
        "Their scores depend only on the share of correct answers. The printed scores follow "
        "34.95 % correct answers; the printed counts give 35.8 %. No share gives both, so the "
        "other rows of that table cannot be reproduced, and nothing is checked against them. The "
        "formula is confirmed by the three scores at 34.95 %.",
        "| | printed | computed at 34.95 % | computed at 35.8 % |\n|---|--:|--:|--:|\n"
        + "\n".join(rows),
    ]


def _markdown_table(table: Table) -> str:
    heads = [_plain(column) for column in table.columns]
    lines = [f"| | {' | '.join(heads)} |", f"|---|{'--:|' * len(heads)}"]
    for name, cells in table.rows:
        lines.append(f"| {_plain(name)} | {' | '.join(map(_shown, cells))} |")
    return "\n".join(lines)


def _plain(text: str) -> str:
    return text.replace("_", "\\_")


def _shown(figure: Figure | None) -> str:
    if figure is None:
        return ""
    if figure.matches:
        return figure.printed
    return f"*{figure.printed}* → **{figure.computed}**"


def main() -> int:
    """Print the mismatches and the totals; return 1 if a figure differs without a known reason."""
    matching, explained, total = counts()
    for table, name, column, figure in _differences():
        reason = figure.reason or "no known reason"
        print(f"{table.title}: {name}, {column}: printed {figure.printed}, "
              f"computed {figure.computed}. {reason}.")  # fmt: skip
    print(f"{matching:,} of {total:,} figures match, {explained} differ for a known reason")
    return 0 if matching + explained == total else 1


if __name__ == "__main__":
    sys.exit(main())
