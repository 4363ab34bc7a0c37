"""Figures of scores; each module has the data, the text and the drawing of a figure.

| module        | holds                                                                       |
|---------------|-----------------------------------------------------------------------------|
| `sheet`       | figures measured in inches, styles, text that fits, output files            |
| `bars`        | the bars of rows of scores, and differences with intervals                  |
| `curves`      | ROC, precision-recall and risk-coverage curves; c@1 over thresholds         |
| `reliability` | reliability diagrams                                                        |
| `ties`        | ties against error rate                                                     |
| `best_of_n`   | the accuracy of choices over the number of candidates                       |

The title and the text of a figure describe it to screen readers. Matplotlib is imported only for
drawing.
"""

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
