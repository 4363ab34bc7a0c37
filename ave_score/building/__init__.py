"""From judged answers to a collection, as AVE's organisers built theirs.

| module          | step                                                            |
|-----------------|-----------------------------------------------------------------|
| `candidates`    | judged rows on their way: what is compared, and in which order  |
| `words`         | what is a word, and which answers are the same                  |
| `texts`         | supporting texts for rows that name only a document             |
| `extraction`    | the passage of a document that holds an answer                  |
| `stop_words`    | words of a question that no passage is chosen for               |
| `merging`       | repeated answers, and answers contained in others               |
| `labelling`     | judgements become labels                                        |
| `built`         | what comes of it, and what each step took away                  |
| `build`         | all steps in their order                                        |

Sources: Peñas, Rodrigo, Verdejo, *Overview of the Answer Validation Exercise 2007*, section 2;
Rodrigo, PhD thesis, UNED 2010, 3.2.2.
"""
