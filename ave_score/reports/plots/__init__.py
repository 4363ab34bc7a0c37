"""Figures of scores, a module a family: its exact numbers, words for them, and how it is drawn.

| module        | holds                                                                       |
|---------------|-----------------------------------------------------------------------------|
| `sheet`       | a figure measured in inches, its styles, text that fits, and its file       |
| `bars`        | the bars of rows of scores, and differences with intervals                  |
| `curves`      | ROC, precision-recall and risk-coverage curves                              |
| `reliability` | reliability diagrams                                                        |
| `ties`        | ties against error rate                                                     |

The title and the text of a figure are for those who do not see it. Matplotlib is imported when
something is drawn.
"""

FIGURES = ("bars", "roc", "precision-recall", "reliability", "risk-coverage")
"""The figures of scores; the first one is drawn where none is asked for."""
