"""Selection of the listed findings, counts of the others, and summaries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ave_score import rules
from ave_score.core.findings import Findings
from ave_score.files.check import Checked
from ave_score.reports.findings.report import (
    FOR_PEOPLE,
    FOR_PROGRAMS,
    FindingsReport,
    Shown,
    list_findings,
    make_report,
)
from ave_score.reports.findings.summary import (
    contents_text,
    statistics_lines,
    summary_lines,
    total_line,
)
from ave_score.rules import FileKind, Rule, Severity
from tests.helpers_files import fuzzed

ERROR, WARNING = rules.VERDICT_CASE, rules.SECOND_ANSWER
FEW = Shown(3, 1)

Made = tuple[Rule, int | None, str]
"""Rule, line and system of a finding."""


def findings(made: Sequence[Made], keep: int = 1_000, path: str = "file") -> Findings:
    """Return findings of a file, of which only some are kept."""
    found = Findings(path, keep)
    for rule, line, run in made:
        facts = {"run": run} if run else {}
        found.add(rule, line, 1, "text", found="x", expected="X", q_id="1", first=1, **facts)
    return found


def checked(found: Findings, **others: object) -> Checked:
    return Checked(found.path, FileKind.RUN, found, **others)  # type: ignore[arg-type]


def number_listed(report: FindingsReport) -> int:
    """Return how many findings the listed ones stand for."""
    return sum(1 + one.more for file in report.files for one in file.listed)


# --- by hand --------------------------------------------------------------------------------------


def test_findings_are_listed_up_to_a_limit_and_the_others_counted() -> None:
    found = findings([(ERROR, line, "") for line in range(1, 8)])
    listed = list(list_findings(found, FEW))
    assert [(one.finding.line, one.more) for one in listed] == [(1, 0), (2, 0), (3, 4)]
    assert listed[0].message == listed[0].finding.message
    assert listed[2].message == f"{listed[2].finding.message} (and 4 more)"


def test_exactly_as_many_as_are_listed_leave_nothing_to_count() -> None:
    listed = list(list_findings(findings([(ERROR, n, "") for n in (1, 2, 3)]), FEW))
    assert [one.more for one in listed] == [0, 0, 0]


def test_findings_not_kept_are_counted_too() -> None:
    found = findings([(ERROR, line, "") for line in range(1, 101)], keep=10)
    listed = list(list_findings(found, FEW))
    assert [(one.finding.line, one.more) for one in listed] == [(1, 0), (2, 0), (3, 97)]


def test_one_system_does_not_hide_another() -> None:
    made = [(ERROR, n, run) for n, run in enumerate(["a"] * 9 + ["b"] * 2 + ["c"] * 4, 1)]
    listed = list(list_findings(findings(made), FEW))
    assert [(one.finding.line, one.more) for one in listed] == [
        (1, 0), (2, 0), (3, 6), (10, 0), (11, 0), (12, 0), (13, 0), (14, 1),
    ]  # fmt: skip


def test_findings_not_kept_are_attributed_to_none_of_several_systems() -> None:
    made = [(ERROR, n, run) for n, run in enumerate(["a", "b"] * 20, 1)]
    report = make_report([checked(findings(made, keep=10))], FEW)
    # of 40 the first 10 are kept, 5 a system; each lists 3 and has 2 more
    assert [one.more for one in report.files[0].listed] == [0, 0, 0, 0, 2, 2]
    assert number_listed(report) == 10
    assert report.not_listed == 30


def test_file_order_lines_first_and_the_whole_file_last() -> None:
    found = findings([(ERROR, None, ""), (WARNING, 9, "a"), (ERROR, 2, ""), (WARNING, 1, "b")])
    assert [one.finding.line for one in list_findings(found, FEW)] == [1, 2, 9, None]


def test_at_most_so_many_in_all_files() -> None:
    files = [checked(findings([(ERROR, n, "") for n in range(1, 6)])) for _ in range(3)]
    for at_most, lengths in ((0, [0, 0, 0]), (2, [2, 0, 0]), (4, [3, 1, 0]), (99, [3, 3, 3])):
        report = make_report(files, FEW, at_most=at_most)
        assert [len(file.listed) for file in report.files] == lengths
        assert number_listed(report) + report.not_listed == 15
    assert make_report(files, FEW, at_most=99).not_listed == 0


def test_limits() -> None:
    """A reader gets 50 errors of a rule and one warning; a program as many as are kept."""
    made = [(rule, n, "") for n in range(1, 61) for rule in (ERROR, WARNING)]
    for shown, expected in (
        (FOR_PEOPLE, {ERROR: 50, WARNING: 1}),
        (FOR_PROGRAMS, {ERROR: 60, WARNING: 60}),
    ):
        listed = list_findings(findings(made), shown)
        assert Counter(one.finding.rule for one in listed) == expected


@pytest.mark.parametrize(
    ("made", "unreadable", "strict", "code"),
    [
        ([], None, False, 0),
        ([], None, True, 0),
        ([(WARNING, 1, "a")], None, False, 0),
        ([(WARNING, 1, "a")], None, True, 1),
        ([(ERROR, 1, "")], None, False, 1),
        ([], "gone", False, 2),
        ([], "", False, 2),
    ],
)
def test_exit_codes(made: list[Made], unreadable: str | None, strict: bool, code: int) -> None:
    sound = checked(findings([]))
    one = checked(findings(made), unreadable=unreadable)
    for files in ([one], [one, sound], [sound, one]):
        assert make_report(files, FEW, at_most=0, strict=strict).exit_code == code


# --- whatever there is ----------------------------------------------------------------------------

made_findings = st.lists(
    st.tuples(
        st.sampled_from([ERROR, WARNING, rules.TWO_SELECTED, rules.LINE_ENDS]),
        st.none() | st.integers(1, 30),
        st.sampled_from(["", "a", "b", "c"]),
    ),
    max_size=60,
)


@fuzzed
@given(
    files=st.lists(made_findings, max_size=4),
    keep=st.integers(1, 40),
    errors=st.integers(1, 12),
    warnings=st.integers(1, 12),
    at_most=st.none() | st.integers(0, 80),
)
def test_every_finding_is_accounted_for(
    files: list[list[Made]], keep: int, errors: int, warnings: int, at_most: int | None
) -> None:
    shown = Shown(errors, warnings)
    report = make_report([checked(findings(made, keep)) for made in files], shown, at_most=at_most)
    total = sum(map(len, files))
    assert report.not_listed >= 0
    assert number_listed(report) + report.not_listed == total
    assert sum(map(report.count, Severity)) == report.counts.total() == total
    everything = [one for file in report.files for one in file.listed]
    assert at_most is None or len(everything) <= at_most
    for made, file in zip(files, report.files, strict=True):
        lines = [one.finding.line or 10**9 for one in file.listed]
        assert lines == sorted(lines)
        assert all(one.more >= 0 for one in file.listed)
        groups = Counter((one.finding.rule, one.finding.facts.get("run")) for one in file.listed)
        for (rule, run), times in groups.items():
            assert times <= shown.limit(rule, file.checked.findings)
            there = sum(one[0] is rule and (one[2] or None) == run for one in made)
            assert times <= there
        if at_most is None:
            assert {one.finding.rule for one in file.listed} == {rule for rule, _, _ in made}
    if at_most is None and all(
        Counter(rule for rule, _, _ in made).total() <= keep for made in files
    ):
        assert report.not_listed == 0


# --- in words -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "contents", "text"),
    [
        (
            FileKind.RUN,
            {"questions": 1, "answers": 3, "selected": 1, "validated": 0, "rejected": 2,
             "lowest_confidence": 0.0, "highest_confidence": 0.25},
            "run: 1 question, 3 answers, 1 selected (33.3 %), 0 validated (0.0 %), "
            "2 rejected (66.7 %), confidence 0..0.25",
        ),
        (
            FileKind.RUN,
            {"questions": 2_000, "answers": 8_000, "selected": 4, "validated": 1, "rejected": 7_995,
             "lowest_confidence": 1e-9, "highest_confidence": 1.0},
            # 4 of 8,000 are 0.05 %, half up 0.1; 1 is 0.0125; 7,995 are 99.9375
            "run: 2,000 questions, 8,000 answers, 4 selected (0.1 %), 1 validated (0.0 %), "
            "7,995 rejected (99.9 %), confidence 1e-09..1",
        ),
        (
            FileKind.COLLECTION,
            {"questions": 1, "answers": 2, "validated": 1, "unlabelled": 1},
            "collection: 1 question, 2 answers, 1 validated, 1 unlabelled",
        ),
        (FileKind.KEY, {"rejected": 1_000}, "key: 1,000 rejected"),
        (
            FileKind.JUDGED,
            {"systems": 1, "questions": 2, "answers": 2},
            "judged: 1 system, 2 questions, 2 answers",
        ),
        (FileKind.GROUPS, {"runs": 12, "groups": 1}, "groups: 12 runs, 1 group"),
    ],
)  # fmt: skip
def test_contents(kind: FileKind, contents: dict[str, int | float], text: str) -> None:
    assert contents_text(kind, contents) == text


def test_a_file_that_was_not_read_says_nothing_of_its_contents() -> None:
    report = make_report([checked(Findings("gone"), unreadable="no such file")], FEW)
    assert list(summary_lines(report)) == []


def test_the_total_is_shown_for_several_files_only() -> None:
    one = checked(findings([(ERROR, 1, ""), (ERROR, 2, ""), (WARNING, 3, "a")], path="one"))
    two = checked(findings([], path="two"))
    gone = checked(Findings("gone"), unreadable="no such file")
    assert total_line(make_report([one], FEW)) not in summary_lines(make_report([one], FEW))
    last = list(summary_lines(make_report([one, two, gone], FEW)))[-1]
    assert last == "1 of 3 files with errors, 2 errors, 1 warning, 1 could not be read"


@pytest.mark.parametrize(
    ("at_most", "line"),
    [(0, "3 findings not listed"), (1, "2 findings not listed"), (2, "1 finding not listed")],
)
def test_findings_not_listed_are_counted(at_most: int, line: str) -> None:
    found = findings([(ERROR, 1, ""), (ERROR, 2, ""), (ERROR, 3, "")])
    assert line in summary_lines(make_report([checked(found)], FEW, at_most=at_most))
    assert not [one for one in summary_lines(make_report([checked(found)], FEW)) if "not" in one]


def test_statistics_the_most_frequent_first_then_by_code() -> None:
    made = [(WARNING, 1, "a")] * 1_000 + [(rules.TWO_SELECTED, 1, "")] * 20 + [(ERROR, 1, "")] * 20
    lines = list(statistics_lines(make_report([checked(findings(made))], FEW)))
    assert [line.split()[:3] for line in lines[:3]] == [
        ["1,000", WARNING.code, WARNING.name],
        ["20", "AVE103", "verdict-case"],
        ["20", "AVE301", "two-selected"],
    ]
    assert lines[1].startswith("   20  AVE103")
    assert "(warning" in lines[0]
    assert "fix: safe" in lines[1]
    assert len(lines) == 4
