"""Helpers for tests of `ave-score build`: building from texts, and the findings of the command."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import ave_score
from ave_score import BuildSettings, Built
from ave_score.commands import run
from tests.helpers_files import Position

COLUMNS = ("q_id", "run", "judgement", "a_id", "answer", "text", "doc")

Row = tuple[str, ...]


def table(rows: Iterable[Row], columns: Sequence[str] = COLUMNS) -> str:
    return "".join("\t".join(row) + "\n" for row in (columns, *rows))


@contextmanager
def _files(judged: Sequence[str], questions: str | None) -> Iterator[tuple[list[str], str | None]]:
    """Write judged files `1.tsv`, `2.tsv`, ..., and the questions, if any; yield their paths."""
    with TemporaryDirectory() as folder:
        paths = [Path(folder, f"{number}.tsv") for number in range(1, len(judged) + 1)]
        for path, text in zip(paths, judged, strict=True):
            path.write_bytes(text.encode())
        asked = Path(folder, "questions.tsv")
        asked.write_bytes((questions or "").encode())
        yield [*map(str, paths)], None if questions is None else str(asked)


def built_of(
    *judged: str,
    questions: str | None = None,
    letters: str = "qa-clef",
    max_text: int = 700,
    documents: Path | None = None,
) -> Built:
    """Build a collection of judged files at hand, all of which must be readable."""
    with _files(judged, questions) as (paths, asked):
        return ave_score.build(
            paths,
            asked,
            settings=BuildSettings(letters, max_text),
            documents=documents,
        )


def findings_of(
    *judged: str, questions: str | None = None, options: Sequence[str] = ()
) -> list[tuple[int, Position, str]]:
    """Run the command on judged files; return file number, position and line of each finding."""
    out = StringIO()
    with _files(judged, questions) as (paths, asked), redirect_stdout(StringIO()):
        table = [] if asked is None else ["--questions", asked]
        with redirect_stderr(out):
            run(["build", *paths, *table, *options])
    found = re.finditer(r"(\d)\.tsv:(\d+):(\d+) (AVE\d+) .*", out.getvalue())
    return [(int(one[1]), (one[4], int(one[2]), int(one[3])), one[0]) for one in found]


def losses(built: Built) -> dict[str, int]:
    """Return how many answers each step took away, those that took none left out."""
    return {str(loss.step): loss.less for loss in built.losses if loss.less}


def answers(built: Built) -> dict[str, dict[str, tuple[str, str]]]:
    """Return q_id -> a_id -> answer and label, in their orders."""
    return {
        one.question.q_id: {
            answer.a_id: (answer.answer, answer.label.name) for answer in one.answers
        }
        for one in built.questions
    }


def kept(built: Built) -> list[str]:
    return [answer.answer for one in built.questions for answer in one.answers]
