"""Scores that are read in bulk: what is read with care is the truth, however a file is damaged."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from io import BytesIO

import pytest

import ave_score
from ave_score import DefectError, UsageError
from ave_score.files import source
from ave_score.files.samples import SamplesLog
from ave_score.files.score_rows import ScoreReader
from tests import examples, mostly_slow
from tests.test_bulk_gold import damaged, noting, said

TABLE = b"""\
q_id\ta_id\tscore\tcorrect\tanswer\tquestion\tanswer_key
1\t1_1\t0.90\tTrue\tAnn B\tWho?\tAnn
2\t2_1\t-1e-3\tno\tRome\t\tx
1\t1_2\t12\t\tBob\t\tBob
3\t3_1\t5e-1\t1\t\tWhere?\t
"""
OBJECTS = b"""\
{"q_id": "1", "a_id": 1, "score": 0.90, "correct": true, "answer": "Ann", "question": "Who?"}
{"q_id": "2", "a_id": 2, "score": -1e-3, "correct": false, "answer": "R\\u00f6m", "question": null}
{"q_id": "1", "a_id": 3, "score": 12, "correct": null, "answer": null, "question": "Who?"}
{"q_id": "1", "a_id": 4, "score": 12, "correct": 0, "answer": "x", "question": ""}
"""
NUMBERED = b"""\
{"q_id": 1, "score": 0.90, "answer_key": "a  b"}
{"q_id": 2, "score": 1, "answer_key": 7}
{"q_id": 1, "score": 2, "answer_key": null}
"""
SAMPLES = b"""\
{"q_id": 1, "question": "Who?", "samples": [{"text": "4", "score": 0.9, "correct": true}]}
{"q_id": 2, "question": "Why?", "samples": [{"text": "4", "score": 1, "correct": false}, \
{"text": "5", "score": 2, "correct": null}]}
{"q_id": 1, "question": "Who?", "samples": [{"text": "6", "score": 0, "correct": "1"}]}
"""
SEVERAL = b"""\
{"q_id": 1, "samples": [{"scores": {"p": 0.9, "o": 1}, "answer_key": 1}]}
{"q_id": 2, "samples": [{"scores": {"p": 0.9, "o": 1}, "answer_key": "1"}]}
{"q_id": 3, "samples": [{"scores": {"p": 0.9, "o": 1}, "answer_key": null}]}
"""
LISTS = b"""\
{"q_id": 1, "answers": ["4", "5"], "scores": [0.9, 0.4], "correct": [true, false]}
{"q_id": 2, "answers": ["4", "5"], "scores": [1, 2], "correct": [null, true]}
"""
NAMED_LISTS = LISTS.replace(b"[0.9, 0.4]", b'{"p": [0, 1]}').replace(b"[1, 2]", b'{"p": [1, 2]}')
SINGLE = b"""\
{"q_id": 1, "a_id": "a", "answer": "4", "scores": {"prm": 0.9, "orm": 0.7}}
{"q_id": 1, "a_id": "b", "answer": "5", "scores": {"prm": 0.8, "orm": 0.6}, "x": [[], {}]}
"""
PLAIN = b"1 1_1 0.90\n2 2_1 -1e-3\n1 1_2 12\n"
CORPUS = [TABLE, TABLE.replace(b"\t", b","), OBJECTS, NUMBERED, SAMPLES, SEVERAL, LISTS]
CORPUS += [NAMED_LISTS, SINGLE, PLAIN]

TOKENS = (
    *(b"\t", b",", b"\n", b"\r\n", b'"', b"\\u0000", b"\\ud800", b"\\n", b"null", b"true", b"NaN"),
    *(b'"q_id": 3, ', b'"x": 1, ', b'"a_id": 1, ', b'"score": 1, ', b'"scores": {"z": 1}, '),
    *(b'"scores": {"z": "C"}, ', b'"correct": 1, ', b'"question": "x", ', b"{", b"}", b"[]", b"#"),
    *(b"1_1", b"2", b"C", b"1_000", b"0,5", b"1e999", b"\xc2\xa0", b"\x85", b"\xff", b"\x01"),
    *(b"yes", b'"text": "x", ', b"[" * 99 + b"]" * 99 + b", ", b'{"text": "7", "score": 1}, '),
)
NAMINGS: list[dict[str, str]] = [
    *({}, {}, {"answer_key": "answer"}, {"score": "x"}, {"a_id": "answer_key"}, {"q_id": "a_id"})
]


def outcome(data: bytes, naming: dict[str, str], words: dict[str, str]) -> tuple[object, ...]:
    """Return everything that checking and reading scores gives."""
    checked = ave_score.check(BytesIO(data), kind="scores", columns=naming, values=words)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ave_score.AveScoreWarning)  # they are in `checked`
            verifiers = ave_score.read_verifiers(BytesIO(data), columns=naming)
    except (DefectError, UsageError) as error:
        return *said(checked.findings), str(error)
    of_all = [vars(one) | {"index": (one.index.q_ids, one.index.a_ids)} for one in verifiers]
    return *said(checked.findings), checked.contents, of_all


@pytest.mark.parametrize("seed", mostly_slow(range(6), 1))
def test_damaged_scores_are_read_as_with_care(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance, taken = random.Random(seed), list[object]()
    roads: list[tuple[Callable[..., object], Callable[..., object]]] = [
        (noting(ScoreReader._take, taken), SamplesLog.in_bulk),
        (lambda *_: None, lambda _: []),
    ]
    for _ in range(examples(3000, 100)):
        data = damaged(chance, CORPUS, TOKENS, b'\t\n", [{', (0, 1, 1, 1, 2), 0.1)
        naming, words = chance.choice(NAMINGS), chance.choice([{}, {}, {"yes": "UNKNOWN"}])
        monkeypatch.setattr(source, "CHUNK", chance.choice([100, 1 << 16]))
        results = []
        for take, in_bulk in roads:
            monkeypatch.setattr(ScoreReader, "_take", take)
            monkeypatch.setattr(SamplesLog, "in_bulk", in_bulk)
            results.append(outcome(data, naming, words))
        assert results[0] == results[1], (data, naming, words)
    assert (
        len(taken) - taken.count(None) > examples(3000, 100) // 2
    )  # otherwise nothing was compared
