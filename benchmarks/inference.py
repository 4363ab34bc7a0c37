"""Times the studies of measures and the bootstrap; see README.md in this folder."""

from __future__ import annotations

import argparse
import tempfile
import time
import tracemalloc
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np

from ave_score.core.model import AnswerIndex, Collection, Label, Run, Verdict
from ave_score.counts import SELECTION, VALIDATION
from ave_score.inference.by_question import ByQuestion, Floats
from ave_score.inference.counting import count_by_question
from ave_score.inference.resampling import Interval, Resampling, replicate
from ave_score.inference.samples import Sampling, Unit, count_units, score_samples
from ave_score.inference.stability import stability_curve
from ave_score.inference.swap import swap_counts
from ave_score.measures import parse_measures
from benchmarks.data import make
from benchmarks.results import Cell, Command, Table, benchmark, progress, ratios
from benchmarks.run import AVE_SCORE, files

ANSWERS = 7
LEVEL = 0.95
STUDIED = parse_measures("f1, qa_accuracy, c_at_1")
RESAMPLED = parse_measures("f1, qa_accuracy")

Intervals = dict[tuple[str, str], Interval]


def campaign(runs: int, questions: int) -> tuple[Collection, list[Run]]:
    """Make a collection and runs, each with its own chance of being right about an answer."""
    chance = np.random.default_rng(2007)
    ids = [f"{number:05d}" for number in range(questions)]
    index = AnswerIndex.of({q_id: {f"{q_id}_{a}": None for a in range(ANSWERS)} for q_id in ids})
    right = chance.random(len(index)) < 0.3
    labels = np.where(right, Label.VALIDATED, Label.REJECTED).astype(np.uint8).tobytes()
    made = []
    for number in range(runs):
        agrees = chance.random(len(index)) < 0.6 + 0.3 * number / runs
        accepted = (right == agrees).reshape(questions, ANSWERS)
        verdicts = np.where(accepted, Verdict.VALIDATED, Verdict.REJECTED).astype(np.uint8)
        rows = accepted.any(axis=1).nonzero()[0]
        verdicts[rows, accepted.argmax(axis=1)[rows]] = Verdict.SELECTED
        name = f"run{number:02d}"
        # nothing here looks at confidences or lines
        made.append(Run(name, name, index, verdicts.tobytes(), array("d"), array("l")))
    return Collection("made", "0" * 64, index, labels), made


def study(runs: int, questions: int, repetitions: int, samples: int) -> None:
    """Count, sample and compare, as `stability` (one sample) and `swap` (two) do."""
    collection, made = MADE[runs, questions]
    counted = count_units(made, collection, STUDIED, Unit.QUESTIONS)
    sampling = Sampling(None, repetitions)
    for sampled in score_samples(counted, Unit.QUESTIONS, STUDIED, sampling, samples):
        if samples == 1:
            stability_curve(sampled.scores[0])
        else:
            swap_counts(sampled.scores)


MADE: dict[tuple[int, int], tuple[Collection, list[Run]]] = {}


def seconds(function: Callable[[], object]) -> float:
    """Return how long a call takes."""
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def peak(function: Callable[[], object]) -> float:
    """Return the most memory that a call holds beside what there was, in MB."""
    tracemalloc.start()
    function()
    most = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    return most


def percentile(values: Floats, level: float) -> Interval:
    """Return the ends between which this share of the samples lies."""
    return Interval(*np.quantile(values, [(1 - level) / 2, (1 + level) / 2]))


def ours(counted: list[ByQuestion], resamples: int) -> Intervals:
    """Return intervals by `ave_score.inference.resampling`."""
    replicates = replicate(counted, RESAMPLED, Resampling(resamples))
    return {key: percentile(values, LEVEL) for key, values in replicates.items()}


def gathered(counted: list[ByQuestion], resamples: int) -> Intervals:
    """Return the same by taking the rows of every sample out of the columns of all runs."""
    columns = np.hstack([np.hstack([f1_columns(of_run), qa_columns(of_run)]) for of_run in counted])
    chance = np.random.default_rng(0)
    totals = np.stack(
        [
            columns[chance.integers(0, len(columns), len(columns))].sum(axis=0)
            for _ in range(resamples)
        ]
    ).reshape(resamples, len(counted), 5)
    f1, accuracy = f1_of(*totals[..., :3].T), totals[..., 3].T / len(columns)
    return {
        (of_run.run, measure.key): percentile(values[number], LEVEL)
        for number, of_run in enumerate(counted)
        for measure, values in zip(RESAMPLED, (f1, accuracy), strict=True)
    }


def by_scipy(counted: list[ByQuestion], resamples: int) -> Intervals:
    """Return the same by scipy, run by run and measure by measure."""
    from scipy.stats import bootstrap

    intervals = {}
    options = {"method": "percentile", "n_resamples": resamples, "batch": 100, "rng": 0}
    for of_run in counted:
        f1, accuracy = f1_columns(of_run).T, qa_columns(of_run)[:, :1].T
        for measure, data, statistic, paired in (
            (RESAMPLED[0], f1, f1_sum, True),
            (RESAMPLED[1], accuracy, np.mean, False),
        ):
            result = bootstrap(tuple(data), statistic, paired=paired, vectorized=True, **options)
            intervals[of_run.run, measure.key] = Interval(*result.confidence_interval)
    return intervals


def f1_columns(of_run: ByQuestion) -> Floats:
    """Return validated correct, validated incorrect and rejected correct of each question."""
    return np.asarray(of_run.columns[VALIDATION])[:, :3]


def qa_columns(of_run: ByQuestion) -> Floats:
    """Return whether the right answer was selected, and whether a wrong one was."""
    return np.asarray(of_run.columns[SELECTION])[:, :2]


def f1_of(right: Floats, wrong: Floats, missed: Floats) -> Floats:
    """Return F1 from its counts."""
    return 2 * right / (2 * right + wrong + missed)


def f1_sum(right: Floats, wrong: Floats, missed: Floats, axis: int) -> Floats:
    """Return F1 of the columns of samples."""
    return f1_of(right.sum(axis=axis), wrong.sum(axis=axis), missed.sum(axis=axis))


def studied(sizes: Sequence[int], repetitions: int, rounds: int) -> Table:
    """Time both studies at each size, in turns."""
    runs = 44
    calls: dict[str, Callable[[], object]] = {}
    for questions in sizes:
        MADE[runs, questions] = campaign(runs, questions)
        for name, samples in {"stability": 1, "swap": 2}.items():
            call = partial(study, runs, questions, repetitions, samples)
            calls[f"{name}, {questions:,} questions"] = call
    times = in_turns(calls, rounds)
    least = min(times.values())
    rows: list[list[Cell]] = [
        [name, times[name] / least, round(peak(call))] for name, call in calls.items()
    ]
    title = f"Studies: {runs} runs, {repetitions} repetitions, {len(STUDIED)} measures"
    return Table(title, ["", "time", "peak MB"], rows, IN_MEMORY)


def in_turns(calls: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the median seconds of each call."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            progress(name)
            times[name].append(seconds(call))
    return {name: median(several) for name, several in times.items()}


def resampled(questions: int, resamples: int, rounds: int) -> Table:
    """Time the bootstrap and its peers, in turns; the slow ones draw fewer resamples."""
    runs = 20
    collection, made = campaign(runs, questions)
    families = {measure.family for measure in RESAMPLED}
    counted = [count_by_question(run, collection, families) for run in made]
    plain = [
        of_run._replace(
            columns={family: np.asarray(rows) for family, rows in of_run.columns.items()}
        )
        for of_run in counted
    ]
    drawn = {"ave_score": resamples, "numpy gather": resamples // 20, "scipy": resamples // 100}
    goals = {"scipy": ">= 20"}
    calls = {
        name: partial(peer, counted if peer is ours else plain, drawn[name])
        for name, peer in zip(drawn, (ours, gathered, by_scipy), strict=True)
    }
    by_scipy(counted[:1], 2)  # its import is not what is timed
    times = {
        name: taken * resamples / drawn[name] for name, taken in in_turns(calls, rounds).items()
    }
    rows: list[list[Cell]] = []
    for name, call in calls.items():
        interval = call()["run00", "f1"]
        ratio = times[name] / times["ave_score"]
        judged = Command(name, [], goals.get(name, "")).judged(ratio, 0)
        extent = f"{interval.low:.3f}..{interval.high:.3f}"
        rows.append([name, ratio, round(peak(call)), judged, drawn[name], extent])
    title = f"Bootstrap: {runs} runs x {questions:,} questions, {resamples:,} resamples, 2 measures"
    heads = ["", "time", "peak MB", "goal (time)", "drawn", "F of a run"]
    text = f"{IN_MEMORY} Times with fewer resamples (*drawn*) are scaled to 10,000."
    return Table(title, heads, rows, text)


IN_MEMORY = (
    "In one process, with data in memory; *peak MB* is the memory of a call beside its data."
)

COMMANDS = ("score", "score --ci 95", "compare", "stability", "swap")

OF_CONFIDENCE = ("score -m auc", "score -m auc --ci 95", "compare -m auc")


def commands(
    tasks: Sequence[str], shape: tuple[int, int, int], repeats: int, before: str | None
) -> Iterator[Table]:
    """Compare whole processes with the first, and each with that of another version.

    `shape` has the numbers of runs, questions and answers a question.
    """
    runs, questions, answers = shape
    with tempfile.TemporaryDirectory() as name:
        progress("making data")
        make(Path(name), *shape, ("gold.tsv", ".txt"))
        gold, *paths = files(Path(name), "gold.tsv")
        words = {
            command: [command.split()[0], gold, *paths, *command.split()[1:]] for command in tasks
        }
        title = f"{runs} runs x {questions:,} questions of {answers} answers"
        ours = [Command(f"`{task}`", [AVE_SCORE, *words[task]]) for task in tasks]
        yield ratios(f"{title}: processes", ours, repeats)
        for command in tasks if before else ():
            versions = [
                Command("version before", [str(before), *words[command]]),
                Command("this version", [AVE_SCORE, *words[command]], "<= 0.5"),
            ]
            yield ratios(f"{title}: `{command}` beside another version", versions, repeats)


def tables(options: argparse.Namespace) -> Iterator[Table]:
    """Make the tables, each as soon as it is asked for."""
    questions, resamples = (1_000, 1_000) if options.quick else (10_000, 10_000)
    repetitions = 50 if options.quick else 500
    yield studied((500, questions), repetitions, min(options.repeats, 3))
    yield resampled(questions, resamples, min(options.repeats, 3))
    yield from commands(COMMANDS, (50, questions, 7), options.repeats, options.before)
    yield from commands(OF_CONFIDENCE, (2, 2 * questions, 1), options.repeats, options.before)


if __name__ == "__main__":
    benchmark("inference", __doc__, tables)
