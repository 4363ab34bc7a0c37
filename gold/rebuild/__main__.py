"""Rebuilds the reconstructed collections and runs: ``python -m gold.rebuild [--check]``."""

import argparse
import gzip
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from .answering import answer
from .chance import first_that_works
from .collection import build_collection
from .decisions import decide
from .editions import EDITIONS, Edition
from .figures import target
from .pair_runs import decide_pairs
from .pairs import build_pairs
from .published import Published, read_answering, read_published
from .verify import (
    verify_answering,
    verify_collection,
    verify_pair_run,
    verify_pairs,
    verify_run,
)
from .writers import (
    answering_tsv,
    collection_xml,
    judged_tsv,
    pair_run_txt,
    pairs_xml,
    run_txt,
    teams_tsv,
)

SMALL = ".teams.tsv"
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
            _write(path, files[path])
    print(f"{len(files) - len(differing)} of {len(files)} files were up to date", file=sys.stderr)
    return 1 if check and differing else 0


def build_files() -> dict[str, str]:
    """Return the text of every file, unpacked, by its path from the root of the repository."""
    files: dict[str, str] = {}
    for published in read_published(ROOT / "gold" / "published"):
        build = _build_collection if published.facts.questions else _build_pairs
        files |= {_packed(path, published.edition): text for path, text in build(published)}
    for answering in read_answering(ROOT / "gold" / "published"):
        responses = answer(answering)
        verify_answering(answering, responses)
        path = _packed(f"gold/{answering.name}.qa.tsv", EDITIONS[answering.edition])
        files[path] = answering_tsv(answering, responses)
    return files


def _build_collection(published: Published) -> Iterator[tuple[str, str]]:
    """Yield path and text of a collection of questions and of its runs."""
    collection = build_collection(published)
    verify_collection(collection)
    name = collection.name
    yield f"gold/{name}.xml", collection_xml(collection)
    if published.systems:
        yield f"gold/{name}.qa.tsv", judged_tsv(collection)
        yield f"gold/{name}.teams.tsv", teams_tsv(published)
    for row in published.runs:
        goal = target(published, row.run)
        decisions = first_that_works(partial(decide, collection, goal))
        verify_run(collection, row.run, decisions)
        yield f"sample_runs/{name}/{row.run}.txt", run_txt(decisions)


def _build_pairs(published: Published) -> Iterator[tuple[str, str]]:
    """Yield path and text of a collection of pairs and of its runs."""
    collection = build_pairs(published)
    verify_pairs(collection)
    name = published.facts.name
    yield f"gold/{name}.xml", pairs_xml(collection)
    yield f"gold/{name}.teams.tsv", teams_tsv(published)
    for row in published.runs:
        decisions = decide_pairs(collection, row)
        verify_pair_run(collection, row.run, decisions)
        yield f"sample_runs/{name}/{row.run}.txt", pair_run_txt(decisions)


def _packed(path: str, edition: Edition) -> str:
    """Return the path under which a file is kept; small ones stay as they are."""
    return f"{path}.gz" if edition.packed and not path.endswith(SMALL) else path


def _current(path: str) -> bytes | None:
    """Return what the file holds now, unpacked: bytes, so that line ends count too."""
    file = ROOT / path
    if not file.exists():
        return None
    return gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()


def _write(path: str, text: str) -> None:
    file, content = ROOT / path, text.encode()
    file.parent.mkdir(parents=True, exist_ok=True)
    if file.suffix != ".gz":
        file.write_bytes(content)
        return
    # Without time and name, the same library makes the same bytes of the same text.
    with (
        file.open("wb") as out,
        gzip.GzipFile(filename="", mode="wb", fileobj=out, mtime=0) as packed,
    ):
        packed.write(content)


if __name__ == "__main__":
    sys.exit(main())
