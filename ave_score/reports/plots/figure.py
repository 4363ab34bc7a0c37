"""What all figures share: words, notes on runs that are left out, and strokes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, overload

from ave_score.core.text import brief, visible
from ave_score.inference.resampling import Interval

if TYPE_CHECKING:
    from ave_score.measures.by_confidence import Column

WIDTH = 6.3
"""The default width in inches: the text width of a page."""


class Words(NamedTuple):
    """The title and notes of a figure, and its data as text."""

    title: str
    text: str
    notes: Sequence[str] = ()


_NAMED = 8
"""Runs that are left out for the same reason and named."""


class LeftOut(NamedTuple):
    """A run that a figure cannot show, and why."""

    run: str
    reason: str


def left_out_notes(left_out: Iterable[LeftOut]) -> list[str]:
    """Return a note for each reason why runs are not drawn."""
    by_reason: dict[str, list[str]] = {}
    for run, reason in left_out:
        by_reason.setdefault(reason, []).append(visible(run))
    return [f"Not drawn: {brief(runs, _NAMED)}: {reason}." for reason, runs in by_reason.items()]


def words_of(title: str, sentences: Iterable[str], notes: Sequence[str]) -> Words:
    """Return the words of a figure; the notes are also the end of its text."""
    return Words(title, " ".join([*sentences, *notes]), notes)


Dash = Sequence[float]
"""The lengths of strokes and gaps in px; a line without them is solid."""


class Stroke(NamedTuple):
    """How a curve is drawn; `dark` is its colour on dark paper."""

    colour: str
    dash: Dash
    marker: str
    dark: str


STROKES = (
    Stroke("#000000", (), "o", "#ffffff"),
    Stroke("#0072b2", (8, 3), "s", "#56b4e9"),
    Stroke("#d0560a", (2, 2), "^", "#f28c45"),
    Stroke("#00875f", (9, 3, 2, 3), "D", "#2fbf92"),
    Stroke("#b0568b", (5, 2, 2, 2, 2, 2), "v", "#dd8fc4"),
    Stroke("#2e8bc0", (14, 3), "P", "#8ab4d8"),
    Stroke("#a87400", (5, 5), "X", "#dfb02f"),
    Stroke("#777777", (1, 4), "*", "#9c9c9c"),
)
"""Strokes in the order of curves, also of pages, where the first has the colour of text.

They differ in dash, too. The colours are close to those of Okabe and Ito, and have a
contrast of at least 3:1 against their paper.
"""


CurvePoint = tuple[Fraction, Fraction]
"""x and y, exact."""


class Points(Sequence[CurvePoint]):
    """Many points as columns of whole numbers: x and y are the ratios of two columns each.

    A denominator may be one number for all.
    """

    def __init__(self, x: Column, x_of: Column | int, y: Column, y_of: Column | int) -> None:
        self._columns = x, x_of + 0 * x, y, y_of + 0 * x

    def __len__(self) -> int:
        return len(self._columns[0])

    @overload
    def __getitem__(self, at: int) -> CurvePoint: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[CurvePoint]: ...
    def __getitem__(self, at: int | slice) -> CurvePoint | Sequence[CurvePoint]:
        if isinstance(at, slice):
            return Points(*(column[at] for column in self._columns))
        x, x_of, y, y_of = (int(column[at]) for column in self._columns)
        return Fraction(x, x_of), Fraction(y, y_of)

    @property
    def floats(self) -> list[tuple[float, float]]:
        """The points, rounded to floats."""
        x, x_of, y, y_of = self._columns
        return [*zip((x / x_of).tolist(), (y / y_of).tolist(), strict=True)]


def floats_of(points: Sequence[CurvePoint]) -> list[tuple[float, float]]:
    """Return points, rounded to floats."""
    return (
        points.floats if isinstance(points, Points) else [(float(x), float(y)) for x, y in points]
    )


DIAGONAL = (Fraction(0), Fraction(0)), (Fraction(1), Fraction(1))
"""Where x and y are equal."""


class Guide(NamedTuple):
    """A grey line for comparison."""

    points: Sequence[CurvePoint]
    dash: Dash = (1, 2)


class NamedCurve(NamedTuple):
    """A curve with a name, and the measure that summarises it, None if it is undefined.

    `mark` is the point with a large mark, `thin` are the points of another measure, and `band` has
    x and the ends of an interval for each of the points that has one. `interval` is that of the
    area, None if there is none.
    """

    name: str
    points: Sequence[CurvePoint]
    mark: CurvePoint | None = None
    area: Fraction | None = None
    thin: Sequence[CurvePoint] = ()
    band: Sequence[tuple[float, float, float]] = ()
    interval: Interval | None = None


class Square(NamedTuple):
    """Curves on axes, square ones if `is_square`; those beyond the number of strokes are grey.

    `area` is the name of the measure that summarises each of them, "" if there is none. `xs` and
    `ys` are the ends of the axes, None as far as the data. With `ticks`, the x axis is logarithmic
    and has labels there. In `steps`, a value holds from the next lower x.
    """

    words: Words
    x: str
    y: str
    curves: Sequence[NamedCurve]
    guides: Sequence[Guide] = ()
    xs: tuple[float, float | None] = (0, 1)
    ys: tuple[float, float | None] = (0, 1)
    ticks: Sequence[tuple[int, str]] = ()
    area: str = ""
    steps: bool = False
    is_square: bool = False
