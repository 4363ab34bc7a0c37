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
    from ave_score.campaigns.campaign import Campaign as Campaign
    from ave_score.campaigns.campaign import campaign as campaign
    from ave_score.core.choice import Choice as Choice
    from ave_score.core.collection_summary import CollectionSummary as CollectionSummary
    from ave_score.core.drawing import Drawing as Drawing
    from ave_score.core.errors import AveScoreError as AveScoreError
    from ave_score.core.errors import AveScoreWarning as AveScoreWarning
    from ave_score.core.errors import DefectError as DefectError
    from ave_score.core.errors import InputError as InputError
    from ave_score.core.errors import UsageError as UsageError
    from ave_score.core.findings import Finding as Finding
    from ave_score.core.findings import Findings as Findings
    from ave_score.core.kinds import FileKind as FileKind
    from ave_score.core.model import Clusters as Clusters
    from ave_score.core.model import Collection as Collection
    from ave_score.core.model import JudgedAnswer as JudgedAnswer
    from ave_score.core.model import Label as Label
    from ave_score.core.model import Outcome as Outcome
    from ave_score.core.model import QARun as QARun
    from ave_score.core.model import Run as Run
    from ave_score.core.model import Verdict as Verdict
    from ave_score.core.open_questions import OpenGold as OpenGold
    from ave_score.core.open_questions import OpenQuestion as OpenQuestion
    from ave_score.core.open_questions import Response as Response
    from ave_score.core.open_questions import ResponseRun as ResponseRun
    from ave_score.core.policies import IntervalPolicy as IntervalPolicy
    from ave_score.core.policies import Policies as Policies
    from ave_score.counts.counted import Kind as Kind
    from ave_score.files.check import Checked as Checked
    from ave_score.files.scores import VerifierScores as VerifierScores
    from ave_score.inference.compare_records import Comparison as Comparison
    from ave_score.inference.compare_records import Design as Design
    from ave_score.inference.power import PowerPolicy as PowerPolicy
    from ave_score.inference.resampling import Resampling as Resampling
    from ave_score.inference.samples import Sampling as Sampling
    from ave_score.inference.swap import Agreement as Agreement
    from ave_score.inference.sweep import decided_at as decided_at
    from ave_score.measures import Measure as Measure
    from ave_score.measures import parse_measures as parse_measures
    from ave_score.pages.audience import Audience as Audience
    from ave_score.pages.audience import Shared as Shared
    from ave_score.pages.content import Page as Page
    from ave_score.pages.report import report as report
    from ave_score.reports.draw_labels import draw_labels as draw_labels
    from ave_score.reports.per_question import per_question as per_question
    from ave_score.reports.plots.run_figure import plot as plot
    from ave_score.rules import RULES as RULES
    from ave_score.rules import Rule as Rule
    from ave_score.rules import Severity as Severity
    from ave_score.tasks.agree import agree as agree
    from ave_score.tasks.agreed import Agreed as Agreed
    from ave_score.tasks.best_of_n import BestOfN as BestOfN
    from ave_score.tasks.best_of_n import best_of_n as best_of_n
    from ave_score.tasks.breakdown import break_down as break_down
    from ave_score.tasks.broken_down import Breakdown as Breakdown
    from ave_score.tasks.build import build as build
    from ave_score.tasks.built import BuildSettings as BuildSettings
    from ave_score.tasks.built import Built as Built
    from ave_score.tasks.check import check as check
    from ave_score.tasks.compare import compare as compare
    from ave_score.tasks.compare_groups import compare_groups as compare_groups
    from ave_score.tasks.compared import Compared as Compared
    from ave_score.tasks.convert import convert as convert
    from ave_score.tasks.decide import Decided as Decided
    from ave_score.tasks.decide import DecisionPolicy as DecisionPolicy
    from ave_score.tasks.decide import decide as decide
    from ave_score.tasks.estimate import estimate as estimate
    from ave_score.tasks.estimated import Estimated as Estimated
    from ave_score.tasks.fix import FixedRun as FixedRun
    from ave_score.tasks.fix import fix as fix
    from ave_score.tasks.groups_compared import GroupsCompared as GroupsCompared
    from ave_score.tasks.read import read_answer_sets as read_answer_sets
    from ave_score.tasks.read import read_answers as read_answers
    from ave_score.tasks.read import read_clusters as read_clusters
    from ave_score.tasks.read import read_collection as read_collection
    from ave_score.tasks.read import read_judged as read_judged
    from ave_score.tasks.read import read_judged_gold as read_judged_gold
    from ave_score.tasks.read import read_responses as read_responses
    from ave_score.tasks.read import read_run as read_run
    from ave_score.tasks.read import read_scores as read_scores
    from ave_score.tasks.read import read_teams as read_teams
    from ave_score.tasks.read import read_verifiers as read_verifiers
    from ave_score.tasks.score import score as score
    from ave_score.tasks.score import score_responses as score_responses
    from ave_score.tasks.scores import Row as Row
    from ave_score.tasks.scores import Scores as Scores
    from ave_score.tasks.stability import StabilityStudy as StabilityStudy
    from ave_score.tasks.stability import stability as stability
    from ave_score.tasks.stats import Stats as Stats
    from ave_score.tasks.stats import stats as stats
    from ave_score.tasks.swap import SwapStudy as SwapStudy
    from ave_score.tasks.swap import swap as swap
    from ave_score.tasks.sweep import Swept as Swept
    from ave_score.tasks.sweep import sweep as sweep
    from ave_score.version import __version__ as __version__

_HOMES = {
    name: module
    for module, names in {
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
    }.items()
    for name in names.split()
}
"""Public name -> its module."""

if not TYPE_CHECKING:  # what is imported above is public to them, also by `import *`
    __all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    """Import a public name when it is first used: `ave-score --help` needs none of them."""
    if name not in _HOMES:
        raise AttributeError(f"module 'ave_score' has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f"ave_score.{_HOMES[name]}"), name)
    return globals().setdefault(name, value)


def function_for_values(name: str) -> object:
    """Return a function that values call by `core.above`: a public one, or of their reports."""
    if name in _HOMES:
        return __getattr__(name)
    from importlib import import_module

    home = "core.columns" if name == "data_frame" else "reports.of_results"
    function: object = getattr(import_module(f"ave_score.{home}"), name)
    return function


def __dir__() -> list[str]:
    return sorted(_HOMES)
