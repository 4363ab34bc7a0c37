"""A folder with a file for each rule that breaks it, and in `right` the same file fixed."""

from __future__ import annotations

import atexit
import shutil
from pathlib import Path
from tempfile import mkdtemp

from ave_score.rules import Rule
from tests.conftest import ROOT
from tools.broken import broken_files

BROKEN = Path(mkdtemp(prefix="ave-score-broken-"))
"""The folder, with what the files belong to: collections, answer sets, questions, documents."""

TWENTY = {"AVE303": "twenty.xml"}
"""The collections of rules about more questions than `collection.xml` has."""


def gold_beside(rule: Rule) -> Path:
    """Return the collection of the run that breaks a rule."""
    return BROKEN / TWENTY.get(rule.code, "collection.xml")


BY_HAND = ROOT / "tests/data/broken/findings.tsv"
"""What must be found in each file, and where; read off the files by a person."""

atexit.register(shutil.rmtree, BROKEN, ignore_errors=True)
shutil.copytree(ROOT / "tests/data/broken", BROKEN, dirs_exist_ok=True)
for _name in ("collection.xml", "unlabelled.xml"):
    shutil.copy(ROOT / "sample_runs/broken" / _name, BROKEN)
for _name, _data in broken_files().items():
    (BROKEN / _name).write_bytes(_data)
