"""TIRA: the folder of a task to submit, and its evaluator.

The evaluator is `python3 -m ave_score.platforms.tira TRUTHS RUN OUTPUT`. `TRUTHS` has the
reference data, `RUN` what a system has written, and `OUTPUT` gets `evaluation.prototext`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

from ave_score.core.errors import UsageError
from ave_score.core.text import without_control
from ave_score.files.writers import written
from ave_score.platforms.bundle import COLLECTION, Bundled, Files, below, kit, reference
from ave_score.platforms.scored import exit_code, program, scored_in
from ave_score.reports.markdown import escaped
from ave_score.tasks.template import template

RUN = "run.jsonl"
"""The name of the template."""

SPLIT = "test"
"""The split of the data."""

_BASELINE = "FROM busybox:1.36\n"
"""The image of the baseline, which copies the template."""


def main(truths: str, run: str, output: str) -> int:
    """Score the run in a folder; return the exit code: 1 if there are no scores."""
    return program(
        lambda: scored_in(Path(truths), Path(run)),
        lambda result: {Path(output, "evaluation.prototext"): prototext(result.scores)},
    )


def prototext(scores: Mapping[str, float]) -> str:
    """Return scores as the platform reads them; its readers need these lines, and plain keys."""
    parts = (
        f"measure {{\n  key: {json.dumps(key)}\n  value: {json.dumps(str(value))}\n}}\n"
        for key, value in scores.items()
    )
    return "".join(parts)


def bundle(bundled: Bundled) -> Files:
    """Return the files of the folder of a task.

    Raises
    ------
    UsageError
        The campaign file names no image for the evaluator.
    InputError
        A file cannot be read.
    """
    image, title = bundled.plan.docker_image, without_control(bundled.title)
    if image is None:
        problem = "TIRA runs an image that has ave_score: name it as docker_image"
        raise UsageError(f"{problem} in {bundled.plan.path}")
    card = _card(bundled, image, title)
    text = (  # JSON is YAML
        f"---\n{json.dumps(card, ensure_ascii=False, indent=2)}\n---\n\n# {escaped(title)}\n\n"
        f"`inputs` has what systems read, `truths` what runs are scored with. A run is one file of "
        f"JSON Lines with the keys of the template, `inputs/{RUN}`.\n"
    )
    run_file = written(template(bundled.gold), "jsonl")
    inputs = {COLLECTION: kit(bundled)[COLLECTION], RUN: run_file}
    return {
        "README.md": text.encode(),
        **below("inputs", inputs),
        **below("truths", reference(bundled)),
        "baseline/Dockerfile": _BASELINE.encode(),
    }


def _card(bundled: Bundled, image: str, title: str) -> dict[str, object]:
    """Return the metadata of the dataset, with what TIRA runs on it."""
    run = {
        "name": "*.jsonl",
        "config": {
            "id_field": bundled.gold.standard.ids[-1],
            "value_field": "verdict",
            "minimum_lines": 1,
        },
    }
    any_format = {"name": "arbitrary"}
    return {
        "pretty_name": title,
        "configs": [
            {"config_name": name, "data_files": [{"split": SPLIT, "path": [f"{name}/*"]}]}
            for name in ("inputs", "truths")
        ],
        "tira_configs": {
            "resolve_inputs_to": "inputs",
            "resolve_truths_to": "truths",
            "default_upload_name": RUN,
            "input_format": any_format,
            "truth_format": any_format,
            "baseline": {
                "link": "baseline",
                "command": f"cp $inputDataset/{RUN} $outputDir/{RUN}",
                "format": run,
            },
            "evaluator": {
                "image": image,
                "command": "python3 -m ave_score.platforms.tira $inputDataset $inputRun $outputDir",
            },
        },
    }


if __name__ == "__main__":
    sys.exit(exit_code(main))
