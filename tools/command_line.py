"""The pages about the command line: a list of all commands, and a page for each with its help."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePath

import click

from ave_score.commands import app

_ONCE, _THEN = "score", "compare"
"""The commands whose pages have the options that others share with them; the first has all."""

_EXITS = "\n  Exit codes: 0 success, 1 a file has errors, 2 could not run.\n"
"""What the help of all commands says of the codes of most."""

_OPTION = re.compile(r"^  -.*\n(?: {6}.*\n)*", re.M)
_HEADING = re.compile(r"^\w[\w ]*:\n\n", re.M)


def pages() -> dict[str, str]:
    """Return the page that lists all commands, and a page for each: its help, without output."""
    context, rows, by_path = click.Context(app), [], {}
    for name in app.list_commands(context):
        of_group = getattr(app.get_command(context, name), "commands", ())
        calls = [f"ave-score {name}", *(f"ave-score {name} {inner}" for inner in of_group)]
        anchors = "".join(f'<a id="{call.replace(" ", "-")}"></a>' for call in calls)
        rows.append(f"- {anchors}[ave-score {name}](command-line/{name}.md)")
        parts = [f"## {call}\n\n{help_of(call)}" for call in calls]
        by_path[f"docs/reference/command-line/{name}.md"] = "\n".join(parts)[1:]
    head = [
        "# Command line", "", "What `--help` of every command prints. What several have in "
        f"the same words is on one page, of options mostly that of `ave-score {_ONCE}`, which "
        "those of the others name. Exit codes are as below if a page has none.", "",
    ]  # fmt: skip
    page = "\n".join([*head, *rows, "", "## ave-score", "", help_of("ave-score")])
    return {"docs/reference/command-line.md": page, **by_path}


def help_of(call: str = f"ave-score {_ONCE}") -> str:
    """Return a block that prints the help of a command."""
    return f"```console\n$ {call} --help\n```\n"


def explained_once(pages: Mapping[str, str]) -> dict[str, str]:
    """Return pages with output, by their paths, without what another page says in the same words.

    The first page, the list, has the usual exit codes.
    """
    of_command = {PurePath(path).stem: page for path, page in pages.items()}
    where: dict[str, str] = {}
    for name in (_ONCE, _THEN, *of_command):
        for option in _OPTION.findall(of_command[name]):
            where.setdefault(option, name)
    (of_all, _), *_ = of_command.items()
    texts = (
        page if name in (of_all, _ONCE) else _without_shared(name, page.replace(_EXITS, ""), where)
        for name, page in of_command.items()
    )
    return dict(zip(pages, texts, strict=True))


def _without_shared(name: str, page: str, where: Mapping[str, str]) -> str:
    """Return the page of a command without options that are explained elsewhere, and `--help`."""

    def left(match: re.Match[str]) -> str:
        same: dict[str, list[str]] = {of: [] for of in where.values()}
        text = match["help"]
        for option in _OPTION.findall(text):
            (word,) = re.findall(r"^  (?:-\w, )?(-[\w-]+)", option)
            if word in ("-h", "--help") or where[option] != name:
                text = text.replace(option, "", 1)
            if word not in ("-h", "--help") and where[option] != name:
                same[where[option]].append(f"`{word}`")
        text = _HEADING.sub("", text)
        also = "; ".join(
            f"as in [ave-score {other}]({other}.md): {', '.join(words)}"
            for other, words in same.items()
            if words
        )
        return f"```text\n{text}```\n" + (f"\n{also[0].upper()}{also[1:]}.\n" if also else "")

    return re.sub(r"^```console\n\$ .*\n(?P<help>(?:.*\n)*?)```\n", left, page, flags=re.M)
