"""Mending runs: what is safe is mended, what decides something for the author only if asked for.

| module     | holds                                                   |
|------------|---------------------------------------------------------|
| `document` | a run as lines that can be changed, and nothing else is |
| `fixes`    | one fix for each rule that has one                      |
| `mend`     | check, fix what can be fixed, check again               |
| `diff`     | what was changed, as a unified diff                     |
"""
