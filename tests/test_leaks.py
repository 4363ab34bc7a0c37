"""What an attacker learns from the pages of its submissions: what their printed figures say. A page
of a team is a function of its files and of printed figures: collections that print the same figures
give the same bytes. What a page reveals is thus at most log2 of the number of pages that can be
told apart, whatever is submitted next. The figures are counted here, in integers, from the
definitions of the measures; `docs/how-to/team-feedback.md` has the results."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import floor, log2
from pathlib import Path
from random import Random

import pytest
from lxml import html

import ave_score
from tests import examples, slow
from tests.conftest import ROOT
from tests.helpers_command import put_all
from tests.test_page import SPANISH, TINY, page, rows_of

WORDS = {"V": "VALIDATED", "R": "REJECTED", "S": "SELECTED"}
MEASURES = "f1,precision,recall,accuracy,qa_accuracy"
Verdicts = Sequence[str]
Runs = Mapping[str, Verdicts]
TEAM = ave_score.Audience("Ours", ave_score.Shared.SCORES)


def gold_text(labels: Verdicts, size: int = 2) -> str:
    """Return a collection of questions with `size` answers each."""
    answers = [f'<a id="{n % size}" value="{WORDS[label]}"/>' for n, label in enumerate(labels)]
    questions = [
        f'<q id="{n}"><q_str>?</q_str>{"".join(answers[n : n + size])}</q>'
        for n in range(0, len(answers), size)
    ]
    return f"<ave>{''.join(questions)}</ave>"


def run_text(verdicts: Verdicts, size: int = 2) -> str:
    lines = (f"{n - n % size} {n % size} {WORDS[said]} 0.5\n" for n, said in enumerate(verdicts))
    return "".join(lines)


def shown(value: Fraction | None, digits: int) -> int | None:
    """Return a value in units of its last printed decimal, rounded half up."""
    return None if value is None else floor(value * 10**digits + Fraction(1, 2))


def ratio(above: int, below: int) -> Fraction | None:
    return Fraction(above, below) if below else None


def printed(labels: Verdicts, verdicts: Verdicts, digits: int) -> object:
    """Return the figures of a run that a page prints, by the definitions of `MEASURES`."""
    pairs = [*zip(labels, verdicts, strict=True)]
    correct = labels.count("V")
    validated = sum(verdict != "R" for verdict in verdicts)
    right = sum(label == "V" and comparison != "R" for label, comparison in pairs)
    questions = len(labels) // 2
    selected = pairs.count(("V", "S"))
    ratios = [
        ratio(2 * right, correct + validated),
        ratio(right, validated) or Fraction(0),
        ratio(right, correct),
        Fraction(len(labels) - correct - validated + 2 * right, len(labels)),
        Fraction(selected, questions),
    ]
    return [shown(ratio, digits) for ratio in ratios]


def known(labels: Verdicts, runs: Runs, digits: int) -> object:
    """Return all that the page of the team Ours prints; runs of others have no names."""
    of_runs = {name: printed(labels, verdicts, digits) for name, verdicts in runs.items()}
    own = {name: figures for name, figures in of_runs.items() if name.startswith("mine")}
    others = sorted(repr(figures) for name, figures in of_runs.items() if name not in own)
    answerable = sum("V" in labels[n : n + 2] for n in range(0, len(labels), 2))
    return repr((labels.count("V"), answerable, own, others))


NAMES = {"mine": "Ours", "mine2": "Ours", "alfa": "Theirs", "zulu": "Theirs"}


def runs_on(chance: Random, questions: int) -> Runs:
    """Return random runs on questions of two answers, at most one of them selected. The second run
    of the team is a copy of the first with another answer to the last question."""
    legal = ["SR", "RS", "SV", "VS", "RR"]
    runs = {name: "".join(chance.choices(legal, k=questions)) for name in NAMES}
    copy = runs["mine"][:-2]
    return runs | {"mine2": copy + ("SR" if runs["mine"].endswith("RS") else "RS")}


def twins(chance: Random, runs: Runs, digits: int) -> tuple[Verdicts, Verdicts]:
    """Return labels that print the same figures, although counts of one run differ. Two answers
    have each other's labels."""
    size = len(runs["mine"])
    while True:
        labels, at = [chance.choice("VR") for _ in range(size)], chance.randrange(size)
        for other in range(size):
            unlike = [run[at] != run[other] for run in runs.values()]
            if labels[at] == labels[other] or sum(unlike) != 1:
                continue
            changed = [*labels]
            changed[at], changed[other] = labels[other], labels[at]
            one, two = (known(one, runs, digits) for one in (labels, changed))
            if one == two and known(labels, runs, 9) != known(changed, runs, 9):
                return labels, changed


def team_page(folder: Path, labels: Verdicts, digits: int, runs: Runs) -> str:
    """Return the page that the team Ours gets."""
    files = {name: run_text(verdicts) for name, verdicts in runs.items()}
    teams = "".join(f"{name}\t{team}\n" for name, team in NAMES.items())
    put_all(folder, {"gold.xml": gold_text(labels), "teams.tsv": teams, **files})
    options = ["--teams", str(folder / "teams.tsv"), "--audience", "Ours", "-m", MEASURES]
    options += ["--resamples", "1", "--digits", str(digits)]
    page(folder / "page.html", *(str(folder / name) for name in ("gold.xml", *files)), *options)
    return (folder / "page.html").read_text("utf-8")


def test_equal_figures_give_equal_pages(tmp_path: Path) -> None:
    """Two collections whose figures differ, but not as printed, cannot be told apart."""
    for seed in range(examples(36, 2)):
        chance = Random(seed)
        runs = runs_on(chance, 60)
        one, other = (team_page(tmp_path, twin, 1, runs) for twin in twins(chance, runs, 1))
        assert one == other, seed


CAMPAIGN = f"""\
title = "Evening"
anonymous = "names.secret"

[editions.y]
measures = "{MEASURES}"
compare = "none"

[editions.y.languages.en]
collection = "gold.xml"
runs = "runs/{{team}}/*.txt"
"""


def campaign_files(folder: Path, labels: Verdicts, runs: Runs) -> dict[str, bytes]:
    """Return what the team Ours gets, and the anonymous site: name -> content."""
    files = {f"runs/{NAMES[name]}/{name}.txt": run_text(run) for name, run in runs.items()}
    secret = {"campaign.toml": CAMPAIGN, "names.secret": "0123456789abcdef"}
    put_all(folder, {"gold.xml": gold_text(labels), **secret, **files})
    own = ave_score.campaign(folder / "campaign.toml").files
    site = ave_score.campaign(folder / "campaign.toml", audience="public").files
    return {name: item for name, item in own.items() if name.startswith("teams/Ours")} | site


@pytest.mark.slow
def test_equal_figures_give_equal_mails_zip_files_and_anonymous_sites(tmp_path: Path) -> None:
    for seed in range(examples(60)):
        chance = Random(seed)
        runs = runs_on(chance, 300)
        one, other = (campaign_files(tmp_path, twin, runs) for twin in twins(chance, runs, 2))
        assert one == other, seed
        kinds = sorted(name.rpartition(".")[2] for name in one)
        assert kinds == ["html", "html", "html", "txt", "txt", "zip"]


@pytest.mark.slow
def test_a_page_reveals_at_most_the_bits_that_its_figures_count(tmp_path: Path) -> None:
    """All 256 ways to label: as many pages as printed figures, and no more than can be counted. All
    figures of a run follow from two counts if the number of correct answers is known: how many of
    them it validates (0 to the smaller of both numbers), and selects (0 to 4 questions)."""
    verdicts = [*"SVSRRSRR"]
    (tmp_path / "mine").write_text(run_text(verdicts))
    pages: dict[int, set[str]] = defaultdict(set)
    figures: dict[int, set[object]] = defaultdict(set)
    for labels in product("VR", repeat=8):
        (tmp_path / "gold.xml").write_text(gold_text(labels))
        text = page_of(tmp_path / "gold.xml", tmp_path / "mine", MEASURES)
        pages[labels.count("V")].add(text)
        figures[labels.count("V")].add(known(labels, {"mine": verdicts}, 2))
    assert [*map(len, pages.values())] == [*map(len, figures.values())]
    for correct, found in pages.items():
        assert len(found) <= (min(correct, 4) + 1) * (4 + 1)


def page_of(gold: Path, run: Path, measures: str) -> str:
    """Return the page of a submission that is scored alone, with two decimals."""
    teams = {run.name: "Ours"}
    made = ave_score.report(gold, [run], teams=teams, measures=measures, audience=TEAM)
    return made.to_html()


SUBMISSIONS = 100

Submit = Callable[[Sequence[bool]], int]
"""Takes a decision about each answer, true to validate it; returns the accuracy as printed."""


def flips(answers: int, right: int, digits: int) -> int:
    """Return how many labels are sure after a run with so many right decisions, and its flips. Each
    flip makes one decision more right, or one less. Unless both are printed alike, it tells the
    label."""
    less, more = (shown(Fraction(right + by, answers), digits) for by in (-1, 1))
    return (SUBMISSIONS - 1) * (less != more)


def halved(answers: int, submit: Submit) -> dict[int, bool]:
    """Return the labels that are sure after so many submissions: number of the answer -> correct.
    Flips the first answers, ever closer to where one flip changes the printed figure. There, each
    further flip tells a label, whatever is printed."""
    left = SUBMISSIONS

    def flipped(first: int, also: int | None = None) -> int:
        nonlocal left
        left -= 1
        return submit([(n >= first) != (n == also) for n in range(answers)])

    low, high = 0, answers
    below, above = flipped(low), flipped(high)
    assert below != above
    while high - low > 1:
        middle = (low + high) // 2
        text = flipped(middle)
        low, high, above = (middle, high, above) if text == below else (low, middle, text)
    labels = {low: above < below}  # it was validated, and is not any more
    others = (n for n in range(answers) if n != low)
    while left:
        at = next(others)
        was_wrong = (flipped(low, at) == above) == (above > below)
        labels[at] = was_wrong == (at < low)
    return labels


def random_labels(answers: int, share: float, seed: int = 1) -> list[bool]:
    """Return labels of which a share is correct."""
    labels = [n < share * answers for n in range(answers)]
    Random(seed).shuffle(labels)
    return labels


def accuracy(labels: Sequence[bool], decisions: Sequence[bool], digits: int) -> int:
    right = sum(map(bool.__eq__, labels, decisions))
    return shown(Fraction(right, len(labels)), digits) or 0


@pytest.mark.parametrize(
    ("answers", "digits"), [(100, 2), (1000, 1), (1000, 2), (1000, 4), (10_000, 2)]
)
def test_the_attacker_is_right(answers: int, digits: int) -> None:
    """Two submissions at the ends, and one to halve; the last of these tells a label, too."""
    labels = random_labels(answers, 0.3)
    found = halved(answers, lambda decisions: accuracy(labels, decisions, digits))
    assert all(labels[at] == label for at, label in found.items())
    assert len(found) in {SUBMISSIONS - 2 - halvings + 1 for halvings in steps_of(answers)}


def steps_of(answers: int) -> tuple[int, int]:
    """Return the least and the largest number of steps that halve so many to one."""
    return answers.bit_length() - 1, (answers - 1).bit_length()


@pytest.mark.slow
def test_a_hundred_pages_tell_no_more(tmp_path: Path) -> None:
    """The attack on real pages, and on those of a collection that prints the same figures. In the
    second one two answers have each other's labels; no submission tells them apart."""
    labels = random_labels(300, 0.3)
    pages, asked = [], []

    def submit(decisions: Sequence[bool]) -> int:
        (tmp_path / "mine").write_text(run_text(["RS"[decision] for decision in decisions], 1))
        pages.append(page_of(tmp_path / "gold.xml", tmp_path / "mine", "accuracy"))
        asked.append(decisions)
        (table,) = html.document_fromstring(pages[-1]).findall(".//section[@id='scores']//table")
        (row,) = [row for row in rows_of(table) if row[1] == "mine"]
        return round(100 * float(row[-1].strip("*")))

    def attacked(labels: Sequence[bool]) -> dict[int, bool]:
        (tmp_path / "gold.xml").write_text(gold_text(["RV"[label] for label in labels], 1))
        return halved(len(labels), submit)

    found = attacked(labels)
    assert all(labels[at] == label for at, label in found.items())
    assert len(found) == len(halved(300, lambda row: accuracy(labels, row, 2))) > 90
    unlike = ((at, at + 1) for at in range(299) if labels[at] != labels[at + 1])
    pair = next(item for item in unlike if all(run[item[0]] == run[item[1]] for run in asked))
    for at in pair:
        labels[at] = not labels[at]
    first, pages[:] = [*pages], []
    assert attacked(labels) == found
    assert pages == first
    assert len(pages) == SUBMISSIONS


def test_the_guide_has_these_figures() -> None:
    """The smallest number of labels, of all numbers of right decisions, and the mean number."""
    text = (ROOT / "docs/how-to/team-feedback.md").read_text("utf-8")
    rows = re.findall(r"^\| ([\d,]+) \| (\d) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", text, re.M)
    assert len(rows) > 4
    for row in rows:
        answers, digits = int(row[0].replace(",", "")), int(row[1])
        texts = {shown(Fraction(right, answers), digits) for right in range(answers + 1)}
        sure = [flips(answers, right, digits) for right in range(1, answers)]
        at_most = SUBMISSIONS - 2 - steps_of(answers)[0] + 1
        expected = [log2(len(texts)), sum(sure) / len(sure), at_most]
        assert [float(cell) for cell in row[2:]] == pytest.approx(expected, abs=0.05), row


def drawn(figure: html.HtmlElement) -> Iterator[tuple[str | None, str]]:
    """Yield the position of each baseline, mark and end of an interval, and its text."""
    for level in figure.iterfind(".//text[@class='level-name']"):
        yield level.get("x"), str(level.text).rpartition(" ")[2]
    for row in figure.iterfind("table/tbody/tr"):
        cells = {str(cell.get("class")): str(cell.text) for cell in row.iterfind("td")}
        for mark in row.iterfind(".//*[@class]"):
            if "mark" in mark.get("class", ""):
                yield mark.get("cx") or mark.get("x"), cells["value"]
        for line in row.iterfind(".//line[@class='interval']"):
            low, high = cells["interval"].split(" to ")
            yield from ((line.get("x1"), low), (line.get("x2"), high))


@pytest.mark.parametrize("given", [TINY, slow((SPANISH,))], ids=["tiny", "ave2007-es"])
@pytest.mark.parametrize("digits", ["1", "3"])
def test_figures_for_public_drawn_from_texts(tmp_path: Path, given: list[str], digits: str) -> None:
    """The ticks of an axis say where a text belongs, with two decimals of a per cent."""
    options = ["--audience", "public", "--resamples", "100", "--digits", digits]
    found = page(tmp_path / "page.html", *given, *options)
    figures = found.findall(".//figure[@class='chart rows']")
    pairs = found.findall(".//figure[@class='chart rows pairs']")
    assert figures and pairs
    for figure in [*figures, *pairs]:
        ticks = [Fraction(str(item.text)) for item in figure.iterfind(".//text[@class='tick']")]
        low, high = ticks[0], ticks[-1]
        marks = [*drawn(figure)]
        assert len(marks) > 2
        for at, text in marks:
            place = 100 * (Fraction(text) - low) / (high - low)
            assert Fraction(str(at).removesuffix("%")) * 100 == shown(place, 2), (at, text)
