"""`ave-score orders`: compare the orders of runs by two measures, or under two gold standards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ave_score.commands import Section
from ave_score.commands.options import (
    DIGITS,
    FORMAT,
    KEY,
    NO_JOBS,
    OUTPUT,
    RunsOptions,
    argument,
    command,
    file_option,
    measures,
    policies,
    selection,
    tables,
)
from ave_score.commands.output_files import write_report
from ave_score.commands.types import FILE
from ave_score.core.errors import UsageError
from ave_score.core.open_questions import OpenGold

if TYPE_CHECKING:
    from ave_score.core.policies import Policies
    from ave_score.files.source import Naming
    from ave_score.inference.units import Gold
    from ave_score.rules import Told


class OrdersOptions(RunsOptions):
    """The arguments and options of one call."""

    least_runs = 2

    collection: str = argument(type=FILE)
    runs: tuple[str, ...] = argument(nargs=-1, metavar="RUN RUN...", type=FILE)
    other: str | None = file_option(
        Section.INPUT,
        "A collection with other labels of the same answers: compare the orders by each "
        "measure under both; COLLECTION is the reference.",
    )
    key: str | None = KEY
    policies: Policies = policies("campaign", "missing", "unknown", "ties", "epochs", "logs")
    measures: str | None = measures(
        "Measures; each two orders are compared, and the first is the reference.",
        default="f1,qa_accuracy; others for QA systems and pairs",
    )
    digits: int | None = DIGITS
    format: str = FORMAT
    output: str = OUTPUT
    told: Told = selection()
    naming: Naming = tables()
    jobs: int | None = NO_JOBS

    def check_gold(self, gold: Gold) -> None:
        """Raise `UsageError` for answer sets, before any response is read."""
        if isinstance(gold, OpenGold):
            raise UsageError("responses to open questions have no orders to compare")

    def check(self) -> None:
        """Raise `UsageError` for options that conflict, before any file is read."""
        from ave_score.tasks.orders import check_orders
        from ave_score.tasks.subjects import wanted_measures

        if self.measures is not None:
            check_orders(wanted_measures(self.measures), has_other=self.other is not None)


@command(
    "orders",
    OrdersOptions,
    examples={
        "Compare the orders by two measures": ("ave-score orders gold.xml runs -m f1,qa_accuracy"),
        "Compare the orders under other labels": (
            "ave-score orders gold.xml runs --other gold2.xml"
        ),
    },
    usual="other columns missing ties measures format output",
    what="compared",
)
def orders_command(options: OrdersOptions) -> int:
    """Compare the orders of RUNs by two measures, or under two gold standards.

    Shows Kendall's tau-b and tau-AP of two orders, and the pairs of RUNs that are swapped. Tau-AP
    (Yilmaz et al., SIGIR 2008) weighs swaps at the top most, and the reference says which of two
    RUNs is better. csv has one row per two orders. COLLECTION and RUNs are as in `ave-score score`.

    Exit codes: 0 success, 1 a file has errors, 2 could not run.
    """
    from ave_score.commands.input_files import RunFiles, ended
    from ave_score.reports.orders import orders_report
    from ave_score.tasks.orders import orders

    files = RunFiles(options)
    gold, subjects = files.read_all()
    other = None if options.other is None else files.inputs.collection(options.other)
    policies = options.policies
    compared = orders(gold, subjects, measures=options.measures, other=other, policies=policies)
    write_report(orders_report(compared, options.digits), options.format, options.output)
    return ended(files.inputs)
