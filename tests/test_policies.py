"""An invented campaign and invented policies are one entry each, and available everywhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

import ave_score
from ave_score import IntervalPolicy, Label, Policies, Scores, UsageError
from ave_score.core.choices import UNKNOWN_CHOICES, PolicyChoice, UnknownChoice
from ave_score.core.judgements import LETTERS, RIGHT, UNANSWERED, WRONG, JudgementTable, Meaning
from ave_score.core.policies import settled_table
from tests import each
from tests.conftest import ROOT
from tests.helpers_build import answers, built_of, table
from tests.helpers_command import ave
from tests.helpers_files import COLLECTION, RUN, collection_of, put
from tools.policies import with_tables

SCHOOL = "q_id\trun\tjudgement\tanswered\n1\tqa\tC\tYES\n2\tqa\tI\tYES\n3\tqa\tS\tNO\n4\tqa\t\tYES"
"""One right of four, one unanswered; the last was not judged, and so is not right."""

TWO = '<q_str>?</q_str><answer a_id="1" correct="Yes">x</answer><answer a_id="2">y</answer>'
GOLD = '<test-set><topic t_id="1"><reading-test r_id="1">'
GOLD += "".join(f'<q q_id="{q}">{TWO}</q>' for q in "1234") + "</reading-test></topic></test-set>"

ANSWERS = """\
<output run_id="r"><topic t_id="1"><reading-test r_id="1">
<question q_id="1" answered="YES"><answer a_id="1"/></question>
<question q_id="2" answered="YES"><answer a_id="2"/></question>
<question q_id="3" answered="NO"><answer a_id="1"/></question>
<question q_id="4" answered="NO"/>
</reading-test></topic></output>
"""
"""Right, wrong, right but withheld, nothing; n = 4."""

CAMPAIGN_FILE = """\
[editions.2007]
{settings}
[editions.2007.languages.en]
collection = "gold.xml"
runs = "runs"
"""


@pytest.fixture
def school(monkeypatch: pytest.MonkeyPatch, fresh_commands: None) -> str:
    """A campaign whose letters the program has never seen."""
    letters = {"C": RIGHT, "I": WRONG, "S": UNANSWERED}
    one = JudgementTable("school", letters, "an invented exercise", "nobody")
    monkeypatch.setitem(LETTERS, one.name, one)
    return one.name


@pytest.fixture
def mood(monkeypatch: pytest.MonkeyPatch) -> str:
    """A policy that nobody has thought of."""
    choices = {"calm": PolicyChoice("without haste"), "wild": PolicyChoice("with haste")}
    policy = type(Policies.missing)(
        default="calm", help="How it goes: {choices}.", choices=choices, setting="how: {choices}"
    )
    policy.__set_name__(Policies, "mood")
    monkeypatch.setattr(Policies, "mood", policy, raising=False)
    return "mood"


def test_policies_are_typed_values() -> None:
    policies = Policies(letters="respubliqa", intervals=IntervalPolicy(90))
    assert policies.letters == "respubliqa"
    assert policies.missing == "error"
    assert policies.threshold is None
    assert policies.intervals == IntervalPolicy(90)
    assert policies._replace(letters="qa-clef", intervals=None) == Policies()
    assert hash(policies._replace(letters="qa-clef", intervals=None)) == hash(Policies())
    assert policies != Policies()
    least = Policies(intervals=IntervalPolicy(1, 1, 0))  # of every setting
    assert str(least.intervals) == "1|resamples:1|seed:0"
    assert repr(Policies()).startswith("Policies(letters='qa-clef', missing='error', unknown=")
    assert json.loads(json.dumps(Policies()._asdict()))["ties"] == "average"


@each("choice, message", [
    ({"letters": "respublica"}, r"no letters 'respublica', only .*; did you mean respubliqa"),
    ({"missing": "none"}, "policy .none. for missing answers, only error, rejected, unanswered"),
    ({"missing": "eror"}, "missing answers, only error, rejected, unanswered, excluded$"),
    ({"missing": []}, "no policy .* for missing answers"),
    ({"unknown": "?"}, r"no policy '\?' for UNKNOWN, only ignore, incorrect, correct"),
    ({"ties": "last"}, "no way 'last' to rank ties, only average, file, trec"),
    ({"intervals": IntervalPolicy(120)}, "^level 120: a level is a percentage from 1 to below"),
    ({"intervals": IntervalPolicy(95, resamples=0)}, "^0 resamples: expected at least 1$"),
    ({"intervals": IntervalPolicy(95, seed=-1)}, "^seed -1: expected 0 or more$"),
    ({"intervals": 95}, "^intervals: expected an IntervalPolicy, found int$"),
    ({"logs": "exact"}, "^logs: expected a Choice, found str$"),
    ({"threshold": "0.5"}, "^threshold: expected a number, found str$"),
    ({"threshold": float("-inf")}, "threshold -inf"),
])  # fmt: skip
def test_a_choice_that_there_is_not_is_refused(choice: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Policies.of(**choice)


def test_a_policy_that_there_is_not_is_refused() -> None:
    with pytest.raises(TypeError, match="no policy 'mood', only letters, missing"):
        Policies.of(mood="calm")


@pytest.mark.parametrize(
    "letters", [{"C": RIGHT}, {"I": WRONG}, {"C": RIGHT, "I": WRONG, "": RIGHT}]
)
def test_a_campaign_has_letters_for_right_and_wrong(letters: dict[str, Meaning]) -> None:
    said = "letters school need non-empty letters for right and wrong"
    with pytest.raises(ValueError, match=said):
        JudgementTable("school", letters, "", "")


def test_an_invented_campaign_scores_judged_files(school: str, tmp_path: Path) -> None:
    path = put(tmp_path, SCHOOL, "judged.tsv")
    code, out, _ = ave("score", str(path), "--letters", school, "-f", "json")
    document = json.loads(out)
    (run,) = document["runs"]
    assert (code, run["measures"]["c_at_1"]) == (0, 0.3125)  # (1 + 1 * 1/4) / 4
    assert f"|letters:{school}|" in document["signature"]
    code, out, _ = ave("score", "--help")
    assert "--letters [qa-clef|qa-clef-lenient|respubliqa|school] " in " ".join(out.split())


def test_an_invented_campaign_contradicts_like_any_other(school: str, tmp_path: Path) -> None:
    path = put(tmp_path, SCHOOL.replace("S\tNO", "S\tYES"), "judged.tsv")
    code, out, _ = ave("check", str(path), "--letters", school, "--format", "concise")
    assert code == 1
    assert "AVE514 judged S and answered YES: in the letters of school it means unanswered" in out
    path = put(tmp_path, SCHOOL.replace("C", "R"), "judged.tsv")
    code, out, _ = ave("check", str(path), "--letters", school, "--format", "concise")
    assert "found 'R', expected one of C, I, S, (empty) among the letters of school" in out


def test_an_invented_campaign_judges_answers_by_their_labels(school: str, tmp_path: Path) -> None:
    collection = ave_score.read_collection(put(tmp_path, GOLD, "gold.xml"))
    path = put(tmp_path, ANSWERS, "answers.xml")
    run = ave_score.read_answers(path, collection, letters=school)
    assert [answer.judgement for answer in run.answers] == ["C", "I", "C", ""]
    policies, measures = Policies.of(letters=school), "c_at_1,n_withheld_right"
    scores = ave_score.score(collection, [run], policies=policies, measures=measures)
    assert scores.rows[0].values == {"c_at_1": Fraction(3, 8), "n_withheld_right": 1}
    with pytest.raises(UsageError, match="no letters 'none'"):
        ave_score.read_answers(path, collection, letters="none")


def test_an_invented_campaign_labels_the_answers_of_a_new_collection(school: str) -> None:
    # what b says of Bonn says nothing beside I, nor what it says of Oslo beside C
    said = [*("aC Oslo", "aI Bonn", "bS Rome", "bS Bonn", "b Oslo")]
    words = [one.split() for one in said]
    rows = [("1", who[0], who[1:], "", town, f"{town} it is.", "d") for who, town in words]
    built = built_of(table(rows), letters=school)
    labels = dict(answers(built)["1"].values())
    assert labels == {"Oslo": "VALIDATED", "Bonn": "REJECTED", "Rome": "UNKNOWN"}


def test_an_invented_campaign_is_in_the_documentation(school: str) -> None:
    page = with_tables("<!-- campaigns -->\n<!-- end -->\n<!-- policies -->\n<!-- end -->\n")
    others = "  |" * (len(LETTERS) - 1)
    assert f"| C |{others} right |" in page
    assert f"| S |{others} unanswered |" in page
    assert "; nobody.\n" in page
    assert "`school`: an invented exercise" in page


def test_an_invented_policy_is_in_python_and_in_the_signature(mood: str, tmp_path: Path) -> None:
    collection = collection_of(tmp_path)
    assert Policies()._asdict()[mood] == "calm"
    scores = ave_score.score(collection, [], policies=Policies.of(mood="wild"))
    assert "|mood:wild|" in scores.signature
    assert scores.policies == Policies.of(mood="wild") != Policies()
    with pytest.raises(UsageError, match="no choice 'mad', only calm, wild"):
        Policies.of(mood="mad")


def test_an_invented_policy_is_on_the_command_line(
    mood: str, tmp_path: Path, fresh_commands: None
) -> None:
    _, out, _ = ave("score", "--help")
    assert "--mood [calm|wild] How it goes: calm or wild. Default: calm." in " ".join(out.split())
    gold, run = put(tmp_path, COLLECTION, "gold.xml"), put(tmp_path, RUN)
    _, out, _ = ave("score", str(gold), str(run), "--mood", "wild", "-f", "json")
    assert "|mood:wild|" in json.loads(out)["signature"]


@pytest.fixture
def edition(tmp_path: Path) -> Callable[[str], Path]:
    """Return a function that writes the file of a campaign with settings."""
    put(tmp_path, COLLECTION, "gold.xml")
    (tmp_path / "runs").mkdir()
    put(tmp_path / "runs", RUN)

    def written(settings: str) -> Path:
        return put(tmp_path, CAMPAIGN_FILE.format(settings=settings), "campaign.toml")

    return written


def signed(path: Path) -> str:
    """Return the signature of the scores of a campaign."""
    return ave_score.campaign(path).scores["2007", "en"].signature


def test_inventions_are_in_campaign_files(
    mood: str, school: str, edition: Callable[[str], Path]
) -> None:
    _, out, _ = ave("campaign", "init")
    assert 'mood = "calm"                  # how: calm or wild\n' in out
    assert "meaning of judgements: qa-clef, qa-clef-lenient, respubliqa or school\n" in out
    signature = signed(edition('mood = "wild"\nletters = "school"'))
    assert "|mood:wild|" in signature
    assert "|letters:school|" in signature
    with pytest.raises(ave_score.DefectError, match="one of calm, wild"):
        signed(edition('mood = "mad"'))


def test_a_policy_without_setting_is_none_of_campaign_files(edition: Callable[[str], Path]) -> None:
    with pytest.raises(ave_score.DefectError, match="AVE702"):
        signed(edition("ci = 95"))
    assert "|ties:file|" in signed(edition('ties = "file"\nmeasures = "mrr"'))


def test_an_invented_policy_is_in_the_documentation(mood: str) -> None:
    page = with_tables("<!-- policies -->\n<!-- end -->\n")
    of_mood = "How it goes: calm or wild. `calm`: without haste; `wild`: with haste"
    assert f"| `mood` | {of_mood} |" in page


def test_an_invented_choice_is_known_everywhere(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fresh_commands: None,
    edition: Callable[[str], Path],
) -> None:
    hopeful_choice = UnknownChoice("as VALIDATED, too", Label.VALIDATED, "hoped to be correct")
    monkeypatch.setitem(UNKNOWN_CHOICES, "hopeful", hopeful_choice)
    collection = collection_of(tmp_path)
    run = ave_score.read_run(put(tmp_path, RUN), collection)
    hopeful, correct = (
        ave_score.score(collection, [run], policies=Policies.of(unknown=choice))
        for choice in ("hopeful", "correct")
    )
    assert values(hopeful) == values(correct)
    assert "|unknown:hopeful|" in hopeful.signature
    assert settled_table("qa-clef", "hopeful")["X"] == RIGHT
    _, out, _ = ave("stability", "--help")
    assert "[ignore|incorrect|correct|hopeful]" in out
    assert not len(ave_score.check(edition('unknown = "hopeful"')).findings)
    assert "`hopeful`: as VALIDATED, too" in with_tables("<!-- policies -->\n<!-- end -->\n")


def values(scores: Scores) -> list[object]:
    return [row.values for row in scores.rows]


def test_the_signature_shows_ties_where_something_is_ranked(tmp_path: Path) -> None:
    collection = collection_of(tmp_path)

    def signed(measure: str, policies: Policies) -> str:
        return ave_score.score(collection, [], measures=[measure], policies=policies).signature

    assert "|ties:average|" in signed("mrr", Policies())
    assert "|ties:trec|" in signed("mrr", Policies(ties="trec"))
    assert "ties:" not in signed("f1", Policies())
    lists = ave_score.score_responses(ave_score.read_answer_sets(ROOT / "gold/lists.json"), [])
    assert "letters:" not in lists.signature
