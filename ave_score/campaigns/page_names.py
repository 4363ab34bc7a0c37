"""Names of editions and languages: folders and pages of the results are called so."""

from __future__ import annotations

from collections.abc import Sequence

from ave_score import rules
from ave_score.counts import TABLES
from ave_score.files.campaign import Campaign, Edition, Language
from ave_score.findings import Findings

RESERVED_EDITIONS = frozenset(["index.md", "findings.md", "cache.json"])
RESERVED_LANGUAGES = frozenset(
    ["participants", "collections", *(f"best-{table}" for table in TABLES)]
)
"""Names of pages that an edition's folder, or a language's pages, would replace."""


def check_names(campaign: Campaign, findings: Findings) -> None:
    """Report names of editions and languages that cannot be those of folders and files."""
    _check_each(campaign.editions, "editions", RESERVED_EDITIONS, findings)
    for edition in campaign.editions:
        where = f"editions.{edition.name}.languages"
        _check_each(edition.languages, where, RESERVED_LANGUAGES, findings)


def _check_each(
    named: Sequence[Edition | Language], where: str, reserved: frozenset[str], findings: Findings
) -> None:
    taken: set[str] = set()
    for one in named:
        folded = one.name.casefold()
        expected = ""
        if not _is_file_name(one.name):
            expected = "letters, digits, . _ and -: a page of the results is called so"
        elif folded in reserved:
            expected = "another name: a page of all of them is called so"
        elif folded in taken:
            expected = "a name that differs by more than capitals"
        taken.add(folded)
        if expected:
            facts = {"where": where, "name": "a name", "found": one.name, "expected": expected}
            findings.add(rules.SETTING_UNUSABLE, one.line, **facts)


def _is_file_name(name: str) -> bool:
    bare = name.replace("-", "").replace("_", "").replace(".", "")
    return bare.isalnum() and not name.startswith((".", "-")) and len(name.encode()) < 100
