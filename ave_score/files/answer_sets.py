"""Questions with their correct answers, or with nuggets, in JSON.

    {"questions": [
      {"id": "1", "type": "list", "sets": [{"total": 3, "answers": [["Spain", "España"]]}]},
      {"id": "2", "type": "definition", "nuggets": [{"id": "1", "vital": true, "text": "..."}]}]}

`answer_sets_json` gives each value its line and column; what the values mean is checked here.
"""

from __future__ import annotations

from collections import Counter

from ave_score import rules
from ave_score.core.errors import for_one_file
from ave_score.core.findings import Findings
from ave_score.core.kinds import KINDS
from ave_score.core.open_questions import (
    AnswerSet,
    Nugget,
    OpenGold,
    OpenQuestion,
    QuestionType,
    normalised,
)
from ave_score.core.text import is_usable_id, quantity
from ave_score.files import answer_sets_json
from ave_score.files.contents import Checking, Contents
from ave_score.files.encoding import decoded
from ave_score.files.nodes import BOOLEAN, COUNT, Node, NodeReader, one_of
from ave_score.files.positions import locate
from ave_score.files.sniff import is_table, sniff
from ave_score.files.source import Source

SCHEMA = "ave-score/answer-sets/1"

MAX_BYTES = 4 << 20
"""Bytes of the longest file that is read: ten thousand questions; a campaign has hundreds."""

EXPECTED = "answer sets (JSON)"


@for_one_file
def check_answer_sets(source: Source) -> tuple[OpenGold | None, list[Findings]]:
    """Read questions and their answers; None, with findings, if they cannot be used."""
    findings = Findings(source.path)
    source.expect_hash()
    data = _content(source, findings)
    root = None if data is None else _root(source, data, findings)
    questions = {} if root is None else _QuestionReader(findings).questions(root)
    if not questions and not findings.errors:
        findings.add(rules.EMPTY_FILE, expected="questions in it")
    locate(source, findings, {})
    if findings.errors:
        return None, [findings]
    return OpenGold(source.path, source.sha256(), questions), [findings]


def _content(source: Source, findings: Findings) -> bytes | None:
    """Return the bytes of a file that is neither empty nor too large."""
    data = source.whole(MAX_BYTES)
    if data is None:
        size = f"a file of more than {MAX_BYTES >> 20} MiB"
        findings.add(rules.OTHER_FORMAT, found=size, expected=EXPECTED, hint="")
    elif not data.replace(b"\0", b"").strip(b"\xef\xbb\xbf\xff\xfe \t\r\n"):
        findings.add(rules.EMPTY_FILE, expected="questions in it")
    else:
        return data
    return None


def _root(source: Source, data: bytes, findings: Findings) -> Node | None:
    bare = data[:4096].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    if bare.startswith((b"{", b"[")):
        text = decoded(data, findings, EXPECTED)
        return None if text is None else answer_sets_json.nodes_of(text, findings)
    kind = sniff(source)
    other = "XML" if bare.startswith(b"<") else "text"
    called = KINDS[kind].called if is_table(kind) else other
    findings.add(rules.OTHER_FORMAT, 1, found=called, expected=EXPECTED, hint="")
    return None


class _QuestionReader:
    """Converts nodes to questions, omitting parts with findings."""

    def __init__(self, findings: Findings) -> None:
        self._take = NodeReader(findings)

    def questions(self, root: Node) -> dict[str, OpenQuestion]:
        """Return q_id -> question, in file order."""
        fields = self._take.fields(root, ("schema", "questions"))
        if fields is None:
            return {}
        if "schema" in fields:
            self._take.value(fields["schema"], one_of((SCHEMA,)))
        questions: dict[str, OpenQuestion] = {}
        lines: dict[str, int] = {}
        for node in self._listed(root, "questions", needed=True):
            question = self._question(node)
            if question is None:
                continue
            first = lines.setdefault(question.q_id, node.line)
            if question.q_id in questions:
                facts = {"q_id": question.q_id, "first": first}
                self._take.add(node, rules.QUESTION_REPEATED, **facts)
            questions.setdefault(question.q_id, question)
        return questions

    def _question(self, node: Node) -> OpenQuestion | None:
        fields = self._take.fields(node, ("id", "type", "question", "sets", "nuggets"))
        if fields is None:
            return None
        q_id = self._id(node)
        if "question" in fields and fields["question"].value != "":
            self._take.text(fields["question"])
        kind: str | None = QuestionType.LIST.value
        if "type" in fields:
            kind = self._take.value(fields["type"], one_of([*QuestionType]))
        is_definition = kind == QuestionType.DEFINITION
        sets = self._listed(node, "sets", needed=not is_definition and kind is not None)
        nugget_nodes = self._listed(node, "nuggets", needed=is_definition)
        answer_sets, nuggets = [*map(self._set, sets)], self._nuggets(nugget_nodes)
        if kind is None or q_id is None:
            return None
        other = ("sets of answers", sets) if is_definition else ("nuggets", nugget_nodes)
        if other[1]:
            facts = {"where": node.where, "type": kind, "found": other[0]}
            self._take.add(node, rules.TYPE_CONTRADICTED, **facts)
        # an unreadable nugget may be vital
        may_be_vital = any(nugget is None or nugget.is_vital for nugget in nuggets)
        if is_definition and "nuggets" in fields and not may_be_vital:
            self._take.add(node, rules.NO_VITAL_NUGGET, q_id=q_id)
        return OpenQuestion(
            q_id,
            QuestionType(kind),
            tuple(answer_set for answer_set in answer_sets if answer_set is not None),
            tuple(nugget for nugget in nuggets if nugget is not None),
        )

    def _listed(self, node: Node, name: str, *, needed: bool) -> list[Node]:
        """Return the items of a list of an object; report a needed list that is missing."""
        expected = f"a list of {name}"
        listed = node.value.get(name) if isinstance(node.value, dict) else None
        if needed and listed is None:
            more = ", [] where there is no answer" if name == "sets" else ""
            self._take.missing(node, name, expected + more)
        return [] if listed is None else self._take.items(listed, expected)

    def _id(self, node: Node) -> str | None:
        id_node = node.value.get("id") if isinstance(node.value, dict) else None
        if id_node is None:
            self._take.missing(node, "id", "a text")
        elif isinstance(id_node.value, str) and not is_usable_id(id_node.value):
            self._take.add(id_node, rules.ID_UNUSABLE, found=id_node.value)
        else:
            return self._take.text(id_node)
        return None

    def _set(self, node: Node) -> AnswerSet | None:
        fields = self._take.fields(node, ("total", "answers"))
        if fields is None:
            return None
        answers = self._listed(node, "answers", needed=True)
        if "answers" in fields and fields["answers"].value == []:
            self._take.refuse(fields["answers"], "at least one answer", "empty")
        total = self._take.value(fields["total"], COUNT) if "total" in fields else len(answers)
        if total is not None and total < len(answers):
            facts = {"listed": quantity(len(answers), "answer"), "total": total}
            self._take.add(fields["total"], rules.TOTAL_TOO_SMALL, **facts)
        first: dict[str, tuple[int, Node]] = {}
        wordings = tuple(
            self._wordings(number, answer, first) for number, answer in enumerate(answers)
        )
        return AnswerSet(wordings, total or 0)

    def _wordings(
        self, number: int, node: Node, first: dict[str, tuple[int, Node]]
    ) -> tuple[str, ...]:
        """Return the wordings of an answer; `first` maps wordings of the set to their answers."""
        several = isinstance(node.value, list)
        nodes = self._take.items(node, "wordings") if several else [node]
        if not nodes:
            self._take.refuse(node, "at least one wording", "empty")
        wordings = []
        for wording in nodes:
            text = self._take.text(wording, "a wording (a text)")
            if text is None:
                continue
            wordings.append(text)
            owner, before = first.setdefault(normalised(text), (number, wording))
            if owner != number:
                facts = {"found": text, "first": before.line}
                self._take.add(wording, rules.WORDING_REPEATED, **facts)
        return tuple(wordings)

    def _nuggets(self, nodes: list[Node]) -> list[Nugget | None]:
        """Return the nuggets of a question, None for an unreadable one."""
        lines: dict[str, int] = {}
        nuggets: list[Nugget | None] = []
        for node in nodes:
            nugget = self._nugget(node)
            nuggets.append(nugget)
            if nugget is None:
                continue
            if nugget.id in lines:
                facts = {"nugget": nugget.id, "first": lines[nugget.id]}
                self._take.add(node, rules.NUGGET_REPEATED, **facts)
            lines.setdefault(nugget.id, node.line)
        return nuggets

    def _nugget(self, node: Node) -> Nugget | None:
        fields = self._take.fields(node, ("id", "vital", "text"))
        if fields is None:
            return None
        nugget_id = self._id(node)
        if nugget_id is not None and "," in nugget_id:
            self._take.refuse(fields["id"], "an id without commas, which separate ids")
        for name, expected in (("vital", "true or false"), ("text", "a text")):
            if name not in fields:
                self._take.missing(node, name, expected)
        is_vital = self._take.value(fields["vital"], BOOLEAN) if "vital" in fields else None
        text = self._take.text(fields["text"]) if "text" in fields else None
        if nugget_id is None or is_vital is None or text is None:
            return None
        return Nugget(nugget_id, is_vital, text)


def examine(source: Source, _: object, *__: object) -> Checking:
    """Check answer sets."""
    return check_answer_sets(source)


def contents(gold: OpenGold) -> Contents:
    """Describe answer sets in numbers."""
    types = Counter(question.type for question in gold.questions.values())
    contents: Contents = {kind.value: types[kind] for kind in sorted(types)}
    return {"questions": len(gold.questions), **contents}
