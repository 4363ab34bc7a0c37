"""The documentation: its examples run, its tables are generated from the records."""

from __future__ import annotations

import doctest
import io
import json
import os
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import click
import duckdb
import pyarrow.parquet
import pytest

import ave_score
from ave_score import Policies, commands, rules
from tests import slow
from tests.conftest import ROOT
from tests.helpers_command import output
from tests.helpers_files import put
from tools import generate
from tools.own import own_files

PAGES = [*generate.GENERATED, "docs/how-to/scripts.md", "docs/reference/policies.md"]
"""Pages made from records, and two with commands. `python -m tools.generate --check` has all."""


@pytest.mark.parametrize("name", [name for name in PAGES if "reproduction" not in name])
def test_page_equals_the_output_of_the_program(name: str) -> None:
    """`python -m tools.generate` fixes a page that differs; read the difference first."""
    assert (ROOT / name).read_text("utf-8") == generate.page(name)


def test_pages_have_the_titles_of_the_navigation() -> None:
    site = (ROOT / "zensical.toml").read_text("utf-8")
    pages = re.findall(r'\{ "(.+)" = "(.+\.md)" \}', site)
    assert len(pages) == len(own_files("docs", ".md"))
    for title, page in pages:
        first = (ROOT / "docs" / page).read_text("utf-8").partition("\n")[0]
        assert first == f"# {'ave_score' if page == 'index.md' else title}"


def test_blocks_below_a_marker_share_a_new_folder_and_the_exit_code() -> None:
    page = """<!-- folder: copy/gold.xml=gold/tiny.xml -->
<!-- file: notes/a.txt -->

```text
first
```

```console
$ cat notes/a.txt && ls copy
$ echo second > notes/a.txt; false
$ echo $?
$ cat notes/a.txt
```
"""
    generated = generate.with_output(page)
    assert generated.partition("```console")[2].splitlines()[2:] == [
        "first", "gold.xml", "$ echo second > notes/a.txt; false", "$ echo $?", "1",
        "$ cat notes/a.txt", "second", "```",
    ]  # fmt: skip
    assert generate.with_output(generated) == generated
    assert not (ROOT / "notes").exists()


@pytest.mark.parametrize(("asked", "page"), [
    ("late submission", "how-to/campaign.md"),
    ("deadline", "how-to/campaign.md"),
    ("baseline", "how-to/score.md"),
    ("against", "how-to/compare.md"),
])  # fmt: skip
def test_a_search_finds_the_page_by_its_headings(asked: str, page: str) -> None:
    """The search of the site ranks words of headings first."""
    headings = re.findall(r"(?m)^##* (.*)", (ROOT / "docs" / page).read_text("utf-8"))
    assert any(asked in heading.lower() for heading in headings)


def test_readme_is_short_and_has_examples_that_run() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    steps = ["Clone", "pip install .", "score gold/", "Now your own files", "pip install -e"]
    assert [text.count(step) for step in steps] == [1] * len(steps)
    assert sorted(steps, key=text.index) == steps and len(text.split()) < 900
    assert len(re.findall(r"^```console$", text, re.M)) >= 6


@pytest.mark.parametrize(("page", "least"), [
    ("README.md", 5),
    slow(("docs/how-to/integrations.md", 3)),
    slow(("docs/how-to/best-of-n.md", 6)),
    ("docs/how-to/figures.md", 6),
    ("docs/how-to/frames.md", 11),
    slow(("docs/tutorials/notebook.md", 40)),
    slow(("docs/reference/python.md", 18)),
])  # fmt: skip
def test_python_examples(page: str, least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    bin_folder = str(Path(sys.executable).parent)
    monkeypatch.setenv("PATH", os.pathsep.join([bin_folder, os.environ["PATH"]]))
    text = (ROOT / page).read_text("utf-8")
    blocks = re.findall(r"^```pycon\n(.*?)^```$", text, re.M | re.S)
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page, None, None)
    assert len(examples.examples) >= least
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    with generate.new_folder(text.partition("```pycon")[0]) as folder:
        monkeypatch.chdir(folder)
        assert runner.run(examples).failed == 0
        monkeypatch.chdir(ROOT)
    assert doctest.testmod(ave_score).failed == 0


def test_page_about_python_names_everything_public_and_every_command() -> None:
    page = (ROOT / "docs/reference/python.md").read_text("utf-8")
    for name in dir(ave_score):
        assert f"`{name}`" in page
    for name in commands.COMMANDS:
        assert f"`{name}`" in page


def test_the_page_about_checks_names_every_level_of_rules_and_every_kind_of_file() -> None:
    page = (ROOT / "docs/how-to/check.md").read_text("utf-8")
    (table,) = re.findall(r"^\| codes \| about \|\n((?:\|.*\n)+)", page, re.M)
    levels = [code.replace("x", r"\d") for code in re.findall(r"AVE\d[\dx]x", table)]
    for code in rules.RULES:
        assert any(re.fullmatch(level, code) for level in levels), code
    (kinds,) = re.findall(r"^\| `--kind KIND` \|.*", page, re.M)
    assert {*re.findall(r"`([a-z-]+)`", kinds)} == {*rules.FileKind}


OPENCOMPASS = "results/ada/gsm8k.json"


@pytest.mark.skipif(shutil.which("jq") is None, reason="RECIPES ARE NOT RUN, they need jq")
def test_recipes_make_judged_files_of_what_other_programs_write(here: Path) -> None:
    """By hand: 2 of 3 are right. The files have the keys that the programs write."""
    docs = [
        {"doc": {"id": str(n), "query": "?"}, "metric": {"extractive_match": float(n != 1)}}
        for n in range(3)
    ]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(docs), "details_gsm8k.parquet")
    stats = [
        {"instance_id": f"id{n}", "train_trial_index": trial, **perturbed, "stats": [
            {"name": {"name": "exact_match", "split": "test"}, "count": 1, "mean": float(n != 1)},
            {"name": {"name": "num_output_tokens", "split": "test"}, "count": 1, "mean": 5.0},
        ]}
        for n in range(3) for trial in (0, 1) for perturbed in ({}, {"perturbation": {"seed": 0}})
    ]  # fmt: skip
    Path("per_instance_stats.json").write_text(json.dumps(stats))
    of_pairs = {"id": [0, 1, 2], "subset": ["a", "a", "b"], "results": [1, 0, 1], "model": "ada"}
    Path("scores.json").write_text(json.dumps(of_pairs))
    Path("instances.txt").write_text("astropy__astropy-1\ndjango__django-2\ndjango__django-3\n")
    resolved = {"no_generation": [], "resolved": ["astropy__astropy-1", "django__django-3"]}
    Path("results.json").write_text(json.dumps(resolved))
    details = {str(n): {"predictions": "4", "correct": n != 1} for n in range(3)}
    Path(OPENCOMPASS).parent.mkdir(parents=True)
    put(Path(), json.dumps({"accuracy": 66.7, "details": {"type": "GEN", **details}}), OPENCOMPASS)
    page = (ROOT / "docs/how-to/grades.md").read_text("utf-8")
    recipes = re.findall(r"(?m)^```sh\n(.*)\n```$", page)
    assert len(recipes) == 5
    for recipe in recipes:
        program, query = recipe.split(maxsplit=1)
        if program == "duckdb":
            duckdb.sql(query.partition('"')[2].rpartition('"')[0])
        else:
            subprocess.run(recipe, shell=True, check=True)
        (row,) = ave_score.score("ada.jsonl").rows
        assert (row.run, row.values["answering_accuracy"]) == ("ada", Fraction(2, 3))


KINDS = """collection collection collection key run run answers collection judged teams
    teams times clusters questions answer-sets responses qrels trec-run scores scores scores"""
"""What the examples of docs/reference/formats.md and scores.md are, in their order."""


def test_examples_of_files_are_read_as_their_kind(tmp_path: Path) -> None:
    pages = [ROOT / "docs/reference" / name for name in ("formats.md", "scores.md")]
    page = "".join(one.read_text("utf-8") for one in pages)
    blocks = re.findall(r"^```(?!console)\w+\n(.*?)^```$", page, re.M | re.S)
    for kind, text in zip(KINDS.split(), blocks, strict=True):
        path = put(tmp_path, text, "example")
        if kind == "clusters":
            gold = {"q_id": ["1", "2"], "a_id": ["a", "b"], "label": ["VALIDATED"] * 2}
            assert ave_score.read_clusters(path, ave_score.read_collection(gold)).of
            continue
        checked = ave_score.check(path, kind=kind)
        assert not checked.findings, (text, checked.findings)
        assert checked.contents, text


def test_the_page_about_campaign_files_names_every_setting() -> None:
    page = (ROOT / "docs/reference/campaign-file.md").read_text("utf-8")
    for text in re.findall(r"^```toml\n(.*?)^```$", page, re.M | re.S):
        assert not ave_score.check(io.BytesIO(text.encode()), kind="campaign").findings.errors, text
    sections = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", page, re.M | re.S))
    named = {name: {*re.findall(r"^\| `(\w+)` \|", text, re.M)} for name, text in sections.items()}
    for section, head in {
        "The file": "{} = {{}}\n[editions.a.languages.b]\n",
        "An edition": "[editions.a]\n{} = {{}}\n[editions.a.languages.b]\n",
        "A language": "[editions.a.languages.b]\n{} = {{}}\n",
    }.items():
        for name in {*named[section], "nonsense"} - {"editions", "languages", "collection"}:
            text = head.format(name) + 'collection = "c.xml"\n'
            found = ave_score.check(io.BytesIO(text.encode()), kind="campaign").findings
            is_unknown = any("has no setting" in one.message for one in found)
            assert is_unknown == (name == "nonsense"), (name, found)
    in_template = {*re.findall(r"^(?:# )?(\w+) += ", output("campaign", "init"), re.M)}
    settings = {name for names in named.values() for name in names} - {"editions", "names"}
    assert in_template == settings
    for policy in Policies.records().values():
        for choice in policy.choices if policy.setting is not None else ():
            assert f'`"{choice}"`' in sections["A language"]
    for share in ave_score.Shared:
        assert f'`"{share}"`' in sections["The file"]


def test_rules_are_distinct_and_explained() -> None:
    assert len({rule.name for rule in rules.RULES.values()}) == len(rules.RULES)
    for rule in rules.RULES.values():
        assert re.fullmatch(r"AVE[1-9]\d\d", rule.code)
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", rule.name) and rule.message
        assert rule.help[-1] in ".?"


def test_documents_name_every_option() -> None:
    pages = [page for page in generate.PAGES if "reference/command-line" not in page]
    texts = [(ROOT / page).read_text("utf-8") for page in pages]
    context = click.Context(commands.app)
    made = [commands.app.get_command(context, name) for name in commands.COMMANDS]
    made += [
        one for group in made if isinstance(group, click.Group) for one in group.commands.values()
    ]
    for command in made:
        assert command is not None
        assert any(re.search(f"ave-score .*{command.name}", text) for text in texts)
        for parameter in command.params:
            for option in parameter.opts:
                if option.startswith("--"):
                    assert any(option in text for text in texts), option


def test_the_page_of_a_command_has_or_names_every_option() -> None:
    """An option that is as in `ave-score score` is named there only."""
    context = click.Context(commands.app)
    for name in commands.COMMANDS:
        page = (ROOT / f"docs/reference/command-line/{name}.md").read_text("utf-8")
        group = commands.app.get_command(context, name)
        for command in (group, *getattr(group, "commands", {}).values()):
            assert command is not None
            for parameter in command.params:
                options = [option for option in parameter.opts if option.startswith("--")]
                assert all(option in page for option in options), (name, options)


def test_pages_link_to_files_that_exist() -> None:
    for page in own_files(suffix=".md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page}: {target}"
