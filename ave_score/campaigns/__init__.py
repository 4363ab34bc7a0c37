"""A whole campaign: from one file to every table of an overview paper.

    plan       what a campaign file asks for: for each language its files, and the runs by name
    score      scores one language, run by run
    overview   the tables over all groups and languages
    pages      every file of the folder of results
    start      the file that `campaign init` writes

`commands.folder` writes the pages, and removes those of an earlier call.
"""
