"""Large files of short rows: what takes most memory for its size.

    python -m tests.fuzz.large 20 [NAME...]

prints, for each, the most memory that checking takes in a process of its own beyond what a small
file takes, in bytes for each byte of the file, unpacked.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ave_score import FileKind
from tests import helpers_logs as logs
from tests.fuzz.grammar import TABULAR, Row
from tests.fuzz.loop import BYTES, MOST, unpacked


def _answer(n: int) -> Row:
    return {"q_id": n // 4, "a_id": n}


_ROWS: dict[str, Callable[[int], Row]] = {
    "run": lambda n: _answer(n) | {"verdict": "REJECTED", "confidence": "1"},
    "collection": lambda n: _answer(n) | {"label": "REJECTED"},
    "key": lambda n: _answer(n) | {"label": "REJECTED"},
    "scores": lambda n: _answer(n) | {"score": "1"},
    "responses": lambda n: {"q_id": n, "answer": "a"},
    "judged": lambda n: {"q_id": n, "run": "r", "judgement": "R"},
    "questions": lambda n: {"q_id": n, "question": "?"},
    "teams": lambda n: {"run": n, "team": "g"},
    "times": lambda n: {"run": n, "submitted": "2026-05-01T20:15:00Z"},
}

_ITEMS: dict[str, tuple[str, str, str]] = {
    "run lines": ("", "{0} {1} REJECTED 1\n", ""),
    "run pairs": ("", "{1} YES 1\n", ""),
    "scores lines": ("", "{0} {1} 1\n", ""),
    "key lines": ("", "{0} {1} REJECTED\n", ""),
    "qrels lines": ("", "{0} 0 {1} 1\n", ""),
    "trec-run lines": ("", "{0} Q0 {1} 1 -{1} t\n", ""),
    "collection XML": ("<ave>", '<q id="{1}"><a id="{1}" value="REJECTED"/></q>\n', "</ave>"),
    "collection pairs": ("<entailment-corpus>",
        '<pair id="{1}" value="YES"><t>a</t><h>b</h></pair>\n', "</entailment-corpus>"),
    "collection tests": ('<test-set><topic t_id="1"><reading-test r_id="1">',
        '<q q_id="{1}"><answer a_id="1" correct="Yes">a</answer></q>\n',
        "</reading-test></topic></test-set>"),
    "answers XML": ("<output>", '<question q_id="{1}" answered="NO"/>\n', "</output>"),
    "answer-sets JSON": ('{{"questions": [{{"id": "0", "sets": []}}',
        ',\n{{"id": "{1}", "sets": [{{"answers": [["a"]]}}]}}', "]}}"),
    "logs samples": ("",
        '{{"q_id": "{1}", "samples": [{{"text": "a", "scores": {{"s": 1}}, "correct": true}}]}}\n',
        ""),
    **{
        f"{kind} {what}": ("", line, "")
        for what, line in {
            "of one field": "1\n",
            "of nothing": "\n",
            "of objects": "{{}}\n",
        }.items()
        for kind in ("run", "collection", "scores", "judged", "teams", "trec-run")
    },
    "collection of empty elements": ("<ave>", "<q/>", "</ave>"),
    "answers of empty elements": ("<output>", "<a/>", "</output>"),
    "answer-sets of empty lists": ('{{"questions": [[]', ",[]", "]}}"),
    "logs of empty objects": ('{{"version":2,"status":"success","samples":[{{}}', ",{{}}", "]}}"),
    "judged of one row": ("q_id\trun\tjudgement\n", "1\t", ""),
    "judged of one header": ("", "{1}\t", ""),
}  # fmt: skip
"""What a file begins with, its items with the numbers of a question and an answer, and its end."""


def _table(kind: str, notation: str) -> Callable[[int], bytes]:
    return lambda n: TABULAR[notation]([*map(_ROWS[kind], range(n))], Random(1))


def _text(begin: str, item: str, end: str) -> Callable[[int], bytes]:
    def make(n: int) -> bytes:
        items = "".join(item.format(at // 4, at) for at in range(n))
        return f"{begin.format()}{items}{end.format()}".encode()

    return make


def _samples(n: int) -> Iterator[Row]:
    return (logs.sample((name, at, "4", "C", 0.5)) for at in range(n) for name in logs.QUESTIONS)


LARGE: dict[str, Callable[[int], bytes]] = {
    **{
        f"{kind} {notation}": _table(kind, notation)
        for kind in _ROWS
        for notation in ("tsv", "csv", "jsonl", "parquet")
        if notation == "tsv" or kind not in ("teams", "times")
    },
    **{name: _text(*item) for name, item in _ITEMS.items()},
    "logs Inspect": lambda n: json.dumps(
        {"version": 2, "status": "success", "samples": [*_samples(n)]}
    ).encode(),
    "logs archive": lambda n: logs.packed(
        {f"samples/{at}.json": json.dumps(one) for at, one in enumerate(_samples(n))}
        | {"header.json": '{"version": 2, "status": "success"}'},
        compression=0,
    ),
    "logs harness": lambda n: logs.lines(
        *(logs.choices(at, ["a", "b"], ["-1", "-2"], "0", acc=1.0) for at in range(n))
    ).encode(),
}
"""Kind and notation -> what makes a file of so many items."""


EACH = {"judged": 340, "responses": 300, "questions": 220}
"""Kind -> bytes of memory that a row may take, however short it is: it is an object, with its id.
All other kinds take at most `BYTES` for each byte."""


class Measured(NamedTuple):
    """The bytes of a file, what checking it takes, and the memory that it may take."""

    size: int
    memory: int
    seconds: float
    most: int


def measured(name: str, megabytes: float) -> Measured:
    """Check a file of about so many megabytes in a process of its own."""
    make, kind = LARGE[name], name.split(maxsplit=1)[0]
    size = megabytes * 1e6
    data = make(1000)
    data = make(int(1000 * size / unpacked(data)))
    with TemporaryDirectory() as folder:
        large, small = Path(folder, "large"), Path(folder, "small")
        large.write_bytes(data)
        small.write_bytes(make(3))
        known = kind if kind in [*FileKind] else ""
        command = [sys.executable, "-c", _CHECK, str(small), str(large), known]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    memory, seconds = done.stdout.split()
    size, rows = unpacked(data), EACH.get(kind, 0) * data.count(b"\n")
    return Measured(size, int(memory), float(seconds), MOST + max(BYTES * size, rows))


_CHECK = """\
import re, sys, time
from pathlib import Path
from ave_score import check

def peak():  # of this program; getrusage also has that of the one that started it
    return int(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1]) << 10

small, large, kind = sys.argv[1:]
check(small, kind=kind or None)
before, started = peak(), time.process_time()
check(large, kind=kind or None)
print(peak() - before, time.process_time() - started)
"""

if __name__ == "__main__":
    for name in sys.argv[2:] or LARGE:
        took = measured(name, float(sys.argv[1]))
        over, work = max(0, took.memory - MOST) / took.size, took.seconds * 1e6 / took.size
        sys.stdout.write(
            f"{name:30} {took.size / 1e6:5.1f} MB: {took.memory / 1e6:6.1f} MB, {over:4.1f} bytes "
            f"a byte beyond {MOST >> 20} MiB, {work:.2f} s a MB"
            f"{' TOO MUCH' * (took.memory > took.most)}\n"
        )
        sys.stdout.flush()
