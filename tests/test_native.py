"""Files as campaigns have them, each in every command: no script turns them into others first.
Expected are the counts of the same decisions in the usual notation, which are made by hand: of the
four pairs, p1 and p3 are YES; of the questions, documents a and d are right."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import ave_score
from ave_score import Policies
from tests import mostly_slow
from tests.helpers_command import ave, document_of, output, put_all
from tests.helpers_files import put

PAIRS = "pair_id,label\np1,YES\np2,NO\np3,YES\np4,NO\n"
ANSWERS = "q_id,a_id,label\n1,a,VALIDATED\n1,b,REJECTED\n2,c,REJECTED\n2,d,VALIDATED\n"
QRELS = "1 0 a 1\n1 0 b 0\n2 0 c 0\n2 0 d 1\n"
VALUES = {"p1": 0.9, "p2": 0.3, "p3": 0.8, "p4": 0.7}
LABELS = {"p1": "YES", "p2": "NO", "p3": "YES", "p4": "YES"}
SCORES = {"1": {"a": 0.9, "b": 0.2}, "2": {"c": 0.8, "d": 0.7}}
RANKED = [(q_id, a_id, score) for q_id, one in SCORES.items() for a_id, score in one.items()]
RECORDS = [{"pair_id": one, "verdict": said} for one, said in LABELS.items()]
GOLD_LABELS = {"p1": "YES", "p2": "NO", "p3": "YES", "p4": "NO"}
BEIR = "query-id\tcorpus-id\tscore\n1\ta\t1\n1\tb\t0\n2\tc\t0\n2\td\t1\n"

PAIRS_F, ANSWERS_F, MRR = ("f1", 4 / 5), ("f1", 4 / 5), ("mrr", 3 / 4)
"""Two right of three accepted, of two correct: 2·2 / (3 + 2); ranks 1 and 2: (1 + 1/2) / 2."""

NUMBERED = ["--columns", "q_id=1,a_id=2,confidence=3"]
BY_HALF = ["--threshold", "0.5"]


class Notation(NamedTuple):
    """A gold standard and a run, the options to read them, and what a measure is then."""

    gold: str
    run: str
    expected: tuple[str, float]
    options: Sequence[str] = ()


def lines(rows: object, mark: str) -> str:
    return "".join(f"{mark.join(map(str, row))}\n" for row in rows)  # type: ignore[attr-defined]


NOTATIONS = {
    "two columns, scores": Notation(PAIRS, lines(VALUES.items(), "\t"), PAIRS_F, BY_HALF),
    "two columns, labels": Notation(PAIRS, lines(LABELS.items(), "\t"), PAIRS_F),
    "two columns, gold": Notation(lines(GOLD_LABELS.items(), "\t"), lines(LABELS.items(), " "),
        PAIRS_F),
    "two columns, gold with words": Notation("p1,1\np2,0\np3,1\np4,0\n",
        "p1\t1\np2\t0\np3\t1\np4\t1\n", PAIRS_F, ["--values", "1=YES,0=NO"]),
    "no header, tabs": Notation(ANSWERS, lines(RANKED, "\t"), ANSWERS_F, [*NUMBERED, *BY_HALF]),
    "no header, commas": Notation(ANSWERS, lines(RANKED, ","), ANSWERS_F, [*NUMBERED, *BY_HALF]),
    "no header, blanks": Notation(ANSWERS, lines(RANKED, " "), ANSWERS_F, [*NUMBERED, *BY_HALF]),
    "no header, gold": Notation("1;a;VALIDATED\n1;b;REJECTED\n2;c;REJECTED\n2;d;VALIDATED\n",
        lines(RANKED, "\t"), ANSWERS_F,
        ["--columns", "q_id=1,a_id=2,label=3,confidence=3", *BY_HALF]),
    "records": Notation(PAIRS, json.dumps(RECORDS), PAIRS_F),
    "records, indented": Notation(PAIRS, json.dumps(RECORDS, indent=2), PAIRS_F),
    "records, gold": Notation(
        json.dumps([{"pair_id": one, "label": said} for one, said in GOLD_LABELS.items()]),
        json.dumps(RECORDS), PAIRS_F),
    "id: label": Notation(PAIRS, json.dumps(LABELS), PAIRS_F),
    "id: label, gold": Notation(json.dumps(GOLD_LABELS), json.dumps(LABELS), PAIRS_F),
    "id: truth, gold": Notation(
        json.dumps({one: label == "YES" for one, label in GOLD_LABELS.items()}),
        json.dumps(LABELS), PAIRS_F),
    "truth of PAN": Notation(
        "".join(json.dumps({"id": one, "same": label == "YES", "authors": ["a", "b"]}) + "\n"
            for one, label in GOLD_LABELS.items()),
        json.dumps(LABELS), PAIRS_F, ["--columns", "pair_id=id,label=same"]),
    "id: score": Notation(PAIRS, json.dumps(VALUES, indent=1), PAIRS_F, BY_HALF),
    "id and value": Notation(PAIRS,
        lines([[json.dumps({"id": one, "value": value})] for one, value in VALUES.items()], ""),
        PAIRS_F, BY_HALF),
    "q_id: a_id: score": Notation(ANSWERS, json.dumps(SCORES), ANSWERS_F, BY_HALF),
    "q_id: a_id: score, of qrels": Notation(QRELS, json.dumps(SCORES), MRR),
    "q_id: a_id: grade": Notation(json.dumps({"1": {"a": 1, "b": 0}, "2": {"c": 0, "d": 1}}),
        json.dumps(SCORES), MRR),
    "qrels of BEIR": Notation(BEIR, "1 Q0 a 1 .9 x\n1 Q0 b 2 .2 x\n2 Q0 c 1 .8 x\n2 Q0 d 2 .7 x\n",
        MRR),
}  # fmt: skip

every = pytest.mark.parametrize("notation", NOTATIONS.values(), ids=[*NOTATIONS])


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files_of(notation: Notation, folder: Path) -> tuple[str, str]:
    put(folder, notation.gold, "gold.txt")
    put(folder, notation.run, "run.txt")
    return "gold.txt", "run.txt"


@every
def test_it_is_scored(here: Path, notation: Notation) -> None:
    name, expected = notation.expected
    document = document_of("score", *files_of(notation, here), "-m", name, *notation.options)
    (row,) = [row for row in document["runs"] if row["run"] == "run"]
    assert row["measures"][name] == pytest.approx(expected)


@every
def test_it_is_checked(here: Path, notation: Notation) -> None:
    gold, run = files_of(notation, here)
    said = output("check", run, "--collection", gold, *notation.options)
    assert "no findings" in said
    is_json = notation.run.startswith(("[", '{"1"', '{"p1', "{\n"))
    assert ("  read as " in said) is (is_json or "q_id" in str(notation.options))


@pytest.mark.parametrize("notation", mostly_slow(NOTATIONS.values(), 6), ids=NOTATIONS)
def test_it_is_compared(here: Path, notation: Notation) -> None:
    gold, run = files_of(notation, here)
    put(here, notation.run, "other.txt")
    name, expected = notation.expected
    said = ave("compare", gold, run, "other.txt", "-m", name, *notation.options, "-f", "json")
    document = json.loads(said.out)
    (measure,) = document["measures"]
    assert [row["value"] for row in measure["runs"]] == [pytest.approx(expected)] * 2


@every
def test_it_is_scored_in_python(here: Path, notation: Notation) -> None:
    name, expected = notation.expected
    gold, run = files_of(notation, here)
    words = [option.removeprefix("--") for option in notation.options]
    options = dict(zip(words[::2], words[1::2], strict=True))
    naming: dict[str, Any] = {
        option: dict(pair.split("=") for pair in options[option].split(","))
        for option in options.keys() - {"threshold"}
    }
    policies = Policies(threshold=0.5) if "threshold" in options else Policies()
    read: Any = ave_score.read_collection(gold, **naming) if naming else gold
    subject: Any = run
    if "columns" in naming and "threshold" in options:
        columns = {"q_id": "1", "a_id": "2", "score": "3"}
        subject = ave_score.decide(ave_score.read_scores(run, read, columns=columns)).run
    elif naming:
        subject = ave_score.read_run(run, read, **naming)
    scores = ave_score.score(read, subject, measures=name, policies=policies)
    values = [row.values[name] for row in scores.rows if row.run == "run"]
    assert values == [pytest.approx(expected)]


@pytest.mark.parametrize("name", mostly_slow(list(NOTATIONS), 4))
def test_it_is_scored_in_a_campaign(here: Path, name: str) -> None:
    notation = NOTATIONS[name]
    measure, expected = notation.expected
    words = [option.removeprefix("--") for option in notation.options]
    settings = ""
    for setting, value in zip(words[::2], words[1::2], strict=True):
        pairs = re.sub(r"(\w+)=(\w+)", r'\1 = "\2"', value)
        settings += f"{setting} = {value if setting == 'threshold' else f'{{ {pairs} }}'}\n"
    campaign = (
        f'[editions.1]\nmeasures = "{measure}"\n{settings}[editions.1.tasks.a]\n'
        'collection = "gold.txt"\nruns = "runs"\n'
    )
    put_all(here, {"campaign.toml": campaign, "gold.txt": notation.gold})
    put_all(here, {"runs/one.txt": notation.run, "runs/two.txt": notation.run + "\n"})
    ave("campaign", "campaign.toml", code=0)
    rows = json.loads((here / "results/1/a.json").read_text())["runs"]
    found = [row["measures"][measure] for row in rows if row["run"] == "one"]
    assert found == [pytest.approx(expected)]


@pytest.mark.parametrize(("gold", "run", "options", "places"), [
    pytest.param(PAIRS,
        '[\n {\n  "pair_id": "p1",\n  "verdict": "YES"\n },\n'
        ' {"pair_id": "p9", "verdict": "NO"},\n'
        ' {"pair_id": "p3", "verdict": "MAYBE"}]\n', (), ["6:14 AVE202", "7:31 AVE102"],
        id="records"),
    pytest.param(PAIRS, '{"p1": "YES", "p2": "NO",\n"p2": "NO", "p3": "YESS", "p4": "NO"}', (),
        ["2:1 AVE205", "2:19 AVE102"], id="id: label"),
    pytest.param(PAIRS, '{"p1": 0.9,\n"p2": NaN,\n"p3": "high",\n"p4": 0.1}', BY_HALF,
        ["2:7 AVE106", "3:7 AVE105"], id="id: score, values"),
    pytest.param(PAIRS, '{"p1": 0.9,\n"p2": 0.3\n"p3": 0.8}', BY_HALF, ["3:1 AVE901"],
        id="id: score, no comma"),
    pytest.param(PAIRS, '{"p1": 0.9,\n"p2": 0.3', BY_HALF, ["2:9 AVE901"], id="id: score, cut off"),
    pytest.param(QRELS, '{"1": {},\n"2": {"a": 1,\n "b": "x"}}', (), ["3:7 AVE904"],
        id="q_id: a_id: score, first empty"),
    pytest.param(QRELS, '{"1": {"a": 0.9,\n "b": "x"}, "2": {"c": 0.8,\n "c": 0.7}}', (),
        ["2:7 AVE904", "3:2 AVE206"], id="q_id: a_id: score"),
    pytest.param(PAIRS, '[{"pair_id": "p1", "verdict": "YES"},\n]\n', (), ["2:1 AVE901"],
        id="comma"),
    pytest.param(ANSWERS, "1,a,0.9\n1,b,0.2\n2,x,0.8\n2,d,high\n", [*NUMBERED, *BY_HALF],
        ["3:3 AVE202", "4:5 AVE105"], id="no header"),
])  # fmt: skip
def test_findings_have_their_places(
    here: Path, gold: str, run: str, options: Sequence[str], places: list[str]
) -> None:
    put(here, gold, "gold.txt")
    put(here, run)
    said = ave("check", "run.txt", "--collection", "gold.txt", *options, "-f", "concise", code=1)
    found = [line.removeprefix("run.txt:").split(" ", 2) for line in said.out.splitlines()]
    assert [" ".join(words[:2]) for words in found if ":" in words[0]] == places


@pytest.mark.slow
def test_a_document_with_a_long_list_is_no_values(here: Path) -> None:
    put(here, json.dumps({"name": "x", "model": "y", "data": [*range(1 << 20)]}))
    assert "run.txt:1 AVE116" in ave("check", "run.txt", code=1).out


@pytest.mark.parametrize(("text", "to", "expected"), [
    (json.dumps(SCORES), "trec",
        "1 Q0 a 1 0.9 run\n1 Q0 b 2 0.2 run\n" "2 Q0 c 1 0.8 run\n2 Q0 d 2 0.7 run\n"),
    (BEIR, "trec", QRELS),
    (json.dumps(LABELS), "csv", "pair_id,verdict\np1,YES\np2,NO\np3,YES\np4,YES\n"),
    (json.dumps(RECORDS), "lines", "p1 YES\np2 NO\np3 YES\np4 YES\n"),
    ("q_id,a_id,score\n1,a,0.9\n1,b,0.2\n2,c,0.8\n2,d,0.70\n", "json",
        '{"1": {"a": 0.9, "b": 0.2},\n"2": {"c": 0.8, "d": 0.70}}\n'),
    ("p1 YES\np2 NO\n", "json", '{"p1": "YES",\n"p2": "NO"}\n'),
    (ANSWERS, "json", '{"1": {"a": 1, "b": 0},\n"2": {"c": 0, "d": 1}}\n'),
])  # fmt: skip
def test_it_is_converted(here: Path, text: str, to: str, expected: str) -> None:
    put(here, text)
    assert output("convert", "run.txt", "--to", to) == expected


def test_own_verdicts_need_no_selection_if_a_threshold_decides(here: Path) -> None:
    """SemEval's files: ids, a rank, a score, and true or false for each answer."""
    put(here, ANSWERS, "gold.csv")
    rows = [(q_id, a_id, 0, score, "true") for q_id, a_id, score in RANKED]
    put(here, lines(rows, "\t"), "run.txt")
    columns = ["--columns", "q_id=1,a_id=2,verdict=5,confidence=4", "--values", "true=VALIDATED"]
    assert "AVE302" in ave("score", "gold.csv", "run.txt", *columns, code=1).err
    said = output("score", "gold.csv", "run.txt", *columns, *BY_HALF, "-m", "f1", "-f", "json")
    assert json.loads(said)["runs"][0]["measures"] == {"f1": pytest.approx(4 / 5)}
