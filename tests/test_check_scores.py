"""`check` accepts exactly what `score` scores: the same exit code for the same file.

Sound files of every kind are damaged at random, mostly in one field or line, so that many stay
sound. The commands need not find the same, as `check` says everything and `score` stops early.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

import ave_score
from ave_score import DefectError, Findings, InputError, Policies, Severity
from tests import each, examples, mostly_slow
from tests.fuzz.inputs import ANSWERS, PAIR_RUN, PAIRS, QA4MRE, make_input
from tests.helpers_changes import shuffled
from tests.helpers_command import ave, put_all
from tests.helpers_files import COLLECTION, KEY, OPEN, QRELS, RUN, UNLABELLED, Held
from tests.helpers_logs import ANSWERS as ANSWERS_OF_LOGS
from tests.helpers_logs import CHOICES, inspect_log, lines, packed, responses
from tests.helpers_random import ANSWERS as CANDIDATES
from tests.helpers_random import Campaign, Row, random_campaign
from tests.test_roads import TABLES, lines_of

BESIDE = {
    "gold.xml": COLLECTION, "run.txt": RUN, "unlabelled.xml": UNLABELLED,
    "pairs.xml": PAIRS.decode(), "qa4mre.xml": QA4MRE.decode(), "open.json": OPEN,
    "qrels.txt": QRELS,
}  # fmt: skip


class Road(NamedTuple):
    """How a kind of file is scored and checked, and sound files."""

    score: str
    check: str
    sound: Sequence[str]


def table(lines: str, head: str, mark: str = "\t") -> str:
    """Return lines with blanks as a table."""
    return "".join(f"{line}\n" for line in [head, *lines.splitlines()]).replace(" ", mark)


HEAD = "q_id a_id verdict confidence"
JSON_RUN = "".join(
    f'{{"q_id": {q}, "a_id": "{a}", "verdict": "{verdict}", "confidence": {sure}}}\n'
    for q, a, verdict, sure in map(str.split, RUN.splitlines())
)
JUDGED = "1 qa R YES 0.9\n2 qa W NO 0.1\n3 qa U YES 0.5\n1 qb X YES 0.5\n"
SYSTEMS = table(JUDGED, "q_id run judgement answered confidence")
REPLICATES = table(
    "1 qa R 0.9 1\n1 qa W 0.1 2\n2 qa W 0.5 1\n2 qa R 0.5 2\n",
    "q_id run judgement confidence replicate",
)
BARE = re.sub(r"[A-Z]+ ", "", RUN)
BARE_RUNS = [BARE, table(BARE, "q_id a_id confidence"), table(BARE, "q_id a_id confidence", ",")]
BARE_PAIRS = "1 0.9\n2 0.4\n3 0.1\n4 0.8\n"
RUNS = [RUN, RUN, table(RUN, HEAD), table(RUN, HEAD, ","), JSON_RUN]
GOLD = table(KEY.replace("3_1 UNKNOWN", "3_1 UNKNOWN 2"), "q_id a_id label topic")
RESPONSES = (
    "q_id\tanswer\tnuggets\n1\tSpain\t\n1\tRome\t\n2\tNIL\t\n3\t1492\t\n4\ta longer one\t1,b.2\n"
)
RESPONSE_LOG = lines(
    responses(0, ["4", "5"], exact_match=1.0), responses(1, ["Rome", "Paris"], exact_match=0.0)
)

ROADS = {
    "run": Road("gold.xml FILE", "--collection gold.xml --kind run", RUNS),
    "run, kind detected": Road("gold.xml FILE", "--collection gold.xml", RUNS),
    "run that lacks answers": Road("gold.xml FILE --missing rejected",
        "--collection gold.xml --missing rejected", RUNS),
    "run of which answers are left out": Road("gold.xml FILE --missing excluded",
        "--collection gold.xml --missing excluded", RUNS),
    "answers of which questions are left out": Road("qa4mre.xml FILE --missing excluded",
        "--collection qa4mre.xml --missing excluded", [ANSWERS.decode()]),
    "run of pairs": Road("pairs.xml FILE", "--collection pairs.xml", [PAIR_RUN.decode()]),
    "run of confidences": Road("gold.xml FILE --threshold 0.5",
        "--collection gold.xml --threshold 0.5", BARE_RUNS),
    "pairs with confidences": Road("pairs.xml FILE --threshold 0.5",
        "--collection pairs.xml --threshold 0.5",
        [PAIR_RUN.decode(), BARE_PAIRS, table(BARE_PAIRS, "pair_id confidence", ",")]),
    "key": Road("unlabelled.xml run.txt --key FILE", "--kind key --collection unlabelled.xml",
        [KEY]),
    "judged systems": Road("FILE -m all", "--kind judged", [SYSTEMS]),
    "replicates": Road("FILE -m all", "--kind judged", [REPLICATES]),
    "systems beside runs": Road("gold.xml run.txt --qa FILE", "--kind judged --collection gold.xml",
        [SYSTEMS, SYSTEMS, REPLICATES]),
    "answers": Road("qa4mre.xml FILE", "--collection qa4mre.xml", [ANSWERS.decode()]),
    "responses": Road("open.json FILE", "--collection open.json", [RESPONSES]),
    "TREC run": Road("qrels.txt FILE", "--collection qrels.txt",
        ["1 Q0 1_1 1 7.5 a\n2 Q0 2_2 1 0 a\n"]),
    "teams": Road("gold.xml run.txt --teams FILE", "--kind teams --collection gold.xml",
        ["run\tteam\nrun\tA\n", "run,B\n"]),
    "log": Road("FILE -m all", "", [inspect_log()]),
    "log of choices": Road("FILE -m all", "", [CHOICES]),
    "log of responses": Road("FILE -m all", "", [RESPONSE_LOG]),
}  # fmt: skip

POLICIES = (
    *["", "", "", "", "", "", "--threshold 0.5", "--missing rejected", "--missing excluded"],
    *["--epochs each", "--epochs each --missing excluded", "--epochs at_least_2"],
    *["--ties rank", "--ties file", "--unknown correct", "--threshold 0.5 --missing rejected"],
    *[
        "--epochs first --threshold 0.5",
        f"--{Policies.letters.name} qa-clef-lenient",
        "--log scorer=match",
    ],
)
"""What is chosen of both commands; not all of it applies to all kinds of files."""

FIELD = re.compile(r"[^\s,;\"<>=]+")


def damaged(chance: random.Random, sound: Sequence[str]) -> bytes:
    """Return a file that is damaged beyond what it means, or in a few fields or lines."""
    text = chance.choice(sound)
    if chance.random() < 0.2:
        return make_input(chance, [text.encode()])
    for _ in range(chance.choice([0, 1, 1, 1, 2])):
        lines = text.splitlines(keepends=True) or [""]
        one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        fields = [*FIELD.finditer(text)]
        if chance.random() < 0.5 and fields:
            words = [field[0] for field in fields] + ["", "0", "-1", "x", "NO", "7e400", "\u00a0"]
            field = chance.choice(fields)
            text = text[: field.start()] + chance.choice(words) + text[field.end() :]
            continue
        if chance.random() < 0.3:
            del lines[one]
        elif chance.random() < 0.5:
            lines.insert(one, lines[other])
        else:
            lines[one], lines[other] = lines[other], lines[one]
        text = "".join(lines)
    return text.encode()


WARNING = re.compile(r"AVE\d+ warning")
ERROR = re.compile(r" (AVE\d+) (?!warning)")

GOLD_STANDARDS = {
    "collection": [COLLECTION, GOLD, GOLD.replace("\t", ",")],
    "answer-sets": [OPEN],
    "qrels": [QRELS],
}
NO_LABELS = "AVE407"
"""Only `score` needs labels: whoever checks runs need not have them."""


@pytest.mark.parametrize("kind", mostly_slow(ROADS, 8))
def test_check_accepts_what_score_scores(kind: str, here: Path) -> None:
    put_all(here, BESIDE)
    road, accepted = ROADS[kind], 0
    for seed in range(number := examples(1000, 4)):
        chance = random.Random(f"{kind} {seed}")
        data, options = damaged(chance, road.sound), chance.choice(POLICIES).split()
        if set(options) & set(road.score.split()):
            options = []  # the road has chosen it
        (here / "FILE").write_bytes(data)
        scored = ave("score", *road.score.split(), *options)
        checked = ave("check", "FILE", *road.check.split(), *options, "-f", "concise")
        said = seed, data, options, scored.err, checked.out, checked.err
        if (scored.code == 2 and "--" in scored.err) or (options and checked.code == 2):
            # an option is asked for, or does not apply: before or after errors of the file
            assert scored.code and (checked.code or kind == "teams"), said
            assert "No such option" not in scored.err + checked.err, said
            continue
        assert scored.code == checked.code, said
        accepted += not scored.code
        # without a collection, a file is not checked against its own questions
        if not scored.code and "--collection" in road.check:
            strict = ave("check", "FILE", *road.check.split(), *options, "--strict")
            assert strict.code == bool(WARNING.search(scored.err)), (*said, strict)
    assert accepted >= number // 10  # otherwise only refusals were compared


VALUES: Sequence[Sequence[object]] = (
    ["C", "I"], ["C", "I", "N", "P"], [1, 0], [True, False], [0.25, 1, 0.75], ["good", "bad", "C"],
    [None, "C", "I"], [{"a": 1, "b": 0.5}, {"a": 0, "b": 1}],
)  # fmt: skip
"""What a scorer gives: grades of each kind, other numbers and words, and several values."""

OPTIONS = (
    "", "", "--log scorer=match", "--log scorer=judge.a", "--log right-from=0.5",
    "--missing rejected", "--missing excluded", "--log filter=first", "--log task=tiny",
    "--log task=other", "--log confidence=judge", "--log withheld=i.don.t.know",
    "--values good=right,bad=wrong",
    "--log scorer=judge --log right-from=0.5", "--log filter=vote --missing excluded",
    "--threshold 0.5", "--log confidence=judge --threshold 0.5", "--epochs each", "--ties rank",
    "--epochs each --missing excluded", "--epochs mode", f"--{Policies.letters.name} respubliqa",
)  # fmt: skip


def random_log(chance: random.Random, number: int) -> tuple[str, str | bytes]:
    """Return the name and the bytes of a log of 1 or 2 scorers, 1 or 2 filters or epochs."""
    if chance.random() < 0.3:
        said: list[dict[str, object]] = [
            responses(n, ["4"], filter=by, exact_match=chance.choice([1.0, 0.0, 0.0, 0.5]))
            for by in chance.choice([["first"], ["first"], ["first", "vote"]])
            for n in range(chance.choice([2, 2, 3]))
        ]
        return f"{number}.jsonl", lines(*said)
    log = json.loads(inspect_log(ANSWERS_OF_LOGS[: chance.choice([4, 4, 4, 3])]))
    given = chance.choice(VALUES), chance.choice([*VALUES, [0.5]])
    for one in log["samples"]:
        names = ("match", "judge")[: 1 + (chance.random() < 0.6)]
        one["scores"] = {
            name: {"value": chance.choice(item)} for name, item in zip(names, given, strict=False)
        }
        if chance.random() < 0.05:
            one |= {"scores": chance.choice([None, {}]), "error": {"message": "timeout"}}
        if chance.random() < 0.03:
            one["input"] = "another question"
    about = log["eval"] | {"eval_id": f"e{chance.choice([number, number, number, 7])}"}
    about |= {"dataset": {"sample_ids": ["sum", "capital"]}, "config": {"epochs": 2}}
    about["task"] = chance.choice(["tiny", "tiny", "tiny", "other"])
    head = {"status": "success", "eval": about, "results": log["results"]}
    if chance.random() < 0.5:
        head["results"] = {"headline": {"scorer": chance.choice(["match", "judge"])}}
    if chance.random() < 0.5:
        return f"{number}.json", json.dumps(log | head)
    members = {f"samples/{n}.json": json.dumps(one) for n, one in enumerate(log["samples"])}
    return f"{number}.eval", packed(members | {"header.json": json.dumps(head)})


def test_check_accepts_the_logs_that_score_scores(here: Path) -> None:
    """Of every kind, alone and together, with every option that score has for them."""
    codes = Counter[int]()
    for seed in range(number := examples(1000, 60)):
        chance = random.Random(f"logs {seed}")
        files = dict(random_log(chance, number) for number in range(chance.choice([1, 1, 2, 3])))
        put_all(here, files)
        options = chance.choice(OPTIONS).split()
        scored = ave("score", *files, *options)
        checked = ave("check", *files, *options, "-f", "concise")
        said = seed, files, options, scored.err, checked.out, checked.err
        assert bool(scored.code) == bool(checked.code), said
        assert {*ERROR.findall(scored.err)} <= {*ERROR.findall(checked.out)}, said
        if not scored.code:
            strict = ave("check", *files, *options, "--strict")
            assert strict.code == bool(WARNING.search(scored.err)), said
        codes[scored.code] += 1
    assert codes[0] >= number // 10, codes  # otherwise only refusals were compared
    assert codes[1] >= number // 50, codes


def error_codes(findings: Findings) -> set[str]:
    return {found.rule.code for found in findings if found.rule.severity is Severity.ERROR}


@pytest.mark.filterwarnings("ignore::ave_score.AveScoreWarning")
@pytest.mark.parametrize("kind", GOLD_STANDARDS)
@each("seed", range(examples(1000, 4)))
def test_check_accepts_gold_standards_that_score_takes(kind: str, seed: int) -> None:
    data = damaged(random.Random(f"{kind} {seed}"), GOLD_STANDARDS[kind])
    found, expected = set[str](), set[str]()
    try:
        ave_score.score(Held(data), [])
    except DefectError as error:
        found = error_codes(error.findings) - {NO_LABELS}
    except InputError:
        found = {"not read"}
    if kind == "qrels" and found == {"AVE116"}:
        return  # it looks like another format, which only --kind has read
    try:
        expected = error_codes(ave_score.check(Held(data), kind=kind).findings) - {NO_LABELS}
    except InputError:
        expected = {"not read"}
    assert bool(found) == bool(expected), (data, found, expected)


def defective(chance: random.Random, rows: Sequence[Row]) -> list[Row]:
    """Return rows of a run with up to three defects, of different answers."""
    made = [{**row} for row in rows]
    chosen = chance.sample(made, min(len(made), chance.randint(0, 3)))
    for row in chosen:
        defect = chance.choice(["missing", "twice", "contradicted", "unknown", "verdict", "number"])
        if defect == "missing":
            made.remove(row)
        elif defect == "twice":
            made.append({**row})
        elif defect == "contradicted":
            made.append(row | {"confidence": 0.125})
        elif defect == "unknown":
            row[chance.choice(["q_id", "a_id"])] += "?"
        elif defect == "verdict":
            row["verdict"] = chance.choice(["SELECTED", "VALIDATED", "REJECTED", "selected", "YES"])
        else:
            row["confidence"] = chance.choice(["nan", "0,5", "high", "1.5"])
    return made


def findings_of(campaign: Campaign, text: str | bytes) -> Counter[str]:
    """Return how often each rule is broken."""
    found = ave_score.check(Held(text), campaign.gold, kind="run").findings
    return Counter(one.rule.code for one in found)


@pytest.mark.filterwarnings("ignore::ave_score.AveScoreWarning")
@each("seed", range(examples(1000, 4)))
def test_findings_depend_neither_on_order_nor_on_notation_nor_on_labels(seed: int) -> None:
    chance = random.Random(seed)
    campaign = random_campaign(seed, CANDIDATES, missing="error", confidences="any")
    rows = defective(chance, campaign.runs["b"])
    if not rows:
        return
    expected = findings_of(campaign, lines_of(rows, CANDIDATES))
    assert findings_of(campaign, lines_of(shuffled(chance, rows), CANDIDATES)) == expected
    for suffix in (".tsv", ".csv", ".jsonl"):
        assert findings_of(campaign, TABLES[suffix](rows)) == expected, suffix
    unlabelled = campaign.with_answers(lambda answer: answer | {"label": None})
    assert findings_of(unlabelled, lines_of(rows, CANDIDATES)) == expected
