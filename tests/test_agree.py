"""Agreement of runs: worked examples, other libraries, missing answers, and the command `agree`."""

from __future__ import annotations

import csv
import functools
import io
import json
import random
import re
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import ave_score
from ave_score import Resampling
from ave_score.inference.agree import alpha_of, coincidences, sum_of_agreeing
from ave_score.inference.resampling import bca, weights
from tests import each
from tests.helpers_command import ave as ave_score_of
from tests.helpers_command import output, refusal

Judgements = npt.NDArray[np.uint8]

GOLD = "gold/tiny.xml"
TINY = ["sample_runs/tiny/bold.txt", "sample_runs/tiny/careful.txt"]
WORDS = {1: "REJECTED", 2: "VALIDATED", 3: "SELECTED"}


ave = functools.partial(ave_score_of, "agree")


def alpha(judges: Judgements, categories: int) -> Fraction | None:
    sizes, agreeing, others = coincidences(judges, categories)
    return alpha_of([int(one) for one in sizes.sum(axis=1)], sum_of_agreeing(agreeing, others))


@pytest.mark.parametrize(("rows", "printed"), [
    # Krippendorff 2011, section A: binary data, two observers, no missing values
    (["1211111121", "2221121111"], "0.095"),
    # section B: nominal data, two observers; a to e are 1 to 5
    (["112243335441", "212223335444"], "0.692"),
    # section C: any number of observers, missing values
    (["123321412...", "1233224125.3", ".3332342251.", "12332441251."], "0.743"),
])  # fmt: skip
def test_alpha_of_the_published_examples(rows: list[str], printed: str) -> None:
    codes = [[0 if code == "." else int(code) for code in row] for row in rows]
    found = alpha(np.array(codes, dtype=np.uint8), 5)
    assert found is not None and f"{float(found):.3f}" == printed


def test_the_tiny_runs_by_hand() -> None:
    """Of 10 answers, bold accepts 9 and careful 4, all of which bold accepts, too.

    They agree on 5; by chance on (9·4 + 1·6) / 10 = 4.2. They select the same answer to questions
    3 and 5 of the 5 for which either selects one. Of 20 judgements, 13 accept.
    """
    agreed = ave_score.agree(TINY)
    (pair,) = agreed.pairs
    assert pair.table == [[1, 0, 0], [5, 4, 0], [0, 0, 0]]
    assert pair.figures.values == {
        "agreement": Fraction(5, 10), "kappa": Fraction(5 * 10 - 42, 100 - 42),
        "overlap": Fraction(4, 9), "same_selected": Fraction(2, 5),
    }  # fmt: skip
    (overall,) = agreed.overall
    expected = Fraction(13**2 + 7**2, 20**2)
    assert overall.figures.values == {
        "alpha": 1 - Fraction(1, 2) / Fraction(2 * 13 * 7, 20 * 19),
        "fleiss_kappa": (Fraction(1, 2) - expected) / (1 - expected),
    }


def test_labels_are_one_more_judge() -> None:
    """Of the 9 answers with a label, careful is right on 7: 3 accepted, 4 rejected.

    It accepts 4 and the labels 4: by chance they agree on (4·4 + 5·5) / 9.
    """
    agreed = ave_score.agree(TINY, collection=GOLD)
    expected = [("careful", "labels"), ("bold", "labels"), ("bold", "careful")]
    assert [(pair.one.name, pair.other.name) for pair in agreed.pairs] == expected
    careful = agreed.pairs[0]
    assert careful.answers == 9
    assert careful.figures.values == {
        "agreement": Fraction(7, 9),
        "kappa": Fraction(7 * 9 - 41, 81 - 41),
        "overlap": Fraction(3, 5),
    }
    scores = ave_score.score(GOLD, TINY[1], measures="cohen_kappa, accuracy")
    assert scores.rows[0].values == {"cohen_kappa": Fraction(11, 20), "accuracy": Fraction(7, 9)}
    assert [len(one.judges) for one in agreed.overall] == [2, 3]
    assert "fleiss_kappa" not in agreed.overall[1].figures.values  # an UNKNOWN label is missing


def test_labels_of_a_judge_are_given_as_a_run() -> None:
    """As a run, and as the gold standard, labels agree with a run alike, and select nothing."""
    agreed = ave_score.agree([GOLD, *TINY])
    figures = {(pair.one.name, pair.other.name): pair.figures for pair in agreed.pairs}
    expected = ave_score.agree(TINY, collection=GOLD)
    for pair in expected.pairs[:2]:
        assert figures["tiny", pair.one.name].values == pair.figures.values
    assert agreed.overall[0].figures == expected.overall[1].figures
    _, out, _ = ave(GOLD, *TINY)
    assert "UNKNOWN labels, which are not judgements: tiny 1." in out
    assert re.search(r"^tiny +careful +9 +0\.78 +0\.55 +0\.60 +n/a$", out, re.M)
    _, out, _ = ave(GOLD, TINY[1], "--unknown", "incorrect")
    assert re.search(r"^tiny +careful +0\.80 ", out, re.M)  # 4_2 is rejected by both: 8 of 10


def test_three_verdicts_by_hand() -> None:
    """bold V S R V S S V V S S, careful S R R R R S V R R S: the same on 1_3, 3_1, 3_2 and 5_1.

    By chance on (1·6 [R] + 4·1 [V] + 5·3 [S]) / 10.
    """
    (pair,) = ave_score.agree(TINY, verdicts="three").pairs
    assert pair.table == [[1, 0, 0], [2, 1, 1], [3, 0, 2]]
    assert pair.figures.values["agreement"] == Fraction(4, 10)
    assert pair.figures.values["kappa"] == Fraction(4 * 10 - 25, 100 - 25)
    assert pair.figures.values["overlap"] == Fraction(4, 9)  # VALIDATED or SELECTED by both


def write_runs(
    folder: Path, seed: int, runs: int, questions: int = 12
) -> tuple[list[str], Judgements]:
    """Write legal random runs of 3 answers a question; return paths and verdicts, 1 to 3."""
    chance = random.Random(seed)
    paths, codes = [], []
    for number in range(runs):
        verdicts = [chance.choice([1, 1, 2]) for _ in range(3 * questions)]
        for question in range(questions):
            accepted = [at for at in range(3 * question, 3 * question + 3) if verdicts[at] == 2]
            if accepted:
                verdicts[chance.choice(accepted)] = 3
        path = folder / f"run{number}.txt"
        path.write_text(
            "".join(f"{at // 3} {at} {WORDS[one]} 0.5\n" for at, one in enumerate(verdicts))
        )
        paths.append(str(path))
        codes.append(verdicts)
    return paths, np.array(codes, dtype=np.uint8)


@each("seed", range(2))
@each("verdicts", ["two", "three"])
def test_pairs_equal_scikit_learn(tmp_path: Path, seed: int, verdicts: str) -> None:
    from sklearn.metrics import accuracy_score, cohen_kappa_score, jaccard_score

    paths, codes = write_runs(tmp_path, seed, 3)
    judged = np.minimum(codes, 2) if verdicts == "two" else codes
    pairs = {(p.one.name, p.other.name): p for p in ave_score.agree(paths, verdicts=verdicts).pairs}
    assert len(pairs) == 3
    for a, b in combinations(range(3), 2):
        found = pairs[f"run{a}", f"run{b}"].figures.values
        selected = [[{*np.flatnonzero(codes[run] == 3) // 3}, {*np.flatnonzero(codes[run] == 3)}]
                    for run in (a, b)]  # fmt: skip
        expected = {
            "agreement": accuracy_score(judged[a], judged[b]),
            "kappa": cohen_kappa_score(judged[a], judged[b]),
            "overlap": jaccard_score(codes[a] > 1, codes[b] > 1),
            "same_selected": len(selected[0][1] & selected[1][1])
            / len(selected[0][0] | selected[1][0]),
        }
        assert found == pytest.approx(expected)


@each("seed", range(3))
def test_fleiss_equals_statsmodels(tmp_path: Path, seed: int) -> None:
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    paths, codes = write_runs(tmp_path, seed, 4)
    (overall,) = ave_score.agree(paths, verdicts="three").overall
    expected = fleiss_kappa(aggregate_raters(codes.T)[0])
    assert float(overall.figures.values["fleiss_kappa"] or 0) == pytest.approx(expected)


@each("seed", range(40))
def test_alpha_equals_its_definition(seed: int) -> None:
    """1 - D_o / D_e, from every ordered pair of values: within a unit, and of all units."""
    chance = np.random.default_rng(seed)
    judges = chance.integers(0, 4, (chance.integers(2, 5), 8)).astype(np.uint8)
    units = [[int(code) for code in unit if code] for unit in judges.T]
    units = [unit for unit in units if len(unit) > 1]
    values = [value for unit in units for value in unit]
    n = len(values)
    observed = sum(
        Fraction(sum(a != b for a, b in product(unit, unit)), len(unit) - 1) for unit in units
    )
    expected = sum(a != b for a, b in product(values, values))
    found = alpha(judges, 3)
    assert found == (None if not expected else 1 - observed * (n - 1) / expected)


def test_intervals_are_those_of_samples_of_questions(tmp_path: Path) -> None:
    """Each sample is written out, answer by answer, and judged as a whole."""
    paths, codes = write_runs(tmp_path, 3, 2, questions=40)
    policy = ave_score.IntervalPolicy(level=90, resamples=200, seed=5)
    agreed = ave_score.agree(paths, policies=ave_score.Policies(intervals=policy))
    judged = np.minimum(codes, 2)

    def figures(times: npt.NDArray[np.int64]) -> list[float]:
        """Return kappa and alpha of a sample with each question so many times."""
        answers = np.repeat(np.arange(40), times)[:, None] * 3 + np.arange(3)
        one, other = judged[:, answers.ravel()]
        alike, chance = (one == other).mean(), 0.0
        for code in (1, 2):
            chance += (one == code).mean() * (other == code).mean()
        sizes = np.bincount(np.concatenate([one, other]))
        n = sizes.sum()
        expected = (n**2 - (sizes**2).sum()) / (n * (n - 1))
        return [(alike - chance) / (1 - chance), 1 - (1 - alike) / expected]

    once = np.ones(40, dtype=int)
    of_samples = np.array(
        [figures(times) for block in weights(40, Resampling(200, 5)) for times in block.astype(int)]
    )
    without_each = np.array([figures(once - left_out) for left_out in np.eye(40, dtype=int)])
    found = {**agreed.pairs[0].figures.intervals, **agreed.overall[0].figures.intervals}
    for key, value, samples, left in zip(
        ("kappa", "alpha"), figures(once), of_samples.T, without_each.T, strict=True
    ):
        assert found[key].method == "bca"
        assert found[key].interval == pytest.approx(bca(samples, value, left, 0.9), abs=1e-9)


@pytest.fixture
def partial(tmp_path: Path) -> str:
    """Write careful.txt without the answers to question 3, which it accepts as bold does."""
    path = tmp_path / "partial.txt"
    lines = Path(TINY[1]).read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if line[0] != "3"))
    return str(path)


def test_runs_of_other_answers_are_findings(partial: str) -> None:
    err = refusal("agree", TINY[0], partial, code=1)
    assert err.count("AVE204 no line for answers '3_1' and '3_2' of question '3'") == 1
    assert "nothing compared: 1 of 2 files has errors; every file needs the answers of bold" in err
    err = refusal("agree", partial, TINY[0], code=1)
    assert "AVE201" in err
    with pytest.raises(ave_score.UsageError, match="partial lacks 2 of 10 answers"):
        ave_score.agree([TINY[0], partial])


def test_missing_answers_may_be_rejected(partial: str) -> None:
    """Then both agree on 1_1, 1_3 and 5_1 only."""
    out = ave(TINY[0], partial, "--missing", "rejected", code=0).out
    assert re.search("^bold +partial +0.30 ", out, re.M)
    assert "Answers without a verdict, counted as REJECTED: partial 2." in out
    assert "|missing:rejected|" in out
    err = ave(TINY[0], partial, "--missing", "rejected", "--collection", GOLD, code=0).err
    assert "AVE207 warning: no line for answers '3_1' and '3_2' of" in err


@each("order", [(0, 1), (1, 0)])
def test_missing_answers_may_be_excluded(partial: str, order: tuple[int, int]) -> None:
    """Both judge 8 answers, of which bold accepts 7 and partial 2, and agree on 3.

    Of the questions that both judge, they select the same answer to question 5 only.
    """
    paths = [[TINY[0], partial][at] for at in order]
    out = output("agree", *paths, "--missing", "excluded", "-f", "json")
    document = json.loads(out)
    (pair,) = document["pairs"]
    assert pair["answers"] == 8
    assert pair["measures"] == {
        "agreement": 3 / 8,
        "kappa": pytest.approx((3 * 8 - (7 * 2 + 1 * 6)) / (8 * 8 - (7 * 2 + 1 * 6))),
        "overlap": 2 / 7,
        "same_selected": 1 / 4,
    }
    (overall,) = document["overall"]
    assert (document["answers"], overall["answers"]) == (10, 8)
    assert "fleiss_kappa" not in overall["measures"]
    _, out, _ = ave(*paths, "--missing", "excluded")
    assert "Answers without a verdict, left out of the pairs of the run: partial 2." in out
    assert re.search("bold +partial +8 +0.38 |partial +bold +8 +0.38 ", out)


def test_excluded_answers_of_a_collection_are_warnings(partial: str) -> None:
    """partial has no verdict on 2 of the 9 labelled answers, and errs on 5_1 and 2_2."""
    _, out, err = ave(partial, "--collection", GOLD, "--missing", "excluded", "-f", "csv")
    assert "left out" in err
    (row,) = csv.DictReader(io.StringIO(out))
    assert (row["answers"], row["agreement"]) == ("7", str(5 / 7))
    _, out, _ = ave(partial, "--collection", GOLD, "--missing", "excluded")
    assert "UNKNOWN labels, which are not judgements: labels 1." in out
    assert "left out of the pairs of the run: partial 2." in out


def test_a_run_of_pairs_and_one_of_answers(tmp_path: Path) -> None:
    path = tmp_path / "pairs.txt"
    path.write_text("1 YES 0.5\n2 NO 0.5\n")
    refusal("agree", str(path), TINY[0], code=1)
    err = refusal("agree", str(path), TINY[0], "--missing", "rejected")
    assert "some runs are about pairs" in err


def test_pairs_have_no_selections_and_shares_of_them_wilson_intervals(tmp_path: Path) -> None:
    from statsmodels.stats.proportion import proportion_confint

    paths = []
    for name, verdicts in (("a", "YES NO NO YES"), ("b", "YES NO YES YES")):
        path = tmp_path / f"{name}.txt"
        path.write_text("".join(f"{n} {word}\n" for n, word in enumerate(verdicts.split(), 1)))
        paths.append(str(path))
    _, out, _ = ave(*paths, "--ci", "95", "-f", "csv")
    (row,) = csv.DictReader(io.StringIO(out))
    expected = ("0.75", "0.6666666666666666", "")
    assert (row["agreement"], row["overlap"], row["same_selected"]) == expected
    low, high = proportion_confint(3, 4, method="wilson")
    assert float(row["agreement_low"]) == pytest.approx(low)
    assert float(row["agreement_high"]) == pytest.approx(high)
    _, out, _ = ave(*paths)
    assert "Agreement on 4 pairs" in out and "elected" not in out.replace("SELECTED", "")


@each("arguments, code, message", [
    ([], 2, "at least two runs needed"),
    (TINY[:1], 2, "at least two runs needed"),
    ([TINY[0], TINY[0]], 2, "is given twice"),
    ([*TINY, "--verdicts", "three", "--collection", GOLD], 2, "compare with --verdicts two"),
    ([TINY[0], GOLD, "--verdicts", "three"], 2, "tiny: labels are not SELECTED"),
    ([*TINY, "--key", GOLD], 2, "--key labels the answers of a --collection"),
    ([*TINY, "--cluster", "topic"], 2, "give --ci PERCENT, too"),
    ([*TINY, "--ci", "95", "--cluster", "topic"], 2, "no file or attribute 'topic'"),
    ([*TINY, "-o", TINY[0]], 2, "is also an input file"),
    ([TINY[0], "gold/ave2007-es.xml"], 2, "bold lacks 564 of 574 answers"),
    ([TINY[0], "gold/lists.json"], 1, "AVE116 this looks like"),
    ([TINY[0], "gold/tiny.qa.tsv"], 1, "AVE116 this looks like"),
    ([*TINY, "--collection", "gold/tiny.qa.tsv"], 2, "has no candidate answers"),
    ([*TINY, "--collection", "gold/ave2007-es.xml"], 1, "nothing compared: 2 of 2 files"),
    ([TINY[0], "none.txt"], 2, "none.txt"),
])  # fmt: skip
def test_what_cannot_be_compared_is_refused(arguments: list[str], code: int, message: str) -> None:
    found, out, err = ave(*arguments)
    assert (found, out) == (code, "")
    assert message in err


def test_judges_have_names_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "labels.txt"
    path.write_text(Path(TINY[0]).read_text())
    with pytest.raises(ave_score.UsageError, match="two judges are named 'labels'"):
        ave_score.agree(path, collection=GOLD)


@pytest.mark.parametrize("width", [60, 80])
def test_tables_fit_the_terminal(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    out = ave(*TINY, "--collection", GOLD, "--ci", "95", "--resamples", "100", code=0).out
    assert max(len(line) for line in out.splitlines() if "ave-score:" not in line) <= width
    assert "Caution: from fewer than 30 questions, bootstrap intervals are too narrow." in " ".join(
        out.split()
    )


def test_runs_that_always_agree_have_no_interval_of_kappa(tmp_path: Path) -> None:
    copy = tmp_path / "copy.txt"
    copy.write_text(Path(TINY[0]).read_text())
    _, out, _ = ave(TINY[0], str(copy), "--ci", "95")
    reason = "in 1 row: all bootstrap samples are equal, so they give no interval."
    assert f"No interval of Kappa {reason}" in out
    assert f"No interval of Krippendorff's alpha {reason}" in out
    _, out, _ = ave(TINY[0], str(copy), "--ci", "95", "-f", "json")
    (pair,) = json.loads(out)["pairs"]
    assert pair["measures"]["kappa"] == 1
    assert pair["no_interval"]["kappa"].startswith("all bootstrap samples are equal")


def test_of_many_pairs_a_terminal_shows_the_extremes(tmp_path: Path) -> None:
    paths, _ = write_runs(tmp_path, 1, 8, questions=5)
    _, out, _ = ave(*paths)
    rows = [line for line in out.splitlines() if line.startswith("run") and " run" in line]
    kappas = [float(row.split()[3]) for row in rows]
    assert len(rows) == 20
    assert kappas == sorted(kappas, reverse=True)
    assert "20 of 28 pairs: 10 of the highest and 10 of the lowest kappa; csv and json" in out
    _, out, _ = ave(*paths, "-f", "csv")
    assert len(out.splitlines()) == 29
    every = sorted((float(row["kappa"]) for row in csv.DictReader(io.StringIO(out))), reverse=True)
    found = [round(one, 2) for one in (*every[:10], *every[-10:])]
    assert found == pytest.approx(kappas, abs=0.011)
    _, out, _ = ave(*paths, "-f", "json")
    assert len(json.loads(out)["pairs"]) == 28


def test_clusters_of_questions_are_sampled_together(tmp_path: Path) -> None:
    """With each question its own cluster, intervals of shares of answers stay as they are."""
    alone, pairs = tmp_path / "alone.tsv", tmp_path / "pairs.tsv"
    alone.write_text("q_id\tcluster\n" + "".join(f"{n}\tc{n}\n" for n in range(12)))
    pairs.write_text("q_id\tcluster\n" + "".join(f"{n}\tc{n // 2}\n" for n in range(12)))
    paths, _ = write_runs(tmp_path, 2, 2)
    ends = []
    for options in ([], ["--cluster", str(alone)], ["--cluster", str(pairs)]):
        _, out, _ = ave(*paths, "--ci", "95", *options, "-f", "csv")
        (row,) = csv.DictReader(io.StringIO(out))
        ends.append((row["kappa_low"], row["kappa_high"]))
    assert ends[0] == ends[1] != ends[2]
