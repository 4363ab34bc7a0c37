"""Tables of groups: `run` and `group`, tab-separated, with an optional header."""

from __future__ import annotations

from ave_score import rules
from ave_score.files.contents import Contents, Examined, examined
from ave_score.files.lines import LineReader
from ave_score.files.positions import add_field_count, cell_columns
from ave_score.files.source import Source
from ave_score.findings import Findings


def read_groups(source: Source, findings: Findings) -> dict[str, str]:
    """Return run -> group; the header line is optional."""
    groups: dict[str, str] = {}
    reader = LineReader(source, findings, "a table of runs and groups", has_texts=True)
    for block in reader.blocks():
        for number, line in block.lines():
            fields = [field.strip() for field in line.split("\t")]
            if number in block.bad or fields in ([""], ["run", "group"]) or line.startswith("#"):
                continue
            if len(fields) != 2:
                columns = cell_columns(line, 2)
                width = len(fields)
                add_field_count(findings, number, line, width, "2", columns, layout="run<TAB>group")
            elif not fields[0]:
                findings.add(rules.FIELD_EMPTY, number, 1, line, field="run")
            elif groups.setdefault(*fields) != fields[1]:
                findings.add(
                    rules.TWO_GROUPS,
                    number,
                    cell_columns(line, 1),
                    line,
                    name=fields[0],
                    found=fields[1],
                    first=groups[fields[0]],
                )
    if not groups and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected="groups in it")
    return groups


def check_groups(source: Source) -> tuple[dict[str, str] | None, list[Findings]]:
    """Read run -> group; None, with findings, if a line is unreadable."""
    findings = Findings(source.path)
    groups = read_groups(source, findings)
    return (None if findings.errors else groups), [findings]


def examine(source: Source, _: object, __: str) -> Examined:
    """Check a table of groups."""
    return examined(check_groups(source), _contents)


def _contents(groups: dict[str, str]) -> Contents:
    return {"runs": len(groups), "groups": len({*groups.values()})}
