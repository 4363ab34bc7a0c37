"""Legal runs, damaged at random: what the checker and the fixer make of them. A naive reader in
this module, which shares no code with the package, says whether a damaged run is legal and what it
says. The checker has to agree: errors exactly where the naive reader refuses, and the naive
scorer's scores where it does not."""

from __future__ import annotations

import math
import random
import re
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import ave_score
from ave_score import Collection, Findings, FixedRun, InputError, Kind, Run, Verdict
from ave_score.core.model import AnswerIndex
from ave_score.files.run import check_run
from ave_score.files.source import Source
from tests import examples
from tests.helpers_files import collection_of, fuzzed, positions, put
from tests.oracle import Answer, make_campaign, naive_scores

many = settings(fuzzed, max_examples=examples(400))

VERDICT_WORDS = ("SELECTED", "VALIDATED", "REJECTED")


Said = dict[Answer, tuple[str, float]]
"""What a run says of each answer: verdict and confidence."""


def naive_reading(data: bytes, answers: Sequence[Answer]) -> Said | None:
    """Return what a legal run says; None if anything about it is not legal."""
    try:
        text = data.decode("utf-8-sig")  # a mark before the text is only warned of
    except UnicodeDecodeError:
        return None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if any(is_odd(character) for character in text):
        return None
    said: Said = {}
    for line in text.split("\n"):
        if line.startswith("#") or not line.split():
            continue
        fields = line.split()
        if len(fields) != 4:
            return None
        q_id, a_id, verdict, number = fields
        confidence = naive_number(number)
        if verdict not in VERDICT_WORDS or confidence is None or (q_id, a_id) in said:
            return None
        said[q_id, a_id] = verdict, confidence
    return said if said.keys() == {*answers} and selects_rightly(said) else None


def is_odd(character: str) -> bool:
    """Tell whether a character is a control or format character, or a blank but the plain ones."""
    kind = unicodedata.category(character)
    return character not in " \t\n" and kind in {"Cc", "Cf", "Zs", "Zl", "Zp"}


def naive_number(word: str) -> float | None:
    if {*word} - {*"0123456789.+-eE"}:
        return None
    try:
        number = float(word)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def selects_rightly(said: Said) -> bool:
    """Tell whether each question with an accepted answer has one SELECTED, and only one."""
    verdicts: dict[str, list[str]] = {}
    for (q_id, _), (verdict, _) in said.items():
        verdicts.setdefault(q_id, []).append(verdict)
    return all(
        words.count("SELECTED") == int(any(word != "REJECTED" for word in words))
        for words in verdicts.values()
    )


Mutation = Callable[[random.Random, bytes], bytes]


def by_line(change: Callable[[random.Random, list[bytes]], object]) -> Mutation:
    """Return a mutation of the list of lines."""

    def mutate(chance: random.Random, data: bytes) -> bytes:
        lines = data.removesuffix(b"\n").split(b"\n")
        change(chance, lines)
        return b"".join(line + b"\n" for line in lines)

    mutate.__name__ = change.__name__
    return mutate


def some(chance: random.Random, lines: list[bytes]) -> int:
    return chance.randrange(len(lines))


def swap(chance: random.Random, lines: list[bytes]) -> None:
    one, other = some(chance, lines), some(chance, lines)
    lines[one], lines[other] = lines[other], lines[one]


def blank_line(chance: random.Random, lines: list[bytes]) -> None:
    lines.insert(some(chance, lines), chance.choice([b"", b" ", b"\t", b"   \t "]))


def comment(chance: random.Random, lines: list[bytes]) -> None:
    text = chance.choice([b"#", b"# run 1", "# Größe".encode(), b"#000 000_0 SELECTED 1"])
    lines.insert(some(chance, lines), text)


def blanks_behind(chance: random.Random, lines: list[bytes]) -> None:
    lines[some(chance, lines)] += chance.choice([b" ", b"\t", b"   "])


def spacing(chance: random.Random, lines: list[bytes]) -> None:
    place = some(chance, lines)
    if not lines[place].startswith(b"#"):
        between = chance.choice([b"\t", b"  ", b" \t "])
        lines[place] = chance.choice([b"", b" "]) + lines[place].replace(b" ", between)


def crlf(chance: random.Random, data: bytes) -> bytes:
    return re.sub(rb"\r\n|\r|\n", chance.choice([b"\r\n", b"\r"]), data)


def no_last_end(_: random.Random, data: bytes) -> bytes:
    return data.removesuffix(b"\n")


def drop(chance: random.Random, lines: list[bytes]) -> None:
    del lines[some(chance, lines)]


def double(chance: random.Random, lines: list[bytes]) -> None:
    lines.insert(some(chance, lines), lines[some(chance, lines)])


def say_it_differently(chance: random.Random, lines: list[bytes]) -> None:
    fields = lines[some(chance, lines)].split()
    if len(fields) == 4:
        if chance.random() < 0.5:
            fields[2] = chance.choice(VERDICT_WORDS).encode()
        if chance.random() < 0.5:
            fields[3] = chance.choice([b"0", b"0.5", b"1.000", b"7", b"-1", b"nan", b"0,5", b"x"])
        lines.insert(some(chance, lines), b" ".join(fields))


def other_verdict(chance: random.Random, lines: list[bytes]) -> None:
    place = some(chance, lines)
    new = chance.choice([*VERDICT_WORDS, "selected", "Rejected", "YES", "SELECTD", "VALIDADA"])
    old = rb"SELECTED|VALIDATED|REJECTED"
    lines[place] = re.sub(old, new.encode(), lines[place])


def other_case(chance: random.Random, lines: list[bytes]) -> None:
    place = some(chance, lines)
    lines[place] = lines[place].swapcase()


def comma(chance: random.Random, lines: list[bytes]) -> None:
    place = some(chance, lines)
    lines[place] = lines[place].replace(b".", b",")


def swap_ids(chance: random.Random, lines: list[bytes]) -> None:
    one, other = some(chance, lines), some(chance, lines)
    mine, theirs = lines[one].split(b" ", 2), lines[other].split(b" ", 2)
    column = chance.randrange(2)
    if one != other and len(mine) == len(theirs) == 3:
        mine[column], theirs[column] = theirs[column], mine[column]
        lines[one], lines[other] = b" ".join(mine), b" ".join(theirs)


def header(chance: random.Random, lines: list[bytes]) -> None:
    text = chance.choice([b"q_id a_id verdict confidence", b"question answer", b"Q a foo 0,5"])
    lines.insert(chance.choice([0, some(chance, lines)]), text)


def invisible(chance: random.Random, lines: list[bytes]) -> None:
    place = some(chance, lines)
    odd = chance.choice(["\u200b", "\ufeff", "\u00a0", "\u2003", "\x1b", "\x00", "\x85"]).encode()
    at = chance.randint(0, len(lines[place]))
    lines[place] = lines[place][:at] + odd + lines[place][at:]


def corrupt(chance: random.Random, data: bytes) -> bytes:
    start = chance.randint(0, len(data))
    new = bytes(chance.choice([*range(0x20, 0x7F), *range(256)]) for _ in range(2))
    return data[:start] + new[: chance.randint(0, 2)] + data[start + chance.randint(0, 2) :]


def mark(_: random.Random, data: bytes) -> bytes:
    return b"\xef\xbb\xbf" + data


ANY: list[Mutation] = [
    *map(by_line, [swap, blank_line, comment, blanks_behind, spacing]),  # these change nothing
    *map(by_line, [drop, double, say_it_differently, other_verdict, other_case, comma]),
    *map(by_line, [swap_ids, header, invisible]),
    *(crlf, no_last_end, corrupt, mark),
]


class Case(NamedTuple):
    """A collection, a legal run of it, and what became of the run."""

    gold: str
    sound: str
    data: bytes


@st.composite
def cases(draw: st.DrawFn, mutations: Sequence[Mutation]) -> Case:
    """Strategy: a legal run of a random small collection after one to three mutations."""
    seed = draw(st.integers(0, 2**32))
    campaign = make_campaign(seed, draw(st.integers(1, 5)), runs=1, most_answers=3)
    chance = random.Random(seed)
    sound, data = campaign.runs[0], campaign.runs[0].encode()
    for mutation in draw(st.lists(st.sampled_from(mutations), min_size=1, max_size=3)):
        data = mutation(chance, data)
    return Case(campaign.gold, sound, data)


def checked(data: bytes, index: AnswerIndex | None) -> tuple[Run | None, Findings]:
    run, (findings,) = check_run(Source.holding("run.txt", data), index)
    return run, findings


FAMILIES = "validation,selection,answering"


def scores(collection: Collection, run: Run) -> object:
    rows = ave_score.score(collection, [run], measures=FAMILIES).rows
    return next(row.values for row in rows if row.kind is Kind.AV)


def answers_of(collection: Collection) -> list[Answer]:
    return [*zip(collection.index.q_ids, collection.index.a_ids, strict=True)]


def said_by(run: Run) -> Said:
    """Return what a run that was read says, as the naive reader would."""
    pairs = zip(run.index.q_ids, run.index.a_ids, strict=True)
    said = zip(map(Verdict, run.verdicts), run.confidences, strict=True)
    return {pair: (verdict.name, value) for pair, (verdict, value) in zip(pairs, said, strict=True)}


def as_text(said: Said) -> str:
    return "".join(f"{q} {a} {verdict} {value}\n" for (q, a), (verdict, value) in said.items())


@pytest.mark.slow
@many
@given(cases(ANY))
def test_the_checker_finds_an_error_exactly_where_the_naive_reader_refuses(
    tmp_path: Path, case: Case
) -> None:
    collection = collection_of(tmp_path, case.gold)
    said = naive_reading(case.data, answers_of(collection))
    run, findings = checked(case.data, collection.index)
    assert bool(findings.errors) == (said is None), [case.data, *map(str, findings)]
    assert (run is None) == (said is None)
    if run is not None and said is not None:
        assert said_by(run) == said
        assert scores(collection, run) == naive_scores(case.gold, as_text(said))


@many
@given(cases(ANY))
def test_without_a_collection_nothing_more_is_found(tmp_path: Path, case: Case) -> None:
    """A line by itself is judged alike; whole questions too, where each id is one of these."""
    collection = collection_of(tmp_path, case.gold)
    _, with_it = checked(case.data, collection.index)
    _, without = checked(case.data, None)
    if without.errors:
        assert with_it.errors
    of_lines = [
        [position for position in positions(findings) if position[0].startswith("AVE1")]
        for findings in (with_it, without)
    ]
    assert of_lines[0] == of_lines[1]
    coverage = {"AVE201", "AVE202", "AVE203", "AVE204"}
    assert not coverage & {one.rule.code for one in without}
    if not coverage & {one.rule.code for one in with_it}:
        assert positions(with_it) == positions(without)


def fixed_bytes(
    folder: Path, data: bytes, collection: Collection | None, *, unsafe: bool
) -> tuple[bytes, FixedRun]:
    """Fix a file; one that looks like another kind of file is no case of these tests."""
    try:
        done = ave_score.fix(put(folder, data), collection, unsafe=unsafe)
    except InputError as error:
        assert "looks like a file of kind" in str(error)
        reject()
    return done.document.encoded(), done


@many
@given(cases(ANY), st.booleans())
def test_fixing_comes_to_an_end(tmp_path: Path, case: Case, with_collection: bool) -> None:
    """Again changes nothing; first safely and then boldly is the same as boldly at once."""
    gold = collection_of(tmp_path, case.gold) if with_collection else None
    safely, _ = fixed_bytes(tmp_path, case.data, gold, unsafe=False)
    boldly, _ = fixed_bytes(tmp_path, case.data, gold, unsafe=True)
    assert fixed_bytes(tmp_path, safely, gold, unsafe=False)[0] == safely
    assert fixed_bytes(tmp_path, boldly, gold, unsafe=True)[0] == boldly
    assert fixed_bytes(tmp_path, boldly, gold, unsafe=False)[0] == boldly
    assert fixed_bytes(tmp_path, safely, gold, unsafe=True)[0] == boldly


@many
@given(cases(ANY), st.booleans())
def test_a_fixed_run_is_legal_and_has_all_other_lines(
    tmp_path: Path, case: Case, unsafe: bool
) -> None:
    """Without findings it is legal; lines that were not fixed are the same bytes in their order."""
    gold = collection_of(tmp_path, case.gold)
    data, done = fixed_bytes(tmp_path, case.data, gold, unsafe=unsafe)
    said = naive_reading(data, answers_of(gold))
    assert (said is not None) == (not done.left.errors), [case.data, data]
    assert naive_reading(case.data, answers_of(gold)) in (None, said)
    touched = {change.line for change in done.changes}
    lines = re.split(rb"\r\n|\r|\n", case.data)
    kept = [line for number, line in enumerate(lines, 1) if number not in touched]
    rest = iter(re.split(rb"\r\n|\r|\n", data))
    assert all(line in rest for line in kept if line), [case.data, data]


def statements(data: bytes) -> set[tuple[str, str, str, str]]:
    """Return what lines of four fields say, spelling mistakes of the safe kind set right."""
    text = data.decode("utf-8", "surrogateescape").lstrip("\ufeff")
    text = text.replace("\u00a0", " ").replace("\u2003", " ")
    said = set()
    for line in re.split(r"\r\n|\r|\n", text):
        fields = re.findall(r"[^ \t]+", line)
        if len(fields) == 4 and not line.startswith("#") and fields[0] != "q_id":
            q_id, a_id, verdict, number = fields
            if verdict.upper() in VERDICT_WORDS:
                said.add((q_id, a_id, verdict.upper(), number.replace(",", ".")))
    return said


@many
@given(cases(ANY))
def test_a_safe_fix_loses_no_statement_and_adds_none(tmp_path: Path, case: Case) -> None:
    """What one of two lines says that say it alike is said by the other."""
    gold = collection_of(tmp_path, case.gold)
    data, _ = fixed_bytes(tmp_path, case.data, gold, unsafe=False)
    before, after = statements(case.data), statements(data)
    assert after <= before
    lost = before - after
    kept = {(*one[:3], naive_number(one[3])) for one in after}
    assert {(*one[:3], naive_number(one[3])) for one in lost} <= kept


@many
@given(cases(ANY))
def test_a_bold_fix_leaves_a_line_for_each_answer_and_invents_no_confidence(
    tmp_path: Path, case: Case
) -> None:
    gold = collection_of(tmp_path, case.gold)
    data, done = fixed_bytes(tmp_path, case.data, gold, unsafe=True)
    if done.left.errors or b"\xc2\xa0" in case.data or not case.data.isascii():
        return
    before: dict[Answer, set[float]] = {}
    for q_id, a_id, _, number in statements(re.sub(rb"[\x00\x1b]", b"", case.data)):
        value = naive_number(number)
        if value is not None:
            before.setdefault((q_id, a_id), set()).add(value)
    for q_id, a_id, verdict, number in statements(data):
        if (q_id, a_id) in before:
            assert float(number) == max(before[q_id, a_id])
        else:
            assert (verdict, number) == ("REJECTED", "0")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_damage_in_large_files_is_found_and_fixed_in_place(tmp_path: Path, seed: int) -> None:
    """Files are read in pieces of 64 KB, whose ends may cut lines, line ends and characters."""
    campaign = make_campaign(seed, questions=2500, runs=1, most_answers=5)
    chance = random.Random(seed)
    collection = collection_of(tmp_path, campaign.gold)
    lines = [line.encode() for line in campaign.runs[0].splitlines()]
    assert len(lines) > 6000
    for _ in range(300):  # so that pieces end anywhere, also inside the two bytes of a letter
        lines.insert(some(chance, lines), "# größer ".encode() * chance.randrange(40))
    rows = [number for number, line in enumerate(lines) if line and not line.startswith(b"#")]
    hit = sorted(chance.sample(rows, 400))
    for number in hit:
        lines[number] = lines[number].lower()
    end = chance.choice([b"\n", b"\r\n", b"\r"])
    data = end.join(lines)
    done = ave_score.fix(put(tmp_path, data), collection)
    changed = [one.line for one in done.changes if one.rule.code == "AVE103"]
    assert sorted(changed) == [number + 1 for number in hit]
    said = naive_reading(done.document.encoded(), answers_of(collection))
    sound = naive_reading(campaign.runs[0].encode(), answers_of(collection))
    assert said is not None
    assert said == sound
    for number in hit:
        lines[number] = re.sub(rb"[a-z]+", lambda word: word[0].upper(), lines[number])
    assert done.document.encoded() == b"\n".join(lines)
