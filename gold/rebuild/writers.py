r"""Writes collections and runs in the formats of AVE and of judged QA runs.

Each function returns the whole text of a file, with ``\n`` line ends.
"""

from collections.abc import Iterable, Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from .collection import Answer, Collection, Question
from .decisions import Decision

NOTE = "reconstructed from published counts; not the original data"
JUDGED_HEADER = ["q_id", "run", "judgement", "a_id", "answer", "text", "doc"]
NIL_ROW = ["W", "", "NIL", "", ""]


def collection_xml(collection: Collection) -> str:
    """Return the collection as AVE XML with its labels."""
    facts = collection.published.facts
    lang = facts.lang.upper()
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<!-- This collection was reconstructed from published counts and scores; questions and",
        "     texts are invented. It is not the original data of the campaign. -->",
        f'<ave edition="{facts.edition}" lang="{lang}" note="{NOTE}">',
        *(line for question in collection.questions for line in _question(question, lang)),
        "</ave>",
    ]
    return _text(lines)


def _question(question: Question, lang: str) -> Iterator[str]:
    yield f'  <q id="{question.id}" lang="{lang}">'
    yield f"    <q_str>{escape(question.text)}</q_str>"
    for answer in question.answers:
        yield f'    <a id="{answer.id}" value="{answer.label}">'
        yield f"      <a_str>{escape(answer.answer)}</a_str>"
        yield f"      <t_str doc={quoteattr(answer.doc)}>{escape(answer.text)}</t_str>"
        yield "    </a>"
    yield "  </q>"


def judged_tsv(collection: Collection) -> str:
    """Return the judged answers of all QA systems, a system after the other."""
    rows = [
        [question.id, row.run, *_judged_answer(question.given[place])]
        for place, row in enumerate(collection.published.systems)
        for question in collection.questions
    ]
    return _table([JUDGED_HEADER, *rows])


def _judged_answer(answer: Answer | None) -> list[str]:
    if answer is None:
        return NIL_ROW
    return [answer.judgement, answer.id, answer.answer, answer.text, answer.doc]


def groups_tsv(collection: Collection) -> str:
    """Return the group of every answer validation run and QA system."""
    published = collection.published
    runs = [[row.run, row.group] for row in published.runs]
    systems = [[row.run, row.group] for row in published.systems]
    return _table([["run", "group"], *runs, *systems])


def run_txt(decisions: Iterable[Decision]) -> str:
    """Return a run, a line an answer: question, answer, verdict, confidence."""
    return _text(
        f"{d.answer.id.partition('_')[0]} {d.answer.id} {d.verdict} 0.{d.confidence:03}"
        for d in decisions
    )


def _table(rows: Iterable[Sequence[str]]) -> str:
    return _text("\t".join(row) for row in rows)


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
