"""The structure of the package: names of classes, modules at its root, the direction of imports."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

import pytest

from tests.conftest import ROOT
from tools.own import own_files

PACKAGE = ROOT / "ave_score"


@cache
def trees() -> dict[str, ast.Module]:
    """Return the syntax tree of each module."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): ast.parse(
            path.read_text("utf-8")
        )
        for path in own_files("ave_score", ".py")
    }


@pytest.mark.slow
def test_a_class_name_means_one_thing() -> None:
    homes = defaultdict(list)
    for name, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(f"{name}:{node.lineno}")
    assert "Collection" in homes
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}


def test_modules_stand_in_rooms() -> None:
    at_root = {path.name for path in own_files("ave_score") if path.parent == PACKAGE}
    assert at_root == {"__init__.py", "__main__.py", "py.typed", "version.py"}


def imported(tree: ast.AST) -> Iterator[str]:
    """Yield what a module may import: also in functions, for types, and by names in strings."""
    strings, starts = [""], [""]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in trees() else str(node.module) for name in names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            strings += [node.value, node.value.rpartition(".")[0]]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "import_module":
            starts.append(
                ast.unparse(node.args[0]).removeprefix("f").strip("'\"").partition("{")[0]
            )
    yield from (start + string for start in starts for string in strings)


@pytest.mark.slow
def test_no_module_imports_itself_through_others() -> None:
    # the package itself imports nothing before a public name is used
    modules = trees().keys() - {"ave_score"}
    graph = {name: modules & {*imported(trees()[name])} - {name} for name in modules}
    assert "ave_score.core.exact" in graph["ave_score.core.model"]  # in a function
    assert len(graph["ave_score.commands"]) > 20  # by names in strings
    assert "ave_score.files.packed" in graph["ave_score.files.run"]  # for types

    def reached(start: str) -> set[str]:
        found, left = set[str](), [start]
        while left:
            new = graph[left.pop()] - found
            found |= new
            left += new
        return found

    assert not {name for name in graph if name in reached(name)}


@pytest.mark.slow
def test_no_package_names_one_above_it() -> None:
    """In imports, also those for types and in functions, or in a string that is imported."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    layers = contracts["contracts"][0]["layers"]
    floor = {name: -at for at, names in enumerate(layers) for name in re.findall(r"\w+", names)}
    upward, seen = [], 0
    for module, tree in trees().items():
        _, package, *_ = [*module.split("."), ""]
        for node in ast.walk(tree) if package in floor else ():
            named: list[str] = []
            if isinstance(node, ast.ImportFrom):
                named = [f"{node.module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Constant):
                named = [str(node.value)]
            for name in named:
                found = re.match(r"ave_score\.(\w+)", name)
                if found and found[1] in floor:
                    seen += 1
                    if floor[found[1]] > floor[package]:
                        upward.append(f"{module} names {found[0]}")
    assert seen > 1000 and upward == []


def test_equivalent_mutants_are_of_lines_that_are_there() -> None:
    """The rest of a change, which `python -m tools.mutation` compares, is behind a plus."""
    _, *rows = (ROOT / "tests/data/equivalent_mutants.tsv").read_text("utf-8").splitlines()
    for file, function, change, reason in (row.split("\t") for row in rows):
        text = " ".join((ROOT / file).read_text("utf-8").split())
        old = change.removeprefix("- ").split(" + ")
        assert any(" + ".join(old[:at]) in text for at in range(1, len(old))), change
        assert f"def {function}(" in text
        assert reason


FLAGS = {"is_pairs", "is_qrels", "is_of_logs", "has_candidates", "scored_as"}
GOLD = {"Collection", "OpenGold", "Gold"}
MOST_SWITCHES = 45
"""Lines that ask what a gold standard is, and not its record: fewer is better."""


def asks_for_sort(node: ast.AST) -> bool:
    """Tell whether a piece of code asks what a gold standard is, by a flag or its type."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id not in ("isinstance", "check_type"):
            return False
        return bool(GOLD & {item.id for item in ast.walk(node) if isinstance(item, ast.Name)})
    if isinstance(node, ast.Attribute):
        return node.attr.lstrip("_") in FLAGS and ast.unparse(node.value)[-8:] != "standard"
    named = {ast.Name: "id", ast.keyword: "arg", ast.arg: "arg", ast.FunctionDef: "name"}
    return getattr(node, named.get(type(node), ""), "") in FLAGS


@pytest.mark.slow
def test_the_sort_of_a_gold_standard_is_asked_of_its_record() -> None:
    lines = {
        (name, node.lineno)
        for name, tree in trees().items()
        if not name.endswith(".standards")
        for node in ast.walk(tree)
        if asks_for_sort(node) and hasattr(node, "lineno")
    }
    assert len(lines) <= MOST_SWITCHES, sorted(lines)
