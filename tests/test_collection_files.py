"""Collection files: reading, defects with their positions, and hostile files."""

from __future__ import annotations

import hashlib
import io
import re
import sys
from pathlib import Path

import pytest

import ave_score
from ave_score import Collection, Findings, Label, Severity
from tests import each, mostly_slow
from tests.helpers_files import (
    COLLECTION,
    KEY,
    UNLABELLED,
    Position,
    collection_of,
    only,
    positions,
    put,
    read_file,
)

QUESTION = '<q id="1"><q_str>Who?</q_str><a id="1_1" value="VALIDATED"><a_str>Ann</a_str></a></q>'
MISLABELLED = '<q id="1"><a id="1_1" value="VALID"/></q>'
DOCTYPE = '<!DOCTYPE ave SYSTEM "ave.dtd">'


def read(folder: Path, data: str | bytes) -> tuple[Collection | None, Findings]:
    return read_file("collection", data, name=str(folder / "gold.xml"))


def content(collection: Collection | None) -> list[tuple[str, str, str]]:
    assert collection is not None
    index = collection.index
    labels = [Label(code).name for code in collection.labels]
    return [*zip(index.q_ids, index.a_ids, labels, strict=True)]


def refused(folder: Path, data: str | bytes) -> list[Position]:
    collection, findings = read(folder, data)
    assert collection is None
    return positions(findings)


def test_a_sound_collection_is_read_in_file_order(tmp_path: Path) -> None:
    collection, findings = read(tmp_path, COLLECTION)
    assert not len(findings)
    assert content(collection) == [
        ("1", "1_1", "VALIDATED"), ("1", "1_2", "REJECTED"), ("2", "2_1", "REJECTED"),
        ("2", "2_2", "VALIDATED"), ("3", "3_1", "UNKNOWN"),
    ]  # fmt: skip
    assert collection is not None and collection.answerable == [True, True, False]


def test_ids_are_strings_in_the_order_of_the_file_and_of_answers_within_questions(
    tmp_path: Path,
) -> None:
    ids = ["10", "9", "0009", "b", "a", "Ñ-1", "99999999999999999999"]
    xml = "".join(f'<q id="{q}"><a id="1" value="REJECTED"/></q>' for q in ids)
    expected = [(q_id, "1", "REJECTED") for q_id in ids]
    assert content(read(tmp_path, f"<c>{xml}</c>")[0]) == expected


SAME: dict[str, str] = {
    "plain": f"<ave>{QUESTION}</ave>",
    "another-root": f"<AVE-2008 lang='EN'>{QUESTION}</AVE-2008>",
    "the-question-is-the-root": QUESTION,
    "single-quotes": f"<ave>{QUESTION}</ave>".replace('"', "'"),
    "blanks-in-tags": "<ave ><q\n id = '1' ><a\tvalue='VALIDATED'\n\nid='1_1' ></a ></q ></ave >",
    "empty-element": '<ave><q id="1"><a id="1_1" value="VALIDATED"/></q></ave>',
    "other-attributes": f"<ave>{QUESTION}</ave>".replace("<q ", "<q lang='EN' type='OBJECT' "),
    "comments": f'<!-- <q id="7"> --><ave><!-- <a id="8"/> -->{QUESTION}<!-- x --></ave><!-- y -->',
    "cdata": '<ave><q id="1"><q_str><![CDATA[<a id="9"/>]]></q_str>'
    '<a id="1_1" value="VALIDATED"/></q></ave>',
    "instructions": f'<?xml-stylesheet href="x"?><ave><?php <q id="7"> ?>{QUESTION}</ave>',
    "references": f"<ave>{QUESTION}</ave>".replace('"1_1"', '"&#x31;_&#49;"').replace(
        "Ann", "&lt;Ann&gt; &amp; Bob"
    ),
    "doctype-in-a-comment": f"<!-- <!DOCTYPE ave> --><ave>{QUESTION}<!-- <!DOCTYPE a> --></ave>",
    "doctype-in-cdata": f"<ave><![CDATA[<!DOCTYPE ave [<!ENTITY e 'x'>]>]]>{QUESTION}</ave>",
    "elements-between": f"<ave><topic><part>{QUESTION}</part></topic></ave>",
    "default-namespace": f'<ave xmlns="http://example.org/ave">{QUESTION}</ave>',
    "big-texts": f"<ave>{QUESTION}</ave>".replace("Ann", "lorem ipsum\n" * 20_000),
}
"""The same question with the same answer, written in many ways."""


@each("doctype", ["", DOCTYPE])
@each("name", SAME)
def test_the_same_is_read_however_it_is_written(tmp_path: Path, name: str, doctype: str) -> None:
    collection, findings = read(tmp_path, doctype + SAME[name])
    assert not len(findings)
    assert content(collection) == [("1", "1_1", "VALIDATED")]


@pytest.mark.parametrize("doctype", ["", DOCTYPE], ids=["no-doctype", "doctype"])
def test_no_question_is_lost_where_some_have_a_namespace(tmp_path: Path, doctype: str) -> None:
    second = QUESTION.replace('<q id="1"', '<q xmlns="http://example.org/ave" id="2"')
    collection, findings = read(tmp_path, f"{doctype}<c>{QUESTION}{second}</c>")
    assert findings.errors or len(content(collection)) == 2


ENCODINGS = [
    ("utf-8", "utf-8", "naïve €"), (None, "utf-8", "naïve €"), (None, "utf-8-sig", "naïve €"),
    ("UTF-8", "utf-8-sig", "naïve €"), ("ISO-8859-1", "iso-8859-1", "naïve"),
    ("iso-8859-15", "iso-8859-15", "naïve €"), ("windows-1252", "windows-1252", "“naïve” €"),
    ("windows-1251", "windows-1251", "Россия"), ("UTF-16", "utf-16", "日本"),
    ("EUC-JP", "euc-jp", "日本"), ("Shift_JIS", "shift_jis", "日本"), ("GB2312", "gb2312", "中国"),
    ("Big5", "big5", "中國"), ("EUC-KR", "euc-kr", "한국"),
]  # fmt: skip


def encoded(declared: str | None, encoding: str, body: str) -> bytes:
    declaration = f'<?xml version="1.0" encoding="{declared}"?>\n' if declared else "\n"
    if encoding == "utf-8-sig":
        declaration = declaration.lstrip()
    return (declaration.lstrip() + body).encode(encoding)


@each("declared, encoding, word", ENCODINGS)
@each("doctype", ["", DOCTYPE])
def test_a_collection_may_be_in_any_declared_encoding(
    tmp_path: Path, declared: str | None, encoding: str, word: str, doctype: str
) -> None:
    body = f'{doctype}<ave><q id="{word[:2]}"><a id="1_1" value="VALIDATED">{word}</a></q></ave>'
    collection, findings = read(tmp_path, encoded(declared, encoding, body))
    assert not len(findings)
    assert content(collection) == [(word[:2], "1_1", "VALIDATED")]


@each("declared, encoding, word", ENCODINGS)
def test_a_defect_has_its_line_and_column_in_any_encoding(
    tmp_path: Path, declared: str | None, encoding: str, word: str
) -> None:
    """A wrong label, and a missing one, which another parser finds."""
    before = f'<x>{word}</x><q id="1">'
    for answer, code in (('<a id="1_1" value="VALID"/>', "AVE406"), ('<a id="1_1"/>', "AVE407")):
        line = f"{before}{answer}</q>"
        data = encoded(declared, encoding, f"<ave>{word}\n\n{line}\n</ave>")
        collection, (found,) = read(tmp_path, data)
        assert collection is None
        place = (found.rule.code, found.line, found.column)
        assert place == (code, 3 + bool(declared), len(before) + 1)
        assert found.quote == (line, len(before), 1)


RARE = "cp949 shift-jis eucjp big5-hkscs utf-7 UTF-16LE utf-16-le"


@pytest.mark.parametrize("declared", RARE.split())
@pytest.mark.parametrize(
    "body", [DOCTYPE + f"<c>{QUESTION}</c>", f"<c>{MISLABELLED}</c>"], ids=["doctype", "defect"]
)
def test_a_rare_encoding_is_read_or_refused(tmp_path: Path, declared: str, body: str) -> None:
    text = f'<?xml version="1.0" encoding="{declared}"?>{body}'
    _, findings = read(tmp_path, text.encode("utf-16-le" if "16" in declared else "utf-8"))
    assert {code for code, _, _ in positions(findings)} <= {"AVE401", "AVE406"}


@pytest.mark.parametrize("declared", ["UTF-8", "x-unknown", "windows-9", "EUC-JP", "utf-16-le"])
def test_an_encoding_that_does_not_fit_the_bytes_is_no_crash(tmp_path: Path, declared: str) -> None:
    text = f'<?xml version="1.0" encoding="{declared}"?>\n<c>{MISLABELLED}'.encode()
    assert "AVE401" in {code for code, _, _ in refused(tmp_path, text + b"\xe9\xff</c>")}


@pytest.mark.parametrize("declared", ["x-unknown", "klingon", "rot13", "idna"])
def test_an_unknown_encoding_is_an_error(tmp_path: Path, declared: str) -> None:
    data = f'<?xml version="1.0" encoding="{declared}"?><c>{QUESTION}</c>'
    assert [code for code, _, _ in refused(tmp_path, data)] == ["AVE401"]


@pytest.mark.parametrize(("declared", "bad"), [
    ("UTF-8", b"caf\xe9 au lait"),
    ("EUC-JP", b"\xff\xff"),
    ("EUC-JP", b"\x8f\xa1 x"),
    ("windows-1252", b"\x81"),
])  # fmt: skip
@pytest.mark.parametrize(
    "between", mostly_slow(["", "text\n" * 40_000, "<x>text</x>\n" * 40_000], 2)
)
def test_bytes_of_another_encoding_are_found_on_their_line(
    tmp_path: Path, declared: str, bad: bytes, between: str
) -> None:
    head = f'<?xml version="1.0" encoding="{declared}"?>\n<ave>\n{QUESTION}\n{between}'
    _, findings = read(tmp_path, head.encode() + b"<x>" + bad + b"</x>\n</ave>\n")
    found = [position[:2] for position in positions(findings)]
    assert found == [("AVE401", 4 + between.count("\n"))]
    assert "charmap" not in only(findings), "Python's own word for many encodings"


A = '<a id="1_1" value="VALIDATED"/>'


def test_a_question_without_answers_is_warned_about_and_kept(tmp_path: Path) -> None:
    xml = f'<c>\n{QUESTION}\n<q id="2"><q_str>Where?</q_str>\n</q>\n</c>'
    collection, findings = read(tmp_path, xml)
    assert [found.rule.severity for found in findings] == [Severity.WARNING]
    assert positions(findings)[0][:2] == ("AVE405", 4)  # where it ends without any
    assert "'2'" in only(findings)
    assert collection is not None and collection.index.questions == ["1", "2"]
    assert collection.answerable == [True, False]


@each("xml, line", [
    (f"<c>\n{QUESTION}\n</d>\n", 3),
    (f'<c>\n<q id="1">\n{A}\n</c>', 4),
    (f"<c>\n{QUESTION}\n<x y=1/>\n</c>", 3),
    (f"<c>\n{QUESTION}\n&eacute;\n</c>", 3),
    (f"<c>\n{QUESTION}\nAT&T\n</c>", 3),
    (f"<c>\n{QUESTION}\n1 < 2\n</c>", 3),
    (f"<c>\n{QUESTION}\n\x07\n</c>", 3),
    (f"<c>\n{QUESTION}\n\0\n</c>", 3),
    (f"<c>\n{QUESTION}\n</c>\n<c/>\n", 4),
    (f'<c>\n<q id="1"\nid="2">{A}</q></c>', 3),
    (f"<c>\n{QUESTION}\n<!-- a -- b -->\n</c>", 3),
    (f"\n<?xml version='1.0'?>\n<c>{QUESTION}</c>", 2),
    (f"<c>\n{QUESTION}\n<!DOCTYPE c>\n</c>", 3),
    (f"<!DOCTYPE c>\n<!DOCTYPE c>\n<c>{QUESTION}</c>", 2),
])  # fmt: skip
@each("newlines", [0, 70_000])
def test_what_is_not_well_formed_has_its_line_even_beyond_65535(
    tmp_path: Path, xml: str, line: int, newlines: int
) -> None:
    before = "<!--" + "\n" * newlines + "-->"
    found = refused(tmp_path, before + xml)
    assert [position[:2] for position in found] == [("AVE401", line + newlines)]


def test_a_defect_far_down_has_its_line(tmp_path: Path) -> None:
    xml = "<c>" + "<x>\n</x>" * 70_000 + f"\n{MISLABELLED}\n</d>"
    expected = [("AVE406", 70_002), ("AVE401", 70_003)]
    assert [position[:2] for position in refused(tmp_path, xml)] == expected


@pytest.mark.slow
def test_a_truncated_collection_is_refused_wherever_it_ends(tmp_path: Path) -> None:
    whole = COLLECTION.rstrip().encode()
    for length in range(1, len(whole)):
        data = whole[:length]
        codes = refused(tmp_path, data)
        assert [code for code, _, _ in codes] == ["AVE401"], data
        assert codes[0][1] in {data.count(b"\n"), data.count(b"\n") + 1}, data


@pytest.mark.slow
@pytest.mark.parametrize("data", [
    b"<c>\0</c>",
    "<c>é</c>".encode("utf-16-le"),
    f'<c x="{"x" * 10_500_000}'.encode(),
], ids=["nul", "utf-16-undeclared", "attribute-of-10-MB"])  # fmt: skip
def test_a_message_is_one_line_without_advice_to_programmers(tmp_path: Path, data: bytes) -> None:
    _, findings = read(tmp_path, data)
    assert findings.errors
    for found in findings:
        assert "\\n" not in found.message and "XML_PARSE_HUGE" not in found.message


def test_the_key_is_remembered_by_path_and_hash(tmp_path: Path) -> None:
    xml, key = put(tmp_path, UNLABELLED, "test.xml"), put(tmp_path, KEY, "key.txt")
    collection = ave_score.read_collection(xml, key)
    assert collection.labels == collection_of(tmp_path).labels
    assert collection.key_path == str(key)
    assert collection.key_sha256 == hashlib.sha256(KEY.encode()).hexdigest()
    assert collection.sha256 == hashlib.sha256(UNLABELLED.encode()).hexdigest()


HALF = UNLABELLED.replace('<a id="1_1">', '<a id="1_1" value="VALIDATED">')


@pytest.mark.parametrize(("key", "xml"), [
    (KEY, HALF),
    (KEY.replace("1 1_1 VALIDATED\n", ""), HALF),
    (KEY, COLLECTION),
    ("".join(sorted(KEY.splitlines(keepends=True), reverse=True)), UNLABELLED),
], ids=["one is repeated", "one is there", "all are repeated", "backwards"])  # fmt: skip
def test_a_key_may_complete_or_repeat_own_labels(tmp_path: Path, key: str, xml: str) -> None:
    collection, findings = read_file("key", key, xml)
    assert not len(findings)
    assert collection.labels == collection_of(tmp_path).labels


def test_a_label_unlike_the_collections_own_is_a_conflict() -> None:
    key = KEY.replace("2 2_1 REJECTED", "2 2_1 VALIDATED")
    _, findings = read_file("key", key, COLLECTION)
    assert positions(findings) == [("AVE413", 3, len("2 2_1 ") + 1)]
    assert only(findings) == "the key says VALIDATED, but the collection says REJECTED"


def test_a_broken_collection_is_reported_without_its_key() -> None:
    _, findings = read_file("key", KEY, UNLABELLED[:-10])
    assert [code for code, _, _ in positions(findings)] == ["AVE401"]


@pytest.mark.parametrize("leading", [5_000, 100_000])
def test_an_xml_file_may_begin_with_many_blank_lines(tmp_path: Path, leading: int) -> None:
    collection, _ = read(tmp_path, "\n" * leading + f"<c>{QUESTION}</c>")
    assert content(collection) == [("1", "1_1", "VALIDATED")]


@pytest.mark.parametrize(
    ("xml", "codes"), [(COLLECTION, []), (f"<c>\n\n{MISLABELLED}</c>", [("AVE406", 3, 11)])]
)
def test_standard_input_can_be_iterated_twice(
    monkeypatch: pytest.MonkeyPatch, xml: str, codes: list[Position]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(xml.encode())))
    assert positions(ave_score.check("-").findings) == codes


SUBSET = "<!DOCTYPE c [<!ELEMENT c ANY>]>"
LAUGHS = "".join(
    f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">\n' if n else '<!ENTITY l0 "lol">\n' for n in range(12)
)


@pytest.mark.parametrize("doctype", [
    '<!DOCTYPE ave SYSTEM "{dtd}">', "<!DOCTYPE ave SYSTEM '{uri}' >",
    '<!DOCTYPE ave PUBLIC "-//AVE//EN" "{uri}">',
    '<!DOCTYPE ave SYSTEM "{uri}" [ <!ELEMENT q ANY> ]>',
    '<!DOCTYPE ave SYSTEM "http://127.0.0.1:9/ave.dtd">', '<!DOCTYPE ave SYSTEM "missing.dtd">',
    '<!DOCTYPE ave SYSTEM "a>b.dtd">',
    "<!-- <!DOCTYPE x> -->\n<!DOCTYPE ave SYSTEM 'missing.dtd'>", "<!DOCTYPE ave>",
])  # fmt: skip
def test_a_doctype_line_is_accepted_and_its_dtd_never_loaded(tmp_path: Path, doctype: str) -> None:
    # loading it would give the answer a label, and then fail
    dtd = put(tmp_path, '<!ATTLIST a value CDATA "VALIDATED">\n<!ELEMENT q (((', "ave.dtd")
    line = doctype.format(dtd=dtd, uri=dtd.as_uri())
    collection, findings = read(tmp_path, f"{line}\n<ave>{QUESTION}</ave>")
    assert not len(findings)
    assert content(collection) == [("1", "1_1", "VALIDATED")]
    _, findings = read(tmp_path, f'{line}\n<ave><q id="1"><a id="1_1"/></q></ave>')
    column = len('<ave><q id="1">') + 1
    assert positions(findings) == [("AVE407", line.count("\n") + 2, column)]


@pytest.mark.parametrize(
    "doctype",
    [DOCTYPE, '<!DOCTYPE ave SYSTEM "ave.dtd" [<!ELEMENT q ANY>]>'],
    ids=["plain", "subset"],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_reference_to_an_entity_of_an_unread_dtd_is_not_dropped_from_an_id(
    tmp_path: Path, doctype: str, encoding: str
) -> None:
    xml = f'{doctype}\n<ave><q id="Mal&aacute;ga">{A}</q></ave>'
    collection, findings = read(tmp_path, xml.encode(encoding))
    assert collection is None, collection.index.questions
    assert findings.errors


@pytest.mark.parametrize("part", ["<!-- -->", "<?x y?>"], ids=["comments", "instructions"])
@pytest.mark.parametrize("doctype", ["", SUBSET], ids=["none", "subset"])
def test_many_comments_may_precede_the_root(tmp_path: Path, part: str, doctype: str) -> None:
    # a search that tries every way to divide them never ends for 50
    collection, findings = read(tmp_path, f"{part * 50}{doctype}<c>{QUESTION}</c>")
    assert not len(findings)
    assert content(collection) == [("1", "1_1", "VALIDATED")]


@pytest.mark.parametrize("doctype", ["", DOCTYPE, SUBSET], ids=["none", "plain", "subset"])
@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("depth", [300, 200_000])
def test_a_depth_bomb_is_refused(tmp_path: Path, doctype: str, closed: bool, depth: int) -> None:
    xml = f"{doctype}<c>{'<x>' * depth}{QUESTION}{'</x>' * depth * closed}{'</c>' * closed}"
    _, findings = read(tmp_path, xml)
    assert [code for code, _, _ in positions(findings)] == ["AVE414"]
    assert re.search("nest|deep|depth", only(findings))


@pytest.mark.slow
@pytest.mark.parametrize(
    "begin",
    ['<c><q id="1"><a id="1" value="', "<c><!-- ", "<c "],
    ids=["attribute", "comment", "tag"],
)
def test_a_token_of_megabytes_is_refused_before_its_end(tmp_path: Path, begin: str) -> None:
    # expat's time grows with its square: half an hour for a file that gzip makes 400 KB of
    assert refused(tmp_path, f"{begin}{'x' * 24_000_000}")


def test_a_name_of_the_fifth_edition_of_xml_is_refused(tmp_path: Path) -> None:
    xml = f'<ave>{QUESTION}<q id="2" \u017f=""><a id="1" value="REJECTED"/></q></ave>'
    assert [code for code, _, _ in refused(tmp_path, xml)] == ["AVE401"]
