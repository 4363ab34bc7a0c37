"""Times the studies of measures and the bootstrap; see README.md in this folder."""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median

import numpy as np

import ave_score
from ave_score.counts import Family
from ave_score.inference.by_question import ByQuestion, Floats, count_by_question
from ave_score.inference.resampling import Resampling, percentile, replicate
from ave_score.inference.samples import Sampling, count_units, score_samples, units_of
from ave_score.inference.stability import stability
from ave_score.inference.swap import swap
from ave_score.measures import parse_measures
from ave_score.model import Collection, Label, Question, Roster, Run, Verdict

MEASURES = parse_measures("f1, qa_accuracy")
LEVEL = 0.95


def campaign(runs: int, questions: int, answers: int) -> tuple[Collection, list[Run]]:
    """Make a collection and runs of different quality, without files."""
    raise NotImplementedError
