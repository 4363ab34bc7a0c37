"""AVE7xx: campaign files, and what they name."""

from __future__ import annotations

from ave_score.kinds import FileKind
from ave_score.rules.rule import ERROR, WARNING, Rule, no_fix

_RIGHT = """\
title = "Exercise"
[editions.2007.languages.en]
collection = "collection.xml"
runs = "decimal-comma.txt"
"""
_BY_HAND = no_fix("`ave-score fix` mends runs only; what is meant, the organisers must say.")

NOT_TOML = Rule(
    "AVE701",
    "not-toml",
    ERROR,
    "not TOML: {problem}",
    "Texts stand in quotes, tables in brackets; ave-score campaign init writes a file to start.",
    explanation=(
        "A campaign file says which files belong together, so nothing is scored before all of it "
        "can be read. Usual causes are a path without quotes, a backslash in a text (write / "
        "between folders), and a table that is named twice."
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
    "ave-score campaign init writes a file in which every setting is explained.",
    explanation=(
        "A setting of which nobody knows has no effect: a misspelt one would leave out the runs, "
        "or count by another policy than was meant, without a word. Usual causes are misspelling "
        "and a setting of the edition that stands under a language."
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
    "ave-score campaign init writes a file in which every setting is explained.",
    explanation=(
        "The setting is there, but holds something that it cannot mean, and no default is put in "
        "its place in silence. Usual causes are a misspelt policy, a measure that there is not, "
        "and a number or a table where a text belongs."
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
    "Every language needs a collection; every campaign an edition, and that a language.",
    explanation=(
        "Without it there is nothing that could be scored. The usual cause is a table whose name "
        "lacks a part: it must be [editions.NAME.languages.NAME]."
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
    "Name the folder that holds the submitted runs; nothing to do where nobody took part.",
    explanation=(
        "The tables of the language will hold baselines and QA systems only. That is right where "
        "nobody took part; the usual cause otherwise is that runs were to be named later."
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
    "{where}: {found} are all called {name!r} and left out",
    'Rename the files, or give them names: names = {{ "folder/file" = "name" }}.',
    explanation=(
        "In the tables nobody could tell them apart, and a group could be printed beside the wrong "
        "one. They are left out until they have names of their own; the others are scored. Files "
        "of one name in several folders are told apart by these; the usual causes are a run beside "
        "its compressed copy, and two runs that were given one name."
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
        "A file that the campaign names is not there, or cannot be read. What needs it is left "
        "out and named in the results: without its collection a language, without the judgements "
        "its QA systems. Usual causes are a misspelt path, one that is relative to another folder, "
        "and runs that have not been put there yet."
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
    "{where}: a name is given to {found!r}, which is none of the runs{hint}",
    "Write the path of the file or the end of it, with its suffix or without.",
    explanation=(
        "A name that is given to no file has no effect, and the run that was meant stands in the "
        "tables by the name of its file. The usual cause is misspelling."
    ),
    example_of=FileKind.CAMPAIGN,
    wrong=_RIGHT + 'names = { "decimal-koma.txt" = "Team_1" }\n',
    right=_RIGHT + 'names = { "decimal-comma.txt" = "Team_1" }\n',
    fix=_BY_HAND,
)
