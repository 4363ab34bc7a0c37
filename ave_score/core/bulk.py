"""Work on large columns with numpy, which is imported only where that pays.

Every result is the same without numpy.
"""

from __future__ import annotations

import sys
from typing import Any

REPAYS = 100_000
"""Rows, read from all files together, that repay the import of numpy: about 0.1 seconds."""

_COUNTED = 20
"""So many rows that are counted repay as much as one that is read."""

_LEAST = 2_000
"""Rows for which a call of numpy is faster than Python."""


class _Seen:
    """What was asked for so far."""

    rows = 0


def numpy_for(rows: int, *, reading: bool = False) -> Any:  # noqa: ANN401 - the module
    """Return numpy if it pays for so many more rows, to read or to count, else None.

    It is imported once the rows of all calls would have repaid the import.
    """
    if rows < _LEAST:
        return None
    _Seen.rows += rows if reading else rows // _COUNTED
    if _Seen.rows < REPAYS and "numpy" not in sys.modules:
        return None
    import numpy as np

    return np


def loaded_numpy() -> Any:  # noqa: ANN401 - the module
    """Return numpy, for columns that are its arrays already."""
    import numpy as np

    return np
