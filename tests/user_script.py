"""A user's script, which mypy checks as strictly as this package (`test_python_types`)."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pandas as pd

import ave_score


def notebook(gold: Path, runs: list[Path]) -> pd.DataFrame:
    checked: ave_score.Checked = ave_score.check(runs[0], gold, kind="run")
    if checked.findings.errors:
        fixed: ave_score.FixedRun = ave_score.fix(runs[0], gold, unsafe=True)
        fixed.save("fixed.txt")
    found: pd.DataFrame = checked.to_frame()
    collection: ave_score.Collection = ave_score.read_collection(gold)
    read: list[ave_score.Run] = [ave_score.read_run(path, collection) for path in runs]
    policies = ave_score.Policies(intervals=ave_score.IntervalPolicy(level=90), unknown="incorrect")
    threshold: float | None = policies.threshold
    scores: ave_score.Scores = ave_score.score(
        collection, read, policies=policies, measures=["f1", *ave_score.parse_measures("ave2007")]
    )
    for row in scores.rows:
        value: Fraction | None = row.values["f1"]
        low: float = row.intervals["f1"].low
        print(row.run, row.kind is ave_score.Kind.AV, value, low, threshold)
    by_question: pd.DataFrame = ave_score.per_question(gold, read, measures="qa_accuracy")
    design = ave_score.Design("bootstrap", ave_score.Resampling(1000, seed=1), against="run")
    compared: ave_score.Compared = ave_score.compare(gold, runs, design=design)
    for comparison in compared.comparisons:
        p: list[float] = [pair.p for pair in comparison.pairs]
        print(p, [standing.ranks for standing in comparison.standings])
    compared.plot(width=3.3).save(Path("differences.pdf"))
    swept: ave_score.Swept = ave_score.sweep(gold, str(runs[0]), "f1")
    point = swept.best("run")
    decided: ave_score.Run = ave_score.decided_at(read[0], point.threshold)
    parts: ave_score.Breakdown = ave_score.break_down(gold, decided, "topic")
    sampling = ave_score.Sampling(resamples=10, unit="questions")
    stable: ave_score.StabilityStudy = ave_score.stability(gold, read, sampling=sampling)
    agreement = ave_score.Agreement(90)
    swaps: ave_score.SwapStudy = ave_score.swap(gold, read, agreement=agreement)
    agreed: ave_score.Agreed = ave_score.agree(read, collection=gold, verdicts="two")
    print([pair.figures.values["kappa"] for pair in agreed.pairs])
    drawing: ave_score.Drawing = ave_score.plot(gold, runs, figure="roc")
    print(drawing.figure.get_figwidth(), drawing.notes, stable.plot())
    run: ave_score.Run = ave_score.decide(
        ave_score.read_scores("scores.jsonl"), ave_score.DecisionPolicy(top_k=1)
    ).run
    built: ave_score.Built = ave_score.build(["a.tsv"], settings=ave_score.BuildSettings(lang="en"))
    lost: dict[str, int] = ave_score.convert(gold, "gold.csv")
    campaign: ave_score.Campaign = ave_score.campaign("campaign.toml", "results")
    frames = [one.to_frame() for one in campaign.scores.values()]
    frames += [
        swaps.to_frame(),
        parts.to_frame(),
        built.to_frame(),
        ave_score.stats(gold).to_frame(),
    ]
    texts: list[str] = [scores.to_text("latex", digits=3), repr(run), str(lost)]
    print(texts, len(frames), ave_score.RULES["AVE103"].help, by_question, compared.per_question())
    return found
