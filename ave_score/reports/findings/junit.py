"""Findings as JUnit XML: a suite per file, a case per broken rule."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from ave_score.core.text import visible
from ave_score.reports.findings.concise import finding_line
from ave_score.reports.findings.report import FindingsReport, ListedFile, ListedFinding
from ave_score.reports.style import TextStyle
from ave_score.rules import Rule, Severity


def render(report: FindingsReport, _style: TextStyle) -> str:
    """Return the XML; a warning fails its case only if the report is strict.

    A file without findings has one passing case; an unreadable file has an error.
    """
    root = etree.Element("testsuites", name="ave-score check")
    for file in report.files:
        _add_suite(root, file, strict=report.strict)
    for count in ("tests", "failures", "errors"):
        root.set(count, str(sum(int(suite.get(count) or 0) for suite in root)))
    text: bytes = etree.tostring(root, encoding="ascii", xml_declaration=True, pretty_print=True)
    return text.decode("ascii")


def _add_suite(root: etree._Element, file: ListedFile, *, strict: bool) -> None:
    checked = file.checked
    path = visible(checked.path)
    suite = etree.SubElement(root, "testsuite", name=path)
    failures = errors = 0
    if checked.unreadable is not None:
        case = etree.SubElement(suite, "testcase", classname=path, name="readable")
        etree.SubElement(case, "error", message=visible(checked.unreadable), type="unreadable")
        errors = 1
    for rule, listed in _by_rule(file):
        times = checked.findings.counts[rule]
        name = f"{rule.code} {rule.name}"
        case = etree.SubElement(suite, "testcase", classname=path, name=name)
        lines = "\n".join(map(finding_line, listed))
        if rule.severity is Severity.ERROR or strict:
            what = listed[0].finding.help if listed else rule.help
            message = f"{times:,} x {name}: {what}"
            failure = etree.SubElement(case, "failure", message=message, type=str(rule.severity))
            failure.text = lines
            failures += 1
        else:
            etree.SubElement(case, "system-out").text = lines
    if not len(suite):
        etree.SubElement(suite, "testcase", classname=path, name="no findings")
    cases = len(suite)
    if checked.findings.unchecked:
        unchecked = "\n".join(f"not checked: {what}" for what in checked.findings.unchecked)
        etree.SubElement(suite, "system-out").text = unchecked
    for count, number in (("tests", cases), ("failures", failures), ("errors", errors)):
        suite.set(count, str(number))


def _by_rule(file: ListedFile) -> Iterator[tuple[Rule, list[ListedFinding]]]:
    """Yield each broken rule with its listed findings, perhaps none."""
    for rule in file.checked.findings.tally():
        yield rule, [listed for listed in file.listed if listed.finding.rule is rule]
