"""The questions of a page: outcomes, what readers see of them, packed data, sizes."""

from __future__ import annotations

import base64
import json
import random
import zlib
from array import array
from pathlib import Path
from typing import Any

import pytest

import ave_score
from ave_score import Policies
from ave_score.core.model import AnswerIndex, Collection, Label, QARun, Run, Texts, Verdict
from ave_score.pages import questions
from ave_score.pages.outcomes import MARKS
from ave_score.pages.questions import Pack, Questions, in_digits, questions_of, shown_ids
from ave_score.pages.render import render
from tests.conftest import ROOT

WORDS = {mark.code: (mark.symbol, mark.tone) for mark in MARKS}
RIGHT, SILENT = ("✓", "good"), ("∅", "silent")
MISSED, WRONG, VOID = ("○", "missed"), ("✗", "bad"), ("⊗", "void")


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
    gold = Collection(
        "gold.xml",
        "",
        index,
        bytes(letters[one] for one in "".join(labels)),
        texts=known if texts else None,
    )
    confidences = array("d", [n / 8 for n in range(number)] if number <= 8 else [0.5] * number)
    run = Run(
        name,
        name,
        index,
        bytes(said[one] for one in "".join(verdicts)),
        confidences,
        index.in_order,
    )
    return gold, run


def shown(
    gold: Collection, *runs: Run | QARun, sees_gold: bool = True, unknown: str = "ignore"
) -> Questions:
    found = questions_of(gold, runs, Policies(unknown=unknown), sees_gold=sees_gold)
    assert found is not None
    return found


def unpacked(pack: Pack, name: str) -> Any:  # noqa: ANN401 - JSON
    return json.loads(zlib.decompress(base64.b64decode(pack.parts[name])))


def test_outcomes_are_those_of_the_definitions() -> None:
    # selected right; selected wrong with and without a correct candidate; UNKNOWN is not correct;
    # nothing selected with and without a correct candidate; no candidates at all
    gold, run = made(
        ["VR", "VR", "RR", "UV", "VR", "RU", ""], ["SR", "VS", "SR", "SR", "VR", "RV", ""]
    )
    found = shown(gold, run)
    expected = [RIGHT, WRONG, VOID, WRONG, MISSED, SILENT, SILENT]
    assert [WORDS[code] for code in found.codes[0]] == expected
    # under `correct`, the fourth question's selected answer is right, and the sixth has an answer
    lenient = shown(gold, run, unknown="correct")
    assert [WORDS[lenient.codes[0][at]] for at in (3, 5)] == [RIGHT, MISSED]
    assert [row.right for row in found.rows] == [1, 0, 0, 0, 0, 1, 1]


def test_outcomes_of_systems_and_of_runs_on_a_part() -> None:
    # gold/README.md and gold/tiny.qa.tsv, read by hand: qa_a is right on 1, wrong on 2, returns NIL
    # on 3, which has correct answers, and is inexact on 4 and wrong on 5
    gold, systems = (
        ave_score.read_collection("gold/tiny.xml"),
        ave_score.read_judged("gold/tiny.qa.tsv", "gold/tiny.xml"),
    )
    found = shown(gold, *systems)
    symbols = [WORDS[code][0] for code in found.codes[0]]
    assert symbols[:3] == ["✓", "✗", "○"]
    assert found.details[0].decisions[0].said == "1_1 Ines Calder · judged right (R)"
    run = ave_score.read_run("sample_runs/tiny/bold.txt", gold)
    rows = [row for row in run.to_frame().to_dict("records") if row["q_id"] != "2"]
    with pytest.warns(ave_score.AveScoreWarning, match="left out"):
        part = ave_score.read_run(rows, gold, missing="excluded", name="part")
    whole, fewer = shown(gold, run, part).codes
    assert fewer == whole[0] + "." + whole[2:]
    assert [*shown(gold, part).details[1].decisions[0].verdicts] == [("", "")] * 2


def test_pairs_are_right_wrong_or_unknown() -> None:
    index = AnswerIndex.of_pairs(["p1", "p2", "p3", "p4", "p5"])
    gold = Collection("pairs", "", index, bytes([1, 0, 1, 0, 2]))
    run = Run(
        "run", "run", index, bytes([2, 2, 1, 1, 2]), array("d", [float("nan")] * 5), index.in_order
    )
    found = shown(gold, run)
    assert found.unit == "pair"
    assert [WORDS[code][0] for code in found.codes[0]] == ["✓", "✗", "✗", "✓", "?"]
    assert [one.decisions[0].verdicts for one in found.details][:2] == [[("validated", "")]] * 2


@pytest.mark.parametrize("sees_gold", [True, False])
def test_a_page_without_gold_is_a_function_of_what_is_right(sees_gold: bool) -> None:
    # whatever the labels of answers that the run did not select
    gold, run = made(["VR", "VR", "VV", "RR"], ["SR", "RS", "RR", "RR"])
    other, same = made(["VV", "RR", "RR", "VR"], ["SR", "RS", "RR", "RR"])
    pages = [
        render("questions.html", questions=shown(one, own, sees_gold=sees_gold))
        for one, own in ((gold, run), (other, same))
    ]
    assert (pages[0] == pages[1]) is not sees_gold
    for secret in ("VALIDATED", "Who is", "answer a", "support", "0.125", "<details", "#q="):
        assert (secret in pages[0]) is sees_gold


def test_large_pages_are_packed_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(1)
    labels = ["".join(chance.choices("VRU", k=chance.randrange(4))) for _ in range(300)]
    gold, run = made(labels, ["".join(chance.choices("SVR", k=len(word))) for word in labels])
    small = shown(gold, run)
    assert small.details and not small.pack.parts
    monkeypatch.setattr(questions, "STATIC_QUESTIONS", 299)
    found = shown(gold, run)
    assert not found.is_static and not found.details and not found.pack.left_out
    assert unpacked(found.pack, "outcomes") == {"ids": gold.index.questions, "codes": found.codes}
    known = unpacked(found.pack, "verdicts")
    assert known["sizes"] == [*map(len, labels)] and known["answers"] == gold.index.a_ids
    assert known["labels"].translate(str.maketrans("012", "RVU")) == "".join(labels)
    assert known["verdicts"] == ["".join(map(str, run.verdicts))]
    assert unpacked(found.pack, "supports")[0] == [f"support of {a}" for a in gold.index.a_ids]
    page = render("questions.html", questions=found)
    assert "<table" not in page and "JavaScript, which is switched off" in page


def test_what_does_not_fit_is_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    gold, run = made(["VR"] * 50, ["SR"] * 50)
    monkeypatch.setattr(questions, "STATIC_QUESTIONS", 10)
    whole = shown(gold, run).pack
    monkeypatch.setattr(questions, "BUDGET", sum(map(len, whole.parts.values())) - 1)
    less = shown(gold, run)
    assert less.pack.left_out == ["supporting texts"]
    assert {**less.pack.parts, "supports": whole.parts["supports"]} == whole.parts
    page = " ".join(render("questions.html", questions=less).split())
    assert "Left out to keep the page small: supporting texts." in page
    assert "--per-question FILE</code> writes what each run does on each question" in page
    monkeypatch.setattr(questions, "BUDGET", 0)
    assert "outcomes" in shown(gold, run).pack.left_out


@pytest.mark.parametrize("size", [1, 64, 65, 4096, 5000])
def test_digits_restore_every_text(size: int) -> None:
    columns = [[f"{n:.3f}" for n in range(size)], [], [f"{n:.3f}" for n in reversed(range(size))]]
    packed: Any = in_digits(columns)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    restored = [
        [
            packed["values"][sum(letters.index(d) * 64**p for p, d in enumerate(row))]
            for row in zip(*column, strict=True)
        ]
        for column in packed["digits"]
    ]
    assert restored == columns


def test_ids_are_shown_apart() -> None:
    long = "x" * 10_000
    ids = ["a", long, long + "y", "\x1b", "\\x1b", "x~2"]
    found = shown_ids(ids)
    assert len({*found}) == len(ids) and max(map(len, found)) < 100
    assert found[0] == "a" and found[3] == "\\x1b"


def test_hostile_texts_are_text() -> None:
    gold, run = made(["VR"], ["SR"], name='<script>alert(1)</script>" onclick="x')
    assert gold.texts is not None
    gold.texts.supports[0] = "</script><img src=x onerror=alert(1)>\u202e"
    page = render("questions.html", questions=shown(gold, run))
    assert "<script>alert" not in page and "<img" not in page and "\u202e" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;&#34; onclick=&#34;x" in page


@pytest.mark.slow
def test_shipped_pages_have_a_row_for_each_question(tmp_path: Path) -> None:
    from ave_score.commands import run as command

    files = sorted((ROOT / "sample_runs/ave2006-de").glob("*.txt.gz"))
    page = tmp_path / "page.html"
    gold = str(ROOT / "gold/ave2006-de.xml.gz")
    arguments = [gold, *map(str, files), "--resamples", "20", "-o", str(page)]
    assert command(["report", *arguments]) == 0
    pairs = len(ave_score.read_collection(gold).index)
    assert page.read_text("utf-8").count('<tr><th scope="row"><a href="#q=') == pairs
