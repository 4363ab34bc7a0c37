"""Functions for Python that check, fix, build, convert and draw; and the public names."""

from __future__ import annotations

import inspect
import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import ave_score
from ave_score import UsageError
from tests import each
from tests.conftest import ROOT
from tests.helpers_command import ave, process, program
from tests.helpers_python import BOLD, CAREFUL, GOLD, PAPER, Cells


def test_fix_returns_the_fixed_run_and_writes_nothing_unless_asked(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    path.write_text("1 1_1 selected 0,9\n")
    fixed = ave_score.fix(path)
    assert fixed.text == "1 1_1 SELECTED 0.9\n"
    assert [(one.rule.code, one.line) for one in fixed.changes] == [("AVE103", 1), ("AVE107", 1)]
    assert not fixed.left
    assert [*tmp_path.iterdir()] == [path]
    fixed.save(tmp_path / "fixed.txt")
    assert (tmp_path / "fixed.txt").read_text() == fixed.text
    assert list(fixed.to_frame()["code"]) == ["AVE103", "AVE107"]
    assert repr(fixed) == f"<FixedRun {path}: 2 changes>"
    with pytest.raises(ave_score.InputError, match="only runs can be fixed"):
        ave_score.fix(GOLD)


def test_fix_takes_a_collection_and_makes_unsafe_changes_if_asked() -> None:
    path = "sample_runs/broken/two-selected.txt"
    assert [found.rule.code for found in ave_score.fix(path).left] == ["AVE301"]
    fixed = ave_score.fix(path, unsafe=True)
    assert not fixed.left
    assert fixed.changes[0].unsafe
    others = ave_score.fix(path, GOLD).left
    assert "AVE204" in {found.rule.code for found in others}  # tiny.xml has more answers


def test_findings_are_a_table_in_notebooks_and_frames() -> None:
    checked = ave_score.check("sample_runs/broken/two-selected.txt")
    (row,) = checked.to_frame().to_dict("records")
    assert (row["line"], row["column"], row["code"], row["severity"]) == (2, 7, "AVE301", "error")
    shown = Cells(checked._repr_html_())
    assert shown.rows[1][:3] == ["2", "7", "AVE301"]
    assert repr(checked) == "<Checked run: sample_runs/broken/two-selected.txt: 1 error>"
    assert repr(checked.findings) == "<Findings sample_runs/broken/two-selected.txt: 1 error>"


def test_build_reports_and_saves_what_the_command_does(tmp_path: Path) -> None:
    built = ave_score.build("gold/tiny.qa.tsv", settings=ave_score.BuildSettings(lang="en"))
    built.save(tmp_path / "own.xml", edition="tiny")
    path = str(tmp_path / "command.xml")
    command = ["build", "gold/tiny.qa.tsv", "--lang", "en", "--edition", "tiny", "-o", path]
    assert built.to_text() == ave(*command, code=0).out
    assert (tmp_path / "own.xml").read_bytes() == (tmp_path / "command.xml").read_bytes()
    assert built.to_frame()["left"].tolist()[-1] == built.left


def test_convert_there_and_back(tmp_path: Path) -> None:
    table, back = tmp_path / "run.jsonl.gz", tmp_path / "careful.txt"
    assert ave_score.convert(CAREFUL, table) == {}
    assert ave_score.convert(table, back, to="lines") == {}
    scored = [ave_score.score(GOLD, path, measures="all").to_frame() for path in (CAREFUL, back)]
    assert scored[0].equals(scored[1])


@pytest.mark.slow
def test_figures_are_shown_saved_and_changed(tmp_path: Path) -> None:
    drawing = ave_score.plot(GOLD, [CAREFUL, BOLD], figure="roc")
    assert repr(drawing) == "<Drawing: ROC curves>"
    drawing.save(tmp_path / "roc.svg")
    written = (tmp_path / "roc.svg").read_text("utf-8")
    assert written == drawing._repr_svg_()
    assert "careful" in written
    path = tmp_path / "command.svg"
    ave("score", GOLD, CAREFUL, BOLD, "--plot", f"roc={path}", code=0)
    assert written == (tmp_path / "command.svg").read_text("utf-8")
    assert drawing.figure.get_figwidth() == 6.3
    with pytest.raises(UsageError, match="no figure 'pie', only bars"):
        ave_score.plot(GOLD, CAREFUL, figure="pie")
    with pytest.raises(UsageError, match=r"ends in \.svg, \.png, \.pdf"):
        drawing.save("figure.jpg")


def test_differences_and_ties_are_drawn_as_by_the_commands(tmp_path: Path) -> None:
    sampling = ave_score.Sampling(resamples=20)
    figures = {
        "compare": ave_score.compare(PAPER[0], PAPER[1:]).plot(),
        "stability": ave_score.stability(PAPER[0], PAPER[1:], sampling=sampling).plot(),
    }
    more = {"compare": [], "stability": ["--resamples", "20"]}
    for name, drawing in figures.items():
        path = tmp_path / f"{name}.svg"
        ave(name, *PAPER, *more[name], "--plot", path, code=0)
        assert path.read_text("utf-8") == drawing._repr_svg_()


def test_campaign_has_the_scores_and_writes_pages_only_if_asked(tmp_path: Path) -> None:
    text = f'[editions.2007.languages.de]\ncollection = "{ROOT}/gold/ave2007-de.xml"\n'
    text += f'runs = "{ROOT}/sample_runs/ave2007-de"\n'
    path = tmp_path / "campaign.toml"
    path.write_text(text)
    found = ave_score.campaign(path)
    assert [*tmp_path.iterdir()] == [path]
    expected = ave_score.score(PAPER[0], PAPER[1:], measures="ave2007").to_frame()
    assert found.scores["2007", "de"].to_frame()["f1"].equals(expected["f1"])
    assert found.not_scored == []
    assert found.is_complete
    ave_score.campaign(path, tmp_path / "results")
    for name, page in found.pages.items():
        assert (tmp_path / "results" / name).read_text("utf-8") == page
    path.write_text(text.replace("runs", "rums"))
    with pytest.raises(ave_score.DefectError):
        ave_score.campaign(path)


def test_decisions_are_shown_converted_and_saved(tmp_path: Path) -> None:
    decided = ave_score.decide(ave_score.read_scores("sample_runs/best-of-n.jsonl"))
    said = "5 answered, 0 withheld; 20 answers: 5 selected, 0 validated, 15 rejected"
    assert repr(decided) == f"<Decided best-of-n: 5 questions: {said}>"
    assert "5 selected" in decided._repr_html_()
    assert list(decided.to_frame()["verdict"]).count("SELECTED") == 5
    decided.save(tmp_path / "run.txt")
    assert (tmp_path / "run.txt").read_text() == "".join(decided.lines())


def test_every_public_name_is_found_and_nothing_else() -> None:
    for name in dir(ave_score):
        assert getattr(ave_score, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'scores'"):
        _ = ave_score.scores
    assert sorted(vars(ave_score)["__all__"]) == dir(ave_score)
    source = Path(str(ave_score.__file__)).read_text("utf-8")  # what type checkers see
    assert sorted(re.findall(r" as (\w+)$", source, re.M)) == dir(ave_score)


FUNCTIONS = [name for name in dir(ave_score) if inspect.isfunction(getattr(ave_score, name))]


@each("name", FUNCTIONS)
def test_functions_document_every_parameter_result_and_error(name: str) -> None:
    function = getattr(ave_score, name)
    documented = inspect.getdoc(function) or ""
    sections = re.split(r"^(\w+)\n-+$", documented, flags=re.M)
    parts = dict(zip(sections[1::2], sections[2::2], strict=True))
    assert [*parts] == ["Parameters", "Returns", "Raises"]
    named = ",".join(re.findall(r"^\*?([\w, ]+)$", parts["Parameters"], re.M))
    assert {part.strip() for part in named.split(",")} == {*inspect.signature(function).parameters}


@each("name", FUNCTIONS)
def test_refusals_name_no_option_and_no_empty_file(name: str, tmp_path: Path) -> None:
    function = getattr(ave_score, name)
    lines = tmp_path / "lines.jsonl"  # commands say that --columns may help
    lines.write_text('{"problem": 1, "reward": 0.5}\n')
    sound = {"collection": GOLD, "gold": GOLD, "runs": [BOLD, CAREFUL], "path": BOLD}
    needed = {
        parameter.name: sound.get(parameter.name, "x")
        for parameter in inspect.signature(function).parameters.values()
        if parameter.default is parameter.empty and parameter.kind is not parameter.VAR_POSITIONAL
    }
    for parameter in needed:
        for wrong in ("", lines):
            try:
                function(**{**needed, parameter: wrong})
            except ave_score.AveScoreError as error:
                assert "--" not in str(error)
                assert not str(error).startswith(":")
            except (AttributeError, KeyError, TypeError):  # of values, not of files
                assert name in ("decide", "decided_at", "parse_measures", "read_clusters")


@pytest.mark.parametrize(("call", "message", "command"), [
    (lambda: ave_score.compare(PAPER[0], PAPER[1:], measures="auc", design=ave_score.Design("t")),
        "does not apply to it; use {--}test bootstrap",
        f"compare {' '.join(PAPER)} -m auc --test t"),
    (
        lambda: ave_score.stability(GOLD, [BOLD, CAREFUL],
            sampling=ave_score.Sampling(99, unit="questions")), "{--}size 5 at most",
        f"stability {GOLD} {BOLD} {CAREFUL} --size 99 --unit questions"),
])  # fmt: skip
def test_messages_name_parameters_where_commands_name_options(
    call: Callable[[], object], message: str, command: str
) -> None:
    with pytest.raises(ave_score.AveScoreError) as refused:
        call()
    assert message.replace("{--}", "") in str(refused.value)
    assert "--" not in str(refused.value)
    said = ave(*command.split())
    assert message.replace("{--}", "--") in " ".join((said.out + said.err).split())


def test_warnings_point_to_the_caller(tmp_path: Path) -> None:
    marked = tmp_path / "bold.txt"
    marked.write_bytes(b"\xef\xbb\xbf" + BOLD.read_bytes())
    both = [marked, CAREFUL]
    calls: list[Callable[[], object]] = [
        lambda: ave_score.read_run(marked, GOLD),
        lambda: ave_score.score(GOLD, both),
        lambda: ave_score.score(GOLD, (ave_score.read_run(path, GOLD) for path in both)),
        lambda: ave_score.compare(GOLD, iter(both), measures="f1"),
        lambda: ave_score.report(GOLD, both),
        lambda: ave_score.agree(both, collection=GOLD),
    ]
    for call in calls:
        with pytest.warns(ave_score.AveScoreWarning, match="byte order mark") as warned:
            call()
        assert {warning.filename for warning in warned} == {__file__}


def test_keys_of_answers_are_read_without_being_asked_for() -> None:
    text = '{"q_id": 1, "score": 1, "correct": true, "answer_key": "a"}\n'
    text += '{"q_id": 1, "score": 0, "correct": false, "answer_key": "b"}\n'
    verifier = ave_score.read_scores(io.StringIO(text))
    assert verifier.keys == ["a", "b"]
    assert "No majority vote" not in str(ave_score.best_of_n(verifier))
    without = ave_score.read_scores(io.StringIO(text), keys=False)
    assert "No majority vote" in str(ave_score.best_of_n(without))


@pytest.mark.parametrize("call", [
    "ave_score.Findings",
    "ave_score.check('sample_runs/tiny/bold.txt')",
    "ave_score.read_run('sample_runs/tiny/bold.txt', 'gold/tiny.xml')",
])  # fmt: skip
def test_heavy_packages_are_imported_only_if_they_are_needed(call: str) -> None:
    heavy = ["numpy", "pandas", "rich", "matplotlib", "scipy", "narwhals", "click", "difflib"]
    code = f"import sys, ave_score; {call}; print([one for one in {heavy} if one in sys.modules])"
    assert process(command=program(code)) == (0, "[]\n", "")
