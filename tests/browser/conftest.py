"""A browser, and the pages that are looked at in it."""

from __future__ import annotations

import faulthandler
import importlib.util
import os
import shutil
from array import array
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import ave_score
from ave_score.commands import run as command
from ave_score.core.model import AnswerIndex, Collection, JudgedAnswer, QARun, Run, Texts
from ave_score.core.policies import IntervalPolicy
from ave_score.pages import questions
from benchmarks.data import make
from tests.conftest import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page, Route

CHROMIUM = os.environ.get("CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
"""The browser; the one that Playwright downloads is not needed."""

ABSENT = [
    name
    for name, is_there in {
        "playwright": importlib.util.find_spec("playwright") is not None,
        "axe-playwright-python": importlib.util.find_spec("axe_playwright_python") is not None,
        "Chromium": CHROMIUM is not None,
    }.items()
    if not is_there
]


SECONDS = 150
"""The longest that a test may take, with the pages that it needs."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder; without a browser they are skipped with a reason."""
    reason = f"PAGES ARE NOT TESTED IN A BROWSER: no {' and no '.join(ABSENT)}"
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.skipif(bool(ABSENT), reason=reason))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """End a process whose browser does not answer, which no exception could."""
    is_browsing = Path(__file__).parent in item.path.parents
    if is_browsing:
        faulthandler.dump_traceback_later(SECONDS, exit=True)
    try:
        return (yield)
    finally:
        if is_browsing:
            faulthandler.cancel_dump_traceback_later()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--enable-precise-memory-info"]
        )
        yield started
        started.close()


Opened = Callable[..., "Page"]


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opened]:
    """A function that opens a file in a new context; what goes wrong in the page fails the test."""
    wrong: list[str] = []
    with ExitStack() as contexts:

        def open_page(path: Path, hash: str = "", **settings: Any) -> Page:  # noqa: ANN401
            context = browser.new_context(reduced_motion="reduce", **settings)
            contexts.callback(context.close)
            page = context.new_page()
            page.set_default_timeout(20_000)

            def only_itself(route: Route) -> None:
                asked = route.request.url.partition("#")[0]
                if asked == path.as_uri():
                    route.continue_()
                else:
                    wrong.append(f"request of {asked}")
                    route.abort()

            def dismiss(dialog: Dialog) -> None:
                wrong.append(f"dialog {dialog.message}")
                dialog.dismiss()

            page.route("**/*", only_itself)
            page.on("dialog", dismiss)
            page.on("pageerror", lambda error: wrong.append(f"error {error}"))
            page.on("console", lambda said: wrong.append(f"{said.type} {said.text}"))
            page.goto(path.as_uri() + hash)
            return page

        yield open_page
    assert wrong == []


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


def reported(path: Path, *arguments: object) -> Path:
    given = [*map(str, arguments), "--resamples", "20", "-o", str(path)]
    assert command(["report", *given]) == 0
    return path


SPANISH = [
    *(ROOT / "gold/ave2007-es.xml", "--qa", ROOT / "gold/ave2007-es.qa.tsv"),
    *("--teams", ROOT / "gold/ave2007-es.teams.tsv"),
    *sorted((ROOT / "sample_runs/ave2007-es").glob("*.txt")),
]
"""170 questions, five runs and five QA systems."""


@pytest.fixture(scope="session")
def spanish(folder: Path) -> Path:
    """A small page: everything in it can be read without JavaScript."""
    return reported(folder / "spanish.html", *SPANISH)


@pytest.fixture(scope="session")
def packed(folder: Path) -> Path:
    """The same, written as if it were large."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(questions, "STATIC_QUESTIONS", 100)
        return reported(folder / "packed.html", *SPANISH)


@pytest.fixture(scope="session", params=["static", "packed"])
def epochs(folder: Path, request: pytest.FixtureRequest) -> Path:
    """A page about two logs with two epochs, small, and written as if it were large."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "packed":
            patch.setattr(questions, "STATIC_QUESTIONS", 1)
        logs = [ROOT / f"sample_runs/logs/{name}.json" for name in ("ada", "bob")]
        return reported(folder / f"epochs-{request.param}.html", *logs, "-m", "answering_accuracy")


HOSTILE = [
    "<script>window.hit=1;alert(1)</script>",
    "</script><script>alert(2)</script>",
    "\"'><img/src=x/onerror=alert(3)>",
    "javascript:alert(4)",
    "\u202egnp.exe\u2066%2F%00&amp;#q=\\u0000",
    "y" * 10_000,
    "-->]]>{{7*7}}<!--",
    "é%zz+ &?=",
]
"""Names that are ids, texts and names of runs."""


@pytest.fixture(scope="session", params=["static", "packed"])
def hostile(folder: Path, request: pytest.FixtureRequest) -> Path:
    """A page about strangers' files, small, and written as if it were large."""
    index = AnswerIndex.of({q: {f"{q}{n}": None for n in range(2)} for q in HOSTILE})
    texts = [f"{q} in a text" for q in HOSTILE]
    both = [text for text in texts for _ in range(2)]
    known = Texts(texts, both, both, both)
    gold = Collection(HOSTILE[0], "", index, b"\1\0" * len(HOSTILE), texts=known)
    confidences = array("d", [0.5] * len(index))
    runs = [
        Run(name, name, index, b"\3\1" * len(HOSTILE), confidences, index.in_order)
        for name in HOSTILE
    ]
    systems = [QARun(HOSTILE[1], "", [JudgedAnswer(1, q, "R", f"{q}0", q) for q in HOSTILE])]
    policies = ave_score.Policies(intervals=IntervalPolicy(resamples=20))
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "packed":
            patch.setattr(questions, "STATIC_QUESTIONS", 1)
        page = ave_score.report(gold, runs, systems, policies=policies)
        path = folder / f"hostile-{request.param}.html"
        path.write_text(page.to_html(), "utf-8")
    return path


@pytest.fixture(scope="session")
def large(folder: Path) -> Path:
    """A page about 30 runs, 10,000 questions and 50,000 answers with texts and confidences."""
    make(folder, 30, 10_000, 5, ("gold.xml", ".txt"))
    some = ("-m", "qa_accuracy", "--compare", "qa_accuracy")  # the rest takes minutes if it is busy
    runs = sorted(folder.glob("run*.txt"))
    return reported(folder / "large.html", folder / "gold.xml", *runs, *some)
