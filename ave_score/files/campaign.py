"""Campaign files: TOML with editions, their languages, collections and runs.

    title = "Answer Validation Exercise"
    output = "results"

    [editions.2007]
    measures = "ave2007"

    [editions.2007.languages.es]
    collection = "ave2007-es.xml"
    runs = "runs/es"

Paths are relative to the file. `ave-score campaign init` writes one with every setting explained.
"""

from __future__ import annotations

import codecs
import re
import tomllib
from typing import Any, NamedTuple

from ave_score import rules
from ave_score.files.contents import Contents, Examined, examined
from ave_score.files.encoding import marked_encoding, utf8_text
from ave_score.files.settings import Reader, TomlTable, check_keys, lines_of
from ave_score.files.source import Source
from ave_score.findings import Findings
from ave_score.policies import Policies

MAX_CAMPAIGN = 1 << 20
"""Bytes of the longest campaign file that is read."""


class Language(NamedTuple):
    """The settings of a language, with paths as written in the file."""

    name: str
    collection: str
    key: str | None
    judged: str | None
    groups: str | dict[str, str]
    runs: list[str]
    names: dict[str, str]
    line: int | None


class Edition(NamedTuple):
    """The settings of an edition: measures by name, and policies.

    `compare` names the measures of comparisons, or is `none`. `lines` has the line of each.
    """

    name: str
    measures: str | None
    compare: str | None
    lines: dict[str, int | None]
    policies: Policies
    languages: list[Language]
    line: int | None


class Campaign(NamedTuple):
    """The content of a campaign file."""

    title: str
    output: str
    editions: list[Edition]


def read_campaign(source: Source, findings: Findings) -> Campaign | None:
    """Read a campaign file; None if it is not TOML or a setting is unusable."""
    text = _text(source, findings)
    if text is None:
        return None
    try:
        check_keys(text)
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        _report_syntax(error, findings)
        return None
    reader = Reader(lines_of(text), findings)
    campaign = _campaign(document, reader)
    return None if findings.errors else campaign


def _text(source: Source, findings: Findings) -> str | None:
    data = source.whole(MAX_CAMPAIGN)
    if data is None:
        facts = {"found": "a file of more than 1 MB", "expected": "a campaign file"}
        findings.add(rules.OTHER_FORMAT, **facts, hint="")
        return None
    if not data.strip():
        findings.add(rules.EMPTY_FILE, expected="settings in it")
        return None
    marked = marked_encoding(data)
    if marked in ("utf-16", "utf-32"):
        findings.add(rules.UTF16, 1, None, "", found=marked.upper())
        return None
    bare = data.removeprefix(codecs.BOM_UTF8)
    text = utf8_text(bare, findings, cr_ends_lines=False)
    return None if text is None else text.replace("\r\n", "\n")


def _report_syntax(error: Exception, findings: Findings) -> None:
    located = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", str(error), re.S)
    if located:
        line, column = int(located[2]), int(located[3])
        findings.add(rules.NOT_TOML, line, column, problem=located[1])
    elif isinstance(error, RecursionError):
        findings.add(rules.NOT_TOML, problem="it is nested too deeply")
    elif "integer string conversion" in str(error):
        findings.add(rules.NOT_TOML, problem="a number has too many digits")
    else:
        problem = re.sub(r" \(at end of document\)$", ": the file ends", str(error))
        findings.add(rules.NOT_TOML, problem=problem)


def _campaign(document: dict[str, Any], reader: Reader) -> Campaign:
    top = reader.table((), document, {"title", "output", "editions"})
    editions = top.tables("editions")
    return Campaign(
        top.text("title") or "",
        top.text("output") or "results",
        [_edition(table) for table in editions],
    )


def _edition(table: TomlTable) -> Edition:
    settings = {
        name: policy for name, policy in Policies.records().items() if policy.setting is not None
    }
    table.allow({"measures", "compare", *settings, "languages"})
    return Edition(
        table.name,
        table.text("measures"),
        table.text("compare"),
        {name: table.line_of(name) for name in ("measures", "compare")},
        Policies(**{name: table.choice(policy) for name, policy in settings.items()}),
        [_language(each) for each in table.tables("languages")],
        table.line,
    )


def _language(table: TomlTable) -> Language:
    table.allow({"collection", "key", "judged", "groups", "runs", "names"})
    return Language(
        table.name,
        table.text("collection", needed=True) or "",
        table.text("key"),
        table.text("judged"),
        table.text_or_texts("groups"),
        table.list_of_texts("runs"),
        table.texts("names"),
        table.line,
    )


def check_campaign(source: Source) -> tuple[Campaign | None, list[Findings]]:
    """Read a campaign file; None, with findings, if a setting is unusable.

    Named files and measures are checked when the campaign is scored.
    """
    findings = Findings(source.path)
    campaign = read_campaign(source, findings)
    findings.skip("the files and measures that it names: ave-score campaign checks them")
    return campaign, [findings]


def examine(source: Source, _: object, __: str) -> Examined:
    """Check a campaign file."""
    return examined(check_campaign(source), _contents)


def _contents(campaign: Campaign) -> Contents:
    languages = [len(edition.languages) for edition in campaign.editions]
    return {"editions": len(languages), "languages": sum(languages)}
