"""What several test modules share: the repository's root as working directory."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from tests import examples

# a busy machine makes no test fail
settings.register_profile("untimed", deadline=None, max_examples=examples(100))
settings.load_profile("untimed")

# a process that a test starts need not compile the package again
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def _in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run every test where `gold/` and `sample_runs/` are, and without a preset width."""
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("COLUMNS", raising=False)
