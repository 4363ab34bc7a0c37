"""What differs between the editions of the exercise, as data: no step asks for a year."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edition:
    """How the collections of one edition are made.

    ``words`` seed the choice of questions and answers beside the language, so that editions ask
    different questions of the same invented world. ``sourced`` says that every answer of a
    collection was given by one of the QA systems in its tables; otherwise only some were.
    ``packed`` says that collections and runs are written as gzip files.
    """

    words: tuple[str, ...]
    sourced: bool
    packed: bool


EDITIONS = {
    "2006": Edition(words=("2006",), sourced=False, packed=True),
    "2007": Edition(words=(), sourced=True, packed=False),
    # More answers than its QA systems can have given: 1528 for 136 questions and 10 systems.
    "2008": Edition(words=("2008",), sourced=False, packed=True),
    "2009": Edition(words=("2009",), sourced=False, packed=True),
}
