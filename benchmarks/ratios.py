"""Ratios of equally good runs that accept different amounts: what tests and intervals do.

`python -m benchmarks.ratios` makes pairs of runs whose F, precision, kappa, MCC, c@1 or recall is
equal for infinitely many questions, of which one accepts nearly everything and the other what it is
sure of. Such runs are not exchangeable. The tables of docs/explanation/simulated-tests.md are:

- how often a test calls the runs different at 0.05, and at the level that Holm's correction leaves
  for a pair of 33 runs;
- how often the ranges of ranks contain the true ranks of all runs;
- how often the interval of a difference contains the true difference;
- the power predicted and observed, and how often runs that differ by the margin are equivalent.

Results depend only on the seed, which each case has for itself. Most pairs need no swaps: p of the
swap test of a ratio is not less than that of t, so only pairs with a small p of t are tested.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from statistics import fmean

import numpy as np

from ave_score.inference.power import equivalence, power
from ave_score.inference.student import quantile
from ave_score.measures import parse_measures
from benchmarks.simulations import head, row, run
from benchmarks.unlike import Case, Kind

F1, PRECISION, KAPPA, MCC, C_AT_1, RECALL = parse_measures(
    "f1, precision, cohen_kappa, mcc, c_at_1, recall"
)
TESTS = ("t", "randomisation")
LEVEL, MARGIN = 0.05, 0.1
OF_33_RUNS = LEVEL / (33 * 32 / 2)
SIZES = (10, 20, 60, 170, 600)

# --- what is measured


def share_found(
    case: Case, questions: int, campaigns: dict[str, int], level: float = LEVEL
) -> dict[str, float]:
    """Return the share of campaigns in which tests find any difference at a level.

    Parameters
    ----------
    campaigns
        Their number for each test.
    level
        The p up to which a pair is different.
    """
    times: Counter[str] = Counter()
    done, pairs = 0, list(combinations(range(len(case.kinds)), 2))
    border = quantile(level, questions // case.cluster - 1) * 0.999
    for counts in case.blocks(questions, max(campaigns.values())):
        far = case.statistics(counts)
        if case.pair(counts[0, :2], 0).is_of_means:
            far[:] = np.inf
        for runs, statistics in zip(counts, far, strict=True):
            for test, most in campaigns.items():
                times[test] += done < most and any(
                    case.pair(runs[[i, j]], done).p(test, level) <= level
                    for i, j in pairs
                    if not statistics[i, j] < border
                )
            done += 1
    return {test: times[test] / most for test, most in campaigns.items()}


def covered(case: Case, questions: int, campaigns: int) -> float:
    """Return how often intervals of the difference of two runs contain the true one."""
    inside = known = done = 0
    border = quantile(LEVEL, questions // case.cluster - 1) * 0.999
    for counts in case.blocks(questions, campaigns):
        errors = np.abs(np.diff(case.values(counts))[:, 0] + case.true)
        far = case.statistics(counts, case.true)[:, 0, 1]
        for runs, error, statistic in zip(counts, errors.tolist(), far.tolist(), strict=True):
            # no margin is less than that of t
            margin = np.inf if statistic < border else case.pair(runs, done).swaps().margin(LEVEL)
            known += not np.isnan(margin + error)
            inside += error <= margin + 1e-9
            done += 1
    return inside / max(known, 1)


def planned(case: Case, questions: int, campaigns: int) -> tuple[float, float, float]:
    """Return the predicted power, and how often the runs are different and equivalent."""
    predicted, different, equivalent = [], [], []
    for counts in case.blocks(questions, campaigns):
        seen = -np.diff(case.values(counts))[:, 0]
        for number, (runs, difference) in enumerate(zip(counts, seen.tolist(), strict=True)):
            pair = case.pair(runs, number)
            swaps = pair.swaps()
            deviation = swaps.deviation
            if not np.isnan(difference):
                predicted.append(power(case.true, deviation, questions, LEVEL))
                different.append(pair.p("randomisation", LEVEL) <= LEVEL)
                p = equivalence(difference, deviation, swaps.free, questions, MARGIN)
                equivalent.append(p <= LEVEL)
    return fmean(predicted), fmean(different), fmean(equivalent)


# --- the cases

EQUAL = (
    Case("F, recall 1.00 and 0.35", F1, ()).matched((1.0, 0.467), (0.35, 0.467)),
    Case("F, recall 0.95 and 0.50", F1, ()).matched((0.95, 0.467), (0.5, 0.467)),
    Case("F, recall 1.00 and 0.35, 1 of 10 correct", F1, (), 10).matched(
        (1.0, 0.467), (0.35, 0.467)
    ),
    Case("F, recall 1.00 and 0.35, errors alike", F1, (), alike=(0.3, 0.3)).matched(
        (1.0, 0.467), (0.35, 0.467)
    ),
    Case("F, recall 1.00 and 0.35, 1 to 32 answers", F1, (), is_uneven=True).matched(
        (1.0, 0.467), (0.35, 0.467)
    ),
    Case("F, exchangeable", F1, ()).matched((0.7, 0.467), (0.7, 0.467)),
    Case("precision, recall 0.95 and 0.50", PRECISION, ()).matched((0.95, 0.4), (0.5, 0.4)),
    Case("precision, recall 0.95 and 0.50, 1 of 10 correct", PRECISION, (), 10).matched(
        (0.95, 0.4), (0.5, 0.4)
    ),
    Case("precision, recall 0.95 and 0.05", PRECISION, ()).matched((0.95, 0.4), (0.05, 0.4)),
    Case("precision, exchangeable", PRECISION, ()).matched((0.6, 0.4), (0.6, 0.4)),
)
LESS_OFTEN = (
    Case("kappa, recall 0.95 and 0.50", KAPPA, ()).matched((0.95, 0.3), (0.5, 0.3)),
    Case("MCC, recall 0.95 and 0.50", MCC, ()).matched((0.95, 0.3), (0.5, 0.3)),
    Case("c@1, 100 % and 61 % answered", C_AT_1, ()).matched((0.5, 0.5), (0.36, 0.5)),
)
OF_MEANS = Case("recall, 83 % and 23 % accepted", RECALL, (Kind(0.6, 0.9), Kind(0.6, 0.1)))
CAUTIOUS = Case("precision, recall 0.95 and 0.15", PRECISION, ()).matched((0.95, 0.4), (0.15, 0.4))
CLUSTERS = (
    Case("F, recall 1.00 and 0.35", F1, (), cluster=5, of_cluster=0.3).matched(
        (1.0, 0.467), (0.35, 0.467)
    ),
    Case("precision, recall 0.95 and 0.50", PRECISION, (), cluster=5, of_cluster=0.3).matched(
        (0.95, 0.4), (0.5, 0.4)
    ),
)
UNEQUAL = (
    Case("F +0.10, recall 1.00 and 0.35", F1, ()).matched((1.0, 0.467), (0.35, 0.367)),
    Case("F -0.10, recall 1.00 and 0.40", F1, ()).matched((1.0, 0.42), (0.4, 0.52)),
    Case("precision -0.20, recall 0.95 and 0.50", PRECISION, ()).matched((0.95, 0.4), (0.5, 0.6)),
    Case("precision -0.30, recall 0.95 and 0.15", PRECISION, ()).matched((0.95, 0.4), (0.15, 0.7)),
)
AT_MARGIN = (
    UNEQUAL[0],
    Case("precision -0.10, recall 0.95 and 0.50", PRECISION, ()).matched((0.95, 0.4), (0.5, 0.5)),
)


def ranked(runs: int) -> Case:
    """Return runs of equal F, from one that accepts nearly everything to a cautious one."""
    chances = [(float(recall), 0.467) for recall in np.linspace(1, 0.35, runs)]
    return Case(f"{runs} runs", F1, ()).matched(*chances)


# --- tables


def lines(campaigns: int) -> Iterator[str]:
    """Yield the tables in Markdown."""
    few, most = max(campaigns // 10, 1), dict.fromkeys(TESTS, campaigns)
    yield from head(["equal measure", "test", *(f"n = {size}" for size in SIZES)])
    for case in (*EQUAL, *LESS_OFTEN, OF_MEANS):
        number = dict.fromkeys(TESTS, few) if case is OF_MEANS else dict(most)
        if case in LESS_OFTEN:
            number.update(t=max(campaigns // 2, 1), randomisation=max(campaigns // 2, 1))
        yield from _rows(case, [share_found(case, size, number) for size in SIZES])
    yield ""
    yield from head(["30 clusters of 5 questions", *TESTS])
    for case in CLUSTERS:
        yield row(case.title, *share_found(case, 150, most).values())
    yield ""
    yield from head(["level of 33 runs, n = 170", *(f"{test}, by the level" for test in TESTS)])
    number = dict.fromkeys(TESTS, 40 * campaigns)
    for case in (EQUAL[0], EQUAL[1], EQUAL[5], EQUAL[6], CAUTIOUS, EQUAL[8]):
        shares = share_found(case, 170, number, OF_33_RUNS)
        yield row(case.title, *(share / OF_33_RUNS for share in shares.values()), digits=1)
    yield ""
    yield from head(["all ranks covered, equal F", *TESTS])
    for runs, part in ((3, 1), (15, 4)):
        number = dict.fromkeys(TESTS, max(campaigns // (2 * part), 1))
        for size in (60, 170):
            shares = share_found(ranked(runs), size, number, LEVEL / (runs * (runs - 1) / 2))
            yield row(f"{runs} runs, n = {size}", *(1 - share for share in shares.values()))
    yield ""
    yield from head(["difference", *(f"n = {size}" for size in SIZES[1:])])
    for case in UNEQUAL:
        yield row(case.title, *(covered(case, size, campaigns) for size in SIZES[1:]))
    yield ""
    yield from head(["difference", "n", "power predicted", "power", f"equivalent by {MARGIN}"])
    for case in AT_MARGIN:
        for size in SIZES[2:]:
            yield row(case.title, str(size), *planned(case, size, max(campaigns // 4, 1)))


def _rows(case: Case, sizes: Sequence[dict[str, float]]) -> Iterator[str]:
    for test in sizes[0]:
        yield row(case.title, test, *(shares[test] for shares in sizes))


if __name__ == "__main__":
    run(__doc__, 4000, lines)
