"""A whole campaign: from one file to every table of an overview paper.

The way of the data, a module a step:

    plan       what a campaign file asks for, as tasks: `task` holds them, `finder` finds
               their files, `page_names` checks what pages would be called
    cache      remembers what was counted, by the hashes of what it was counted from
    count      checks and counts one file; `counted` holds what comes of it
    work       scores one language: run by run, and only what was not counted before
    overview   the tables over all groups and languages
    pages      every file of the folder of results
    start      the file that `campaign init` writes

`cli.folder` writes the pages, and takes away those of an earlier time.
"""
