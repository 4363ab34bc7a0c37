"""`python -m ave_score`."""

from ave_score.commands import main

main()
