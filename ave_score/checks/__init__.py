"""From files to values that can be scored, with everything that was found on the way.

Each check returns the value, or None where a finding forbids scoring, and the findings of each file
that it read; nothing is raised for a defect and nothing is printed. `api` raises, the command line
renders.
"""
