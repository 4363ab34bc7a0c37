"""Codabench: a bundle to upload, and its scoring program.

The program is `python3 -m ave_score.platforms.codabench IN OUT`. `IN/ref` has the reference data, a
campaign file of one task with its collection, and `IN/res` the submission. `OUT` gets `scores.json`
and `detailed_results.html`, both or none.
"""

from __future__ import annotations

import hashlib
import json
import sys
from base64 import b64decode
from collections.abc import Iterator
from datetime import UTC
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from ave_score.core.choices import MISSING_CHOICES
from ave_score.core.errors import InputError
from ave_score.core.model import Label
from ave_score.core.text import quantity, without_control
from ave_score.files.folders import bytes_of
from ave_score.files.writers import written
from ave_score.measures import Measure
from ave_score.platforms.bundle import (
    COLLECTION,
    MAX_BUNDLE,
    TEMPLATE,
    Bundled,
    Files,
    below,
    kit,
    reference,
)
from ave_score.platforms.scored import exit_code, program, scored_in
from ave_score.reports.markdown import escaped
from ave_score.reports.measure_text import facts, summary
from ave_score.reports.scores_text import score_key, text_of
from ave_score.tasks.template import template

if TYPE_CHECKING:
    from datetime import datetime

COMPETITION = "competition.yaml"
"""The description of the competition; it is written as JSON, which is YAML."""

DOCKER_IMAGE = "python:3.12-slim"
"""The image of a worker that installs the package from wheels."""

ALWAYS = "2000-01-01 00:00:00"
"""The start of a phase that is open when the bundle is uploaded."""

LOGO = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQMAAACQp+OdAAAAA1BMVEUqXIqJw4aKAAAAD0lEQVR42mNgGAWjgHwAAAJAAAHg"
    "TR1EAAAAAElFTkSuQmCC"
)
"""A picture of one colour (PNG)."""

MAX_OF_PAGES = 20 << 20
"""Bytes of the largest picture, and of the longest terms."""

MAX_NAME = 36
"""Characters of the longest key or title of a column."""

_FACTS = ("Formula", "", "Range", "0/0", "UNKNOWN")
"""What pages say about measures."""

TERMS = """\
# Terms

The organisers decide who takes part. Runs and their scores may be published with the name of the
team that submitted them.
"""

WHEELS = "scoring_program/wheels/"
"""The folder of wheels in a bundle."""

PROGRAM_FILE = "score.py"
"""The name of the scoring program in its folder."""

PROGRAM = '''\
"""Score a submission: installs the package from wheels beside this file, if there are any."""

import subprocess
import sys
from pathlib import Path

wheels = Path(__file__).parent / "wheels"
if wheels.is_dir():
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--find-links"]
    subprocess.run([*pip, str(wheels), "ave_score"], check=True, stdout=sys.stderr)

from ave_score.platforms.codabench import main  # noqa: E402 - it may be installed only now

sys.exit(main(*sys.argv[1:]))
'''


def main(given: str, output: str) -> int:
    """Score the submission in a folder; return the exit code: 1 if there are no scores."""
    return program(
        lambda: scored_in(Path(given, "ref"), Path(given, "res")),
        lambda result: {
            Path(output, "detailed_results.html"): result.page.to_html(),
            Path(output, "scores.json"): text_of(
                {_column_key(key): value for key, value in result.scores.items()}
            ),
        },
    )


def bundle(bundled: Bundled, wheels: str | None = None) -> Files:
    """Return the files of a bundle.

    Parameters
    ----------
    bundled
        The task.
    wheels
        A folder with the wheels of the package and of what it needs.

    Raises
    ------
    InputError
        A file cannot be read or is too large, or there are no wheels.
    """
    plan = bundled.plan
    logo = LOGO if plan.image is None else bytes_of(plan.image, MAX_OF_PAGES)
    logo_name = f"logo{Path(plan.image or 'logo.png').suffix}"
    texts = {"Overview": _overview, "Evaluation": _evaluation, "Data": _data}
    pages = {title: "\n\n".join(text(bundled)) + "\n" for title, text in texts.items()}
    terms = TERMS.encode() if plan.terms is None else bytes_of(plan.terms, MAX_OF_PAGES)
    paths = [] if wheels is None else sorted(Path(wheels).glob("*.whl"))
    if wheels is not None and not paths:
        raise InputError(wheels, "has no wheels (*.whl)")
    start = kit(bundled)
    return {
        COMPETITION: _json(_competition(bundled, logo_name, [*pages])),
        logo_name: logo,
        **{_page(title): text.encode() for title, text in pages.items()},
        _page("Terms"): terms,
        **below("reference_data", reference(bundled)),
        "scoring_program/metadata.yaml": _json(
            {"command": f"python3 /app/program/{PROGRAM_FILE} /app/input /app/output"}
        ),
        f"scoring_program/{PROGRAM_FILE}": PROGRAM.encode(),
        **{f"{WHEELS}{path.name}": bytes_of(path, MAX_BUNDLE) for path in paths},
        **below("starting_kit", start),
        **below("solution", {TEMPLATE: start[TEMPLATE]}),
    }


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def _page(title: str) -> str:
    return f"pages/{title.lower()}.md"


def _competition(bundled: Bundled, logo: str, pages: list[str]) -> dict[str, object]:
    task, title = bundled.task, without_control(bundled.title)
    limits, what = task.limits, "Ranking" if _is_ranking(bundled) else "Validation"
    phase: dict[str, object] = {
        "index": 0,
        "name": task.title,
        "start": ALWAYS if limits.opens is None else _time(limits.opens),
        "tasks": [0],
        "starting_kit": "starting_kit",
    }
    if limits.closes is not None:
        phase["end"] = _time(limits.closes)
    if limits.max_runs_per_team is not None:
        phase["max_submissions"] = limits.max_runs_per_team
    programs = {name: name for name in ("reference_data", "scoring_program")}
    return {
        "version": 2,
        "title": title,
        "description": f"{what} of answers: {task.title}",
        "image": logo,
        "terms": _page("Terms"),
        "docker_image": bundled.plan.docker_image or DOCKER_IMAGE,
        "enable_detailed_results": True,
        "pages": [{"title": page, "file": _page(page)} for page in pages],
        "tasks": [{"index": 0, "name": task.title, "description": title, **programs}],
        "solutions": [{"index": 0, "name": "Template", "path": "solution", "tasks": [0]}],
        "phases": [phase],
        "leaderboards": [
            {
                "title": "Scores",
                "key": "scores",
                "columns": [*map(_column, count(), bundled.measures)],
            }
        ],
    }


def _column(index: int, measure: Measure) -> dict[str, object]:
    return {
        "index": index,
        "key": _column_key(score_key(measure.key)),
        "title": measure.title[:MAX_NAME],
        "sorting": "desc" if measure.higher_is_better else "asc",
        "precision": 0 if measure.whole else 4,
    }


def _column_key(key: str) -> str:
    """Return the key of a column: a key of a score, of which a hash replaces the end if need be."""
    if len(key) <= MAX_NAME:
        return key
    end = hashlib.sha256(key.encode()).hexdigest()[:6]
    return f"{key[: MAX_NAME - len(end) - 1].rstrip('_')}_{end}"


def _time(time: datetime) -> str:
    """Return a time of UTC without its offset, which the platform does not read."""
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M:%S}"


def _overview(bundled: Bundled) -> Iterator[str]:
    yield f"# {escaped(bundled.title)}"
    yield _asked(bundled)
    yield (
        "1. Download the starting kit: the collection without labels, and a template of a run.\n"
        "2. Write a run: the verdict of your system, and its confidence, in each line.\n"
        "3. Submit the run as the only file in a zip file."
    )
    yield (
        "A submission that has errors fails, and its log says what is wrong in which line. It does "
        "not count. The detailed results of one without errors are a page about your run."
    )


def _is_ranking(bundled: Bundled) -> bool:
    """Tell whether nothing is measured but the order of answers by their confidence."""
    return all(measure.family.table == "ranking" for measure in bundled.measures)


def _asked(bundled: Bundled) -> str:
    """Return what systems have to do."""
    index, texts = bundled.gold.index, bundled.gold.texts
    if not index.standard.has_questions:
        number = quantity(len(index), f"text-hypothesis {index.standard.noun}")
        return f"Each system decides about {number} whether the text supports the hypothesis."
    number = quantity(len(index), index.standard.noun)
    of = f"{number} to {quantity(len(index.questions), index.standard.unit)}"
    if _is_ranking(bundled):
        return f"Each system ranks {of}: the higher its confidence, the higher an answer."
    has_texts = texts is not None and any(texts.supports)
    what = "the text that is given with it supports it" if has_texts else "it is correct"
    return f"Each system decides about {of} whether {what}."


def _evaluation(bundled: Bundled) -> Iterator[str]:
    first, policies = bundled.measures[0], bundled.task.policies
    is_known = Label.UNKNOWN not in bundled.gold.labels
    yield "# Evaluation"
    yield f"Runs are ranked by {escaped(first.title)}."
    yield f"Answers that a run lacks: {escaped(MISSING_CHOICES[policies.missing].help)}."
    for measure in bundled.measures:
        yield f"## {escaped(measure.title)}"
        yield escaped(summary(measure))
        shown = [
            (name, text)
            for name, text in facts(measure)
            if name in _FACTS and not (is_known and name == "UNKNOWN")
        ]
        yield "\n".join(f"- {name or 'where'}: {escaped(text)}" for name, text in shown)


def _data(bundled: Bundled) -> Iterator[str]:
    lines = written(template(bundled.gold), "lines").decode().splitlines()[:3]
    standard = bundled.gold.standard
    words, is_ranking = standard.named_verdicts, _is_ranking(bundled)
    selected = (
        " A question has at most one SELECTED answer, the best of those that are VALIDATED."
    ) * standard.has_questions
    selected += " Verdicts are read, and do not count." * is_ranking
    yield "# Data"
    yield (
        f"The starting kit has the collection without labels, `{COLLECTION}`, and a template of a "
        f"run, `{TEMPLATE}`, which rejects every answer:"
    )
    yield "\n".join(f"    {line}" for line in lines)
    yield (
        f"A line has the ids, the verdict ({words}) and a confidence: a number, the higher the "
        f"surer that the answer is right. The order of lines does not matter.{selected}"
    )
    yield f"To check a run before you submit it: `ave-score check RUN --collection {COLLECTION}`."


if __name__ == "__main__":
    sys.exit(exit_code(main))
