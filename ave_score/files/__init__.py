"""Files: one module a kind, which recognises, reads, checks and describes it.

Under them are `source` (bytes), `encoding` and `lines` (text), `table` (columns), `positions`
(where something stands) and `placement` (rows put on the answers of a collection). A check returns
a value, or None where a finding forbids scoring, and the findings of each file that it read:
nothing is raised for a defect and nothing is printed. `api` raises, the command line renders.
"""
