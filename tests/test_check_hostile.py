"""`ave-score check` with hostile input: devices, pipes, bombs, entities, random bytes."""

from __future__ import annotations

import json
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ave_score import FileKind
from tests import each, mostly_slow
from tests.helpers_check import FORMATS, check, child, posix
from tests.helpers_command import needs_proc, output, peak_of, process, program, refusal
from tests.helpers_files import COLLECTION, RUN, is_safe, put, with_line

MB = 1 << 20
GOLD = ["--collection", "gold.xml"]
JUDGED = "q_id\trun\tjudgement\ta_id\tanswered\n1\tqa\tR\t1_1\tYES\n2\tqb\tW\t2_2\tNO\n"
KEY = "1 1_1 VALIDATED\n1 1_2 REJECTED\n2 2_1 REJECTED\n2 2_2 VALIDATED\n3 3_1 UNKNOWN\n"
SOUND = {"run": RUN, "collection": COLLECTION, "key": KEY, "judged": JUDGED, "teams": "a\tb\n"}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with a collection, a sound run and a broken one."""
    monkeypatch.chdir(tmp_path)
    put(tmp_path, COLLECTION, "gold.xml")
    put(tmp_path, RUN, "good.txt")
    put(tmp_path, with_line(3, "2 2_1 Rejected 0.6"), "bad.txt")
    return tmp_path


@pytest.fixture
def no_files(here: Path) -> Iterator[Path]:
    """Work in a folder with things that cannot be read as files."""
    (here / "folder").mkdir()
    (here / "dangling").symlink_to("nowhere")
    (here / "loop").symlink_to("loop")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        yield here


@posix
@each("format_", FORMATS)
@each(
    "name",
    ["/dev/zero", "/dev/null", "folder", "dangling", "loop", "missing", "socket", "no/folder"],
)
def test_unreadable_files_are_reported_and_the_others_checked(
    no_files: Path, name: str, format_: str
) -> None:
    for beside in ([], GOLD):
        _, out, err = check("bad.txt", name, *beside, "--format", format_, code=2)
        assert err.count("\n") == 1
        assert "AVE103" in out
        assert name in err


@posix
@each("name", ["/dev/zero", "folder", "dangling", "socket", ""])
@each("kind", ["auto", *FileKind])
def test_an_unreadable_collection_ends_the_command(no_files: Path, name: str, kind: str) -> None:
    err = refusal("check", "bad.txt", "--collection", name, "--kind", str.lower(kind))
    assert name in err


def test_a_link_to_a_good_file_works(here: Path) -> None:
    (here / "link.txt").symlink_to("good.txt")
    out = output("check", "link.txt", *GOLD)
    assert out.startswith("link.txt: no findings; run: ")


@posix
@pytest.mark.parametrize("beside", [[], GOLD], ids=["alone", "collection"])
def test_a_pipe_with_a_name_is_read_like_a_file(here: Path, beside: list[str]) -> None:
    os.mkfifo("pipe")
    text = "".join(f"# {n}\n" for n in range(50_000)) + "1 1_1 Selected 0.5\n"
    writer = threading.Thread(target=Path("pipe").write_text, args=[text])
    writer.start()
    code, out, _ = check("pipe", *beside, "--format", "concise")
    writer.join()
    assert code == 1
    assert out.startswith("pipe:50001:7 AVE103 ")


@pytest.mark.parametrize("format_", FORMATS)
def test_the_same_file_twice_is_checked_twice(here: Path, format_: str) -> None:
    code, once, _ = check("bad.txt", *GOLD, "--format", format_)
    twice_code, twice, err = check("bad.txt", "./bad.txt", *GOLD, "--format", format_)
    assert (code, twice_code, err) == (1, 1, "")
    assert twice.count("'Selected'") == 2 * once.count("'Selected'")


LAUGHS = "".join(
    f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "lol"}">' for n in range(10)
)  # 10^9 lols, were they ever laughed


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Raise `TimeoutError` where something takes longer."""

    def end(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


XI = "http://www.w3.org/2001/XInclude"

ELSEWHERE = [
    '<!DOCTYPE ave [<!ENTITY x SYSTEM "trap">]>', '<!DOCTYPE ave [<!ENTITY x PUBLIC "p" "trap">]>',
    '<!DOCTYPE ave [<!ENTITY e "VALIDATED">]>', '<!DOCTYPE ave [<!ENTITY x "x">]>',
    "<!DOCTYPE ave [<!ENTITY % e \"<!ENTITY f 'x'>\"> %e;]>",
    "<!DOCTYPE ave [<!ENTITY % e \"<!ATTLIST a value CDATA 'REJECTED'>\"> %e;]>",
    '<!DOCTYPE ave [<!ENTITY % x SYSTEM "trap"> %x;]>', '<!DOCTYPE ave SYSTEM "trap">',
    '<!DOCTYPE ave SYSTEM "trap" []>', '<!DOCTYPE ave PUBLIC "-//x" "trap">',
    '<!DOCTYPE ave SYSTEM "URL/ave.dtd">', '<!DOCTYPE ave [<!ENTITY % x SYSTEM "URL/x"> %x;]>',
    '<!DOCTYPE ave [<!ENTITY x SYSTEM "URL/x">]>', f"<!DOCTYPE ave [{LAUGHS}]>",
    '<?xml-stylesheet href="trap"?><?xml-model href="URL/m"?>',
    '<!DOCTYPE ave SYSTEM "trap" [<!ENTITY % x SYSTEM "trap"> %x;]>',
    '<!DOCTYPE ave [<!NOTATION n SYSTEM "trap"><!ENTITY x SYSTEM "trap" NDATA n>]>',
    '<?xml-stylesheet type="text/xsl" href="URL/x.xsl"?>', '<!-- --><?import href="trap"?>',
    f'<!DOCTYPE ave [<!ENTITY l9 "{"x" * 50_000}">]>',
    f'<ave xmlns:xi="{XI}"><xi:include href="trap" parse="text"/>',
    f'<ave xmlns:xi="{XI}"><xi:include href="URL/x"><xi:fallback/></xi:include>',
    '<ave xml:base="URL/" xmlns:xsi="x" xsi:schemaLocation="x trap" xsi:type="URL/x.xsd">',
]  # fmt: skip
"""What stands before the root of a collection, or is it."""


@pytest.mark.parametrize("doctype", ELSEWHERE)
@pytest.mark.parametrize("as_collection", [True, False], ids=["--collection", "FILE"])
@posix
def test_nothing_outside_a_file_is_opened(here: Path, doctype: str, as_collection: bool) -> None:
    """Opening `trap`, a pipe into which nobody writes, would never return."""
    Path("trap").unlink(missing_ok=True)
    os.mkfifo("trap")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
        reference = "&x;" if "<!ENTITY x" in doctype else "&l9;" if "l9" in doctype else ""
        root = doctype if "<ave" in doctype else f"{doctype}\n<ave>"
        xml = COLLECTION.replace("<ave>", root).replace("Ann", f"Ann{reference}")
        put(here, xml.replace("URL", url), "trapped.xml")
        files = ["good.txt", "--collection"] if as_collection else []
        with at_most(20):
            code, out, err = check(*files, "trapped.xml")
        with pytest.raises(BlockingIOError):
            server.accept()
    refused = "ENTITY" in doctype
    assert code == (2 if as_collection else 1) * refused, (out, err)
    assert ("AVE402" in err + out) == refused


ROW = b"1 1_1 REJECTED 0.5\n"


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize(
    ("pieces", "code"),
    [
        ([b"a" * MB] * 40, "AVE114"),
        ([b"a" * MB] * 30 + [b"\n1 1_1 Selected 0.5\n"], ":2:7 AVE103"),
        ([b"<ave>", *[b"a" * MB] * 60], "AVE4"),
        ([b"<ave><!--", *[b"a" * MB] * 60], "AVE4"),
        ([b"<ave><a ", *[b"a" * MB] * 60], "AVE4"),
        ([b"<ave>", *[b"<a>" * (MB // 3)] * 60], "AVE414"),
        ([b"<ave>", *[b"<t%d/>" % n for n in range(500_000)], b"</ave>"], "AVE4"),
        ([ROW * 10_000] * 20, "AVE205"),
        ([b"x" * 900_000 + b" %d REJECTED 0.5\n" % n for n in range(40)], "AVE208"),
        ([b"1 %d SELECTED 0.5" % n + b"0" * 900_000 + b"\n" for n in range(40)], "AVE208"),
        ([b"1 %d " % n + b"x" * 900_000 + b" 0.5\n" for n in range(40)], "AVE102"),
    ],
    ids=["one-line", "long-line", "text", "comment", "tag", "depth", "names", "rows",
         "long-ids", "long-rows", "long-verdicts"],
)  # fmt: skip
def test_a_large_file_needs_little_memory(here: Path, pieces: list[bytes], code: str) -> None:
    """Some 25 MB for the program, and for XML thrice the longest tag of 10 MB, but not the file."""
    (here / "large").write_bytes(b"".join(pieces))
    xml = pieces[0].startswith(b"<")
    arguments = ["--kind", "collection"] if xml else GOLD
    exit_code, megabytes, out = peak_of(here, "check", "large", *arguments, "--format", "concise")
    assert exit_code == 1, out
    assert code in out
    assert megabytes < (80 if xml else 45)


@pytest.mark.slow
@pytest.mark.parametrize("columns", [
    "\t".join(f"x{n}" for n in range(20_000)),
    "\t" * 200_000,
    "\t".join(["x"] * 200_000),
], ids=["different", "empty", "alike"])  # fmt: skip
def test_a_header_of_very_many_columns_is_read_in_no_time(here: Path, columns: str) -> None:
    """A fraction of a second for each; with the square of their number it would be an hour."""
    put(here, f"q_id\trun\tjudgement\t{columns}\n1\tqa\tR\n", "wide.tsv")
    done = child("wide.tsv", "--format", "concise", timeout=10)
    assert done.code == 1 and "wide.tsv:" in done.out


ESC = "\x1b"
NAMES = [
    f"{ESC}[31mred.txt", f"{ESC}]0;title\x07.txt", "\x9b31mred.txt", "two\nlines.txt",
    "cr\rback.txt", "\u202etxt.exe.txt", "\u2028sep.txt", "wide\ufffe.txt",
]  # fmt: skip


@pytest.mark.parametrize("format_", FORMATS)
def test_hostile_text_reaches_no_terminal(here: Path, format_: str) -> None:
    bad = (
        "".join(chr(code) for code in range(1, 0xA0) if chr(code) not in "\t\n\r ") + "\u202e\u2066"
    )
    rows = [f"1 1_1 {character}x{ESC}[31m 0.5" for character in bad]
    put(here, "\n".join([*rows, f"{ESC}[1m{ESC}[1m", "1 1_1 \ufffe\uffff 0.5"]), "rows.txt")
    put(here, f"q_id\trun\tjudgement\t{ESC}[1m\n1\tqa\t{ESC}[1m\tx\n".encode(), "judged.tsv")
    put(here, f"<ave>\n<q id='{'&#x202e;'}'><a id='&#x9;x'/></q>{ESC}</ave>", "bad.xml")
    code, out, err = check("rows.txt", "judged.tsv", "bad.xml", "--format", format_)
    assert (code, err) == (1, "")
    for line in out.split("\n"):
        assert is_safe(line), ascii(line)


@pytest.mark.parametrize("format_", mostly_slow(FORMATS))
def test_a_name_that_is_not_unicode(here: Path, format_: str) -> None:
    name = b"caf\xe9 %.txt"
    try:
        Path(os.fsdecode(name)).write_bytes((here / "bad.txt").read_bytes())
    except OSError:
        pytest.skip("no file can be named so here")
    done = child(name, b"no" + name, *GOLD, "--format", format_)
    assert done.code == 2 and "AVE103" in done.out
    (done.out + done.err).encode("utf-8")
    if format_ == "json":  # it can be got back
        assert os.fsencode(json.loads(done.out)["files"][0]["path"]) == name
    assert '"uri": "caf%E9%20%25.txt"' in done.out or format_ != "sarif"


@pytest.mark.parametrize("format_", mostly_slow(FORMATS))
def test_a_folder_that_was_deleted(here: Path, format_: str) -> None:
    gone = here / "gone"
    gone.mkdir()
    code = (
        "import os, sys; os.rmdir(os.getcwd()); from ave_score.commands import run; "
        "sys.exit(run(sys.argv[1:]))"
    )
    arguments = ["check", str(here / "bad.txt"), "--format", format_]
    done = process(*arguments, command=program(code), cwd=gone)
    assert done.code == 1, (format_, done.err)
    assert "AVE103" in done.out


@pytest.mark.parametrize(
    "columns", mostly_slow(["9" * 5_000, "٣", "0", "1", "5", "-3", "x", "", "80.5"])
)
def test_any_width_is_taken(here: Path, columns: str) -> None:
    done = child("bad.txt", COLUMNS=columns)
    assert (done.code, done.err) == (1, "") and "AVE103" in done.out
