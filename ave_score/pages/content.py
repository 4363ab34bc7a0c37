"""The content of a page: texts and tables for people, made of what its readers may see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from pathlib import Path
from typing import NamedTuple

from ave_score.core.errors import for_pages
from ave_score.core.text import visible
from ave_score.core.writing import whole_file
from ave_score.counts.counted import Kind
from ave_score.inference.compare_records import Comparison
from ave_score.inference.units import Subject
from ave_score.measures import Measure
from ave_score.pages.audience import ORGANISERS, Audience
from ave_score.pages.facts import Explained, explained, facts_of
from ave_score.pages.figures import PageFigures, figures_of
from ave_score.pages.listings import FileListing, listings
from ave_score.pages.questions import Questions, questions_of
from ave_score.pages.render import render
from ave_score.pages.results import Results, seen
from ave_score.reports.breakdown import breakdown_report
from ave_score.reports.compare import DIGITS as COMPARED_DIGITS
from ave_score.reports.compare import compare_report
from ave_score.reports.compare_conclusions import conclusions
from ave_score.reports.findings.report import ListedFinding
from ave_score.reports.report import DIGITS, ReportTable
from ave_score.reports.score import score_tables
from ave_score.reports.score_notes import run_notes, with_remarks
from ave_score.rules import Rule
from ave_score.tasks.ranked import best_first
from ave_score.tasks.scores import Scores
from ave_score.tasks.subjects import kind_of


class Claim(NamedTuple):
    """A conclusion: what is claimed, and the evidence."""

    text: str
    evidence: str


@dataclass(frozen=True, repr=False)
class Page:
    """The content of a page.

    Attributes
    ----------
    title
        Its title.
    audience, seen
        Its readers, and what it is made of: charts and matrices take their figures from there.
    facts
        What was scored and how: terms and texts.
    conclusions
        What the comparison found, a sentence or more for each measure.
    standings
        A table of the runs for each measure that is compared: intervals, ranks, letters.
    tables
        The tables of scores, one for each kind of measure.
    scores
        The same, as one table if it fits the page.
    breakdowns
        A table of groups of questions for each breakdown.
    files
        The findings in files.
    measures
        The measures of the tables, explained.
    own
        The runs of the team whose page it is.
    figures
        The figures of rankings, curves and groups of questions.
    questions
        What each run does on each question; None if the readers may not see it.
    """

    title: str
    audience: Audience
    seen: Results
    facts: Sequence[tuple[str, str]]
    conclusions: Sequence[Claim]
    standings: Sequence[ReportTable]
    tables: Sequence[ReportTable]
    scores: Sequence[ReportTable]
    breakdowns: Sequence[ReportTable]
    files: Sequence[FileListing]
    measures: Sequence[Explained]
    own: frozenset[str]
    figures: PageFigures
    questions: Questions | None

    @property
    def comparisons(self) -> Sequence[Comparison]:
        """The comparison of the runs by each measure; none if they are not compared."""
        return self.seen.compared.comparisons if self.seen.compared is not None else ()

    @property
    def signatures(self) -> Sequence[str]:
        """The lines that identify the policies, and the design of the comparison, if any."""
        return [part.signature for part in (self.seen.scores, self.seen.compared) if part]

    @property
    def ranking_notes(self) -> Sequence[str]:
        """The notes below the rankings: those of the comparison, if there is one, each once."""
        of_tables = dict.fromkeys(note for table in self.standings for note in table.notes)
        return [*of_tables] or run_notes(self.seen.scores.rows)

    @property
    def sections(self) -> Iterator[tuple[str, str]]:
        """The ids and the names of the sections, in the order of the page."""
        yield "about", "About"
        if self.standings or self.figures.rankings:
            yield "ranking", "Ranking"
        yield "scores", "Scores"
        if self.questions is not None:
            yield "questions", f"{self.questions.unit.capitalize()}s"
        if self.figures.curves or self.figures.reliability:
            yield "curves", "Curves"
        if self.breakdowns:
            yield "breakdowns", "Groups"
        if self.files:
            yield "findings", "Findings"
        yield "reading", "Reading"

    @property
    def rules(self) -> Sequence[tuple[Rule, Sequence[tuple[str, ListedFinding]]]]:
        """The rules of the findings, errors first, with those listed and the names of files."""
        of_rules: dict[Rule, list[tuple[str, ListedFinding]]] = {}
        for file in self.files:
            for listed in file.listed:
                of_rules.setdefault(listed.finding.rule, []).append((file.name, listed))
        return sorted(of_rules.items(), key=lambda item: (item[0].severity.value, item[0].code))

    def to_html(self, index: str = "") -> str:
        """Return the page, which needs no other file and no network; `index` is linked."""
        return render("page.html", page=self, index=index)

    def save(self, path: Path | str) -> None:
        """Write the page to a file, completely or not at all.

        Raises `InputError` if it cannot be written.
        """
        text = self.to_html()
        with whole_file(str(path)) as out:
            out.write(text)

    def __repr__(self) -> str:
        return f"<Page {self.title}>"

    def _repr_html_(self) -> str:
        """Return a frame with the page, whose script reaches nothing of the notebook."""
        style = "width: 100%; height: 40rem; border: 0"
        text = escape(self.to_html())
        return f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{text}"></iframe>'


def page_of(
    results: Results,
    audience: Audience = ORGANISERS,
    *,
    title: str | None = None,
    digits: int | None = None,
) -> Page:
    """Return the page about some results for its readers.

    Parameters
    ----------
    results
        Everything that is known; `seen` removes what the readers may not see.
    audience
        The readers.
    title
        By default the file name of the collection.
    digits
        Decimals of all figures; by default 2 in tables of scores, 3 in those of comparisons, but 2
        if what is printed is all that readers may see.

    Returns
    -------
    Page
        Its content.
    """
    digits = DIGITS if digits is None and not audience.sees_exact else digits
    known = seen(results, audience, digits)
    known = replace(known, not_compared=for_pages(known.not_compared))
    scores = known.scores
    sentences = _conclusions(known, digits)
    said = [*sentences, *map(visible, scores.collection.notes)]  # the notes are facts
    standings = [*_standings(known, digits, said)]
    shown, only_printed = DIGITS if digits is None else digits, not audience.sees_exact
    tables_of = partial(score_tables, scores, shown, only_printed=only_printed)
    together = _for_readers(tables_of(together=True))
    own = _names_of_team(scores, audience)
    figures, questions = _by_question(known, audience, own, digits)
    return Page(
        title=title or Path(scores.collection.path).name,
        audience=audience,
        seen=known,
        facts=[*facts_of(known, audience)],
        conclusions=[_claim(for_pages(sentence)) for sentence in sentences],
        standings=standings,
        tables=_for_readers(tables_of(with_primary=False)),
        scores=_each_once(together, (note for table in standings for note in table.notes)),
        breakdowns=_for_readers(
            table for one in known.breakdowns for table in breakdown_report(one, digits).tables()
        ),
        files=[*listings(known.files)],
        measures=[*explained(scores, _shown(scores))],
        own=own,
        figures=figures,
        questions=questions,
    )


def _by_question(
    known: Results, audience: Audience, own: frozenset[str], digits: int | None
) -> tuple[PageFigures, Questions | None]:
    """Return the figures, and what is said of each question, of the runs that count."""
    counting, beside = _ranked(_best_first(known), known.scores)
    drawn, policies = replace(known, subjects=counting), known.scores.policies
    only_printed, sees_gold = not audience.sees_exact, audience.sees_gold
    figures = figures_of(drawn, own, digits, only_printed=only_printed, sees_gold=sees_gold)
    return figures, questions_of(known.gold, counting, beside, policies, sees_gold=sees_gold)


def _standings(known: Results, digits: int | None, said: Sequence[str]) -> Iterator[ReportTable]:
    """Yield the tables of a comparison, without what is said elsewhere."""
    if known.compared is None:
        return
    for table in compare_report(known.compared, digits, for_readers=True).tables():
        yield with_remarks(_without(table, said), known.scores)


def _names_of_team(scores: Scores, audience: Audience) -> frozenset[str]:
    """Return the names of the runs of the reader, as they are and as tables show them."""
    rows = [row for row in scores.rows if row.team and row.team == audience.team]
    return frozenset(name for row in rows for name in (row.run, row.shown))


def _conclusions(known: Results, digits: int | None) -> list[str]:
    comparisons = known.compared.comparisons if known.compared is not None else ()
    shown = COMPARED_DIGITS if digits is None else digits
    return [sentence for comparison in comparisons for sentence in conclusions(comparison, shown)]


def _best_first(known: Results) -> Sequence[Subject]:
    """Return the runs and systems in the order of the first measure, then of the others."""
    scores = known.scores
    ordered = best_first(scores.rows, *scores.measures)
    order = {(row.kind, row.run): number for number, row in enumerate(ordered)}

    def key(subject: Subject) -> int:
        number = order.get((kind_of(subject), subject.name))
        return order[Kind.REFERENCE, subject.name] if number is None else number

    return sorted(known.subjects, key=key)


def _ranked(
    subjects: Sequence[Subject], scores: Scores
) -> tuple[Sequence[Subject], Sequence[Subject]]:
    """Return those that pages count and draw, and the others: runs without a rank, if any has."""
    ranked = {(row.kind, row.run) for row in scores.rows if row.is_ranked}
    counting, beside = list[Subject](), list[Subject]()
    for subject in subjects:
        is_ranked = (kind_of(subject), subject.name) in ranked
        (counting if is_ranked else beside).append(subject)
    return (counting, beside) if counting else (subjects, [])


def _shown(scores: Scores) -> list[Measure]:
    """Return the measures that tables have columns of."""
    families = {family for row in scores.rows for family in row.counts}
    return [measure for measure in scores.measures if measure.family in families]


def _claim(sentence: str) -> Claim:
    """Return what a conclusion claims, and the evidence in brackets at its end."""
    claim, bracket, evidence = sentence.rpartition(" (")
    if not bracket or not evidence.endswith(")."):
        return Claim(sentence, "")
    first = evidence[0] if evidence.startswith("p ") else evidence[0].upper()
    return Claim(f"{claim}.", f"{first}{evidence[1:].removesuffix(').')}.")


def _each_once(tables: Sequence[ReportTable], said: Iterable[str]) -> list[ReportTable]:
    """Return tables without the notes that stand above them."""
    known, kept = {*said}, list[ReportTable]()
    for table in tables:
        kept.append(table._replace(notes=[note for note in table.notes if note not in known]))
        known.update(table.notes)
    return kept


def _for_readers(tables: Iterable[ReportTable]) -> list[ReportTable]:
    """Return tables without what readers of a page do not need."""
    return [_without(table, ()) for table in tables]


def _without(table: ReportTable, sentences: Sequence[str]) -> ReportTable:
    """Return a table without the notes that stand elsewhere on the page."""
    notes = [
        for_pages(note)
        for note in table.notes
        if note not in sentences and not note.startswith("Signature: ")
    ]
    return table._replace(notes=notes)
