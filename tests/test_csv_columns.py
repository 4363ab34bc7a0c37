"""The columns of CSV are the same, whatever the data are."""

from __future__ import annotations

from pathlib import Path

import ave_score
from tests import each
from tests.helpers_command import ave, put_all

GOLD = (
    '<ave><q id="1"><q_str>?</q_str><a id="1" value="VALIDATED"/><a id="2" value="REJECTED"/></q>'
)
GOLD += (
    '<q id="2"><q_str>?</q_str><a id="1" value="REJECTED"/><a id="2" value="VALIDATED"/></q></ave>'
)
ONE = "1 1 SELECTED 0.9\n1 2 REJECTED 0.1\n2 1 REJECTED 0.2\n2 2 SELECTED 0.8\n"
OTHER = ONE.replace("2 1 REJECTED 0.2\n2 2 SELECTED", "2 1 SELECTED 0.9\n2 2 REJECTED")
JUDGED = "q_id\trun\tjudgement\treplicate\n1\ts\tR\t{0}\n2\ts\tW\t{0}\n"
QRELS = "1 0 a 1\n1 0 b 0\n2 0 c 1\n"
RANKED = "1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n2 Q0 c 1 2 x\n"
SAMPLES = '{{"q_id": "{q}", "a_id": "{a}", "score": {s}, "correct": {c}, "answer": "x"}}\n'

FILES = {
    "gold.xml": GOLD,
    "unlike/a.txt": ONE,
    "unlike/b.txt": OTHER,
    "equal/a.txt": ONE,
    "equal/b.txt": ONE,
    "teams/one/a.txt": ONE,
    "teams/two/b.txt": OTHER,
    "qrels": QRELS,
    "ranked/a.run": RANKED,
    "ranked/b.run": RANKED.replace("1 2 x", "1 0.5 x"),
    "same/a.run": RANKED,
    "same/b.run": RANKED,
    "once.tsv": JUDGED.format(1),
    "often.tsv": JUDGED.format(1) + JUDGED.format(2).partition("\n")[2],
    "few.jsonl": "".join(
        SAMPLES.format(q=q, a=a, s=a / 9, c=str(a == 1).lower()) for q in (1, 2) for a in (1, 2)
    ),
    "flat.jsonl": "".join(
        SAMPLES.format(q=q, a=a, s=1, c=str(a == 1).lower()) for q in (1, 2) for a in (1, 2)
    ),
}
FILES["equal.tsv"] = FILES["once.tsv"] + FILES["once.tsv"].partition("\n")[2].replace("s", "t")
_SET = '{"type": "list", "question": "?", "sets": [{"answers": [["a"], ["b"]]}], "id": '
FILES["lists.json"] = f'{{"schema": "ave-score/answer-sets/1", "questions": [{_SET}"1"}}]}}'
FILES |= dict.fromkeys(("list.tsv", "list-2.tsv"), "q_id\tanswer\n1\ta\n")
FILES["teams.tsv"] = "run\tteam\na\tone\nb\ttwo\n"
FILES["primary.tsv"] = "run\tteam\tprimary\na\tone\tyes\nb\ttwo\tyes\n"
for _word, _runs in (("unlike", "unlike/*.txt"), ("equal", "equal/*.txt")):
    FILES[f"{_word}.toml"] = (
        f'[editions.e.languages.l]\ncollection = "gold.xml"\nruns = "{_runs}"\n'
    )
FILES["timed.toml"] = FILES["unlike.toml"] + 'submitted = "times.tsv"\n'
FILES["primary.toml"] = FILES["unlike.toml"] + 'primary = "a"\n'
FILES["times.tsv"] = "run\tsubmitted\na\t2026-01-01T00:00:00Z\nb\t2026-01-02T00:00:00Z\n"


@each("first, second", [
    ("score gold.xml unlike", "score gold.xml equal"),  # which has a note
    ("score gold.xml unlike", "score gold.xml teams"),
    ("score gold.xml unlike --teams teams.tsv", "score gold.xml unlike --teams primary.tsv"),
    ("score gold.xml unlike", "score gold.xml unlike --primary a"),
    ("score gold.xml unlike --replicates folder", "score gold.xml teams --replicates folder"),
    ("score qrels ranked", "score qrels same"),
    ("score once.tsv", "score often.tsv"),
    ("score once.tsv", "score equal.tsv"),
    ("score once.tsv --ci 95 --resamples 100", "score often.tsv --ci 95 --resamples 100"),
    ("score lists.json list.tsv", "score lists.json list.tsv list-2.tsv"),
    ("score gold.xml unlike --sweep f1", "score gold.xml equal --sweep f1"),
    ("compare gold.xml unlike -m f1 --resamples 100",
     "compare gold.xml teams -m f1 --resamples 100"),
    ("compare qrels ranked -m AP --resamples 100", "compare qrels same -m AP --resamples 100"),
    ("score gold.xml unlike --ci 95 --resamples 100 --breakdown g.tsv",
     "score gold.xml equal --ci 95 --resamples 100 --breakdown g.tsv"),
    ("decide few.jsonl --curve", "decide flat.jsonl --curve"),
    ("stats gold.xml", "stats qrels"),
    ("campaign list unlike.toml", "campaign list timed.toml"),
    ("agree unlike", "agree equal"),
    ("stability gold.xml unlike -m f1 --resamples 10",
     "stability gold.xml equal -m f1 --resamples 10"),
    ("swap gold.xml unlike -m f1 --resamples 10",
     "swap gold.xml equal -m f1 --resamples 10"),
])  # fmt: skip
def test_columns_depend_on_no_data(tmp_path: Path, first: str, second: str) -> None:
    put_all(tmp_path, FILES | {"g.tsv": "1\tx\n2\ty\n"})
    heads = []
    for line in (first, second):
        words = [
            str(tmp_path / word) if (tmp_path / word).exists() else word for word in line.split()
        ]
        said = ave(*words, "-f", "csv", code=0)
        heads.append(said.out.partition("\n")[0])
    assert heads[0] == heads[1]


def test_files_of_questions_and_campaigns_have_the_same_columns(tmp_path: Path) -> None:
    put_all(tmp_path, FILES)
    rows = tmp_path / "rows.csv"
    heads = set()
    for gold, *runs in (["gold.xml", "unlike"], ["gold.xml", "equal"], ["once.tsv"], ["often.tsv"]):
        paths = [tmp_path / name for name in (gold, *runs)]
        assert ave("score", *paths, "--per-question", rows).code == 0
        heads.add(rows.read_text().partition("\n")[0])
        frame = ave_score.per_question(paths[0], paths[1:])
        heads.add(",".join(["run,question", *frame.columns]))
    assert len(heads) == 1
    heads = set()
    for name in ("unlike", "equal", "primary"):
        out = tmp_path / f"out-{name}"
        assert ave("campaign", tmp_path / f"{name}.toml", "-o", out).code == 0
        heads.add((out / "e/l.csv").read_text().partition("\n")[0])
    assert len(heads) == 1
