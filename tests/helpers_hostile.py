"""Hostile contents: words that attack the reader of some output, and the files that have them.

Harmless words stand in the same places: what is made of both has the same shape.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import cycle
from pathlib import Path
from xml.sax.saxutils import quoteattr

from tests.helpers_command import put_all

WORDS: Mapping[str, Sequence[str]] = {
    "terminal escapes": ["\x1b[31mred", "\x1b]0;title\x07", "\x1b]8;;http://evil/\x1b\\x",
        "\x1b]52;c;ZXZpbA==\x07", "\x9b2Jc1", "\x90q\x9c", "a\rb\x08\x7f", "\u202etxt.exe",
        "\u2066a\u200b\ufeff"],
    "commands of a log": ["::error::x", "##vso[task.setvariable variable=a]b",
        " ::set-output name=a::b", "\u3000::stop-commands::t", "a##[error]x", "%0A::add-mask::x",
        "a,line=9,b::c", "a\u2028::debug::b"],
    "formulas": ["=1+1", "\uff1d1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\t=1", "\r=1",
        "\uff0b1", "\uff0d1", "\uff201", '=HYPERLINK("http://evil","x")', "=a,b", '"=1', "-5"],
    "LaTeX": [r"\input{/etc/passwd}", r"\write18{id}&%$_", "a%b", "^^5cinput{x}", "}\\end{tabular}",
        "$x$", "&", "[1]", "*", "--x", "\\\\", "#1", "~_^"],
    "HTML and scripts": ["<script>alert(1)</script>", "</script><script>alert(2)</script>", "<!--",
        "-->", "]]>", "\"' onerror=alert(3) x='", "<img src=http://evil/x>",
        "<svg/onload=alert(4)>", "javascript:alert(5)",
        "</style><style>*{background:url(http://evil)}", "</title>", "&lt;b&gt;&#60;",
        "{{7*7}}{%x%}", "${7*7}", "`${x}`", "\u2028\u2029"],
    "Markdown": ["# h", "- i", "a|b", "[x]: http://evil", "![x](http://evil/x.png)", "`x`", "**b**",
        "[x](http://evil)", "+ i", "1. i", "> q", "---", "===", "~~~", "<http://evil>",
        "http://evil.org/x", "www.evil.org", "@octocat", "a@b.org", "x\\", "\\|", "    code",
        "[^1]", "- [ ] t"],
    "quotations of documents": ['"', "'", 'a","b', 'x"}\nmeasure{key: "f1"', "\\n", '\\"', "a\nb",
        "<![CDATA[x", "]]></failure>", "&x;", "\x0b\x0c\x1c", "\ufffe\uffff", "null", "true",
        "1e999", "a: b", "key = 1", '"""', "'''", "a;=1"],
    "names of files": ["../x", "..", "C:\\x", "//host/x", "-o", "--help", "~", "a*b?", "con",
        "file://x", "a/../../b"],
    "long words": ["y" * 200, "\u6f22" * 60, "e\u0301" * 40],
}  # fmt: skip
"""Attack -> words that would do something if they were printed as they are."""


def harmless(words: Sequence[str]) -> list[str]:
    """Return as many words, of about the same length, which do nothing."""
    return [f"w{number}q{'o' * min(len(word), 60)}" for number, word in enumerate(words)]


def file_name(word: str) -> str:
    """Return a word as the name of a file that is not hidden."""
    return re.sub(r"^\.|[/\0]", "_", word)[:60].encode()[:200].decode(errors="ignore")


def an_id(word: str) -> str:
    """Return a word as an id of a run's lines, which has no blank and nothing invisible."""
    kept = (character for character in word if unicodedata.category(character)[0] not in "CZ")
    return "".join(kept).lstrip("#") or "i"


def in_xml(word: str) -> str:
    """Return a word without the characters that XML forbids."""
    return re.sub("[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", " ", word)


def in_table(word: str) -> str:
    """Return a word as a field between tabs."""
    kept = (item for item in word if item == " " or unicodedata.category(item)[0] not in "CZ")
    return "".join(kept).strip().lstrip("#[{") or "f"


def unique(words: Sequence[str], clean: Callable[[str], str]) -> list[str]:
    """Return the words as names of something, none of them twice."""
    return [f"{clean(word)}{number}" for number, word in enumerate(words)]


def write_world(folder: Path, words: Sequence[str]) -> None:
    """Write a campaign, its runs, logs and broken files, which have these words where they can."""
    ids, texts = unique(words, an_id), [in_xml(word) for word in words]
    fields, names = unique(["plain", *words], in_table), unique(["plain", *words], file_name)
    rows = [
        {
            "q_id": q_id,
            "a_id": f"{q_id}-{answer}",
            "label": ("VALIDATED", "REJECTED")[answer != at % 2],
            **dict.fromkeys(("question", "answer", "text", "doc", "topic", f"x{texts[0]}"), text),
        }
        for at, (q_id, text) in enumerate(zip(ids, texts, strict=True))
        for answer in range(2)
    ]
    judged = [
        {key: row[key] for key in ("q_id", "a_id", "answer", "text", "doc")}
        | {"run": field, "judgement": "RW"[row["label"] == "REJECTED"]}
        for row, field in zip(rows, cycle(fields[1:4]), strict=False)
    ]
    teams = dict(zip(names, fields, strict=True))
    known = [team for team in teams.items() if in_table(team[0]) == team[0]]
    samples = [
        {"question_id": q_id, "question": text, "samples": _samples(text, texts)}
        for q_id, text in zip(ids, texts, strict=True)
    ]
    files = {
        "gold.jsonl": _lines(rows),
        "judged.jsonl": _lines(judged),
        "teams.tsv": _table("run\tteam", known),
        "clusters.tsv": _table("q_id\tcluster", zip(ids, cycle(fields[:4]), strict=False)),
        "scores.jsonl": _lines(samples),
        "log.json": json.dumps(_log(texts, ids)),
        "campaign.toml": _campaign(words, teams),
    }
    runs = {f"runs/{name}.txt": _run(rows, number) for number, name in enumerate(names)}
    copies = {f"copies/{name}.jsonl": _lines(rows[:4]) for name in names}
    put_all(folder, files | runs | copies | _broken(words, ids))


def _run(rows: Sequence[Mapping[str, str]], number: int) -> str:
    """Return one of four runs."""
    verdicts = ("SELECTED" if place % 4 == number % 4 else "REJECTED" for place in range(len(rows)))
    lines = (
        f"{row['q_id']} {row['a_id']} {verdict} 0.{place % 7}\n"
        for place, (row, verdict) in enumerate(zip(rows, verdicts, strict=True))
    )
    return "".join(["# a run\n", *lines])


def _samples(text: str, names: Sequence[str]) -> list[dict[str, object]]:
    """Return two answers with the scores of two verifiers."""
    return [
        {"text": text, "scores": {names[0]: 0.5, names[-1]: right}, "correct": right}
        for right in (True, False)
    ]


def _lines(rows: Iterable[object]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def _table(head: str, rows: Iterable[tuple[str, str]]) -> str:
    return "\n".join([head, *map("\t".join, rows), ""])


def _log(words: Sequence[str], ids: Sequence[str]) -> dict[str, object]:
    """Return a log of Inspect whose task, model, scorers and samples are called by words."""
    every = "m" + " ".join(words)
    samples = [
        {
            "id": q_id,
            "epoch": 1,
            "input": word,
            "target": word,
            "metadata": {f"{word}{q_id}": word},
            "output": {"model": word, "completion": word, "choices": []},
            "scores": {every: {"value": "C", "answer": word}, words[-1]: {"value": 0.5}},
        }
        for word, q_id in zip(words, ids, strict=True)
    ]
    about = {"task": every, "model": words[1], "scorers": [{"name": words[-1]}]}
    return {"version": 2, "status": "success", "eval": about, "samples": samples}


def _campaign(words: Sequence[str], teams: Mapping[str, str]) -> str:
    """Return a campaign file: its title and teams; names of languages are names of files."""
    quoted = ", ".join(f"{_toml(team)} = {_toml(to)}" for team, to in teams.items())
    return f"""
title = {_toml("".join(words)[:150])}
share = "everything"
docker_image = "me/x:1"
[editions.e]
measures = "f1, mcc"
[editions.e.languages.l]
collection = "gold.jsonl"
runs = "runs"
teams = {{ {quoted} }}
"""


def _toml(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _broken(words: Sequence[str], ids: Sequence[str]) -> dict[str, str]:
    """Return files of which every line is wrong, with a word where it is wrong."""
    bare = [re.sub(r"[\s\0]", "_", word) for word in words]
    both = [*zip(ids, bare, strict=True)]
    quoted = [quoteattr(in_xml(word)) for word in words]
    questions = "".join(f"<q id={item}><a id={item} value={item}/></q>" for item in quoted)
    key, value = _toml(words[0]), _toml(words[-1])
    files = {
        "verdict.txt": "# a run\n"
        + "".join(f"{item} {item}-0 {word} 0.5\n" for item, word in both),
        "number.txt": "# a run\n"
        + "".join(f"{item} {item}-0 REJECTED {word}\n" for item, word in both),
        "ids.txt": "".join(f"{word} {word} REJECTED 0.5\n" for word in bare),
        "lines.txt": "\n".join(words),
        "head.tsv": "\t".join(["q_id", "a_id", "verdict", *map(in_table, words)]) + "\n1\t1\tx\n",
        "judged.jsonl": _lines(
            {"q_id": "1", "run": word, "judgement": word, word: word} for word in words
        ),
        "gold.xml": f"<ave>{questions}</ave>",
        "campaign.toml": f"{key} = {value}\n[editions.{key}]\nmeasures = {value}\n",
    }
    return {f"broken/{name}": data for name, data in files.items()}
