"""Figures as files: `score --plot`, and the content of SVGs."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from lxml import etree

import ave_score
from ave_score.inference.intervals import wilson
from tests import mostly_slow, slow
from tests.conftest import ROOT
from tests.helpers_command import ave, document_of, output, refusal
from tests.helpers_python import runs_named

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GOLD = "gold/ave2007-es.xml"
RUNS = [f"sample_runs/ave2007-es/{name}.txt" for name in ("García_1", "Rodrigo", "Tellez_1")]
TINY = ["gold/tiny.xml", "sample_runs/tiny/bold.txt", "sample_runs/tiny/careful.txt"]
QA = ["--qa", "gold/ave2007-es.qa.tsv"]
FIGURES = (
    *("bars", "roc", "precision-recall", "reliability", "reliability-mass"),
    *("risk-coverage", "generalised-risk", "threshold"),
)
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    *("a$x_1$b$", "_under", "<script>alert(1)</script>&amp;", "]]>--", "\\$5 100%", "中文_run"),
    *("García_$^2$", "tab\x1b[31mred", "%s{0}", "\"quoted\" 'name'"),
]

pytest.importorskip("matplotlib", reason="NO FIGURE IS TESTED: pip install -e '.[dev]'")


def plotted(path: Path, *arguments: str, figure: str = "bars") -> str:
    """Draw into a file; return what is said on stderr."""
    return ave("score", GOLD, *RUNS, "--plot", f"{figure}={path}", *arguments, code=0).err


def texts(svg: bytes) -> list[str]:
    """Return every text that is to be seen."""
    return ["".join(map(str, one.itertext())) for one in etree.fromstring(svg).iter(f"{SVG}text")]


@cache
def gold() -> ave_score.Collection:
    return ave_score.read_collection("gold/tiny.xml")


def svg_of(drawing: ave_score.Drawing) -> bytes:
    return drawing._repr_svg_().encode()


def svg_of_bars(names: Sequence[str], width: float = 6.3) -> bytes:
    return svg_of(ave_score.plot(gold(), runs_named(names), width=width))


@pytest.mark.parametrize(
    ("suffix", "figure"),
    mostly_slow([*product(["svg"], FIGURES), ("PNG", "roc"), ("PNG", "bars"), ("pdf", "bars")], 2),
)
def test_every_figure_is_drawn_and_every_format_written(
    figure: str, suffix: str, tmp_path: Path
) -> None:
    path = tmp_path / f"figure.{suffix}"
    assert plotted(path, figure=figure) == ""
    starts = {"svg": b"<?xml", "PNG": b"\x89PNG", "pdf": b"%PDF"}
    first = path.read_bytes()
    assert first.startswith(starts[suffix])
    plotted(path, figure=figure)
    assert path.read_bytes() == first
    assert not re.search(rb"\b20\d\d-\d\d-\d\d|CreationDate|[Mm]atplotlib v", first)


def test_bars_are_those_of_the_report(tmp_path: Path) -> None:
    path = tmp_path / "bars.svg"
    assert plotted(path, *QA) == ""
    svg = path.read_bytes()
    seen = texts(svg)
    names = ["prib_1", "Tellez_1", "Rodrigo", "García_1", "inao_1", "mira_1", "upv_1", "talp_1"]
    assert [text for text in seen if text in names] == names
    assert [text for text in seen if re.fullmatch(r"0\.\d\d", text)] == [
        *("0.49", "0.45", "0.42", "0.41", "0.38", "0.15", "0.13", "0.07")
    ]
    assert {"Perfect selection 0.59", "Random 0.25", "QA system", "AV run"} < {*seen}
    root = etree.fromstring(svg)
    assert [root[0].tag, root[1].tag] == [f"{SVG}title", f"{SVG}desc"]
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == f"{root[0].get('id')} {root[1].get('id')}"
    assert "2. Tellez_1: QA accuracy 0.45, potential by rejection 0.09." in (root[1].text or "")


@pytest.mark.slow
def test_the_report_stays_what_it_is(tmp_path: Path) -> None:
    for arguments in (["-f", "json"], ["-f", "json", "-m", "f1", "--ci", "90"], ["-m", "auc"]):
        asked = ["score", GOLD, *RUNS, *arguments, "--resamples", "50"]
        without = output(*asked)
        assert output(*asked, "--plot", tmp_path / "bars.svg") == without


def test_whiskers_are_the_intervals_of_the_report(tmp_path: Path) -> None:
    path = tmp_path / "bars.svg"
    plotted(path, "--ci", "95", "--resamples", "200", "-m", "f1")
    printed = ave("score", GOLD, *RUNS, "--ci", "95", "--resamples", "200", code=0).out
    shown = re.findall(r"0\.45 (\[.*?\])", printed)[0]
    desc = etree.fromstring(path.read_bytes())[1].text or ""
    assert f"Tellez_1: QA accuracy 0.45 {shown}" in desc
    assert "Whiskers: intervals of 95 % of the QA accuracy." in texts(path.read_bytes())


@pytest.mark.parametrize(("figure", "measure", "title"), mostly_slow([
    ("roc", "auc", "AUC"),
    ("precision-recall", "ap_rte", "AP"),
    ("risk-coverage", "aurc", "AURC"),
    ("generalised-risk", "augrc", "AUGRC"),
], 1))  # fmt: skip
def test_areas_have_the_intervals_of_the_report(
    figure: str, measure: str, title: str, tmp_path: Path
) -> None:
    path, asked = tmp_path / "curves.svg", ("--ci", "90", "--resamples", "100")
    plotted(path, *asked, figure=figure)
    rows = document_of("score", GOLD, *RUNS, "-m", measure, *asked)["runs"]
    (ends,) = [row["intervals"][measure] for row in rows if row["run"] == "Tellez_1"]
    shown = re.findall(rf"Tellez_1: {title} \S+ \[(.*?), (.*?)\]", path.read_text("utf-8"))
    assert [float(end) for end in shown[0]] == pytest.approx(ends, abs=0.00501)
    seen = texts(path.read_bytes())
    assert "In brackets: intervals of 90 %." in seen
    assert any(text.startswith(f"{title} 0.") and text.endswith("]") for text in seen)


def test_bins_have_intervals(tmp_path: Path) -> None:
    from matplotlib.collections import LineCollection

    policies = ave_score.Policies(intervals=ave_score.IntervalPolicy(90, resamples=20))
    drawn = ave_score.plot(GOLD, [RUNS[0]], figure="reliability", policies=policies)
    (whiskers,) = drawn.figure.axes[0].collections
    said = re.findall(r"(\d+) answers? of \S+ to \S+, (\S+) correct", svg_of(drawn).decode())
    assert isinstance(whiskers, LineCollection) and len(said) > 5
    for (answers, share), segment in zip(said, whiskers.get_segments(), strict=True):
        ends = wilson(round(float(share) * int(answers)), int(answers), 0.9)
        assert [y for _, y in segment.tolist()] == pytest.approx(ends, abs=0.01)
    path = tmp_path / "bins.svg"
    plotted(path, figure="reliability")
    assert "Whiskers" not in path.read_text("utf-8")
    plotted(path, "--ci", "95", "--resamples", "20", figure="reliability")
    assert "Whiskers: Wilson's 95 % intervals of each bin" in path.read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("figure", FIGURES)
def test_the_whole_width_is_used(figure: str, tmp_path: Path) -> None:
    from matplotlib.image import imread

    spanish = ave_score.read_collection(GOLD)
    names = ["ITNLP-AiKF_primary", "ConvKN_primary", "SLS_primary"]
    named = zip(names, RUNS, strict=False)
    runs = [ave_score.read_run(path, spanish, name=name) for name, path in named]
    drawn = ave_score.plot(spanish, runs, figure=figure)
    drawn.save(tmp_path / "f.png")
    darkest: list[float] = imread(tmp_path / "f.png").min(axis=(0, 2)).tolist()
    assert min(darkest[-len(darkest) // 10 :]) < 1
    # a name that has room is whole
    assert {text.partition("  ")[0] for text in texts(svg_of(drawn))} >= {*names}


def test_a_threshold_moves_the_figure(tmp_path: Path) -> None:
    paths = [tmp_path / "as-decided.svg", tmp_path / "all.svg"]
    for path, extra in zip(paths, ([], ["--threshold", "0"]), strict=True):
        plotted(path, *extra, figure="roc")
    assert "false positive rate 1.00, true positive rate 1.00" not in paths[0].read_text("utf-8")
    assert paths[1].read_text("utf-8").count("rate 1.00, true positive rate 1.00") == len(RUNS)


@pytest.mark.parametrize(
    "figure", mostly_slow(["roc", "precision-recall", "reliability", "threshold"], 1)
)
def test_runs_that_cannot_be_drawn_are_named(figure: str, tmp_path: Path) -> None:
    path = tmp_path / "f.svg"
    err = plotted(path, *QA, figure=figure)
    note = (
        "Not drawn: prib_1, inao_1, mira_1, upv_1, talp_1: "
        "a QA system decides on no candidate answers."
    )
    assert err == f"ave-score: {path}: {note}\n"
    assert note in texts(path.read_bytes())


def test_risk_needs_confidences_of_systems(tmp_path: Path) -> None:
    path = tmp_path / "f.svg"
    err = plotted(path, *QA, figure="risk-coverage")
    assert "talp_1: not every answer has a confidence." in err


@pytest.mark.parametrize(("figure", "measures", "order"), mostly_slow([
    ("risk-coverage", "f1,aurc", "best first by F"),
    ("generalised-risk", "aurc,f1", "best first by F"),
    ("risk-coverage", "aurc", "by name"),
    ("roc", "f1", "best first by AUC"),
], 1))  # fmt: skip
def test_curves_say_what_orders_them(
    figure: str, measures: str, order: str, tmp_path: Path
) -> None:
    """By hand: `few` answers one question rightly, `all` two of three, the surest one wrongly. F is
    2/3 of `all` (2 of 3 accepted are right, 2 of 3 right accepted) and 1/2 of `few`; AURC is 0 of
    `few`, and (1 + 1/2 + 1/3)/3 = 11/18 of `all`."""
    labels = "".join(
        f'<q id="{q}"><q_str>?</q_str><a id="1" value="VALIDATED"/><a id="2" value="REJECTED"/></q>'
        for q in "abc"
    )
    (tmp_path / "gold.xml").write_text(f"<ave>{labels}</ave>")
    few = "a 1 SELECTED 0.5\na 2 REJECTED 0.4\n"
    few += "".join(f"{q} 1 REJECTED 0.3\n{q} 2 REJECTED 0.2\n" for q in "bc")
    every = "a 1 REJECTED 0.4\na 2 SELECTED 0.9\n"
    every += "".join(f"{q} 1 SELECTED 0.8\n{q} 2 REJECTED 0.3\n" for q in "bc")
    (tmp_path / "few.txt").write_text(few)
    (tmp_path / "all.txt").write_text(every)
    path = tmp_path / "f.svg"
    names = [str(tmp_path / name) for name in ("gold.xml", "few.txt", "all.txt")]
    options = ["-m", measures, "--plot", f"{figure}={path}"]
    ave("score", *names, *options, code=0)
    shown = path.read_text("utf-8")
    assert f"A curve per run, {order}: " in shown
    first = [*("all", "few")] if order != "best first by AUC" else [*("few", "all")]
    assert sorted(["few", "all"], key=lambda name: shown.index(f"{name}: ")) == first


def test_reliability_needs_probabilities(tmp_path: Path) -> None:
    run = tmp_path / "scaled.txt"
    lines = [line.split() for line in Path(RUNS[1]).read_text("utf-8").splitlines()]
    run.write_text("".join(f"{q} {a} {v} {100 * float(c)}\n" for q, a, v, c in lines), "utf-8")
    path = tmp_path / "f.svg"
    arguments = [GOLD, str(run), "--plot", f"reliability={path}"]
    reason = "nothing to draw in the figure reliability. Not drawn: scaled: conf"
    assert reason in refusal("score", *arguments)
    assert not path.exists()
    err = ave("score", *arguments, RUNS[0], code=0).err
    assert "scaled: confidences are outside 0..1 (AVE108)." in err


def test_pairs_have_curves_and_no_bars(tmp_path: Path) -> None:
    pairs = ["gold/ave2006-it.xml.gz", "sample_runs/ave2006-it/Bosma.txt.gz"]
    path = tmp_path / "f.svg"
    for figure in ("bars", "risk-coverage", "generalised-risk", "threshold"):
        err = refusal("score", *pairs, "--plot", f"{figure}={path}")
        assert (
            err == f"ave-score: the figure {figure} is about questions, and pairs belong to none\n"
        )
    ave("score", *pairs, "--plot", f"roc={path}", code=0)


@pytest.mark.parametrize("name", ["figure", "figure.jpeg", "-", "svg", "a.svg/b"])
def test_other_files_are_refused_before_anything_is_read(name: str) -> None:
    err = refusal("score", "no-such.xml", "none.txt", "--plot", name)
    assert ".svg, .png, .pdf" in err
    assert name in err


def test_files_that_are_read_are_not_written_over(tmp_path: Path) -> None:
    run = tmp_path / "run.svg"
    run.write_bytes(Path(RUNS[1]).read_bytes())
    assert "is also an input file" in refusal("score", GOLD, str(run), "--plot", str(run))
    other = str(tmp_path / "o.svg")
    err = refusal("score", GOLD, *RUNS, "--plot", other, "-o", other)
    assert "name the same file" in err
    assert "empty" in refusal("score", GOLD, *RUNS, "--plot", "")


def test_a_figure_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "old.svg"
    path.write_text("old", "utf-8")
    broken = "sample_runs/broken/two-selected.txt"
    ave("score", GOLD, *RUNS, broken, "--plot", path, code=1)
    ave("score", GOLD, *RUNS, "--plot", path, "-o", tmp_path / "no/x", code=2)
    assert path.read_text("utf-8") == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["old.svg"]
    assert "cannot be written" in refusal("score", GOLD, *RUNS, "--plot", tmp_path / "no/f.svg")


def test_without_matplotlib_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    err = refusal("score", "no-such.xml", "--plot", "f.svg")
    assert err == "ave-score: drawing needs matplotlib: pip install matplotlib\n"


def test_curves_of_page_need_no_matplotlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    path = tmp_path / "page.html"
    ave("report", *TINY, "-o", path, code=0)
    assert '<h2 id="curves-title">Curves of confidences' in path.read_text("utf-8")


def test_options_that_do_not_go_together() -> None:
    assert "--plot: empty file name" in refusal("score", GOLD, *RUNS, "--plot", "roc=")
    assert "no figure ''" in refusal("score", GOLD, *RUNS, "--plot", "=f.svg")
    assert "./roc=f.svg" in refusal("compare", GOLD, *RUNS, "--plot", "roc=f.svg")
    assert "--plot" in refusal("score", GOLD, *RUNS, "--plot", "f.svg", "--sweep", "f1")
    answer_sets = ["gold/lists.json", "sample_runs/lists/none.tsv", "--plot", "f.svg"]
    assert "--plot" in refusal("score", *answer_sets)


def test_the_command_names_every_figure() -> None:
    said = f"no figure 'x', only {', '.join(FIGURES)}"
    assert refusal("score", "no-such.xml", "--plot", "x=f.svg") == f"ave-score: {said}\n"
    with pytest.raises(ave_score.UsageError, match=f"{said}$"):
        ave_score.plot("no-such.xml", figure="x")


def test_a_file_may_have_a_name_like_a_type(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    gold, run = ROOT / "gold/tiny.xml", ROOT / "sample_runs/tiny/bold.txt"
    ave("score", gold, run, "--plot", "./x=f.svg", code=0)
    assert "Horizontal bars" in Path("x=f.svg").read_text("utf-8")


@pytest.mark.parametrize("width", [3.3, slow(6.3), slow(12.0)])
def test_hostile_names_are_shown_literally(width: float) -> None:
    svg = svg_of_bars(HOSTILE, width)
    seen = texts(svg)
    for name in HOSTILE:
        literal = name.replace("\x1b", "\\x1b")
        assert literal in seen or (width == 3.3 and any("…" in text for text in seen))
        assert literal in (etree.fromstring(svg)[1].text or "")
    assert not etree.fromstring(svg).findall(f".//{SVG}script")


def test_legends_show_hostile_names_too() -> None:
    drawn = ave_score.plot(gold(), runs_named(HOSTILE[:8]), figure="roc", width=12)
    seen = texts(svg_of(drawn))
    for name in HOSTILE[:8]:
        assert any(text.startswith(name.replace("\x1b", "\\x1b")) for text in seen), name


def labels_of(drawing: ave_score.Drawing) -> list[str]:
    """Return the names of the bars, as they are drawn in PNG and PDF."""
    return [label.get_text() for label in drawing.figure.axes[0].get_yticklabels()]


def test_letters_that_the_font_lacks_are_escaped_where_text_is_drawn() -> None:
    drawn = ave_score.plot(gold(), runs_named(["中 García"]))
    assert labels_of(drawn) == ["\\u4e2d García"]
    assert "中 García" in texts(svg_of(drawn))


def test_many_runs_that_are_not_drawn_are_counted() -> None:
    drawn = ave_score.plot(gold(), runs_named([f"r{n}" for n in range(12)]), figure="bars")
    assert drawn.notes == []
    spanish = ave_score.read_collection(GOLD)
    systems = ave_score.read_judged(QA[1], spanish)
    copies = [replace(systems[0], name=f"s{n}") for n in range(11)]
    drawn = ave_score.plot(spanish, [*copies, RUNS[0]], figure="roc")
    named = ", ".join(f"s{n}" for n in range(8))
    why = "a QA system decides on no candidate answers"
    assert drawn.notes == [f"Not drawn: {named} and 3 more: {why}."]


def test_names_fit_and_stay_different(tmp_path: Path) -> None:
    names = [f"{300 * 'x'}_{number}" for number in (1, 2)]
    names += [f"{90 * 'a'}{number}{90 * 'b'}" for number in (1, 2)]
    drawn = ave_score.plot(gold(), runs_named([*names, "short"]), width=3.3)
    labels = labels_of(drawn)
    assert len({*labels}) == 5
    assert "short" in labels
    assert {label[-2:] for label in labels if label.startswith("x")} == {"_1", "_2"}
    drawn.save(tmp_path / "names.png")
    assert_nothing_is_cut_off(tmp_path / "names.png")


@pytest.mark.slow
@pytest.mark.parametrize("letter", "R-.W")
def test_notes_with_long_names_fit(letter: str, tmp_path: Path) -> None:
    """Letters on pixels are wider than their outlines, depending on the letter."""
    spanish, path = ave_score.read_collection(GOLD), tmp_path / "note.png"
    systems = ave_score.read_judged(QA[1], spanish)[:1]
    systems[0].name = 300 * letter
    run = ave_score.read_run(RUNS[0], spanish, name=f"{200 * letter} {200 * letter}")
    ave_score.plot(spanish, [run, *systems], figure="roc", width=3.3).save(path)
    assert_nothing_is_cut_off(path)


@pytest.mark.slow
def test_many_runs() -> None:
    names = [f"run_{number:02}" for number in range(44)]
    seen = texts(svg_of_bars(names, 3.3))
    assert [text for text in seen if text.startswith("run_")] == names
    svg = svg_of(ave_score.plot(gold(), runs_named(names), figure="roc", width=3.3))
    labels = [text for text in texts(svg) if text.startswith("run_")]
    scores = ave_score.score(gold(), runs_named(names), measures="auc")
    areas = {row.run: row.values["auc"] or 0 for row in scores.rows if row.run in names}
    best = sorted(names, key=lambda name: (-areas[name], name))[:8]
    assert labels == [f"{name}  AUC {float(areas[name]):.2f}" for name in best]
    assert "Of 44 runs, the 8 best by AUC are named, the others grey." in texts(svg)
    assert all(f"{name}: AUC" in (etree.fromstring(svg)[1].text or "") for name in names)
    assert b'<g id="line2d_' in svg
    assert re.search(rb'<g id="line2d_\d+"/>', svg) is None  # no line without points


def test_the_settings_of_the_user_do_not_matter() -> None:
    import matplotlib

    expected = svg_of_bars(["a", "b"])
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.fonttype": "path"}):
        assert svg_of_bars(["a", "b"]) == expected
        assert matplotlib.rcParams["font.size"] == 30


@pytest.mark.slow
def test_the_last_digits_of_a_layout_change_no_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    """The solver of layouts adds up in an order that depends on addresses in memory."""
    from matplotlib import layout_engine

    drawing = ave_score.plot(TINY[0], TINY[1:], figure="reliability")
    expected = drawing.to_bytes("svg")
    original = layout_engine.ConstrainedLayoutEngine.execute

    def execute(engine: layout_engine.ConstrainedLayoutEngine, figure: Figure) -> None:
        original(engine, figure)
        for axes in figure.axes:
            box = axes.get_position(original=True)
            axes.set_position((box.x0 + 1e-12, box.y0, box.width, box.height + 1e-12))

    monkeypatch.setattr(layout_engine.ConstrainedLayoutEngine, "execute", execute)
    assert drawing.to_bytes("svg") == expected


def assert_nothing_is_cut_off(path: Path) -> None:
    """Nothing reaches the edges of a PNG."""
    from matplotlib.image import imread

    pixels = imread(path)
    for edge in (pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]):
        assert (edge == 1).all(), path


@pytest.mark.parametrize("width", [slow(width) for width in (3.0, 12.0, 4.9, 5.0)])
def test_nothing_is_cut_off(width: float, tmp_path: Path) -> None:
    spanish = ave_score.read_collection(GOLD)
    named = zip(HOSTILE, RUNS, strict=False)
    runs = [ave_score.read_run(path, spanish, name=name) for name, path in named]
    systems = ave_score.read_judged(QA[1], spanish)
    for name, system in zip(HOSTILE, systems, strict=False):
        system.name = 2 * name
    policies = ave_score.Policies(intervals=ave_score.IntervalPolicy(resamples=100))
    path = tmp_path / "figure.png"
    for figure in FIGURES:
        given = spanish, [*runs, *systems]
        ave_score.plot(*given, figure=figure, policies=policies, width=width).save(path)
        assert_nothing_is_cut_off(path)
    long = tmp_path / f"{200 * 'x'}.txt"
    long.write_bytes(Path(RUNS[0]).read_bytes())
    several = [long, *RUNS]
    design = ave_score.Design(resampling=ave_score.Resampling(100))
    compared = ave_score.compare(GOLD, several, measures="f1", design=design)
    sampling = ave_score.Sampling(resamples=20)
    studied = ave_score.stability(GOLD, several, measures="f1", sampling=sampling)
    for drawn in (compared, studied):
        drawn.plot(width=width).save(path)
        assert_nothing_is_cut_off(path)


@pytest.mark.parametrize("test", ["randomisation", slow("friedman")])
def test_differences_are_those_of_the_report(tmp_path: Path, test: str) -> None:
    """The test of Friedman has no intervals."""
    path = tmp_path / "differences.svg"
    asked = ["compare", GOLD, *RUNS, "-m", "qa_accuracy", "--resamples", "200", "--test", test]
    ave(*asked, "--plot", path, code=0)
    pairs = document_of(*asked)["measures"][0]["pairs"]
    title, desc, *_ = (one.text or "" for one in etree.fromstring(path.read_bytes()))
    assert title.startswith("Differences of QA accuracy")
    assert ("Whiskers: 95 % intervals." in desc) is (test == "randomisation")
    for pair in pairs:
        between = "" if pair["low"] is None else f" [{pair['low']:+.3f}, {pair['high']:+.3f}]"
        mark = ", significant" if pair["significant"] else ""
        name = f"{pair['run']} - {pair['other']}"
        assert f"{name}: {pair['difference']:+.3f}{between}{mark}." in desc
        assert name in texts(path.read_bytes())


def test_ties_are_those_of_the_report(tmp_path: Path) -> None:
    path = tmp_path / "ties.svg"
    asked = ["stability", GOLD, *RUNS, "-m", "f1,qa_accuracy", "--resamples", "20"]
    ave(*asked, "--plot", path, code=0)
    measures = document_of(*asked)["measures"]
    desc = etree.fromstring(path.read_bytes())[1].text or ""
    for title, measure in zip(("F", "QA accuracy"), measures, strict=True):
        points = [
            f"fuzziness {point['fuzziness']:g}: error rate {point['error_rate']:.3f}, "
            f"ties {point['ties']:.3f}"
            for point in measure["curve"]
        ]
        assert f"{title}: {'; '.join(points)}" in desc
    seen = texts(path.read_bytes())
    assert {"F", "Error rate", "Proportion of ties"} < {*seen}
    assert "Marks: fuzziness 0.01 (large) to 0.1." in seen


def test_more_measures_than_strokes_are_refused(tmp_path: Path) -> None:
    nine = "f1,precision,recall,accuracy,error,mcc,balanced_accuracy,specificity,macro_f1"
    asked = ["stability", *TINY, "-m", nine, "--resamples", "2"]
    err = refusal(*asked, "--plot", tmp_path / "ties.svg")
    assert "a figure shows at most 8 measures, found 9" in err


@pytest.mark.parametrize("name", ["compare", "stability"])
def test_figures_are_refused_before_anything_is_read(name: str, tmp_path: Path) -> None:
    err = refusal(name, "nowhere.xml", *RUNS, "--plot", tmp_path / "x.jpg")
    assert "x.jpg" in err
    assert not [*tmp_path.iterdir()]
