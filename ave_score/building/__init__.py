"""From judged answers to a collection, as AVE's organisers built theirs.

| module       | step                                                                      |
|--------------|---------------------------------------------------------------------------|
| `words`      | what a word is, and which answers are the same                            |
| `candidates` | judged rows: repeated answers, answers contained in others, labels        |
| `passages`   | the passage of a document that supports an answer, for rows without a text |
| `build`      | all steps in their order, and what each took away                         |

Sources: Peñas, Rodrigo, Verdejo, *Overview of the Answer Validation Exercise 2007*, section 2;
Rodrigo, PhD thesis, UNED 2010, 3.2.2.
"""
