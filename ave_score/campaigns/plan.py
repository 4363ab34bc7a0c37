"""From a campaign file to what is to be done."""

from __future__ import annotations

import os

from ave_score import rules
from ave_score.campaigns.finder import Finder
from ave_score.campaigns.page_names import check_names
from ave_score.campaigns.task import Plan
from ave_score.counts import run_families
from ave_score.errors import UsageError
from ave_score.files.campaign import Edition, read_campaign
from ave_score.files.source import Source
from ave_score.findings import Findings
from ave_score.measures import Measure, parse_measures


def make_plan(source: Source) -> tuple[Plan | None, Findings]:
    """Read a campaign file and find what it names; None where the file forbids to go on."""
    findings = Findings(source.path)
    campaign = read_campaign(source, findings)
    if campaign is None:
        return None, findings
    folder = os.path.dirname(source.path) if source.path != "-" else ""
    check_names(campaign, findings)
    tasks = []
    for edition in campaign.editions:
        measures = _measures(edition, findings)
        for language in edition.languages:
            tasks.append(Finder(folder, edition, language, findings).task(measures))
    output = os.path.join(folder, campaign.output)
    title = campaign.title or "Campaign"
    return (None if findings.errors else Plan(source.path, title, output, tasks)), findings


def check_output(plan: Plan, output: str) -> None:
    """Raise `UsageError` where results would lie among runs, and be taken for some."""
    whole = os.path.join(os.path.realpath(output), "")
    for task in plan.tasks:
        for folder in task.run_folders:
            if whole.startswith(os.path.join(os.path.realpath(folder), "")):
                raise UsageError(
                    f"{output} lies among the runs of {folder}; name another folder for the results"
                )
        for run in task.every_run:
            if os.path.realpath(run.path).startswith(whole):
                raise UsageError(
                    f"{output} holds the run {run.path}; name another folder for the results"
                )


def _measures(edition: Edition, findings: Findings) -> list[Measure]:
    named = edition.measures
    if named is None:
        return []
    try:
        return parse_measures(named, run_families())
    except UsageError as error:
        facts = {"where": f"editions.{edition.name}", "name": "measures", "found": named}
        expected = f"names of measures: {error}"
        findings.add(rules.SETTING_UNUSABLE, edition.measures_line, **facts, expected=expected)
        return []
