"""Figures of scores: the numbers first, then words for them, then the drawing.

| module        | makes                                                                    |
|---------------|--------------------------------------------------------------------------|
| `data`        | what each figure shows, as plain values                                  |
| `bars`        | the bars of rows of scores                                               |
| `curves`      | curves and bins of confidences                                           |
| `words`       | title and description of each figure, for those who do not see it        |
| `sheet`       | a figure to draw on, measured in inches, and text that is shown literally |
| `look`        | colours, line styles and hatches that are told apart in grey, too        |
| `draw_bars`   | bars, and differences with intervals                                     |
| `draw_curves` | curves, and ties against error rate                                      |
| `draw_bins`   | reliability diagrams                                                     |
| `saving`      | a drawing as the bytes of an SVG, PNG or PDF file                        |

Only `sheet`, `look`, `draw_*` and `saving` know matplotlib, and import it when something is drawn.
"""
