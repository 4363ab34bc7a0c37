"""Tasks on files, which return what they find or make: check, fix, build, convert."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ave_score.errors import DefectError, UsageError
from ave_score.files.source import Naming, Source
from ave_score.given import (
    CollectionGiven,
    FileGiven,
    GoldGiven,
    Names,
    Path,
    as_collection,
    as_reference,
    settings_of,
    sound,
    source_of,
)
from ave_score.kinds import FileKind
from ave_score.writing import whole_bytes

if TYPE_CHECKING:
    from ave_score.building.build import BuildSettings, Built
    from ave_score.files.check import Checked
    from ave_score.files.documents import Documents
    from ave_score.files.judged import JudgedRows
    from ave_score.files.questions import Question
    from ave_score.fixing.fix import FixedRun


def check(
    path: FileGiven,
    collection: GoldGiven | None = None,
    *,
    kind: FileKind | str | None = None,
    campaign: str = "qa-clef",
    columns: Names | None = None,
    values: Names | None = None,
) -> Checked:
    """Check a file and return all findings; defects of the file do not raise exceptions.

    Parameters
    ----------
    path
        The file to check, given as in `read_collection`.
    collection
        What the file belongs to: a collection, or answer sets for tables of responses. Without it,
        only the file itself is checked. If it has labels, judgements are compared with them; the
        labels of a path are not read, as in `ave-score check`.
    kind
        The expected kind, a `FileKind` or its value; by default it is recognised by the content.
    campaign
        The campaign whose letters a judged file uses.
    columns, values
        As in `read_collection`.

    Returns
    -------
    Checked
        The findings, and the contents in numbers.

    Raises
    ------
    DefectError
        The collection is a path, and the file has errors.
    InputError
        The file cannot be read.
    UsageError
        The kind or the campaign does not exist.
    """
    from ave_score.files.check import check_file

    if kind is not None and kind not in list(FileKind):
        raise UsageError(f"no file kind {kind!r}, only {', '.join(FileKind)}")
    wanted = None if kind is None else FileKind(kind)
    source = source_of(path, "file", Naming(columns or {}, values or {}))
    return check_file(source, wanted, as_reference(collection), campaign)


def fix(path: Path, collection: CollectionGiven | None = None, *, unsafe: bool = False) -> FixedRun:
    """Fix a run, and write nothing.

    Parameters
    ----------
    path
        The run; `-` is standard input.
    collection
        The collection of the run, or its path; its labels are not used.
    unsafe
        Whether to make changes that may alter the meaning, too: to choose between contradictory
        lines, to choose the selected answer, to reject missing answers.

    Returns
    -------
    FixedRun
        Its text, the changes, and the findings that are left; `save` writes it.

    Raises
    ------
    DefectError
        The collection is a path, and the file has errors.
    InputError
        The file cannot be read, is no run, or has more than 32 MiB or 1,048,576 lines.
    """
    from ave_score.fixing.fix import check_is_run, fix_run

    source = Source(path)
    check_is_run(source)
    index = None if collection is None else as_collection(collection, labels="ignored").index
    return fix_run(source, index, unsafe=unsafe)


def build(
    judged: Iterable[Path] | Path,
    questions: Path | None = None,
    *,
    settings: BuildSettings | None = None,
    documents: Path | None = None,
    stop_words: Path | None = None,
    pairs: bool = False,
) -> Built:
    """Build a collection from the judged answers of question answering systems.

    Parameters
    ----------
    judged
        The paths of judged files; the order does not matter.
    questions
        The path of the questions in order: q_id, question [lang, topic, hypothesis] (TSV). None:
        all questions with answers.
    settings
        The campaign, the maximum length of texts and the language; by default `BuildSettings()`.
    documents
        A folder: missing texts are taken from its files DOC.txt or DOC.txt.gz. Needs `questions`.
    stop_words
        The path of words to ignore when texts are chosen, one per line; by default by language.
    pairs
        Whether text-hypothesis pairs are built, for which each question needs a hypothesis.

    Returns
    -------
    Built
        The questions with their answers, and how many answers each step removed.

    Raises
    ------
    DefectError, InputError
        A file has errors, or cannot be read.
    UsageError
        The campaign does not exist, or there are no stop words for a language.
    """
    from ave_score.building.build import BuildSettings
    from ave_score.building.passages import check_words
    from ave_score.files.documents import Documents
    from ave_score.files.judged import check_rows
    from ave_score.files.questions import check_questions

    settings = settings_of(settings, BuildSettings)
    paths = [judged] if isinstance(judged, str | os.PathLike) else [*judged]
    files = [sound(*check_rows(Source(path), settings.campaign)) for path in paths]
    asked = words = None
    if questions is not None:
        asked = sound(*check_questions(Source(questions), needs_hypotheses=pairs))
    if stop_words is not None:
        words = sound(*check_words(Source(stop_words)))
    folder = None if documents is None else Documents(os.fspath(documents))
    built = built_from(files, asked, settings, folder, words)
    for rows in files:
        if rows.findings.errors:  # building adds findings
            raise DefectError(rows.findings)
    return built


def built_from(
    files: Sequence[JudgedRows],
    questions: Mapping[str, Question] | None,
    settings: BuildSettings,
    documents: Documents | None,
    words: Iterable[str] | None,
) -> Built:
    """Return the collection of judged rows; missing texts come from documents, if there are any.

    `words` are stop words, None those of each language. Findings are added to those of the files.
    """
    from ave_score.building.build import build as build_collection
    from ave_score.building.passages import (
        MAX_PASSAGE,
        Extraction,
        folded_words,
        stop_words_for,
    )
    from ave_score.files.judged import locate_rows

    if documents is not None:
        given = None if words is None else folded_words(words)
        chosen = stop_words_for if given is None else lambda _: given
        extraction = Extraction(documents, chosen, min(MAX_PASSAGE, settings.max_text))
        settings = settings._replace(extraction=extraction)
    built = build_collection(files, questions, settings)
    locate_rows(files)
    return built


def convert(
    path: Path,
    output: Path,
    *,
    to: str | None = None,
    kind: FileKind | str | None = None,
    key: Path | None = None,
    campaign: str = "qa-clef",
) -> dict[str, int]:
    """Write a file in another notation.

    Parameters
    ----------
    path
        A run, a key, scores, a collection or another table.
    output
        The file to write; one that exists is replaced. It is compressed if its name ends with .gz
        or .xz.
    to
        `lines`, `csv`, `tsv`, `jsonl`, `parquet` or `xml`; by default by the suffix of `output`.
    kind
        The kind of the file; by default by its content; a key needs `"key"`.
    key
        The labels of a collection without labels.
    campaign
        The campaign whose letters a judged file uses.

    Returns
    -------
    dict
        What the notation cannot hold -> how often it was left out; empty if nothing was lost.

    Raises
    ------
    DefectError, InputError
        The file has errors, or cannot be read or written.
    UsageError
        The notation or the kind does not exist, or does not fit.
    """
    from ave_score.files.sniff import sniff
    from ave_score.files.tabular import Lost
    from ave_score.files.tabular_reader import check_tabular
    from ave_score.files.writers import notation_of, write_table

    name = os.fspath(output)
    notation = to or notation_of(name)
    lost, source = Lost(), Source(path)
    found = sniff(source) if kind is None else FileKind(kind)
    labels = None if key is None else Source(key)
    table = sound(*check_tabular(source, found, labels, campaign, lost))
    with whole_bytes(name) as stream:
        write_table(table, notation, stream, lost)
    return {what: times for what, times in lost.items() if times}
