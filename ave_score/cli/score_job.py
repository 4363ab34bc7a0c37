"""What `ave-score score` does: read, check, score run by run, render, write."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple

from ave_score.cli.files import check_written, whole_file
from ave_score.cli.intake import Intake
from ave_score.cli.names import run_names
from ave_score.cli.render import TABLE_FORMATS, render
from ave_score.errors import UsageError
from ave_score.formats.source import Source
from ave_score.labels import campaign_table, settle_unknown, settled_table
from ave_score.measures import Measure, parse_measures
from ave_score.model import Collection
from ave_score.reports.tables import sort_key
from ave_score.scoring import Kind, score
from ave_score.signature import Policies
from ave_score.text import counted

if TYPE_CHECKING:
    from ave_score.reports.per_question import PerQuestionWriter

TABLE_MEASURES, DATA_MEASURES = "ave2007", "all"


class Options(NamedTuple):
    """The options of one call, as given."""

    key: str | None
    qa: str | None
    groups: str | None
    campaign: str
    missing: str
    unknown: str
    format: str
    measures: str | None
    sort: str | None
    digits: int | None
    output: str
    per_question: str | None
    keep_going: bool

    @property
    def policies(self) -> Policies:
        """The choices that change figures."""
        return Policies(self.campaign, self.missing, self.unknown)

    def wanted(self) -> list[Measure]:
        """Return the measures asked for, or those that suit the format."""
        default = TABLE_MEASURES if self.format in TABLE_FORMATS else DATA_MEASURES
        return parse_measures(default if self.measures is None else self.measures)


def score_files(collection_path: str, run_paths: Sequence[str], options: Options) -> int:
    """Score runs against a collection and write what the options ask for; return the exit code."""
    measures = _checked(options)
    sources = [Source(path) for path in run_paths]
    names = run_names(sources)
    read = [collection_path, *run_paths, options.key, options.qa, options.groups]
    written = {"--output": options.output, "--per-question": options.per_question}
    check_written([path for path in read if path is not None], written)
    intake = Intake()
    collection = intake.collection(collection_path, options.key)
    groups = intake.groups(options.groups)
    settled = settle_unknown(collection, options.unknown)
    with ExitStack() as open_files:
        watch = _per_question(settled, options, open_files)
        runs = intake.runs(sources, names, settled.roster, options.missing)
        systems = intake.judged(options.qa, settled, options.campaign)
        scores = score(
            collection,
            map(watch.run, runs) if watch else runs,
            map(watch.judged, systems) if watch else systems,
            policies=options.policies,
            measures=measures,
            groups=groups,
        )
        if intake.refused and not options.keep_going:
            raise intake.refuse(_nothing_scored(intake.refused, sources, options))
        if not any(row.kind is not Kind.BASELINE for row in scores.rows):
            raise intake.refuse("nothing left to score")
        scores = scores._replace(left_out=intake.left_out)
        text = render(scores, options.format, options.sort, options.digits, options.output)
        open_files.enter_context(whole_file(options.output)).write(text)
    intake.show()
    return 1 if intake.refused else 0


def _nothing_scored(refused: int, sources: Sequence[Source], options: Options) -> str:
    """Return the last line of a command that refuses to score."""
    files = len(sources) + (options.qa is not None) + (options.groups is not None)
    hint = " (--keep-going scores the others)" if refused < files else ""
    return f"{refused} of {counted(files, 'file')} refused, nothing scored{hint}"


def _checked(options: Options) -> list[Measure]:
    """Find out what is wrong with the options before any file is read."""
    measures = options.wanted()
    campaign_table(options.campaign)
    if options.sort is not None:
        if options.format not in TABLE_FORMATS:
            raise UsageError(f"--sort orders tables; --format {options.format} has none")
        sort_key(options.sort, measures)
    return measures


def _per_question(
    collection: Collection, options: Options, open_files: ExitStack
) -> PerQuestionWriter | None:
    """Open the file of --per-question, which appears when all else has succeeded."""
    if options.per_question is None:
        return None
    from ave_score.reports.per_question import PerQuestionWriter

    out = open_files.enter_context(whole_file(options.per_question))
    lines = options.per_question.endswith(".jsonl")
    table = settled_table(options.campaign, options.unknown)
    return PerQuestionWriter(out, collection, table, lines=lines)
