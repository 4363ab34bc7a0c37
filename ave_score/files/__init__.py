"""Files: one module per kind, which reads, checks and describes it.

They use `source` (bytes), `encoding` and `lines` (text), `table` (columns), `positions` (of
findings) and `placement` (rows aligned with the answers of a collection). A check returns a value,
or None if a finding prevents scoring, and the findings of each file that it read. Defects raise
nothing and nothing is printed: `api` raises, the command line prints.
"""
