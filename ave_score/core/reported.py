"""What results have in common: the report of their command as text, rows and HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ave_score.core import above

if TYPE_CHECKING:
    import pandas as pd


class Reported:
    """A result with a report: `print` shows its tables as a terminal does, a notebook as HTML."""

    def to_text(self, format: str = "table", *, digits: int | None = None) -> str:
        """Return the report as text.

        Parameters
        ----------
        format
            `table`, `markdown` or `latex` (tables), `csv` (rows) or `json` (everything); of scores
            also `value` (the numbers) or `trec` (lines as trec_eval's).
        digits
            Decimals, at least 0. By default those of the tables of the command; csv is exact.

        Returns
        -------
        str
            One or more lines, each with its line ending.

        Raises
        ------
        UsageError
            The format does not exist, or does not apply to the result.
        """
        text: str = above.call("text_of", self, format, digits)
        return text

    def to_frame(self) -> pd.DataFrame:
        """Return the rows of the format `csv` as a pandas frame.

        Returns
        -------
        pandas.DataFrame
            Ratios are unrounded floats in the units of the measure, NaN if undefined.
        """
        frame: pd.DataFrame = above.call("frame_of", self)
        return frame

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        html: str = above.call("html_of", self)
        return html
