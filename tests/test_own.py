"""The project's own files: what else lies in a checkout is looked at by no test, tool or check."""

from __future__ import annotations

import ast
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.helpers_command import process
from tools.own import own_files, without_git

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]
PACKED = PROJECT["hatch"]["build"]["targets"]["sdist"]["include"]

PLACES = """venv/lib/python3.11/site-packages/pack-1.dist-info env/lib my-environment
    .venv/lib build/lib/ave_score node_modules/pack/tests node_modules/pack/docs .idea/inside
    .vscode .cursor .ci.old old.egg-info"""
"""Folders that a checkout may have beside those of the project."""

STRANGE = {
    "README.md": "[gone](no/such/file.md)\n",
    "odd.py": "import os; print(1 )\nfrom ave_score import nothing\nclass Collection: x = (\n",
    "test_odd.py": "assert False\n",
    "conftest.py": "raise SystemExit(3)\n",
    "odd.toml": "x = = 1\n",
    "pyproject.toml": "[project]\nname = 'odd'\n",
    "LICENSE": "of another\n",
}
"""What lies in each: broken, so that whoever reads it says so."""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the project's own files, as an archive has them, and strange ones."""
    root = tmp_path_factory.mktemp("archive")
    for path in own_files():
        copy = root / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    for place in PLACES.split():
        (root / place).mkdir(parents=True)
        for name, text in STRANGE.items():
            (root / place / name).write_text(text)
    for place in (".idea/inside", "env/lib", "node_modules/pack/tests"):
        (root / place / "pyproject.toml").write_text("x = = 1")
    (root / "ave_score" / "__pycache__").mkdir()
    (root / "ave_score" / "__pycache__" / "odd.cpython-311.pyc").write_text("")
    return root


def names(paths: list[Path], root: Path) -> list[str]:
    return [path.relative_to(root).as_posix() for path in paths]


def test_an_unpacked_archive_has_the_files_of_a_checkout(archive: Path) -> None:
    assert names(own_files(root=archive), archive) == names(own_files(), ROOT)


@pytest.mark.skipif(shutil.which("git") is None, reason="a checkout needs Git")
def test_a_checkout_has_what_is_under_version_control(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a/b.md", "a/ü.md", "a/venv/d.md", "e.md", "gone.md", "é.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    for words in ("init -q", "add a/b.md e.md gone.md é.md"):
        subprocess.run(["git", *words.split()], cwd=tmp_path, check=True, env=without_git())
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))  # as in a hook
    (tmp_path / "gone.md").unlink()
    assert names(own_files(suffix=".md", root=tmp_path), tmp_path) == ["a/b.md", "e.md", "é.md"]
    assert names(own_files("a", root=tmp_path), tmp_path) == ["a/b.md"]
    with pytest.raises(FileNotFoundError, match=r"no file of the project ends with '\.py'"):
        own_files(suffix=".py", root=tmp_path)


def test_what_is_in_the_root_is_packed_from_the_root_only() -> None:
    """Without a slash, `tests` is every folder of this name, as in a `.gitignore`."""
    assert {name[0] for name in PACKED} == {"/"}
    tops = {f"/{Path(name).parts[0]}" for name in names(own_files(), ROOT)}
    pages = {top for top in tops if top.endswith(".md")}
    assert tops - pages == {*PACKED, "/pyproject.toml", "/.gitignore"} - {"/*.md"}


def test_a_source_archive_has_the_projects_own_files(archive: Path) -> None:
    sdist = pytest.importorskip("hatchling.builders.sdist")
    packed = {p.relative_path for p in sdist.SdistBuilder(str(archive)).recurse_included_files()}
    # these two, the licence and the readme are added to every archive
    assert packed | {"pyproject.toml", ".gitignore"} == {*names(own_files(), ROOT)}


def test_lint_looks_at_every_module_and_at_nothing_else(archive: Path) -> None:
    program = pytest.importorskip("ruff").find_ruff_bin()
    (archive / "odd.py").write_text("x = (")
    words = [program, "check", "--show-files", "--no-cache", "."]
    said = process(command=words, cwd=archive)
    assert said.code == 0, said.err
    found = [Path(line) for line in said.out.splitlines()]
    assert sorted(names([path for path in found if path.suffix == ".py"], archive)) == names(
        own_files(suffix=".py"), ROOT
    )


def test_types_and_tests_are_looked_for_in_named_folders() -> None:
    folders = {path.relative_to(ROOT).parts[0] for path in own_files(suffix=".py")} - {".ci"}
    assert {*PROJECT["mypy"]["files"]} == folders
    assert PROJECT["pytest"]["ini_options"]["testpaths"] == ["tests"]


def test_areas_of_mutants_are_files_that_are_there() -> None:
    """Read without the packages that draw mutants."""
    tree = ast.parse((ROOT / "tools/mutation.py").read_text("utf-8"))
    (areas,) = (
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "AREAS"
    )
    assert {"platforms", "logs", "redaction"} <= areas.keys()
    modules = own_files("ave_score", ".py")
    for pattern in " ".join(areas.values()).split():
        assert any(path.match(f"ave_score/{pattern}") for path in modules), pattern


WALKS = {"rglob", "iterdir", "walk", "iglob"}
OF_PROJECT = {"ROOT", "PACKAGE", "__file__"}
FOLDERS = tuple(Path(name).name for name in PACKED if (ROOT / name[1:]).is_dir())


def walks(tree: ast.AST) -> Iterator[str]:
    """Yield the calls that look for files in a folder of the project, whatever files these are."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        pattern = node.args[0] if node.args else None
        has_stars = isinstance(pattern, ast.Constant) and str(pattern.value) in {"*", "*.*"}
        has_stars |= isinstance(pattern, ast.Constant) and "**" in str(pattern.value)
        if node.func.attr not in WALKS and not (node.func.attr == "glob" and has_stars):
            continue
        within = [*ast.walk(node.func.value)]
        of_project = {one.id for one in within if isinstance(one, ast.Name)} & OF_PROJECT
        of_project |= {one.attr for one in within if isinstance(one, ast.Attribute)} & OF_PROJECT
        texts = [one.value for one in within if isinstance(one, ast.Constant)]
        if of_project or any(str(text).startswith(FOLDERS) for text in texts):
            yield ast.unparse(node)


def test_walks_are_found() -> None:
    text = """
ROOT.glob("**/*.md"), (ROOT / "gold").iterdir(), Path(f"sample_runs/{name}").iterdir()
Path(rules.__file__).parent.rglob("*"), (ROOT / "sample_runs").glob("*")
(ROOT / "gold").glob("ave2007-*.xml"), tmp_path.rglob("*"), Path("runs").iterdir()
"""
    assert len([*walks(ast.parse(text))]) == 5


@pytest.mark.slow
def test_only_one_place_looks_for_the_projects_own_files() -> None:
    """Others name files, or what their names begin and end with in a folder that they name."""
    paths = [
        path
        for folder in ("tests", "tools", "gold", "benchmarks")
        for path in own_files(folder, ".py")
    ]
    assert len(paths) > 150
    found = {path.name: [*walks(ast.parse(path.read_text("utf-8")))] for path in paths}
    assert not {name: calls for name, calls in found.items() if calls}
