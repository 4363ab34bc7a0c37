"""Tables in LaTeX: what they say, and what TeX makes of them where it is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import ave_score
from tests import each
from tests.conftest import ROOT
from tests.helpers_command import ave
from tests.helpers_command import output as output_of
from tests.helpers_files import put
from tests.helpers_hostile import WORDS
from tests.helpers_latex import grids, plain, table
from tests.helpers_python import runs_named
from tests.test_html import markdown_cells
from tools.own import own_files

GOLD = "gold/ave2007-es.xml"
TINY = ["gold/tiny.xml", "sample_runs/tiny/bold.txt", "sample_runs/tiny/careful.txt"]
RUNS = sorted(
    path.relative_to(ROOT).as_posix() for path in (ROOT / "sample_runs/ave2007-es").glob("*.txt")
)
SYSTEMS = ["--qa", "gold/ave2007-es.qa.tsv", "--teams", "gold/ave2007-es.teams.tsv"]
HOSTILE = [*WORDS["LaTeX"], "%", "a%b_c&d#e$f~g^h{i}", "--x--", "x" * 1000]


def output(*arguments: str) -> str:
    return output_of(*arguments, "-f", "latex")


def body(text: str) -> list[str]:
    return text.split("\\midrule\n", 1)[1].split("\\bottomrule", maxsplit=1)[0].splitlines()


def test_a_table_has_a_caption_above_and_notes_below() -> None:
    text = output("score", GOLD, *RUNS, *SYSTEMS)
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
    assert text.splitlines()[0].startswith(r"% Needs \usepackage{array,booktabs,graphicx}")


def test_baselines_are_set_apart() -> None:
    above, below = output("score", GOLD, *RUNS, "-m", "f1").split("\\midrule\n")[1:]
    assert [line.split(" & ")[0] for line in above.splitlines()] == ["1", "2", "3", "4", "5"]
    names = [line.split(" & ")[1] for line in below.splitlines() if " & " in line]
    assert names == [rf"\emph{{{n}\% VALIDATED}}" for n in (100, 50, 0)]


def scored(*names: str, measures: str = "f1", **others: Any) -> ave_score.Scores:  # noqa: ANN401
    """Score a run of the small collection under several names."""
    return ave_score.score(TINY[0], runs_named(names), measures=measures, **others)


def test_rows_of_a_run_are_set_apart_from_those_of_the_next() -> None:
    made = ave_score.break_down(TINY[0], runs_named(("[A]", "*B")), measures="f1", by="lang")
    lines = body(made.to_text("latex"))
    # a line end \\ looks behind itself for a star and for a length in brackets
    starts = [line.split(" & ")[0] for line in lines]
    assert starts == [*["{[}A{]}"] * 3, r"\addlinespace", *["{*}B"] * 3]
    # pairs of runs are in no such order, and ranks are no runs
    more = ["-m", "f1", "--pairs", "--resamples", "100"]
    assert r"\addlinespace" not in output("compare", GOLD, *RUNS, *more)


def test_figures_are_aligned_at_the_point() -> None:
    text = output("score", *TINY, "--qa", "gold/tiny.qa.tsv", "-m", "n_right,c_at_1")
    lines = [line for line in text.splitlines() if "qa\\_a" in line or "Random" in line]
    rows = [line.split(" & ")[1:] for line in lines]
    assert rows[0][2:] == [r"1\phantom{.83}", r"0.20 \\"]
    assert rows[1][2:] == ["1.83", r"0.37 \\"]
    text = output("compare", GOLD, *RUNS, "--pairs", "--resamples", "100")
    assert re.search(r"& \d--\d &", text)  # ranks
    assert "$-$0." in text


@pytest.mark.parametrize("command", [
    ["score", GOLD, *RUNS, "--ci", "95", "--resamples", "100"],
    ["score", *TINY, "-m", "all", "--digits", "4"],
    ["compare", *TINY, "--pairs", "--resamples", "100"],
    ["stats", GOLD, "gold/tiny.xml"],
    ["agree", *TINY[1:]],
], ids=lambda command: command[0])  # fmt: skip
def test_a_table_has_the_cells_of_markdown(command: list[str]) -> None:
    """Where baselines stand last, they do so here only."""
    expected = markdown_cells(output_of(*command, "-f", "markdown"))
    text = output(*command)
    text = text.replace("--", "-")  # of ranks
    found = [table(part) for part in text.split("\n\\caption{")[1:] if "tabular" in part]
    assert [rows[0] for rows in found] == [rows[0] for rows in expected]
    assert [sorted(rows) for rows in found] == [sorted(rows) for rows in expected]


def test_intervals_have_a_column_of_their_own() -> None:
    more = ["-m", "f1", "--ci", "95", "--resamples", "100"]
    text = output("score", GOLD, *RUNS, *more)
    assert r"\begin{tabular}{@{}rllr@{ }l@{}}" in text
    assert r"\# & Run & Kind & \multicolumn{2}{c}{F} \\" in text
    assert re.fullmatch(r"1 & .* & \\textbf\{0\.53\} & \[0\.\d\d, 0\.\d\d\] \\\\", body(text)[0])


def test_labels_are_stable_and_unique(tmp_path: Path) -> None:
    text = output("compare", GOLD, *RUNS, "--pairs", "--resamples", "100")
    labels = re.findall(r"\\label\{(.*)\}", text)
    names = "f", "f-pairs", "qa-accuracy", "qa-accuracy-pairs"
    assert labels == [f"tab:ave2007-es-{name}" for name in names]
    alike = ["-m", "accuracy,answering_accuracy", "--resamples", "100"]  # both are called Accuracy
    for name, slug in (
        ("U. Jaén, es", "u"), ("日本, 2%", "u65e5u672c-2"), ("x" * 200, "x" * 60),
    ):  # fmt: skip
        gold = put(tmp_path, Path(TINY[0]).read_bytes(), f"{name}.xml")
        text = output("compare", str(gold), *TINY[1:], *alike)
        labels = re.findall(r"\\label\{(.*)\}", text)
        assert labels == [f"tab:{slug}-accuracy", f"tab:{slug}-accuracy-2"]


def test_a_wide_table_continues_under_the_same_names() -> None:
    """A part has up to 88 characters in a line, with 2 between columns; TeX fits it to the page."""
    scores = scored("a", "b", measures="validation")
    text = scores.to_text("latex").split(r"\end{table}")[0]
    parts = grids(text)
    assert len(parts) > 1
    assert all(part[0][:2] == ["#", "Run"] for part in parts)
    assert max(len(part[0]) for part in parts) - min(len(part[0]) for part in parts) <= 2
    for row in (row for part in parts for row in part[1:]):
        assert sum(len(cell) + 2 for cell in row) <= 88
    assert text.count(r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%") == 1
    assert sorted(table(text)) == sorted(markdown_cells(scores.to_text("markdown"))[0])


@pytest.mark.parametrize(("length", "wraps"), [(22, False), (47, False), (48, True), (500, True)])
def test_long_names_wrap_in_what_other_columns_leave(length: int, wraps: bool) -> None:
    """Of 88 characters, with 2 behind each column, 1= has 4, Kind 10, the figures 6, 11 and 8."""
    text = scored("a" * length, "b", measures="f1,precision,recall").to_text("latex")
    (letters,) = re.findall(r"tabular\}\{@\{\}r(.*?)lrrr@", text)
    # half an em is about as wide as a character
    assert letters == (r">{\raggedright\arraybackslash}p{24.5em}" if wraps else "l")


def test_a_long_table_continues_on_the_next_page() -> None:
    names = [f"run {number:03}" for number in range(100)]
    text = scored(*names).to_text("latex")
    floats = text.split(r"\begin{table}")[1:]
    assert len(floats) == 3
    rows = [each for part in grids(text) for each in part[1:]]
    assert [row[1] for row in rows[:100]] == names
    assert [r"(Continued.)}" in each for each in floats] == [False, True, True]
    assert [r"\addtocounter{table}{-1}" in each for each in floats] == [False, True, True]
    assert text.count(r"\label{tab:tiny-validation}") == text.count("Signature:") == 1
    assert "Signature:" in floats[-1]


@each("name", HOSTILE)
def test_names_are_texts(name: str) -> None:
    scores = scored(name, "b", measures="f1,qa_accuracy")
    text = scores.to_text("latex")
    parts = [part for part in text.split("\n\\caption{")[1:] if "tabular" in part]
    assert [row[1] for row in table(parts[0])[1:3]] == sorted([name, "b"])
    assert f"{name}: 1, b: 1" in plain(text).replace("-{}-", "--")
    commands = {*re.findall(r"\\([a-z]+)", text.replace(r"\textbackslash{}", ""))}
    assert "input" not in commands
    assert "--x" not in text
    assert not re.search(r"[^\\ ]{120}", re.sub(r"\\allowbreak\{\}", " ", text))


@each(
    "name, is_latin",
    [("U. Jaén", True), ("Évora", True), ("Iași ł ß €", True), ("Ολυμπία", False), ("日本", False)],
)
def test_the_comment_says_what_pdflatex_cannot_print(name: str, is_latin: bool) -> None:
    text = scored(name).to_text("latex")
    assert ("lualatex" in text) is not is_latin
    assert is_latin or f"cannot print {name}" in text


def test_a_table_without_rows_is_a_comment() -> None:
    pairs = ["gold/ave2006-it.xml.gz", "sample_runs/ave2006-it/Bosma.txt.gz"]
    last = output("score", *pairs, "-m", "ave2007").splitlines()[-1]
    assert last.startswith("% ave2006-it: Selection. 1,140 pairs: ")
    assert "None: pairs belong to no question" in last


def logged(folder: Path, texts: list[str]) -> str:
    """Return the log of a document with these tables."""
    pages = "\n".join(texts).replace(r"\end{table}", "\\end{table}\n\\clearpage")
    (folder / "all.tex").write_text(
        "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n"
        "\\usepackage{array,booktabs,graphicx}\n"
        f"\\begin{{document}}\n{pages}\n\\end{{document}}\n",
        encoding="utf-8",
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape"]
    command += ["-recorder", "all.tex"]
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True)
    log = (folder / "all.log").read_text("utf-8", errors="replace")
    assert done.returncode == 0, log[-2000:]
    assert "passwd" not in (folder / "all.fls").read_text()  # the files that it read
    assert "runsystem" not in log
    return log


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LATEX IS NOT TESTED: no pdflatex")
def test_tex_prints_tables_within_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for name in ("gold", "sample_runs"):
        (tmp_path / name).mkdir()
        for top in {path.relative_to(ROOT / name).parts[0] for path in own_files(name)}:
            (tmp_path / name / top).symlink_to(ROOT / name / top)
    shipped = (ROOT / "sample_runs/campaign.toml").read_text("utf-8")
    alone = re.sub("^measures = .*$", r'\g<0>\ncompare = "none"', shipped, flags=re.M)
    campaign = put(tmp_path, alone, "sample_runs/alone.toml")
    assert ave("campaign", str(campaign), "-o", str(tmp_path / "out")).code == 0
    texts = [path.read_text("utf-8") for path in sorted((tmp_path / "out").glob("*/*.tex"))]
    assert len(texts) >= 36
    few = ["--resamples", "100"]
    texts += [
        output("score", GOLD, *RUNS, *SYSTEMS, "-m", "all"),
        output("score", GOLD, *RUNS, *SYSTEMS, "--ci", "95", *few),
        output("compare", GOLD, *RUNS, "--pairs", *few),
        output("stats", GOLD, "gold/ave2007-en.xml", "gold/tiny.xml"),
    ]
    names = [f"team-{number % 7}/run_{number}" for number in range(30)]
    policies = ave_score.Policies(intervals=ave_score.IntervalPolicy(resamples=100))
    made = scored(*names, *HOSTILE, measures="f1,precision,recall,mcc", policies=policies)
    texts.append(made.to_text("latex"))
    log = logged(tmp_path, texts)
    assert not re.findall(r"Overfull \\hbox.*", log)
    assert "Float too large" not in log
    assert "multiply defined" not in log
