"""Repeated answers of a question, and answers that are contained in others."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping

from ave_score.building.candidates import Candidate, NaturalKey, natural_key
from ave_score.building.words import normalised

Groups = dict[str, list[Candidate]]
"""Normalised answer -> the rows that give it."""


def repeated(rows: Iterable[Candidate]) -> Groups:
    """Put the rows of one question together that give the same answer."""
    groups: Groups = {}
    for one in rows:
        groups.setdefault(normalised(one.row.answer), []).append(one)
    return groups


def without_contained(groups: Mapping[str, list[Candidate]]) -> Groups:
    """Leave out answers whose words stand side by side, in their order, in another answer."""
    shorter = contained(groups)
    return {normal: rows for normal, rows in groups.items() if normal not in shorter}


def representative(rows: Iterable[Candidate]) -> Candidate:
    """Return the row that stands for others that give the same answer.

    It is the least by what it holds, an id first; neither its place in a file nor its system
    matters.
    """
    return min(rows, key=_contents)


def _contents(one: Candidate) -> tuple[bool, tuple[NaturalKey, str], str, str, str]:
    row = one.row
    return not row.a_id, natural_key(row.a_id), row.answer, one.text, row.doc


def contained(answers: Iterable[str]) -> set[str]:
    """Return the answers whose words are a contiguous part of the words of another one.

    >>> sorted(contained(["2", "2004", "a b", "x a b", "b a"]))
    ['a b']

    All answers are put into one trie, word by word. In the manner of Aho and Corasick every prefix
    is linked to its longest proper suffix that is a prefix of some answer, too. An answer is
    contained in another exactly if its own prefix, all of it, goes on or is linked to: time grows
    with the number of words, whatever they are.
    """
    trie = _Trie()
    ends = {answer: trie.insert(answer.split()) for answer in {*answers}}
    covered = trie.covered()
    return {answer for answer, end in ends.items() if end in covered}


class _Trie:
    """Prefixes of answers by number; 0 is the empty one."""

    def __init__(self) -> None:
        self._following: list[dict[str, int]] = [{}]

    def insert(self, words: Iterable[str]) -> int:
        """Add an answer and return the number of the prefix that is all of it."""
        node = 0
        for word in words:
            following = self._following[node]
            if word not in following:
                following[word] = len(self._following)
                self._following.append({})
            node = following[word]
        return node

    def covered(self) -> set[int]:
        """Return the prefixes that go on, or are the end of a longer one."""
        links = [0] * len(self._following)
        waiting = deque([0])
        while waiting:
            node = waiting.popleft()
            for word, following in self._following[node].items():
                links[following] = self._link(node, word, links) if node else 0
                waiting.append(following)
        return {*links} | {node for node, words in enumerate(self._following) if words}

    def _link(self, node: int, word: str, links: list[int]) -> int:
        """Return the longest prefix that ends `node` followed by `word` and is shorter."""
        while node:
            node = links[node]
            if word in self._following[node]:
                return self._following[node][word]
        return 0
