"""Campaign files: TOML with editions, their languages, collections and runs.

    title = "Answer Validation Exercise"
    output = "results"

    [editions.2007]
    measures = "ave2007"

    [editions.2007.languages.es]
    collection = "ave2007-es.xml"
    runs = "runs/es"

    [editions.2008]
    languages = ["de", "es"]
    collection = "ave2008-{language}.xml"
    runs = "submissions/{team}/{language}/*.txt"

What languages have in common may stand in the edition. A file may call them tasks, subtasks or
tracks (`WORDS`). Paths are relative to the file. `ave-score campaign init` writes one with every
setting explained.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from ave_score import rules
from ave_score.core.entrants import READING, SETTINGS, Takes, of_names
from ave_score.core.errors import UsageError
from ave_score.core.findings import Findings
from ave_score.core.policies import Policies
from ave_score.core.text import did_you_mean, nearest, visible
from ave_score.files.contents import Checking, Contents
from ave_score.files.naming import Naming
from ave_score.files.nodes import Expected, one_of
from ave_score.files.settings import (
    FILE_OR_TEXTS,
    FILE_OR_TIMES,
    FINITE,
    NAMES,
    NUMBER,
    PATHS,
    PATTERNS,
    TEXT,
    TEXTS,
    TIME,
    TomlTable,
    read_toml,
)
from ave_score.files.source import Source
from ave_score.files.times import deadline_problem, moment

MAX_CAMPAIGN = 1 << 20
"""Bytes of the longest campaign file that is read."""

MOST = 1_000
"""Editions of a campaign, or languages of all: a short file can name more than anybody scores."""

TEAM = "{team}"
"""What patterns hold for the folder of a team."""


class Word(NamedTuple):
    """What a campaign file calls the parts of an edition, and what stands before their names."""

    name: str
    before: str

    @property
    def setting(self) -> str:
        """The key of an edition that names them."""
        return f"{self.name}s"

    @property
    def slot(self) -> str:
        """What paths hold for the name of one."""
        return f"{{{self.name}}}"


_LANGUAGE = Word("language", "")
WORDS = {
    word.setting: word
    for word in (
        _LANGUAGE,
        *(Word(name, f"{name.capitalize()} ") for name in ("task", "subtask", "track")),
    )
}
"""Key of an edition -> word; a file has one of them. The code says language for all."""

SHARES = ("scores", "scores and per-question outcomes", "everything")
"""What teams and the public may see."""

_OF_PLATFORMS = ("terms", "image", "docker_image")

BEYOND_LIMITS = ("ranked", "apart")
"""What happens to runs beyond a limit: they are ranked, or listed apart."""


class Language(NamedTuple):
    """The settings of a language, its own or its edition's; paths are as written but for slots.

    `measures` are names, `compare` those of comparisons, or `none`; `places` says of both which
    table sets them, and its line. `submitted` is the path of a table of times, or the times by run.
    `patterns` has those settings of `ENTRANTS` that are names of runs, or patterns of names,
    `reading` has those of `READING` that are set.
    """

    name: str
    measures: str | None
    compare: str | None
    places: dict[str, tuple[str, int | None]]
    policies: Policies
    collection: str
    key: str | None
    judged: str | None
    teams: str | dict[str, str]
    runs: list[str]
    names: dict[str, str]
    max_runs_per_team: int | None
    opens: datetime | None
    closes: datetime | None
    submitted: str | dict[str, datetime] | None
    beyond_limits: str
    patterns: dict[str, list[str]]
    reading: dict[str, Any]
    line: int | None


class Edition(NamedTuple):
    """An edition and its languages, which have its settings."""

    name: str
    languages: list[Language]
    line: int | None


class CampaignFile(NamedTuple):
    """The content of a campaign file; `word` is what it calls its languages.

    `anonymous` is the path of the secret that anonymous names are made with.
    The last three are for platforms: paths of files for pages, and the image of a container.
    """

    title: str
    output: str
    word: Word
    editions: list[Edition]
    share: str
    anonymous: str | None
    terms: str | None
    image: str | None
    docker_image: str | None

    @property
    def files(self) -> list[str]:
        """The paths of single files that it names, as written; runs are no such."""
        named: list[object] = [self.anonymous, self.terms, self.image]
        for edition in self.editions:
            for language in edition.languages:
                named += [
                    language.collection,
                    language.key,
                    language.judged,
                    language.teams,
                    language.submitted,
                    language.reading.get("documents"),
                ]
        return [path for path in named if isinstance(path, str)]


def read_campaign(source: Source, findings: Findings) -> CampaignFile | None:
    """Read a campaign file; None if it is not TOML or a setting is unusable."""
    top = read_toml(source, findings, MAX_CAMPAIGN, "a campaign file")
    if top is None:
        return None
    campaign = _campaign(top)
    return None if findings.errors else campaign


_RENAMED = {
    name: f"; use {today}"
    for name, today in {
        "campaign": "letters",
        "groups": "teams",
        "max_runs_per_group": "max_runs_per_team",
    }.items()
}
"""Old name of a setting -> what is said of it."""

_OF_FILE = ("title", "output", "share", "anonymous", *_OF_PLATFORMS)
_HINTS = {**_RENAMED, **dict.fromkeys(_OF_FILE, "; it stands before the first [editions. ...]")}
"""Setting that editions and languages do not have -> what is said of it."""


def _campaign(top: TomlTable) -> CampaignFile:
    top.allow({"editions", *_OF_FILE})
    tables = top.tables("editions")
    used = (WORDS[name] for table in tables for name in table.values if name in WORDS)
    word = next(used, _LANGUAGE)
    editions = [_edition(table, word) for table in tables[:MOST]]
    languages = sum(len(edition.languages) for edition in editions)
    for number, words in ((len(tables), "editions"), (languages, word.setting)):
        if number > MOST:
            facts = {"found": f"{number:,} {words}", "expected": f"at most {MOST:,}"}
            top.add(rules.SETTING_UNUSABLE, "editions", **facts)
    return CampaignFile(
        top.value("title", TEXT) or "",
        top.value("output", TEXT) or "results",
        word,
        editions,
        top.value("share", one_of(SHARES, SHARES[0])),
        top.value("anonymous", TEXT),
        *(top.value(name, TEXT) for name in _OF_PLATFORMS),
    )


_EXPECTED = {
    Takes.FILE: TEXT,
    Takes.TABLE: FILE_OR_TEXTS,
    Takes.NAMES: NAMES,
    Takes.PATTERNS: PATTERNS,
    Takes.NUMBER: NUMBER,
    Takes.TIME: TIME,
    Takes.TIMES: FILE_OR_TIMES,
    Takes.BEYOND_LIMITS: one_of(BEYOND_LIMITS, BEYOND_LIMITS[0]),
}


def _choices() -> dict[str, Expected]:
    """Return the policies that are settings; their defaults depend on the collection."""
    records = Policies.records().items()
    return {
        name: one_of(record.choices) if record.choices else FINITE
        for name, record in records
        if record.setting is not None
    }


_MEASURES = ("measures", "compare")
_PLACED = {
    **dict.fromkeys(("collection", "key", "judged"), TEXT),
    "runs": PATHS,
    **{name: _EXPECTED[entrant.takes] for name, entrant in SETTINGS.items()},
}
"""The settings of a language, but for those of figures, that may name paths or runs."""


def _shared() -> dict[str, Expected]:
    """Return the settings of a language that its edition may hold for all."""
    return {**_PLACED, **dict.fromkeys(_MEASURES, TEXT), **_choices()}


def _edition(table: TomlTable, word: Word) -> Edition:
    others = dict.fromkeys(WORDS.keys() - {word.setting}, f", the file says {word.setting}")
    table.allow({word.setting, *_shared()}, {**_HINTS, **others})
    shared = _settings(table, table.values, word)
    languages = table.tables(word.setting, or_names=True)
    return Edition(
        table.name, [_language(language, table, shared, word) for language in languages], table.line
    )


def _language(table: TomlTable, edition: TomlTable, shared: dict[str, Any], word: Word) -> Language:
    table.allow({*_shared(), "names"}, _HINTS)
    if "collection" not in {**shared, **table.values}:
        table.value("collection", TEXT, needed=True)
    names = table.values.keys() | (_shared().keys() - shared.keys())
    settings = {**shared, **_settings(table, names, word)}
    filled = {name: _filled(value, word.slot, table.name) for name, value in settings.items()}
    for name in ("opens", "closes"):
        filled[name] = moment(filled[name])
    for name in ("runs", *of_names(SETTINGS)):
        filled[name] = [filled[name]] if isinstance(filled[name], str) else filled[name]
    filled["patterns"] = {name: filled.pop(name) for name in of_names(SETTINGS)}
    reading = {name: filled.pop(name) for name in READING}
    filled["reading"] = {name: value for name, value in reading.items() if value is not None}
    filled["names"] = table.composed("names", table.value("names", TEXTS))
    chosen = {name: filled.pop(name) for name in _choices()}
    filled["policies"] = Policies(
        **{name: item for name, item in chosen.items() if item is not None}
    )
    filled["places"] = {
        name: (".".join(item.keys), item.line_of(name))
        for name in _MEASURES
        for item in (table if name in table.values else edition,)
    }
    return Language(name=table.name, line=table.line, **filled)


def _settings(table: TomlTable, names: Collection[str], word: Word) -> dict[str, Any]:
    """Return some of the settings of languages in a table; report slots that nothing fills."""
    settings = {
        name: table.value(name, expected) for name, expected in _shared().items() if name in names
    }
    if isinstance(settings.get("submitted"), dict):
        settings["submitted"] = table.times("submitted", settings["submitted"])
    for name in ("teams", "submitted"):
        if isinstance(settings.get(name), dict):
            settings[name] = table.composed(name, settings[name])
    for name in {"columns", "values"} & settings.keys():
        settings[name] = _naming(table, name, settings[name])
    for name, value in settings.items():
        if name not in _PLACED:
            continue
        slots = {TEAM, word.slot} if name == "runs" else {word.slot}
        paths = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        for path in paths:
            expected = _slots_problem(path, slots)
            if expected:
                facts = {"found": path, "expected": expected}
                table.add(rules.SETTING_UNUSABLE, name, **facts)
    return settings


def _naming(table: TomlTable, name: str, value: dict[str, Any] | None) -> dict[str, str] | None:
    """Return what names or words mean; report columns and meanings that there are not."""
    given = None if value is None else {key: str(text) for key, text in value.items()}
    try:
        (Naming(given or {}) if name == "columns" else Naming({}, given or {})).check()
    except UsageError as error:
        table.add(rules.SETTING_UNUSABLE, name, found="a table", expected=f"names: {error}")
    return given


def _slots_problem(path: str, slots: set[str]) -> str:
    """Return what is expected of a path instead of its braces, or an empty text."""
    rest = re.sub("|".join(map(re.escape, slots)), "", path)
    if "{" in rest or "}" in rest:
        braces = re.search(r"\{[^{}]*\}", rest)
        hint = did_you_mean(nearest(braces[0], slots)) if braces else ""
        return f"no braces but those of {' and '.join(sorted(slots))}{hint}"
    folders = path.split("/")
    if TEAM in slots and path.count(TEAM) > folders.count(TEAM):
        return f"{TEAM} to be the whole name of a folder"
    if folders.count(TEAM) > 1:
        return f"{TEAM} only once"
    if TEAM in folders and ".." in folders[folders.index(TEAM) :]:
        return f"no .. below {TEAM}"
    return ""


def _filled(value: Any, slot: str, language: str) -> Any:  # noqa: ANN401 - any setting
    """Return a setting with the name of the language in its paths."""
    if isinstance(value, str):
        return value.replace(slot, language)
    if isinstance(value, list):
        return [path.replace(slot, language) for path in value]
    return value


def _deadline_problems(campaign: CampaignFile) -> Iterator[str]:
    for edition in campaign.editions:
        for language in edition.languages:
            where = f"{edition.name} {campaign.word.before}{language.name}"
            problem = deadline_problem(where, language.closes, language.submitted)
            if problem:
                yield problem


def check_campaign(source: Source) -> tuple[CampaignFile | None, list[Findings]]:
    """Read a campaign file; None, with findings, if a setting is unusable.

    Named files and measures are checked when the campaign is scored. Before it is over,
    a deadline needs no times of submission.
    """
    findings = Findings(source.path)
    campaign = read_campaign(source, findings)
    findings.skip("the files and measures that it names: ave-score check does it")
    first = "" if campaign is None else next(_deadline_problems(campaign), "")
    if first:
        findings.skip(f"which runs are late: {visible(first)}, and without them nothing is scored")
    return campaign, [findings]


def examine(source: Source, _: object, *__: object) -> Checking:
    """Check a campaign file."""
    return check_campaign(source)


def contents(campaign: CampaignFile) -> Contents:
    """Describe a campaign in numbers."""
    languages = [len(edition.languages) for edition in campaign.editions]
    return {"editions": len(languages), campaign.word.setting: sum(languages)}
