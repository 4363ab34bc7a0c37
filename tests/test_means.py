"""One figure of several measures: `mean(...)`, `harmonic_mean(...)` and `1-...`, as any measure.
Expected are figures calculated by hand. PAN ranks systems of authorship verification by the mean of
AUC, c@1, F1, F0.5u and the complement of the Brier score."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

import ave_score
from ave_score import Policies, UsageError
from tests.helpers_command import ave, document_of, output, put_all, refusal
from tests.helpers_files import put

PAN = "mean(auc,c_at_1_pan,f1,f_05_u,1-brier)"
KEY = "mean(auc, c_at_1_pan, f1, f_05_u, 1-brier)"
GOLD = "p1\tYES\np2\tNO\np3\tYES\np4\tNO\n"
RUN, OTHER = "p1\t0.9\np3\t0.8\np4\t0.7\n", "p1\t0.9\np2\t0.2\np3\t0.8\np4\t0.1\n"
BY_HALF = ["--threshold", "0.5", "--missing", "unanswered"]

OVERALL = (1 + Fraction(5, 8) + Fraction(4, 5) + Fraction(2, 3) + 1 - Fraction(79, 400)) / 5
"""The five are calculated in `test_unanswered`."""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    return put(tmp_path, GOLD, "gold.tsv"), put(tmp_path, RUN), put(tmp_path, OTHER, "other.txt")


def test_the_official_figure_of_pan_is_this_mean() -> None:
    (measure,) = ave_score.parse_measures(PAN)
    assert measure.key == KEY
    assert measure.function([Fraction(n, 10) for n in (9, 8, 7, 6, 5)]) == Fraction(7, 10)


def test_runs_are_ranked_by_it(files: tuple[Path, Path, Path]) -> None:
    said = output("score", files[0], files[2], "-m", PAN, *BY_HALF, "-f", "json")
    assert json.loads(said)["runs"][0]["measures"][KEY] == pytest.approx(1 - 0.1 / 4 / 5)
    said = ave("score", *files, "-m", f"{PAN},auc", *BY_HALF, "-f", "json", code=0).out
    rows = json.loads(said)["runs"][:2]
    assert [row["run"] for row in rows] == ["run", "other"]
    assert rows[0]["measures"] == {KEY: pytest.approx(float(OVERALL)), "auc": 1}
    table = ave("score", *files, "-m", PAN, *BY_HALF).out
    assert table.index("other") < table.index("run ")


def test_it_has_intervals_and_tests(files: tuple[Path, Path, Path]) -> None:
    """The value of all questions as a sample of them is the exact one."""
    said = ave("score", *files, "-m", PAN, *BY_HALF, "--ci", "90", "-f", "json", code=0).out
    low, high = json.loads(said)["runs"][0]["intervals"][KEY]
    assert low <= OVERALL <= high
    said = ave("compare", *files, "-m", PAN, *BY_HALF, "-f", "json", code=0).out
    (measure,) = json.loads(said)["measures"]
    assert measure["measure"] == KEY
    values = [run["value"] for run in measure["runs"]]
    assert values == pytest.approx([1 - 0.1 / 4 / 5, float(OVERALL)])
    assert measure["pairs"][0]["p"] > 0


def test_python_takes_it(files: tuple[Path, Path, Path]) -> None:
    policies = Policies(threshold=0.5, missing="unanswered")
    with pytest.warns(ave_score.AveScoreWarning):
        both = [PAN, "harmonic_mean(f1,auc)"]
        scores = ave_score.score(*files[:2], policies=policies, measures=both)
    # 2 / (5/4 + 1/1)
    expected = {KEY: OVERALL, "harmonic_mean(f1, auc)": Fraction(8, 9)}
    assert scores.rows[0].values == expected


def test_campaigns_take_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    campaign = (
        '[editions.1]\nmeasures = "mean(f1, accuracy), f1"\n[editions.1.tasks.a]\n'
        'collection = "gold.tsv"\nruns = "runs"\n'
    )
    put_all(tmp_path, {"campaign.toml": campaign, "gold.tsv": GOLD})
    put_all(tmp_path, {"runs/one.txt": "p1 YES\np2 YES\np3 YES\np4 NO\n", "runs/two.txt": GOLD})
    ave("campaign", "campaign.toml", code=0)
    document = json.loads((tmp_path / "results/1/a.json").read_text())
    values = {row["run"]: row["measures"]["mean(f1, accuracy)"] for row in document["runs"]}
    assert values["one"] == pytest.approx((4 / 5 + 3 / 4) / 2)
    assert values["two"] == 1
    compared = json.loads((tmp_path / "results/1/a-comparison.json").read_text())
    assert compared["measures"][0]["measure"] == "mean(f1, accuracy)"


def test_a_mail_has_parts_of_a_mean_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    campaign = (
        '[editions.1]\nmeasures = "mean(f1, accuracy, recall), f1"\n[editions.1.tasks.a]\n'
        'collection = "gold.tsv"\nruns = "runs/{team}/*"\n'
    )
    put_all(tmp_path, {"campaign.toml": campaign, "gold.tsv": GOLD})
    put_all(tmp_path, {"runs/x/one.txt": "p1 YES\np2 YES\np3 YES\np4 NO\n"})
    ave("campaign", "campaign.toml", code=0)
    mail = (tmp_path / "results/teams/x.txt").read_text()
    assert ": by Mean (F, Accuracy, Recall)\n" in mail
    assert re.search(r"^ *Run +Rank +Mean +F +Best", mail, re.M)


@pytest.mark.parametrize(("name", "expected"), [
    ("harmonic_mean(precision, recall)", Fraction(4, 5)),  # which is F: 2·2 / (2·2 + 1 + 0)
    ("harmonic_mean(1-error_2, recall, f1)", Fraction(12, 13)),  # 3 / (1 + 1 + 5/4)
    ("harmonic_mean(1-recall, error)", Fraction(0)),  # recall is 1
    ("mean(f_beta(2), 1-error)", (Fraction(10, 11) + Fraction(3, 4)) / 2),  # 5·2 / (5·2 + 1)
    ("mean(mean(f1, recall), 1-error)", (Fraction(9, 10) + Fraction(3, 4)) / 2),
    ("MEAN(F, Precision)", (Fraction(4, 5) + Fraction(2, 3)) / 2),  # heads, in any case
])  # fmt: skip
def test_means_of_measures(tmp_path: Path, name: str, expected: Fraction) -> None:
    gold, run = put(tmp_path, GOLD, "gold.tsv"), put(tmp_path, "p1 YES\np2 YES\np3 YES\np4 NO\n")
    (value,) = ave_score.score(gold, run, measures=name).rows[0].values.values()
    assert value == expected


@pytest.mark.parametrize(("name", "expected"), [
    ("1-mean(map, mrr)", Fraction(1, 4)),
    ("mean(1-map, 1-mrr)", Fraction(1, 4)),
    ("mean(map, harmonic_mean(map, mrr, p@5))", (Fraction(3, 4) + Fraction(9, 23)) / 2),
    ("harmonic_mean(mean(map, p@5), mrr)", Fraction(57, 98)),  # 2·ab / (a + b), .475 and .75
])  # fmt: skip
def test_means_of_means_of_documents(tmp_path: Path, name: str, expected: Fraction) -> None:
    """Ranks 2 and 1: MAP and MRR are 3/4, P@5 is 1/5; 3 / (4/3 + 4/3 + 5) = 9/23."""
    qrels = put(tmp_path, "1 0 a 1\n1 0 b 0\n2 0 a 1\n", "qrels.txt")
    run = put(tmp_path, "1 Q0 b 1 .8 x\n1 Q0 a 2 .5 x\n2 Q0 a 1 .5 x\n")
    (value,) = ave_score.score(qrels, run, measures=name).rows[0].values.values()
    assert value == expected


def test_a_part_has_its_own_parameters(tmp_path: Path) -> None:
    """Without a gain, that of documents is linear, as alone."""
    qrels = put(tmp_path, "1 0 a 3\n1 0 b 1\n", "qrels.txt")
    run = put(tmp_path, "1 Q0 b 1 .8 x\n1 Q0 a 2 .5 x\n")
    names = ["ndcg(gain=exponential)@10", "ndcg@10"]
    of_both = [*names, f"mean({', '.join(names)})"]
    values = ave_score.score(qrels, run, measures=of_both).rows[0].values.values()
    one, other, mean = (float(value or 0) for value in values)
    assert one != other
    assert mean == pytest.approx((one + other) / 2)


@pytest.mark.parametrize(("name", "problem"), [
    ("mean(f1, brier)", "brier is better if it is lower; write 1-brier"),
    ("mean(f1, 1-recall)", "1-recall is better if it is lower; write recall"),
    ("mean(f1)", "expected several measures"),
    ("mean(f1, f2x)", "no measure 'f2x'"),
    ("1-k", "not in 0..1"),
    ("mean(" * 999 + "f1, f1" + ")" * 999, "has more than 50 brackets"),
    ("mean(f1, n_right)", "n_right is no share"),
])  # fmt: skip
def test_what_cannot_be_put_together_is_refused(
    files: tuple[Path, Path, Path], name: str, problem: str
) -> None:
    assert problem in refusal("score", *files[:2], "-m", name, *BY_HALF)
    with pytest.raises(UsageError):
        ave_score.parse_measures(name)


def test_two_questions_show_no_difference_of_means(here: Path) -> None:
    """Both questions are won by x: exchanging the runs on each gives p of 2 / 4, and no less."""
    put(here, "".join(f"{q} 0 a 1\n{q} 0 b 0\n{q} 0 c 0\n" for q in (1, 2)), "qrels.txt")
    for name, ranking in (("x", "abc"), ("y", "cba")):
        lines = (f"{q} Q0 {d} {n} {-n} t\n" for q in (1, 2) for n, d in enumerate(ranking, 1))
        put(here, "".join(lines), f"{name}.run")
    given = "compare", "qrels.txt", "x.run", "y.run", "-m", "mean(map,ndcg@10)"
    (pair,) = document_of(*given)["measures"][0]["pairs"]
    assert pair["p"] == 0.5 and not pair["significant"]
    assert "2 questions are too few" in output(*given)
