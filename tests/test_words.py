"""Words that a reader meets without having asked: each sort of gold standard has its own."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from html import unescape
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.helpers_command import ave

FILES = {
    "q.qrels": "1 0 D1 1\n1 0 D2 0\n2 0 D3 1\n",
    "trec/a.run": "1 Q0 D1 1 2 a\n1 Q0 D2 2 1 a\n2 Q0 D3 1 1 a\n",
    "trec/b.run": "1 Q0 D2 1 2 b\n1 Q0 D1 2 1 b\n2 Q0 D3 1 1 b\n",
    "pairs.tsv": "pair_id\ttext\thypothesis\tlabel\n1\tA b\tA\tYES\n2\tC d\tX\tNO\n",
    "pairs/a.txt": "1 YES 0.9\n2 NO 0.8\n",
    "pairs/b.txt": "1 YES 0.9\n2 YES 0.1\n",
    "trec.toml": '[editions.y.languages.en]\ncollection = "q.qrels"\nruns = "trec"\n',
}
SAMPLES = ["lists.json", "tiny.qa.tsv", "tiny.xml"]
QRELS, PAIRS = ["q.qrels", "trec"], ["pairs.tsv", "pairs"]
LISTS, JUDGED, LOGS = ["lists.json", "lists"], ["tiny.qa.tsv"], ["logs/ada.json", "logs/bob.json"]
TINY = ["tiny.xml", "tiny"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    for name in SAMPLES:
        shutil.copy(ROOT / "gold" / name, tmp_path)
    for name in ("lists", "logs", "tiny"):
        shutil.copytree(ROOT / "sample_runs" / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def words_of(page: Path) -> str:
    """Return the text of a page, without markup."""
    text = re.sub(r"(?s)<(style|script|svg)\b.*?</\1>|<[^>]+>", " ", page.read_text())
    return " ".join(unescape(text).split())


@pytest.mark.parametrize(("call", "said", "unsaid"), [
    (["score", *QRELS], ["* best of its column\n"], ["baseline", "AV", "VALIDATED"]),
    (["score", *LISTS], ["* best of its column\n"], ["baseline", "QA"]),
    (["score", *JUDGED], ["* best of its column\n"], ["baseline"]),
    (["score", *LOGS], ["* best of its column\n"], ["baseline", "UNKNOWN"]),
    (["score", *TINY], ["* best of its column, baselines excluded\n"], []),
    (["score", *PAIRS], ["Validation, by F"], ["Selection", "None:"]),
    # one note on what cannot be, also if everything is asked for
    (["score", *PAIRS, "-m", "selection,answering"], ["Selection and answering\nNone: pairs"], []),
    (["score", *TINY, "-f", "markdown"], ["in bold, baselines excluded."], []),
    (["score", *JUDGED, "-f", "markdown"], ["in bold."], ["baseline"]),
    (["score", *JUDGED, "-f", "latex"], ["in bold."], ["baseline"]),
    (["stats", "q.qrels"], ["documents", "% correct"], ["answers", "VALIDATED", "REJECTED"]),
    (["stats", "tiny.xml"], ["answers", "VALIDATED", "UNKNOWN"], ["documents"]),
    (["check", "q.qrels"], ["2 questions, 3 documents, 2 correct, 1 not correct"], ["answers"]),
    (["check", "trec/a.run"], ["2 questions, 3 documents"], ["answers"]),
    (["agree", "pairs/a.txt", "pairs/b.txt"], ["A pair is accepted (YES)"], ["nswers "]),
    (["agree", "tiny/bold.txt", "tiny/careful.txt"], ["An answer is accepted (VALIDATED"], []),
])  # fmt: skip
def test_texts_have_the_words_of_their_sort(
    here: Path, call: Sequence[str], said: Sequence[str], unsaid: Sequence[str]
) -> None:
    out = ave(*call, code=0).out
    assert [text for text in said if text not in out] == []
    assert [text for text in unsaid if text in out] == []


@pytest.mark.parametrize(("files", "said", "unsaid"), [
    (QRELS, ["Document ranking", "Qrels q.qrels", "Equal scores ranked by descending id"],
     ["Answer validation", "UNKNOWN", "baseline", "QA system", "answer id"]),
    (LISTS, ["Question answering", "Answer sets lists.json", "Scored 2 runs"],
     ["Answer validation", "UNKNOWN", "baseline", "Judgements"]),
    (JUDGED, ["Question answering", "Judged answers tiny.qa.tsv", "Scored 2 QA systems", "UNKNOWN"],
     ["Answer validation", "baseline", "0 runs"]),
    (LOGS, ["Question answering", "Task facts"], ["UNKNOWN", "baseline", "Judgements"]),
    ([*LOGS, "-m", "all"], ["it ranks one answer to each"], []),  # nor a warning of numpy
    ([*TINY, "-m", "ece"], ["use brier."], []),
    (PAIRS, ["baselines excluded"], ["UNKNOWN", "Selection", "QA system"]),
    (TINY, ["Answer validation", "UNKNOWN labels", "baselines excluded"], ["0 QA systems"]),
])  # fmt: skip
def test_pages_have_the_words_of_their_sort(
    here: Path, files: Sequence[str], said: Sequence[str], unsaid: Sequence[str]
) -> None:
    ave("report", *files, "-o", "page.html", code=0)
    words = words_of(here / "page.html")
    assert [text for text in said if text not in words] == []
    assert [text for text in unsaid if text in words] == []
    assert re.findall(r"(?<![\w-])--[a-z]+", words) == []  # options of the command line
    assert "Groups respubliqa" not in words


def test_a_campaign_says_what_it_is_about(here: Path) -> None:
    ave("campaign", "trec.toml", "-o", "out", code=0)
    assert "Document ranking · all results" in words_of(here / "out/index.html")
    table = (here / "out/y/collections.md").read_text()
    assert "| documents | with correct | correct | % correct | not correct |" in table
    # columns of CSV do not depend on the data
    assert ",VALIDATED,% VALIDATED," in (here / "out/y/collections.csv").read_text()


@pytest.mark.parametrize(("gold", "runs", "shown", "link"), [
    ("q.qrels", "trec", "Scores only", "All figures"),
    ("lists.json", "lists", "Scores only", "All figures"),
    ("tiny.xml", "tiny", "Scores, outcomes of the team's runs", "All outcomes"),
])  # fmt: skip
def test_teams_are_promised_what_there_is(
    here: Path, gold: str, runs: str, shown: str, link: str
) -> None:
    names = "\n".join(f"{path.stem}\tA" for path in (here / runs).iterdir())
    (here / "teams.tsv").write_text(f"{names}\n")
    (here / "c.toml").write_text(
        "share = 'everything'\n[editions.y.languages.en]\n"
        f"collection = '{gold}'\nruns = '{runs}'\nteams = 'teams.tsv'\n"
    )
    ave("campaign", "c.toml", "-o", "out", code=0)
    assert shown in " ".join((here / "out/teams/A.txt").read_text().split())
    words = words_of(here / "out/teams/A.html")
    assert shown in words
    assert link in words


@pytest.mark.parametrize(("file", "said"), [
    ("lists.json", "this looks like answer sets"),
    ("logs/ada.json", "this looks like a log"),
    ("tiny.qa.tsv", "this looks like a table of judged answers"),
])  # fmt: skip
def test_stats_say_what_is_no_collection(here: Path, file: str, said: str) -> None:
    assert said in ave("stats", file, code=1).err


def test_many_files_that_are_not_scored_are_counted(here: Path) -> None:
    for number in range(1, 6):
        (here / f"tiny/bad{number}.txt").write_text("1 1_1 X 0.1\n")
    said = "Not scored because of errors: tiny/bad1.txt, tiny/bad2.txt, tiny/bad3.txt and 2 more."
    assert said in ave("score", *TINY, "--keep-going", code=1).out.splitlines()[1]
    assert "bad3.txt and 2 more (--keep-going" in ave("score", *TINY, code=1).err
    ave("report", *TINY, "--keep-going", "-o", "page.html", code=1)
    assert "Not scored bad1.txt, bad2.txt, bad3.txt and 2 more (see Findings)" in (
        words_of(here / "page.html")
    )
    said = "Not compared because of errors: tiny/bad1.txt, tiny/bad2.txt, tiny/bad3.txt and 2 more."
    assert said in ave("compare", *TINY, "--keep-going", code=1).out
