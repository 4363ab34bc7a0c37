"""Reports: what a command found, and the formats that it can be written in; nothing here prints.

| module            | what it holds                                             |
|-------------------|-----------------------------------------------------------|
| `report`          | a report: tables, a document, records                     |
| `formats`         | the formats, one record each                              |
| `terminal`        | tables in a terminal                                      |
| `markdown`        | tables on a web page                                      |
| `latex`           | tables in a paper                                         |
| `columns`         | what a line has no space for: heads wrap, columns continue |
| `html`            | tables in a notebook                                      |
| `csv_text`        | records as CSV                                            |
| `json_text`       | documents as JSON                                         |
| `style`           | width and colours of where text goes                      |
| `data`            | a document described once: JSON, its schema, CSV          |
| `score`, `compare`, `stats`, ... | the report of each feature                 |
| `per_question`    | a row for each run and question                           |
| `measure_text`    | measures explained                                        |
| `plots`           | figures                                                   |
| `findings`        | what is wrong with files, in formats of their own         |
"""
