"""Writes the pages of the documentation that follow from records, and the output in all pages.

`python docs/generate.py` writes; with `--check` it names the files that differ and exits with 1.
Console blocks (```console, one line `$ command`) are run in a shell in the root of the repository;
what they print follows the command.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from ave_score import rules
from ave_score.measures import MEASURES, groups

ROOT = Path(__file__).resolve().parent.parent
PAGES = ["README.md", "docs/formats.md", "docs/json.md"]

_CONSOLE = re.compile(r"^```console\n\$ (?P<command>[^\n]+)\n(?P<output>.*?)^```$", re.M | re.S)


def measures_page() -> str:
    """Return the page of all measures, from their records."""
    parts = [
        "# Measures\n\nAll ratios are exact fractions, rounded half up when they are printed. "
        "Generated from the records by `python docs/generate.py`.\n"
    ]
    named = [f"| `{name}` | {', '.join(keys)} |" for name, keys in groups().items()]
    parts.append("\n".join(["| group | measures |", "|---|---|", *named]) + "\n")
    modules = dict.fromkeys(sys.modules[one.function.__module__] for one in MEASURES.values())
    for module in sorted(modules, key=lambda one: one.__name__, reverse=True):
        parts.append((module.__doc__ or "").strip() + "\n")
        rows = ["| name | head | formula | 0/0 | range | better | source |", "|---" * 7 + "|"]
        for one in MEASURES.values():
            if one.function.__module__ != module.__name__:
                continue
            name = one.key
            if one.parameter:
                name += f"({one.parameter.symbol})"
                name += f"`, {one.parameter.symbol} = `{float(one.parameter.default):g}"
            better = "higher" if one.higher_is_better else "lower"
            rows.append(
                f"| `{name}` | {one.head} | {one.formula} | {one.undefined} | "
                f"{one.lowest}..{one.highest} | {better} | {one.source} |"
            )
        parts.append("\n".join(rows) + "\n")
    return "\n".join(parts)


def findings_page() -> str:
    """Return the page of all rules."""
    rows = [
        f"| {one.code} | {one.name} | {one.severity} | {_cell(one.message)} | {_cell(one.help)} |"
        for one in rules.RULES.values()
    ]
    return "\n".join(
        [
            "# Findings",
            "",
            "Everything that can be wrong with a file. An error forbids scoring, a warning does "
            "not. Generated from the rules by `python docs/generate.py`.",
            "",
            "| code | name | severity | message | what to do |",
            "|---|---|---|---|---|",
            *rows,
            "",
        ]
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("!r}", "}")


def with_output(page: str) -> str:
    """Return a page with the output of its console blocks as it is now."""
    return _CONSOLE.sub(lambda block: f"```console\n{_ran(block['command'])}```", page)


def _ran(command: str) -> str:
    environment = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, env=environment, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
    )  # fmt: skip
    lines = [line.rstrip() for line in done.stdout.splitlines()]
    return "\n".join([f"$ {command}", *lines, ""])


def generate() -> dict[Path, str]:
    """Return every page as it should be, by its path."""
    pages = {ROOT / name: with_output((ROOT / name).read_text("utf-8")) for name in PAGES}
    pages[ROOT / "docs/measures.md"] = measures_page()
    pages[ROOT / "docs/findings.md"] = findings_page()
    return pages


def main() -> int:
    """Write the pages that differ, or name them."""
    check = "--check" in sys.argv[1:]
    differing = 0
    for path, text in generate().items():
        if not path.exists() or path.read_text("utf-8") != text:
            differing += 1
            print(f"{'differs' if check else 'wrote'}: {path.relative_to(ROOT)}")
            if not check:
                path.write_text(text, "utf-8")
    return 1 if check and differing else 0


if __name__ == "__main__":
    sys.exit(main())
