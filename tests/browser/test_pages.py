"""Pages as people use them: with mouse and keyboard, on phones, on paper, without JavaScript."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

import ave_score
from ave_score.pages import questions
from ave_score.reports import latex, markdown
from tests.browser.conftest import HOSTILE, SPANISH, Opened, reported
from tests.conftest import ROOT
from tools.own import own_files

if TYPE_CHECKING:
    from playwright.sync_api import Browser, FloatRect, Locator, Page

KEPT = "!~*'()"
IS_NARROW = "document.documentElement.scrollWidth <= innerWidth"


def names_in(table: Locator) -> list[str]:
    return [*table.locator("tbody th[scope=row]").all_inner_texts()]


def rows(page: Page) -> Locator:
    return page.locator("table.matrix tbody tr:visible")


def box_of(found: Locator) -> FloatRect:
    box = found.bounding_box()
    assert box is not None
    return box


def test_tables_sort_by_mouse_and_keyboard(opened: Opened, spanish: Path) -> None:
    page = opened(spanish)
    table = page.locator("#scores table.data").first
    before = names_in(table)
    # F of Rodrigo, García_2 and the baselines differ in the tables of
    # docs/explanation/reproduction.md; sorted by the exact figures of ave_score.score, which
    # the page rounds
    scores = ave_score.score(
        ROOT / "gold/ave2007-es.xml", [*sorted((ROOT / "sample_runs/ave2007-es").glob("*.txt"))]
    )
    recall = {row.run: row.values["recall"] for row in scores.rows}

    def by_recall(name: str, sign: int = 1) -> tuple[bool, float]:
        value = recall.get(name)  # QA systems and baselines of selection have none: the last
        return value is None, sign * float(value or 0)

    expected = sorted(before, key=lambda name: by_recall(name, -1))
    button = table.get_by_role("button", name="Recall")
    head = button.locator("..")
    button.click()
    assert head.get_attribute("aria-sort") == "descending"
    assert names_in(table) == expected != before
    button.focus()
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    # stable: equal values stay in the order of the page
    assert names_in(table) == sorted(before, key=by_recall)
    page.keyboard.press("Space")
    assert head.get_attribute("aria-sort") is None
    assert names_in(table) == before
    table.get_by_role("button", name="Run").click()
    names = names_in(table)
    assert names[:4] == ["0% VALIDATED", "50% VALIDATED", "100% VALIDATED", "García_1"]
    assert names[-4:] == ["talp_1", "Tellez_1", "Tellez_2", "upv_1"]


def test_undefined_values_come_last(opened: Opened, spanish: Path) -> None:
    page = opened(spanish)
    table = page.locator("#scores table.data").first
    table.locator("tbody tr").nth(1).evaluate(
        "row => { const c = row.cells[4]; delete c.dataset.value; c.textContent = 'n/a'; }"
    )
    name = names_in(table)[1]
    without = names_in(table)[8:]  # QA systems and baselines of selection: they have no F
    for _ in range(2):
        table.get_by_role("button", name="F", exact=True).click()
        assert names_in(table)[7:] == [name, *without]


def copied(page: Page, format: str, number: int = 0) -> str:
    bar = page.locator("#scores .copy").nth(number)
    bar.get_by_role("button", name=f"Copy as {format}").click()
    bar.get_by_text(f"Copied as {format}.").wait_for()
    text: str = page.evaluate("navigator.clipboard.readText()")
    return text


def test_tables_are_copied(opened: Opened, spanish: Path) -> None:
    page = opened(spanish, permissions=["clipboard-read", "clipboard-write"])
    tex = copied(page, "LaTeX")
    assert tex.startswith("\\begin{tabular}{rlllrrrrr}\n\\toprule\n\\# & Run & Team & Kind & F &")
    assert " & Tellez\\_1 & INAOE & AV & 0.53 [" in tex and "100\\% VALIDATED" in tex
    table = [*csv.reader(io.StringIO(copied(page, "CSV")))]
    assert table[0][1:5] == ["Run", "Team", "Kind", "F"]
    # VALIDATED are 127 of the 551 judged answers: F of accepting all is 2 * 127 / (551 + 127)
    figures = {row[1]: row[4] for row in table[1:]}
    assert float(figures["100% VALIDATED"]) == pytest.approx(254 / 678)
    assert figures["Tellez_1"].startswith("0.53 [")
    lines = copied(page, "Markdown").splitlines()
    assert lines[0].startswith("| \\# | Run | Team | Kind | F |")
    assert lines[1].startswith("| --: | --- | --- | --- | --: |") and "\\[" in lines[2]


def test_copied_names_are_texts(opened: Opened, spanish: Path) -> None:
    page = opened(spanish, permissions=["clipboard-read", "clipboard-write"])
    names = ["=cmd|' /C calc'!A0", "-1+1", "@SUM(1)", '+"a",b', "[1]--<i>*x*</i>~^c@1 https://a.b"]
    figures = ["-0.25", "+0.5", "-0.25 [-1, 2]"]
    page.locator("#scores table.data").first.evaluate(
        "(t, all) => all.forEach((x, n) => { t.tBodies[0].rows[n].cells[1].textContent = x; })",
        [*names, *figures],
    )
    rows = [*csv.reader(io.StringIO(copied(page, "CSV")))][1:]
    texts = [row[1] for row in rows[: len(names) + len(figures)]]
    assert texts == [*(f"'{name}" for name in names[:4]), names[4], *figures]
    # as the files of `ave-score -f latex` and `-f markdown` have them
    for format, escaped in (("LaTeX", latex.escaped), ("Markdown", markdown.escaped)):
        text = copied(page, format)
        for name in names:
            assert f" {escaped(name).replace('{]}', ']').replace('{*}', '*')} " in text


def test_questions_are_filtered_and_searched(opened: Opened, spanish: Path, packed: Path) -> None:
    for path in (spanish, packed):
        page = opened(path)
        part = page.locator("#questions")
        said = part.locator(".controls [role=status]")
        said.get_by_text("170 of 170 questions").wait_for()
        symbols = rows(page).evaluate_all(
            "all => all.map(tr => [...tr.cells].slice(2, -1).map(td => td.textContent))"
        )
        assert len(symbols) == 170
        wanted = {
            "Errors": sum(any(one in "✗⊗" for one in row) for row in symbols),
            "Disagreements": sum(len({*row}) > 1 for row in symbols),
            "Nobody right": sum(not {"✓", "∅"} & {*row} for row in symbols),
        }
        for name, number in wanted.items():
            part.get_by_role("button", name=name).click()
            said.get_by_text(f"{number} of 170 questions").wait_for()
            assert rows(page).count() == number
        part.get_by_role("button", name="All").click()
        page.get_by_label("Search").fill("MUSEO del Azul")
        part.locator(
            "caption", has_text=re.compile(r"^Outcomes of \d+ of 170 questions$")
        ).wait_for()
        found = rows(page).locator("td.text").all_inner_texts()
        assert found and all("Museo del Azul" in text for text in found)
        page.get_by_label("Search").fill("0012")
        said.get_by_text("1 of 170 questions").wait_for()


def test_epochs_are_shares_of_a_question(opened: Opened, epochs: Path) -> None:
    # sample_runs/logs, counted by hand: a model errs on 10 questions, at least once; bob is right
    # twice on 12, once on q10, q16 and q20, withholds 6 and q04 and q23 once, and errs on q17
    page = opened(epochs)
    assert page.get_by_role("button", name="Errors (10)").is_visible()
    page.get_by_role("button", name="bob").click()
    cells = rows(page).locator("td:nth-last-child(2)")
    assert cells.all_inner_texts() == [*"✓" * 12, *["1/2"] * 3, *["0/2"] * 2, *"○" * 6, "✗"]
    image = "getComputedStyle(document.querySelector('td.mix-1-1-2')).backgroundImage"
    assert page.evaluate(image).startswith("linear-gradient(90deg")
    row = rows(page).filter(has_text="q06")
    assert row.locator("td").last.inner_text() == "1.50"
    row.get_by_role("link").click()
    opened_one = page.locator("details[open]")
    assert "1 × Ojos del Salado" in opened_one.inner_text()
    assert "1.50 of 2 right" in opened_one.inner_text()


def test_questions_sort_by_difficulty(opened: Opened, spanish: Path, packed: Path) -> None:
    for path in (spanish, packed):
        page = opened(path)
        page.get_by_role("button", name="Runs right").click()
        right = rows(page).locator("td.right").all_inner_texts()
        assert [*map(int, right)] == sorted(map(int, right)) and len({*right}) > 3


def test_a_question_is_opened_by_link_address_and_history(
    opened: Opened, spanish: Path, packed: Path
) -> None:
    shown = []
    for path in (spanish, packed):
        page = opened(path, hash="#q=0012")
        detail = page.locator("details.question[open]")
        detail.get_by_text("0012", exact=True).first.wait_for()
        assert box_of(detail)["y"] < 900
        # as the files say: Tellez_1 selects 0012_4, which is REJECTED
        row = detail.locator("tr", has_text="Tellez_1")
        assert "selected 0.957" in " ".join(row.inner_text().split())
        shown.append(" ".join(detail.inner_text().split()))
        page.locator("table.matrix").get_by_role("link", name="0003", exact=True).click()
        detail.get_by_text("0003", exact=True).first.wait_for()
        assert page.url.endswith("#q=0003") and detail.count() == 1
        page.get_by_role("button", name="Next question").click()
        detail.get_by_text("0004", exact=True).first.wait_for()
        page.go_back()
        page.go_back()
        detail.get_by_text("0012", exact=True).first.wait_for()
        page.go_forward()
        detail.get_by_text("0003", exact=True).first.wait_for()
        page.get_by_role("button", name="Close").click()
        assert detail.count() == 0
        assert page.evaluate("document.activeElement.textContent") == "0003"
        page.evaluate("location.hash = '#q=nothing'")
        page.get_by_text("This page has no such question.").wait_for()
    assert shown[0] == shown[1]  # drawn by the script as by the template


def test_hostile_files_are_text(opened: Opened, hostile: Path) -> None:
    page = opened(hostile, permissions=["clipboard-read", "clipboard-write"])
    rows(page).first.wait_for()
    links = page.locator("table.matrix tbody a")
    assert links.count() == len(HOSTILE)
    is_open = "name => document.querySelector('details.question[open] b')?.textContent === name"
    for number in range(len(HOSTILE)):
        links.nth(number).evaluate("link => link.click()")
        name = links.nth(number).inner_text()
        page.wait_for_function(is_open, arg=name)
        assert "in a text" in page.locator("details.question[open]").inner_text()
        # encodeURIComponent leaves letters, digits and - _ . ! ~ * ' ( )
        assert page.evaluate("location.hash") == f"#q={quote(name, safe=KEPT)}"
        if number % 3 == 1:  # each kind of code in an address: %3C, %E2 and a lone %
            page.reload()
            page.wait_for_function(is_open, arg=name)
    for format in ("LaTeX", "CSV", "Markdown"):
        copied(page, format)
    page.get_by_label("Search").fill("<script>")
    page.get_by_text("2 of 8 questions").first.wait_for()
    assert rows(page).count() == 2
    for head in page.locator("button.sort").all():
        head.evaluate("button => button.click()")
    assert page.evaluate("window.hit") is None
    # nothing but the page's own script, style and data
    assert page.locator("script:not([type])").count() == 1
    assert page.locator("img, iframe, object, embed, link, base, form").count() == 0
    handlers = "[...document.querySelectorAll('*')].flatMap(each => each.getAttributeNames())"
    assert not [name for name in page.evaluate(handlers) if name.startswith("on")]
    assert page.evaluate("[...document.links].every(a => a.getAttribute('href').startsWith('#'))")
    assert page.evaluate(IS_NARROW)


def test_everything_small_is_read_without_javascript(opened: Opened, spanish: Path) -> None:
    page = opened(spanish, java_script_enabled=False)
    assert rows(page).count() == 170
    assert page.locator("button, input:not([type=radio]), select, textarea").count() == 0
    # measures are switched without it
    first, second = page.locator("#ranking-1"), page.locator("#ranking-2")
    assert first.is_visible() and not second.is_visible()
    page.locator("#ranking").get_by_text("QA accuracy", exact=True).first.click()
    assert second.is_visible() and not first.is_visible()
    assert "need JavaScript" in page.locator("#questions noscript").inner_text()
    page.locator("details.question").nth(11).locator("summary").click()
    assert "¿En qué ciudad transcurre" in page.locator("details.question[open]").inner_text()


def test_what_is_missing_without_javascript_is_said(opened: Opened, packed: Path) -> None:
    page = opened(packed, java_script_enabled=False)
    said = page.locator("#questions noscript").inner_text()
    assert "drawn by JavaScript, which is switched off" in " ".join(said.split())


def test_a_browser_that_cannot_unpack_says_so(opened: Opened, packed: Path) -> None:
    page = opened(packed)
    page.add_init_script("delete window.DecompressionStream")
    page.reload()
    page.get_by_text("This browser cannot unpack the questions").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible(opened: Opened, spanish: Path, packed: Path, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    # each kind of page in both schemes and at both widths, but not in all four combinations
    widths = {"light": (1280, 360), "dark": (360, 1280)}[scheme]
    for path, width in zip((spanish, packed), widths, strict=True):
        page = opened(
            path, "#q=0012", color_scheme=scheme, viewport={"width": width, "height": 800}
        )
        page.locator("details.question[open]").wait_for()
        assert page.evaluate(IS_NARROW)
        page.evaluate(f"document.querySelectorAll('{REPEATED}').forEach(each => each.remove())")
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()


REPEATED = ".matrix tbody tr:nth-child(n+12), .question:not([open])"
"""What has the markup of the rest; axe takes long."""


@pytest.mark.parametrize("width", [390, 1280])
def test_ticks_stand_above_dots_of_their_values(opened: Opened, spanish: Path, width: int) -> None:
    page = opened(spanish, viewport={"width": width, "height": 800})
    for measure, chart in (("QA accuracy", "#ranking-1"), ("F", "#ranking-2")):
        page.locator("#ranking").get_by_role("radio", name=measure, exact=True).focus()
        page.keyboard.press("Space")
        figure = page.locator(chart)

        def middles(css: str, figure: Locator = figure) -> list[float]:
            boxes: list[float] = figure.locator(css).evaluate_all(
                "all => all.map(e => e.getBoundingClientRect()).map(b => (b.left + b.right) / 2)"
            )
            return boxes

        numbers = [*map(float, figure.locator(".tick").all_text_contents())]
        ticks = middles(".tick")
        values = [*map(float, figure.locator("tbody .value").all_text_contents())]
        dots = middles("tbody .mark")
        assert len(dots) == len(values) >= 5
        scale = (ticks[-1] - ticks[0]) / (numbers[-1] - numbers[0])
        for value, dot in zip(values, dots, strict=True):
            assert dot == pytest.approx(ticks[0] + scale * (value - numbers[0]), abs=1)


LONG = [
    "ITNLP-AiKF_primary", "ConvKN_contrastive1", "SLS.contrastive2-resubmitted_late", "N_1", "N_2",
]  # fmt: skip

LINES = """all => all.flatMap(name => {
  const walker = document.createTreeWalker(name, NodeFilter.SHOW_TEXT), found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter(box => box.width > 1);
    found.push([node.data, new Set(boxes.map(box => Math.round(box.top))).size]);
  }
  return found;
})"""
"""The parts of names, and on how many lines each of them is; a hidden one is on none."""


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_names_break_between_words_only(opened: Opened, tmp_path: Path, width: int) -> None:
    runs = [tmp_path / f"{name}.txt" for name in LONG]
    for path, source in zip(runs, own_files("sample_runs/ave2007-es"), strict=True):
        path.write_bytes(source.read_bytes())
    page = opened(
        reported(tmp_path / "page.html", SPANISH[0], *runs),
        "#q=0012",
        viewport={"width": width, "height": 800},
    )
    page.locator("details.question[open]").wait_for()
    parts = page.locator("tbody th.name, .verdicts tbody th, .matrix thead .run").evaluate_all(
        LINES
    )
    assert {"primary", "contrastive2-", "resubmitted_"} <= {part for part, lines in parts if lines}
    assert [part for part, lines in parts if lines > 1 + part.strip().count(" ")] == []
    assert page.evaluate(IS_NARROW)


def test_paper_shows_all_rows(opened: Opened, spanish: Path) -> None:
    page = opened(spanish)
    page.emulate_media(media="print")
    box, last = page.locator("#questions .scroll").first, page.locator("table.matrix tbody tr").last
    outer, inner = box_of(box), box_of(last)
    assert inner["height"] > 5 and inner["y"] + inner["height"] <= outer["y"] + outer["height"] + 1
    assert rows(page).count() == 170
    assert page.locator("button:visible").count() == len(page.locator("button.sort:visible").all())


def test_paper_says_what_it_leaves_out(opened: Opened, packed: Path, spanish: Path) -> None:
    for path in (packed, spanish):
        page = opened(path)
        caption = page.locator("table.matrix caption")
        caption.get_by_text("Outcomes of 170 questions", exact=True).wait_for()
        page.get_by_label("Search").fill("0012")
        caption.get_by_text("Outcomes of 1 of 170 questions", exact=True).wait_for()
        page.emulate_media(media="print")
        assert caption.is_visible()


@pytest.mark.parametrize("how", ["src", "srcdoc"])
def test_pages_work_in_a_sandbox(browser: Browser, spanish: Path, tmp_path: Path, how: str) -> None:
    page = browser.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    outer = tmp_path / "outer.html"
    outer.write_text(
        "<!DOCTYPE html><title>Results</title>"
        "<iframe sandbox='allow-scripts' width=1000 height=800></iframe>"
    )
    page.goto(outer.as_uri())
    value = spanish.as_uri() if how == "src" else spanish.read_text("utf-8")
    page.evaluate(
        "([how, value]) => { document.querySelector('iframe')[how] = value; }", [how, value]
    )
    frame = page.frame_locator("iframe")
    frame.get_by_role("link", name="0003", exact=True).click()
    frame.locator("details.question[open]").get_by_text("0003", exact=True).first.wait_for()
    frame.get_by_role("button", name="Nobody right").click()
    frame.get_by_text("9 of 170 questions", exact=True).wait_for()
    bar = frame.locator("#scores .copy").first
    bar.get_by_role("button", name="Copy as CSV").click()
    bar.get_by_role("status").get_by_text("opied as CSV.").or_(
        bar.get_by_text("Press Ctrl+C")
    ).first.wait_for()
    page.close()
    assert errors == []


def test_large_pages_open_quickly(opened: Opened, large: Path) -> None:
    page = opened(large)
    page.get_by_text("10,000 of 10,000 questions, 1–200 drawn", exact=True).wait_for()
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    memory = page.evaluate("performance.memory.usedJSHeapSize")
    page.get_by_role("button", name="Next 200").click()
    assert names_in(page.locator("table.matrix"))[0] == "00200"
    page.get_by_label("Search").fill("number 9999?")
    page.locator("caption", has_text="Outcomes of 1 of 10,000 questions").wait_for()
    page.get_by_role("link", name="09999").click()
    detail = page.locator("details.question[open]")
    detail.wait_for()
    assert detail.locator("table.verdicts tbody tr").count() == 30
    unpacked = page.evaluate("performance.memory.usedJSHeapSize")
    size = large.stat().st_size
    measured = (
        f"{size / 1e6:.2f} MB, first contentful paint after {paint:.0f} ms, "
        f"{memory / 1e6:.0f} MB of memory, {unpacked / 1e6:.0f} MB with a question"
    )
    print(measured)  # noqa: T201 - `pytest -s` shows it
    assert size < 5_000_000, measured
    # the limit is 2 s; other tests and builds share the machine
    assert paint < 2_000 * 3, measured


@pytest.fixture(scope="session", params=["static", "packed"])
def with_contrastive(folder: Path, request: pytest.FixtureRequest) -> Path:
    """Two primary runs, two contrastive ones and a baseline; names and intervals are long."""
    names = ["North-Western-University/primary", "Kelp/primary", "Kelp/contrastive1"]
    names += ["North-Western-University/contrastive-resubmitted", "search_engine"]
    runs = []
    for name, source in zip(names, own_files("sample_runs/ave2007-es"), strict=True):
        path = folder / f"contrastive/{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(source.read_bytes())
        runs.append(path)
    given = ["--primary", "*primary", "--reference", "search_engine", "--ci", "95"]
    given += ["-m", "f1,precision,recall,qa_accuracy"]
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "packed":
            patch.setattr(questions, "STATIC_QUESTIONS", 1)
        page = folder / f"contrastive-{request.param}.html"
        return reported(page, SPANISH[0], *runs, *given)


def test_runs_without_a_rank_are_folded(opened: Opened, with_contrastive: Path) -> None:
    page = opened(with_contrastive, viewport={"width": 1280, "height": 800})
    heads = page.locator(".matrix thead .run:visible")
    filters = page.locator(".filters button")
    page.locator(".matrix tbody tr").first.wait_for()
    assert heads.count() == 2
    folded = filters.all_text_contents()
    rights = page.locator(".matrix tbody .right").all_text_contents()
    assert {*rights} <= {"0", "1", "2"}
    page.locator("#unfold").check()
    assert heads.count() == 5
    assert filters.all_text_contents() != folded
    assert {*page.locator(".matrix tbody .right").all_text_contents()} & {"3", "4", "5"}
    page.locator("#unfold").uncheck()
    assert filters.all_text_contents() == folded
    assert page.locator(".matrix tbody .right").all_text_contents() == rights


@pytest.mark.parametrize("width", [360, 768, 1024, 1280])
def test_scores_fit_their_frame(opened: Opened, with_contrastive: Path, width: int) -> None:
    page = opened(with_contrastive, viewport={"width": width, "height": 800})
    wide = "all => all.map(box => box.scrollWidth - box.clientWidth)"
    if width > 1000:
        assert {*page.locator("#scores .scroll:visible").evaluate_all(wide)} == {0}
    assert page.evaluate(IS_NARROW)


def test_paper_begins_on_its_first_page(opened: Opened, with_contrastive: Path) -> None:
    """What does not break is shorter than a page, so that none is empty before it."""
    page = opened(with_contrastive)
    page.emulate_media(media="print")
    breaks = "all => all.map(one => [getComputedStyle(one).breakInside, one.offsetHeight])"
    kept = page.locator("section, figure, table, tr").evaluate_all(breaks)
    assert max(height for inside, height in kept if inside == "avoid") < 900
    cut = (
        "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.outerHTML)"
    )
    assert page.locator(".matrix th:visible, th.name:visible").evaluate_all(cut) == []
