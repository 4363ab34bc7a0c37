"""Rebuilds the reconstructed collections and runs: ``python -m gold.rebuild [--check]``."""

import argparse
import sys
from functools import partial
from pathlib import Path

from .chance import first_that_works
from .collection import Collection, build_collection
from .decisions import decide
from .figures import target
from .published import read_published
from .verify import verify_collection, verify_run
from .writers import collection_xml, groups_tsv, judged_tsv, run_txt

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Write every file, or with ``--check`` name those that differ and return 1."""
    parser = argparse.ArgumentParser(prog="python -m gold.rebuild", description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail if a file differs"
    )
    check = parser.parse_args().check
    files = build_files()
    differing = [path for path, text in files.items() if _current(path) != text.encode()]
    for path in differing:
        print(f"{'differs' if check else 'wrote'}: {path}")
        if not check:
            (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / path).write_bytes(files[path].encode())
    print(f"{len(files) - len(differing)} of {len(files)} files were up to date", file=sys.stderr)
    return 1 if check and differing else 0


def build_files() -> dict[str, str]:
    """Return the text of every file by its path from the root of the repository."""
    files: dict[str, str] = {}
    for published in read_published(ROOT / "gold" / "published"):
        collection = build_collection(published)
        verify_collection(collection)
        files[f"gold/{collection.name}.xml"] = collection_xml(collection)
        files[f"gold/{collection.name}.qa.tsv"] = judged_tsv(collection)
        files[f"gold/{collection.name}.groups.tsv"] = groups_tsv(collection)
        files |= _build_runs(collection)
    return files


def _build_runs(collection: Collection) -> dict[str, str]:
    files: dict[str, str] = {}
    for row in collection.published.runs:
        goal = target(collection.published, row.run)
        decisions = first_that_works(partial(decide, collection, goal))
        verify_run(collection, row.run, decisions)
        files[f"sample_runs/{collection.name}/{row.run}.txt"] = run_txt(decisions)
    return files


def _current(path: str) -> bytes | None:
    """Return what the file holds now: bytes, so that line ends count too."""
    file = ROOT / path
    return file.read_bytes() if file.exists() else None


if __name__ == "__main__":
    sys.exit(main())
