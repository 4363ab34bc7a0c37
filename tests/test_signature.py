"""Everything that changes a figure is in the signature: each option of each command is changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ave_score
from ave_score import Policies
from tests import each, mostly_slow
from tests.helpers_command import ave
from tests.helpers_files import put
from tests.helpers_logs import ANSWERS, Answer, inspect_log, lines, responses
from tests.test_help import CALLS
from tests.test_systems import log as system_log

QUESTIONS = "12345678"


def write_world(here: Path) -> None:
    """Write a collection, runs, judged files, logs and qrels in which every option matters."""
    labels = {"1": "VALIDATED", "2": "REJECTED", "3": "UNKNOWN"}
    gold = ["q_id,a_id,label,other,topic"]
    gold += [
        f"{q},{q}_{a},{word},{'VALIDATED' if a == '2' else 'REJECTED'},{int(q) % 3}"
        for q in QUESTIONS
        for a, word in labels.items()
    ]
    put(here, "\n".join([*gold, ""]), "gold.csv")
    for name, best in (("a.csv", "11123312"), ("b.csv", "23112211"), ("c.csv", "12321323")):
        rows = ["q_id,a_id,verdict,confidence,other"]
        for q, chosen in zip(QUESTIONS, best, strict=True):
            for a in "123":
                word = "SELECTED" if a == chosen else "REJECTED"
                sure = 0.5 if int(q) % 2 else 0.2 + 0.1 * int(a) + 0.01 * int(q)
                rows.append(f"{q},{q}_{a},{word},{sure:g},{0.9 - 0.2 * int(a):g}")
        put(
            here,
            "\n".join([*rows[:-3], *(rows[-3:] if name == "a.csv" else ()), ""]),
            f"few-{name}",
        )
        put(here, "\n".join([*rows, ""]), name)
    judged = ["q_id,run,judgement,answered,confidence,replicate,topic"]
    for run, letters in (("s", "RRWXUWRR"), ("t", "WRXXRUWR")):
        for q, letter in zip(QUESTIONS, letters, strict=True):
            judged += [f"{q},{run},{letter},,0.{q},1,x", f"{q},{run},W,,0.{9 - int(q)},2,x"]
    put(here, "\n".join([*judged, "9,s,R,,0.9,1,y\n9,s,W,,0.9,2,y", ""]), "judged.csv")
    put(here, "\n".join([*judged, ""]).replace(",X,", ",U,"), "letters.csv")
    other: list[Answer] = [
        (*answer[:3], "CI"[answer[1] == 2], 0.75 - 0.1 * answer[1]) for answer in ANSWERS
    ]
    for name, answers in (("log.json", ANSWERS), ("other.json", other)):
        made = json.loads(inspect_log(answers))
        for number, one in enumerate(made["samples"]):
            one["scores"]["sure"] = {"value": 0.1 + 0.3 * number % 0.8}
        put(here, json.dumps(made), name)
    of_filters = [
        responses(q_id, ["4"], filter=name, exact_match=float(name == "strict" and q_id == 1))
        for q_id in (1, 2)
        for name in ("strict", "loose")
    ]
    put(here, lines(*of_filters), "one.jsonl")
    put(here, lines(*[one | {"exact_match": 1.0} for one in of_filters]), "two.jsonl")
    (here / "logs").mkdir()
    for model, grades in {"m/ada": ("CCI", "CII"), "m/bob": ("ICI", "CIC")}.items():
        for task, letters in zip(("sums", "more"), grades, strict=True):
            made = system_log(dict(zip("123", letters, strict=True)), model)
            made["eval"] |= {"task": task, "eval_id": model + task}
            name = f"2025-01-01T00-00-00+00-00_{task}_{model[2:]}.json"
            put(here / "logs", json.dumps(made), name)
    put(here, "\n".join(f"{q}\t{int(q) // 3}" for q in QUESTIONS), "clusters.tsv")
    write_verdicts(here)
    ids = [f"{q},{q}_{a},text" for q in QUESTIONS for a in "123"]
    put(here, "\n".join(["q_id,a_id,answer", *ids, ""]), "test.csv")
    put(here, "\n".join([*gold, ""]).replace("UNKNOWN", "REJECTED"), "dev.csv")
    for name, right in (("one.key", "1"), ("two.key", "2")):
        rows = [
            f"{q} {q}_{a} {'VALIDATED' if a == right else 'REJECTED'}"
            for q in QUESTIONS
            for a in "123"
        ]
        put(here, "\n".join([*rows, ""]), name)


def write_verdicts(here: Path) -> None:
    """Write judged tables with the verdicts of a judge: one lacks some, one has more labels."""
    for name, lacking in (("verdicts.csv", ""), ("there.csv", ""), ("lacking.csv", "REJECTED")):
        rows = ["q_id,run,judgement,verdict,other,weight,topic"]
        for q in range(90):
            for run, often in (("s", 2), ("t", 30)):
                every = 3 if name == "there.csv" else often  # not by verdict there
                word = "REJECTED" if (q + every) % 4 == 0 else "VALIDATED"
                letter = "" if q % every else "RWRWX"[q // every % 5]
                word = "VALIDATED" if letter == "R" and name == "there.csv" else word
                word = "" if word == lacking and q % 3 == 0 else word
                other = "VALIDATED" if q % 5 else "REJECTED"
                rows.append(f"{q},{run},{letter},{word},{other},{1 + q % 4},{q // 6}")
        put(here, "\n".join([*rows, ""]), name)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with these files."""
    folder = tmp_path_factory.mktemp("world")
    write_world(folder)
    return folder


@pytest.fixture(autouse=True)
def here(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(world)


RUNS = "gold.csv a.csv b.csv c.csv"
LOG = "log.json --log scorer=match"

Case = tuple[str, str, str]
"""The arguments that both calls have, and those of either."""

SHARED: dict[str, Case] = {
    "letters": ("letters.csv", "", "--letters respubliqa"),
    "missing": ("gold.csv few-a.csv few-b.csv", "--missing rejected", "--missing excluded"),
    "unknown": (RUNS, "", "--unknown correct"),
    "ties": (f"{RUNS} -m mrr", "", "--ties trec"),
    "epochs": ("judged.csv", "", "--epochs first"),
    "threshold": (RUNS, "", "--threshold 0.5"),
    "columns": (f"{RUNS} -m f1", "", "--columns label=other"),
    "values": ("judged.csv", "", "--values R=W,W=R"),
    "key": ("test.csv a.csv b.csv -m f1", "--key one.key", "--key two.key"),
    "log scorer": ("log.json other.json", "--log scorer=match",
        "--log scorer=judge --log right-from=0.6"),
    "log filter": ("one.jsonl two.jsonl", "--log filter=strict", "--log filter=loose"),
    "log confidence": ("log.json other.json --log scorer=match --epochs first -m cws",
        "--log confidence=judge", "--log confidence=sure"),
    "log task": ("logs", "--log task=sums", "--log task=more"),
    "log withheld": (f"{LOG} other.json", "", "--log withheld=Rome"),
    "log right-from": ("log.json other.json --log scorer=judge", "--log right-from=0.5",
        "--log right-from=0.2"),
}  # fmt: skip
"""Option of several commands, or a key of --log -> two calls with other figures. Their files are of
two systems."""

OF_SCORE: dict[str, Case] = {
    "ci": (RUNS, "", "--ci 90"),
    "resamples": (f"{RUNS} --ci 90 -m utility", "", "--resamples 50"),
    "seed": (f"{RUNS} --ci 90 --resamples 50 -m mrr", "", "--seed 5"),
    "cluster": (f"{RUNS} --ci 90 -m f1", "", "--cluster topic"),
    "breakdown": (f"{RUNS} -m f1", "--breakdown topic", "--breakdown clusters.tsv"),
}

OF_COMPARE: dict[str, Case] = {
    "breakdown": (f"{RUNS} -m f1", "--breakdown topic", "--breakdown clusters.tsv"),
    "test": (f"{RUNS} -m f1", "", "--test bootstrap"),
    "resamples": (f"{RUNS} -m f1", "", "--resamples 100"),
    "seed": (f"{RUNS} -m f1 --resamples 100", "", "--seed 5"),
    "level": (f"{RUNS} -m f1", "", "--level 90"),
    "against": (f"{RUNS} -m f1", "", "--against a"),
    "correction": (f"{RUNS} -m f1", "", "--correction none"),
    "cluster": (f"{RUNS} -m f1", "", "--cluster topic"),
    "equivalence": (f"{RUNS} -m f1", "", "--equivalence 0.1"),
    "threshold": (f"{RUNS} -m f1", "", "--threshold 0.5"),
    "power": (f"{RUNS} -m f1", "--power 0.1", "--power 0.2"),
}

STUDY = f"{RUNS} --resamples 30 -m qa_accuracy"
OF_STUDY: dict[str, Case] = {
    "resamples": (RUNS, "--resamples 20", "--resamples 30"),
    "seed": (STUDY, "", "--seed 5"),
    "size": (STUDY, "", "--size 3"),
    "threshold": (STUDY, "", "--threshold 0.5"),
    "unit": (f"{RUNS} --resamples 30 -m f1", "--unit questions", "--unit answers"),
}

OF_SWAP: dict[str, Case] = {
    "level": (STUDY, "", "--level 60"),
}

OF_AGREE: dict[str, Case] = {
    "missing": ("few-a.csv few-b.csv", "--missing rejected", "--missing excluded"),
    "unknown": ("a.csv --collection gold.csv", "", "--unknown correct"),
    "columns": ("a.csv b.csv --collection gold.csv", "", "--columns label=other"),
    "values": ("gold.csv dev.csv", "", "--values REJECTED=VALIDATED"),
    "key": ("a.csv --collection test.csv", "--key one.key", "--key two.key"),
    "collection": ("a.csv b.csv", "", "--collection gold.csv"),
    "verdicts": ("a.csv b.csv", "", "--verdicts three"),
    "ci": ("a.csv b.csv", "", "--ci 90"),
    "resamples": ("a.csv b.csv --ci 90", "", "--resamples 50"),
    "seed": ("a.csv b.csv --ci 90 --resamples 50", "", "--seed 5"),
    "cluster": ("a.csv b.csv --ci 90", "", "--cluster clusters.tsv"),
}

VERDICTS = "verdicts.csv"
OF_ESTIMATE: dict[str, Case] = {
    "labels": (VERDICTS, "", "--labels weight"),
    "letters": (VERDICTS, "", "--letters qa-clef-lenient"),
    "missing": ("lacking.csv", "--missing rejected", "--missing excluded"),
    "unknown": (VERDICTS, "", "--unknown correct"),
    "columns": (VERDICTS, "", "--columns verdict=other"),
    "values": (VERDICTS, "", "--values VALIDATED=REJECTED"),
    "calibration": (VERDICTS, "", "--calibration there.csv"),
    "cluster": (VERDICTS, "", "--cluster topic"),
    "ci": (VERDICTS, "", "--ci 90"),
    "half_width": (VERDICTS, "", "--half-width 0.05"),
}

COMMANDS: dict[str, dict[str, Case]] = {
    "score": SHARED | OF_SCORE,
    "compare": OF_COMPARE,
    "stability": OF_STUDY,
    "swap": OF_STUDY | OF_SWAP,
    "agree": OF_AGREE,
    "estimate": OF_ESTIMATE,
}

READ: list[Case] = [
    ("judged.csv", "", "--values R=W,W=R"),
    ("judged.csv", "", "--columns confidence=replicate"),
    ("log.json other.json", "--log scorer=match", "--log scorer=judge --log right-from=0.6"),
    ("one.jsonl two.jsonl", "--log filter=strict", "--log filter=loose"),
]
"""How files are read, which every command has to say."""

DOORS = (
    "score", "score --breakdown topic", "score --sweep answering_accuracy", "compare",
    "stability --resamples 10", "swap --resamples 10",
)  # fmt: skip

OF_FILES = "collection answers runs qa teams reference primary replicates keep_going engine limit"
"""What is scored, and how it is grouped: reports name the runs, the hash is of the collection."""

OF_REPORTS = "measures sweep digits format output per_question plot figure ignore pairs"
"""What is shown of the figures."""

INDIFFERENT = {*OF_FILES.split(), *OF_REPORTS.split()}

DRAWS = {"estimate": {"draw", "seed"}}
"""What is drawn in the place of figures."""


@each("command", COMMANDS)
def test_every_option_is_tried(command: str) -> None:
    options = {str(parameter.name) for parameter in CALLS[command].params}
    tried, shared = ({name.split()[0] for name in item} for item in (COMMANDS[command], SHARED))
    assert not tried - options
    assert not options - tried - shared - INDIFFERENT - DRAWS.get(command, set())


def test_every_key_of_logs_is_tried() -> None:
    keys = [name.removeprefix("log ") for name in SHARED if name.startswith("log ")]
    assert {*keys} == {*Policies.records()["logs"].options[0].keys}


def called(command: str, arguments: str) -> tuple[str, str]:
    """Return the figures of a call, and its signature."""
    code, out, err = ave(command, *arguments.split(), "-f", "json")
    assert code == 0, (arguments, err)
    document = json.loads(out)
    signature = document.pop("signature")
    return json.dumps(document), signature


@pytest.mark.parametrize("command", mostly_slow(COMMANDS, 1))
def test_an_option_that_changes_figures_changes_the_signature(command: str) -> None:
    for option, (both, *values) in COMMANDS[command].items():
        (figures, signature), (others, changed) = (called(command, f"{both} {v}") for v in values)
        assert figures != others, f"the files do not show what {option} does"
        assert signature != changed, option


@each("door", DOORS)
def test_every_command_says_how_files_were_read(door: str) -> None:
    command, _, more = door.partition(" ")
    of_judged = "--sweep" in door or "--breakdown" in door  # logs have neither here
    for both, one, other in READ[: 2 if of_judged else None]:
        calls = [called(command, f"{both} {item} {more}") for item in (one, other)]
        assert calls[0][1] != calls[1][1], both


def test_the_scorer_of_a_log_is_signed_chosen_or_not() -> None:
    """Of a log with one scorer that grades, and of one whose scorer is chosen: the same line."""
    _, default = called("score", "log.json other.json")
    _, chosen = called("score", "log.json other.json --log scorer=match")
    assert default == chosen
    assert "|scorer:match|collection:" in default


def test_words_in_python_are_signed() -> None:
    """A run that was read with words says so, and so does a collection."""
    with pytest.warns(ave_score.AveScoreWarning, match="unknown column 'label'"):
        gold = ave_score.read_collection("gold.csv", columns={"label": "other"})
    with pytest.warns(ave_score.AveScoreWarning, match="unknown column 'confidence'"):
        run = ave_score.read_run("a.csv", gold, columns={"confidence": "other"})
    with pytest.warns(ave_score.AveScoreWarning, match="unknown column 'other'"):
        usual = ave_score.read_run("b.csv", gold)
    assert "|columns:label=other|" in ave_score.score(gold, [usual]).signature
    compared = ave_score.compare(gold, [run, usual], measures="f1").signature
    assert "|columns:label=other;confidence=other|" in compared
    swapped = {"yes,|=": "SELECTED", "no": "REJECTED"}
    rows = [{"q_id": "1", "a_id": "1_1", "verdict": "yes,|=", "confidence": 1}]
    one = ave_score.read_collection([{"q_id": "1", "a_id": "1_1", "label": "VALIDATED"}])
    named = ave_score.read_run(rows, one, values=swapped)
    signature = ave_score.score(one, [named]).signature
    assert "|values:no=REJECTED,yes%2C%7C%3D=SELECTED|" in signature
