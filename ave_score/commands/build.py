"""`ave-score build`: build a collection from judged answers."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from ave_score.commands.declared import command, file_option, files, flag, option
from ave_score.commands.help import Section
from ave_score.commands.input_files import collecting, ended
from ave_score.commands.options import OUTPUT, FileOptions, policies
from ave_score.core.errors import UsageError
from ave_score.core.writing import write_whole_files
from ave_score.files.collection_writer import xml_lines
from ave_score.files.tabular import Lost
from ave_score.files.writers import plain_lines
from ave_score.reports.build import build_report
from ave_score.reports.formats import of_any_report, render
from ave_score.reports.style import style_for
from ave_score.tasks.build import built_with
from ave_score.tasks.build_passages import MAX_PASSAGE
from ave_score.tasks.built import BuildSettings

if TYPE_CHECKING:
    from ave_score.core.policies import Policies
    from ave_score.tasks.built import Built

MAX_TEXT = 700
"""Maximum length of a text in AVE 2007 and 2008, in characters."""


class BuildOptions(FileOptions):
    """The arguments and options of one call."""

    judged: tuple[str, ...] = files("JUDGED")
    questions: str | None = file_option(
        Section.INPUT, "The questions in order: q_id, question [lang, topic, hypothesis] (a table)."
    )
    documents: str | None = file_option(
        Section.INPUT, "Take missing texts from FOLDER/<doc>.txt or .txt.gz.", metavar="FOLDER"
    )
    policies: Policies = policies("letters")
    pairs: bool = flag(Section.COUNTING, "Build text-hypothesis pairs, as in AVE 2006.")
    max_text: int | None = option(
        Section.COUNTING,
        "Maximum length of a supporting text, in characters.",
        click.IntRange(1),
        show_default="700; 500 with --pairs",
    )
    lang: str = option(
        Section.COUNTING,
        "Language of questions without one, e.g. en.",
        default="",
        show_default=False,
        metavar="XX",
    )
    edition: str = option(
        Section.COUNTING, "Name of the collection.", default="", show_default=False, metavar="NAME"
    )
    output: str = OUTPUT
    unlabelled: str | None = file_option(
        Section.OUTPUT, "Also write the collection without labels."
    )
    key: str | None = file_option(Section.OUTPUT, "Also write the labels to a separate file.")
    format: str = option(
        Section.OUTPUT,
        "Format of the report; it goes to stderr if a file is written to stdout.",
        of_any_report(),
        short="-f",
        default="table",
    )

    @property
    def longest(self) -> int:
        """Maximum length of a text, in characters."""
        return self.max_text or (MAX_PASSAGE if self.pairs else MAX_TEXT)

    def check(self) -> None:
        """Raise `UsageError` for options that conflict, before any file is read."""
        for name, value in (("--lang", self.lang), ("--edition", self.edition)):
            if not value.isprintable():
                raise UsageError(f"{name} contains non-printable characters")
        if self.pairs and self.questions is None:
            raise UsageError(
                "--pairs needs --questions, with a hypothesis pattern for each question"
            )
        if self.pairs and self.key is not None:
            raise UsageError("--key identifies answers by question, and --pairs has no questions")
        if self.documents is not None and self.questions is None:
            raise UsageError("--documents needs --questions, whose words select the texts")
        _check_named_once(self.read)


@command(
    "build",
    BuildOptions,
    examples={
        "Build a collection": "ave-score build judged.tsv -o gold.xml",
        "Build one for participants, and keep its labels": (
            "ave-score build judged.tsv -o gold.xml --unlabelled test.xml --key key.txt"
        ),
    },
    usual="questions documents columns pairs output unlabelled key",
    what="read",
    how="built",
)
def build_command(options: BuildOptions) -> int:
    """Build a collection from the JUDGED answers of question answering systems.

    Follows the procedure of AVE. Omits NIL, void and duplicate answers, answers contained in
    another answer, and answers with too long a text. Of each topic, only the first question is
    kept. Judgements become labels. The report counts the answers that each step removes.

    Exit codes: 0 success, 1 a file has errors and nothing was written, 2 could not run.
    """
    inputs = collecting(options)
    settings = BuildSettings(options.policies.letters, options.longest, options.lang)
    built = built_with(
        inputs,
        options.judged,
        options.questions,
        settings,
        options.documents,
        pairs=options.pairs,
    )
    if not built.questions:
        report = render(build_report(built), options.format, style_for("-", err=True))
        click.echo(report, nl=False, err=True)
        raise inputs.refusal("no answers left, nothing written")
    _write(built, options)
    return ended(inputs)


def _write(built: Built, options: BuildOptions) -> None:
    """Write all files or none, standard output last; the report goes to the free stream."""
    table, edition, pairs = built.table, options.edition, options.pairs
    contents = {options.output: xml_lines(table(edition, pairs=pairs), Lost())}
    if options.unlabelled is not None:
        unlabelled = table(edition, pairs=pairs, labelled=False)
        contents[options.unlabelled] = xml_lines(unlabelled, Lost())
    if options.key is not None:
        contents[options.key] = plain_lines(table(), Lost())
    on_stderr = "-" in contents
    report = render(build_report(built), options.format, style_for("-", err=on_stderr))
    if on_stderr:
        write_whole_files(contents)
        click.echo(report, nl=False, err=True)
    else:
        write_whole_files(contents | {"-": [report]})


def _check_named_once(read: Iterable[str]) -> None:
    """Refuse a file given twice, which would duplicate all its answers."""
    known: set[str] = set()
    for path in read:
        target = os.path.realpath(path)
        if path != "-" and target in known:
            raise UsageError(f"{path} is given twice")
        known.add(target)
