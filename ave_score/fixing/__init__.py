"""Fixing runs: what is safe is fixed, what decides something for the author only if asked for.

| module     | holds                                                                          |
|------------|--------------------------------------------------------------------------------|
| `document` | a run as lines that can be changed, and what was changed as a unified diff     |
| `fixes`    | one fix for each rule that has one                                             |
| `fix`      | check, fix what can be fixed, check again                                      |
"""
