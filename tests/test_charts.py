"""Figures of pages: positions by hand, names that are hostile, the palette, and what is thinned."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from lxml import etree

import ave_score
from ave_score import Audience, Clusters, Design, Page, Policies, Resampling, Shared
from ave_score.core.text import shortened
from ave_score.reports.plots.reliability import MEANING, Reliabilities

QUICK = Design(resampling=Resampling(50))
HEIGHT, PHONE, LETTER = 340, 260, 6.2
"""In px: the height of a plot of curves, the width of a plot on a phone, a letter of its labels."""


def page_of(labels: str, runs: Mapping[str, Sequence[str]], **options: object) -> Page:
    """Return a page about questions with one answer each.

    `labels` has a V for each correct answer and an R for each other one. A run has a confidence for
    each question, with a minus if it rejects the answer.
    """
    ids = [str(number) for number in range(len(labels))]
    words = {"V": "VALIDATED", "R": "REJECTED"}
    gold = {"q_id": ids, "a_id": ids, "label": [words[label] for label in labels]}
    given = {
        name: {
            "q_id": ids,
            "a_id": ids,
            "verdict": ["REJECTED" if one.startswith("-") else "SELECTED" for one in said],
            "confidence": [one.removeprefix("-") for one in said],
        }
        for name, said in runs.items()
    }
    policies = Policies(intervals=None)
    asked = {"design": QUICK} if len(runs) > 1 else {}
    return ave_score.report(gold, given, policies=policies, **asked, **options)  # type: ignore[arg-type]


def accepting(right: int, questions: int = 10) -> list[str]:
    """Return a run that accepts the first answers, and rejects the others."""
    return ["0.5"] * right + ["-0.5"] * (questions - right)


@pytest.fixture(scope="module")
def shipped() -> Page:
    runs = sorted(Path("sample_runs/ave2007-es").glob("*.txt"))
    return ave_score.report("gold/ave2007-es.xml", runs, design=QUICK, by="lang")


def charts(page: Page) -> list[etree._Element]:
    """Return the figures of a page, which have to be well-formed XML."""
    found = re.findall(r'<figure class="chart.*?</figure>', page.to_html(), re.S)
    return [etree.fromstring(text) for text in found]


def having(root: etree._Element, css: str) -> list[etree._Element]:
    return [one for one in root.iter() if css in str(one.get("class", "")).split()]


def per_cent(element: etree._Element, name: str) -> float:
    return float(str(element.get(name)).removesuffix("%"))


def number(text: str) -> float:
    return float(text.replace("\N{MINUS SIGN}", "-"))


def axis_of(chart: etree._Element) -> tuple[float, float]:
    """Return the ends of the axis of a chart of rows, after its ticks, which are round numbers."""
    ticks = [(per_cent(one, "x"), number(str(one.text))) for one in having(chart, "tick")]
    steps = {round(b[1] - a[1], 9) for a, b in pairwise(ticks)}
    assert len(steps) == 1
    (step,) = steps
    assert f"{step:e}"[0] in "125" and set(f"{step:e}"[1:].partition("e")[0]) <= {".", "0"}
    assert (ticks[0][0], ticks[-1][0]) == (0, 100)
    return ticks[0][1], ticks[-1][1]


def test_marks_and_intervals_stand_where_their_numbers_say(shipped: Page) -> None:
    seen = set()
    for chart in charts(shipped):
        if "rows" not in str(chart.get("class")).split():
            continue
        low, high = axis_of(chart)
        seen.add("pairs" in str(chart.get("class")))
        for line in chart.findall("tbody/tr") + chart.findall("table/tbody/tr"):
            (mark,), ends = having(line, "mark"), having(line, "interval")
            value = number("".join(map(str, having(line, "value")[0].itertext())))
            at = low + (high - low) * per_cent(mark, "cx") / 100
            assert at == pytest.approx(value, abs=0.0006)
            first, last = re.findall(
                r"[-\N{MINUS SIGN}+]?\d+\.\d+", "".join(map(str, ends[1].itertext()))
            )
            for name, end in (("x1", first), ("x2", last)):
                at = low + (high - low) * per_cent(ends[0], name) / 100
                assert at == pytest.approx(number(end), abs=0.0006)
        for zero in having(chart, "zero"):
            assert low + (high - low) * per_cent(zero, "x1") / 100 == pytest.approx(0, abs=0.0006)
    assert seen == {False, True}


def test_labels_of_baselines_do_not_overlap_on_a_phone(shipped: Page) -> None:
    labels = 0
    for chart in charts(shipped):
        boxes = []
        for one in having(chart, "level-name"):
            at, wide = per_cent(one, "x") / 100 * PHONE, LETTER * len(str(one.text))
            share = {"start": 0.0, "middle": 0.5, "end": 1.0}[str(one.get("text-anchor"))]
            boxes.append((str(one.get("y")), at - share * wide, at + (1 - share) * wide))
        labels += len(boxes)
        for (y, _, end), (other, start, stop) in pairwise(sorted(boxes)):
            assert y != other or end < start
            assert start > -1 and stop < PHONE + 1
    assert labels > 3


def test_a_ranking_by_hand() -> None:
    """Of ten correct answers four, three and one; the baselines that accept all are far off."""
    runs = {"low": accepting(1), "high": accepting(4), "mid": accepting(3)}
    page = page_of("V" * 10, runs, measures="qa_accuracy", compared="qa_accuracy")
    (found,) = page.figures.rankings
    assert [(one.rank, one.name.short, one.text, one.mark) for one in found.rows] == [
        ("1", "high", "0.400", "run"),
        ("2", "mid", "0.300", "run"),
        ("3", "low", "0.100", "run"),
    ]
    assert not found.levels
    assert "100% VALIDATED: 1.000" not in found.beyond  # a run of the collection, and no baseline
    assert "Perfect selection: 1.000" in found.beyond
    (pairs,) = page.figures.pairs
    assert pairs is not None
    said = [(one.name.short, one.other and one.other.short, one.text) for one in pairs.rows]
    assert said == [("high", "mid", "+0.100"), ("high", "low", "+0.300"), ("mid", "low", "+0.200")]


def test_one_run_stands_between_baselines() -> None:
    (found,) = page_of("V" * 4, {"only": accepting(1, 4)}, measures="qa_accuracy").figures.rankings
    assert {found.scale.at(one.value) for one in found.levels} == {"100.00"}
    assert found.beyond == []
    assert [tick.text for tick in found.ticks][-1] == "1.0"


def test_shortened_names_stay_distinct() -> None:
    assert shortened(["team-a-run-1", "team-b-run-1"], 8, len) == ["team…n-1", "te…1 (2)"]
    names = ["x" * 50, "中文" * 20, "short", "x" * 49 + "y"]
    runs = {name: [f"0.{number}", "-0.5"] for number, name in enumerate(names, 1)}
    page = page_of("VV", runs, teams={"short": "A"}, audience=Audience("A", Shared.EVERYTHING))
    rows = page.figures.rankings[0].rows
    assert len({row.name.short for row in rows}) == 4
    assert max(len(row.name.short) for row in rows) < 30
    # all verdicts and orders of confidences are equal, and so are most figures
    assert [row.name.full for row in rows if row.name.is_own] == ["short (same as another run)"]


def test_curves_by_hand() -> None:
    """Of four questions three are answered, from the surest on: right, wrong, right.

    Risks 0, 1/2, 1/3 at coverages 1/4, 1/2, 3/4: the axis ends at 0.5, 340 px below.
    """
    page = page_of("VRVV", {"run": ["0.9", "0.7", "0.4", "-0.1"]})
    (chart,) = (one for one in charts(page) if one.get("id") == "risk")
    (line,) = chart.iter("polyline")
    assert line.get("points") == "180.0,340.0 360.0,0.0 540.0,113.3"
    (end,), (label,) = having(chart, "end"), having(chart, "label")
    assert (end.get("cx"), end.get("cy"), label.get("y")) == ("75.00%", "33.33%", "33.33%")
    # the mean risk at the three answers: (0 + 1/2 + 1/3) / 3
    assert "".join(map(str, label.itertext())) == "run 0.278"
    ticks = [one for one in having(chart, "tick") if one.get("text-anchor") == "end"]
    assert [one.text for one in ticks] == ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]
    assert [one.get("y") for one in ticks][:2] == ["100.00%", "80.00%"]
    figure = page.figures.curves
    assert figure is not None
    # the first answer is at 0.25, and the last one at 0.75 stands for less than 0.77
    assert figure.table[0] == ("0.26", ["0.000"]) and figure.table[12] == ("0.50", ["0.500"])
    assert figure.table[-1] == ("0.76", ["0.333"])


def test_more_curves_than_strokes_are_grey() -> None:
    figure = page_of(
        "VRVV", {str(n): ["0.9", "0.7", "0.4", "-0.1"] for n in range(10)}
    ).figures.curves
    assert figure is not None
    assert [line.stroke for line in figure.lines] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert len(figure.faint) == 2
    assert figure.notes[0] == "Of 10 runs, the 8 best by F are named, the others grey."
    heights = sorted(float(line.label) * HEIGHT / 100 for line in figure.lines)
    assert min(b - a for a, b in pairwise(heights)) > 17.9
    assert 0 <= heights[0] <= heights[-1] <= HEIGHT


def test_labels_of_curves_are_whole_lines() -> None:
    """Of 20 columns, broken behind separators; the labels of eight curves have room for three."""
    names = {
        "Team/primary": ["Team/primary"],
        "KeLP-primary-submission-A": ["KeLP-primary-", "submission-A"],
        "University_of_Somewhere-contrastive_run_2": [
            "University_of_", "Somewhere-", "contrastive_run_2",
        ],
        "x" * 81: ["xxxxxxxxxx…xxxxxxxxx"],
    }  # fmt: skip
    page = page_of("VR", {key: ["0.9", "0.8"] for key in [*names, "b", "c", "d", "e"]})
    figure = page.figures.curves
    assert figure is not None
    assert {line.name.full: line.lines for line in figure.lines}.items() >= names.items()
    heights = sorted(float(line.label) * HEIGHT / 100 for line in figure.lines)
    assert min(below - above for above, below in pairwise(heights)) >= 18 + 2 * 14 - 0.1
    assert heights[0] >= 0 and heights[-1] <= HEIGHT


def test_thinned_curves_look_the_same() -> None:
    """The curve goes through a few of its points, and misses no other by half a pixel."""
    chance, size = random.Random(3), 4_000
    labels = "".join("V" if chance.random() < 0.3 + 0.5 * at / size else "R" for at in range(size))
    run = [f"{1 - at / size:.6f}" for at in range(size)]
    figure = page_of(labels, {"run": run}).figures.curves
    assert figure is not None
    (line,) = figure.lines
    kept = [(float(x), float(y)) for x, _, y in (one.partition(",") for one in line.points.split())]
    assert len(kept) < size / 3
    high, wrong, points = float(figure.scale.high), 0, []
    for at, label in enumerate(labels, 1):
        wrong += label == "R"
        points.append((720 * at / size, HEIGHT - HEIGHT * wrong / at / high))
    assert kept[0] == pytest.approx(points[0], abs=0.06)
    assert kept[-1] == pytest.approx(points[-1], abs=0.06)
    ends = pairwise(kept)
    (x0, y0), (x1, y1) = next(ends)
    for x, y in points[1000:]:  # before, the curve is so steep that a tenth of a pixel matters
        while x > x1 + 0.06:
            (x0, y0), (x1, y1) = next(ends)
        assert abs(y0 + (y1 - y0) * (x - x0) / (x1 - x0) - y) < 0.6


def test_reliability_by_hand() -> None:
    """Two answers of 0.15, one of them right, and one wrong answer of 0.75."""
    page = page_of("VRR", {str(n): ["0.15", "0.15", "0.75"] for n in range(7)})
    figure = page.figures.reliability
    assert figure is not None and len(figure.panels) == 6
    (chart,) = (one for one in charts(page) if one.get("id") == "reliability")
    drawn = Reliabilities([panel.diagram for panel in figure.panels])  # what --plot draws, too
    told = [*drawn.words.notes, "The 6 best of 7 runs with confidences."]
    assert sorted(figure.notes) == sorted([MEANING, *told])
    assert chart.findtext("figcaption") == " ".join(figure.notes)
    panel = having(chart, "panel")[0]
    boxes = [
        [one.get(name) for name in ("x", "width", "y", "height")] for one in panel.iter("rect")
    ]
    assert boxes == [
        ["10.00%", "10.00%", "50.00%", "50.00%"], ["70.00%", "10.00%", "100.00%", "0.00%"],
        ["10.00%", "10.00%", "0.00%", "100.00%"], ["70.00%", "10.00%", "50.00%", "50.00%"],
    ]  # fmt: skip
    marks = [(one.get("cx"), one.get("cy")) for one in having(panel, "mark")]
    assert marks == [("15.00%", "50.00%"), ("75.00%", "100.00%")]
    rows = [[cell.text for cell in row.iter("td")] for row in chart.iter("tr")]
    assert rows[1:3] == [["0.1 to 0.2", "2", "0.15", "0.50"], ["0.7 to 0.8", "1", "0.75", "0.00"]]


def drawn_in(cell: etree._Element) -> tuple[str, str, bool]:
    """Return the text of a cell, the width of its bar, and whether it is bold."""
    width = "".join(str(one.get("width")).removesuffix("%") for one in cell.iter("rect"))
    return "".join(map(str, cell.itertext())).strip(), width, cell.find("b") is not None


def test_groups_by_hand() -> None:
    """Of group x 1 and 2 of 4 are right, of y 4 and 1 of 4, and z has no correct answer."""
    groups = Clusters("path/of/types", dict(zip(map(str, range(10)), "xxxxyyyyzz", strict=True)))
    marks = {"run0": "1000111100", "run1": "1100100000"}
    runs = {name: ["0.5" if one == "1" else "-0.5" for one in said] for name, said in marks.items()}
    page = page_of("VVVVVVVVRR", runs, measures="normalized_qa_accuracy", by=groups,
                   compared="normalized_qa_accuracy")  # fmt: skip
    ((found,),) = page.figures.grids
    assert found.title.endswith(" by types")
    assert [head.name.short for head in found.heads] == ["run0", "run1"]  # by micro
    expected = [("x", "4"), ("y", "4"), ("z", "2"), ("micro", "10"), ("macro", "")]
    assert [(head.name.short, head.size) for head, _ in found.rows] == expected
    (chart,) = (one for one in charts(page) if "groups" in str(one.get("class")))
    cells = [[drawn_in(cell) for cell in row.iter("td")] for row in chart.findall(".//tbody/tr")]
    assert cells[:4] == [
        [("25.00", "25.00", False), ("50.00", "50.00", True)],
        [("100.00", "100.00", True), ("25.00", "25.00", False)],
        [("n/a", "", False), ("n/a", "", False)],
        [("62.50", "62.50", True), ("37.50", "37.50", False)],  # 5 and 3 of 8
    ]


@pytest.mark.slow
def test_many_runs_and_groups() -> None:
    ids = [str(number) for number in range(70)]
    runs = {f"run{n}": accepting(n + 1, 70) for n in range(31)}
    page = page_of("V" * 70, runs, by=Clusters("g", dict(zip(ids, ids, strict=True))),
                   measures="qa_accuracy", compared="qa_accuracy")  # fmt: skip
    ((found,),) = page.figures.grids
    assert found.notes == ["The 30 best of 31 runs.", "The 60 largest of 70 groups."]
    assert len(found.heads) == 30  # what is fewer are the columns
    assert len(page.figures.rankings[0].rows) == 31 and page.figures.curves is not None
    assert len(page.figures.curves.faint) == 23


def test_figures_have_titles_and_ids_of_their_own(shipped: Page) -> None:
    for root in charts(shipped):
        ids = [str(one.get("id")) for one in root.iter() if one.get("id")]
        assert len(ids) == len({*ids})
        used = [one.get("href") for one in root.iter("use")]
        assert {str(name)[1:] for name in used} <= {*ids}
        wide = [one for one in root.iter("div") if one.get("class") == "wide"]
        assert all(one.get("tabindex") == "0" and one.get("aria-label") for one in wide)
        for svg in root.iter("svg"):
            if any(parent.tag == "svg" for parent in svg.iterancestors()):
                continue
            labels = str(svg.get("aria-labelledby", "")).split()
            assert svg.get("aria-hidden") == "true" or len(labels) == 2
            assert {*labels} <= {*ids}


def test_numbers_in_attributes_are_short(shipped: Page) -> None:
    for root in charts(shipped):
        text = etree.tostring(root, encoding="unicode").split("<desc")[0]
        assert not re.search(r'="[^"]*\d\.\d{3}[^"]*"', text)


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2.2."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_by_published_figures() -> None:
    # WebAIM's contrast checker: #777777 on white 4.48, black on white 21
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("number", [0, 1], ids=["light", "dark"])
def test_marks_can_be_seen_on_paper(shipped: Page, number: int) -> None:
    css = shipped.to_html()
    paper = re.findall(r"--paper: (#\w{6})", css)[number]
    colours = re.findall(r"--s\d: (#\w{6})", css)[7 * number : 7 * number + 7]
    assert len(colours) == 7  # and ink
    assert min(contrast(colour, paper) for colour in colours) >= 3


def test_strokes_differ_in_dash(shipped: Page) -> None:
    strokes = dict(re.findall(r"\.line\.(s\d) {([^}]*)}", shipped.to_html()))
    dashes = {name: re.findall(r"dasharray: ([\d ]+)", rule) for name, rule in strokes.items()}
    assert len(dashes) == 8 and len({*map(str, dashes.values())}) == 8


TEAMS = {"bold": "Ours", "careful": "Theirs"}


def page_for(audience: Audience) -> Page:
    runs = ["sample_runs/tiny/bold.txt", "sample_runs/tiny/careful.txt"]
    design = Design(resampling=Resampling(50))
    types = Clusters("types", {"1": "who", "2": "when", "3": "who", "4": "when", "5": "who"})
    return ave_score.report(
        "gold/tiny.xml", runs, teams=TEAMS, by=types, design=design, audience=audience
    )


def test_organisers_see_all_figures() -> None:
    figures = page_for(Audience()).figures
    assert [one.measure.title for one in figures.rankings] == ["F", "QA accuracy"]
    assert all(one.level and one.has("letters") for one in figures.rankings)
    assert [len(one.rows) for one in figures.pairs if one] == [1, 1]
    assert figures.curves and figures.reliability
    expected = [["F by types", "QA accuracy by types"]]
    assert [[one.title for one in each] for each in figures.grids] == expected


def test_a_team_that_sees_scores_sees_points_only() -> None:
    page = page_for(Audience("Ours", Shared.SCORES))
    figures = page.figures
    assert (figures.curves, figures.reliability, figures.pairs, figures.grids) == (
        *(None, None, [], []),
    )
    rows = [row for one in figures.rankings for row in one.rows]
    assert rows
    assert not [row for row in rows if row.interval or row.ranks or row.letters]
    expected = {"bold": True, "another run 1": False}
    assert {row.name.full: row.name.is_own for row in rows} == expected
    text = page.to_html()
    assert "careful" not in text and 'class="interval"' not in text
    assert "polyline" not in text


def test_a_team_that_sees_outcomes_sees_curves_of_its_own_runs() -> None:
    figures = page_for(Audience("Ours", Shared.OUTCOMES)).figures
    assert figures.curves
    assert [line.name.full for line in figures.curves.lines] == ["bold"]
    assert [head.name.full for head in figures.grids[0][0].heads] != []
    assert "careful" not in str(figures)
