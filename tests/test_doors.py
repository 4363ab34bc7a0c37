"""What tests may name: the command, the public names, and few modules inside of the package.

Tests that name a module keep it where it is. The command line and `ave_score.*` are the doors at
which behaviour is protected; a module inside is named where an algorithm is tested directly.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.conftest import ROOT
from tools.own import own_files

MOST = 62

INSIDE = {
    "the commands, called in this process or another": "commands __main__",
    "records that tests go through": """rules core.choices core.judgements core.kinds core.policies
        measures measures.registry""",
    "values that tests make by hand": "core.model counts",
    "exact arithmetic, and texts": "core.exact core.text",
    "reading and writing of bytes, faster and with care": """files.limits files.source files.lines
        files.table files.run_lines files.json files.collection files.packed
        files.inspect_log files.samples files.score_rows files.pipes core.writing""",
    "readers of runs, which tests let fail": "files.check files.run",
    "what a notation of runs yields, as that of a test does": "files.rows",
    "what platforms call": """platforms.evalai platforms.grand_challenge platforms.kaggle
        platforms.tira platforms.codabench""",
    "algorithms of measures": """counts.decisions measures.subsets measures.by_confidence
        measures.by_rank measures.interpolation measures.orders""",
    "what reports and figures say": "reports.of_results reports.plots.reliability",
    "algorithms of resampling, tests and studies": """inference.agree
        inference.samples inference.sums inference.swap inference.stability inference.student
        inference.studentised inference.randomisation inference.power inference.groups
        inference.significance inference.resampling inference.by_question inference.counting
        inference.units inference.intervals inference.procedures inference.sweep inference.compared
        inference.swaps""",
}
"""Why tests name a module -> the modules."""

MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in own_files("ave_score", ".py")
}


def dotted(node: ast.AST) -> str:
    """Return the name of an attribute of a module; of the result of an expression, nothing."""
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return f"{before}.{node.attr}" if before else ""
    return node.id if isinstance(node, ast.Name) else ""


def candidates(tree: ast.AST) -> Iterator[str]:
    """Yield what may be the name of a module, or of something in one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from re.findall(r"\bave_score(?:\.\w+)+", node.value)
        elif isinstance(node, ast.Attribute) and (name := dotted(node)):
            yield name


def named_in(tree: ast.AST) -> set[str]:
    """Return the modules inside of the package that a test names, also in strings."""
    found = set()
    for candidate in candidates(tree):
        name = candidate
        while name.startswith("ave_score.") and name not in MODULES:
            name = name.rpartition(".")[0]
        if name.startswith("ave_score."):
            found.add(name.removeprefix("ave_score."))
    return found


def test_names_of_modules_are_found() -> None:
    text = """
import ave_score.files.lines
from ave_score import Label, counts, score
from ave_score.core.exact import fixed
monkeypatch.setattr("ave_score.files.source.CHUNK", 7)
print(ave_score.measures.orders.gain, ave_score.check)
"""
    assert named_in(ast.parse(text)) == {
        "files.lines", "counts", "core.exact", "files.source", "measures", "measures.orders",
    }  # fmt: skip


@pytest.mark.slow
def test_tests_name_few_modules_inside() -> None:
    inside = [module for modules in INSIDE.values() for module in modules.split()]
    assert len(inside) == len({*inside}) <= MOST
    assert {f"ave_score.{module}" for module in inside} <= MODULES
    every = [path for path in own_files("tests", ".py") if path.name != "test_doors.py"]
    files = [path for path in every if path.parent == ROOT / "tests"]
    assert len(files) > 100
    trees = {path.name: ast.parse(path.read_text("utf-8")) for path in files}
    named = {name: sorted(named_in(tree) - {*inside}) for name, tree in trees.items()}
    assert not {name: modules for name, modules in named.items() if modules}
