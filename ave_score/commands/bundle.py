"""`ave-score bundle`: what a platform needs to run a task of a campaign."""

from __future__ import annotations

import click

from ave_score.commands.declared import Options, argument, command, file_option, option
from ave_score.commands.help import HelpGroup, Section
from ave_score.commands.input_files import show_problems
from ave_score.commands.types import FILE
from ave_score.core.errors import RefusedError
from ave_score.core.writing import whole_bytes, zipped


@click.group("bundle", cls=HelpGroup)
def bundle_command() -> None:
    """Write what a platform needs to run a task of a campaign.

    Exit codes: 0 success, 1 a file has errors, 2 could not run.
    """


class TiraOptions(Options):
    """The argument and options of `ave-score bundle tira`."""

    campaign: str = argument(metavar="CAMPAIGN", type=FILE)
    task: str | None = option(
        Section.INPUT,
        "The task, if CAMPAIGN has several.",
        metavar="EDITION/NAME",
        show_default="the only one",
    )
    output: str = file_option(
        Section.OUTPUT, "The folder, new or empty.", short="-o", default="bundle", metavar="FOLDER"
    )


@command(
    "tira",
    TiraOptions,
    examples={
        "Write a task to submit": "ave-score bundle tira campaign.toml -o ave-2026-en",
        "Choose one of several tasks": "ave-score bundle tira campaign.toml --task e/en",
    },
    what="bundled",
)
def tira_command(options: TiraOptions) -> int:
    """Write the folder of a task for TIRA: inputs, truths, evaluator, baseline.

    CAMPAIGN is a campaign file. The evaluator scores one run in the docker_image of CAMPAIGN. The
    name of the folder is that of the dataset; submit it by `tira-cli dataset-submission --path
    FOLDER --task TASK --split test`.

    Exit codes: 0 success, 1 a file has errors, 2 could not run.
    """
    from ave_score.platforms.bundle import bundled, write_folder
    from ave_score.platforms.tira import bundle

    write_folder(options.output, bundle(bundled(options.campaign, options.task)))
    return 0


class CodabenchOptions(TiraOptions):
    """The argument and options of `ave-score bundle codabench`."""

    wheels: str | None = file_option(
        Section.INPUT,
        "Folder with the wheels of ave-score and of what it needs, for a worker without network.",
        metavar="FOLDER",
    )
    output: str = file_option(Section.OUTPUT, "The bundle.", short="-o", default="bundle.zip")


@command(
    "codabench",
    CodabenchOptions,
    examples={
        "Write a bundle to upload": "ave-score bundle codabench campaign.toml -o bundle.zip",
        "Choose one of several tasks": "ave-score bundle codabench campaign.toml --task e/en",
    },
    what="bundled",
)
def codabench_command(options: CodabenchOptions) -> int:
    """Write a bundle for Codabench: pages, reference data, scoring program, leaderboard, kit.

    CAMPAIGN is a campaign file. The scoring program scores one run: it needs ave-score in the
    docker_image of CAMPAIGN, or --wheels. A bundle that would be refused is not written.

    Exit codes: 0 success, 1 a file has errors, 2 could not run.
    """
    from ave_score.platforms.bundle import bundled
    from ave_score.platforms.codabench import bundle
    from ave_score.platforms.codabench_check import check_bundle

    files = bundle(bundled(options.campaign, options.task), options.wheels)
    findings = check_bundle(files, options.output)
    if findings.errors:
        raise RefusedError("nothing written", [findings])
    with whole_bytes(options.output) as out:
        out.write(zipped(files))
    show_problems([findings])
    return 0


bundle_command.examples = {
    "Write a bundle for Codabench": "ave-score bundle codabench campaign.toml -o bundle.zip",
    "Write the folder of a task for TIRA": "ave-score bundle tira campaign.toml -o ave-2026-en",
}
bundle_command.add(
    {
        codabench_command: "Write a bundle for Codabench.",
        tira_command: "Write the folder of a task for TIRA.",
    }
)
