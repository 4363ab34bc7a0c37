"""ave_score: score systems that validate, select or withhold answers.

>>> import ave_score
>>> collection = ave_score.read_collection("gold/tiny.xml")
>>> run = ave_score.read_run("sample_runs/tiny/careful.txt", collection)
>>> scores = ave_score.score(collection, [run])
>>> scores.rows[0].values["f1"]
Fraction(3, 4)
"""

# nothing is imported here: until the program has begun, Ctrl-C prints a traceback
TYPE_CHECKING = False
if TYPE_CHECKING:
    from ave_score.campaigns.campaign import Campaign, campaign
    from ave_score.core.choice import Choice
    from ave_score.core.collection_summary import CollectionSummary
    from ave_score.core.drawing import Drawing
    from ave_score.core.errors import (
        AveScoreError,
        AveScoreWarning,
        DefectError,
        InputError,
        UsageError,
    )
    from ave_score.core.findings import Finding, Findings
    from ave_score.core.kinds import FileKind
    from ave_score.core.model import (
        Clusters,
        Collection,
        JudgedAnswer,
        Label,
        Outcome,
        QARun,
        Run,
        Verdict,
    )
    from ave_score.core.open_questions import OpenGold, OpenQuestion, Response, ResponseRun
    from ave_score.core.policies import IntervalPolicy, Policies
    from ave_score.counts.counted import Kind
    from ave_score.files.check import Checked
    from ave_score.files.scores import VerifierScores
    from ave_score.inference.compare_records import Comparison, Design
    from ave_score.inference.power import PowerPolicy
    from ave_score.inference.resampling import Resampling
    from ave_score.inference.samples import Sampling
    from ave_score.inference.swap import Agreement
    from ave_score.inference.sweep import decided_at
    from ave_score.measures import Measure, parse_measures
    from ave_score.pages.audience import Audience, Shared
    from ave_score.pages.content import Page
    from ave_score.pages.report import report
    from ave_score.reports.draw_labels import draw_labels
    from ave_score.reports.per_question import per_question
    from ave_score.reports.plots.run_figure import plot
    from ave_score.rules import RULES, Rule, Severity
    from ave_score.tasks.agree import agree
    from ave_score.tasks.agreed import Agreed
    from ave_score.tasks.best_of_n import BestOfN, best_of_n
    from ave_score.tasks.breakdown import break_down
    from ave_score.tasks.broken_down import Breakdown
    from ave_score.tasks.build import build
    from ave_score.tasks.built import BuildSettings, Built
    from ave_score.tasks.check import check
    from ave_score.tasks.compare import compare
    from ave_score.tasks.compare_groups import compare_groups
    from ave_score.tasks.compared import Compared
    from ave_score.tasks.convert import convert
    from ave_score.tasks.decide import Decided, DecisionPolicy, decide
    from ave_score.tasks.estimate import estimate
    from ave_score.tasks.estimated import Estimated
    from ave_score.tasks.fix import FixedRun, fix
    from ave_score.tasks.groups_compared import GroupsCompared
    from ave_score.tasks.read import (
        read_answer_sets,
        read_answers,
        read_clusters,
        read_collection,
        read_judged,
        read_judged_gold,
        read_responses,
        read_run,
        read_scores,
        read_teams,
        read_verifiers,
    )
    from ave_score.tasks.score import score, score_responses
    from ave_score.tasks.scores import Row, Scores
    from ave_score.tasks.stability import StabilityStudy, stability
    from ave_score.tasks.stats import Stats, stats
    from ave_score.tasks.swap import SwapStudy, swap
    from ave_score.tasks.sweep import Swept, sweep
    from ave_score.version import __version__

__all__ = [
    "RULES",
    "Agreed",
    "Agreement",
    "Audience",
    "AveScoreError",
    "AveScoreWarning",
    "BestOfN",
    "Breakdown",
    "BuildSettings",
    "Built",
    "Campaign",
    "Checked",
    "Choice",
    "Clusters",
    "Collection",
    "CollectionSummary",
    "Compared",
    "Comparison",
    "Decided",
    "DecisionPolicy",
    "DefectError",
    "Design",
    "Drawing",
    "Estimated",
    "FileKind",
    "Finding",
    "Findings",
    "FixedRun",
    "GroupsCompared",
    "InputError",
    "IntervalPolicy",
    "JudgedAnswer",
    "Kind",
    "Label",
    "Measure",
    "OpenGold",
    "OpenQuestion",
    "Outcome",
    "Page",
    "Policies",
    "PowerPolicy",
    "QARun",
    "Resampling",
    "Response",
    "ResponseRun",
    "Row",
    "Rule",
    "Run",
    "Sampling",
    "Scores",
    "Severity",
    "Shared",
    "StabilityStudy",
    "Stats",
    "SwapStudy",
    "Swept",
    "UsageError",
    "Verdict",
    "VerifierScores",
    "__version__",
    "agree",
    "best_of_n",
    "break_down",
    "build",
    "campaign",
    "check",
    "compare",
    "compare_groups",
    "convert",
    "decide",
    "decided_at",
    "draw_labels",
    "estimate",
    "fix",
    "parse_measures",
    "per_question",
    "plot",
    "read_answer_sets",
    "read_answers",
    "read_clusters",
    "read_collection",
    "read_judged",
    "read_judged_gold",
    "read_responses",
    "read_run",
    "read_scores",
    "read_teams",
    "read_verifiers",
    "report",
    "score",
    "score_responses",
    "stability",
    "stats",
    "swap",
    "sweep",
]

_HOMES = {
    "campaigns.campaign": "Campaign campaign",
    "core.choice": "Choice",
    "core.collection_summary": "CollectionSummary",
    "core.drawing": "Drawing",
    "core.errors": "AveScoreError AveScoreWarning DefectError InputError UsageError",
    "core.findings": "Finding Findings",
    "core.kinds": "FileKind",
    "core.model": "Clusters Collection JudgedAnswer Label Outcome QARun Run Verdict",
    "core.open_questions": "OpenGold OpenQuestion Response ResponseRun",
    "core.policies": "IntervalPolicy Policies",
    "counts.counted": "Kind",
    "files.check": "Checked",
    "files.scores": "VerifierScores",
    "inference.compare_records": "Comparison Design",
    "inference.power": "PowerPolicy",
    "inference.resampling": "Resampling",
    "inference.samples": "Sampling",
    "inference.swap": "Agreement",
    "inference.sweep": "decided_at",
    "measures": "Measure parse_measures",
    "pages.audience": "Audience Shared",
    "pages.content": "Page",
    "pages.report": "report",
    "reports.draw_labels": "draw_labels",
    "reports.per_question": "per_question",
    "reports.plots.run_figure": "plot",
    "rules": "Rule RULES Severity",
    "tasks.agree": "agree",
    "tasks.agreed": "Agreed",
    "tasks.best_of_n": "best_of_n BestOfN",
    "tasks.breakdown": "break_down",
    "tasks.broken_down": "Breakdown",
    "tasks.build": "build",
    "tasks.built": "BuildSettings Built",
    "tasks.check": "check",
    "tasks.compare": "compare",
    "tasks.compared": "Compared",
    "tasks.compare_groups": "compare_groups",
    "tasks.convert": "convert",
    "tasks.decide": "decide Decided DecisionPolicy",
    "tasks.estimate": "estimate",
    "tasks.estimated": "Estimated",
    "tasks.fix": "fix FixedRun",
    "tasks.groups_compared": "GroupsCompared",
    "tasks.read": "read_answer_sets read_answers read_clusters read_collection read_teams "
    "read_judged read_judged_gold read_responses read_run read_scores read_verifiers",
    "tasks.score": "score score_responses",
    "tasks.scores": "Row Scores",
    "tasks.stability": "stability StabilityStudy",
    "tasks.stats": "Stats stats",
    "tasks.swap": "swap SwapStudy",
    "tasks.sweep": "sweep Swept",
    "version": "__version__",
}
"""Module -> its public names."""


def __getattr__(name: str) -> object:
    """Import a public name when it is first used: `ave-score --help` needs none of them."""
    for module, names in _HOMES.items():
        if name in names.split():
            from importlib import import_module

            globals()[name] = getattr(import_module(f"ave_score.{module}"), name)
            return globals()[name]
    raise AttributeError(f"module 'ave_score' has no attribute {name!r}")


def function_for_values(name: str) -> object:
    """Return a function that values call by `core.above`: a public one, or of their reports."""
    if name in __all__:
        return __getattr__(name)
    from importlib import import_module

    home = "core.columns" if name == "data_frame" else "reports.of_results"
    function: object = getattr(import_module(f"ave_score.{home}"), name)
    return function


def __dir__() -> list[str]:
    return sorted(__all__)
