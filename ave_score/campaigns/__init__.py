"""Score a campaign: from one file to all tables of an overview paper.

    plan       resolve the files and run names of each language
    times      read the times of submission, once for all languages
    entries    who submitted what, and notes on teams
    limits     what is late or too much, and what tables say about it
    score      score one language, run by run
    compared   differences between the runs of a language
    overview   tables over all teams and languages
    pages      the tables and lists of the results folder
    site       its pages in HTML
    teams      what each team gets
    mails      the text of a team for a mail
    start      the template that `campaign init` writes

`commands.folder` writes the pages and removes those of the previous call.
"""
