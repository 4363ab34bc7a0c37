"""Files that would take memory, time or the stack out of proportion to their size; Ctrl-C."""

from __future__ import annotations

import gzip
import json
import struct
import sys
import weakref
import zipfile
import zlib
from collections.abc import Callable, Sized
from pathlib import Path
from typing import cast

import pyarrow
import pytest
from pyarrow import parquet

import ave_score
from ave_score import FileKind, InputError
from ave_score.files import run as runs
from ave_score.files.check import check_file
from ave_score.files.run import check_run
from ave_score.files.run_lines import RunLines
from ave_score.files.source import Source
from tests import mostly_slow, slow
from tests.helpers_command import AVE_SCORE, ave, needs_proc, peak_of, process, program, refusal
from tests.helpers_files import COLLECTION, RUN, put

MB = 1 << 20


USELESS = {
    "run.txt": "x\n",
    "run.csv": "q_id,a_id,verdict,confidence\n",
    "run.jsonl": '{"q_id": "1", "a_id": "1_1", "verdict": "REJECTED", "confidence": 0}\n',
}
"""The first line of a file of useless lines in each notation."""


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("command", ["check", "fix --diff", "score gold.xml"])
@pytest.mark.parametrize("name", USELESS)
def test_thirty_mebibytes_of_lines_take_little(tmp_path: Path, command: str, name: str) -> None:
    # kept and read to their end, they took 890 bytes for each line of two: 14 GB
    put(tmp_path, COLLECTION, "gold.xml")
    data = gzip.compress(USELESS[name].encode() + b"x\n" * (15 * MB), 1)
    put(tmp_path, data, f"{name}.gz")
    code, peak, printed = peak_of(tmp_path, *command.split(), f"{name}.gz")
    assert code == 1
    assert peak <= 150, peak
    assert "AVE116" in printed and "of the first 10,000 lines are unreadable" in printed


def useless(lost: int, sound: int) -> str:
    """Return a run with useless lines evenly among others."""
    size = lost + sound
    return "".join(
        f"1 {number} REJECTED 0.5\n"
        if (number + 1) * sound // size > number * sound // size
        else f"x{number}\n"
        for number in range(size)
    )


@pytest.mark.parametrize("pack", mostly_slow([bytes, gzip.compress], 1), ids=["plain", "gzip"])
@pytest.mark.parametrize(("lost", "sound", "read"), [
    slow((12_000, 0, 10_000)),
    (9_000, 1_000, 10_000),  # nine tenths
    (8_999, 1_001, None),
    slow((40_000, 10_000, None)),  # four fifths, however many
    (9_998, 0, None),  # too few to judge
])  # fmt: skip
def test_a_file_is_given_up_if_nine_of_ten_lines_are_useless(
    tmp_path: Path, lost: int, sound: int, read: int | None, pack: Callable[[bytes], bytes]
) -> None:
    text = useless(lost, sound)
    assert text.count(" ") == 3 * sound
    data = pack(text.encode() + b"1 last REJECTED 0.5\n" * (read is None))
    findings = check_file(Source(put(tmp_path, data)), FileKind.RUN).findings
    counts = {rule.code: times for rule, times in findings.counts.items()}
    if read is None:
        assert counts == {"AVE101": lost}
        return
    assert counts == {"AVE101": min(lost, read), "AVE116": 1}
    assert "the lines after line 10,000" in findings.unchecked


def test_what_follows_a_useless_beginning_is_not_missing(tmp_path: Path) -> None:
    collection = ave_score.read_collection(put(tmp_path, COLLECTION, "gold.xml"))
    run = put(tmp_path, "1 1_1 SELECTED 0.9\n" + "x\n" * 30_000)
    _, (findings,) = check_run(Source(run), collection.index)
    # line 1 is sound, so the first 10,000 lines lose 9,999
    expected = {"AVE101": 9_999, "AVE116": 1}
    assert {rule.code: times for rule, times in findings.counts.items()} == expected


@pytest.mark.slow
def test_defects_of_all_lines_that_have_fixes_are_all_counted_and_fixed(tmp_path: Path) -> None:
    path = put(tmp_path, "".join(f"1 {number} REJECTED 0,5\n" for number in range(12_000)))
    expected = {"AVE107": 12_000}
    assert {rule.code: n for rule, n in ave_score.check(path).findings.counts.items()} == expected
    fixed = ave_score.fix(path)
    assert len(fixed.changes) == 12_000 and fixed.text == path.read_text().replace(",", ".")


@pytest.mark.slow
def test_findings_without_a_fix_are_kept_up_to_a_limit_while_fixing(tmp_path: Path) -> None:
    sound = "".join(f"1 {number} rejected 0.5\n" for number in range(3_000))
    left = ave_score.fix(put(tmp_path, sound + "x\n" * 5_000)).left
    assert {rule.code: n for rule, n in left.counts.items()} == {"AVE101": 5_000}
    assert len([*left]) == 1_000


def test_a_run_of_very_many_lines_is_not_fixed(tmp_path: Path) -> None:
    blank = "\n" * (1 << 20)
    with pytest.raises(InputError, match="more than 1,048,576 lines, not fixed"):
        ave_score.fix(put(tmp_path, RUN.replace("0.9", "0,9") + blank))
    assert ave_score.fix(put(tmp_path, RUN + blank)).changes == []  # there is nothing to fix


@pytest.mark.slow
def test_a_run_of_very_many_defects_is_not_fixed(tmp_path: Path) -> None:
    answers = "".join(f"1,{a_id},REJECTED\n" for a_id in range((1 << 17) + 1))
    gold = put(tmp_path, f"q_id,a_id,label\n{answers}", "gold.csv")
    lacking = put(tmp_path, "1 0 REJECTED 0,5\n1 1 REJECTED 0\n", "lacking.txt")
    assert len(ave_score.fix(lacking, gold).changes) == 1
    lacking.write_text("1 0 REJECTED 0\n" * 3)
    with pytest.raises(InputError, match="more than 131,072 defects, not fixed"):
        ave_score.fix(lacking, gold, unsafe=True)  # 2 lines too many, 131,072 missing


@pytest.mark.slow
def test_answer_sets_of_very_many_values_are_not_read(tmp_path: Path) -> None:
    for values, refused in ((1 << 18, False), ((1 << 18) + 1, True)):
        path = put(tmp_path, f"[{'[],' * (values - 2)}[]]", "sets.json")
        findings = ave_score.check(path, kind="answer-sets").findings
        assert ("more than 262,144 values" in str([*findings])) is refused


SAMPLE = b'{"id": "1", "epoch": 1, "scores": {"s": {"value": "C"}}, "output": {"completion": "a"}}'


def lying(path: Path, size: int, method: int) -> None:
    """Write a log whose directory says that a sample has 200 bytes; it unpacks to `size` MiB."""
    module = zipfile
    if method == 93 and not hasattr(zipfile, "ZIP_ZSTANDARD"):
        module = pytest.importorskip("backports.zstd.zipfile")
    with module.ZipFile(path, "w", method) as archive:
        archive.writestr("header.json", '{"status": "success"}')
        with archive.open("samples/1_epoch_1.json", "w", force_zip64=True) as member:
            member.write(SAMPLE)
            for _ in range(size):
                member.write(b" " * MB)
    data = bytearray(path.read_bytes())
    entry = data.rfind(b"PK\x01\x02")  # of the sample: checksum at 16, unpacked size at 24
    struct.pack_into("<I", data, entry + 16, zlib.crc32(SAMPLE.ljust(200)))
    struct.pack_into("<I", data, entry + 24, 200)
    path.write_bytes(data)


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, 93], ids=["deflate", "zstandard"])
def test_an_archive_that_lies_about_a_size_is_read_up_to_it(tmp_path: Path, method: int) -> None:
    lying(tmp_path / "log.eval", 150, method)
    code, peak, printed = peak_of(tmp_path, "check", "log.eval")
    assert code == 0
    assert "1 question, 1 answer" in printed
    # all of it took 2 or 4 GB; backports.zstd before 1.8 keeps 128 MB of what it unpacks
    assert peak < 300, peak


def test_an_archive_that_cannot_be_unpacked_in_pieces_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "log.eval", "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("header.json", '{"status": "success"}')
    assert "compressed in a way that Inspect does not use" in refusal(
        "check", str(tmp_path / "log.eval")
    )


def parquet_of(path: Path, columns: dict[str, object], **options: object) -> None:
    rows = {"q_id": "1", "a_id": "1_1", "verdict": "REJECTED", "confidence": 0.5}
    size = len(cast("Sized", next(iter(columns.values()))))
    table = pyarrow.table({name: [value] * size for name, value in rows.items()} | columns)
    parquet.write_table(
        table, path, **({"compression": "zstd", "write_statistics": False} | options)
    )


def with_small_sizes_in_the_footer(data: bytes, size: int) -> bytes:
    """Return a file whose footer says that `size` bytes of a column are one."""

    def number(value: int, width: int = 0) -> bytes:  # of Thrift: zigzag, 7 bits a byte
        value, found = 2 * value, b""
        while value > 127 or len(found) + 1 < width:
            found, value = found + bytes([value & 127 | 128]), value >> 7
        return found + bytes([value])

    start = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    true = number(size)
    assert true in data[start:]
    return data[:start] + data[start:].replace(true, number(1, len(true)))


TEXT = "x" * MB


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("lies", [False, True], ids=["honest", "lying"])
def test_parquet_that_unpacks_to_far_more_is_refused_unread(tmp_path: Path, lies: bool) -> None:
    path = tmp_path / "run.parquet"
    parquet_of(path, {"text": [TEXT] * 100}, use_dictionary=False)
    column = parquet.ParquetFile(path).metadata.row_group(0).column(4)
    if lies:
        size = column.total_uncompressed_size
        path.write_bytes(with_small_sizes_in_the_footer(path.read_bytes(), size))
        column = parquet.ParquetFile(path).metadata.row_group(0).column(4)
        assert column.total_uncompressed_size == 1
    assert path.stat().st_size < MB
    code, peak, printed = peak_of(tmp_path, "check", "run.parquet")
    assert code == 2
    assert "run.parquet: unpacks to more than 200 times its size" in printed
    assert peak < 150, peak  # reading it took 430 MB


@pytest.mark.slow
@needs_proc
def test_rows_of_parquet_that_share_a_long_text_are_read_in_parts(tmp_path: Path) -> None:
    # each has a megabyte, of which the file has one; 4,096 rows are read at a time
    texts = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * 5_000, pyarrow.int32()), [TEXT])
    parquet_of(
        tmp_path / "run.parquet", {"text": texts}, store_schema=False, dictionary_pagesize_limit=MB
    )
    code, peak, printed = peak_of(tmp_path, "check", "run.parquet")
    assert code == 2
    assert "unpacks to more than 200 times its size" in printed
    assert peak < 200, peak  # all of them took 4.2 GB


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize(("texts", "options"), [
    # 400 MB of which the file has one, in notations that no dictionary is read of
    (lambda: pyarrow.array([TEXT.encode()] * 400, pyarrow.binary(MB)),
        {"dictionary_pagesize_limit": 2 * MB}),
    (lambda: [TEXT] * 400,
        {"use_dictionary": False, "column_encoding": {"text": "DELTA_BYTE_ARRAY"}}),
    (lambda: [[TEXT]] * 400, {"dictionary_pagesize_limit": 2 * MB}),
], ids=["fixed-length", "differences", "list"])  # fmt: skip
def test_rows_of_parquet_that_repeat_a_long_text_take_little_memory(
    tmp_path: Path, texts: Callable[[], object], options: dict[str, object]
) -> None:
    parquet_of(tmp_path / "run.parquet", {"text": texts()}, **options)
    assert (tmp_path / "run.parquet").stat().st_size < MB
    code, peak, printed = peak_of(tmp_path, "check", "run.parquet")
    assert code == 2
    assert "run.parquet: unpacks to more than 200 times its size" in printed
    assert peak < 300, peak


@pytest.mark.parametrize("encoding", ["PLAIN", "DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"])
def test_texts_of_parquet_may_be_encoded_in_all_ways(tmp_path: Path, encoding: str) -> None:
    # DuckDB writes the last one for version 2 of the format
    rows = [{"text": "é" * number, "number": number} for number in range(9)]
    path = tmp_path / "rows.parquet"
    table = pyarrow.Table.from_pylist(rows)
    parquet.write_table(table, path, use_dictionary=False, column_encoding={"text": encoding})
    assert [json.loads(line) for line in b"".join(Source(path).chunks()).splitlines()] == rows


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "dictionary"])
def test_texts_of_parquet_may_be_of_all_types(tmp_path: Path, kind: str) -> None:
    # polars and pandas write other types of texts than pyarrow does
    types = {"dictionary": lambda: pyarrow.dictionary(pyarrow.int32(), pyarrow.string())}
    if not hasattr(pyarrow, kind):
        pytest.skip(f"this pyarrow has no {kind}")
    texts = pyarrow.array(["a", None, "b", "a"], types.get(kind, getattr(pyarrow, kind))())
    parquet.write_table(pyarrow.table({"text": texts}), tmp_path / "rows.parquet")
    lines = b"".join(Source(tmp_path / "rows.parquet").chunks()).splitlines()
    assert [json.loads(line)["text"] for line in lines] == ["a", None, "b", "a"]


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("page", [100, MB], ids=["many-pages", "one-page"])
@pytest.mark.parametrize("has_dictionary", [True, False])
def test_rows_of_parquet_are_what_was_written(
    tmp_path: Path, version: str, page: int, has_dictionary: bool
) -> None:
    rows = [
        {
            "q_id": str(number), "text": None if number % 3 else "é" * number, "flag": number > 9,
            "parts": [{"role": "user", "of": ["a", str(number)]}], "number": number / 7,
        }
        for number in range(500)
    ]  # fmt: skip
    path = tmp_path / "rows.parquet"
    parquet.write_table(
        pyarrow.Table.from_pylist(rows), path,
        data_page_version=version, data_page_size=page, row_group_size=111,
        use_dictionary=has_dictionary,
    )  # fmt: skip
    lines = b"".join(Source(path).chunks()).splitlines()
    assert [json.loads(line) for line in lines] == rows


@pytest.mark.parametrize("at", [4, 5, 8, 12, 20])
def test_a_damaged_page_of_parquet_could_not_be_read(tmp_path: Path, at: int) -> None:
    path = tmp_path / "run.parquet"
    parquet_of(path, {"text": ["a", "b"]}, use_dictionary=False)
    data = path.read_bytes()
    path.write_bytes(data[:at] + b"\xff" * 4 + data[at + 4 :])
    assert "run.parquet: " in refusal("check", path)


def test_an_encrypted_column_of_parquet_is_refused(tmp_path: Path) -> None:
    """Where pyarrow is asked about one, it ends the process."""
    encryption = pytest.importorskip("pyarrow.parquet.encryption")

    class Keys(encryption.KmsClient):  # type: ignore[misc, name-defined]
        def wrap_key(self, key: bytes, name: str) -> str:
            return "key"

    config = encryption.EncryptionConfiguration("a", column_keys={"b": ["text"]})
    config.plaintext_footer = True
    connection = encryption.KmsConnectionConfig()
    factory = encryption.CryptoFactory(lambda _: Keys())
    properties = factory.file_encryption_properties(connection, config)
    path = tmp_path / "run.parquet"
    parquet_of(path, {"text": ["a"]}, encryption_properties=properties)
    assert refusal("check", path).endswith("cannot be read as Parquet: a column is encrypted\n")


@pytest.mark.parametrize(("footer", "reason"), [
    # Thrift's compact protocol: a list of one row group, with a list of one column
    (b"\x49\x1c\x19\x1c\x00\x00\x00", "the footer is damaged"),
    (b"\x49\x1c\x19\x1c", "the footer has no end"),
    (b"\x16\x00\x06\x02\x00\x00", "a field stands twice, or has no number"),
    (b"\x06\x01\x00\x00", "a field stands twice, or has no number"),
    (b"\x49\x15\x02\x00", "a page or the footer has what no version of Parquet has"),
])  # fmt: skip
def test_a_footer_of_parquet_says_one_thing(
    footer: bytes, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a field that stands twice, or whose number is beyond 16 bits, pyarrow takes the other."""
    path = tmp_path / "run.parquet"
    parquet_of(path, {"text": ["a"]})
    file = parquet.ParquetFile(path)
    path.write_bytes(footer + len(footer).to_bytes(4, "little") + b"PAR1")
    monkeypatch.setattr(parquet, "ParquetFile", lambda *_: file)
    path.write_bytes(b"PAR1" + path.read_bytes())
    assert refusal("check", path).endswith(f"cannot be read as Parquet: {reason}\n")


def fail(error: type[BaseException]) -> Callable[..., None]:
    def failing(*_: object, **__: object) -> None:
        raise error

    return failing


@pytest.mark.parametrize(
    ("error", "reason"),
    [(MemoryError, "needs more memory than there is"), (RecursionError, "is nested too deeply")],
)
@pytest.mark.parametrize(
    "command", [["check"], ["score", "gold.xml", "--keep-going"], slow(["fix", "--diff"])], ids=str
)
def test_a_file_that_exhausts_memory_or_stack_is_refused_and_the_others_are_read(
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: list[str],
    error: type[BaseException],
    reason: str,
) -> None:
    put(here, COLLECTION, "gold.xml")
    put(here, RUN, "good.txt")
    put(here, RUN, "large.txt")

    class Exhausting(RunLines):
        @staticmethod
        def recognises(source: Source) -> bool:
            if source.path == "large.txt":
                raise error
            return False

    monkeypatch.setattr(runs, "NOTATIONS", (Exhausting, *runs.NOTATIONS))
    code, out, err = ave(*command, "large.txt", "good.txt")
    assert code in (1, 2)
    assert f"ave-score: large.txt: {reason}" in err and "internal error" not in err
    said = {
        "check": "0 of 2 files with errors, 1 could not be read",
        "score": "good",
        "fix": "1 unchanged",
    }
    assert said[command[0]] in out + err


def test_memory_of_a_refused_file_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Held:
        """What refers to itself is only freed when Python looks for it."""

        def __init__(self) -> None:
            self.itself = self

    seen: list[weakref.ref[Held]] = []

    def exhausting(*_: object) -> None:
        held = Held()
        seen.append(weakref.ref(held))
        raise MemoryError

    monkeypatch.setattr("ave_score.files.run.align", exhausting)
    with pytest.raises(InputError):
        check_run(Source(put(tmp_path, RUN)), None)
    assert seen[0]() is None


def test_a_lack_of_memory_elsewhere_is_no_internal_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json, "dumps", fail(MemoryError))
    err = refusal("check", "--format", "json", str(put(tmp_path, RUN)))
    assert err == "ave-score: there is not enough memory; give fewer or smaller files\n"


@needs_proc
def test_too_many_open_files_are_named_as_such(tmp_path: Path) -> None:
    for name in ("gold.xml", "a.txt", "b.txt"):
        put(tmp_path, COLLECTION if name == "gold.xml" else RUN, name)
    # 3 standard streams, the collection, and nothing left for a module; Python itself starts before
    code = (
        "import resource; from ave_score.__main__ import main;"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4)); main()"
    )
    done = process("score", "gold.xml", "a.txt", "b.txt", command=program(code), cwd=tmp_path)
    said = "ave-score: too many open files; close some, or raise the limit (ulimit -n)\n"
    assert (done.code, done.err) == (2, said)


@pytest.mark.skipif(sys.platform == "win32", reason="a folder in use cannot be deleted there")
def test_a_deleted_working_directory_is_named_as_such(tmp_path: Path) -> None:
    run, gone = put(tmp_path, RUN), tmp_path / "gone"
    gone.mkdir()
    shell = ["/bin/sh", "-c", 'rmdir "$PWD" && exec "$@"', "sh", *AVE_SCORE]
    done = process("convert", run, "-o", "run.csv", command=shell, cwd=gone)
    said = "ave-score: the working directory does not exist any more; change to one that does\n"
    assert (done.code, done.err) == (2, said)


INTERRUPTED = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore the signal
wanted, sys.argv = sys.argv[1], ["ave-score", "check", "run.txt"]
looked_for = []

class Watching:
    def find_spec(self, name, path=None, target=None):
        looked_for.append(name)
        if name == wanted:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Watching())
from ave_score.__main__ import main
if wanted == "nothing":
    print(*looked_for)
    sys.exit()
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is no signal there")
@pytest.mark.parametrize(
    "module", ["ave_score.commands", "click", "ave_score.core.text", "ave_score.files.check"]
)
def test_ctrl_c_while_modules_are_imported_ends_as_always(tmp_path: Path, module: str) -> None:
    put(tmp_path, RUN)
    code, out, err = process(module, command=program(INTERRUPTED), cwd=tmp_path)
    assert (code, out, err.strip()) == (130, "", "ave-score: interrupted")


def test_nothing_is_imported_before_ctrl_c_is_handled() -> None:
    code, out, _ = process("nothing", command=program(INTERRUPTED))
    assert code == 0
    # two that are parts of the interpreter, and no file has to be found for them
    assert {*out.split()} <= {"ave_score", "ave_score.__main__", "gc", "_signal"}
