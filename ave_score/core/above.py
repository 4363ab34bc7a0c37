"""What values of lower packages do by functions of higher ones: results print, frames are read.

`ave_score/__init__.py`, the only place that knows both, hands over how a function is found; a
package is only imported when one of its functions is called. Nothing is imported here.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_find: Callable[[str], Any]


def hand_over(find: Callable[[str], Any]) -> None:
    """Take the function that returns a function of a higher package by its name."""
    global _find  # noqa: PLW0603 - handed over once, when `ave_score` is imported
    _find = find


def call(name: str, *arguments: object, **named: object) -> Any:  # noqa: ANN401 - of each function
    """Call a function of a higher package."""
    return _find(name)(*arguments, **named)
