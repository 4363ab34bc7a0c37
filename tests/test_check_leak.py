"""`ave-score check` reveals nothing about gold labels, with any options."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import each, examples, slow
from tests.helpers_check import FORMATS, check
from tests.helpers_command import here_with
from tests.helpers_files import RUN, broken, fuzzed, put

KEY = "1 1_1 VALIDATED\n1 1_2 REJECTED\n2 2_1 REJECTED\n2 2_2 VALIDATED\n3 3_1 UNKNOWN\n"
JUDGED = """\
q_id\trun\tjudgement\ta_id\tanswered
1\tqa\tR\t1_1\tYES
2\tqa\tW\t2_2\tYES
3\tqa\tR\t3_1\tYES
1\tqb\tW\t1_1\tYES
2\tqb\tX\t2_1\tNO
3\tqb\tU\t\tNO
9\tqb\tR\t9_9\tNO
"""
"""Right where the collection says wrong, and the other way round, whatever it says."""

TEXTS = {"run": RUN, "key": KEY, "judged": JUDGED}
SHAPE = {"1": 2, "2": 2, "3": 1}
"""Question -> how many answers."""

Labels = Sequence[str | None]

labels = st.lists(
    st.sampled_from(["VALIDATED", "REJECTED", "UNKNOWN", "", None, "Validated", "YES", "x" * 99]),
    min_size=5,
    max_size=5,
)


def collection(given_labels: Labels) -> str:
    """Return a collection with five labels; None is an answer that has no such attribute."""
    left = iter(given_labels)
    parts = ["<ave>"]
    for q_id, answers in SHAPE.items():
        parts.append(f'<q id="{q_id}"><q_str>?</q_str>')
        for number in range(1, answers + 1):
            label = next(left)
            value = "" if label is None else f' value="{label}"'
            parts.append(f'<a id="{q_id}_{number}"{value}><a_str>x</a_str></a>')
        parts.append("</q>")
    return "\n".join([*parts, "</ave>"])


UNLABELLED = collection([None] * 5)
LABELLED = [
    collection(["VALIDATED", "REJECTED", "REJECTED", "VALIDATED", "UNKNOWN"]),
    collection(["REJECTED", "VALIDATED", "UNKNOWN", "REJECTED", "VALIDATED"]),
    collection(["REJECTED"] * 5),
    collection(["VALIDATED"] * 5),
    collection(["VALIDATED", "REJECTED", "", None, "UNKNOWN"]),
    collection(["Validatd", "wrong", "R", "W", "1"]),
]


here = here_with({})


def shown(folder: Path, xml: str, *arguments: str) -> tuple[int, str, str]:
    put(folder, xml, "gold.xml")
    return check(*arguments, "--collection", "gold.xml")


KINDS = ["auto", "run", "key", "judged", "teams", "collection"]
EVERY_COMBINATION = {*product(TEXTS, KINDS, FORMATS)}
ONE_FORMAT = {case for case in EVERY_COMBINATION if case[1] == "auto" or case[2] == "json"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "cases", [ONE_FORMAT, slow(EVERY_COMBINATION - ONE_FORMAT)], ids=["one-format", "all"]
)
def test_no_label_shows(here: Path, cases: set[tuple[str, str, str]]) -> None:
    for text, kind, format_ in sorted(cases):
        put(here, TEXTS[text], "file")
        put(here, TEXTS[text].replace("1_1", "1_9").replace("2\t", "8\t"), "other")
        arguments = ["file", "other", "--kind", kind, "--format", format_]
        unlabelled = shown(here, UNLABELLED, *arguments)
        assert unlabelled[0] in {0, 1}, arguments
        for xml in LABELLED:
            assert shown(here, xml, *arguments) == unlabelled, arguments


@pytest.mark.parametrize("kind", TEXTS)
def test_no_label_shows_whatever_is_wrong_with_the_file(here: Path, kind: str) -> None:

    @settings(fuzzed, max_examples=examples(60))
    @given(
        data=broken(TEXTS[kind]),
        one=labels,
        other=labels,
        format_=st.sampled_from(FORMATS),
        forced=st.booleans(),
        strict=st.booleans(),
    )
    def holds(
        data: bytes, one: Labels, other: Labels, format_: str, forced: bool, strict: bool
    ) -> None:
        put(here, data, "file")
        arguments = ["file", "--format", format_, *["--strict"] * strict]
        arguments += ["--kind", kind] if forced else []
        unlabelled = shown(here, UNLABELLED, *arguments)
        assert unlabelled[0] in {0, 1, 2}  # 2: it begins as if it were compressed
        assert shown(here, collection(one), *arguments) == unlabelled
        assert shown(here, collection(other), *arguments) == unlabelled

    holds()


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("strict", [[], ["--strict"]])
def test_labels_are_no_findings(here: Path, format_: str, strict: list[str]) -> None:
    """Of a sound run nothing is found, be the labels ever so wrong."""
    put(here, RUN, "good.txt")
    for xml in (UNLABELLED, *LABELLED):
        code, out, err = shown(here, xml, "good.txt", "--format", format_, *strict)
        assert (code, err) == (0, "")
        assert "VALIDATD" not in out.upper()


BROKEN_COLLECTIONS = [
    "", RUN, "<ave>", "<ave></ave>",
    '<ave><q id="1"><a id="1" value="{label}"/><a id="1"/></q></ave>',
    '<ave>\n<q id="1">\n<a id="1" value="{label}"/>\n</q><q id="1"><a id="2"/></q></ave>',
    '<!DOCTYPE ave [<!ENTITY e "{label}">]><ave><q id="1"><a id="1" value="&e;"/></q></ave>',
    '<ave><q id="1"><a id="1">{label}</q></ave>',
]  # fmt: skip


@each("format_", FORMATS)
@each("xml", BROKEN_COLLECTIONS)
def test_a_broken_collection_is_told_and_no_label_named(here: Path, xml: str, format_: str) -> None:
    put(here, RUN, "good.txt")
    code, out, err = shown(here, xml.replace("{label}", "PSST"), "good.txt", "--format", format_)
    assert (code, out) == (2, "")
    assert "gold.xml" in err and "PSST" not in err
