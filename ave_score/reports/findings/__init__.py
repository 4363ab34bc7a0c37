"""Formats of findings, one a file: each turns a `Report` into text; nothing here prints.

| module       | makes                                                        |
|--------------|--------------------------------------------------------------|
| `report`     | what is listed of many findings: what all others render      |
| `concise`    | `path:line:column CODE message`, a line each                 |
| `full`       | the same with the offending line, a caret and help           |
| `summary`    | what a file holds, counts by rule: the end of these two      |
| `document`   | everything as JSON                                           |
| `github`     | workflow commands that annotate a pull request               |
| `gitlab`     | a Code Quality report                                        |
| `sarif`      | SARIF 2.1.0                                                  |
| `junit`      | JUnit's XML                                                  |
| `markdown`   | tables for a page, or the summary of a workflow              |
| `places`     | paths and URIs as these want them                            |
| `rule_text`  | a rule explained                                             |
"""
