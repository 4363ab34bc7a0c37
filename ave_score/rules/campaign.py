"""AVE7xx: campaign files, and the files that they name."""

from __future__ import annotations

from ave_score.kinds import FileKind
from ave_score.rules.rule import ERROR, WARNING, Rule, only_runs

_RIGHT = """\
title = "Exercise"
[editions.2007.languages.en]
collection = "collection.xml"
runs = "decimal-comma.txt"
"""
_BY_HAND = only_runs("the organisers have to decide what is meant.")

NOT_TOML = Rule(
    "AVE701",
    "not-toml",
    ERROR,
    "not TOML: {problem}",
    "Quote strings and put table names in brackets; ave-score campaign init writes a template.",
    explanation=(
        "A campaign file says which files belong together, so nothing is scored until all of it "
        "can be read. Usual causes: a path without quotes, a backslash in a string (write / "
        "between folders), or a duplicate table."
    ),
    example_of=FileKind.CAMPAIGN,
    wrong=_RIGHT.replace('"collection.xml"', "collection.xml"),
    right=_RIGHT,
    fix=_BY_HAND,
)
UNKNOWN_SETTING = Rule(
    "AVE702",
    "unknown-setting",
    ERROR,
    "{where} has no setting {name!r}{hint}",
    "ave-score campaign init writes a template that explains every setting.",
    explanation=(
        "An unknown setting has no effect: a misspelt one would silently omit the runs or apply "
        "another policy than intended. Usual causes: a misspelling, or a setting of the edition "
        "under a language."
    ),
    example_of=FileKind.CAMPAIGN,
    wrong=_RIGHT.replace("runs =", "run ="),
    right=_RIGHT,
    fix=_BY_HAND,
)
SETTING_UNUSABLE = Rule(
    "AVE703",
    "setting-unusable",
    ERROR,
    "{name} of {where} is {found!r}, expected {expected}",
    "ave-score campaign init writes a template that explains every setting.",
    explanation=(
        "The setting exists, but its value is invalid, and no default replaces it silently. Usual "
        "causes: a misspelt policy, a measure that does not exist, or a number or a table instead "
        "of a string."
    ),
    example_of=FileKind.CAMPAIGN,
    wrong=_RIGHT.replace('"decimal-comma.txt"', "7"),
    right=_RIGHT,
    fix=_BY_HAND,
)
SETTING_MISSING = Rule(
    "AVE704",
    "setting-missing",
    ERROR,
    "{where} has no {name}",
    "A campaign needs an edition, an edition a language, and a language a collection.",
    explanation=(
        "Without it there is nothing to score. Usual cause: an incomplete table name; it must be "
        "[editions.NAME.languages.NAME]."
    ),
    example_of=FileKind.CAMPAIGN,
    wrong=_RIGHT.replace('collection = "collection.xml"\n', ""),
    right=_RIGHT,
    fix=_BY_HAND,
)
NO_RUNS = Rule(
    "AVE705",
    "no-runs",
    WARNING,
    "{where} names no runs",
    "Name the folder of the submitted runs; nothing to do if nobody took part.",
    explanation=(
        "The tables of the language will contain only baselines and QA systems. That is correct if "
        "nobody took part. Usual cause otherwise: runs that were to be named later."
    ),
    example_of=FileKind.CAMPAIGN,
    wrong=_RIGHT.replace('runs = "decimal-comma.txt"\n', ""),
    right=_RIGHT,
    fix=_BY_HAND,
)
RUNS_OF_ONE_NAME = Rule(
    "AVE706",
    "runs-of-one-name",
    WARNING,
    "{where}: {found} share the name {name!r} and are skipped",
    'Rename the files, or name them here: names = {{ "folder/file" = "name" }}.',
    explanation=(
        "The tables could not distinguish these runs, and a group could be printed next to the "
        "wrong one. They are skipped until their names differ; the others are scored. Files with "
        "the same name in different folders are distinguished by their folders. Usual causes: a "
        "run next to its compressed copy, or two runs that were given one name."
    ),
    example_of=FileKind.CAMPAIGN,
    wrong=_RIGHT.replace('"decimal-comma.txt"', '["decimal-comma.txt", "verdict-case.txt"]')
    + 'names = { "decimal-comma.txt" = "Team_1", "verdict-case.txt" = "Team_1" }\n',
    right=_RIGHT,
    fix=_BY_HAND,
)
FILE_UNUSABLE = Rule(
    "AVE707",
    "file-unusable",
    WARNING,
    "{where}: {name} {found}; {consequence}",
    "Paths are relative to the campaign file.",
    explanation=(
        "A file named in the campaign does not exist or cannot be read. Whatever needs it is "
        "skipped and listed in the results: a language without its collection, or its QA systems "
        "without the judgements. Usual causes: a misspelt path, a path relative to another folder, "
        "or runs that are not there yet."
    ),
    example_of=FileKind.CAMPAIGN,
    wrong=_RIGHT.replace('"collection.xml"', '"no-such-collection.xml"'),
    right=_RIGHT,
    fix=_BY_HAND,
)
NAME_OF_NOTHING = Rule(
    "AVE708",
    "name-of-nothing",
    WARNING,
    "{where}: names refers to {found!r}, which is not a run{hint}",
    "Write the path of the file or the end of it, with or without its suffix.",
    explanation=(
        "A name for a file that is not a run has no effect, and the intended run appears in the "
        "tables under its file name. Usual cause: a misspelling."
    ),
    example_of=FileKind.CAMPAIGN,
    wrong=_RIGHT + 'names = { "decimal-koma.txt" = "Team_1" }\n',
    right=_RIGHT + 'names = { "decimal-comma.txt" = "Team_1" }\n',
    fix=_BY_HAND,
)
