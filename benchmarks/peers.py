"""What a user would write instead: `python peers.py pandas|pytrec_eval FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path


def with_pandas(folder: Path) -> None:
    """Read with pandas, score with scikit-learn; labels from the qrels, which are quicker."""
    import pandas as pd
    from sklearn.metrics import precision_recall_fscore_support

    gold = pd.read_csv(folder / "qrels.txt", sep=" ", names=["q", "x", "a", "label"], dtype=str)
    for path in sorted(folder.glob("run*.txt")):
        run = pd.read_csv(path, sep=" ", names=["q", "a", "verdict", "confidence"], dtype=str)
        both = gold.merge(run, on=["q", "a"])
        correct, accepted = both["label"] == "1", both["verdict"] != "REJECTED"
        figures = precision_recall_fscore_support(correct, accepted, average="binary")
        selected = both[both["verdict"] == "SELECTED"]
        accuracy = (selected["label"] == "1").sum() / gold["q"].nunique()
        print(path.stem, *figures[:3], accuracy)


def with_pytrec_eval(folder: Path) -> None:
    """Read qrels and TREC runs with pytrec_eval's own parsers, and evaluate MRR and precision."""
    import pytrec_eval

    with (folder / "qrels.txt").open() as lines:
        evaluator = pytrec_eval.RelevanceEvaluator(
            pytrec_eval.parse_qrel(lines), {"recip_rank", "P_1", "set_F"}
        )
    for path in sorted(folder.glob("run*.trec")):
        with path.open() as lines:
            results = evaluator.evaluate(pytrec_eval.parse_run(lines))
        print(path.stem, sum(one["recip_rank"] for one in results.values()) / len(results))


if __name__ == "__main__":
    {"pandas": with_pandas, "pytrec_eval": with_pytrec_eval}[sys.argv[1]](Path(sys.argv[2]))
