"""Statistics of collections: their size and their labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Unpack

from ave_score.core.collection_summary import CollectionSummary, collection_summary
from ave_score.core.entrants import TableWords, checked, takes
from ave_score.core.model import Collection
from ave_score.core.reported import Reported
from ave_score.core.text import quantity
from ave_score.tasks.given import CollectionGiven
from ave_score.tasks.inputs import Inputs
from ave_score.tasks.named import named

if TYPE_CHECKING:
    import pandas as pd


class Described(NamedTuple):
    """The statistics of a collection, and its cells in the columns of names."""

    names: tuple[str, ...]
    facts: CollectionSummary


@dataclass(frozen=True, repr=False)
class Stats(Reported):
    """The statistics of collections: what `ave-score stats` reports.

    Attributes
    ----------
    collections
        Each collection, with its name and its languages.
    """

    collections: Sequence[Described]

    def __repr__(self) -> str:
        return f"<Stats of {quantity(len(self.collections), 'collection')}>"

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas frame: a row for each collection.

        Returns
        -------
        pandas.DataFrame
            Its index is the name. The columns are the numbers of questions, answers and labels, and
            the other fields of `CollectionSummary`.
        """
        import pandas as pd

        names = pd.Index([row.names[0] for row in self.collections], name="collection")
        return pd.DataFrame([row.facts._asdict() for row in self.collections], index=names)


@takes(TableWords)
def stats(*collections: CollectionGiven, **words: Unpack[TableWords]) -> Stats:
    """Count the questions, answers and labels of collections.

    Parameters
    ----------
    *collections
        Collections, with or without labels, or the paths of their files.
    columns, values
        What columns and words of tables mean, as `read_collection` takes them.

    Returns
    -------
    Stats
        The counts of each collection, named after its file.

    Raises
    ------
    DefectError, InputError
        A file has errors, or cannot be read.
    UsageError
        A file is given twice, or an argument is neither a collection nor a path.
    """
    inputs = Inputs(entrants=checked(words, TableWords))
    names = [name for _, name in named(collections, (Collection,), "collection")]
    values = [inputs.collection(value, labels="optional") for value in collections]
    return Stats([described(*pair) for pair in zip(values, names, strict=True)])


def described(collection: Collection, name: str | None) -> Described:
    """Return the statistics of a collection; without a name, that of its file."""
    facts = collection_summary(collection)
    return Described((name or collection.path, ", ".join(facts.languages)), facts)
