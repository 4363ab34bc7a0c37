"""Small logs, written by hand in the shapes of the programs that write them."""

from __future__ import annotations

import io
import json
import struct
import zipfile

Answer = tuple[str, int, str, object, object]
"""Sample id, epoch, answer, value of the scorer match, value of the scorer judge."""

ANSWERS: list[Answer] = [
    ("sum", 1, "4", "C", 0.75), ("capital", 1, "Rome", "I", 0.5), ("sum", 2, "5", "I", 0.25),
    ("capital", 2, "Lyon", "I", 0.125), ("sum", 3, "6", "N", 0.875),
    ("capital", 3, "Paris", "C", 0.5),
]  # fmt: skip
"""By judge, 6 is the best sum and Rome (or Paris) the best capital."""

QUESTIONS = {"sum": "What is 2+2?", "capital": "What is the capital of France?"}


def sample(answer: Answer) -> dict[str, object]:
    """Return a sample as Inspect AI writes it."""
    sample_id, epoch, text, match, judge = answer
    return {
        "id": sample_id,
        "epoch": epoch,
        "input": QUESTIONS[sample_id],
        "target": "4",
        "output": {
            "model": "none",
            "choices": [{"message": {"role": "assistant", "content": text}}],
            "completion": text,
        },
        "scores": {"match": {"value": match, "answer": text}, "judge": {"value": judge}},
        "metadata": {},
    }


def inspect_log(answers: list[Answer] = ANSWERS, status: str = "success") -> str:
    """Return a log of Inspect AI as a JSON document."""
    log = {
        "version": 2,
        "status": status,
        "eval": {"task": "tiny", "task_file": "/etc/passwd"},
        "results": {"total_samples": len(answers)},
        "samples": [sample(answer) for answer in answers],
        "reductions": [{"samples": [{"sample_id": "sum"}]}],
    }
    return json.dumps(log, indent=2)


def packed(
    members: dict[str, str],
    compression: int = zipfile.ZIP_DEFLATED,
    *,
    as_method: int | None = None,
) -> bytes:
    """Return an archive; `as_method` enters another compression method without using it."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, text in members.items():
            archive.writestr(zipfile.ZipInfo(name), text, compression)
    data = stream.getvalue()
    if as_method is not None:
        method = struct.pack("<H", compression)
        for start, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
            parts = data.split(start)
            wanted = offset - 4
            parts[1:] = [
                part[:wanted] + struct.pack("<H", as_method) + part[wanted + 2 :]
                for part in parts[1:]
                if part[wanted : wanted + 2] == method
            ]
            data = start.join(parts)
    return data


def eval_members(answers: list[Answer] = ANSWERS, status: str = "success") -> dict[str, str]:
    members = {"_journal/start.json": json.dumps({"version": 2, "eval": {"task": "tiny"}})}
    for answer in answers:
        members[f"samples/{answer[0]}_epoch_{answer[1]}.json"] = json.dumps(
            sample(answer), indent=2
        )
    members["summaries.json"] = "[]"
    members["header.json"] = json.dumps({"version": 2, "status": status})
    return members


def choices(
    doc_id: int, texts: list[str], likelihoods: list[str], target: str, **more: object
) -> dict[str, object]:
    """Return a line of multiple choice as lm-evaluation-harness writes it."""
    pairs = [[value, "False"] for value in likelihoods]
    return {
        "doc_id": doc_id,
        "doc": {"id": doc_id},
        "target": target,
        "arguments": {
            f"gen_args_{number}": {"arg_0": f"Question {doc_id}?", "arg_1": f" {text}"}
            for number, text in enumerate(texts)
        },
        "resps": [[pair] for pair in pairs],
        "filtered_resps": pairs,
        "filter": "none",
        "metrics": ["acc"],
    } | more


def responses(doc_id: int, texts: list[str], **more: object) -> dict[str, object]:
    """Return a line of generated text as lm-evaluation-harness writes it."""
    return {
        "doc_id": doc_id,
        "doc": {"id": doc_id},
        "target": "1",
        "arguments": {"gen_args_0": {"arg_0": f"Question {doc_id}?", "arg_1": {"until": ["\n"]}}},
        "resps": [texts],
        "filtered_resps": texts[:1],
        "filter": "none",
        "metrics": ["exact_match"],
    } | more


def lines(*objects: object) -> str:
    return "".join(json.dumps(one) + "\n" for one in objects)


CHOICES = lines(
    choices(0, ["yes", "certainly not"], ["-3.0", "-6.5"], "1", acc=0.0),
    choices(1, ["no", "sometimes"], ["-1.0", "-2.25"], "0", acc=1.0),
)
"""Right by log-likelihood: the second only. By log-likelihood per character: the first only."""

NESTED = lines(
    {
        "question_id": 1,
        "question": "What is 2+2?",
        "samples": [
            {"text": "4", "scores": {"prm": 0.9, "orm": 0.2}, "correct": True},
            {"text": "5", "scores": {"prm": 0.1, "orm": 0.30}, "correct": False},
        ],
    },
    {
        "question_id": "b", "answers": ["Rome", "Paris"],
        "scores": {"prm": [1, 2], "orm": [3.50, 2]}, "correct": [False, True],
    },
    {"q_id": "c", "answer": "7", "scores": {"prm": 0, "orm": -1e-3}, "correct": None},
)  # fmt: skip
"""Three shapes with the scores of two verifiers."""
