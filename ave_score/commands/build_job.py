"""What `ave-score build` does: read, check, build, write all files or none."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import NamedTuple

import click

from ave_score.building.build import build
from ave_score.building.built import Built, Settings
from ave_score.building.extraction import MAX_PASSAGE
from ave_score.building.stop_words import check_words, folded_words, stop_words_for
from ave_score.building.texts import Extraction
from ave_score.commands.files import check_written, whole_file
from ave_score.commands.intake import Intake
from ave_score.commands.look import look_for
from ave_score.errors import UsageError
from ave_score.files.collection_writer import Head, collection_lines, key_lines, pair_lines
from ave_score.files.documents import Documents
from ave_score.files.judged import JudgedRows, check_rows, locate_rows
from ave_score.files.questions import Question, check_questions
from ave_score.files.source import Source
from ave_score.labels import campaign_table
from ave_score.reports.losses import render_losses
from ave_score.text import counted

MAX_TEXT, MAX_PAIR_TEXT = 700, MAX_PASSAGE
"""Characters of the longest text in AVE 2007 and 2008, and in the pairs of 2006."""


class Options(NamedTuple):
    """The options of one call, as given."""

    questions: str | None
    output: str
    unlabelled: str | None
    key: str | None
    pairs: bool
    campaign: str
    max_text: int | None
    lang: str
    edition: str
    documents: str | None
    stop_words: str | None
    report: str

    @property
    def written(self) -> dict[str, str | None]:
        """What each option that names a file to write names."""
        return {"--output": self.output, "--unlabelled": self.unlabelled, "--key": self.key}

    @property
    def longest(self) -> int:
        """Characters of the longest text that is kept."""
        return self.max_text or (MAX_PAIR_TEXT if self.pairs else MAX_TEXT)


def build_files(judged: Sequence[str], options: Options) -> int:
    """Build a collection and write what the options ask for; return the exit code."""
    _check_options(judged, options)
    documents = None if options.documents is None else Documents(options.documents)
    intake = _BuildIntake()
    files = intake.rows(judged, options.campaign)
    questions = intake.questions(options.questions, needs_hypotheses=options.pairs)
    stop_words = intake.words(options.stop_words)
    if intake.refused:
        raise intake.refuse(_nothing_written(intake))
    extraction = None if documents is None else _extraction(documents, stop_words, options)
    settings = Settings(options.campaign, options.longest, options.lang, extraction)
    built = build(files, questions, settings)
    locate_rows(files)
    if intake.refused:
        raise intake.refuse(_nothing_written(intake))
    if not built.questions:
        report = render_losses(built, options.report, look_for("-", err=True).width)
        click.echo(report, nl=False, err=True)
        raise intake.refuse("no answer is left, nothing written")
    _write(built, options)
    intake.show()
    return 0


def _check_options(judged: Sequence[str], options: Options) -> None:
    """Find out what is wrong with the options before any file is read."""
    campaign_table(options.campaign)
    for option, value in (("--lang", options.lang), ("--edition", options.edition)):
        if not value.isprintable():
            raise UsageError(f"{option} has characters that cannot be seen")
    if options.pairs and options.questions is None:
        raise UsageError("--pairs needs --questions: a pattern of hypotheses for each")
    if options.pairs and options.key is not None:
        raise UsageError("--key names answers by their questions; --pairs have none")
    if options.documents is not None and options.questions is None:
        raise UsageError("--documents needs --questions: their words choose the texts")
    if options.stop_words is not None and options.documents is None:
        raise UsageError("--stop-words is for --documents")
    read = [*judged, *filter(None, [options.questions, options.stop_words])]
    check_written(read, options.written)
    _check_twice(read)


def _check_twice(read: Iterable[str]) -> None:
    """Refuse a file that is named twice: all its answers would be repeated."""
    known: set[str] = set()
    for path in read:
        target = os.path.realpath(path)
        if path != "-" and target in known:
            raise UsageError(f"{path} is named twice")
        known.add(target)


def _extraction(
    documents: Documents, stop_words: frozenset[str] | None, options: Options
) -> Extraction:
    """Return where texts are taken from: stop words as given, or by the question's language."""
    chosen = stop_words_for if stop_words is None else lambda _: stop_words
    return Extraction(documents, chosen, min(MAX_PASSAGE, options.longest))


class _BuildIntake(Intake):
    """Reads what a collection is built from."""

    def rows(self, paths: Iterable[str], campaign: str) -> list[JudgedRows]:
        """Return the rows of each sound file."""
        read = [self.take(check_rows, Source(path), campaign) for path in paths]
        return [one for one in read if one is not None]

    def questions(
        self, path: str | None, *, needs_hypotheses: bool
    ) -> Mapping[str, Question] | None:
        """Return the questions; None without a file, or where it has defects."""
        if path is None:
            return None
        return self.take(check_questions, Source(path), needs_hypotheses=needs_hypotheses)

    def words(self, path: str | None) -> frozenset[str] | None:
        """Return a list of words; None without a file, or where it has defects."""
        listed = None if path is None else self.take(check_words, Source(path))
        return None if listed is None else folded_words(listed)


def _nothing_written(intake: Intake) -> str:
    return f"{counted(intake.refused, 'file')} refused, nothing written"


def _write(built: Built, options: Options) -> None:
    """Write all files or none, standard output last; the report goes where no file goes."""
    head = Head(options.edition, built.lang, built.available)
    lines = pair_lines if options.pairs else collection_lines
    contents = {options.output: lines(built.questions, head)}
    if options.unlabelled is not None:
        contents[options.unlabelled] = lines(built.questions, head, labelled=False)
    if options.key is not None:
        contents[options.key] = key_lines(built.questions)
    report = render_losses(built, options.report, look_for("-", err="-" in contents).width)
    with ExitStack() as open_files:
        for path in sorted(contents, key=lambda path: path == "-"):
            out = open_files.enter_context(whole_file(path))
            out.writelines(contents[path])
            out.flush()
        if "-" not in contents:
            open_files.enter_context(whole_file("-")).write(report)
    if "-" in contents:
        click.echo(report, nl=False, err=True)
