"""`ave-score build`: build a collection of judged answers."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from ave_score.commands.options import FILE, OUTPUT, Options, argument, command, option, policies
from ave_score.commands.output_files import check_output_paths, write_whole_files
from ave_score.errors import UsageError
from ave_score.reports.formats import FORMATS
from ave_score.text import counted

if TYPE_CHECKING:
    from ave_score.building.build import Built
    from ave_score.building.passages import Extraction
    from ave_score.commands.input_files import InputFiles
    from ave_score.files.documents import Documents
    from ave_score.policies import Policies

MAX_TEXT = 700
"""Characters of the longest text in AVE 2007 and 2008."""


class BuildOptions(Options):
    """The arguments and options of one call."""

    judged: tuple[str, ...] = argument(nargs=-1, metavar="JUDGED...", type=FILE)
    questions: str | None = option(
        metavar="FILE",
        type=FILE,
        help="The questions, in their order: q_id, question [lang, topic, hypothesis] (TSV).",
    )
    output: str = OUTPUT
    unlabelled: str | None = option(
        metavar="FILE", type=FILE, help="Also write the collection without labels."
    )
    key: str | None = option(metavar="FILE", type=FILE, help="Also write the labels alone.")
    pairs: bool = option(is_flag=True, help="Text-hypothesis pairs, as of AVE 2006.")
    policies: Policies = policies("campaign")
    max_text: int | None = option(
        type=click.IntRange(1),
        metavar="N",
        help="Characters of the longest supporting text. Default: 700, with --pairs 500.",
    )
    lang: str = option(
        default="", metavar="XX", help="The language of questions that name none: en, es..."
    )
    edition: str = option(default="", metavar="NAME", help="What the collection is called.")
    documents: str | None = option(
        metavar="FOLDER",
        type=FILE,
        help="Take texts that are wanting from FOLDER/<doc>.txt or .txt.gz.",
    )
    stop_words: str | None = option(
        metavar="FILE",
        type=FILE,
        help="Words of questions that choose no text, one a line. Default: by language.",
    )
    report: str = option(
        type=click.Choice(list(FORMATS)),
        default="table",
        show_default=True,
        help="How it is told what was left out; on stderr if a file is written to stdout.",
    )

    @property
    def longest(self) -> int:
        """Characters of the longest text that is kept."""
        from ave_score.building.passages import MAX_PASSAGE  # that of the pairs of 2006

        return self.max_text or (MAX_PASSAGE if self.pairs else MAX_TEXT)

    def check(self) -> None:
        """Raise `UsageError` for what is wrong with them, before any file is read."""
        for name, value in (("--lang", self.lang), ("--edition", self.edition)):
            if not value.isprintable():
                raise UsageError(f"{name} has characters that cannot be seen")
        if self.pairs and self.questions is None:
            raise UsageError("--pairs needs --questions: a pattern of hypotheses for each")
        if self.pairs and self.key is not None:
            raise UsageError("--key names answers by their questions; --pairs have none")
        if self.documents is not None and self.questions is None:
            raise UsageError("--documents needs --questions: their words choose the texts")
        if self.stop_words is not None and self.documents is None:
            raise UsageError("--stop-words is for --documents")
        read = [*self.judged, *filter(None, [self.questions, self.stop_words])]
        written = {"--output": self.output, "--unlabelled": self.unlabelled, "--key": self.key}
        check_output_paths(read, written)
        _check_named_once(read)


@command("build", BuildOptions, short_help="Build a collection of judged answers.")
def build_command(options: BuildOptions) -> int:
    """Build a collection of the JUDGED answers of question answering systems.

    As for AVE: NIL, void and repeated answers, answers contained in another one, and answers with
    too long a text are left out, with topics all questions but the first; judgements become labels.
    What each step takes away is told. The order of files and rows changes nothing.

    Exit codes: 0 done, 1 a file has errors and nothing was written, 2 could not run.
    """
    if not options.judged:
        raise click.UsageError("no JUDGED given: ave-score build JUDGED...")
    from ave_score.commands.input_files import InputFiles
    from ave_score.reports.build_report import build_report
    from ave_score.reports.formats import render
    from ave_score.reports.style import style_for

    options.check()
    inputs = InputFiles()
    built = _built(options, inputs)
    if not built.questions:
        report = render(build_report(built), options.report, style_for("-", err=True))
        click.echo(report, nl=False, err=True)
        raise inputs.refuse("no answer is left, nothing written")
    _write(built, options)
    inputs.show()
    return 0


def _built(options: BuildOptions, inputs: InputFiles) -> Built:
    """Read everything and build the collection; ends the command where a file has errors."""
    from ave_score.building.build import Settings, build
    from ave_score.building.passages import check_words
    from ave_score.files.documents import Documents
    from ave_score.files.judged import check_rows, locate_rows
    from ave_score.files.questions import check_questions
    from ave_score.files.source import Source

    documents = None if options.documents is None else Documents(options.documents)
    campaign = options.policies.campaign
    read = [inputs.take(check_rows, Source(path), campaign) for path in options.judged]
    files = [rows for rows in read if rows is not None]
    questions = words = None
    if options.questions is not None:
        source = Source(options.questions)
        questions = inputs.take(check_questions, source, needs_hypotheses=options.pairs)
    if options.stop_words is not None:
        words = inputs.take(check_words, Source(options.stop_words))
    _refuse_defective(inputs)
    extraction = None if documents is None else _extraction(documents, words, options.longest)
    settings = Settings(campaign, options.longest, options.lang, extraction)
    built = build(files, questions, settings)
    locate_rows(files)
    _refuse_defective(inputs)  # building finds more
    return built


def _refuse_defective(inputs: InputFiles) -> None:
    """End the command where a file has errors."""
    if inputs.refused:
        raise inputs.refuse(f"{counted(inputs.refused, 'file')} refused, nothing written")


def _extraction(documents: Documents, words: Iterable[str] | None, longest: int) -> Extraction:
    """Return where texts are taken from: stop words as given, or by the question's language."""
    from ave_score.building.passages import MAX_PASSAGE, Extraction, folded_words, stop_words_for

    given = None if words is None else folded_words(words)
    chosen = stop_words_for if given is None else lambda _: given
    return Extraction(documents, chosen, min(MAX_PASSAGE, longest))


def _write(built: Built, options: BuildOptions) -> None:
    """Write all files or none, standard output last; the report goes where no file goes."""
    from ave_score.files.collection_writer import Head, collection_lines, key_lines, pair_lines
    from ave_score.reports.build_report import build_report
    from ave_score.reports.formats import render
    from ave_score.reports.style import style_for

    head = Head(options.edition, built.lang, built.available)
    lines = pair_lines if options.pairs else collection_lines
    contents = {options.output: lines(built.questions, head)}
    if options.unlabelled is not None:
        contents[options.unlabelled] = lines(built.questions, head, labelled=False)
    if options.key is not None:
        contents[options.key] = key_lines(built.questions)
    on_stderr = "-" in contents
    report = render(build_report(built), options.report, style_for("-", err=on_stderr))
    if on_stderr:
        write_whole_files(contents)
        click.echo(report, nl=False, err=True)
    else:
        write_whole_files(contents | {"-": [report]})


def _check_named_once(read: Iterable[str]) -> None:
    """Refuse a file that is named twice: all its answers would be repeated."""
    known: set[str] = set()
    for path in read:
        target = os.path.realpath(path)
        if path != "-" and target in known:
            raise UsageError(f"{path} is named twice")
        known.add(target)
