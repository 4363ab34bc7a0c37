"""Templates filled with values: text from files is escaped, control characters are made visible."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ave_score.core.text import quantity, visible
from ave_score.reports.plots.figure import STROKES
from ave_score.reports.plots.scales import UNIT
from ave_score.reports.report import figure_text
from ave_score.reports.style import BREAKS

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

TEMPLATES = Path(__file__).parent / "templates"


def render(template: str, **values: object) -> str:
    """Return a template filled with values."""
    return _environment().get_template(template).render(**values)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalized,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["breakable"] = breakable
    environment.globals |= {"own_text": _own_text, "island": island, "number_of": quantity}
    environment.globals |= {"unit": UNIT, "number": figure_text, "strokes": STROKES}
    return environment


def _finalized(value: object) -> object:
    """Return a value that a template prints; rendered parts of templates are not strings."""
    return visible(value) if type(value) is str else value


def breakable(name: str) -> Markup:
    """Return a name whose lines break where those of names in text do."""
    from markupsafe import Markup

    return Markup("<wbr/>").join(BREAKS.split(visible(name)))


def _own_text(name: str) -> Markup:
    """Return the style sheet or a script of this package, put into the page as it is."""
    from markupsafe import Markup

    return Markup((TEMPLATES / name).read_text("utf-8"))


def island(data: object) -> Markup:
    """Return data as JSON that is safe inside an element `script` of type application/json."""
    from markupsafe import Markup

    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)
