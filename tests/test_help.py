"""The help of every command: headings, width, choices, and examples that run."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from ave_score.commands import COMMANDS, WithHelp, app
from tests import each, slow
from tests.conftest import ROOT
from tests.helpers_command import ave, output


def commands() -> Iterator[tuple[str, click.Command]]:
    """Yield every command with what is typed to call it."""
    yield "", app
    for name in COMMANDS:
        command = app.get_command(click.Context(app), name)
        assert command is not None
        yield name, command
        if isinstance(command, click.Group):
            yield from ((f"{name} {inner}", one) for inner, one in command.commands.items())


CALLS = dict(commands())


def help_of(call: str) -> str:
    return output(*call.split(), "--help")


def test_every_command_is_known() -> None:
    assert [*CALLS] == [
        *("", "check", "fix", "rule", "convert", "template", "build", "stats"),
        *("score", "compare", "estimate", "decide", "measures", "report"),
        *("campaign", "campaign run", "campaign list", "campaign init"),
        *("bundle", "bundle codabench", "bundle tira"),
        *("agree", "stability", "swap"),
    ]


GROUPS = ("Check", "Score", "Publish", "Study")


def test_commands_are_in_groups() -> None:
    parts = re.findall(r"(?ms)^(\w+):\n(.*?)\n\n", help_of(""))[1:]
    named = {heading: re.findall(r"(?m)^  (\w+) ", part) for heading, part in parts}
    assert [*named] == [*GROUPS]
    assert [name for names in named.values() for name in names] == [*COMMANDS]
    assert (named["Check"][0], named["Score"][:2]) == ("check", ["score", "compare"])


@each("call", CALLS)
def test_a_short_help_has_the_ten_usual_options(call: str) -> None:
    """Only that of a command with more than ten; the help of options is the same in both."""
    short, long = output(*call.split(), "-h"), help_of(call)
    names = [re.findall(r"(?m)^  (-.*?)(?:  |$)", text) for text in (short, long)]
    assert len(names[0]) <= 10 + 2
    assert len(names[1]) <= 10 + 2 or len(names[0]) >= 7 + 2
    assert (short == long) == (len(names[1]) <= 10 + 1)
    assert {*short.splitlines()} <= {*long.splitlines()}


@pytest.mark.parametrize("columns", [60, 80, 100])
def test_the_help_fits_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for call in CALLS:
        text = help_of(call)
        assert [line for line in text.splitlines() if len(line) > min(columns, 80)] == []
        assert "\x1b" not in text
        assert re.findall(r"(?m) +$", text) == []


def test_options_are_under_headings_and_the_help_comes_last() -> None:
    known = r"What is \w+|How it is \w+|What is shown|Where it goes|Other|Options"
    for call in CALLS:
        text = help_of(call)
        headings = re.findall(r"(?m)^([A-Z][\w ]+):$", text)
        of_options = [one for one in headings if one not in (*GROUPS, "Commands", "Examples")]
        assert 1 <= len(of_options) <= 5
        assert all(re.fullmatch(known, one) for one in of_options), of_options
        assert headings[-1] == "Examples"
        (*_, last) = re.findall(r"(?m)^  (-[\w, -]*?)(?: [A-Z\[]|  |$)", text)
        assert last.strip() in ("-h, --help", "--help")


def test_headings_of_score() -> None:
    text = help_of("score")
    found = {
        heading: set(re.findall(r"(?m)^  (?:-\w, )?(--[\w-]+)", part))
        for heading, part in re.findall(r"(?ms)^([A-Z][\w ]+):\n(.*?)\n(?=\n|\Z)", text)
    }
    assert [*found] == [
        *("What is scored", "How it is counted", "What is shown", "Where it goes", "Other"),
        "Examples",
    ]
    assert {"--key", "--qa", "--columns", "--values"} <= found["What is scored"]
    assert {"--letters", "--ties", "--threshold", "--ci"} <= found["How it is counted"]
    assert {"--measures", "--sweep", "--digits"} <= found["What is shown"]
    assert {"--format", "--output", "--plot"} <= found["Where it goes"]
    assert found["Other"] == {"--help"}


def test_helps_are_short_and_say_what_values_are() -> None:
    """At 80 columns: no lecture about an option, no types of a program, defaults in one form."""
    for call in CALLS:
        text = help_of(call)
        for raw in ("RANGE", "INTEGER", "FLOAT", "TEXT ", "<=", "[default", "Default: None"):
            assert raw not in text.replace("--title TEXT", ""), (call, raw)
        options = re.split(r"(?m)^  (?=-)", text.partition("\nExamples:")[0])[1:]
        for option in options:
            texts = re.findall(r"(?m)^ {24}\S.*", option)
            assert len(texts) <= 3, option
        for option in options:
            if option.startswith("--letters"):
                assert option.startswith("--letters [qa-clef|qa-clef-lenient|respubliqa]\n")


def test_the_help_of_compare_and_score_is_no_lecture() -> None:
    """They had 168 and 116 lines; tests and corrections are explained in the documentation."""
    assert len(help_of("compare").splitlines()) < 120
    assert len(help_of("score").splitlines()) < 120


EXAMPLES = [
    example
    for command in CALLS.values()
    if isinstance(command, WithHelp)
    for example in command.examples.values()
]


def test_every_command_has_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for call, command in CALLS.items():
        assert isinstance(command, WithHelp)
        assert len(command.examples) in (2, 3)
        shown = help_of(call).partition("\nExamples:\n")[2]
        joined = " ".join(shown.replace("\\\n", " ").split())
        for what, example in command.examples.items():
            assert example.startswith(f"ave-score {call}".rstrip())
            assert f"{what}: {example}" in joined


SHIPPED = {
    "gold.xml": "gold/tiny.xml", "runs/bold.txt": "sample_runs/tiny/bold.txt",
    "runs/careful.txt": "sample_runs/tiny/careful.txt", "run.txt": "sample_runs/tiny/bold.txt",
    "judge.txt": "sample_runs/tiny/careful.txt", "test.xml": "gold/tiny.xml",
    "judged.csv": "sample_runs/judge/systems.csv", "labels.csv": "sample_runs/judge/truth.csv",
    "judged.tsv": "gold/build/answers.qa.tsv", "scores.jsonl": "sample_runs/best-of-n.jsonl",
    "ada.eval": "sample_runs/logs/ada.json", "bob.eval": "sample_runs/logs/bob.json",
}  # fmt: skip
"""The files that a user has, and shipped ones that take their place."""

CAMPAIGN = """\
docker_image = "me/ave-score:1"
[editions.e.languages.en]
collection = "gold.xml"
runs = "runs"
"""


def is_slow(example: str) -> bool:
    return (
        re.match("ave-score (report|campaign (?!init)|score .*--ci|.*--plot)", example) is not None
    )


@pytest.mark.parametrize(
    "example", [slow(one) if is_slow(one) else one for one in dict.fromkeys(EXAMPLES)]
)
def test_examples_run(example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "runs").mkdir()
    for name, path in SHIPPED.items():
        shutil.copy(ROOT / path, tmp_path / name)
    labels = (tmp_path / "gold.xml").read_text("utf-8")
    (tmp_path / "gold2.xml").write_text(labels.replace("UNKNOWN", "VALIDATED"), "utf-8")
    (tmp_path / "campaign.toml").write_text(CAMPAIGN, "utf-8")
    if "fix" in example:  # runs with something to fix
        for file in (tmp_path / "run.txt", tmp_path / "runs" / "bold.txt"):
            file.write_text(file.read_text("utf-8").replace("SELECTED", "selected"), "utf-8")
    for written in re.findall(r" (?:-o|--output) (\S+)", example):
        (tmp_path / written).unlink(missing_ok=True)
    monkeypatch.chdir(tmp_path)
    before = {*tmp_path.rglob("*")}
    name, *words = shlex.split(example)
    assert name == "ave-score"
    arguments = []
    for word in words:
        arguments += sorted(map(str, Path().glob(word))) if "*" in word else [word]
    assert ave(*arguments, code=0).out or {*tmp_path.rglob("*")} > before
