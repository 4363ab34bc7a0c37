"""What a user would write or call instead: `python -m benchmarks.peers NAME FOLDER`.

The scripts check nothing. They read a plain table of labels (gold.tsv) and the runs (run*.txt) of
a folder; the evaluators of TREC read qrels.txt and run*.trec, which have the same decisions.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from statistics import fmean

RUN = ("q_id", "a_id", "verdict", "confidence")

Command = Callable[[Path], list[str]]


def figures(run: str, questions: int, *counts: int) -> None:
    """Print precision, recall, F1 and QA accuracy from counts."""
    both, validated, correct, right = counts
    print(
        run, both / validated, both / correct, 2 * both / (validated + correct), right / questions
    )


def duckdb(folder: Path) -> None:
    """Join and count in SQL."""
    import duckdb

    columns = dict.fromkeys(RUN[:3], "VARCHAR") | {"confidence": "DOUBLE"}
    query = f"""
        WITH gold AS (FROM read_csv('{folder}/gold.tsv', all_varchar = true))
        SELECT filename, (SELECT count(DISTINCT q_id) FROM gold),
            count(*) FILTER (label = 'VALIDATED' AND verdict != 'REJECTED'),
            count(*) FILTER (verdict != 'REJECTED'),
            count(*) FILTER (label = 'VALIDATED'),
            count(*) FILTER (label = 'VALIDATED' AND verdict = 'SELECTED')
        FROM read_csv('{folder}/run*.txt', filename = true, sep = ' ', header = false,
            columns = {columns})
        JOIN gold USING (q_id, a_id) GROUP BY filename ORDER BY filename"""
    for row in duckdb.execute(query).fetchall():
        figures(*row)


def polars(folder: Path) -> None:
    """Join and count in one lazy query."""
    import polars as pl

    gold = pl.scan_csv(folder / "gold.tsv", separator="\t", infer_schema=False)
    schema = dict.fromkeys(RUN[:3], pl.String) | {"confidence": pl.Float64}
    runs = pl.scan_csv(
        folder / "run*.txt",
        separator=" ",
        has_header=False,
        schema=schema,
        include_file_paths="run",
    )
    correct, validated = pl.col("label") == "VALIDATED", pl.col("verdict") != "REJECTED"
    counts = (correct & validated, validated, correct, correct & (pl.col("verdict") == "SELECTED"))
    sums = [condition.sum().alias(f"count{number}") for number, condition in enumerate(counts)]
    joined = runs.join(gold, on=["q_id", "a_id"])
    result = joined.group_by("run").agg(pl.col("q_id").n_unique(), *sums).sort("run")
    for row in result.collect().rows():
        figures(*row)


def polars_column(folder: Path) -> None:
    """Read only the verdicts; rows in another order would be scored wrongly without a word."""
    import polars as pl

    gold = pl.read_csv(folder / "gold.tsv", separator="\t", infer_schema=False)
    questions, correct = gold["q_id"].n_unique(), gold["label"] == "VALIDATED"
    for path in sorted(folder.glob("run*.txt")):
        verdicts = pl.read_csv(path, separator=" ", has_header=False, columns=[2]).to_series()
        validated, selected = verdicts != "REJECTED", verdicts == "SELECTED"
        counts = (correct & validated, validated, correct, correct & selected)
        figures(path.stem, questions, *(int(condition.sum()) for condition in counts))


def pyarrow(folder: Path) -> None:
    """Compare columns; rows in another order would be scored wrongly without a word."""
    import numpy as np
    import pyarrow.compute as pc
    from pyarrow import csv

    gold = csv.read_csv(folder / "gold.tsv", parse_options=csv.ParseOptions(delimiter="\t"))
    questions = len(pc.unique(gold["q_id"]))
    correct = pc.equal(gold["label"], "VALIDATED").to_numpy()
    names, spaces = csv.ReadOptions(column_names=RUN), csv.ParseOptions(delimiter=" ")
    for path in sorted(folder.glob("run*.txt")):
        verdicts = csv.read_csv(path, names, spaces)["verdict"]
        validated = pc.not_equal(verdicts, "REJECTED").to_numpy()
        selected = pc.equal(verdicts, "SELECTED").to_numpy()
        counts = (correct & validated, validated, correct, correct & selected)
        figures(path.stem, questions, *(int(np.count_nonzero(condition)) for condition in counts))


def pandas(folder: Path) -> None:
    """Read and join with pandas, score with scikit-learn."""
    import pandas as pd
    from sklearn.metrics import precision_recall_fscore_support

    gold = pd.read_csv(folder / "gold.tsv", sep="\t", dtype=str)
    for path in sorted(folder.glob("run*.txt")):
        run = pd.read_csv(path, sep=" ", names=RUN, dtype=str)
        both = gold.merge(run, on=["q_id", "a_id"])
        correct, validated = both["label"] == "VALIDATED", both["verdict"] != "REJECTED"
        scores = precision_recall_fscore_support(correct, validated, average="binary")
        right = (both["verdict"] == "SELECTED") & correct
        print(path.stem, *scores[:3], right.sum() / gold["q_id"].nunique())


def pytrec_eval(folder: Path) -> None:
    """Read with pytrec_eval's own parsers, and average over questions."""
    import pytrec_eval

    with (folder / "qrels.txt").open() as lines:
        qrels = pytrec_eval.parse_qrel(lines)
    names = ("map", "recip_rank", "success_1")
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"map", "recip_rank", "success.1"})
    for path in sorted(folder.glob("run*.trec")):
        with path.open() as lines:
            results = evaluator.evaluate(pytrec_eval.parse_run(lines)).values()
        print(path.stem, *(fmean(result[name] for result in results) for name in names))


def ranx(folder: Path) -> None:
    """Read and evaluate with ranx."""
    import ranx

    qrels = ranx.Qrels.from_file(str(folder / "qrels.txt"), kind="trec")
    for path in sorted(folder.glob("run*.trec")):
        run = ranx.Run.from_file(str(path), kind="trec")
        scores = ranx.evaluate(qrels, run, ["map", "mrr", "hit_rate@1"], make_comparable=True)
        print(path.stem, *map(float, scores.values()))


def script(function: Callable[[Path], None]) -> Command:
    """Return what runs a function of this module in a process of its own."""
    return lambda folder: [sys.executable, __file__, function.__name__, str(folder)]


def each_run(command: str) -> Command:
    """Return what calls a program for the judgements and each TREC run of a folder."""
    loop = f'for run in "$0"/run*.trec; do {command}; done'
    return lambda folder: ["bash", "-ec", loop, str(folder)]


@dataclass(frozen=True)
class Peer:
    """A program that computes what ave_score computes.

    Attributes
    ----------
    name
        As tables show it.
    command
        The words of the command that prints the figures of all runs of a folder.
    needs
        The module or the program that it needs.
    goal
        How many times the time of `ave-score score` it should take at least.
    measures
        What it prints of each run, in its order, by the names of ave_score.
    """

    name: str
    command: Command
    needs: str
    goal: float | None = None
    measures: tuple[str, ...] = ("precision", "recall", "f1", "qa_accuracy")

    def is_here(self) -> bool:
        """Return whether it can run on this machine."""
        return find_spec(self.needs) is not None or which(self.needs) is not None


RANKED = ("map", "mrr", "hit@1")
TREC_EVAL = 'trec_eval -m map -m recip_rank -m success.1 "$0/qrels.txt" "$run"'
IR_MEASURES = 'ir_measures "$0/qrels.txt" "$run" AP RR Success@1'

FASTEST = 1 / 2.2
"""The fastest script that checks nothing may be that many times as fast."""

PEERS = (
    Peer("polars, verdicts only, rows in order", script(polars_column), "polars", FASTEST),
    Peer("polars", script(polars), "polars"),
    Peer("DuckDB", script(duckdb), "duckdb"),
    Peer("pyarrow + numpy, rows in order", script(pyarrow), "pyarrow"),
    Peer("pandas + scikit-learn", script(pandas), "sklearn", 3.0),
    Peer("pytrec_eval", script(pytrec_eval), "pytrec_eval", 2.0, RANKED),
    Peer("trec_eval, one call per run", each_run(TREC_EVAL), "trec_eval", 5.0, RANKED),
    Peer("ir_measures, one call per run", each_run(IR_MEASURES), "ir_measures", 15.0, RANKED),
    Peer("ranx", script(ranx), "ranx", 15.0, RANKED),
)

if __name__ == "__main__":
    globals()[sys.argv[1]](Path(sys.argv[2]))
