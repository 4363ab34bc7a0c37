"""Figures of pages: positions by hand, names that are hostile, the palette, and what is thinned."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction as F
from itertools import pairwise
from math import nan

import pytest
from lxml import etree

import ave_score
from ave_score.core.model import Clusters
from ave_score.core.text import shortened
from ave_score.counts import ConfidenceCounts, SelfScoreCounts
from ave_score.counts.counted import Kind
from ave_score.inference.compare_records import Comparison, Design, Pair, Standing
from ave_score.inference.intervals import Estimate
from ave_score.inference.resampling import Interval, Resampling
from ave_score.measures import parse_measures
from ave_score.pages.audience import Audience, Shared
from ave_score.pages.charts import best_pairs, ranking
from ave_score.pages.content import Page
from ave_score.pages.curves import (
    HEIGHT,
    curve_figure,
    reliability_figure,
    spread,
    thinned,
)
from ave_score.pages.grids import grid
from ave_score.pages.render import TEMPLATES, _environment
from ave_score.pages.scales import names_of, scale_of
from ave_score.reports.html import STYLE_SHEET
from ave_score.reports.plots.curves import Curves, RunCurve, risk_coverage
from ave_score.reports.plots.reliability import Reliabilities, reliability
from ave_score.reports.plots.sheet import LeftOut
from ave_score.tasks.breakdown import MACRO, MICRO, Breakdown, BrokenDown, Part
from ave_score.tasks.score import Row, Scores

HOSTILE = (
    "<script>alert(1)</script>",
    "\"quoted\" 'name' &amp;",
    "a" * 10_000,
    "\u202eevil\x1b[31m",
)
F1, MRR = parse_measures("f1, mrr")


@pytest.fixture(scope="module")
def empty() -> Scores:
    """Return scores of a real collection, whose rows tests replace."""
    return ave_score.score("gold/tiny.xml", ["sample_runs/tiny/bold.txt"], measures="f1")


def row(
    run: str, value: F | None, kind: Kind = Kind.AV, interval: tuple[float, float] | None = None
) -> Row:
    intervals = {"f1": Estimate(*interval, "Wilson's")} if interval else {}
    return Row(run, kind, {}, {"f1": value}, intervals=intervals)


def markup(macro: str, figure: object) -> str:
    """Return a figure as a page has it, which has to be well-formed XML."""
    source = '{% import "charts.html" as charts %}{{ charts.' + macro + '(figure, "one") }}'
    return _environment().from_string(source).render(figure=figure)


def drawn(macro: str, figure: object) -> etree._Element:
    return etree.fromstring(markup(macro, figure))


def attributes(root: etree._Element, tag: str, name: str, css: str = "") -> list[str]:
    found = (one for one in root.iter(tag) if css in str(one.get("class", "")).split() or not css)
    return [str(one.get(name)) for one in found]


# --- scales


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0, 1], "0.0 0.2 0.4 0.6 0.8 1.0"),
        ([F("0.123"), F("0.582")], "0.1 0.2 0.3 0.4 0.5 0.6"),
        ([0.301, 0.302], "0.3010 0.3012 0.3014 0.3016 0.3018 0.3020"),
        ([-3, 17], "-5 0 5 10 15 20"),
        ([0, 2500], "0 500 1000 1500 2000 2500"),
        ([F(1, 2), F(1, 2)], "0.44 0.46 0.48 0.50 0.52 0.54 0.56"),
    ],
)
def test_ticks_are_round_numbers(values: Sequence[F | float], expected: str) -> None:
    assert " ".join(tick.text for tick in scale_of(values).ticks()) == expected


def test_positions_are_per_cent_with_two_decimals() -> None:
    scale = scale_of([0, F(3, 10)], 3)
    assert [tick.at for tick in scale.ticks()] == ["0.00", "33.33", "66.67", "100.00"]
    assert [tick.text for tick in scale.ticks(times=100)] == ["0", "10", "20", "30"]
    assert scale.at(0.1 + 0.2) == "100.00"
    assert scale.down(F(1, 10)) == "66.67"


def test_shortened_names_stay_distinct() -> None:
    assert shortened(["team-a-run-1", "team-b-run-1"], 8, len) == ["team…n-1", "te…1 (2)"]
    names = names_of(["x" * 50, "中文" * 20, "x" * 50, "short"], {"short"})
    assert [name.short for name in names.values()][2] == "short"
    assert names["x" * 50].short == "x" * 14 + "…" + "x" * 13
    assert [name.is_own for name in names.values()] == [False, False, True]


# --- rankings and pairs


def test_a_ranking_by_hand(empty: Scores) -> None:
    rows = [
        row("low", F(1, 10), interval=(0.0, 0.2)),
        row("none", None, interval=(nan, nan)),
        row("system", F(3, 10), Kind.QA),
        row("high", F(4, 10), interval=(0.3, 0.5)),
        row("half", F(3, 10), Kind.BASELINE),
        row("perfect", F(1), Kind.BASELINE),
    ]
    found = ranking(replace(empty, rows=rows), F1, own={"high"})
    assert [tick.text for tick in found.ticks] == ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]
    # of an axis from 0 to 0.5: 0.4 is at 80 %, 0.3 at 60 %, 0.1 at 20 %
    assert [(one.rank, one.name.short, *one.strip, one.mark) for one in found.rows] == [
        ("1", "high", "80.00", "60.00", "100.00", "run"),
        ("2", "system", "60.00", None, None, "system"),
        ("3", "low", "20.00", "0.00", "40.00", "run"),
        ("", "none", None, None, None, "run"),
    ]
    assert [(one.name, one.at, one.value) for one in found.levels] == [("half", "60.00", "0.300")]
    assert found.beyond == ["perfect: 1.000"]  # more than a quarter of 0..0.5 above 0.5
    root = drawn("ranking", found)
    assert len(attributes(root, "tr", "class", "own")) == 1
    assert attributes(root, "circle", "cx", "mark") == ["80.00%", "20.00%", "5.5"]
    assert attributes(root, "rect", "x", "mark") == ["60.00%", "1"]


def test_one_run_stands_between_baselines(empty: Scores) -> None:
    rows = [row("only", F(1, 4)), row("zero", F(0), Kind.BASELINE), row("all", F(1), Kind.BASELINE)]
    found = ranking(replace(empty, rows=rows), F1)
    assert [(one.name, one.at) for one in found.levels] == [("zero", "0.00"), ("all", "100.00")]
    assert found.beyond == []
    assert found.rows[0].strip.at == "25.00"


def comparison(standings: Sequence[Standing], pairs: Sequence[Pair] = ()) -> Comparison:
    return Comparison(F1, Design(), 10, standings, pairs, [], 0.05)


def test_a_comparison_gives_intervals_ranks_and_letters(empty: Scores) -> None:
    standings = [
        Standing("a", F(1, 2), Interval(0.4, 0.6), (1, 2), "a"),
        Standing("b", F(1, 4), Interval(nan, nan), (2, 2), "ab"),
    ]
    rows = [row("b", F(1, 4)), row("a", F(1, 2), interval=(0.1, 0.9)), row("a", F(1, 3), Kind.QA)]
    found = ranking(replace(empty, rows=rows), F1, comparison(standings))
    shown = [(one.name.short, one.interval, one.ranks, one.letters) for one in found.rows]
    # the system that is called as a run has no rank
    assert shown == [
        *(("a", "0.400 to 0.600", "1–2", "a"), ("a", "", "", ""), ("b", "", "2", "ab")),
    ]
    assert found.level == "95 %"
    assert found.has_unranked


def test_labels_of_baselines_do_not_overlap_on_a_phone(empty: Scores) -> None:
    rows = [row("run", F(0)), row("other", F(1))]
    rows += [row(f"baseline {n}", F(n, 10), Kind.BASELINE) for n in (0, 4, 5, 10)]
    levels = ranking(replace(empty, rows=rows), F1).levels
    # at 0, 104, 130 and 260 px of 260; each label is 16 letters of 6.2 px wide, 99 px
    assert [(one.line, one.side) for one in levels] == [
        *((0, "start"), (1, "middle"), (2, "middle"), (0, "end")),
    ]


def pair(run: str, other: str, difference: F | None, low: float, high: float) -> Pair:
    return Pair(run, other, difference, Interval(low, high), 0.1, 0.1, low > 0, True, None, None)


def test_pairs_by_hand() -> None:
    standings = [Standing(name, None, Interval(nan, nan), None, "") for name in "abc"]
    pairs = [
        pair("a", "b", F(1, 10), -0.1, 0.3),
        pair("a", "c", F(3, 10), 0.1, 0.4),
        pair("b", "c", None, nan, nan),
    ]
    found = best_pairs(comparison(standings, pairs))
    assert [tick.text for tick in found.ticks] == ["-0.1", "0.0", "0.1", "0.2", "0.3", "0.4"]
    assert found.zero == "20.00"
    assert [(one.name.short, one.other and one.other.short) for one in found.rows] == [
        *(("a", "b"), ("a", "c")),
    ]
    assert [(*one.strip, one.mark, one.value) for one in found.rows] == [
        ("40.00", "0.00", "80.00", "hollow", "+0.100"),
        ("80.00", "40.00", "100.00", "run", "+0.300"),
    ]
    assert attributes(drawn("pairs", found), "line", "x1", "zero") == ["20.00%"]


# --- curves


def curves(*runs: str) -> Curves:
    # of four questions three are answered, from the surest on: right, wrong, right
    counts = SelfScoreCounts(array("d", [0.4, 0.9, 0.7]), bytes([1, 1, 0]), 4)
    left_out = [LeftOut("x", "it has no confidences")]
    return Curves("risk-coverage", [risk_coverage(run, counts) for run in runs], None, left_out)


def test_curves_by_hand() -> None:
    figure = curve_figure(curves("run"))
    # risks 0, 1/2, 1/3 at coverages 1/4, 1/2, 3/4: the axis ends at 0.5, 340 px below
    (line,) = figure.lines
    assert line.points == "180.0,340.0 360.0,0.0 540.0,113.3"
    assert (line.x, line.y, line.label, line.area) == ("75.00", "33.33", "33.33", "0.278")
    assert [tick.text for tick in figure.y_ticks] == ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]
    assert [tick.at for tick in figure.y_ticks][:2] == ["100.00", "80.00"]
    assert figure.notes == ["Not drawn: x: it has no confidences."]
    # the first answer is at 0.25, and the last one at 0.75 stands for less than 0.77
    assert figure.table[0] == ("0.26", ["0.000"])
    assert figure.table[12] == ("0.50", ["0.500"])
    assert figure.table[-1] == ("0.76", ["0.333"])


def test_more_curves_than_strokes_are_grey() -> None:
    figure = curve_figure(curves(*map(str, range(10))))
    assert [line.stroke for line in figure.lines] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert len(figure.faint) == 2
    assert figure.notes[0] == "Of 10 runs, the 8 first by name are named, the others grey."
    heights = sorted(float(line.label) * HEIGHT / 100 for line in figure.lines)
    gaps = [b - a for a, b in pairwise(heights)]
    assert min(gaps) > 17.9


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ([50, 20], [50, 20]),
        ([20, 22, 21], [20, 40, 30]),
        ([99, 98], [100, 90]),
        ([-5, 0], [0, 10]),
    ],
)
def test_labels_are_spread(wanted: list[float], expected: list[float]) -> None:
    assert spread(wanted, 10, 100) == expected


def wave(size: int) -> list[tuple[float, float]]:
    """Return a curve of pseudo-random steps, as risks have, with a peak that is easily lost."""
    state, y, found = 1, 170.0, []
    for n in range(size):
        state = state * 1103515245 % 2**31
        y += (state / 2**30 - 1) * 340 / (n + 1)
        found.append((720 * n / size, y))
    found[size // 2] = (found[size // 2][0], 500.0)
    return found


def test_thinned_curves_look_the_same() -> None:
    points = wave(10_000)
    kept = thinned(points)
    assert len(kept) < 1500
    assert kept[0] == points[0]
    assert kept[-1] == points[-1]
    assert {min(points, key=lambda one: one[1]), max(points, key=lambda one: one[1])} <= {*kept}
    assert {*kept} <= {*points}
    ends = pairwise(kept)
    (x0, y0), (x1, y1) = next(ends)
    for x, y in points:
        while x > x1:
            (x0, y0), (x1, y1) = next(ends)
        assert abs(y0 + (y1 - y0) * (x - x0) / (x1 - x0) - y) < 0.5


def test_few_points_are_kept() -> None:
    assert thinned([(0, 0), (1, 0.1)]) == [(0, 0), (1, 0.1)]
    assert thinned([(0, 0), (1, 0.1), (2, 0.2), (3, 9)]) == [(0, 0), (2, 0.2), (3, 9)]


def test_thirty_long_curves_are_small() -> None:
    points = [
        (F(n + 1, 10_000), F(round(1000 * y), 500_000)) for n, (_, y) in enumerate(wave(1000))
    ]
    several = [RunCurve(f"run{n}", points, points[-1], F(1, 2)) for n in range(30)]
    assert len(markup("curves", curve_figure(Curves("risk-coverage", several)))) < 150_000


# --- reliability and groups


def test_reliability_by_hand() -> None:
    # two answers of 0.15, one of them right, and one wrong answer of 0.75
    counts = ConfidenceCounts(array("d", [0.15, 0.15, 0.75]), bytes([1, 0, 0]))
    figure = reliability_figure(Reliabilities([reliability(str(n), counts) for n in range(7)]))
    assert len(figure.panels) == 6
    assert figure.notes == ["The 6 best of 7 runs with confidences."]
    panel = figure.panels[0]
    assert [one[:4] for one in panel.bars] == [
        ("10.00", "10.00", "50.00", "50.00"),
        ("70.00", "10.00", "100.00", "0.00"),
    ]
    assert panel.points == [("15.00", "50.00"), ("75.00", "100.00")]
    assert [(one.y, one.height) for one in panel.answers] == [
        ("0.00", "100.00"),
        ("50.00", "50.00"),
    ]
    assert panel.rows == [["0.1 to 0.2", "2", "0.15", "0.50"], ["0.7 to 0.8", "1", "0.75", "0.00"]]
    assert len([*drawn("reliability", figure).iter("desc")]) == 6


def broken_down(values: Sequence[Sequence[F | None]], groups: Sequence[str]) -> Breakdown:
    names = [*groups, MICRO, MACRO]
    runs = [
        BrokenDown(
            f"run{n}",
            Kind.AV,
            [
                Part(name, 10 + at, {"f1": value}, {}, {})
                for at, (name, value) in enumerate(zip(names, each, strict=True))
            ],
        )
        for n, each in enumerate(values)
    ]
    return Breakdown("path/of/types", [F1], runs, "question", "")


def test_groups_by_hand() -> None:
    half, fifth = F(1, 2), F(1, 5)
    found = grid(broken_down([[fifth, None, fifth, half], [half, fifth, half, F(0)]], "xy"), F1)
    assert found.title == "F by types"
    assert [head.name.short for head in found.heads] == ["run1", "run0"]  # by micro
    assert [(head.name.short, head.size) for head, _ in found.rows] == [
        *(("x", "10"), ("y", "11"), (MICRO, "12"), (MACRO, "")),
    ]
    cells = [[(one.text, one.width, one.is_best) for one in cells] for _, cells in found.rows]
    # 0.5 is the end of the axis; a value that no other run has is not the best
    assert cells[0] == [("0.50", "100.00", True), ("0.20", "40.00", False)]
    assert cells[1] == [("0.20", "40.00", False), ("n/a", "", False)]
    assert cells[3] == [("0.00", "0.00", False), ("0.50", "100.00", True)]


def test_what_is_fewer_are_the_columns() -> None:
    values: list[list[F | None]] = [[F(1, n)] * 3 for n in range(1, 5)]
    found = grid(broken_down(values, "x"), F1)
    assert [head.name.short for head in found.heads] == ["x", MICRO, MACRO]
    assert [head.name.short for head, _ in found.rows] == ["run0", "run1", "run2", "run3"]
    many: list[list[F | None]] = [[F(1, 2)] * 72 for _ in range(31)]
    notes = grid(broken_down(many, [f"g{n}" for n in range(70)]), F1).notes
    assert notes == ["The 30 best of 31 runs.", "The 60 largest of 70 groups."]


# --- markup


def all_figures(empty: Scores, names: Sequence[str]) -> Iterator[tuple[str, object]]:
    rows = [row(name, F(n, 10), interval=(n / 10 - 0.05, n / 10)) for n, name in enumerate(names)]
    rows.append(row("<b>", F(1, 5), Kind.BASELINE))
    yield "ranking", ranking(replace(empty, rows=rows), F1)
    standings = [Standing(name, None, Interval(nan, nan), None, "") for name in names]
    pairs = [pair(names[0], name, F(1, 10), 0.05, 0.3) for name in names[1:]]
    yield "pairs", best_pairs(comparison(standings, pairs))
    yield "curves", curve_figure(curves(*names))
    counts = ConfidenceCounts(array("d", [0.15, 0.75]), bytes([1, 0]))
    several = Reliabilities([reliability(name, counts) for name in names], [LeftOut("<i>", "&")])
    yield "reliability", reliability_figure(several)
    yield "grid", grid(broken_down([[F(1, 2)] * (len(names) + 2)] * 2, names), F1)


def test_hostile_names_are_text(empty: Scores) -> None:
    for macro, figure in all_figures(empty, HOSTILE):
        text = markup(macro, figure)
        root = etree.fromstring(text)
        assert not [*root.iter("script")]
        assert "<script" not in text
        assert "\x1b" not in text
        assert "\u202e" not in text
        seen = [t for t in root.itertext() if "a" * 40 in t]
        assert not seen or macro in ("curves", "reliability")  # in descriptions only
        assert not [
            name for one in root.iter() for name in one.attrib if str(name).startswith("on")
        ]
        assert not [one for one in root.iter() if one.get("style")]


def test_the_same_figures_are_the_same_bytes(empty: Scores) -> None:
    first, second = (
        [markup(*each) for each in all_figures(empty, ["a", "b", "c"])] for _ in range(2)
    )
    assert first == second


def test_figures_have_titles_and_ids_of_their_own(empty: Scores) -> None:
    for macro, figure in all_figures(empty, ["a", "b", "c"]):
        root = drawn(macro, figure)
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


def test_numbers_in_attributes_are_short(empty: Scores) -> None:
    for macro, figure in all_figures(empty, ["a", "b", "c"]):
        assert not re.search(r'="[^"]*\d\.\d{3}[^"]*"', markup(macro, figure).split("<desc")[0])


def test_the_figure_of_a_hundred_runs_has_a_row_for_each(empty: Scores) -> None:
    rows = [row(f"run{n}", F(n, 100), interval=(n / 100, n / 100)) for n in range(100)]
    text = markup("ranking", ranking(replace(empty, rows=rows), F1))
    assert len([*etree.fromstring(text).iter("use")]) == 100
    assert len(text) < 60_000


# --- the palette


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
def test_marks_can_be_seen_on_paper(number: int) -> None:
    paper = re.findall(r"--paper: (#\w{6})", STYLE_SHEET.read_text("utf-8"))[number]
    css = (TEMPLATES / "charts.css").read_text("utf-8")
    colours = re.findall(r"--s\d: (#\w{6})", css)[7 * number : 7 * number + 7]
    assert len(colours) == 7  # and ink
    assert min(contrast(colour, paper) for colour in colours) >= 3


def test_strokes_differ_in_dash() -> None:
    css = (TEMPLATES / "charts.css").read_text("utf-8")
    strokes = dict(re.findall(r"\.line\.(s\d) {([^}]*)}", css))
    dashes = {name: re.findall(r"dasharray: ([\d ]+)", rule) for name, rule in strokes.items()}
    assert len(dashes) == 8
    assert len({*map(str, dashes.values())}) == 8


# --- pages

TEAMS = {"bold": "Ours", "careful": "Theirs"}


def page_for(audience: Audience) -> Page:
    runs = ["sample_runs/tiny/bold.txt", "sample_runs/tiny/careful.txt"]
    design = Design(resampling=Resampling(50))
    types = Clusters("types", {"1": "who", "2": "when", "3": "who", "4": "when", "5": "who"})
    return ave_score.report(
        "gold/tiny.xml", runs, groups=TEAMS, by=types, design=design, audience=audience
    )


def test_organisers_see_all_figures() -> None:
    figures = page_for(Audience()).figures
    assert [one.measure for one in figures.rankings] == ["QA accuracy", "F"]
    assert all(one.level and one.has_letters for one in figures.rankings)
    assert [len(one.rows) for one in figures.pairs if one] == [1, 1]
    assert figures.curves
    assert figures.reliability
    assert [[one.title for one in each] for each in figures.grids] == [
        ["F by types", "QA accuracy by types"]
    ]


def test_a_team_that_sees_scores_sees_points_only() -> None:
    page = page_for(Audience("Ours", Shared.SCORES))
    figures = page.figures
    assert (figures.curves, figures.reliability, figures.pairs, figures.grids) == (
        *(None, None, [], []),
    )
    rows = [row for one in figures.rankings for row in one.rows]
    assert rows
    assert not [row for row in rows if row.interval or row.ranks or row.letters or row.strip.low]
    assert {row.name.full: row.name.is_own for row in rows} == {
        "bold": True,
        "another run 1": False,
    }
    text = page.to_html()
    assert "careful" not in text
    assert 'class="interval"' not in text
    assert "polyline" not in text


def test_a_team_that_sees_outcomes_sees_curves_of_its_own_runs() -> None:
    figures = page_for(Audience("Ours", Shared.OUTCOMES)).figures
    assert figures.curves
    assert [line.name.full for line in figures.curves.lines] == ["bold"]
    assert [head.name.full for head in figures.grids[0][0].heads] != []
    assert "careful" not in str(figures)
