"""Where `check` is used: the GitHub action, the pre-commit hook, the snippets, the completion. The
action's own step is run as GitHub's runner would: the script as it stands in `action.yml`, the
inputs as variables and files in place of GITHUB_OUTPUT and GITHUB_STEP_SUMMARY."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from contextlib import suppress
from importlib.metadata import packages_distributions
from pathlib import Path
from zipfile import ZipFile

import pytest
import yaml
from click.shell_completion import ShellComplete

from ave_score.commands import COMMANDS, app
from tests import mostly_slow, slow
from tests.conftest import ROOT
from tests.helpers_command import process
from tests.helpers_files import COLLECTION, RUN, put
from tools.own import own_files

BIN = Path(sys.executable).parent
SCRIPT = [str(BIN / "ave-score")]
RECIPES = (ROOT / "docs/how-to/integrations.md").read_text("utf-8")


def environment(**more: str) -> dict[str, str]:
    return {"PATH": f"{BIN}:/usr/bin:/bin", "LC_ALL": "C.UTF-8", **more}


def test_the_lowest_versions_that_are_tested_are_those_that_are_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    optional = project["optional-dependencies"]
    extras = ["engine", "frames", "logs", "plot", "stats", "tables"]
    listed = [line for extra in extras for line in optional[extra] if "ave-score[" not in line]
    listed += [line for line in optional["test"] if line.startswith("polars")]
    needed = [*project["dependencies"], *listed]
    lines = (ROOT / ".ci/lowest.txt").read_text("utf-8").splitlines()
    pins = dict(line.partition("  #")[0].split("==") for line in lines if "==" in line)
    assert all("  # tests: " in line for line in lines if "==" in line)
    lowest = {name: tuple(map(int, version.split("."))) for name, version in pins.items()}
    declared = {}
    for requirement in needed:
        name, version = requirement.partition(";")[0].split(">=")
        declared[name] = (*map(int, version.split(".")), 0)[:3]
    assert lowest == declared


def test_no_advice_installs_a_package_of_this_name_from_a_registry() -> None:
    """Until there is a release, the name belongs to nobody, and so to whoever takes it."""
    texts = [*own_files("ave_score", ".py"), *own_files("docs", ".md")]
    texts += [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "action.yml"]
    risky = re.compile(r"pip install(?! --no-index)[^`\n&]*[ '\"]ave[-_]score\b")
    assert len(texts) > 200
    assert [path for path in texts if risky.search(path.read_text("utf-8"))] == []


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Make a checkout with a collection, a sound run, a broken one and one with an odd name."""
    (tmp_path / "gold.xml").write_text(COLLECTION)
    runs = tmp_path / "runs"
    (runs / "deep").mkdir(parents=True)
    (runs / "good.txt").write_text(RUN)
    (runs / "deep" / "with blank.txt").write_text(RUN.replace("REJECTED 0.2", "rejected 0.2"))
    return tmp_path


def act(folder: Path, **inputs: str) -> tuple[int, str, str, str]:
    """Run the action's check step; return exit code, log, summary and outputs."""
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    (step,) = (one for one in action["runs"]["steps"] if one.get("id") == "check")
    given = {name: one.get("default", "") for name, one in action["inputs"].items()} | inputs
    input_of = re.compile(r"\$\{\{ inputs\.([\w-]+) \}\}")
    variables = {k: input_of.sub(lambda m: given[m[1]], text) for k, text in step["env"].items()}
    assert "${{" not in "".join(variables.values())
    # what the step before leaves: an environment of its own, in no later step's way
    with suppress(FileExistsError):
        (folder / "ave-score").symlink_to(BIN.parent)
    summary, output = folder / "summary.md", folder / "output.txt"
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder,
        env={
            **variables, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "PYTHONPATH": ".",
            "RUNNER_TEMP": str(folder), "GITHUB_STEP_SUMMARY": str(summary),
            "GITHUB_OUTPUT": str(output),
        }, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    read = [path.read_text("utf-8") if path.exists() else "" for path in (summary, output)]
    return done.returncode, done.stdout + done.stderr, *read  # type: ignore[return-value]


def test_the_action_annotates_and_summarises(repository: Path) -> None:
    code, log, summary, output = act(repository, files="runs/**/*.txt\n", collection="gold.xml")
    assert (code, output) == (1, "exit-code=1\n")
    # by hand: the verdict of the second line stands in columns 7 to 14
    assert log.splitlines() == [
        "::error file=runs/deep/with blank.txt,line=2,col=7,endColumn=14,"
        "title=AVE103 verdict-case::found 'rejected', expected REJECTED: "
        "verdicts are written in capitals"
    ]
    assert "| 2 | 7 | AVE103 verdict-case (error) |" in summary
    assert "**1 of 2 files with errors, 1 error**" in summary


def test_the_action_is_silent_about_sound_runs(repository: Path) -> None:
    code, log, summary, output = act(repository, files="runs/good.txt", collection="gold.xml")
    assert (code, log, output) == (0, "", "exit-code=0\n")
    assert "no findings" in summary


@pytest.mark.parametrize(("inputs", "code"), mostly_slow([
    ({"files": "$(touch pwned)\n`touch pwned`\n; touch pwned"}, 2),
    ({"files": "runs/*.nothing"}, 2),
    ({"files": "runs/nothing.txt"}, 2),
    ({"files": "runs/**/*.txt", "ignore": "AVE103"}, 0),
    ({"files": "gold.xml"}, 1),  # no run
    ({"files": "gold.xml", "kind": "collection"}, 0),
    ({"files": "runs/*\nruns/good.txt"}, 0),  # a folder, and a file twice
    ({"files": "--help"}, 2),
]))  # fmt: skip
def test_the_action_s_inputs(repository: Path, inputs: dict[str, str], code: int) -> None:
    assert act(repository, **inputs)[0] == code
    assert not (repository / "pwned").exists()


@pytest.mark.slow
def test_strict_lets_the_action_fail_for_warnings(repository: Path) -> None:
    (repository / "runs" / "good.txt").write_text("\ufeff" + RUN, "utf-8")
    assert act(repository, files="runs/good.txt")[0] == 0
    assert act(repository, files="runs/good.txt", strict="true")[0] == 1


def planted() -> set[str]:
    """Return modules that Python would import from a folder before its own, or those installed."""
    own = "sitecustomize", "usercustomize", "ave_score"
    return {*sys.stdlib_module_names, *packages_distributions(), *own}


def plant(folder: Path) -> Path:
    """Write modules that leave a marker if they are imported; return its path. Beside them are
    files in which programs look for settings, here damaged ones."""
    marker = folder / "imported"
    for name in ("matplotlibrc", "pyproject.toml", "setup.cfg", "pyvenv.cfg", ".duckdbrc"):
        (folder / name).write_bytes(b"\xff\xfe\0import")
    (folder / "x.pth").write_text(f"import os; open({str(marker)!r}, 'a').write('x.pth ')\n")
    for name in planted():
        code = f"open({str(marker)!r}, 'a').write({name + ' '!r})\n"
        (folder / f"{name}.py").write_text(code)
    return marker


@pytest.mark.slow
def test_the_action_imports_nothing_from_the_workspace(repository: Path) -> None:
    marker = plant(repository)
    code, log, _, _ = act(repository, files="runs/good.txt", collection="gold.xml")
    assert (code, log) == (0, "")
    assert not marker.exists()
    # each call of Python in all steps; the next test makes those of the first
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    calls = [
        line
        for step in action["runs"]["steps"]
        for line in step["run"].splitlines()
        if re.search(r"\bpython3?\b|\bpip\b", line.partition(" # ")[0])
    ]
    assert len(calls) == 3
    assert all(re.search(r'python3?"? -I -m \w+', line) for line in calls)


@pytest.mark.slow
def test_the_action_installs_with_nothing_from_the_workspace(tmp_path: Path) -> None:
    """What is installed is a wheel without contents: no network is needed."""
    workspace, wheel = tmp_path / "workspace", tmp_path / "empty-1-py3-none-any.whl"
    workspace.mkdir()
    marker = plant(workspace)
    with ZipFile(wheel, "w") as packed:
        about = "empty-1.dist-info"
        packed.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: empty\nVersion: 1\n")
        tag = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        packed.writestr(f"{about}/WHEEL", tag)
        packed.writestr(f"{about}/RECORD", "")
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    step = action["runs"]["steps"][0]
    assert [*step["env"]] == ["ACTION_PATH"]
    variables = {"ACTION_PATH": str(wheel), "RUNNER_TEMP": str(tmp_path), "PYTHONPATH": "."}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=workspace,
        env=environment(**variables, PIP_NO_INDEX="1", PIP_DISABLE_PIP_VERSION_CHECK="1"),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert not marker.exists()
    assert [*(tmp_path / "ave-score").glob("lib/*/site-packages/empty-1.dist-info")]


def test_the_action_takes_no_input_into_its_scripts() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    for step in action["runs"]["steps"]:
        assert "${{" not in step["run"]
        assert "GITHUB_PATH" not in step["run"]  # later steps keep their own Python
        assert step["shell"] == "bash"


def test_the_hook_runs_what_it_names(repository: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert hook["language"] == "python"
    command = [*shlex.split(hook["entry"]), "--collection=gold.xml"]
    files = ["runs/good.txt", "runs/deep/with blank.txt"]
    assert all(re.search(hook["files"], file) for file in files)
    command[0] = str(BIN / command[0])
    done = process(*files, command=command, cwd=repository)
    assert done.code == 1
    assert done.out.startswith("runs/deep/with blank.txt:2:7 AVE103 ")


def test_the_snippets_of_the_documentation_are_yaml_and_name_what_is_there() -> None:
    snippets = [
        yaml.safe_load(text) for text in re.findall(r"^```yaml\n(.*?)^```$", RECIPES, re.M | re.S)
    ]
    assert len(snippets) == 3
    pre_commit, github, gitlab = snippets
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert pre_commit["repos"][0]["hooks"][0]["id"] == hooks[0]["id"]
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    assert github["jobs"]["runs"]["steps"][-1]["with"].keys() <= action["inputs"].keys()
    reports = {"junit": "junit.xml", "codequality": "quality.json"}
    assert gitlab["check-runs"]["artifacts"]["reports"] == reports


def test_the_gitlab_script_writes_both_reports(repository: Path) -> None:
    gitlab = yaml.safe_load(re.findall(r"^```yaml\n(.*?)^```$", RECIPES, re.M | re.S)[2])
    (repository / "gold" / "x").mkdir(parents=True)
    (repository / "gold.xml").rename(repository / "gold" / "test.xml")
    (repository / "runs" / "bad.txt").write_text("nothing\n")
    scripts = [one for one in gitlab["check-runs"]["script"] if one.startswith("ave-score")]
    path = environment()["PATH"]
    ran = [process(command=["bash", "-c", one], cwd=repository, PATH=path) for one in scripts]
    assert [one.code for one in ran] == [0, 1]
    assert "<testsuites" in (repository / "junit.xml").read_text()
    assert '"check_name": "field-count"' in (repository / "quality.json").read_text()


@pytest.mark.parametrize(("words", "expected"), [
    (["ave-score", ""], [f"plain,{name}" for name in COMMANDS]),
    slow((["ave-score", "check", ""], ["file,"])),
    slow((["ave-score", "check", "--collection", ""], ["file,"])),
    (["ave-score", "check", "--format", "s"], ["plain,sarif"]),
])  # fmt: skip
def test_completion(words: list[str], expected: list[str]) -> None:
    done = process(
        command=SCRIPT,
        _AVE_SCORE_COMPLETE="bash_complete",
        COMP_WORDS=" ".join(words),
        COMP_CWORD=str(len(words) - 1),
    )
    assert (done.code, done.out.splitlines()) == (0, expected)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("score -m f1,qa_a", "f1,qa_accuracy f1,qa_accuracy_max"),
        ("score -m F1,AVE2", "F1,ave2007 F1,ave2008"),
        ("compare --measures mr", "mrr mrc"),
        ("report --compare map,ndc", "map,ndcg"),
        ("stability gold.xml -m resp", "respubliqa"),
        ("score --ci s", "stderr"),
        ("check --limit per", "per-topic="),
        ("score --sweep f", "f1 f_beta fp_rate"),
        ("score --sweep ece", ""),  # of confidences, not of decisions
        ("score --sweep qa_ac", "qa_accuracy qa_accuracy_max"),
        ("check --select AVE3", "AVE3 AVE301 AVE302 AVE303"),
        ("check --ignore ave9,ave30", "ave9,AVE301 ave9,AVE302 ave9,AVE303"),
        ("rule AVE3", "AVE3 AVE301 AVE302 AVE303"),
        ("rule verdict-", "verdict-case"),
        ("rule AVE301 ave302", "AVE302"),
        ("measures rank", "ranking"),
        ("score --letters qa", "qa-clef qa-clef-lenient"),
        ("campaign ", "init list run clef.toml run.toml"),
        ("campaign r", "run run.toml"),
        ("campaign camp", "file"),
        ("campaign list -f j", "json"),
        ("check --log ", "scorer= confidence= filter= task= withheld= right-from= score="),
        ("decide --log s", "score= scorer="),
        ("check --kind an", "answers answer-sets"),
        ("convert --kind sc", "scores"),
        ("compare --test t", "t tukey"),
        ("compare --correction b", "bonferroni by"),
        ("score --plot re", "reliability= reliability-mass="),
        ("score --format t", "table trec"),
        ("stats -f l", "latex"),
        ("report --audience ", "organisers public"),
        ("score --breakdown ", "file"),
        ("agree --cluster ", "file"),
        ("check --max-f", "--max-findings"),
    ],
)
def test_completion_of_names(typed: str, expected: str, here: Path) -> None:
    """`file` leaves it to the shell."""
    for name in ("run.toml", "clef.toml", "two words.toml"):
        put(here, "", name)
    *words, begun = typed.split(" ")
    found = ShellComplete(app, {}, "ave-score", "_X").get_completions(words, begun)
    names = [one.value if one.type == "plain" else one.type for one in found]
    assert sorted(names) == sorted(expected.split())


@pytest.mark.parametrize(("shell", "expected"), [
    ("zsh", ["plain", "f1,mcc", "MCC"]),
    slow(("fish", ["plain,f1,mcc\tMCC"])),
])  # fmt: skip
def test_shells_show_what_a_name_means(shell: str, expected: list[str]) -> None:
    done = process(
        command=SCRIPT,
        _AVE_SCORE_COMPLETE=f"{shell}_complete",
        COMP_WORDS="ave-score score -m f1,mc",
        COMP_CWORD="3" if shell == "zsh" else "f1,mc",
    )
    assert (done.code, done.out.splitlines()) == (0, expected)


@pytest.mark.parametrize("shell", mostly_slow(["bash", "zsh", "fish"], 1))
def test_the_completion_of_the_documentation_has_a_source(shell: str) -> None:
    if shell == "bash" and not Path("/bin/bash").exists():
        pytest.skip("no bash")
    variable = f"_AVE_SCORE_COMPLETE={shell}_source"
    assert variable in (ROOT / "docs/how-to/install.md").read_text("utf-8")
    done = process(command=SCRIPT, _AVE_SCORE_COMPLETE=f"{shell}_source")
    assert done.code == 0
    assert "_AVE_SCORE_COMPLETE" in done.out
