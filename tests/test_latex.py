"""Tables in LaTeX: what they say, and what TeX makes of them where it is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from ave_score.commands import run
from ave_score.reports.latex import escaped, slug, table_text, tables_text
from ave_score.reports.latex_layout import width_of
from ave_score.reports.report import ReportTable, RowStyle
from tests.conftest import ROOT
from tests.helpers_files import put
from tests.helpers_latex import grids, plain, table

GOLD = "gold/ave2007-es.xml"
RUNS = sorted(
    path.relative_to(ROOT).as_posix() for path in (ROOT / "sample_runs/ave2007-es").glob("*.txt")
)
SYSTEMS = ["--qa", "gold/ave2007-es.qa.tsv", "--groups", "gold/ave2007-es.groups.tsv"]
HOSTILE = [r"\input{/etc/passwd}", "%", "a%b_c&d#e$f~g^h{i}", "--x--", "[1]", "*", "x" * 1000]


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run([*arguments, "-f", "latex"]) == 0
    return capsys.readouterr().out


def body(text: str) -> list[str]:
    return text.split("\\midrule\n", 1)[1].split("\\bottomrule", maxsplit=1)[0].splitlines()


def test_a_table_has_a_caption_above_and_notes_below(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "score", GOLD, *RUNS, *SYSTEMS)
    assert re.findall(r"\\(?:caption|label)\{.*?\}\n", text) == [
        "\\caption{ave2007-es: Validation, by F.}\n",
        "\\label{tab:ave2007-es-validation}\n",
        "\\caption{ave2007-es: Selection, by QA accuracy.}\n",
        "\\label{tab:ave2007-es-selection}\n",
    ]
    for part in text.split(r"\end{tabular}")[1:]:
        notes = plain(part.split(r"\end{minipage}")[0])
        assert "170 questions, 101 with a correct answer" in notes
        assert "Signature: \\texttt" in notes
        assert "|missing:error|unknown:ignore|collection:37b57238aae0" in notes
    assert text.splitlines()[0].startswith(r"% Needs \usepackage{booktabs}")


def test_baselines_are_set_apart(capsys: pytest.CaptureFixture[str]) -> None:
    above, below = output(capsys, "score", GOLD, *RUNS, "-m", "f1").split("\\midrule\n")[1:]
    assert [line.split(" & ")[0] for line in above.splitlines()] == ["1", "2", "3", "4", "5"]
    names = [line.split(" & ")[1] for line in below.splitlines() if " & " in line]
    assert names == [rf"\emph{{{n}\% VALIDATED}}" for n in (100, 50, 0)]


def test_rows_of_a_run_are_set_apart_from_those_of_the_next() -> None:
    rows = [["a", "who", "1"], ["a", "why", "2"], ["b", "who", "3"]]
    lines = body(table_text(ReportTable("T", ["Run", "Group", "F"], rows, "llr", 2)))
    assert lines.index(r"\addlinespace") == 2
    # pairs of runs are in no such order, and ranks are no runs
    for first in ("aba", "aab"):
        letters = "llr" if first == "aba" else "rlr"
        mixed = [[name, "x", "1"] for name in first]
        assert r"\addlinespace" not in table_text(ReportTable("", ["A", "B", "F"], mixed, letters))


def test_figures_are_aligned_at_the_point() -> None:
    rows = [["101", "-0.25", "1-4"], ["41.87", "+0.50", "n/a"], ["1,000.5", "n/a", "2"]]
    text = table_text(ReportTable("", ["a", "b", "c"], rows, "rrr"))
    assert body(text) == [
        r"101\phantom{.87} & $-$0.25 & 1--4 \\",
        r"41.87 & +0.50 & n/a \\",
        r"1,000.5\phantom{7} & n/a & 2 \\",
    ]


def test_intervals_have_a_column_of_their_own() -> None:
    rows = [["a", "0.5 [0.4, 0.6]"], ["b", "-1.5 [-2, 0.6]"], ["c", "n/a"], ["d", "0.2 (run_1)"]]
    text = table_text(ReportTable("", ["Run", "F"], rows, "lr"))
    assert r"\begin{tabular}{@{}lr@{ }l@{}}" in text
    assert r"Run & \multicolumn{2}{c}{F} \\" in text
    assert body(text)[0] == r"a & 0.5 & [0.4, 0.6] \\"
    assert body(text)[1] == r"b & $-$1.5 & [$-$2, 0.6] \\"
    assert table(text) == [["Run", "F"], *rows]


def test_labels_are_stable_and_unique(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "compare", GOLD, *RUNS, "--pairs", "--resamples", "100")
    labels = re.findall(r"\\label\{(.*)\}", text)
    assert labels == [
        f"tab:ave2007-es-{name}" for name in ("qa-accuracy", "qa-accuracy-pairs", "f", "f-pairs")
    ]
    alike = [ReportTable("Same", ["a"], [["1"]], "r")] * 3
    labels = re.findall(r"\\label\{(.*)\}", tables_text(alike, "U. Jaén, es"))
    assert labels == ["tab:u-jaen-es-same", "tab:u-jaen-es-same-2", "tab:u-jaen-es-same-3"]
    assert slug("日本, 2%") == "u65e5u672c-2"
    assert slug("x" * 1000) == "x" * 60


def test_a_wide_table_continues_under_the_same_names() -> None:
    heads = ["#", "Run", *(f"measure {n}" for n in range(30))]
    rows = [[str(n), f"run {n}", *["0.25"] * 30] for n in range(5)]
    text = table_text(ReportTable("Wide", heads, rows, "rl" + "r" * 30, 2))
    parts = grids(text)
    assert len(parts) > 1
    assert all(part[0][:2] == ["#", "Run"] for part in parts)
    assert max(len(part[0]) for part in parts) - min(len(part[0]) for part in parts) <= 2
    assert table(text) == [heads, *rows]


def test_a_long_table_continues_on_the_next_page() -> None:
    rows = [[f"run {n}", "0.25"] for n in range(100)]
    text = table_text(ReportTable("Long", ["Run", "F"], rows, "lr", notes=["The end."]))
    floats = text.split(r"\begin{table}")[1:]
    assert len(floats) == 3
    assert [each for part in grids(text) for each in part[1:]] == rows
    assert [r"\caption{Long. (Continued.)}" in each for each in floats] == [False, True, True]
    assert [r"\addtocounter{table}{-1}" in each for each in floats] == [False, True, True]
    assert text.count(r"\label{tab:long}") == text.count("The end.") == 1
    assert "The end." in floats[-1]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_texts(name: str) -> None:
    many = [[name, "1", "2.5"], ["b", "0", "1.5"]]
    text = table_text(ReportTable(name, ["Run", "n", "F"], many, "lrr", notes=[name]))
    assert table(text) == [["Run", "n", "F"], *many]
    commands = {*re.findall(r"\\([a-z]+)", text.replace(r"\textbackslash{}", ""))}
    assert "input" not in commands
    assert escaped("--") == "-{}-"
    assert not re.search(r"[^\\ ]{120}", re.sub(r"\\allowbreak\{\}", " ", text))


@pytest.mark.parametrize(
    ("name", "is_latin"),
    [("U. Jaén", True), ("Évora", True), ("Iași ł ß €", True), ("Ολυμπία", False), ("日本", False)],
)
def test_the_comment_says_what_pdflatex_cannot_print(name: str, is_latin: bool) -> None:
    text = table_text(ReportTable("T", ["Run"], [[name]], "l"))
    assert ("lualatex" in text) is not is_latin
    assert is_latin or f"cannot print {name}" in text


def test_a_table_without_rows_is_a_comment() -> None:
    text = table_text(ReportTable("T", [], [], "", notes=["None: no\nrun."]))
    assert text.splitlines()[-1] == r"% T. None: no\nrun."


def test_widths_are_those_of_computer_modern() -> None:
    r"""As \settowidth measures them, in points: digits, small letters, capitals."""
    for text, points in (
        ("0123456789", 49.98),
        ("abcdefghijklmnopqrstuvwxyz", 127.55),
        ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 186.13),
    ):
        assert points <= width_of(text) <= 1.06 * points + 0.1


def logged(folder: Path, texts: list[str]) -> str:
    """Return the log of a document with these tables."""
    pages = "\n".join(texts).replace(r"\end{table}", "\\end{table}\n\\clearpage")
    (folder / "all.tex").write_text(
        "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage{booktabs}\n"
        f"\\begin{{document}}\n{pages}\n\\end{{document}}\n",
        encoding="utf-8",
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape"]
    done = subprocess.run([*command, "all.tex"], cwd=folder, check=False, capture_output=True)
    log = (folder / "all.log").read_text("utf-8", errors="replace")
    assert done.returncode == 0, log[-2000:]
    return log


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LATEX IS NOT TESTED: no pdflatex")
def test_tex_prints_all_tables_within_the_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    for name in ("gold", "sample_runs"):
        (tmp_path / name).mkdir()
        for path in (ROOT / name).iterdir():
            (tmp_path / name / path.name).symlink_to(path)
    shipped = (ROOT / "sample_runs/campaign.toml").read_text("utf-8")
    alone = re.sub("^measures = .*$", r'\g<0>\ncompare = "none"', shipped, flags=re.M)
    campaign = put(tmp_path, alone, "sample_runs/alone.toml")
    assert run(["campaign", str(campaign), "-o", str(tmp_path / "out")]) == 0
    texts = [path.read_text("utf-8") for path in sorted((tmp_path / "out").glob("*/*.tex"))]
    assert len(texts) >= 36
    capsys.readouterr()
    few = ["--resamples", "100"]
    texts += [
        output(capsys, "score", GOLD, *RUNS, *SYSTEMS, "-m", "all"),
        output(capsys, "score", GOLD, *RUNS, *SYSTEMS, "--ci", "95", *few),
        output(capsys, "compare", GOLD, *RUNS, "--pairs", "--hardest", "10", *few),
        output(capsys, "stats", GOLD, "gold/ave2007-en.xml", "gold/tiny.xml"),
    ]
    heads = ["#", "Run", "Kind", "F", "Precision", "Recall", "MCC"]
    rows = [[str(n), f"team-{n % 7}/run_{n}", "AV", *["0.25 [0.12, 0.34]"] * 4] for n in range(30)]
    rows += [["", name, "baseline", *["0.25"] * 4] for name in HOSTILE]
    styles = dict.fromkeys(range(30, len(rows)), RowStyle.BASELINE)
    best = frozenset({(0, 3), (31, 1), (36, 1)})
    made = ReportTable("y" * 300, heads, rows, "rll" + "r" * 4, 2, best, styles, [*HOSTILE])
    texts += [table_text(made), table_text(made._replace(heads=[*heads[:3], *HOSTILE[:4]]))]
    log = logged(tmp_path, texts)
    assert not re.findall(r"Overfull \\hbox.*", log)
    assert "Float too large" not in log
    assert "multiply defined" not in log
