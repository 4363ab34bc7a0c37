"""The pages about the command line: a list of all commands, and a page for each with its help."""

from __future__ import annotations

import re

import click

from ave_score.commands import app

_ONCE = "score"
"""The command whose page has the options that other commands share with it."""

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
        "# Command line", "", "What `--help` of every command prints. Options that are as in "
        f"`ave-score {_ONCE}` are explained there, and named on the pages of others.", "",
    ]  # fmt: skip
    page = "\n".join([*head, *rows, "", "## ave-score", "", help_of("ave-score")])
    return {"docs/reference/command-line.md": page, **by_path}


def help_of(call: str = f"ave-score {_ONCE}") -> str:
    """Return a block that prints the help of a command."""
    return f"```console\n$ {call} --help\n```\n"


def without_shared(page: str, once: str) -> str:
    """Return a page with output without `--help`, and options in the same words as in a help."""
    shared = {*_OPTION.findall(once)}

    def left(match: re.Match[str]) -> str:
        same = []
        text = match["help"]
        for option in _OPTION.findall(text):
            (name,) = re.findall(r"^  (?:-\w, )?(-[\w-]+)", option)
            if name in ("-h", "--help"):
                text = text.replace(option, "", 1)
            elif option in shared:
                text = text.replace(option, "", 1)
                same.append(f"`{name}`")
        text = _HEADING.sub("", text)
        also = f"\nAs in [ave-score {_ONCE}]({_ONCE}.md): {', '.join(same)}.\n" if same else ""
        return f"```text\n{text}```\n{also}"

    return re.sub(r"^```console\n\$ .*\n(?P<help>(?:.*\n)*?)```\n", left, page, flags=re.M)
