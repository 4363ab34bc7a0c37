"""Figures of scores; the data and the words of each are plain records, which `paint` draws.

| module        | holds                                                                       |
|---------------|-----------------------------------------------------------------------------|
| `figure`      | words, curves on square axes, strokes                                       |
| `rows`        | rankings, bars, and differences with intervals                              |
| `scales`      | axes with round ticks, and short names                                      |
| `curves`      | ROC, precision-recall and risk-coverage curves; c@1 over thresholds         |
| `reliability` | reliability diagrams                                                        |
| `ties`        | ties against error rate                                                     |
| `best_of_n`   | the accuracy of choices over the number of candidates                       |
| `painted`     | figures painted when they are shown or written                              |
| `paint`       | all of them drawn by matplotlib, which is imported only there               |
| `run_figure`  | the figure of runs that are scored                                          |

The title and the text of a figure describe it to screen readers. Pages
(`ave_score.pages`) draw rows, curves and diagrams, too.
"""

from ave_score.core.errors import UsageError

FIGURES = (
    "bars",
    "roc",
    "precision-recall",
    "reliability",
    "reliability-mass",
    "risk-coverage",
    "generalised-risk",
    "threshold",
)
"""The figures of scores; the first is the default."""


def check_figure(name: str) -> None:
    """Raise `UsageError` for a name that is none of `FIGURES`."""
    if name not in FIGURES:
        raise UsageError(f"no figure {name!r}, only {', '.join(FIGURES)}")


SUFFIXES = ("svg", "png", "pdf")
"""The file name extensions of figures, which are also the formats."""


def plot_format(path: str) -> str:
    """Return the format of a file by its extension: svg, png or pdf.

    Raises `UsageError` for any other extension, and if matplotlib is not installed.
    """
    suffix = path.rpartition(".")[2].lower() if "." in path else ""
    if suffix not in SUFFIXES:
        allowed = ", ".join(f".{known}" for known in SUFFIXES)
        raise UsageError(f"a figure is written to a file that ends in {allowed}, not to {path!r}")
    from importlib.util import find_spec

    if find_spec("matplotlib") is None:
        raise UsageError("drawing needs matplotlib: pip install matplotlib")
    return suffix
