"""Gold that is read in bulk: what is read with care is the truth, however a file is damaged."""

from __future__ import annotations

import hashlib
import json
import random
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ave_score
from ave_score import Collection, DefectError, Findings, InputError
from ave_score.files import source
from ave_score.files.table import Table
from tests import each, examples, mostly_slow
from tests.fuzz.inputs import make_input
from tests.helpers_files import COLLECTION

ROOT = Path(__file__).parent.parent

Names = dict[str, str]


def damaged(
    chance: random.Random,
    corpus: list[bytes],
    tokens: Sequence[bytes],
    marks: bytes,
    times: Sequence[int],
    others: float,
) -> bytes:
    """Return a file with some change; often one that its syntax or the reader cares about."""
    if chance.random() < others:
        return make_input(chance, corpus)
    data = chance.choice(corpus)
    for _ in range(chance.choice(times)):
        ends = [at for at, byte in enumerate(data, 1) if byte in marks]
        start = (
            chance.choice(ends or [0]) if chance.random() < 0.8 else chance.randint(0, len(data))
        )
        stop = start + chance.choice([0, 0, 0, 1, 5])
        data = data[:start] + chance.choice(tokens) + data[stop:]
    return data


def read(
    data: Any,  # noqa: ANN401 - of a file, or rows
    naming: tuple[Names, Names] = ({}, {}),
    *,
    with_texts: bool = False,
) -> tuple[object, ...]:
    """Return everything that checking and reading a collection gives."""
    columns, values = naming

    def opened() -> Any:  # noqa: ANN401 - as above
        return BytesIO(data) if isinstance(data, bytes) else data

    try:
        checked = ave_score.check(opened(), kind="collection", columns=columns, values=values)
        collection = None
        if not checked.findings.errors:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ave_score.AveScoreWarning)  # they are in `checked`
                collection = ave_score.read_collection(
                    opened(), columns=columns, values=values, texts=with_texts
                )
    except DefectError as error:  # answers without labels
        return (*said(checked.findings), *said(error.findings), checked.contents)
    except InputError as error:
        return (str(error),)
    return (*contents(collection), *said(checked.findings), checked.contents)


def said(findings: Findings) -> tuple[object, ...]:
    return (*map(str, findings), findings.unchecked)


def contents(collection: Collection | None) -> tuple[object, ...]:
    """Return all that a collection holds; the order of attributes counts, too."""
    if collection is None:
        return ()
    ordered = [(name, [*attribute.items()]) for name, attribute in collection.attributes.items()]
    texts = collection.texts and vars(collection.texts)
    unusable = {name: said(findings) for name, findings in collection.unusable.items()}
    own = vars(collection) | {"index": None, "texts": texts, "unusable": unusable}
    return (own, vars(collection.index), ordered)


def noting(function: Callable[..., object], results: list[object]) -> Callable[..., object]:

    def noted(*given: object) -> object:
        results.append(function(*given))
        return results[-1]

    return noted


ROWS = [
    ["q_id", "a_id", "label", "question", "answer", "text", "doc", "grade", "lang", "topic"],
    ["1", "1_1", "VALIDATED", "Who?", "Ann", "It was Ann.", "D1", "", "EN", "x"],
    ["1", "1_2", "REJECTED", "Who?", "Bob", "", "D2", "", "EN", "x"],
    ["2", "1_1", "UNKNOWN", "", "Rome", "", "", "", "de", ""],
    ["2", "2_2", "", "Where?", "Oslo", "", "", "", "de", "y"],
    ["3", "3_1", "REJECTED", "", "1931", "", "", "", "", "x"],
]
LINES = b"".join("\t".join(row).encode() + b"\n" for row in ROWS)
OBJECTS = "".join(
    json.dumps({name: value or None for name, value in zip(ROWS[0], row, strict=True)}) + "\n"
    for row in ROWS[1:]
).encode()
ROUNDS = b"q_id\ta_id\tlabel\n" + b"".join(
    b"%d\t%d\tREJECTED\n" % (at % 3, at // 3) for at in range(18)
)
KEYS = b"1 1_1 VALIDATED\n1 1_2 REJECTED\n2 2_1 REJECTED\n2 2_2 UNKNOWN\n3 3_1 VALIDATED\n"

WORDS = (
    *(b"\t", b",", b"\n", b"\r\n", b'"', b"\\", b"\\u0000", b"\\ud800", b"\\n", b"null", b"true"),
    *(b'"q_id": ', b'"x": 1, ', b'"', b"{", b"}", b"},{", b'}\n{y"}, {', b"[]", b" ", b"#", b"\n#"),
    *(b"1_1", b"2", b"VALIDATED", b"validated", b"yes", b"9", b"\xc2\xa0", b"\x85", b"\xff"),
    *(b"EN", b"x", b"a_id", b"candidate", b"NaN", b"1e9", b"0", b"x" * 1001, LINES[-20:]),
    *(KEYS[-8:], b"\x01", b"", b"\n\n", b"\t\t", b'"a\nb"', b"pair_id", b"label", b"Who?"),
)


def changed(chance: random.Random, corpus: list[bytes]) -> bytes:
    return damaged(chance, corpus, WORDS, b'\t\n", ', (0, 1, 1, 1, 2), 0.2)


NAMINGS: list[tuple[Names, Names]] = [
    ({}, {}),
    ({}, {}),
    ({"a_id": "candidate"}, {}),
    ({}, {"yes": "VALIDATED", "": "REJECTED"}),
    ({"label": "topic"}, {"x": "VALIDATED", "VALIDATED": "UNKNOWN"}),
]


@pytest.mark.slow
@pytest.mark.parametrize("seed", mostly_slow(range(6), 1))
def test_a_damaged_table_is_read_as_with_care(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    pairs = LINES.replace(b"q_id\ta_id", b"pair_id\tother")
    corpus = [LINES, LINES.replace(b"\t", b","), OBJECTS, pairs, ROUNDS]
    in_bulk: Callable[..., Iterator[object]] = Table.in_bulk
    taken = list[object]()

    def noting_blocks(*given: object) -> Iterator[object]:
        for block in in_bulk(*given):
            taken.append(block)
            yield block

    for _ in range(examples(3000)):
        data, naming = changed(chance, corpus), chance.choice(NAMINGS)
        with_texts = chance.random() < 0.5
        monkeypatch.setattr(source, "CHUNK", chance.choice([100, 200, 1 << 16]))
        results = []
        for way in (noting_blocks, lambda *_: iter(())):
            monkeypatch.setattr(Table, "in_bulk", way)
            results.append(read(data, naming, with_texts=with_texts))
        assert results[0] == results[1], (data, naming)
    assert len(taken) > examples(3000) // 10  # otherwise nothing was compared


@pytest.mark.parametrize("seed", mostly_slow(range(4), 1))
def test_a_damaged_key_is_read_as_with_care(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    table = b"q_id\ta_id\tlabel\n" + KEYS.replace(b" ", b"\t")
    corpus = [KEYS, KEYS.replace(b" ", b"\t"), table, table.replace(b"\t", b",")]
    collection = ave_score.read_collection(BytesIO(COLLECTION.encode()))
    in_bulk, sound = Table.in_bulk, 0
    for _ in range(examples(3000)):
        data, naming = changed(chance, corpus), chance.choice(NAMINGS)
        gold = chance.choice([None, collection])
        monkeypatch.setattr(source, "CHUNK", chance.choice([100, 1 << 16]))
        results = []
        # lines of which one is a comment are read with care
        is_lines = data.startswith((b"1 ", b"1\t")) and data.endswith((b"\n", b"\r"))
        for way, text in (
            (in_bulk, data),
            (lambda *_: iter(()), data + b"#" if is_lines else data),
        ):
            monkeypatch.setattr(Table, "in_bulk", way)
            results.append(outcome(text, naming, gold))
        assert results[0] == results[1], (data, naming)
        sound += results[0][0] is not None
    assert sound > examples(3000) // 20


def outcome(
    data: bytes, naming: tuple[Names, Names], gold: Collection | None
) -> tuple[object, ...]:
    """Return what checking a key returns, or why it cannot be read."""
    columns, values = naming
    try:
        checked = ave_score.check(BytesIO(data), gold, kind="key", columns=columns, values=values)
        labels: object = None
        if gold is not None and not checked.findings.errors:
            unlabelled = re.sub(r' value="\w+"', "", COLLECTION)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ave_score.AveScoreWarning)
                labels = ave_score.read_collection(
                    BytesIO(unlabelled.encode()), BytesIO(data), columns=columns, values=values
                ).labels
    except InputError as error:
        return (None, str(error))
    except DefectError as error:  # a word may mean that the collection has labels
        labels = str(error)
    return (checked.contents, labels, *map(str, checked.findings), checked.findings.unchecked)


@each("name", ["pandas", "polars", "pyarrow"])
def test_frames_are_the_json_of_their_rows(name: str) -> None:
    """By hand: texts that need escapes, missing values, numbers; the hash is that of the lines."""
    rows: dict[str, Sequence[object]] = {
        "q_id": ["1", "2", "3"],
        "a_id": [1, 2, 3],
        "label": ["VALIDATED", "REJECTED", "UNKNOWN"],
        "answer": ['1"', "2%s", "3\n"],
        "text": ["ü", None, "\\"],
        "weight": [0.5, 1e-7, 3.0],
    }
    lines = (
        '{"q_id": "1", "a_id": 1, "label": "VALIDATED", "answer": "1\\"", "text": "ü", '
        '"weight": 0.5}\n'
        '{"q_id": "2", "a_id": 2, "label": "REJECTED", "answer": "2%s", "text": null, '
        '"weight": 1e-07}\n'
        '{"q_id": "3", "a_id": 3, "label": "UNKNOWN", "answer": "3\\n", "text": "\\\\", '
        '"weight": 3.0}\n'
    )
    frames = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}
    for given in (
        rows,
        frames[name](rows),
        [dict(zip(rows, row, strict=True)) for row in zip(*rows.values(), strict=True)],
    ):
        found = ave_score.read_collection(given)
        assert found.sha256 == hashlib.sha256(lines.encode()).hexdigest()
