"""A whole campaign: from one file to every table of an overview paper.

The way of the data, a module a step:

    plan       finds the files that a campaign file names
    cache      remembers what was counted, by the hashes of what it was counted from
    counted    what was counted of a file, and found in it
    work       checks and scores the runs of one language
    overview   the tables over all groups and languages
    pages      every file of the folder of results
    start      the file that `campaign init` writes

`cli.folder` writes the pages, and takes away those of an earlier time.
"""
