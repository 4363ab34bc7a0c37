"""Records of measures: worked examples, the command `measures`, and adding a measure."""

from __future__ import annotations

import ast
import math
import re
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

import ave_score
from ave_score import Measure, parse_measures
from ave_score.counts import TABLES, VALIDATION, ValidationCounts, run_families
from ave_score.measures import MEASURES, groups
from ave_score.measures.registry import EXAMPLES, PRESETS, measure
from tests import each
from tests.helpers_command import ave, document_of, output, process, program, refusal
from tools import measures
from tools.own import own_files

ROOT = Path(__file__).parents[1]

every_measure = each("record", MEASURES.values())

NO_RATIOS = {"pearson_r", "ndcg", "mcc", "log_loss"}
"""Measures with a root or a logarithm in them."""


_FUNCTIONS = {"F": Fraction, "sqrt": math.sqrt, "log2": math.log2, "ln": math.log}


def worked_out(text: str) -> Fraction | float:
    """Work a formula out that has nothing but numbers, + - · / ( ), roots and logarithms in it."""
    assert re.fullmatch(r"(?:[\d.+\-·/() ]|sqrt|log2|ln)+", text), text
    code = re.sub(r"(?<![\w.])\d+(?:\.\d+)?", lambda found: f"F('{found[0]}')", text)
    result = eval(code.replace("·", "*"), _FUNCTIONS)
    assert isinstance(result, Fraction | float)
    return result


@every_measure
def test_the_worked_example_is_reproduced(record: Measure) -> None:
    """The numbers were put into the formula by hand; here they are only added up."""
    calculation, _, result = record.worked.rpartition(" = ")
    by_hand, value = worked_out(calculation), record(EXAMPLES[record.family].counts)
    assert value is not None
    if record.name in NO_RATIOS:
        assert float(value) == pytest.approx(by_hand, abs=1e-12)
        assert f"{by_hand:.{len(result.partition('.')[2])}f}" == result
    else:
        assert value == by_hand == worked_out(result)


def explained(record: Measure) -> str:
    """Return what the command says of a measure."""
    code, out, err = ave("measures", record.key)
    assert code == 0
    assert err == ""
    return out


@every_measure
def test_what_the_symbols_of_a_formula_count_is_said(record: Measure) -> None:
    """Letters of a formula that are neither words nor other measures are explained."""
    formula = explained(record).partition("\nFormula")[2]
    formula = re.split(r"\n(?:Parameter|Range)  ", formula)[0]
    explained_symbols = {
        symbol
        for names in re.findall(r"^ {13}([^:]+): \S", formula, re.M)
        for symbol in names.split(", ")
    }
    parameters = {one.symbol for one in record.parameters}
    formula = re.sub(r"`[^`]*`", "", record.formula)
    short = set(re.findall(r"(?<!\w)(?:[A-Za-z]{1,2})(?!\w)", formula))
    words = {"of", "in", "at", "or", "if", "is", "by", "to", "no", "as", "it", "a", "an", "D"}
    known = {part for symbol in explained_symbols for part in re.findall(r"\w+", symbol)}
    assert short - words - parameters <= known


@every_measure
def test_a_measure_is_explained_in_full(record: Measure) -> None:
    out = explained(record)
    flat = " ".join(out.split())
    parameters = [f"Parameter {one.symbol}: {one.expected}; " for one in record.parameters]
    better = "higher" if record.higher_is_better else "lower"
    bounds = f"Range {record.lowest}..{record.highest}, {better} is better"
    unknown = f"UNKNOWN answers labelled UNKNOWN {record.unknown}"
    texts = [record.use, record.avoid, record.worked, record.source]
    texts += [f"Formula {record.formula}", f"0/0 {record.undefined}", bounds, unknown]
    for said in (*parameters, *texts):
        assert " ".join(said.split()) in flat
    assert max(map(len, out.splitlines())) <= 80


@each("name, source", [
    ("error_1", "weighted error"),
    ("error_2", "weighted error"),
    ("e_alpha", "weighted error"),
    ("romip_r", "Russian QA"),
    ("romip_e", "Russian QA"),
    ("answer_adoption_rate", "recommendation"),
    ("k1", "CLEF 2004"),
    ("pearson_r", "CLEF 2004"),
    ("macro_f1", "thesis 4.1"),
    ("macro_f1_either", "ave_score"),
    ("class_macro_f1", "scikit-learn"),
    ("accuracy_with_withheld", "ResPubliQA (thesis 6.4.1, footnote 8)"),
])  # fmt: skip
def test_the_source_of_a_measure_is_the_paper_that_defines_it(name: str, source: str) -> None:
    """Each of these was once attributed to another paper, or is easily confused with another."""
    assert MEASURES[name].source.startswith(source)


@each("record", [one for one in MEASURES.values() if one.family in run_families()])
def test_a_measure_can_be_requested_alone(record: Measure) -> None:
    """Whatever it is counted from, a table has it, with a run or a system in it."""
    arguments = ["score", "gold/tiny.xml", "sample_runs/tiny/careful.txt"]
    table = output(*arguments, "--qa", "gold/tiny.qa.tsv", "-m", record.key)
    assert record.title in table
    assert "careful" in table
    assert record.unknown != "do not occur"


def test_systems_with_confidences_are_in_the_table_of_confidence(tmp_path: Path) -> None:
    judged = tmp_path / "judged.tsv"
    judged.write_text("q_id\trun\tjudgement\tconfidence\n1\talpha\tR\t0.25\n")
    for named in ("confidence", "k1"):
        printed = output("score", judged, "-m", named)
        assert re.search(r"alpha +.*0\.25", printed)  # K1 of one right answer


def test_who_is_not_in_the_table_of_confidence_is_named(tmp_path: Path) -> None:
    judged = tmp_path / "judged.tsv"
    rows = ["q_id\trun\tjudgement\tconfidence", "1\talpha\tR\t0.25", "1\tbeta\tR\t"]
    judged.write_text("\n".join(rows))
    printed = " ".join(output("score", str(judged), "-m", "k1").split())
    assert "No K1 for beta: not every answer has a confidence." in printed


def test_measures_are_listed_by_table() -> None:
    everything = output("measures")
    for table in TABLES:
        assert f"{table.capitalize()}\n" in everything
        of_table = re.findall(r"^  (\S.*?)  +\S", output("measures", table), re.M)
        keys = [parse_measures(key)[0].usage for key in groups()[table]]
        assert sorted(of_table) == sorted(keys)
    for record in MEASURES.values():
        assert re.search(rf"^  {re.escape(record.usage)} ", everything, re.M)


def test_all_measures_are_in_the_order_of_their_tables() -> None:
    """So the page of measures has each family once, and a table its columns in one order."""
    families = [parse_measures(key)[0].family for key in groups()["all"]]
    tables = [*enumerate(TABLES.values())]
    places = [place for one in families for place, table in tables if one in table]
    assert len(places) == len(MEASURES)
    assert places == sorted(places)
    heads = re.findall(r"^## .*", measures.pages()["docs/reference/measures.md"], re.M)
    assert len(heads) == len(set(heads))


def test_several_measures_in_one_argument_are_all_explained() -> None:
    out = output("measures", "f1, map(norm=returned, of=accepted)", "mrr")
    both = "map(norm, of, rel)@k (MAP (returned, accepted))", "mrr(of, rel)@k (MRR)"
    for title in ("f1 (F)", *both):
        assert f"{title}\n" in out


def test_unknown_measures_are_all_named() -> None:
    err = refusal("measures", "f1", "mmr", "ndcgg@5", "map(norm=all)")
    norms = "norm is relevant, min, returned or found"
    for part in ("did you mean mrr?", "did you mean ndcg?", norms):
        assert part in err


@each("text, said", [
    ("r_precision@5", "r_precision takes no cut-off"),
    ("ndcg@0", "a whole number from 1"),
    ("ndcg@2.5", "a whole number from 1"),
    ("ece(0)", "a whole number from 1"),
    ("precision_at_recall(1.5)", "a number from 0 to 1"),
    ("map(norm=returned, norm=relevant)", "norm is given twice"),
    ("map(k=5)", "map takes norm, of, rel, not k"),
    ("f_beta(1, 2)", "f_beta takes b"),
    ("precision@x", "a whole number from 1"),
    ("f_beta(0.5", "is not a measure name"),
    ("mrr(of=acepted)", "did you mean accepted?"),
])  # fmt: skip
def test_what_is_wrong_with_a_parameter_is_said(text: str, said: str) -> None:
    with pytest.raises(ave_score.UsageError, match=re.escape(said)):
        parse_measures(text)


@each("text, key", [
    ("f_beta(b=2)", "f_beta(2)"),
    (" ndcg @ 5 ", "ndcg@5"),
    ("map( norm = returned )", "map(norm=returned)"),
    ("map(returned)", "map(norm=returned)"),
    ("map(of=accepted, norm=returned)", "map(norm=returned, of=accepted)"),
    ("map(norm=relevant)", "map"),
    ("f_beta(0.50)", "f_beta"),
    ("precision@", "precision@1"),
    ("precision", "precision"),
    ("hit(of=accepted)@3", "hit(of=accepted)@3"),
])  # fmt: skip
def test_a_name_has_one_spelling(text: str, key: str) -> None:
    assert [one.key for one in parse_measures(text)] == [key]


@pytest.fixture
def coverage() -> Iterator[str]:
    """Register a measure as a module of a family would."""

    @measure(
        "validated_share", "Validated", VALIDATION, formula="(cv + iv) / (cv + iv + cr + ir)",
        undefined="undefined", source="this test", use="To try it.", avoid="Elsewhere.",
        worked="(6 + 4) / (6 + 4 + 2 + 28) = 1/4",
    )  # fmt: skip
    def validated_share(counts: ValidationCounts) -> Fraction | None:
        """Share of answers that were validated."""
        validated = counts.validated_correct + counts.validated_incorrect
        return Fraction(validated, counts.judged) if counts.judged else None

    # its module is this one: the page of the docs then shows this module's text
    yield "validated_share"
    del MEASURES["validated_share"]


def test_a_new_measure_is_everywhere(coverage: str) -> None:
    arguments = ["score", "gold/tiny.xml", "sample_runs/tiny/careful.txt"]
    table = output(*arguments, "-m", f"f1,{coverage}")
    assert "Validated" in table
    assert "0.44" in table  # 4 of 9 judged answers
    document = document_of(*arguments)
    assert document["runs"][0]["measures"][coverage] == pytest.approx(4 / 9)
    head, *_ = output(*arguments, "--format", "csv", "-m", coverage).splitlines()
    assert head.endswith(f",{coverage},note,primary")
    assert "(cv + iv) / (cv + iv + cr + ir)" in output("measures", coverage)
    assert "Share of answers that were validated." in output("measures", "validation")
    assert coverage in groups()["validation"]
    assert coverage in groups()["all"]
    assert f"## {coverage}" in "".join(measures.pages().values())


@pytest.mark.slow
def test_no_measure_is_named_outside_its_family() -> None:
    """No text of the program is a measure's name, but in its family and the papers' layouts. Names
    that are words of other things, such as a column or a key of a file, are not looked for."""
    names = {one.key for one in MEASURES.values()} - {"k", "map", "error", "hit", "precision@1"}
    presets = [PRESETS[name] for name in ("ave2007", "ave2008", "respubliqa", "best_of_n")]
    allowed = {ROOT / "ave_score/measures/registry.py": {key for keys in presets for key in keys}}
    allowed[ROOT / "ave_score/core/standards.py"] = names  # the one place of all defaults
    allowed[ROOT / "ave_score/reports/estimate.py"] = {"specificity"}  # that of the judge
    allowed[ROOT / "ave_score/reports/plots/estimates.py"] = {"accuracy"}  # what is estimated
    allowed[ROOT / "ave_score/platforms/codabench.py"] = {"precision"}  # decimals of its columns
    for path in own_files("ave_score", ".py"):
        tree = ast.parse(path.read_text("utf-8"))
        texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        found = {text for text in texts if isinstance(text, str)} & names
        own = {
            one.key
            for one in MEASURES.values()
            if sys.modules[one.function.__module__].__file__ == str(path)
        }
        assert found <= own | allowed.get(path, set()), path


def test_help_does_not_import_the_measures() -> None:
    code = """
import sys
from ave_score.commands import run
run(["measures", "--help"])
print([name for name in sys.modules if name.startswith("ave_score.measures")])
"""
    assert process(command=program(code)).out.splitlines()[-1] == "[]"
