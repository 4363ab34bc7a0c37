"""What pip writes as the console script `ave-score`, which tests start as a process."""

from ave_score.__main__ import script

script()
