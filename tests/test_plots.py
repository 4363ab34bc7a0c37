"""Figures as files: `score --plot`, and the content of SVGs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction as F
from functools import partial
from importlib.util import find_spec
from itertools import product
from pathlib import Path

import click
import pytest
from lxml import etree

import ave_score
from ave_score.commands import run as command
from ave_score.commands.score import score_command
from ave_score.counts.confidence import count_confidences, count_self_scores
from ave_score.reports.plots import FIGURES
from ave_score.reports.plots.bars import Bar, Bars, Difference, draw_bars, draw_differences
from ave_score.reports.plots.curves import (
    CURVES,
    Curves,
    RunCurve,
    draw_curves,
    generalised_risk,
    over_threshold,
    precision_recall,
    risk_coverage,
    roc,
)
from ave_score.reports.plots.reliability import Reliabilities, draw_reliability, reliability
from ave_score.reports.plots.sheet import drawable, drawn, fitting, inches, looks, wrapped
from ave_score.reports.plots.ties import TieCurve, TiePoint, draw_ties
from tests import mostly_slow, slow

Capture = pytest.CaptureFixture[str]
GOLD = "gold/ave2007-es.xml"
RUNS = [f"sample_runs/ave2007-es/{name}.txt" for name in ("García_1", "Rodrigo", "Tellez_1")]
QA = ["--qa", "gold/ave2007-es.qa.tsv"]
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    *("a$x_1$b$", "_under", "<script>alert(1)</script>&amp;", "]]>--", "\\$5 100%", "中文_run"),
    *("García_$^2$", "tab\x1b[31mred", "%s{0}", "\"quoted\" 'name'"),
]

drawing = pytest.mark.skipif(
    find_spec("matplotlib") is None,
    reason="NO FIGURE IS TESTED: matplotlib is missing; pip install -e '.[dev]'",
)


def plotted(capsys: Capture, path: Path, *arguments: str) -> str:
    """Draw into a file; return what is said on stderr."""
    assert command(["score", GOLD, *RUNS, "--plot", str(path), *arguments]) == 0
    return capsys.readouterr().err


def refused(capsys: Capture, *arguments: str) -> str:
    """Return why nothing is done."""
    assert command(["score", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    return err


def texts(svg: bytes) -> list[str]:
    """Return every text that is to be seen."""
    return ["".join(map(str, one.itertext())) for one in etree.fromstring(svg).iter(f"{SVG}text")]


def some_bars(names: Sequence[str]) -> Bars:
    return Bars([Bar(name, False, F(1, 2), F(1, 4)) for name in names], F(3, 4), F(1, 5))


def svg_of_bars(names: Sequence[str], width: float = 6.3) -> bytes:
    return drawn(partial(draw_bars, some_bars(names), width), "svg")


@drawing
@pytest.mark.parametrize(
    ("suffix", "figure"),
    mostly_slow([*product(["svg"], FIGURES), ("PNG", "roc"), ("PNG", "bars"), ("pdf", "bars")], 2),
)
def test_every_figure_is_drawn_and_every_format_written(
    figure: str, suffix: str, capsys: Capture, tmp_path: Path
) -> None:
    path = tmp_path / f"figure.{suffix}"
    assert plotted(capsys, path, "--figure", figure, "--plot-width", "3.3") == ""
    starts = {"svg": b"<?xml", "PNG": b"\x89PNG", "pdf": b"%PDF"}
    first = path.read_bytes()
    assert first.startswith(starts[suffix])
    plotted(capsys, path, "--figure", figure, "--plot-width", "3.3")
    assert path.read_bytes() == first
    assert not re.search(rb"\b20\d\d-\d\d-\d\d|CreationDate|[Mm]atplotlib v", first)


@drawing
def test_bars_are_those_of_the_report(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "bars.svg"
    assert plotted(capsys, path, *QA) == ""
    svg = path.read_bytes()
    seen = texts(svg)
    names = ["prib_1", "Tellez_1", "Rodrigo", "García_1", "inao_1", "mira_1", "upv_1", "talp_1"]
    assert [text for text in seen if text in names] == names
    assert [text for text in seen if re.fullmatch(r"0\.\d\d", text)] == [
        *("0.49", "0.45", "0.42", "0.41", "0.38", "0.15", "0.13", "0.07")
    ]
    assert {"Perfect selection (0.59)", "Random (0.25)", "QA system", "AV run"} < {*seen}
    root = etree.fromstring(svg)
    assert [root[0].tag, root[1].tag] == [f"{SVG}title", f"{SVG}desc"]
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == f"{root[0].get('id')} {root[1].get('id')}"
    assert "2. Tellez_1: QA accuracy 0.45, potential by rejection 0.09." in (root[1].text or "")


@drawing
def test_the_report_stays_what_it_is(capsys: Capture, tmp_path: Path) -> None:
    for arguments in (["-f", "json"], ["-f", "json", "-m", "f1", "--ci", "90"], ["-m", "auc"]):
        asked = ["score", GOLD, *RUNS, *arguments, "--resamples", "50"]
        assert command(asked) == 0
        without = capsys.readouterr().out
        assert command([*asked, "--plot", str(tmp_path / "bars.svg")]) == 0
        assert capsys.readouterr().out == without


@drawing
def test_whiskers_are_the_intervals_of_the_report(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "bars.svg"
    plotted(capsys, path, "--ci", "95", "--resamples", "200", "-m", "f1")
    assert command(["score", GOLD, *RUNS, "--ci", "95", "--resamples", "200"]) == 0
    shown = re.findall(r"0\.45 (\[.*?\])", capsys.readouterr().out)[0]
    desc = etree.fromstring(path.read_bytes())[1].text or ""
    assert f"Tellez_1: QA accuracy 0.45 {shown}" in desc
    assert "Whiskers: intervals of 95 % of the QA accuracy." in texts(path.read_bytes())


@drawing
def test_a_threshold_moves_the_figure(capsys: Capture, tmp_path: Path) -> None:
    paths = [tmp_path / "as-decided.svg", tmp_path / "all.svg"]
    for path, extra in zip(paths, ([], ["--threshold", "0"]), strict=True):
        plotted(capsys, path, "--figure", "roc", *extra)
    assert "false positive rate 1.00, true positive rate 1.00" not in paths[0].read_text("utf-8")
    assert paths[1].read_text("utf-8").count("rate 1.00, true positive rate 1.00") == len(RUNS)


@drawing
@pytest.mark.parametrize(
    "figure", mostly_slow(["roc", "precision-recall", "reliability", "threshold"], 1)
)
def test_runs_that_cannot_be_drawn_are_named(figure: str, capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "f.svg"
    err = plotted(capsys, path, "--figure", figure, *QA)
    note = (
        "Not drawn: prib_1, inao_1, mira_1, upv_1, talp_1: "
        "a QA system decides on no candidate answers."
    )
    assert err == f"ave-score: {path}: {note}\n"
    assert note in texts(path.read_bytes())


@drawing
def test_risk_needs_confidences_of_systems(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "f.svg"
    err = plotted(capsys, path, "--figure", "risk-coverage", *QA)
    assert "talp_1: not every answer has a confidence." in err


@drawing
@pytest.mark.parametrize(
    ("figure", "measures", "order"),
    [
        ("risk-coverage", "f1,aurc", "best first by F"),
        ("generalised-risk", "aurc,f1", "best first by F"),
        ("risk-coverage", "aurc", "by name"),
        ("roc", "f1", "best first by AUC"),
    ],
)
def test_curves_say_what_orders_them(
    figure: str, measures: str, order: str, capsys: Capture, tmp_path: Path
) -> None:
    """By hand: `few` answers one question rightly, `all` two of three, the surest one wrongly.

    F is 2/3 of `all` (2 of 3 accepted are right, 2 of 3 right accepted) and 1/2 of `few`; AURC is 0
    of `few`, and (1 + 1/2 + 1/3)/3 = 11/18 of `all`.
    """
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
    options = ["-m", measures, "--figure", figure, "--plot", str(path)]
    assert command(["score", *names, *options]) == 0
    shown = path.read_text("utf-8")
    assert f"A curve per run, {order}: " in shown
    first = [*("all", "few")] if order != "best first by AUC" else [*("few", "all")]
    assert sorted(["few", "all"], key=lambda name: shown.index(f"{name}: ")) == first


@drawing
def test_reliability_needs_probabilities(capsys: Capture, tmp_path: Path) -> None:
    run = tmp_path / "scaled.txt"
    lines = [line.split() for line in Path(RUNS[1]).read_text("utf-8").splitlines()]
    run.write_text("".join(f"{q} {a} {v} {100 * float(c)}\n" for q, a, v, c in lines), "utf-8")
    path = tmp_path / "f.svg"
    arguments = [GOLD, str(run), "--plot", str(path), "--figure", "reliability"]
    assert "nothing to draw in --figure reliability. Not drawn: scaled: conf" in refused(
        capsys, *arguments
    )
    assert not path.exists()
    assert command(["score", *arguments, RUNS[0]]) == 0
    assert "scaled: confidences are outside 0..1." in capsys.readouterr().err


@drawing
def test_pairs_have_curves_and_no_bars(capsys: Capture, tmp_path: Path) -> None:
    pairs = ["gold/ave2006-it.xml.gz", "sample_runs/ave2006-it/Bosma.txt.gz"]
    path = tmp_path / "f.svg"
    for figure in ("bars", "risk-coverage", "generalised-risk", "threshold"):
        err = refused(capsys, *pairs, "--plot", str(path), "--figure", figure)
        assert err == f"ave-score: --figure {figure} is about questions, and pairs belong to none\n"
    assert command(["score", *pairs, "--plot", str(path), "--figure", "roc"]) == 0


@drawing
@pytest.mark.parametrize("name", ["figure", "figure.jpeg", "-", "svg", "a.svg/b"])
def test_other_files_are_refused_before_anything_is_read(name: str, capsys: Capture) -> None:
    err = refused(capsys, "no-such.xml", "none.txt", "--plot", name)
    assert ".svg, .png, .pdf" in err
    assert name in err


@drawing
def test_files_that_are_read_are_not_written_over(capsys: Capture, tmp_path: Path) -> None:
    run = tmp_path / "run.svg"
    run.write_bytes(Path(RUNS[1]).read_bytes())
    assert "is also an input file" in refused(capsys, GOLD, str(run), "--plot", str(run))
    other = str(tmp_path / "o.svg")
    err = refused(capsys, GOLD, *RUNS, "--plot", other, "-o", other)
    assert "name the same file" in err
    assert "empty" in refused(capsys, GOLD, *RUNS, "--plot", "")


@drawing
def test_a_figure_is_written_whole_or_not_at_all(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "old.svg"
    path.write_text("old", "utf-8")
    broken = "sample_runs/broken/two-selected.txt"
    assert command(["score", GOLD, *RUNS, broken, "--plot", str(path)]) == 1
    assert command(["score", GOLD, *RUNS, "--plot", str(path), "-o", str(tmp_path / "no/x")]) == 2
    assert path.read_text("utf-8") == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["old.svg"]
    assert "cannot be written" in refused(capsys, GOLD, *RUNS, "--plot", str(tmp_path / "no/f.svg"))


def test_without_matplotlib_it_is_said_what_to_install(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    err = refused(capsys, "no-such.xml", "--plot", "f.svg")
    assert err == "ave-score: drawing needs matplotlib: pip install matplotlib\n"


def test_numbers_and_words_need_no_matplotlib() -> None:
    program = (
        "import sys, ave_score.reports.plots.run_figure; sys.exit('matplotlib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_options_that_do_not_go_together(capsys: Capture) -> None:
    err = refused(capsys, GOLD, *RUNS, "--figure", "roc")
    assert err == "ave-score: --figure needs --plot\n"
    assert "--plot-width" in refused(capsys, GOLD, *RUNS, "--plot-width", "3.5")
    if find_spec("matplotlib"):
        assert "--plot" in refused(capsys, GOLD, *RUNS, "--plot", "f.svg", "--sweep", "f1")
        answer_sets = ["gold/lists.json", "sample_runs/lists/none.tsv", "--plot", "f.svg"]
        assert "--plot" in refused(capsys, *answer_sets)


def test_the_command_names_every_figure() -> None:
    option = next(one for one in score_command.params if one.name == "figure")
    assert isinstance(option.type, click.Choice)
    assert (
        {*option.type.choices}
        == {*FIGURES}
        == {*("bars", "reliability", "reliability-mass", *CURVES)}
    )


@drawing
@pytest.mark.parametrize("width", [3.3, 6.3, 12.0])
def test_hostile_names_are_shown_literally(width: float) -> None:
    svg = svg_of_bars(HOSTILE, width)
    seen = texts(svg)
    for name in HOSTILE:
        literal = name.replace("\x1b", "\\x1b")
        assert literal in seen or (width == 3.3 and any("…" in text for text in seen))
        assert literal in (etree.fromstring(svg)[1].text or "")
    assert not etree.fromstring(svg).findall(f".//{SVG}script")


@drawing
def test_legends_show_hostile_names_too() -> None:
    curves = [RunCurve(name, [(F(0), F(0)), (F(1), F(1))], None, F(1, 2)) for name in HOSTILE[:8]]
    svg = drawn(partial(draw_curves, Curves("roc", curves), 12), "svg")
    seen = texts(svg)
    for name in HOSTILE[:8]:
        assert any(text.startswith(name.replace("\x1b", "\\x1b")) for text in seen), name


@pytest.mark.slow
@drawing
@pytest.mark.parametrize("suffix", ["png", "pdf"])
def test_hostile_names_are_drawn(suffix: str) -> None:
    data = drawn(partial(draw_bars, some_bars(HOSTILE), 3.3), suffix)
    assert data == drawn(partial(draw_bars, some_bars(HOSTILE), 3.3), suffix)


@drawing
def test_letters_that_the_font_lacks_are_escaped_where_text_is_drawn() -> None:
    with looks("png"):
        assert drawable("中 García") == "\\u4e2d García"
    with looks("svg"):
        assert drawable("中 García") == "中 García"


@drawing
def test_names_fit_and_stay_different() -> None:
    names = [f"{300 * 'x'}_{number}" for number in (1, 2)]
    names += [f"{90 * 'a'}{number}{90 * 'b'}" for number in (1, 2)]
    with looks("png"):
        fitted = fitting(names, 1.0, 7)
        assert all(inches(name, 7) <= 1.0 for name in fitted)
        assert len({*fitted}) == len(names)
        assert fitted[0].endswith("_1")
        assert fitting(["short"], 1.0, 7) == ["short"]
        lines = wrapped(f"Not drawn: {', '.join(names)}, short: no.", 2.0, 6.5)
        assert all(inches(line, 6.5) <= 2.0 for line in lines)


@pytest.mark.slow
@drawing
def test_many_runs() -> None:
    names = [f"run_{number}" for number in range(44)]
    seen = texts(svg_of_bars(names, 3.3))
    assert [text for text in seen if text.startswith("run_")] == names
    curves = [RunCurve(name, [(F(0), F(0)), (F(1), F(1))], None, F(1, 2)) for name in names]
    svg = drawn(partial(draw_curves, Curves("roc", curves, by="AUC"), 3.3), "svg")
    labels = [text for text in texts(svg) if text.startswith("run_")]
    assert labels == [f"{name}  AUC 0.50" for name in names[:8]]
    assert "Of 44 runs, the 8 best by AUC are named, the others grey." in texts(svg)
    assert all(f"{name}: AUC" in (etree.fromstring(svg)[1].text or "") for name in names)
    assert b'<g id="line2d_' in svg
    assert re.search(rb'<g id="line2d_\d+"/>', svg) is None  # no line without points


@drawing
def test_the_settings_of_the_user_do_not_matter(tmp_path: Path) -> None:
    import matplotlib

    expected = svg_of_bars(["a", "b"])
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.fonttype": "path"}):
        assert svg_of_bars(["a", "b"]) == expected
        assert matplotlib.rcParams["font.size"] == 30


@drawing
@pytest.mark.parametrize("width", [3.3, 6.3])
def test_ties_and_differences_are_drawn(width: float) -> None:
    curves = [TieCurve("F_1$", [TiePoint(0.01, 0.2, 0.1), TiePoint(0.1, 0.05, 0.4)])]
    seen = texts(drawn(partial(draw_ties, curves, width), "svg"))
    assert {"F_1$", "Error rate", "Proportion of ties"} < {*seen}
    with pytest.raises(ValueError, match="at most 8"), looks("svg"):
        draw_ties(9 * curves, width)

    rows = [
        Difference("a - b", 0.1, 0.05, 0.2, is_significant=True),
        Difference("a - _c", 0.1, -0.05, 0.2, is_significant=False),
    ]
    svg = drawn(partial(draw_differences, "Differences of F1", rows, 0.05, width), "svg")
    assert {"a - b", "a - _c", "Difference"} < {*texts(svg)}
    assert "a - b: +0.100 [+0.050, +0.200], significant" in (etree.fromstring(svg)[1].text or "")


@drawing
def test_python_callers_can_draw(tmp_path: Path) -> None:
    from ave_score.reports.plots.bars import bars

    gold = ave_score.read_collection(GOLD)
    scores = ave_score.score(gold, [ave_score.read_run(RUNS[1], gold)])
    assert drawn(partial(draw_bars, bars(scores), 6.3), "pdf").startswith(b"%PDF")


@drawing
@pytest.mark.parametrize("width", [slow(width) for width in (3.0, 12.0, 4.9, 5.0)])
def test_nothing_is_cut_off(width: float) -> None:
    gold = ave_score.read_collection(GOLD)
    runs = [ave_score.read_run(path, gold) for path in RUNS]
    named = list(zip(HOSTILE, runs, strict=False))
    answers = [(name, count_confidences(one, gold, "file")) for name, one in named]
    returned = [(name, count_self_scores(one, gold, "file")) for name, one in named]
    risks = [risk_coverage(*one) for one in returned]
    systems = [Bar(2 * name, True, F(1, 2), F(1, 4), (0.3, 1.0)) for name in HOSTILE]
    several = [
        partial(draw_bars, Bars([*some_bars(HOSTILE).bars, *systems], F(1), F(0), 95), width),
        partial(draw_curves, Curves("roc", [roc(*one) for one in answers]), width),
        partial(
            draw_curves,
            Curves("precision-recall", [precision_recall(*one) for one in answers], F(1, 4)),
            width,
        ),
        partial(draw_curves, Curves("risk-coverage", risks), width),
        partial(
            draw_curves,
            Curves("generalised-risk", [generalised_risk(*one) for one in returned]),
            width,
        ),
        partial(
            draw_curves, Curves("threshold", [over_threshold(one, gold) for _, one in named]), width
        ),
        partial(draw_reliability, Reliabilities(5 * [reliability(*one) for one in answers]), width),
        partial(
            draw_reliability,
            Reliabilities([reliability(*one, kind="mass") for one in answers], kind="mass"),
            width,
        ),
        partial(draw_differences, "D", [Difference(300 * "x", 0.1, -1, 1, False)], 0.05, width),
        partial(draw_ties, [TieCurve(300 * "x", [TiePoint(0.01, 0.2, 1.0)])], width),
    ]
    for draw in several:
        with looks("png"):
            sheet = draw()
            box = sheet.figure.get_tightbbox()
        assert min(box.x0, box.y0) >= 0, draw
        assert box.x1 <= sheet.width, draw
        assert box.y1 <= sheet.height, draw


# --- figures of compare and stability ---------------------------------------------------------


@drawing
def test_differences_are_those_of_the_report(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "differences.svg"
    asked = ["compare", GOLD, *RUNS, "-m", "f1", "--resamples", "200"]
    assert command([*asked, "--plot", str(path)]) == 0
    shown = capsys.readouterr().out
    assert command([*asked, "--format", "json"]) == 0
    pairs = json.loads(capsys.readouterr().out)["measures"][0]["pairs"]
    desc = etree.fromstring(path.read_bytes())[1].text or ""
    for pair in pairs:
        assert f"{pair['run']} - {pair['other']}" in desc
        assert f"{pair['difference']:+.3f}" in desc
    assert "F" in shown
    assert "Differences of F" in desc or "Differences of F" in path.read_text("utf-8")


@drawing
def test_ties_are_those_of_the_report(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "ties.svg"
    asked = ["stability", GOLD, *RUNS, "-m", "f1,qa_accuracy", "--repetitions", "20"]
    assert command([*asked, "--plot", str(path), "--plot-width", "3.3"]) == 0
    capsys.readouterr()
    assert command([*asked, "--format", "json"]) == 0
    measures = json.loads(capsys.readouterr().out)["measures"]
    desc = etree.fromstring(path.read_bytes())[1].text or ""
    for measure in measures:
        last = measure["curve"][-1]
        assert f"ties {last['ties']:.3f}" in desc


@drawing
@pytest.mark.parametrize("name", ["compare", "stability"])
def test_figures_are_refused_before_anything_is_read(
    name: str, capsys: Capture, tmp_path: Path
) -> None:
    for arguments in (["--plot", str(tmp_path / "x.jpg")], ["--plot-width", "4"]):
        assert command([name, "nowhere.xml", *RUNS, *arguments]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert "x.jpg" in err or "--plot-width" in err
    assert not [*tmp_path.iterdir()]
