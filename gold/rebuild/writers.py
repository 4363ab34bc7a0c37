r"""Writes collections and runs in the formats of AVE and of judged QA runs.

Each function returns the whole text of a file, with ``\n`` line ends.
"""

from collections.abc import Iterable, Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from .answering import Response
from .collection import Answer, Collection, Question
from .decisions import Decision
from .figures import available_answers
from .pair_runs import PairDecision
from .pairs import Pair, PairCollection
from .published import Answering, Published
from .texts import Worded

NOTE = "reconstructed from published counts; not the original data"
JUDGED_HEADER = ["q_id", "run", "judgement", "a_id", "answer", "text", "doc"]
ANSWERING_HEADER = ["q_id", "run", "judgement", "answered", "answer", "doc"]
NIL_ROW = ["W", "", "NIL", "", ""]


def collection_xml(collection: Collection) -> str:
    """Return the collection as AVE XML with its labels."""
    lang = collection.published.facts.lang.upper()
    lines = (line for question in collection.questions for line in _question(question, lang))
    return _text([*_head(collection.published), *lines, "</ave>"])


def _head(published: Published) -> list[str]:
    """Return the lines before the first question: what this is, and the root element."""
    facts = published.facts
    available = available_answers(facts, len(published.systems))
    attributes = {
        "edition": facts.edition,
        "lang": facts.lang.upper(),
        "available": available,
        "note": NOTE,
    }
    shown = (f'{name}="{value}"' for name, value in attributes.items() if value is not None)
    return [
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<!-- This collection was reconstructed from published counts and scores; questions and",
        "     texts are invented. It is not the original data of the campaign. -->",
        f"<ave {' '.join(shown)}>",
    ]


def _question(question: Question, lang: str) -> Iterator[str]:
    yield f'  <q id="{question.id}" lang="{lang}">'
    yield f"    <q_str>{escape(question.text)}</q_str>"
    for answer in question.answers:
        yield f'    <a id="{answer.id}" value="{answer.label}">'
        yield f"      <a_str>{escape(answer.answer)}</a_str>"
        yield f"      <t_str doc={quoteattr(answer.doc)}>{escape(answer.text)}</t_str>"
        yield "    </a>"
    yield "  </q>"


def pairs_xml(collection: PairCollection) -> str:
    """Return a collection of pairs as XML with the values of the pairs."""
    lines = (line for pair in collection.pairs for line in _pair(pair))
    return _text([*_head(collection.published), *lines, "</ave>"])


def _pair(pair: Pair) -> Iterator[str]:
    yield f'  <pair id="{pair.id}" value="{pair.value}" task="QA">'
    yield f"    <q>{escape(pair.question)}</q>"
    yield f"    <t doc={quoteattr(pair.doc)}>{escape(pair.text)}</t>"
    yield f"    <h>{escape(pair.hypothesis)}</h>"
    yield "  </pair>"


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


def teams_tsv(published: Published) -> str:
    """Return the team of every answer validation run and QA system."""
    runs = [[row.run, row.team] for row in published.runs]
    systems = [[row.run, row.team] for row in published.systems]
    return _table([["run", "team"], *runs, *systems])


def run_txt(decisions: Iterable[Decision]) -> str:
    """Return a run, a line an answer: question, answer, verdict, confidence."""
    return _text(
        f"{d.answer.id.partition('_')[0]} {d.answer.id} {d.verdict} 0.{d.confidence:03}"
        for d in decisions
    )


def pair_run_txt(decisions: Iterable[PairDecision]) -> str:
    """Return a run of pairs, a line a pair: pair, verdict, confidence."""
    return _text(f"{d.pair.id} {d.verdict} 0.{d.confidence:03}" for d in decisions)


def answering_tsv(answering: Answering, responses: Iterable[Iterable[Response]]) -> str:
    """Return the judged responses of all runs of a task, a run after the other."""
    rows = [
        [r.q_id, row.run, r.judgement, "YES" if r.answered else "NO", *_passage(r.passage)]
        for row, given in zip(answering.rows, responses, strict=True)
        for r in given
    ]
    return _table([ANSWERING_HEADER, *rows])


def _passage(passage: Worded | None) -> list[str]:
    return [passage.text, passage.doc] if passage else ["", ""]


def _table(rows: Iterable[Sequence[str]]) -> str:
    return _text("\t".join(row) for row in rows)


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
