"""`python -m ave_score`."""

from ave_score.cli import main

main()
