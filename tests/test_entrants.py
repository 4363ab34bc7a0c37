"""Which runs take part, and as what: every option is at every door, as its record says."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

import ave_score
from ave_score.core.entrants import ENTRANTS, OPTIONS, SETTINGS, Takes
from tests.conftest import ROOT
from tests.helpers_command import output
from tests.helpers_files import put

GOLD, RUNS = ROOT / "gold/tiny.xml", ROOT / "sample_runs/tiny"
FILE = f"""[editions.y]
[editions.y.languages.en]
collection = "{GOLD}"
runs = "{RUNS}"
"""


@pytest.mark.parametrize("command", ["score", "compare", "report"])
def test_every_option_is_of_the_command_and_of_its_function(command: str) -> None:
    text = " ".join(output(command, "--help").split())
    parameters = inspect.signature(getattr(ave_score, command)).parameters
    for name, entrant in OPTIONS.items():
        assert f"--{name} " in text
        assert entrant.help.split(":")[0] in text
        assert parameters[name].default is None
        assert parameters[name].kind is inspect.Parameter.KEYWORD_ONLY


@pytest.mark.parametrize("name", SETTINGS)
def test_every_setting_is_read_explained_and_in_a_new_file(tmp_path: Path, name: str) -> None:
    """A wrong value is found; tables are listed, patterns match no run."""
    line, _ = ENTRANTS[name].setting
    assert f"# {name} = {line}" in output("campaign", "init")
    assert f"\n| `{name}` |" in (ROOT / "docs/reference/campaign-file.md").read_text("utf-8")
    path = put(tmp_path, f"{FILE}{name} = true\n", "campaign.toml")
    (finding,) = ave_score.check(path).findings
    assert finding.message.startswith(f"{name} ")
    assert finding.line == FILE.count("\n") + 1
    if ENTRANTS[name].takes is Takes.PATTERNS:
        put(tmp_path, f'{FILE}{name} = "zzz"\n', "campaign.toml")
        with pytest.raises(ave_score.DefectError, match=f"{name} refers to 'zzz'"):
            ave_score.campaign(path)


@pytest.mark.parametrize("function", [ave_score.score, ave_score.compare, ave_score.report])
def test_a_keyword_that_does_not_exist_is_refused(function: object) -> None:
    assert callable(function)
    with pytest.raises(TypeError, match="unexpected keyword argument 'groups'"):
        function(GOLD, RUNS, groups={})
