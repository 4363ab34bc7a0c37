"""ave_score: score systems that validate, select or withhold answers.

>>> import ave_score
>>> collection = ave_score.read_collection("gold/tiny.xml")
>>> run = ave_score.read_run("sample_runs/tiny/careful.txt", collection)
>>> scores = ave_score.score(collection, [run])
>>> scores.rows[0].values["f1"]
Fraction(3, 4)
"""

from ave_score.api import read_collection, read_groups, read_judged, read_run
from ave_score.errors import AveScoreError, DefectError, InputError, UsageError
from ave_score.findings import Finding, Findings, Rule, Severity
from ave_score.model import Collection, JudgedAnswer, JudgedRun, Label, Outcome, Run, Verdict
from ave_score.scoring import Kind, Row, Scores, score
from ave_score.signature import Policies
from ave_score.version import __version__

__all__ = [
    "AveScoreError",
    "Collection",
    "DefectError",
    "Finding",
    "Findings",
    "InputError",
    "JudgedAnswer",
    "JudgedRun",
    "Kind",
    "Label",
    "Outcome",
    "Policies",
    "Row",
    "Rule",
    "Run",
    "Scores",
    "Severity",
    "UsageError",
    "Verdict",
    "__version__",
    "read_collection",
    "read_groups",
    "read_judged",
    "read_run",
    "score",
]
