"""AVE91x: logs of other programs with the scores of verifiers."""

from __future__ import annotations

from ave_score.kinds import FileKind
from ave_score.rules.rule import ERROR, WARNING, Rule, only_runs

_LOG = """\
{
  "version": 2,
  "status": "success",
  "eval": {"task": "sums"},
  "samples": [
    {"id": "q1", "epoch": 1, "input": "What is 2+2?", "output": {"completion": "4"},
     "scores": {"match": {"value": "C"}, "judge": {"value": 0.9}}},
    {"id": "q1", "epoch": 2, "input": "What is 2+2?", "output": {"completion": "5"},
     "scores": {"match": {"value": "I"}, "judge": {"value": 0.4}}}
  ]
}
"""
_CHOICES = """\
{"doc_id": 0, "target": "1", "filter": "none", "arguments": {"gen_args_0": {"arg_0": "2+2 =", \
"arg_1": " 5"}, "gen_args_1": {"arg_0": "2+2 =", "arg_1": " 4"}}, "resps": [[["-2.5", "False"]], \
[["-0.5", "True"]]], "filtered_resps": [["-2.5", "False"], ["-0.5", "True"]], "acc": 1.0}
"""

LOG_UNUSABLE = Rule(
    "AVE910",
    "log-unusable",
    ERROR,
    "{where} is {found}, expected {expected}",
    "Correct the log, or write the scores as JSON Lines; docs/decide.md shows both.",
    explanation=(
        "A part of the log that says which answer a score belongs to is missing or of another "
        "type. It is not guessed, because another answer would be selected. Usual causes: a log "
        "that was edited, a program that was stopped, or a version of its format that is not "
        "known."
    ),
    example_of=FileKind.SCORES,
    wrong=_LOG.replace('"epoch": 2', '"epoch": "second"'),
    right=_LOG,
    fix=only_runs("only the program that wrote the log knows the value."),
)
ANSWER_UNSCORED = Rule(
    "AVE911",
    "answer-unscored",
    ERROR,
    "the answer has no scores{failed}",
    "Run it again (`inspect eval-retry LOG`), score it (`inspect score LOG`), or leave out its "
    "question.",
    explanation=(
        "Without a score the answer cannot be ranked. Leaving it out would change what pass@k and "
        "best-of-N mean for its question. Usual cause: a sample that failed."
    ),
    example_of=FileKind.SCORES,
    wrong=_LOG.replace(
        '"scores": {"match": {"value": "I"}, "judge": {"value": 0.4}}}', '"scores": null}'
    ),
    right=_LOG,
    fix=only_runs("only the verifier knows the score."),
)
PARTLY_CORRECT = Rule(
    "AVE912",
    "partly-correct",
    WARNING,
    "{where} is P, partly correct: the answer gets the label UNKNOWN",
    "Nothing to do if these answers should count as neither correct nor incorrect.",
    explanation=(
        "Inspect counts a partly correct answer as half a correct one; a label is VALIDATED or "
        "REJECTED. Like an inexact answer of QA campaigns, it becomes UNKNOWN: validation leaves "
        "it out, and selecting it is not correct. Accuracy therefore differs from Inspect's."
    ),
    example_of=FileKind.SCORES,
    wrong=_LOG.replace('"value": "I"', '"value": "P"'),
    right=_LOG,
    fix=only_runs("only the author knows whether it is correct."),
)
LOG_UNFINISHED = Rule(
    "AVE913",
    "log-unfinished",
    WARNING,
    "the status of the evaluation is {found}: answers may be missing",
    "Finish the evaluation (`inspect eval-retry LOG`), or keep in mind what is missing.",
    explanation=(
        "Inspect writes the status success when every sample is done. In the log of an evaluation "
        "that failed, was cancelled or is still running, some questions have fewer answers, or "
        "none, and nothing else shows that."
    ),
    example_of=FileKind.SCORES,
    wrong=_LOG.replace('"success"', '"cancelled"'),
    right=_LOG,
    fix=only_runs("the evaluation has to be finished."),
)
TARGET_CONTRADICTED = Rule(
    "AVE914",
    "target-contradicted",
    ERROR,
    "{metric} is {found}, but by target {target!r} the best choice is {expected}",
    "Write the choices as JSON Lines with q_id, score and correct.",
    explanation=(
        "In a log of lm-evaluation-harness, target is the number of the correct choice, from 0, "
        "and the metric tells whether the choice with the highest log-likelihood is the correct "
        "one. If both disagree, target means something else in this task, such as a text that is "
        "itself a number, and the labels would be wrong."
    ),
    example_of=FileKind.SCORES,
    wrong=_CHOICES.replace('"acc": 1.0', '"acc": 0.0'),
    right=_CHOICES,
    fix=only_runs("only the task knows which choice is correct."),
)
