"""What values of lower packages do by functions of higher ones: results print, frames are read.

`ave_score/__init__.py`, the only place that knows both, finds the function; a package is only
imported when one of its functions is called.
"""

from __future__ import annotations

from typing import Any


def call(name: str, /, *arguments: object, **named: object) -> Any:  # noqa: ANN401 - of each
    """Call a function of a higher package."""
    import ave_score  # which this module is a part of

    function: Any = ave_score.function_for_values(name)
    return function(*arguments, **named)
