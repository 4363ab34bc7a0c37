"""`ave-score check` of a campaign file: what `campaign` refuses, with the same messages.

Nothing is expected of the messages but that both commands say them: those of `campaign` are in its
own tests.
"""

from __future__ import annotations

import gzip
import re
import shlex
from pathlib import Path

import pytest

from ave_score.core.policies import Policies
from tests import mostly_slow
from tests.conftest import ROOT
from tests.helpers_command import Said, files_of, put_all
from tests.helpers_files import COLLECTION, OPEN, PAIRS, RUN, put
from tests.test_campaign import CAMPAIGN, ave, campaign, small
from tests.test_campaign_folder import DAMAGED

EN, ES = "[editions.2007.languages.en]\n", "[editions.2007.languages.es]\n"
"""Where the tables of the two languages begin."""

OF_EDITION = "[editions.2007]\n"
EDITION = "editions.2007.languages.en."
CLOSES = "closes = 2026-05-01T23:59:00Z\n"
TIMES = "alpha.txt\t2026-05-01T23:00:00Z\nbeta.txt\t2026-05-02T00:00:00Z\n"
STRAY = "runs/en/alpha.TXT"
RESPONSES = "q_id\trun\tanswer\tnuggets\n1\tours\tSpain\t\n9\tours\tx\tb.2\n4\tours\ty\tb.9\n"


def with_setting(
    line: str, before: str = OF_EDITION, **files: str | bytes
) -> dict[str, str | bytes]:
    assert before in CAMPAIGN
    return {"campaign.toml": CAMPAIGN.replace(before, f"{before}{line}\n"), **files}


BROKEN: dict[str, dict[str, str | bytes]] = {
    "nothing": {},
    "no TOML": {"campaign.toml": CAMPAIGN + "x ="},
    "no text": {"campaign.toml": b"title = '\xff'\n[editions.a]\n"},
    "no editions": {"campaign.toml": 'title = "t"\n'},
    "no letter": {"campaign.toml": ""},
    **{f"{name} keys": {"campaign.toml": text} for name, text in {
        "dotted": f'{EDITION}collection = "gold/en.xml"\n{EDITION}runs = "runs/en"\n',
        "quoted": '["editions"."2007".languages]\nen = {collection = "no.xml", runs = "runs/en"}\n',
    }.items()},
    "no setting": with_setting("run = 7", EN),
    "a wrong type": with_setting('max_runs_per_team = "two"'),
    "no measure": {"campaign.toml": CAMPAIGN.replace('"f1, ', '"f2, ')},
    "no measure to compare by": with_setting('compare = "f2"'),
    "no policy": with_setting('unknown = "guess"'),
    "no page": {"campaign.toml": CAMPAIGN.replace("languages.es", 'languages."a/b"')},
    "no collection": {"campaign.toml": CAMPAIGN.replace("gold/en.xml", "gold/no.xml")},
    "no key": with_setting('key = "no"', EN),
    "no judged systems": {"campaign.toml": CAMPAIGN.replace("gold/en.qa.tsv", "no.tsv")},
    "no teams": {"campaign.toml": CAMPAIGN.replace("gold/en.teams.tsv", "no.tsv")},
    "no folder of runs": {"campaign.toml": CAMPAIGN.replace('"runs/en"', '"runs/no"')},
    "no runs": {"campaign.toml": CAMPAIGN.replace('runs = "runs/en"\n', "")},
    "a pattern of nothing": {"campaign.toml": CAMPAIGN.replace('"runs/en"', '"runs/no-*"')},
    "runs of one name": {"runs/en/alpha.csv": RUN},
    "a name of two runs": {"campaign.toml": CAMPAIGN + 'names = {"alpha.txt" = "delta"}\n'},
    "a name of no file": {"campaign.toml": CAMPAIGN + 'names = {"alpa.txt" = "first"}\n'},
    "a stray": {"campaign.toml": CAMPAIGN.replace('runs/en"', 'runs/en/*.txt"'), STRAY: RUN},
    "a team of no run": {"campaign.toml": CAMPAIGN.replace("gold/en.teams", "teams"),
                         "teams.tsv": "alpa\tA\nbeta\tB\nanother_exercise\tC\n"},
    "a team of no run in the file": {
        "campaign.toml": CAMPAIGN.replace('"gold/en.teams.tsv"', '{ alpa = "A" }')},
    "teams of other exercises": {"gold/en.teams.tsv": "alpha\tA\nbeta\tB\n*\tC\ngamma\tC\n"},
    **{f"{name} of no run": with_setting(f'{name} = "zzz"')
       for name in ("reference", "primary", "apart")},
    **{f"{name} of a run of one language": with_setting(f'{name} = "beta"')
       for name in ("reference", "primary", "apart")},
    "primary in teams": {"gold/en.teams.tsv": "run\tteam\tprimary\nalpha\tA\tyes\nbeta\tA\tno\n"},
    "a deadline without times": with_setting(CLOSES),
    "times that are not there": with_setting(f'{CLOSES}submitted = "times.tsv"'),
    "times of no run": with_setting('submitted = { alpa = 2026-05-01T10:00:00Z }', EN),
    "unusable times": with_setting('submitted = "times.tsv"', EN, **{"times.tsv": "alpha\tnow\n"}),
    "a late run": with_setting(f'{CLOSES}submitted = "times.tsv"', EN, **{"times.tsv": TIMES}),
    "surplus runs": {**with_setting("max_runs_per_team = 1"),
                     "gold/en.teams.tsv": "alpha\tA\nbeta\tA\ngamma\tB\n"},
    "results among runs": {"campaign.toml": f'output = "runs/en/results"\n{CAMPAIGN}'},
    "results that have runs": {"campaign.toml": f'output = "runs"\n{CAMPAIGN}'},
    "results elsewhere": {"campaign.toml": f'output = "../results"\n{CAMPAIGN}'},
    "results of others": {"results/cache.json": '{"of": "../other.toml", '
                          '"written": {"index.md": ["0"]}}'},
    "a file for results": {"results": "x"},
    "a page of somebody": {"results/index.md": "mine"},
    "a page that was changed": {"results/index.md": "mine", "results/cache.json":
                                '{"of": "../campaign.toml", "written": {"index.md": ["0"]}}'},
    "no secret": {"campaign.toml": f'anonymous = "secret"\n{CAMPAIGN}'},
    "a short secret": {"campaign.toml": f'anonymous = "secret"\n{CAMPAIGN}', "secret": "x"},
    "equal runs": {"runs/en/beta.txt": RUN},
    "pairs with systems": {"gold/en.xml": PAIRS},
    "qrels with systems": {"gold/en.xml": "1 0 1_1 1\n1 0 1_2 0\n"},
    "a system twice": {"runs/en/qa.tsv": "q_id\trun\tjudgement\n1\tqa_1\tR\n"},
    "runs of another collection": {"gold/en.xml": COLLECTION.replace('id="1', 'id="9')},
    "answer sets with a key and systems": {
        **with_setting('key = "gold/en.qa.tsv"', EN), "gold/en.xml": OPEN},
    "answer sets with systems": {"gold/en.xml": OPEN, "runs/en/open.tsv": RESPONSES},
    "a log": {"gold/en.xml": (ROOT / "sample_runs/logs/ada.json").read_bytes()},
    **{f"{name}: {str(data)[:20]}": {
        name: data,
        **(with_setting('key = "gold/en.key.txt"', EN) if "key" in name else {}),
    } for name, data, _ in DAMAGED},
    **{f"{name} = {choice}": with_setting(f'{name} = "{choice}"')
       for name, policy in Policies.records().items() if policy.setting is not None
       for choice in policy.choices},
}  # fmt: skip
"""What is wrong -> the files of the small campaign that are others."""


def messages(said: Said) -> set[str]:
    """Return what `campaign` says: of a file that is not scored, why, but not in which task.

    Of findings in a run, only their number: `check` lists them, with warnings, too.
    """
    lines = [line for line in said.err.splitlines() if not line.startswith("  AVE")]
    told = {re.sub("^ave-score: (not scored: 2007 e[ns]: )?", "", line) for line in lines}
    told = {re.sub(r"(: [\d,]+ errors?.*) \(AVE.*", r"\1", line) for line in told}
    return told - {"nothing scored", "nothing written"}


@pytest.mark.parametrize("wrong", mostly_slow([*BROKEN], 8))
def test_check_refuses_what_campaign_refuses(here: Path, wrong: str) -> None:
    small(here)
    for name in BROKEN[wrong]:
        Path(name).parent.mkdir(exist_ok=True)
    for name, data in BROKEN[wrong].items():
        put(here, data, name)
    before = files_of(here)
    checked = ave("check", "campaign.toml", "-f", "concise", "--max-findings", "all")
    assert files_of(here) == before  # nothing is written
    scored = campaign()
    of_files = {re.sub(r" \(AVE.*", "", line) for line in checked.out.splitlines()}
    said = {line.removeprefix("ave-score: ") for line in checked.err.splitlines()}
    said |= of_files | {*checked.out.splitlines()}
    said |= {line.removeprefix("campaign.toml: ") for line in said}  # of the campaign as a whole
    assert messages(scored) <= said and bool(checked.code) == bool(scored.code)
    assert scored.code != 2 or checked.code == 2
    of_campaign = [line for line in said if line.startswith("campaign.toml: ")]
    assert not [line for line in of_campaign if line.count("campaign.toml") > 1]
    if wrong == "nothing":
        assert (checked.code, checked.err) == (0, scored.err)


def test_a_check_names_the_files_to_fix(here: Path) -> None:
    """From any folder, and against the collection of the task; a report is not a run."""
    put_all(here, {"c/none": ""})
    small(here / "c")
    put(here / "c/runs/en", RUN.replace("0.9", "0,9"), "alpha.txt")
    result = ave("check", "c/campaign.toml")
    assert f"ave-score fix --collection c/gold/en.xml {Path('c/runs/en/alpha.txt')}" in result.out
    before = files_of(here)
    refused = ave("check", "c/campaign.toml", "-o", "c/runs/en/alpha.txt", code=2)
    assert "alpha.txt" in refused.err
    assert files_of(here) == before


def test_the_command_that_fixes_a_run_reads_it_as_the_campaign_does(tmp_path: Path) -> None:
    run = "q_id,a_id,verdict,confidence\n1,1_1,yes,0.9\n1,1_2,no,0.1\n"
    settings = 'columns = { q_id = "q", verdict = "dec" }\nvalues = { yes = "VALIDATED" }\n'
    put_all(
        tmp_path,
        {
            "c.toml": f'[editions.e.tasks.t]\ncollection = "g.csv"\nruns = "r.csv"\n{settings}',
            "g.csv": "q,a_id,label\n1,1_1,VALIDATED\n1,1_2,REJECTED\n",
            "r.csv": run.replace("q_id", "q").replace("verdict", "dec").replace("no", "REJECTED"),
        },
    )
    said = ave("check", str(tmp_path / "c.toml"), "-f", "concise")
    (words,) = re.findall(r"to fix 1: ave-score (.*)", said.out)
    fixed = ave(*shlex.split(words))
    assert "1_1" in (tmp_path / "r.fixed.csv").read_text("utf-8"), fixed.out


def test_a_compressed_campaign_file_is_known_by_its_name(tmp_path: Path) -> None:
    small(tmp_path)
    text = f'{EDITION}collection = "gold/en.xml"\n{EDITION}runs = "runs/en"\n'
    path = put(tmp_path, gzip.compress(text.encode()), "dotted.toml.gz")
    assert ave("campaign", str(path), "-o", str(tmp_path / "out")).code == 0
    checked = ave("check", str(path))
    assert (checked.code, "files checked, no findings" in checked.out) == (0, True)


def test_teams_learn_nothing_of_nuggets_from_answer_sets(tmp_path: Path) -> None:
    """Of two errors in the file of a team, it is told the one that needs no answer sets."""
    put_all(tmp_path, {"open.json": OPEN, "runs/A/open.tsv": RESPONSES})
    text = "[editions.y.languages.en]\ncollection = 'open.json'\nruns = 'runs/{team}/*'\n"
    path = put(tmp_path, f"output = 'results'\n{text}", "campaign.toml")
    assert ave("campaign", str(path)).code == 1
    mail = " ".join((tmp_path / "results/teams/A.txt").read_text().split())
    assert "question '9' is not in the collection" in mail and "b.9" not in mail
    assert "b.9" in (tmp_path / "results/findings.md").read_text()


def test_campaigns_name_settings_and_pages_no_options(tmp_path: Path) -> None:
    """Words of files and cells that look like options stay as they are."""
    teams = "teams = { a = 'A', b = 'A', c = 'B', d = 'C' }\nprimary = ['a', 'c', 'd']\n"
    put_all(
        tmp_path,
        {
            "c.toml": "[editions.e.tasks.t]\ncollection = 'g.csv'\nruns = 'runs'\n"
            f"values = {{ yes = 'SELECTED' }}\n{teams}",
            "g.csv": "q_id,a_id,label\n1,1_1,VALIDATED\n1,1_2,REJECTED\n",
            "runs/a.txt": "1 1_1 --values 0.9\n1 1_2 REJECTED 0.1\n",
            "runs/b.txt": "1 1_1 yes 0.9\n1 1_2 REJECTED 0.1\n",
            "runs/d.txt": "1 1_1 yes 0.8\n1 1_2 REJECTED 0.1\n",
            "runs/c.txt": "1 1_1 yes 0,9\n1 1_2 REJECTED 0.1\n",
        },
    )
    said = ave("check", str(tmp_path / "c.toml"))
    assert "= help: The verdict comes before the confidence, in capitals; the setting values" in (
        " ".join(said.out.split())
    )
    assert "found '--values', expected" in said.out
    result = ave("campaign", str(tmp_path / "c.toml"), "-o", str(tmp_path / "out"))
    assert "No primary run: A (a not scored)." in result.err
    mail = (tmp_path / "out/teams/A.txt").read_text("utf-8")
    assert "found '--values'" in mail
    assert "capitals.\n" in mail  # what options do is nobody's business in a mail
    assert "; --values" not in mail
    mail = (tmp_path / "out/teams/B.txt").read_text("utf-8")
    assert "ave-score fix --values yes=SELECTED --collection TEST RUN\n" in mail
    page = (tmp_path / "out/e/t.html").read_text("utf-8")
    assert "in capitals.</p>" in page
