"""Renderers, one a file: each turns scores, or findings, into text; nothing here prints.

| module         | makes                                                       |
|----------------|-------------------------------------------------------------|
| `tables`       | rows in their order, cells as text: what the next three set |
| `terminal`     | tables for people                                           |
| `markdown`     | the same for a web page                                     |
| `latex`        | the same for a paper                                        |
| `csv_scores`   | one row a run for other programs, unrounded                 |
| `json_scores`  | everything, unrounded                                       |
| `per_question` | one row a run and question                                  |
| `look`         | how text is to look where it goes                           |
| `plots`        | figures                                                     |
| `findings`     | what is wrong with files, in many formats                   |
"""
