"""The JSON schemas of all documents, with the definitions that they share, and their page.

Each file of `docs/reference/schemas` is made from the description of a document, which is beside
the function that reports it (`ave_score.reports.data`). It holds a copy of each shared definition
that it uses, so that a validator needs no other file. `python -m tools.generate` writes them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ave_score.campaigns import listing
from ave_score.inference.agree import ALPHA, FLEISS, PAIR_MEASURES
from ave_score.measures import MEASURES
from ave_score.reports import (
    agree,
    best_of_n,
    breakdown,
    build,
    compare_data,
    compare_groups,
    compare_questions,
    estimate,
    per_question,
    score_data,
    stability,
    stats,
    swap,
    sweep,
)
from ave_score.reports.data import Key, ResultDocument, Type, entry
from ave_score.reports.findings import document as findings_document
from ave_score.reports.intervals import METHODS

Schema = dict[str, Any]

FOLDER = Path(__file__).resolve().parent.parent / "docs/reference/schemas"

_NAMES = sorted(
    {name.rstrip("@") for name in MEASURES}
    | {measure.key for measure in (ALPHA, FLEISS, *PAIR_MEASURES)}
)
_OF_MEASURE = {"$ref": "#/$defs/measure"}
_SENTENCES = {
    "type": "object",
    "propertyNames": _OF_MEASURE,
    "additionalProperties": {"type": "string"},
}

SHARED: dict[str, Schema] = {
    "signature": {
        "description": "How the figures were computed: the version, the policies, and the first 12 "
        "digits of the hashes of the files, as `name:value` with `|` between. Figures with the "
        "same signature are comparable.",
        "type": "string",
        "pattern": r"^ave-score:[^|]+\|",
    },
    "measure": {
        "description": "The name of a measure.",
        "type": "string",
        "pattern": rf"^(?:{'|'.join(_NAMES)})(?:\([^()]+\))?(?:@[0-9]+)?$",
    },
    "value": {
        "description": "A measure, unrounded: a ratio and not a percentage; null if undefined.",
        "type": ["number", "null"],
    },
    "share": {
        "description": "A share in 0..1, or null.",
        "type": ["number", "null"],
        "minimum": 0,
        "maximum": 1,
    },
    "p": {
        "description": "A probability, or null.",
        "type": ["number", "null"],
        "minimum": 0,
        "maximum": 1,
    },
    "count": {"description": "A number of things.", "type": "integer", "minimum": 0},
    "sha256": {
        "description": "A SHA-256 hash.",
        "type": "string",
        "pattern": "^[0-9a-f]{64}$",
    },
    "rule": {"description": "The code of a rule.", "type": "string", "pattern": "^AVE[0-9]{3}$"},
    "not_scored": {
        "description": "The files that were not scored because of errors, with `--keep-going`.",
        "type": "array",
        "items": {"type": "string"},
    },
    "measures": {
        "description": "The value of each measure, unrounded: a ratio and not a percentage; null "
        "if it is undefined (0/0) or does not apply.",
        "type": "object",
        "propertyNames": _OF_MEASURE,
        "additionalProperties": {"$ref": "#/$defs/value"},
    },
    "interval": {
        "description": "The two ends of a confidence interval; null if undefined.",
        "type": "array",
        "items": {"type": ["number", "null"]},
        "minItems": 2,
        "maxItems": 2,
    },
    "spread": {
        "description": "How the runs of a system differ in a measure, with `--replicates`: the "
        "standard deviation, the lowest and the highest value; null if undefined.",
        "type": "array",
        "items": {"type": ["number", "null"]},
        "minItems": 3,
        "maxItems": 3,
    },
    "method": {
        "description": "The method of an interval. `wilson` is for shares of questions or pairs "
        "that count 0 or 1, `wilson-effective` is Wilson's with an effective size, for other "
        "ratios of counts, `bca` is a bootstrap, `rule of three` is for a "
        "mean of equal values; `crossed` is Student's t over questions and runs of a system.",
        "enum": [*METHODS],
    },
    "intervals": {
        "description": "The interval of each measure that has one, with `--ci`.",
        "type": "object",
        "propertyNames": _OF_MEASURE,
        "additionalProperties": {"$ref": "#/$defs/interval"},
    },
    "interval_methods": {
        "description": "The method of each interval that is defined.",
        "type": "object",
        "propertyNames": _OF_MEASURE,
        "additionalProperties": {"$ref": "#/$defs/method"},
    },
    "interval_cautions": {
        "description": "Why intervals of these measures should be read with care.",
        **_SENTENCES,
    },
    "no_interval": {
        "description": "Why these measures have a value but no interval.",
        **_SENTENCES,
    },
    "reasons": {"description": "A reason for each measure.", **_SENTENCES},
}
"""Definitions that several documents use."""

OPTIONAL = "; *optional*"


class Row(NamedTuple):
    """A key: its path, its type and its meaning in words, and the name of its definition."""

    path: str
    kind: str
    text: str
    name: str

    @property
    def inside(self) -> str:
        """The path of the object that has the key."""
        return self.path.rpartition(".")[0]

    @property
    def said(self) -> tuple[str, str, str]:
        """What is said of the key, wherever it is."""
        return self.path.rpartition(".")[2], self.kind, self.text


_GOLD, _RUNS = "gold/tiny.xml", "sample_runs/tiny"
_SCORE = f"ave-score score {_GOLD} {_RUNS}/careful.txt"
_COMPARE = f"ave-score compare {_GOLD} {_RUNS}/*.txt -m qa_accuracy"
_LINES = (
    'lines="$(mktemp -d)/lines.jsonl"; {} --per-question "$lines" -o /dev/null; head -1 "$lines"'
)

DOCUMENTS = {
    "scores": f"{_SCORE} -m f1 -f json",
    "sweep": f"{_SCORE} --sweep f1 -f json",
    "breakdown": f"{_SCORE} --breakdown lang -m f1 -f json",
    "comparison": f"{_COMPARE} -f json",
    "comparison-by-group": f"{_COMPARE} --breakdown lang -m f1 -f json",
    "stability": f"ave-score stability {_GOLD} {_RUNS}/*.txt -m f1 -f json",
    "swap": f"ave-score swap {_GOLD} {_RUNS}/*.txt -m f1 -f json",
    "best-of-n": "ave-score decide sample_runs/best-of-n.jsonl --curve -f json",
    "estimates": "ave-score estimate sample_runs/judge/systems.csv -f json",
    "findings": "ave-score check sample_runs/broken/verdict-case.txt -f json",
    "collections": f"ave-score stats {_GOLD} -f json",
    "campaign": "ave-score campaign list sample_runs/campaign.toml -f json 2> /dev/null",
    "agreement": f"ave-score agree {_RUNS}/*.txt --collection {_GOLD} -f json",
    "build": "ave-score build gold/build/answers.qa.tsv --questions gold/build/questions.tsv "
    "-o /dev/null -f json",
    "per-question": _LINES.format(_SCORE),
    "compared-question": _LINES.format(_COMPARE),
}
"""Name of a document -> a command that prints one, in the order of the page."""

_OF_MODULES = (
    *(agree, best_of_n, breakdown, build, compare_data, compare_groups, estimate),
    *(findings_document, listing, score_data, stability, stats, swap, sweep),
)
_LINES_OF = (per_question.LINE, compare_questions.LINE)
DESCRIBED = {
    document.name: document
    for document in (*(module.DOCUMENT for module in _OF_MODULES), *_LINES_OF)
}


def schema(name: str) -> Schema:
    """Return the schema of a document, with the shared definitions as they are now."""
    own: dict[str, Schema] = {}
    document = _described(DESCRIBED[name], own)
    used: dict[str, Schema] = {}
    missing = _references([document, own])
    while missing - used.keys():
        used |= {key: (own | SHARED)[key] for key in missing}
        missing = _references([*used.values()])
    return document | ({"$defs": {key: used[key] for key in sorted(used)}} if used else {})


def _described(document: ResultDocument, own: dict[str, Schema]) -> Schema:
    """Return the schema of a document; definitions of its own are added to `own`."""
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:ave-score:schema:{document.name}:1",
        "title": document.title,
        "description": document.text,
    }
    said = Type({"const": document.schema})("The name and version of the document.")
    version = {} if document.is_line else {"schema": said}
    return head | _of_type(entry({**version, **document.keys}), own)


def _of_type(of: Type, own: dict[str, Schema]) -> Schema:
    of_type: Schema = {}
    if of.item is not None:
        of_type = {"type": "array", "items": _of_type(of.item, own)}
    if of.keys is not None:
        required = [name for name, key in of.keys.items() if not key.type.is_optional]
        of_type = {
            "type": "object",
            "properties": {name: _of_key(key, own) for name, key in of.keys.items()},
            "required": required,
            "additionalProperties": False,
        }
    of_type |= of.schema
    if not of.name:
        return of_type
    own[of.name] = of_type
    return {"$ref": f"#/$defs/{of.name}"}


def _of_key(key: Key, own: dict[str, Schema]) -> Schema:
    return ({"description": key.text} if key.text else {}) | _of_type(key.type, own)


def _references(part: object) -> set[str]:
    return {*re.findall(r'"#/\$defs/([^"]+)"', json.dumps(part))}


def files() -> dict[Path, bytes]:
    """Return every schema file as it should be."""
    texts = {name: json.dumps(schema(name), indent=2, ensure_ascii=False) for name in DOCUMENTS}
    return {FOLDER / f"{name}.schema.json": f"{text}\n".encode() for name, text in texts.items()}


def required(name: str) -> list[str]:
    """Return the paths of all keys of a document that are always present where they can be."""
    document = schema(name)
    rows = rows_of(document, "", document.get("$defs", {}))
    return [path for path, kind, _, _ in rows if not kind.endswith(OPTIONAL)]


def rows_of(part: Schema, path: str, shared: Mapping[str, Schema]) -> Iterator[Row]:
    """Yield every key in an object, in the order of the schema."""
    for key, member in part.get("properties", {}).items():
        resolved, item = _resolved(member, shared), member
        here = inner = f"{path}.{key}" if path else key
        optional = "" if key in part.get("required", ()) else OPTIONAL
        kind, text = _type(resolved, shared) + optional, resolved["description"]
        while "items" in resolved:
            item, inner = resolved["items"], f"{inner}[]"
            resolved = _resolved(item, shared)
        name = (member if "$ref" in member else item).get("$ref", "")[len("#/$defs/") :]
        yield Row(here, kind, text, name)
        yield from rows_of(resolved, inner, shared)


def _resolved(part: Schema, shared: Mapping[str, Schema]) -> Schema:
    """Return a part with what it refers to; its own description comes first."""
    if "$ref" not in part:
        return part
    return shared[part["$ref"].rpartition("/")[2]] | part


def _type(part: Schema, shared: Mapping[str, Schema]) -> str:
    """Return the type of a value in words."""
    part = _resolved(part, shared)
    if "const" in part:
        return f"`{json.dumps(part['const'])}`"
    if "enum" in part:
        return _choice([f"`{json.dumps(value)}`" for value in part["enum"]])
    kinds: Sequence[str] = [part["type"]] if isinstance(part["type"], str) else part["type"]
    return _choice([_word(kind, part, shared) for kind in kinds])


_WORDS = {"string": "text", "integer": "whole number", "boolean": "true or false"}


def _word(kind: str, part: Schema, shared: Mapping[str, Schema]) -> str:
    if kind == "array":
        return f"list of {_type(part['items'], shared)}"
    of = part.get("additionalProperties")
    if kind == "object" and of:
        return f"object of {_type(of, shared)}"
    return _WORDS.get(kind, kind)


def _choice(texts: list[str]) -> str:
    *others, last = texts
    return f"{', '.join(others)} or {last}" if others else last
