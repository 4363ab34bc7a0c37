"""Files that attack their readers: deep ones, bombs, archives and tables whose numbers lie."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import struct
import warnings
import zipfile
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import pyarrow
from pyarrow import parquet

from tests.helpers_logs import ANSWERS, sample

MB = 1 << 20
SAMPLE = json.dumps(sample(ANSWERS[0]))
HEADER = ("header.json", '{"status": "success", "version": 2}')


class Attack(NamedTuple):
    """How a file is made, the exit code of `check`, and part of what it says."""

    data: Callable[[], str | bytes]
    code: int
    says: str


def _row(confidence: str, q_id: str = '"1"') -> str:
    return f'{{"q_id": {q_id}, "a_id": "1", "verdict": "SELECTED", "confidence": {confidence}}}'


def _archive(*members: tuple[str | zipfile.ZipInfo, str | bytes]) -> bytes:
    """Return a log with these samples."""
    return _zipped(HEADER, *members)


def _zipped(*members: tuple[str | zipfile.ZipInfo, str | bytes]) -> bytes:
    """Return an archive, in which names may be there twice."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as opened, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, data in members:
            opened.writestr(name, data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _link() -> zipfile.ZipInfo:
    link = zipfile.ZipInfo("samples/link.json")
    link.create_system, link.external_attr = 3, 0o120777 << 16
    return link


def _overlapping(times: int = 5_000) -> bytes:
    """Return an archive whose directory names the same bytes many times."""
    data = _archive(("samples/a.json", SAMPLE + " " * 60_000))
    start, end = data.rindex(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    entry = data[start:end]
    one = data[:start] + b"".join(
        entry.replace(b"/a.json", b"/%06d.json" % n).replace(b"\x0e\0\0\0", b"\x13\0\0\0", 1)
        for n in range(times)
    )
    first = data.index(b"PK\x01\x02")
    tail = struct.pack(
        "<4sHHHHIIH", b"PK\5\6", 0, 0, times + 1, times + 1, len(one) - first, first, 0
    )
    return one + tail


def _table() -> bytes:
    out = io.BytesIO()
    rows = [{"q_id": "1", "a_id": "1", "verdict": "SELECTED", "confidence": 0.5}]
    parquet.write_table(pyarrow.Table.from_pylist(rows), out)
    return out.getvalue()


def _number(number: int) -> bytes:
    return struct.pack("<I", number)


def _with_footer(size: int) -> bytes:
    return _table()[:-8] + _number(size) + b"PAR1"


def _wide() -> bytes:
    """Return a table of a few bytes with a hundred million equal rows."""
    out = io.BytesIO()
    text = pyarrow.DictionaryArray.from_arrays(
        pyarrow.repeat(pyarrow.scalar(0, pyarrow.int32()), 20 * MB), ["x" * 100]
    )
    parquet.write_table(pyarrow.table({"q_id": text}), out)
    return out.getvalue()


_SPACES = [f'xmlns:a{number}="{number}"' for number in range(30_000)]
_BIG = partial(bytes, 66 * MB)

FILES: Mapping[str, Mapping[str, Attack]] = {
    "deep nesting": {"a.json": Attack(lambda: "[" * 200_000, 1, "AVE116"),
        "a.jsonl": Attack(lambda: '{"q_id":' * 20_000, 1, "nested deeper than 100 levels"),
        "a.xml": Attack(lambda: "<ave>" + "<b>" * 100_000, 1, "AVE414"),
        "a.toml": Attack(lambda: f"[editions.a]\nruns = {'[' * 50_000}", 1, "nested too deeply"),
        "keys.toml": Attack(lambda: f"[editions.a]\na{'.a' * 20_000} = 1", 1,
            "more than 20 parts")},
    "values that no reader should take": {
        "digits.jsonl": Attack(lambda: _row("9" * 100_000), 1, "AVE106"),
        "exponent.jsonl": Attack(lambda: _row("1e999999999"), 1, "AVE106"),
        "nan.jsonl": Attack(lambda: _row("NaN"), 1, "AVE106"),
        "surrogate.jsonl": Attack(lambda: _row("1", r'"\ud800"'), 1, "AVE113"),
        "twice.jsonl": Attack(lambda: _row("1", '"1", "q_id": "2"'), 1, "AVE903"),
        "names.xml": Attack(lambda: f"<ave {' '.join(_SPACES)}/>", 1, "AVE410"),
        "utf7.xml": Attack(lambda: '<?xml version="1.0" encoding="utf-7"?><ave/>', 1, "AVE410")},
    "names in archives": {
        "paths.eval": Attack(
            lambda: _archive(("samples/../x.json", SAMPLE), ("/etc/x", "x"), ("..\\x.json", "x")),
            0, "no findings"),
        "link.eval": Attack(lambda: _archive((_link(), "/etc/passwd")), 1, "AVE801"),
        "twice.eval": Attack(lambda: _archive(*[("samples/a.json", SAMPLE)] * 2), 1, "AVE206"),
        "inner.eval": Attack(lambda: _archive(("samples/a.json", _archive())), 1, "AVE117"),
        "zip.txt": Attack(lambda: _zipped(("run.txt", "1 1 SELECTED 1")), 1, "AVE117"),
        "gz.gz": Attack(lambda: gzip.compress(gzip.compress(b"1 1 SELECTED 1\n")), 1, "AVE117")},
    "bombs, and sizes that lie": {
        "a.gz": Attack(lambda: gzip.compress(_BIG(), 1)[:-4] + bytes(4), 2, "more than 200 times"),
        "bomb.xz": Attack(lambda: lzma.compress(_BIG(), preset=0), 2, "more than 200 times"),
        "bomb.eval": Attack(lambda: _archive(("samples/a.json", _BIG())), 2, "more than 200 times"),
        "overlapping.eval": Attack(_overlapping, 2, "more than 200 times"),
        "small.eval": Attack(
            lambda: _archive(("samples/a.json", bytes(MB))).replace(_number(MB), _number(9)), 2,
            "cannot be unpacked")},
    "Parquet that lies": {
        "long.parquet": Attack(lambda: _with_footer(1 << 31), 2, "cannot be read as Parquet"),
        "all.parquet": Attack(lambda: _with_footer((1 << 32) - 1), 2, "cannot be read as Parquet"),
        "empty.parquet": Attack(lambda: b"PAR1PAR1", 2, "cannot be read as Parquet"),
        "footer.parquet": Attack(lambda: b"PAR1\x19\xfc" + b"\xff" * 30 + _number(32) + b"PAR1", 2,
            "cannot be read as Parquet"), "rows.parquet": Attack(_wide, 2, "more than 200 times")},
}  # fmt: skip
"""Attack -> files by their names."""
