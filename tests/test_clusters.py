"""Questions that belong together are sampled and swapped together (Field and Welsh 2007)."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import ave_score
from ave_score import Clusters, Design, Resampling, parse_measures
from ave_score.counts import SELECTION
from ave_score.inference.by_question import ByQuestion, Floats
from ave_score.inference.randomisation import Randomisation
from ave_score.inference.resampling import replicate
from ave_score.inference.units import count_for
from tests.helpers_command import document_of, output, refusal
from tests.helpers_files import put
from tests.helpers_statistics import answered
from tests.oracle import make_campaign
from tests.test_oracle import read

GOLD = "gold/ave2007-es.xml"
RUNS = [f"sample_runs/ave2007-es/{name}.txt" for name in ("Tellez_1", "Tellez_2")]
(QA,) = parse_measures("qa_accuracy")
TOPICS = Clusters("topics", {"1": "a", "2": "b", "3": "a", "4": "c", "5": "c", "6": "c"})


def test_counts_of_a_cluster_are_those_of_its_questions() -> None:
    """Right are 1, 3 and 4: of a both questions, of b none of one, of c one of three."""
    found = answered([1, 0, 1, 1, 0, 0], "run").by_cluster(TOPICS)
    assert (list(found.ids), found.unit, found.questions) == (["a", "b", "c"], "cluster", 3)
    assert np.asarray(found.columns[SELECTION])[:, 0].tolist() == [2, 0, 1]
    assert found.of_each(QA) == pytest.approx([1, 0, 1 / 3])
    # a twice and c once: 5 of 7 questions
    assert found.measured(QA, np.array([[2.0, 0, 1]])) == pytest.approx([5 / 7])


def test_means_over_questions_keep_the_sizes_of_clusters() -> None:
    """Values 1, 0, 1/2, none: of a 1 and 1/2, of b 0, and b has a question without a value."""
    (mrr,) = parse_measures("mrr")
    rows = np.array([[1, 1], [0, 1], [0.5, 1], [0, 0]])
    clusters = Clusters("topics", {"1": "a", "2": "b", "3": "a", "4": "b"})
    counted = ByQuestion("run", {}, {"mrr": rows}, ids=["1", "2", "3", "4"])
    found = counted.by_cluster(clusters)
    assert found.of_each(mrr) == pytest.approx([0.75, 0])
    assert found.measured(mrr, np.array([[1.0, 2.0]])) == pytest.approx([1.5 / 4])


def test_samples_are_all_samples_of_clusters() -> None:
    """Of three clusters there are 27 samples in order; each accuracy has its share of them."""
    right = {"a": (2, 2), "b": (0, 1), "c": (1, 3)}  # right, questions
    exact: Counter[float] = Counter()
    for drawn in product(right, repeat=3):
        value = sum(right[one][0] for one in drawn) / sum(right[one][1] for one in drawn)
        exact[round(value, 9)] += 1
    counted = answered([1, 0, 1, 1, 0, 0], "run").by_cluster(TOPICS)
    (values,) = replicate([counted], [QA], Resampling(20_000)).values()
    found = Counter(np.round(values, 9).tolist())
    assert found.keys() == exact.keys()
    for value, times in exact.items():
        assert found[value] / 20_000 == pytest.approx(times / 27, abs=0.015)


def test_whole_clusters_are_swapped() -> None:
    """One is right on all questions, the other on 1 and 3 and on 4: a is equal, so swaps are of
    b and c. The differences 3/6 (as observed), ±(2 - 1)/6 and -3/6 give p = 2/4.
    """
    one = answered([1] * 6, "one").by_cluster(TOPICS)
    two = answered([1, 0, 1, 1, 0, 0], "two").by_cluster(TOPICS)
    result = Randomisation(one, two, QA, Resampling(100)).test(100)
    assert result.is_exact and result.p == pytest.approx(2 / 4)


def test_answers_of_a_cluster_have_its_weight() -> None:
    """A measure that ranks all answers: a cluster twice is each of its questions twice."""
    collection, (run,) = read(make_campaign(8, questions=4, runs=1))
    measures = parse_measures("auc, brier, cws, k")
    policies = ave_score.Policies()
    alone = count_for(run, collection, measures, policies)
    clusters = Clusters("halves", dict(zip(alone.ids, "xyxy", strict=True)))
    found = count_for(run, collection, measures, policies, clusters=clusters)
    for measure in measures:
        expected = alone.measured(measure, np.array([[2.0, 1, 2, 1]]))
        assert found.measured(measure, np.array([[2.0, 1]])) == pytest.approx(expected, nan_ok=True)


def test_clusters_of_one_question_change_no_p() -> None:
    collection, runs = read(make_campaign(31, questions=20, runs=3))
    each = Clusters("each", {q_id: q_id for q_id in collection.index.questions})
    measures = parse_measures("qa_accuracy, f1, auc, mrr")
    design = Design(resampling=Resampling(200))
    one, other = (
        ave_score.compare(collection, runs, measures=measures, design=made).comparisons
        for made in (design, design._replace(clusters=each))
    )
    found = [[p.p for p in each.pairs] for each in one]
    assert found == [[p.p for p in each.pairs] for each in other]
    assert {each.unit for each in other} == {"cluster"}
    assert other[0].standings[0].method == "wilson-effective"  # clusters may have any size
    assert one[0].standings[0].method == "wilson"


def spread_of(clusters: Clusters | None, rights: list[int]) -> float:
    counted: ByQuestion = answered(rights, "run")
    if clusters is not None:
        counted = counted.by_cluster(clusters)
    (values,) = replicate([counted], [QA], Resampling(4000)).values()
    found: Floats = values
    return float(found.std())


def test_equal_questions_of_a_cluster_widen_the_interval() -> None:
    """20 clusters of 5 questions, all right or all wrong: the standard error grows by sqrt(5)."""
    rights = [number // 5 % 2 for number in range(100)]
    clusters = Clusters("x", {str(number + 1): str(number // 5) for number in range(100)})
    assert spread_of(clusters, rights) / spread_of(None, rights) == pytest.approx(5**0.5, rel=0.06)


def table(folder: Path, rows: str, name: str = "topics.tsv") -> str:
    return str(put(folder, rows, name))


def topics(folder: Path) -> str:
    lines = [f"{number:04d}\tt{number // 10}" for number in range(1, 171)]
    return table(folder, "\n".join(["q_id\tcluster", *lines, ""]))


def test_score_and_compare_name_the_clusters(tmp_path: Path) -> None:
    path = topics(tmp_path)
    few = ["--resamples", "200", "--cluster", path, "-m", "qa_accuracy,f1"]
    document = document_of("score", GOLD, *RUNS, "--ci", "95", *few)
    assert "|cluster:" in document["signature"]
    assert document["runs"][0]["interval_methods"]["qa_accuracy"] == "wilson-effective"
    assert "fewer than 30 clusters" in document["runs"][0]["interval_cautions"]["f1"]
    document = document_of("compare", GOLD, *RUNS, *few)
    first = document["measures"][0]
    assert (first["unit"], first["questions"]) == ("cluster", 18)
    assert "|cluster:" in document["signature"]
    assert f"intervals over clusters of questions ({path})" in output(
        "score", GOLD, *RUNS, "--ci", "95", *few
    )
    assert "18 clusters" in output("compare", GOLD, *RUNS, *few)


@pytest.mark.parametrize(("rows", "said"), [
    ("0001\ta\n0001\tb\n", "duplicate question '0001', first at line 1"),
    ("0001\ta\nx1\tb\n", ":2:1 AVE201 question 'x1' is not in the collection"),
    ("0001\ta\tb\n", "AVE1"),
    ("0001\t\n", "the field cluster is empty"),
    ("\n", "the file has no clusters in it"),
])  # fmt: skip
def test_a_defective_table_is_refused(tmp_path: Path, rows: str, said: str) -> None:
    err = refusal("compare", GOLD, *RUNS, "--cluster", table(tmp_path, rows), code=1)
    assert said in err


def test_every_question_needs_a_cluster_of_at_least_two(tmp_path: Path) -> None:
    lines = [f"{number:04d}\tt" for number in range(1, 171)]
    part = table(tmp_path, "\n".join([*lines[:163], ""]), "part.tsv")
    assert "no cluster for 7 questions: '0164', '0165'" in refusal(
        "score", GOLD, *RUNS, "--ci", "95", "--cluster", part
    )
    whole = table(tmp_path, "\n".join([*lines, ""]), "whole.tsv")
    assert "at least 2 clusters" in refusal("compare", GOLD, *RUNS, "--cluster", whole)
    assert "no file or attribute 'theme'; questions have lang" in refusal(
        "compare", GOLD, *RUNS, "--cluster", "theme"
    )
    assert "give --ci" in refusal("score", GOLD, *RUNS, "--cluster", part)


def test_attributes_of_questions_are_clusters(tmp_path: Path) -> None:
    questions = "".join(
        f'<q id="{n}" topic="t{n // 2}"><a id="1" value="{label}"/></q>'
        for n, label in enumerate(["VALIDATED", "REJECTED"] * 4)
    )
    gold = table(tmp_path, f"<c>{questions}</c>", "gold.xml")
    runs = [
        table(tmp_path, "".join(f"{n} 1 {word} 0.5\n" for n in range(8)), f"{word}.txt")
        for word in ("SELECTED", "REJECTED")
    ]
    few = ["--resamples", "200", "--cluster", "topic", "-f", "json", "-m", "qa_accuracy"]
    document = document_of("compare", gold, *runs, *few)
    assert (document["measures"][0]["questions"], document["measures"][0]["unit"]) == (4, "cluster")
    assert document["signature"].endswith("|cluster:topic")


def test_topics_and_tests_of_qa4mre_are_attributes(tmp_path: Path) -> None:
    text = (
        '<c><topic t_id="1"><reading-test r_id="2"><q q_id="3"><q_str>?</q_str>'
        '<answer a_id="1" correct="Yes">x</answer></q></reading-test></topic></c>'
    )
    collection = ave_score.read_collection(put(tmp_path, text, "gold.xml"))
    assert collection.attributes == {"topic": {"1/2/3": "1"}, "reading-test": {"1/2/3": "2"}}


def test_pairs_have_clusters_too(tmp_path: Path) -> None:
    labels = ["YES", "NO"] * 4
    rows = "".join(
        f'<pair id="{n}" value="{label}" task="{"QA" if n < 4 else "IE"}"><t>x</t><h>y</h></pair>'
        for n, label in enumerate(labels)
    )
    gold = table(tmp_path, f"<c>{rows}</c>", "gold.xml")
    runs = [
        table(tmp_path, "".join(f"{n} {word}\n" for n in range(8)), f"{word}.txt")
        for word in ("YES", "NO")
    ]
    asked = ["--ci", "95", "--resamples", "100", "--cluster", "task", "-f", "json"]
    assert "|cluster:task" in output("score", gold, *runs, *asked)


def test_responses_are_clustered_by_type() -> None:
    lists = ["gold/lists.json", "sample_runs/lists/broad.tsv", "sample_runs/lists/brief.tsv"]
    asked = ["--cluster", "type", "-m", "combined_score", "--resamples", "100", "-f", "json"]
    (measure,) = document_of("compare", *lists, *asked)["measures"]
    assert (measure["questions"], measure["unit"]) == (3, "cluster")
