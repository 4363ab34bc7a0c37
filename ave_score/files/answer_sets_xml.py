"""Answer sets in XML, converted to the same nodes as JSON."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from ave_score import rules
from ave_score.core.findings import Findings
from ave_score.core.text import excerpt
from ave_score.files.nodes import MAX_DIGITS, SHOWN, Node, NodeReader, Value
from ave_score.files.source import Source
from ave_score.files.xml import Attributes, ElementReader, Position, local_name, read_xml, stripped

_VITAL = {"vital": True, "okay": False}


class _Element(NamedTuple):
    """The definition of an element.

    Attributes
    ----------
    parent
        The parent element; "" for the root.
    key
        The key of its node in the parent: a list or a text.
    attributes
        The allowed attributes.
    lists
        The keys of its lists.
    has_text
        Whether it contains only text.
    """

    parent: str
    key: str
    attributes: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    has_text: bool = False


_ELEMENTS = {
    "questions": _Element("", "", ("schema",), ("questions",)),
    "question": _Element("questions", "questions", ("id", "type"), ("sets", "nuggets")),
    "q_str": _Element("question", "question", has_text=True),
    "set": _Element("question", "sets", ("total",), ("answers",)),
    "answer": _Element("set", "answers", lists=("wordings",)),
    "wording": _Element("answer", "wordings", has_text=True),
    "nugget": _Element("question", "nuggets", ("id", "value"), has_text=True),
}


def nodes_of(source: Source, findings: Findings) -> Node | None:
    """Return the root node of a file; None, with a finding, if reading had to stop."""
    reader = read_xml(source, partial(_AnswerSetsReader, findings), positions=True)
    return None if reader is None else reader.root


class _Open(NamedTuple):
    """An open element with its content so far."""

    tag: str
    position: Position
    fields: dict[str, Node]
    lists: dict[str, list[Node]]
    pieces: list[str]


class _AnswerSetsReader(ElementReader):
    """Reads the elements of a file."""

    has_texts = True

    def __init__(self, findings: Findings) -> None:
        super().__init__(findings)
        self.root: Node | None = None
        self._take = NodeReader(findings)
        self._open: list[_Open] = []
        self._passed = 0  # levels of an element that is unknown, or out of place

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        super().start(tag, attributes)
        name = local_name(tag)
        if self._passed or not self._belongs(name):
            self._passed += 1
        else:
            self._begin(name, stripped(attributes))

    def end(self, tag: str) -> None:
        super().end(tag)
        if self._passed:
            self._passed -= 1
            return
        ended = self._open.pop()
        if ended.tag == "nugget":
            ended.fields["text"] = Node("".join(ended.pieces), *ended.position, "text of <nugget>")
        elif _ELEMENTS[ended.tag].has_text:
            self._put(ended, "".join(ended.pieces))

    def text(self, piece: str) -> None:
        """Handle a piece of text; report text in an element that must not contain any."""
        if self._passed or not self._open:
            return
        here = self._open[-1]
        if _ELEMENTS[here.tag].has_text:
            here.pieces.append(piece)
        elif piece.strip() and not here.pieces:
            here.pieces.append(piece)  # reported once per element
            line, column = self.position()
            column += len(piece) - len(piece.lstrip())
            what = f"the text '{excerpt(piece.strip(), SHOWN)}'"
            expected = "in <wording>, <nugget> or <q_str>"
            self._take.refuse(Node(None, line, column, what), expected, f"in <{here.tag}>")

    def _belongs(self, name: str) -> bool:
        """Tell whether an element is allowed here; report it if not."""
        here = self._open[-1].tag if self._open else ""
        known = _ELEMENTS.get(name)
        if known is not None and known.parent == here:
            return True
        if not here:
            facts = {"found": f"<{name}>", "expected": "answer sets (<questions>)", "hint": ""}
            self.refuse(rules.OTHER_FORMAT, **facts)
        node = Node(None, *self.position(), f"<{name}>")
        if _ELEMENTS[here].has_text:
            self._take.refuse(node, "only text there", f"in <{here}>")
        elif known is not None:
            expected = f"in <{known.parent}>" if known.parent else "only as the root"
            self._take.refuse(node, expected, f"in <{here}>")
        else:
            known_here = [tag for tag, child in _ELEMENTS.items() if child.parent == here]
            self._take.unknown(node._replace(key=f"<{name}> in <{here}>"), known_here, name)
        return False

    def _begin(self, name: str, attributes: Attributes) -> None:
        element = _ELEMENTS[name]
        opened = _Open(name, self.position(), {}, {key: [] for key in element.lists}, [])
        for attribute, text in attributes.items():
            if attribute.startswith("xml"):
                continue  # xmlns, xml:lang
            node = Node(text, *opened.position, f"{attribute} of <{name}>")
            if attribute in element.attributes:
                self._take_attribute(opened.fields, attribute, node)
            else:
                self._take.unknown(node, element.attributes, attribute)
        if name == "nugget" and "value" not in attributes:
            opened.fields["vital"] = Node(True, *opened.position)
            self._take.missing(Node(None, *opened.position, "<nugget>"), "value", "vital or okay")
        for key, items in opened.lists.items():
            opened.fields[key] = Node(items, *opened.position, f"<{name}>")
        if name == "answer":
            self._put(opened, opened.lists["wordings"])
        elif name == "nugget" or not element.has_text:
            self._put(opened, opened.fields)
        self._open.append(opened)

    def _take_attribute(self, fields: dict[str, Node], name: str, node: Node) -> None:
        """Store an attribute under the key and as the type that JSON uses."""
        text = str(node.value)
        if name == "total" and text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS:
            fields["total"] = node._replace(value=int(text))
        elif name == "value":
            if text not in _VITAL:
                self._take.refuse(node, "vital or okay")
            fields["vital"] = node._replace(value=_VITAL.get(text, True))
        else:
            fields[name] = node

    def _put(self, element: _Open, value: Value) -> None:
        """Add the node of an element to its parent."""
        node = Node(value, *element.position, f"<{element.tag}>")
        key = _ELEMENTS[element.tag].key
        if not self._open:
            self.root = node
        elif key in self._open[-1].lists:
            self._open[-1].lists[key].append(node)
        elif key in self._open[-1].fields:
            self._take.refuse(node, "only one", "a second one in the question")
        else:
            self._open[-1].fields[key] = node
