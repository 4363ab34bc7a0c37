"""Documents as JSON, all in ASCII: the one place that writes it.

`##` is escaped, because `##[error]` and `##vso[...]` are commands wherever a log has them.

`docs/reference/json.md` lists the documents, each with a page that has every key.
"""

from __future__ import annotations

import json

from ave_score.reports.report import Report
from ave_score.reports.style import TextStyle


def render(report: Report, _style: TextStyle) -> str:
    """Return the document of a report."""
    return json_text(report.document())


def json_text(document: object) -> str:
    """Return a document over several lines; exact ratios become floats."""
    return json_line(document, 2)


def json_line(record: object, indent: int | None = None) -> str:
    """Return a record as a line of JSON Lines."""
    text = json.dumps(record, indent=indent, allow_nan=False, default=float)
    return text.replace("##", "#\\u0023") + "\n"
