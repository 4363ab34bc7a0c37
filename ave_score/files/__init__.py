"""Readers, one a file; each turns bytes into values of the model and adds findings as it goes.

| module       | reads                                                         |
|--------------|---------------------------------------------------------------|
| `source`     | bytes: files, gzip, xz, standard input                        |
| `lines`      | blocks of whole text lines; encoding, line ends, binary files |
| `columns`    | fields of a line, and where they stand                        |
| `collection` | AVE 2007/2008 XML; with `collection_builder`,                 |
|              | `collection_careful` and `doctype`                            |
| `key`        | gold labels for an unlabelled collection                      |
| `runs`       | AVE runs                                                      |
| `judged`     | judged question-answering runs                                |
| `groups`     | which group submitted which run                               |
| `scores`     | the scores of a verifier; with `score_lines` and `json_lines` |
"""
