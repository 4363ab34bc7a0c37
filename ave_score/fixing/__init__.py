"""Fixing runs. Unsafe fixes, which decide something for the author, are opt-in.

| module     | holds                                                                          |
|------------|--------------------------------------------------------------------------------|
| `document` | a run as editable lines, and the changes as a unified diff                     |
| `fixes`    | one fix for each rule that has one                                             |
| `fix`      | check, fix what can be fixed, check again                                      |
"""
