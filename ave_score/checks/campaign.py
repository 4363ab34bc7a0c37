"""From a file to a campaign: what its settings are, not yet what they name."""

from __future__ import annotations

from ave_score.files.campaign import Campaign, read_campaign
from ave_score.files.source import Source
from ave_score.findings import Findings


def check_campaign(source: Source) -> tuple[Campaign | None, list[Findings]]:
    """Read a campaign file; None, with findings, where a setting is unusable.

    The files that it names, and the names of measures, are looked into when it is scored.
    """
    findings = Findings(source.path)
    campaign = read_campaign(source, findings)
    findings.skip("the files and measures that it names: ave-score campaign checks them")
    return campaign, [findings]
