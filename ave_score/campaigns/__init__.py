"""Score a campaign: from one file to all tables of an overview paper.

    plan       resolve the files and run names of each language
    score      score one language, run by run
    compared   differences between the runs of a language
    overview   tables over all groups and languages
    pages      the tables and lists of the results folder
    site       its pages in HTML
    teams      what each team gets
    start      the template that `campaign init` writes

`commands.folder` writes the pages and removes those of the previous call.
"""
