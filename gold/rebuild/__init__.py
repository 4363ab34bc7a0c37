"""Reconstructs AVE collections and runs from their published counts and scores.

Run from the root of the repository: ``python -m gold.rebuild`` (``--check`` only compares).

The way of the data, a module a step:

    published    reads the printed figures
    figures      finds the integer counts behind the printed figures of a run
    shapes       finds how many answers of each label every question has
    judgements   says which QA system gave which answer
    phrases      reads the invented world that the questions of a language ask about
    texts        finds answers and supporting texts in that world
    collection   joins all of that into a collection
    decisions    makes the decisions of an answer validation run
    pairs        makes a collection of pairs of a text and a hypothesis instead
    pair_runs    makes the decisions of a run of such pairs
    answering    makes the judged answers of runs that may leave questions unanswered
    verify       recomputes every published figure from what was built
    writers      turns collections and runs into the text of files

``editions`` has as data what differs between the years. ``chance`` is the only source of
randomness. The package imports nothing of the program that will score its output: data and
scorer must not share a mistake.
"""
