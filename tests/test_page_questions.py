"""The questions of a page: outcomes, what readers see of them, packed data, sizes."""

from __future__ import annotations

import base64
import json
import random
import re
import zlib
from array import array
from dataclasses import replace
from typing import Any

import pytest
from lxml import html

import ave_score
from ave_score import Collection, Label, Policies, QARun, Run, Verdict
from ave_score.core.model import AnswerIndex, Texts
from tests.conftest import ROOT

RIGHT, SILENT = ("✓", "good"), ("∅", "silent")
MISSED, WRONG, VOID = ("○", "missed"), ("✗", "bad"), ("⊗", "void")
FEW = ave_score.IntervalPolicy(resamples=20)
MEMBERS = ave_score.Audience("Ours", ave_score.Shared.OUTCOMES)
"""Readers who see the outcomes of their own runs, and no gold."""


def made(
    labels: list[str], verdicts: list[str], texts: bool = True, name: str = "run"
) -> tuple[Collection, Run]:
    """A collection with a word of letters V, R, U a question, and a run with one of S, V, R."""
    ids = {
        f"q{at}": dict.fromkeys(f"a{at}_{n}" for n in range(len(word)))
        for at, word in enumerate(labels)
    }
    index = AnswerIndex.of(ids)
    letters = {"V": Label.VALIDATED, "R": Label.REJECTED, "U": Label.UNKNOWN}
    said = {"S": Verdict.SELECTED, "V": Verdict.VALIDATED, "R": Verdict.REJECTED}
    number = len(index)
    known = Texts(
        [f"Who is {q}?" for q in index.questions],
        [f"answer {a}" for a in index.a_ids],
        [f"support of {a}" for a in index.a_ids],
        ["D1"] * number,
    )
    of_gold = bytes(letters[one] for one in "".join(labels))
    gold = Collection("gold.xml", "", index, of_gold, texts=known if texts else None)
    confidences = array("d", [n / 8 for n in range(number)] if number <= 8 else [0.5] * number)
    of_run = bytes(said[one] for one in "".join(verdicts))
    return gold, Run(name, name, index, of_run, confidences, index.in_order)


class Shown:
    """The part of a page that is about questions: its HTML, and the same as elements."""

    def __init__(
        self,
        gold: Collection | list[str],
        *runs: Run | QARun,
        sees_gold: bool = True,
        unknown: str = "ignore",
    ) -> None:
        page = ave_score.report(
            gold,
            runs,
            policies=Policies.of(unknown=unknown, intervals=FEW),
            teams={run.name: "Ours" for run in runs},
            audience=ave_score.Audience() if sees_gold else MEMBERS,
        ).to_html()
        (found,) = re.findall(r'<section id="questions".*?</section>', page, re.S)
        self.text: str = found
        self.element = html.fragment_fromstring(found)

    def rows(self) -> list[list[tuple[str, str]]]:
        """Return the text and the class of the cells of the table of all questions."""
        rows = self.element.findall(".//table[@class='matrix']/tbody/tr")
        return [[(cell.text_content(), cell.get("class", "")) for cell in row] for row in rows]

    def outcomes(self, run: int = -1) -> list[tuple[str, str]]:
        """Return the marks of a run, the last column of the table but one."""
        return [row[run - 1] for row in self.rows()]

    def decisions(self, question: int) -> list[list[str]]:
        """Return what the runs do on a question: run, outcome, and verdicts or an answer."""
        details = self.element.findall(".//details")[question]
        rows = details.findall(".//table[@class='verdicts']/tbody/tr")
        return [[" ".join(cell.text_content().split()) for cell in row] for row in rows]

    def unpacked(self, name: str) -> Any:  # noqa: ANN401 - JSON
        """Return a part of the data that the script of the page unpacks."""
        (part,) = self.element.xpath(f".//script[@id='part-{name}']")
        return json.loads(zlib.decompress(base64.b64decode(part.text)))


def test_outcomes_are_those_of_the_definitions() -> None:
    # selected right; selected wrong with and without a correct candidate; UNKNOWN is not correct;
    # nothing selected with and without a correct candidate; no candidates at all
    labels = ["VR", "VR", "RR", "UV", "VR", "RU", ""]
    gold, run = made(labels, ["SR", "VS", "SR", "SR", "VR", "RV", ""])
    found = Shown(gold, run)
    assert found.outcomes() == [RIGHT, WRONG, VOID, WRONG, MISSED, SILENT, SILENT]
    assert [row[-1][0] for row in found.rows()] == [*"1000011"]
    # under `correct`, the fourth question's selected answer is right, and the sixth has an answer
    lenient = Shown(gold, run, unknown="correct").outcomes()
    assert [lenient[3], lenient[5]] == [RIGHT, MISSED]


def test_outcomes_of_systems_and_of_runs_on_a_part() -> None:
    # gold/README.md and gold/tiny.qa.tsv, read by hand: qa_a is right on 1, wrong on 2, returns NIL
    # on 3, which has correct answers, and is inexact on 4 and wrong on 5
    gold = ave_score.read_collection("gold/tiny.xml")
    systems = ave_score.read_judged("gold/tiny.qa.tsv", gold)
    found = Shown(gold, systems[0])
    assert [symbol for symbol, _ in found.outcomes()][:3] == ["✓", "✗", "○"]
    assert found.decisions(0)[0][2] == "1_1 Ines Calder · judged right (R)"
    surer = [{"q_id": "1", "run": "a", "judgement": "R", "a_id": "1_1", "confidence": 0.25}]
    with pytest.warns(ave_score.AveScoreWarning):
        (system,) = ave_score.read_judged(surer, gold)
    assert Shown(gold, system).decisions(0)[0][2].endswith(" · judged right (R) · confidence 0.25")
    run = ave_score.read_run("sample_runs/tiny/bold.txt", gold)
    rows = [row for row in run.to_frame().to_dict("records") if row["q_id"] != "2"]
    with pytest.warns(ave_score.AveScoreWarning, match="left out"):
        part = ave_score.read_run(rows, gold, missing="excluded", name="part")
    whole, fewer = Shown(gold, run).outcomes(), Shown(gold, part)
    assert fewer.outcomes() == [whole[0], ("·", "absent"), *whole[2:]]
    assert fewer.decisions(1)[0][2:] == ["", ""]


def test_pairs_are_right_wrong_or_unknown() -> None:
    index = AnswerIndex.of_pairs(["p1", "p2", "p3", "p4", "p5"])
    gold = Collection("pairs", "", index, bytes([1, 0, 1, 0, 2]))
    none = array("d", [float("nan")] * 5)
    run = Run("run", "run", index, bytes([2, 2, 1, 1, 2]), none, index.in_order)
    found = Shown(gold, run)
    assert "Each row is a pair" in found.text
    assert [symbol for symbol, _ in found.outcomes()] == ["✓", "✗", "✗", "✓", "?"]
    assert [found.decisions(at)[0][2] for at in (0, 1)] == ["validated"] * 2


@pytest.mark.parametrize("sees_gold", [True, False])
def test_a_page_without_gold_is_a_function_of_what_is_right(sees_gold: bool) -> None:
    # whatever the labels of answers that the run did not select
    gold, run = made(["VR", "VR", "VV", "RR"], ["SR", "RS", "RR", "RR"])
    other, same = made(["VV", "RR", "RR", "VR"], ["SR", "RS", "RR", "RR"])
    pages = [Shown(one, own, sees_gold=sees_gold).text for one, own in ((gold, run), (other, same))]
    assert (pages[0] == pages[1]) is not sees_gold
    for secret in ("VALIDATED", "Who is", "answer a", "support", "0.125", "<details", "#q="):
        assert (secret in pages[0]) is sees_gold


LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def restored(packed: Any) -> list[list[str]]:  # noqa: ANN401 - JSON
    """Return columns of texts: every digit to base 64 is a string, the lowest first."""
    return [
        [
            packed["values"][sum(LETTERS.index(d) * 64**p for p, d in enumerate(row))]
            for row in zip(*column, strict=True)
        ]
        for column in packed["digits"]
    ]


MANY = 2_001
"""One question more than the table of a page has."""


@pytest.mark.parametrize("different", [64, 65, 4097])
def test_large_pages_are_packed_whole(different: int) -> None:
    chance = random.Random(1)
    labels = ["".join(chance.choices("VRU", k=chance.randrange(2, 5))) for _ in range(MANY)]
    gold, run = made(labels, ["".join(chance.choices("SVR", k=len(word))) for word in labels])
    number = len(gold.index)
    # three digits are shown of each, or, if all are below 1, three decimals
    numbers = [at % different for at in range(number)]
    sure = [f"{at / 1000:.3f}" for at in numbers]
    if different > 1000:
        sure = [f"{(100 + at % 900) * 10 ** (at // 900):.3g}" for at in numbers]
    assert len({*sure}) == different
    run = replace(run, confidences=array("d", map(float, sure)))
    found = Shown(gold, run)
    known = found.unpacked("outcomes")
    assert known["ids"] == gold.index.questions and [*map(len, known["codes"])] == [MANY]
    known = found.unpacked("verdicts")
    assert known["sizes"] == [*map(len, labels)] and known["answers"] == gold.index.a_ids
    assert known["labels"].translate(str.maketrans("012", "RVU")) == "".join(labels)
    assert known["verdicts"] == ["".join(map(str, run.verdicts))]
    assert found.unpacked("supports")[0] == [f"support of {a}" for a in gold.index.a_ids]
    assert restored(found.unpacked("confidences")) == [sure]
    assert "<table" not in found.text and "JavaScript, which is switched off" in found.text
    assert "Left out" not in found.text


@pytest.mark.slow
def test_what_does_not_fit_is_left_out_and_said() -> None:
    """A page has room for 4.5 MB, of which random letters take 8 bits each."""
    gold, run = made(["VR"] * MANY, ["SR"] * MANY)
    assert gold.texts is not None
    whole = Shown(gold, run)
    size = 1_500
    letters = base64.b64encode(random.Random(1).randbytes(2 * MANY * size * 3 // 4)).decode()
    supports = [letters[at * size : (at + 1) * size] for at in range(2 * MANY)]
    less = Shown(replace(gold, texts=replace(gold.texts, supports=supports)), run)
    page = " ".join(less.text.split())
    assert "Left out to keep the page small: supporting texts." in page
    assert "ave-score score</code> can write what each run does on each question" in page
    assert not less.element.xpath(".//script[@id='part-supports']")
    for part in ("outcomes", "verdicts", "confidences", "questions", "answers"):
        assert less.unpacked(part) == whole.unpacked(part)


def test_ids_are_shown_apart() -> None:
    long = "x" * 10_000
    ids = ["a", long, long + "y", "\x1b", "\\x1b", "x~2"]
    index = AnswerIndex.of({q_id: {"1": None} for q_id in ids})
    gold = Collection("gold.xml", "", index, bytes(6))
    run = Run("run", "run", index, bytes([1] * 6), array("d", [0.5] * 6), index.in_order)
    found = [row[0][0] for row in Shown(gold, run).rows()]
    assert len({*found}) == len(ids) and max(map(len, found)) < 100
    assert found[0] == "a" and found[3] == "\\x1b"


def test_a_question_with_epochs_has_their_shares() -> None:
    # sample_runs/logs, read by hand: ada is right on q02 and q04, and once on q06 and on q20;
    # bob withholds q02, errs and withholds on q04, is right on q06, is right and withholds on q20
    found = Shown(["sample_runs/logs/ada.json", "sample_runs/logs/bob.json"])
    rows = found.rows()[1:20]
    assert [row[-3:] for row in rows if row[0][0] in ("q02", "q04", "q06", "q20")] == [
        [("✓", "good"), ("○", "none"), ("1", "right")],
        [("✓", "good"), ("0/2", "mix-0-1-2"), ("1", "right")],
        [("1/2", "mix-1-0-2"), ("✓", "good"), ("1.50", "right")],
        [("1/2", "mix-1-0-2"), ("1/2", "mix-1-1-2"), ("1", "right")],
    ]
    style = ".mix-0-1-2 { background: linear-gradient(90deg, var(--good) 0%, var(--none) 0 50%"
    assert style in found.text
    assert [mark.text for mark in found.element.findall(".//ul/li/span")] == [*"✓○✗", "1/2"]
    asked = "Of the four capitals on the Danube, which is the farthest upstream?"
    assert found.rows()[3][1][0] == asked
    said = "1 × Budapest · judged wrong (W); 1 × I do not know. · withheld"
    assert found.decisions(3)[1] == ["bob", "0/2 1 unanswered, 1 wrong", said]


def test_runs_without_a_rank_are_beside_the_others() -> None:
    """Counted by hand: of the two runs of the tiny sample, only one has a rank."""
    gold, runs = ROOT / "gold/tiny.xml", sorted((ROOT / "sample_runs/tiny").glob("*.txt"))
    first, *others = [path.stem for path in runs]
    page = ave_score.report(gold, runs, primary=first)
    assert page.questions is not None
    alone = ave_score.report(gold, [runs[0]]).questions
    assert alone is not None
    assert (page.questions.counting, page.questions.runs[:1]) == (1, [first])
    assert {*page.questions.runs[1:]} == {*others}
    assert [row.right for row in page.questions.rows] == [row.right for row in alone.rows]
    shown = page.figures.curves
    assert shown is None or [line.name.full for line in shown.lines] == [first]
    assert ": all runs</summary>" in page.to_html()
