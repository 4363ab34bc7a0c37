"""Formats of findings, one module each: a `Report` becomes text; nothing is printed here.

| module       | content                                                      |
|--------------|--------------------------------------------------------------|
| `report`     | selects the findings to list; the input of every format      |
| `concise`    | lines `path:line:column CODE message`                        |
| `full`       | the same with the source line, a caret and help              |
| `summary`    | contents of files and counts by rule, the end of both        |
| `document`   | JSON with all fields of the findings                         |
| `github`     | workflow commands, annotations of a pull request             |
| `gitlab`     | GitLab Code Quality report                                   |
| `sarif`      | SARIF 2.1.0                                                  |
| `junit`      | JUnit XML                                                    |
| `markdown`   | Markdown tables                                              |
| `paths`      | relative paths and URIs, ASCII JSON                          |
| `rule_text`  | explanations of rules                                        |
"""
