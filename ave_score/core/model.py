"""The data model: collections with labels, runs with verdicts, and systems with their runs.

An answer is identified by (q_id, a_id); ids are opaque strings. The *index* holds all answers of a
collection in file order, grouped by question. Labels, verdicts, confidences and lines are columns
of the same length as the index. Instances are immutable by convention: freezing three dataclasses
takes 2% of the time of checking a run.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from ave_score.core import above
from ave_score.core.answer_index import AnswerIndex, digest_of
from ave_score.core.errors import UsageError
from ave_score.core.given import Rows
from ave_score.core.judged_answers import JudgedAnswer, Pool, QARun
from ave_score.core.labels import AnswerOutcome, Label, Outcome, Verdict
from ave_score.core.standards import QRELS, Standard
from ave_score.core.text import brief, quantity

if TYPE_CHECKING:
    from ave_score.core.findings import Findings
    from ave_score.core.given import Backend, FileGiven
    from ave_score.core.open_questions import ResponseRun

__all__ = [
    "AnswerIndex",
    "AnswerOutcome",
    "Clusters",
    "Collection",
    "JudgedAnswer",
    "Label",
    "Outcome",
    "Pool",
    "QARun",
    "Replicated",
    "Run",
    "Texts",
    "Verdict",
]


@dataclass(eq=False, repr=False)
class Texts:
    """The texts of a collection, which are only read where they are needed.

    A text is "" if there is none.

    Attributes
    ----------
    questions
        The text of each question, as in `AnswerIndex.questions`; of pairs, one for each pair.
    answers
        The text of each answer, or the hypothesis of each pair.
    supports
        The supporting text of each answer, or the text of each pair.
    docs
        The name of the document that each supporting text comes from.
    root
        The attributes of the root element of XML.
    omitted
        What the file contains beyond that, e.g. comments -> how often.
    """

    questions: list[str]
    answers: list[str]
    supports: list[str]
    docs: list[str]
    root: Mapping[str, str] = field(default_factory=dict)
    omitted: Mapping[str, int] = field(default_factory=dict)


@dataclass(eq=False, repr=False)
class Collection:
    """Questions, their candidate answers and the gold labels.

    Attributes
    ----------
    path
        The file as the user named it.
    sha256
        Hexadecimal hash of the file's bytes (after decompression).
    index
        The answers.
    labels
        One `Label` code per answer.
    languages
        The languages that the file declares, in order of appearance.
    available
        Number of answers before the collection was built from them, if the file declares it.
    key_path, key_sha256
        Path and hash of the key file that the labels came from, if any.
    grades
        Position -> graded relevance of the answer, if the file has grades.
    attributes
        Name -> id of a question or pair -> value: the attributes that the file has for them.
    unusable
        Name of an attribute -> the findings of a value that is no text, for who asks for it.
    texts
        The texts, if they were read.
    notes
        What reports say about it: sentences.
    declared
        What its file says of the sort of gold standard; None: its answers say it.
    read_as
        How its file was read where that is not the usual way: parts of signatures by name, such as
        `values`, or the `scorer` of a log.
    """

    path: str
    sha256: str
    index: AnswerIndex
    labels: bytes
    languages: tuple[str, ...] = ()
    available: int | None = None
    key_path: str | None = None
    key_sha256: str | None = None
    grades: Mapping[int, int] = field(default_factory=dict)
    attributes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    unusable: Mapping[str, Findings] = field(default_factory=dict)
    texts: Texts | None = None
    notes: tuple[str, ...] = ()
    declared: Standard | None = None
    read_as: Mapping[str, str] = field(default_factory=dict)

    @property
    def standard(self) -> Standard:
        """The sort of gold standard that it is."""
        return self.declared or self.index.standard

    @property
    def ids(self) -> list[str]:
        """The ids of the questions, or of the pairs."""
        return self.index.units

    def __repr__(self) -> str:
        index = self.index
        return f"<Collection {self.path}: {len(index.questions)} questions, {len(index)} answers>"

    @cached_property
    def answerable(self) -> list[bool]:
        """Whether each question has an answer labelled VALIDATED."""
        return [*map(bool, self.index.count(self.labels, Label.VALIDATED))]

    @cached_property
    def questions_with_correct(self) -> int:
        """Number of questions that have an answer labelled VALIDATED."""
        return sum(self.answerable)

    def labelled(self, label: Label) -> int:
        """Return the number of answers with this label."""
        return self.labels.count(label)

    @classmethod
    def from_frame(
        cls,
        frame: FileGiven,
        *,
        columns: Mapping[str, str] | None = None,
        values: Mapping[str, str] | None = None,
    ) -> Collection:
        """Return the collection in the rows of a frame, with or without labels.

        Parameters
        ----------
        frame
            A frame of any library that narwhals knows, a dictionary column -> values, or a list of
            dictionaries; a row an answer, with the columns of `read_collection`.
        columns
            Column -> its name in the frame: `{"q_id": "id"}`.
        values
            Word -> the label that it means: `{"true": "VALIDATED"}`.

        Raises
        ------
        DefectError
            Something in the frame forbids scoring against it; the lines of findings are rows.
        UsageError
            The value is no frame, or `columns` or `values` name something unknown.
        """
        given = {"columns": columns, "values": values, "labels": "optional"}
        read: Collection = above.call("read_collection", frame, **given)
        return read

    def to_frame(self, backend: Backend = "pandas") -> Any:  # noqa: ANN401 - of that library
        """Return a frame of the library `backend`, with a row for each answer or pair.

        Columns without values are left out. A question without answers has a row without `a_id`.
        Raises `UsageError` if the library is not installed.
        """
        return above.call("data_frame", self, backend)


@dataclass(eq=False, repr=False)
class Run:
    """The verdicts of an answer-validation run, aligned with a collection's index.

    Attributes
    ----------
    name
        The file name without its suffixes, or a given name.
    index
        The answers.
    verdicts
        One `Verdict` code per answer; `MISSING` for documents that a TREC run does not retrieve.
    confidences
        The confidence of each verdict; NaN if the line has none, as in runs of pairs. A missing
        line has 0.0, or less than all others if these go below 0.
    lines
        The line number of each verdict; 0 if there is none.
    missing
        The policy for missing answers: `rejected` if they were read as REJECTED; `excluded` if the
        index has only the answers with a line or, of a TREC run, the topics with results.
    ranks
        The rank field of each line of a TREC run, NaN if it is no whole number; None for others.
    read_as
        As of a `Collection`.
    """

    name: str
    path: str
    index: AnswerIndex
    verdicts: bytes
    confidences: array[float]
    lines: array[int]
    missing: str = "error"
    ranks: array[float] | None = None
    read_as: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Run {self.name}: {len(self.verdicts)} answers>"

    @property
    def standard(self) -> Standard:
        """The sort of gold standard that it is scored against."""
        return self.index.standard if self.ranks is None else QRELS

    @property
    def digest(self) -> bytes:
        """A hash of answers, verdicts and the order of confidences: equal runs have the same.

        Twice as much confidence in each answer makes no other run.
        """
        from ave_score.core.exact import places  # slow to import, and `check` needs none

        return digest_of(self.index.digest + self.verdicts + places(self.confidences))

    @classmethod
    def from_frame(
        cls,
        frame: FileGiven,
        collection: Collection,
        *,
        missing: str = "error",
        name: str = "run",
        columns: Mapping[str, str] | None = None,
        values: Mapping[str, str] | None = None,
    ) -> Run:
        """Return the run in the rows of a frame; a shorter name of `read_run` for frames."""
        given = {"missing": missing, "name": name, "columns": columns, "values": values}
        read: Run = above.call("read_run", frame, collection, **given)
        return read

    def to_frame(self, backend: Backend = "pandas") -> Any:  # noqa: ANN401 - of that library
        """Return a frame with ids, verdict and confidence, as `Collection.to_frame`."""
        return above.call("data_frame", self, backend)


@dataclass(eq=False, repr=False)
class Clusters:
    """Questions, or pairs, that belong together: about one passage, topic or document.

    Attributes
    ----------
    name
        The file, or the attribute of questions.
    of
        Question -> its cluster.
    sha256
        The hash of the file; None for an attribute.
    """

    name: str
    of: Mapping[str, str]
    sha256: str | None = None

    def __str__(self) -> str:
        return self.name if self.sha256 is None else self.sha256[:12]

    @classmethod
    def found(cls, given: ClustersGiven) -> Clusters:
        """Return clusters; raises `UsageError` for an attribute: the questions are not at hand."""
        if isinstance(given, Clusters):
            return given
        name = os.fspath(given) if isinstance(given, str | os.PathLike) else type(given).__name__
        raise UsageError(f"clusters {name!r}: these questions have no attributes")

    def check_all(self, units: Iterable[str], unit: str, part: str = "cluster") -> None:
        """Raise `UsageError` for units without a part; both words are for the message."""
        if missing := [repr(one) for one in units if one not in self.of]:
            number = quantity(len(missing), unit)
            raise UsageError(f"{self.name}: no {part} for {number}: {brief(missing)}")


ClustersGiven: TypeAlias = Clusters | str | os.PathLike[str] | Rows
"""Clusters, or the attribute of questions, the path or the rows that have them."""


@dataclass(frozen=True, eq=False)
class Replicated:
    """A system with its runs, which differ only by chance, such as in their seeds.

    Its measures are the means of those of its runs. `equal` is the number of its runs if all have
    the same outcomes. If those of all systems have, only the first run of each counts.
    """

    name: str
    runs: Sequence[Run | QARun | ResponseRun]
    equal: int = 0

    @property
    def digest(self) -> bytes:
        """A hash of its runs: equal systems have the same."""
        return digest_of(b"".join(sorted(run.digest for run in self.runs)))
