"""Score a campaign: from one file to all tables of an overview paper.

    plan       resolve the files and run names of each language
    score      score one language, run by run
    overview   tables over all groups and languages
    pages      the files of the results folder
    start      the template that `campaign init` writes

`commands.folder` writes the pages and removes those of the previous call.
"""
