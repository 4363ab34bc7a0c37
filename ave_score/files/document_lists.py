"""Lists of the documents that TREC runs may have.

A list has a document a line, or a topic and a document; qrels and runs are such lists, too.
"""

from __future__ import annotations

from ave_score import rules
from ave_score.core.errors import for_one_file
from ave_score.core.findings import Findings
from ave_score.core.kinds import KINDS, FileKind
from ave_score.files.lines import LineReader
from ave_score.files.positions import add_field_count, field_columns
from ave_score.files.run_limits import Listed
from ave_score.files.sniff import begins_as_table, first_line, head_of, sniff
from ave_score.files.source import Source

LAYOUTS = [("doc",), ("topic", "doc")]
"""The fields of lists that are nothing else."""


def _is_csv(source: Source) -> bool:
    """Tell whether a file begins with a header of CSV: its lines would be ids that no run has."""
    head = first_line(head_of(source))
    names = head.strip().casefold().replace(";", ",").split(",")
    return len(names) > 1 and ("doc" in names or begins_as_table(source))


@for_one_file
def check_documents(source: Source) -> tuple[Listed | None, list[Findings]]:
    """Read a list of documents; None, with findings, if a line is unreadable."""
    findings, kind = Findings(source.path), sniff(source)
    is_other = kind in (FileKind.QRELS, FileKind.TREC_RUN)
    layouts = [KINDS[kind].fields] if is_other else LAYOUTS
    expected = KINDS[kind].called if is_other else "a list of documents"
    if _is_csv(source):
        findings.add(rules.OTHER_FORMAT, 1, found="a table (CSV)", expected=expected, hint="")
        return None, [findings]
    ids, of_topics = set[str](), dict[str, set[str]]()
    for block in LineReader(source, findings, expected).blocks():
        for number, line, fields in block.rows():
            if number in block.bad:
                continue
            fitting = [layout for layout in layouts if len(layout) == len(fields)]
            layouts = fitting or layouts  # of all lines
            named = dict(zip(layouts[-1], fields, strict=False))
            if not fitting:
                widths = " or ".join(str(len(layout)) for layout in layouts)
                at, layout = field_columns(line, len(layouts[-1])), " ".join(layouts[-1])
                add_field_count(findings, number, line, len(fields), widths, at, layout=layout)
            elif "topic" in named:
                of_topics.setdefault(named["topic"], set()).add(named["doc"])
            else:
                ids.add(named["doc"])
    if not (ids or of_topics or findings.errors):
        findings.add(rules.EMPTY_FILE, expected="documents in it")
    listed: Listed = of_topics if of_topics else ids
    return (None if findings.errors else listed), [findings]
