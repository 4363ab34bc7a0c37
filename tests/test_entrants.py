"""Which runs take part, and as what: every option is at every door."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import ave_score
from ave_score import UsageError
from tests.conftest import ROOT
from tests.helpers_command import ave, output
from tests.helpers_files import put

GOLD, RUNS = ROOT / "gold/tiny.xml", ROOT / "sample_runs/tiny"
FILE = f"""[editions.y]
[editions.y.languages.en]
collection = "{GOLD}"
runs = "{RUNS}"
"""
FUNCTIONS: list[Callable[..., object]] = [ave_score.score, ave_score.compare, ave_score.report]


def keywords(function: Callable[..., object]) -> set[str]:
    parameters = inspect.signature(function).parameters.values()
    return {one.name for one in parameters if one.kind is one.KEYWORD_ONLY}


ENTRANTS = set.intersection(*map(keywords, FUNCTIONS)) - {"measures", "policies"}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_option_is_of_the_command_and_of_its_function(
    function: Callable[..., object],
) -> None:
    assert {"teams", "reference", "primary", "replicates"} <= ENTRANTS
    others = {"measures", "policies", "design", "power", "watch", "by", "compared", "audience"}
    others |= {"stderr", "clusters"}  # of scores alone
    assert keywords(function) - others - {"title"} == ENTRANTS
    text = output(function.__name__, "--help")
    options = {name.replace("-", "_") for name in re.findall(r"^  --([\w-]+) ", text, re.M)}
    keys = {"per-topic": "max_per_topic", "documents": "documents"}  # of --limit
    options |= {keys[key] for key in re.findall(r"^      ([\w-]+)=", text, re.M) if key in keys}
    assert options >= ENTRANTS
    with pytest.raises(TypeError, match="unexpected keyword argument 'groups'"):
        function(GOLD, RUNS, groups={})


def test_functions_without_teams_take_the_others() -> None:
    """Curves are of single runs; groups of questions are not shown by team."""
    assert keywords(ave_score.sweep) & ENTRANTS == ENTRANTS - {"replicates"}
    assert keywords(ave_score.break_down) & ENTRANTS == ENTRANTS - {"teams"}
    others: dict[str, Callable[..., object]]
    others = {"replicates": ave_score.sweep, "teams": ave_score.break_down}
    for name, function in others.items():
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{name}'"):
            function(GOLD, RUNS, "f1", **{name: {}})


TEAMS = {"runs": "bold\tA\ncareful\tB\n", "system": "S\tA\n"}


@pytest.mark.parametrize("door", ["score", "compare", "report"])
def test_teams_name_what_takes_part(tmp_path: Path, door: str) -> None:
    """Runs, or with --replicates their systems: what is of none of these is wrong at every door."""
    runs = [str(RUNS / "bold.txt"), str(RUNS / "careful.txt")]
    runs.append(str(put(tmp_path, (RUNS / "bold.txt").read_text(), "other.txt")))
    tables = {name: str(put(tmp_path, text, f"{name}.tsv")) for name, text in TEAMS.items()}
    systems = str(put(tmp_path, "bold\tS\ncareful\tS\n", "systems.tsv"))
    given = [door, str(GOLD), *runs, *(["-o", str(tmp_path / "x.html")] * (door == "report"))]
    function = getattr(ave_score, door)
    cases: list[tuple[str, dict[str, str], str]] = [
        ("system", {}, "S; there are bold, careful, other"),
        ("runs", {"replicates": systems}, "bold, careful; there are S, other"),
        ("runs", {}, ""),
        ("system", {"replicates": systems}, ""),
    ]
    for teams, replicates, said in cases:
        options = [f"--{name}={path}" for name, path in replicates.items()]
        result = ave(*given, "--teams", tables[teams], *options)
        assert (result.code, said in result.err) == (2 if said else 0, True)
        if said:
            with pytest.raises(UsageError, match=said):
                function(GOLD, runs, teams=tables[teams], **replicates)
