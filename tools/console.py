"""Console blocks on the site of the documentation: only `$ ` is a prompt, `#` heads a column."""

from __future__ import annotations

from html import escape

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers.shell import BashLexer

PROMPT = "$ "


def block(source: str, *_: object, **__: object) -> str:
    """Return a console block as HTML, as a format of `pymdownx.superfences`."""
    lines = "\n".join(map(_line, source.splitlines()))
    return f'<div class="language-console highlight"><pre><code>{lines}\n</code></pre></div>'


def _line(line: str) -> str:
    if not line.startswith(PROMPT):
        return f'<span class="go">{escape(line)}</span>'
    command = highlight(line.removeprefix(PROMPT), BashLexer(), HtmlFormatter(nowrap=True))
    return f'<span class="gp">{PROMPT}</span>{command.rstrip()}'
