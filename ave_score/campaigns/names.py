"""Names of editions and languages, which are names of files in the folder of results."""

from __future__ import annotations

import re
from collections.abc import Sequence
from unicodedata import normalize

from ave_score import rules
from ave_score.core.findings import Findings
from ave_score.counts import TABLES
from ave_score.files.campaign import CampaignFile, Edition, Language
from ave_score.files.folders import RESULTS

RESERVED_LANGUAGES = frozenset(
    ["participants", "collections", *(f"best-{table}" for table in TABLES)]
)
"""Names of pages that a language must not replace; an edition must not replace `RESULTS`."""

TEAMS = "teams"
"""The folder of what teams get."""

DEVICES = re.compile(r"(con|prn|aux|nul|(com|lpt)[\d¹²³])(\..*)?", re.IGNORECASE)
"""Names that are no names of files on Windows."""

OF_SITE = frozenset([TEAMS, "index.html"])

COMPARISON = "-comparison"
"""The end of the names of comparisons, after that of the language."""


def check_names(campaign: CampaignFile, findings: Findings) -> None:
    """Report names of editions and languages that are not valid as file names."""
    _check_each(campaign.editions, "editions", RESULTS | OF_SITE, findings)
    for edition in campaign.editions:
        where = f"editions.{edition.name}.{campaign.word.setting}"
        comparisons = {language.name.casefold() + COMPARISON for language in edition.languages}
        _check_each(edition.languages, where, RESERVED_LANGUAGES | comparisons, findings)


def _check_each(
    named: Sequence[Edition | Language], where: str, reserved: frozenset[str], findings: Findings
) -> None:
    taken: set[str] = set()
    for entry in named:
        folded = normalize("NFC", entry.name).casefold()  # as file systems compare names
        expected = ""
        if not _is_file_name(entry.name):
            expected = "letters, digits, . _ and -: it is used as a file name"
        elif folded in reserved or DEVICES.fullmatch(folded):
            expected = "another name: this one is reserved"
        elif folded in taken:
            expected = "a name that differs in more than case"
        taken.add(folded)
        if expected:
            facts = {"where": where, "name": "a name", "found": entry.name, "expected": expected}
            findings.add(rules.SETTING_UNUSABLE, entry.line, **facts)


def _is_file_name(name: str) -> bool:
    bare = name.replace("-", "").replace("_", "").replace(".", "")
    has_ends = not name.startswith((".", "-")) and not name.endswith(".")
    return bare.isalnum() and has_ends and len(name.encode()) < 100
