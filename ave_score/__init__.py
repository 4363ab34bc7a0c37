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
    from ave_score.agreeing import Agreed, agree
    from ave_score.api import (
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
        read_verifiers,
    )
    from ave_score.breakdown import Breakdown, break_down
    from ave_score.building.build import BuildSettings, Built
    from ave_score.campaigns.run import Campaign, campaign
    from ave_score.choosing import BestOfN, best_of_n
    from ave_score.collection_summary import CollectionSummary
    from ave_score.comparing import Compared, compare
    from ave_score.counts.counted import Kind
    from ave_score.deciding import Decided, DecisionPolicy, decide
    from ave_score.describing import Stats, stats
    from ave_score.errors import AveScoreError, AveScoreWarning, DefectError, InputError, UsageError
    from ave_score.files.check import Checked
    from ave_score.files.log import Choice
    from ave_score.files.scores import VerifierScores
    from ave_score.findings import Finding, Findings
    from ave_score.fixing.fix import FixedRun
    from ave_score.inference.compared import Comparison, Design
    from ave_score.inference.power import PowerPolicy
    from ave_score.inference.resampling import Resampling
    from ave_score.inference.samples import Sampling
    from ave_score.inference.swap import Agreement
    from ave_score.kinds import FileKind
    from ave_score.measures import Measure, parse_measures
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
    from ave_score.ordering import Orders, orders
    from ave_score.pages.audience import Audience, Shared
    from ave_score.pages.content import Page
    from ave_score.pages.report import report
    from ave_score.policies import IntervalPolicy, Policies
    from ave_score.reports.per_question import per_question
    from ave_score.reports.plots.drawing import Drawing, plot
    from ave_score.rules import RULES, Rule, Severity
    from ave_score.scoring import Row, Scores, score, score_responses
    from ave_score.studies import StabilityStudy, SwapStudy, stability, swap
    from ave_score.sweeping import Swept, sweep
    from ave_score.tasks import build, check, convert, fix
    from ave_score.thresholds import decided_at
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
    "FileKind",
    "Finding",
    "Findings",
    "FixedRun",
    "InputError",
    "IntervalPolicy",
    "JudgedAnswer",
    "Kind",
    "Label",
    "Measure",
    "OpenGold",
    "OpenQuestion",
    "Orders",
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
    "convert",
    "decide",
    "decided_at",
    "fix",
    "orders",
    "parse_measures",
    "per_question",
    "plot",
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
    "agreeing": "Agreed agree",
    "api": "read_answer_sets read_answers read_clusters read_collection "
    "read_groups read_judged read_judged_gold read_responses read_run "
    "read_scores read_verifiers",
    "breakdown": "break_down Breakdown",
    "building.build": "BuildSettings Built",
    "campaigns.run": "Campaign campaign",
    "choosing": "best_of_n BestOfN",
    "collection_summary": "CollectionSummary",
    "comparing": "compare Compared",
    "counts.counted": "Kind",
    "deciding": "Decided DecisionPolicy decide",
    "describing": "Stats stats",
    "errors": "AveScoreError AveScoreWarning DefectError InputError UsageError",
    "files.check": "Checked",
    "files.log": "Choice",
    "files.scores": "VerifierScores",
    "findings": "Finding Findings",
    "fixing.fix": "FixedRun",
    "inference.compared": "Comparison Design",
    "inference.power": "PowerPolicy",
    "inference.resampling": "Resampling",
    "inference.samples": "Sampling",
    "inference.swap": "Agreement",
    "kinds": "FileKind",
    "measures": "Measure parse_measures",
    "model": "Clusters Collection JudgedAnswer Label Outcome QARun Run Verdict",
    "open_questions": "OpenGold OpenQuestion Response ResponseRun",
    "ordering": "Orders orders",
    "policies": "IntervalPolicy Policies",
    "pages.audience": "Audience Shared",
    "pages.content": "Page",
    "pages.report": "report",
    "reports.per_question": "per_question",
    "reports.plots.drawing": "Drawing plot",
    "rules": "Rule RULES Severity",
    "scoring": "Row Scores score score_responses",
    "studies": "stability StabilityStudy swap SwapStudy",
    "sweeping": "sweep Swept",
    "tasks": "build check convert fix",
    "thresholds": "decided_at",
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


def __dir__() -> list[str]:
    return sorted(__all__)
