"""Words of a question that no passage is chosen for: articles, prepositions, question words."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

from ave_score import rules
from ave_score.building.words import parts
from ave_score.errors import UsageError
from ave_score.files.lines import LineReader
from ave_score.files.questions import Question
from ave_score.files.source import Source
from ave_score.findings import Findings


@cache
def stop_words() -> Mapping[str, frozenset[str]]:
    """Return language -> its stop words, of the file beside this one."""
    text = files("ave_score.building").joinpath("stop_words.toml").read_text("utf-8")
    return {language: folded_words(said.split()) for language, said in tomllib.loads(text).items()}


def folded_words(listed: Iterable[str]) -> frozenset[str]:
    """Return words as they are compared; what stands between apostrophes is a word of its own."""
    return frozenset(word for one in listed for word in parts(one))


def stop_words_for(question: Question) -> frozenset[str]:
    """Return the stop words of a question's language; raises `UsageError` where there are none."""
    language = question.lang.casefold().replace("_", "-").partition("-")[0]
    known = stop_words()
    if not language:
        raise UsageError(
            f"the language of question {question.q_id!r} is not known: name it with --lang, or in "
            "a column lang of the questions, or give --stop-words"
        )
    if language not in known:
        raise UsageError(
            f"no stop words for language {question.lang!r}, only for {', '.join(sorted(known))}; "
            "give some with --stop-words"
        )
    return known[language]


def check_words(source: Source) -> tuple[list[str] | None, list[Findings]]:
    """Read one word a line; None, with findings, where the file is no such list.

    Lines that begin with # are comments.
    """
    findings = Findings(source.path)
    words = [
        line.strip()
        for block in LineReader(source, findings, "a list of words", has_texts=True).blocks()
        for _, line in block.lines()
        if not line.startswith("#")
    ]
    if not any(words) and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected="words in it")
    return (None if findings.errors else words), [findings]
