"""ave_score: score systems that validate, select or withhold answers.

>>> import ave_score
>>> collection = ave_score.read_collection("gold/tiny.xml")
>>> run = ave_score.read_run("sample_runs/tiny/careful.txt", collection)
>>> scores = ave_score.score(collection, [run])
>>> scores.rows[0].values["f1"]
Fraction(3, 4)
"""

from importlib import import_module
from typing import TYPE_CHECKING

from ave_score.version import __version__

if TYPE_CHECKING:
    from ave_score.api import (
        check,
        read_answer_sets,
        read_answers,
        read_clusters,
        read_collection,
        read_groups,
        read_judged,
        read_judged_gold,
        read_responses,
        read_run,
        read_scores,
    )
    from ave_score.collection_summary import CollectionSummary
    from ave_score.counts.counted import Kind
    from ave_score.deciding import Decided, DecisionPolicy, decide
    from ave_score.errors import AveScoreError, AveScoreWarning, DefectError, InputError, UsageError
    from ave_score.files.check import Checked
    from ave_score.files.scores import VerifierScores
    from ave_score.findings import Finding, Findings
    from ave_score.kinds import FileKind
    from ave_score.measures import Measure
    from ave_score.model import (
        Clusters,
        Collection,
        JudgedAnswer,
        Label,
        Outcome,
        QARun,
        Run,
        Verdict,
    )
    from ave_score.open_questions import OpenGold, OpenQuestion, Response, ResponseRun
    from ave_score.policies import IntervalPolicy, Policies
    from ave_score.reports.per_question import per_question
    from ave_score.rules import Rule, Severity
    from ave_score.scoring import Row, Scores, score, score_responses

__all__ = [
    "AveScoreError",
    "AveScoreWarning",
    "Checked",
    "Clusters",
    "Collection",
    "CollectionSummary",
    "Decided",
    "DecisionPolicy",
    "DefectError",
    "FileKind",
    "Finding",
    "Findings",
    "InputError",
    "IntervalPolicy",
    "JudgedAnswer",
    "Kind",
    "Label",
    "Measure",
    "OpenGold",
    "OpenQuestion",
    "Outcome",
    "Policies",
    "QARun",
    "Response",
    "ResponseRun",
    "Row",
    "Rule",
    "Run",
    "Scores",
    "Severity",
    "UsageError",
    "Verdict",
    "VerifierScores",
    "__version__",
    "check",
    "decide",
    "per_question",
    "read_answer_sets",
    "read_answers",
    "read_clusters",
    "read_collection",
    "read_groups",
    "read_judged",
    "read_judged_gold",
    "read_responses",
    "read_run",
    "read_scores",
    "score",
    "score_responses",
]

_HOMES = {
    "api": "check read_answer_sets read_answers read_clusters read_collection read_groups "
    "read_judged read_judged_gold read_responses read_run read_scores",
    "collection_summary": "CollectionSummary",
    "counts.counted": "Kind",
    "deciding": "Decided DecisionPolicy decide",
    "errors": "AveScoreError AveScoreWarning DefectError InputError UsageError",
    "files.check": "Checked",
    "files.scores": "VerifierScores",
    "findings": "Finding Findings",
    "kinds": "FileKind",
    "measures": "Measure",
    "model": "Clusters Collection JudgedAnswer Label Outcome QARun Run Verdict",
    "open_questions": "OpenGold OpenQuestion Response ResponseRun",
    "policies": "IntervalPolicy Policies",
    "reports.per_question": "per_question",
    "rules": "Rule Severity",
    "scoring": "Row Scores score score_responses",
}
"""Module -> its public names."""


def __getattr__(name: str) -> object:
    """Import a public name when it is first used: `ave-score --help` needs none of them."""
    for module, names in _HOMES.items():
        if name in names.split():
            globals()[name] = getattr(import_module(f"ave_score.{module}"), name)
            return globals()[name]
    raise AttributeError(f"module 'ave_score' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
