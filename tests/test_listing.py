"""Selection of the listed findings, counts of the others, and summaries."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.helpers_check import check, found
from tests.helpers_files import COLLECTION, put


def run_text(bad: int, sound: int = 0) -> str:
    """Return a run in which the first lines say `Rejected`."""
    words = ["Rejected"] * bad + ["REJECTED"] * sound
    return "".join(f"{at} 1 {word} 0.5\n" for at, word in enumerate(words))


def listed(*arguments: str) -> list[tuple[int, int]]:
    """Return the line of each finding in a text, and how many others it stands for."""
    _, out, _ = check(*arguments, "--format", "concise")
    lines = re.findall(r"^[^:\n]+:(\d+):\d+ AVE.*?(?:\(and ([\d,]+) more.*\))?$", out, re.M)
    return [(int(line), int(more.replace(",", "") or 0)) for line, more in lines]


@pytest.mark.parametrize(("bad", "more"), [(2, 0), (3, 0), (4, 1), (1_100, 1_097)])
def test_errors_listed_up_to_limit_and_others_counted(tmp_path: Path, bad: int, more: int) -> None:
    """Three of a rule; also those beyond the 1,000 that are kept are counted."""
    path = str(put(tmp_path, run_text(bad, 2 * bad)))
    lines = [*range(1, min(bad, 3) + 1)]
    assert listed(path) == [*((line, 0) for line in lines[:-1]), (lines[-1], more)]


def test_one_system_does_not_hide_another(tmp_path: Path) -> None:
    """A warning of a rule for each system: the first of its second answers, and their number."""
    runs = [*"a" * 10, *"b" * 3, *"c" * 5]
    rows = "".join(f"1\t{run}\tW\n" for run in runs * 2)
    rows += "".join(f"{at}\td\tW\n" for at in range(60))
    path = str(put(tmp_path, f"q_id\trun\tjudgement\n{rows}", "judged.tsv"))
    # every row of a system but its first is a second answer to the same question
    firsts = {run: runs.index(run) + 3 for run in "abc"}
    counts = {run: 2 * runs.count(run) - 2 for run in "abc"}
    expected = [(firsts[run], counts[run]) for run in "abc"]
    assert listed(path, "--select", "AVE506") == expected


def test_file_order_lines_first_and_the_whole_file_last(tmp_path: Path) -> None:
    gold = str(put(tmp_path, COLLECTION, "gold.xml"))
    path = str(put(tmp_path, "3 3_1 Rejected 0.5\n1 1_1 SELECTED 2\n2 2_1 REJECTED 0,1\n"))
    codes = ["AVE103", "AVE108", "AVE107", "AVE204", "AVE204"]
    whole_file = [(code, None, None) for code in codes[3:]]
    places = found(path, "--collection", gold, "--select", "AVE")
    assert [place[0] for place in places] == codes
    assert places[3:] == whole_file


WORDS = {"S": "SELECTED", "V": "VALIDATED", "R": "REJECTED"}

CONTENTS = [
    ("run", "1 1 SELECTED 0\n1 2 REJECTED 0.25\n1 3 REJECTED 0.125\n",
        "run: 1 question, 3 answers, 1 selected (33.3 %), 0 validated (0.0 %), "
        "2 rejected (66.7 %), confidence 0..0.25"),
    (
        "run",
        # 4 of 8,000 are 0.05 %, half up 0.1; 1 is 0.0125; 7,995 are 99.9375
        "".join(
            f"{at // 4} {at % 4} {WORDS[said]} {1e-9 if at else 1}\n"
            for at, said in enumerate([*"SVRR", *"SRRR" * 3, *"R" * 7_984])
        ),
        "run: 2,000 questions, 8,000 answers, 4 selected (0.1 %), 1 validated (0.0 %), "
        "7,995 rejected (99.9 %), confidence 1e-09..1",
    ),
    ("collection",
        '<ave><q id="1"><a id="1" value="VALIDATED"/><a id="2" value="REJECTED"/></q></ave>',
        "collection: 1 question, 2 answers, 1 validated, 1 rejected"),
    ("key", "".join(f"{at} 1 REJECTED\n" for at in range(1_000)), "key: 1,000 rejected"),
    ("judged", "q_id\trun\tjudgement\n1\ta\tR\n2\ta\tW\n",
        "judged: 1 system, 2 questions, 2 answers"),
    ("teams", "run\tteam\n1\ta\n2\ta\n", "teams: 2 runs, 1 team"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "said"), CONTENTS, ids=lambda value: value[:12])
def test_contents(tmp_path: Path, kind: str, text: str, said: str) -> None:
    code, out, _ = check(str(put(tmp_path, text, "file")), "--kind", kind, "-f", "concise")
    assert code == 0
    assert f"no findings; {said}" in " ".join(out.split())


def test_the_total_is_shown_for_several_files_only(tmp_path: Path) -> None:
    two, none = (str(put(tmp_path, run_text(bad, 9), f"{bad}.txt")) for bad in (2, 0))
    gone = str(tmp_path / "gone")
    _, out, _ = check(two, "-f", "concise")
    assert "files" not in out
    _, out, _ = check(two, none, gone, "-f", "concise")
    last = out.splitlines()[-1]
    assert last == "1 of 3 files with errors, 2 errors, 1 could not be read"
    assert not [line for line in out.splitlines() if line.startswith(f"{gone}: no findings")]
