"""The door to numpy, which is imported only where ranked families are counted."""

from __future__ import annotations

from typing import Any


def loaded_numpy() -> Any:  # noqa: ANN401 - the module
    """Return numpy."""
    import numpy as np

    return np
