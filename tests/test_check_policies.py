"""`check` with policies: the summary says what these decide, and what `score` would refuse."""

from __future__ import annotations

import json
import re
from pathlib import Path

import ave_score
from tests import each
from tests.helpers_command import ave, document_of, put_all
from tests.helpers_files import RUN
from tests.helpers_logs import inspect_log
from tests.test_check_scores import BARE, BARE_PAIRS, BESIDE, JSON_RUN, RESPONSES, table

BARE_ROWS = {
    "lines.txt": BARE,
    "rows.csv": table(BARE, "q_id a_id confidence", ","),
    "objects.jsonl": re.sub(r'"verdict": "[A-Z]+", ', "", JSON_RUN),
    "verdicts.txt": RUN,
}
OF_PAIRS = {
    "pairs.txt": BARE_PAIRS,
    "pairs.csv": table(BARE_PAIRS, "pair_id confidence", ","),
    "words.txt": "1 NO 0.9\n2 YES 0.4\n3 0.1\n4 0.8\n",
}
DECIDED = {
    # of the confidences .9 and .2, .6 and .7, .1 of three questions
    **{
        (name, "gold.xml", "0.5"): "2 selected (40.0 %), 1 validated (20.0 %), 2 rejected (40.0 %)"
        for name in BARE_ROWS
    },
    **{
        (name, "gold.xml", "0.65"): "2 selected (40.0 %), 0 validated (0.0 %), 3 rejected (60.0 %)"
        for name in BARE_ROWS
    },
    ("verdicts.txt", "gold.xml", ""): "2 selected (40.0 %), 1 validated (20.0 %), 2 rejected",
    # of .9, .4, .1 and .8
    **{
        (name, "pairs.xml", "0.5"): "4 pairs, 2 validated (50.0 %), 2 rejected (50.0 %)"
        for name in OF_PAIRS
    },
}


@each("name, gold, threshold", DECIDED)
def test_the_summary_says_what_a_threshold_decides(
    here: Path, name: str, gold: str, threshold: str
) -> None:
    """With and without a collection; the words of the file do not count."""
    put_all(here, BESIDE | BARE_ROWS | OF_PAIRS)
    options = ["--threshold", threshold] if threshold else []
    for given in ([], ["--collection", gold]):
        said = ave("check", name, *given, *options, code=0).out
        assert DECIDED[name, gold, threshold] in said, given
        if gold == "pairs.xml":
            assert said == ave("check", name, *given, *options, "--values", "1=YES,0=NO").out


def test_the_summary_says_what_a_threshold_withholds(tmp_path: Path) -> None:
    """By match: C, I, I, I, N, C; of the given answers, judge gives two less than .5."""
    (tmp_path / "log.json").write_text(inspect_log())
    call = [str(tmp_path / "log.json"), "--log", "scorer=match", "--log", "confidence=judge"]
    assert "2 right, 3 wrong, 1 withheld" in ave("check", *call, code=0).out
    assert "2 right, 1 wrong, 3 withheld" in ave("check", *call, "--threshold", "0.5", code=0).out


@each("option, said", [
    ([], "2 systems, 2 questions, 4 answers, 1 withheld\n"),  # the file withholds one
    (["--threshold", "0.5"], "2 systems, 2 questions, 4 answers, 3 withheld\n"),
    (["--threshold", "0.1"], "2 systems, 2 questions, 4 answers, 1 withheld\n"),
])  # fmt: skip
def test_the_summary_says_what_systems_withhold(here: Path, option: list[str], said: str) -> None:
    """Three of the confidences are below .5, one of an answer that is withheld anyway."""
    head = "q_id\trun\tjudgement\tanswered\tconfidence\n"
    rows = ["1\ts\tR\tyes\t.9", "2\ts\tW\tyes\t.1", "1\tt\tR\tyes\t.2", "2\tt\tW\tno\t.3"]
    put_all(here, {"judged.tsv": head + "".join(f"{row}\n" for row in rows)})
    assert said in ave("check", "judged.tsv", *option, code=0).out
    document = document_of("check", "judged.tsv", *option)
    assert document["files"][0]["contents"]["withheld"] == int(said.split()[-2])
    policies = ave_score.Policies(threshold=float(option[1])) if option else None
    checked = ave_score.check("judged.tsv", policies=policies)
    assert checked.contents is not None and checked.contents["withheld"] == int(said.split()[-2])
    runs = document_of("score", "judged.tsv", *option)["runs"]
    assert sum(row["counts"]["unanswered"] for row in runs) == int(said.split()[-2])


@each("name", [*BARE_ROWS, *OF_PAIRS])
def test_runs_of_confidences_are_told_what_decides_them(here: Path, name: str) -> None:
    put_all(here, BESIDE | BARE_ROWS | OF_PAIRS)
    gold = "pairs.xml" if name in OF_PAIRS else "gold.xml"
    lacks_verdicts = name != "verdicts.txt"
    for call in (["score", gold, name], ["check", name, "--collection", gold], ["check", name]):
        out, err = ave(*call, code=int(lacks_verdicts))[1:]
        told = "--threshold T decides by confidences alone" in out + err
        assert told == lacks_verdicts, call


REFUSED = {
    ("run.txt", "gold.xml run.txt", "--ties rank"): "only TREC runs have ranks",
    ("gold.xml", "gold.xml run.txt", "--ties rank"): "only TREC runs have ranks",
    ("systems.tsv", "systems.tsv", "--ties rank"): "only TREC runs have ranks",
    ("log.json", "log.json --log scorer=match", "--ties rank"): "only TREC runs have ranks",
    ("systems.tsv", "systems.tsv", "--epochs each"): "replicate '2' of qa lacks 1 question",
    ("systems.tsv", "systems.tsv", "--threshold 0"): "has no confidence for a threshold in 1 of 3",
    ("trec.txt", "qrels.txt trec.txt", "--threshold 0"): "--threshold: not available for qrels",
    ("trec.txt", "qrels.txt trec.txt", "--ties rank"): "the rank is no whole number",
    ("qrels.txt", "qrels.txt trec.txt", "--unknown correct"): "--unknown: not available for qrels",
    ("open.json", "open.json responses.tsv", "--missing excluded"): "--missing: not available for",
    ("responses.tsv", "open.json responses.tsv", "--epochs first"): "--epochs: not available for",
}


@each("name, scored, policy", REFUSED)
def test_check_says_what_score_says_of_policies(
    here: Path, name: str, scored: str, policy: str
) -> None:
    """Also without a collection: by the kind of the file."""
    of_two = "1 qa R 1 0.9\n2 qa W 1 \n1 qa R 2 0.5\n"
    put_all(
        here,
        BESIDE
        | {"systems.tsv": table(of_two, "q_id run judgement replicate confidence")}
        | {"trec.txt": "1 Q0 1_1 a 7.5 a\n", "responses.tsv": RESPONSES, "log.json": inspect_log()},
    )
    reason = REFUSED[name, scored, policy]
    of_log = ["--log", "scorer=match"] * (name == "log.json")
    assert reason in ave("score", *scored.split(), *policy.split(), code=2).err
    assert reason in ave("check", name, *of_log, *policy.split(), code=2).err


BY_HAND = {
    "one.txt": "1 1_1 SELECTED 0.9\n1 1_2 REJECTED 0.2\n2 2_1 REJECTED 0.6\n2 2_2 SELECTED 0.7\n"
    "3 3_1 REJECTED 0.1\n",
    "two.txt": "1 1_1 REJECTED 0.1\n1 1_2 SELECTED 0.8\n2 2_1 SELECTED 0.9\n2 2_2 VALIDATED 0.7\n"
    "3 3_1 REJECTED 0.2\n",
}
"""What a threshold of .65 makes of the confidences."""


@each("command", ["compare", "stability --unit answers --resamples 20", "swap --resamples 20"])
def test_other_commands_decide_at_a_threshold_as_score(here: Path, command: str) -> None:
    bare = {f"bare/{name}": re.sub("[A-Z]+ ", "", text) for name, text in BY_HAND.items()}
    none = {f"none/{name}": re.sub("[A-Z]+ED", "REJECTED", text) for name, text in BY_HAND.items()}
    put_all(here, BESIDE | {f"hand/{name}": text for name, text in BY_HAND.items()} | bare | none)

    def figures(folder: str, *options: str) -> dict[str, object]:
        name, *more = command.split()
        call = [name, "gold.xml", f"{folder}/one.txt", f"{folder}/two.txt", *more, "-m", "f1"]
        document: dict[str, object] = json.loads(ave(*call, "-f", "json", *options, code=0).out)
        return {key: item for key, item in document.items() if key != "signature"}

    expected = figures("hand")
    assert figures("bare", "--threshold", "0.65") == expected
    assert figures("none", "--threshold", "0.65") == expected and figures("none") != expected
