"""Well-formed files of every kind in every notation, with random contents.

A damaged sample is mostly refused early. These files are mostly sound, so that what is done after
reading is reached, too: rows of fields, elements of XML, values of JSON, settings of TOML.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from io import BytesIO, StringIO
from itertools import chain
from random import Random
from xml.sax.saxutils import escape, quoteattr

from ave_score import FileKind
from ave_score.core.kinds import KINDS
from ave_score.core.policies import Policies
from tests import helpers_logs as logs

Row = dict[str, object]
Element = tuple[str, dict[str, str], Sequence["Element"] | str]
"""A name, attributes, and elements or a text."""

_SMALL = [("1", "1_1"), ("1", "1_2"), ("2", "2_1"), ("2", "2_2"), ("3", "3_1")]
_PAIRS = [("", number) for number in "1234"]
_TESTS = [("1_1_1", "1"), ("1_1_1", "2"), ("1_1_2", "1"), ("1_2_1", "1"), ("1_2_1", "2")]

WORDS = [
    "", "Ann", "was", "Zürich", "a b", "1492", "#", "x,y", '"', "'", "<a>", "&", "日本", "\t", "-",
]  # fmt: skip
NAMES = ["a", "b", "run1", "team_2.0", "ä", "r 1", "#", "<b>"]
NUMBERS = ["0", "1", "0.5", "0.50", "0.25", "1e-3", ".75"]
NUMBERS += ["5.", "+0.1", "-2.5", "7", "1E2", "3" * 20]
VERDICTS = ["VALIDATED", "REJECTED", "REJECTED", "SELECTED"]
LABELS = ["VALIDATED", "REJECTED", "REJECTED", "UNKNOWN"]


def _text(chance: Random) -> str:
    return " ".join(chance.choices(WORDS, k=chance.choice([1, 1, 2, 4])))


def _one(*choices: object) -> Callable[[Random], object]:
    return lambda chance: chance.choice(choices)


def _time(chance: Random) -> str:
    day = f"2026-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"
    return f"{day}T{chance.randint(0, 23):02}:15:00{chance.choice(['Z', '+02:00', '.5-11:30'])}"


_number = _one(*NUMBERS)
_COLUMNS: dict[str, Callable[[Random], object]] = {
    **dict.fromkeys(["question", "answer", "text", "hypothesis", "topic", "note"], _text),
    "verdict": _one(*VERDICTS),
    "label": _one(*LABELS),
    "grade": _one(0, 1, 2, 3),
    "judgement": _one(*"RRWWUX"),
    "answered": _one("YES", "NO", ""),
    "confidence": _one(*NUMBERS[:7]),
    "score": _number,
    "correct": _one("yes", "no", "true", "0", ""),
    "run": _one(*NAMES[:4]),
    "replicate": _one("1", "2", ""),
    "doc": _one("D1", "D2", ""),
    "lang": _one("en", "es"),
    "nuggets": _one("", "1", "1,2", "b.2 1"),
    "team": _one(*NAMES),
    "primary": _one("yes", "no"),
    "submitted": _time,
}

_TABLES: dict[FileKind, tuple[str, str]] = {
    FileKind.RUN: ("verdict", "confidence question answer"),
    FileKind.COLLECTION: ("label", "question answer text doc grade lang note"),
    FileKind.KEY: ("label", ""),
    FileKind.SCORES: ("score", "correct answer question note"),
    FileKind.RESPONSES: ("answer", "run nuggets"),
    FileKind.JUDGED: ("run judgement", "answer answered text doc confidence score replicate note"),
    FileKind.QUESTIONS: ("question", "lang topic"),
    FileKind.TEAMS: ("run team", ""),
    FileKind.TIMES: ("run submitted", ""),
}
"""Kind -> the columns of its tables besides ids, needed and optional."""

_BY_QUESTION = (FileKind.RESPONSES, FileKind.QUESTIONS, FileKind.JUDGED)
_WITHOUT_IDS = (FileKind.TEAMS, FileKind.TIMES)
_COMPLETE = (FileKind.RUN, FileKind.KEY, FileKind.COLLECTION)


def _rows(chance: Random, kind: FileKind) -> list[Row]:
    """Return rows; a run mostly has one for each answer of a collection, and one selected."""
    several = [_SMALL, _SMALL, _TESTS]
    answers = chance.choice(several if kind is FileKind.KEY else [*several, _PAIRS])
    if kind not in _COMPLETE:
        answers = _SMALL if answers is _PAIRS else answers
        answers = chance.sample(answers, chance.randint(1, len(answers)))
    if kind in (FileKind.QUESTIONS, FileKind.TIMES, FileKind.TEAMS):
        answers = [*{q_id: (q_id, a_id) for q_id, a_id in answers}.values()]
    if chance.random() < 0.1:
        answers = chance.sample(answers, len(answers))
    needed, optional = (names.split() for names in _TABLES[kind])
    names = [*needed, *(name for name in optional if chance.random() < 0.4)]
    if kind is FileKind.RUN and answers is not _PAIRS and "confidence" not in names:
        names.append("confidence")
    rows, taken = [], set[str]()
    for q_id, a_id in answers:
        row: Row = {name: _COLUMNS[name](chance) for name in names}
        if kind in _WITHOUT_IDS:
            row["run"] = f"{row['run']}{q_id}"
        elif not q_id:
            row = {"pair_id": a_id} | _of_pair(row)
        elif kind in _BY_QUESTION and chance.random() < 0.7:
            row = {"q_id": q_id} | row
        else:
            row = {"q_id": q_id, "a_id": a_id} | row
        if row.get("verdict") in ("SELECTED", "VALIDATED"):
            row["verdict"] = "VALIDATED" if q_id in taken else "SELECTED"
            taken.add(q_id)
        for name in row.keys() & {"question", "answer"}:
            row[name] = f"{row[name]}?" if str(row[name]).strip() else "NIL"
        rows.append(row)
    return rows


def _of_pair(row: Row) -> Row:
    words = {"SELECTED": "YES", "VALIDATED": "YES", "REJECTED": "NO"}
    return row | {
        name: words.get(str(row[name]), "NO") for name in row.keys() & {"label", "verdict"}
    }


def _lines(rows: list[Row], _: Random) -> bytes:
    cells = [[str(cell).replace(" ", "_") for cell in row.values() if cell != ""] for row in rows]
    return "".join(" ".join(row) + "\n" for row in cells).encode()


def _delimited(delimiter: str) -> Callable[[list[Row], Random], bytes]:
    def write(rows: list[Row], chance: Random) -> bytes:
        out = StringIO()
        ends = chance.choice(["\n", "\n", "\r\n"])
        names = [*dict.fromkeys(chain.from_iterable(rows))]
        table = csv.DictWriter(out, names, delimiter=delimiter, lineterminator=ends)
        table.writeheader()
        table.writerows(rows)
        return out.getvalue().encode("utf-8-sig" if chance.random() < 0.1 else "utf-8")

    return write


def _typed(row: Row) -> Row:
    """Return a row with numbers and truth values, as JSON has them."""
    typed = dict(row)
    for name in row.keys() & {"confidence", "score"}:
        typed[name] = float(str(row[name]))
    if "correct" in row:
        typed["correct"] = {"yes": True, "true": True, "no": False, "0": False, "": None}[
            str(row["correct"])
        ]
    return typed


def _json_lines(rows: list[Row], chance: Random) -> bytes:
    is_ascii = chance.random() < 0.3
    return "".join(json.dumps(_typed(row), ensure_ascii=is_ascii) + "\n" for row in rows).encode()


def _parquet(rows: list[Row], _: Random) -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    out = BytesIO()
    parquet.write_table(pa.Table.from_pylist([*map(_typed, rows)]), out)
    return out.getvalue()


TABULAR = {
    "tsv": _delimited("\t"), "csv": _delimited(","), "semicolon": _delimited(";"),
    "jsonl": _json_lines, "parquet": _parquet,
}  # fmt: skip


def _table(kind: FileKind) -> Callable[[Random], bytes]:
    def make(chance: Random) -> bytes:
        rows = _rows(chance, kind)
        if KINDS[kind].fields and not KINDS[kind].has_tabs and chance.random() < 0.4:
            wanted = {"pair_id", *KINDS[kind].fields}
            return _lines([{k: row[k] for k in row if k in wanted} for row in rows], chance)
        if kind in (FileKind.KEY, FileKind.TEAMS, FileKind.TIMES):
            return _delimited("\t")(rows, chance)
        notation = chance.choices([*TABULAR], [3, 2, 1, 3, 0.2])[0]
        return TABULAR[notation](rows, chance)

    return make


def _xml(element: Element, chance: Random) -> bytes:
    """Return an element as a document, with all that may stand between elements."""
    style = chance.choice(['<?xml version="1.0" encoding="UTF-8"?>\n', "", "<!-- a -->\n"])
    space, quirk = chance.choice(["", "\n", "\n  "]), chance.random()

    def text(of: str) -> str:
        if quirk < 0.1 and "]]>" not in of:
            return f"<![CDATA[{of}]]>"
        return escape(of) + ("<!-- -->" if quirk > 0.95 else "")

    def lines(one: Element) -> str:
        name, attributes, inside = one
        has = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
        if not inside and quirk < 0.8:
            return f"<{name}{has}/>"
        if isinstance(inside, str):
            return f"<{name}{has}>{text(inside)}</{name}>"
        return f"<{name}{has}>{space}{space.join(map(lines, inside))}{space}</{name}>"

    return f"{style}{lines(element)}\n".encode()


def _grouped(answers: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for q_id, a_id in answers:
        groups.setdefault(q_id, []).append(a_id)
    return groups


def _collection(chance: Random) -> bytes:
    kind = chance.random()
    if kind < 0.35:
        return _table(FileKind.COLLECTION)(chance)
    if kind < 0.6:
        return _xml(("ave", {"lang": "EN"}, _questions(chance)), chance)
    if kind < 0.8:
        pairs: list[Element] = [
            (
                "pair",
                {"id": number, "value": chance.choice(["YES", "NO", "UNKNOWN"])},
                _parts(chance),
            )
            for _, number in _PAIRS
        ]
        return _xml(("entailment-corpus", {"lang": "en"}, pairs), chance)
    return _xml(("test-set", {}, [_topic(chance, "q", _test_question)]), chance)


def _parts(chance: Random) -> list[Element]:
    return [(name, {}, _text(chance)) for name in chance.choice(["qth", "thq", "th"])]


def _questions(chance: Random) -> list[Element]:
    every: list[Element] = []
    for q_id, answers in _grouped(_SMALL).items():
        inside: list[Element] = [("q_str", {}, _text(chance))]
        for a_id in answers:
            texts: list[Element] = [("a_str", {}, _text(chance))]
            if chance.random() < 0.5:
                texts.append(("t_str", {"doc": "D1"}, _text(chance)))
            inside.append(("a", {"id": a_id, "value": chance.choice(LABELS)}, texts))
        every.append(("q", {"id": q_id}, inside))
    return every


def _topic(chance: Random, tag: str, question: Callable[[Random, str], Element]) -> Element:
    tests: list[Element] = []
    for number in range(1, chance.randint(2, 4)):
        doc: list[Element] = [("doc", {"d_id": str(number)}, _text(chance))] if tag == "q" else []
        inside = [*doc, *(question(chance, str(n)) for n in range(1, chance.randint(2, 4)))]
        tests.append(("reading-test", {"r_id": str(number)}, inside))
    return ("topic", {"t_id": "1"}, tests)


def _test_question(chance: Random, q_id: str) -> Element:
    right = chance.randint(1, 3)
    answers: list[Element] = [
        ("answer", {"a_id": str(n)} | ({"correct": "Yes"} if n == right else {}), _text(chance))
        for n in range(1, 4)
    ]
    return ("q", {"q_id": q_id}, [("q_str", {}, _text(chance)), *answers])


def _answer(chance: Random, q_id: str) -> Element:
    answered = chance.choice(["YES", "NO"])
    has_answer = answered == "YES" or chance.random() < 0.5
    inside: list[Element] = [("answer", {"a_id": chance.choice("123")}, "")] if has_answer else []
    return ("question", {"q_id": q_id, "answered": answered}, inside)


def _answers(chance: Random) -> bytes:
    if chance.random() < 0.3:
        flat = [_answer(chance, q_id) for q_id in "123"]
        return _xml(("output", {}, flat), chance)
    return _xml(("output", {"run_id": "r"}, [_topic(chance, "question", _answer)]), chance)


def _answer_sets(chance: Random) -> bytes:
    questions: list[Row] = []
    for number in map(str, range(1, chance.randint(2, 5))):
        if chance.random() < 0.3:
            nuggets = [
                {
                    "id": str(n),
                    "vital": chance.random() < 0.5 or n == 1,
                    "text": f"t{_text(chance)}",
                }
                for n in range(1, 4)
            ]
            questions.append({"id": number, "type": "definition", "nuggets": nuggets})
            continue
        sets = [
            [[f"{n}{_text(chance)}", f"w{n}"] for n in range(3)]
            for _ in range(chance.randint(0, 2))
        ]
        questions.append({"id": number, "sets": [{"answers": answers} for answers in sets]})
    return json.dumps({"questions": questions}, indent=chance.choice([None, 2])).encode()


def _log(chance: Random) -> bytes:
    shape = chance.randrange(4)
    if shape < 2:
        answers: list[logs.Answer] = [
            (
                name, epoch, chance.choice("456"), chance.choice(["C", "I", "N", "P"]),
                chance.random(),
            )
            for epoch in range(1, chance.randint(2, 4))
            for name in logs.QUESTIONS
        ]  # fmt: skip
        if shape == 0:
            return logs.inspect_log(answers).encode()
        return logs.packed(logs.eval_members(answers))
    if shape == 2:
        rows = []
        for number in range(chance.randint(1, 4)):
            values = [str(-chance.randint(1, 9)) for _ in range(3)]
            right, texts = chance.choice("012"), [f"{n}{_text(chance)}" for n in range(3)]
            rows.append(logs.choices(number, texts, values, right, acc=chance.choice([0.0, 1.0])))
        return logs.lines(*rows).encode()
    names = chance.sample(["prm", "orm", "judge"], chance.randint(1, 3))
    samples = [
        {
            "q_id": str(number),
            "samples": [
                {
                    "text": _text(chance),
                    "scores": {name: float(chance.choice(NUMBERS[:7])) for name in names},
                    "correct": chance.choice([True, False, None]),
                }
                for _ in range(chance.randint(1, 4))
            ],
        }
        for number in range(chance.randint(1, 4))
    ]
    return logs.lines(*samples).encode()


def _campaign(chance: Random) -> bytes:
    """Return settings of editions and languages, by their headers or as inline tables."""
    word = chance.choice(["languages", "tasks"])
    lines = [f"title = {json.dumps(_text(chance))}"] if chance.random() < 0.5 else []
    policies = {
        name: record.choices
        for name, record in Policies.records().items()
        if record.setting is not None
    }
    for edition in chance.sample(["2007", "x-1", '"a.b"'], chance.randint(1, 2)):
        lines.append(f"[editions.{edition}]")
        lines += [
            f"{name} = '{chance.choice([*choices])}'"
            for name, choices in policies.items()
            if choices and chance.random() < 0.3
        ]
        if chance.random() < 0.3:
            lines += [f'{word} = ["de", "es"]', f'collection = "c-{{{word[:-1]}}}.xml"']
            continue
        for name in chance.sample(["de", "es", '"e=n"'], chance.randint(1, 2)):
            lines.append(f"[editions.{edition}.{word}.{name}]")
            lines += [
                f"{key} = {chance.choice(setting)}"
                for key, setting in _SETTINGS
                if chance.random() < 0.4
            ]
            lines.append('collection = "c.xml"')
            if chance.random() < 0.3:
                lines += [f"[editions.{edition}.{word}.{name}.teams]", '"a.txt" = "G"', "b = 'H'"]
    return "\n".join([*lines, ""]).encode()


_SETTINGS = [
    ("key", ["'k'"]),
    ("judged", ['"j.tsv"']),
    ("runs", ['"runs/*"', '["a*", "b"]', "'''a'''"]),
    ("names", ['{ "a.txt" = "A" }']),
    ("max_runs_per_team", ["2", "0x1F"]),
    ("opens", ["2026-05-01T00:00:00Z", '"2026-05-01T00:00:00+02:00"']),
    ("closes", ["2027-05-01T00:00:00Z"]),
    ("submitted", ['"times.tsv"', "{ a = 2026-06-01T00:00:00Z }"]),
    ("beyond_limits", ['"apart"', '"ranked"']),
    ("reference", ['"base*"', '["a", "b"]']),
    ("primary", ["'p*'"]),
]


def _qrels(chance: Random) -> bytes:
    docs = chance.sample([(t, f"D{d}") for t in "123" for d in range(4)], chance.randint(1, 8))
    lines = [
        f"{t} {chance.choice(['0', 'Q0'])} {d} {chance.choice('012')}" for t, d in sorted(docs)
    ]
    return "\n".join([*lines, ""]).encode()


def _trec_run(chance: Random) -> bytes:
    rows = []
    for topic in "123"[: chance.randint(1, 3)]:
        docs = chance.sample(range(6), chance.randint(1, 5))
        second = chance.choice(["Q0", "Q0", "0", "QO", "AF"])
        rows += [f"{topic} {second} D{d} {n} {9 - n}.5 tag" for n, d in enumerate(docs, 1)]
    return "\n".join([*rows, ""]).encode()


MAKERS: dict[str, Callable[[Random], bytes]] = {
    **{kind: _table(kind) for kind in _TABLES},
    FileKind.COLLECTION: _collection,
    FileKind.ANSWERS: _answers,
    FileKind.ANSWER_SETS: _answer_sets,
    FileKind.CAMPAIGN: _campaign,
    FileKind.QRELS: _qrels,
    FileKind.TREC_RUN: _trec_run,
    "logs": _log,
}
"""What makes a well-formed file of each reader."""


def make_file(chance: Random, reader: str) -> bytes:
    """Return a well-formed file, of any kind for a reader that has none of its own."""
    own = FileKind.RUN if reader == "fix" else reader
    return MAKERS[own if own in MAKERS else chance.choice([*MAKERS])](chance)
