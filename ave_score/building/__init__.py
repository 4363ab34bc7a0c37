"""Build a collection from judged answers, as the organisers of AVE did.

| module       | step                                                                      |
|--------------|---------------------------------------------------------------------------|
| `words`      | tokenises text and normalises answers                                     |
| `candidates` | merges repeated and contained answers, and assigns labels                 |
| `passages`   | extracts supporting text from documents, for rows without a text          |
| `build`      | runs all steps in order, and counts the answers that each removes         |

Sources: Peñas, Rodrigo, Verdejo, *Overview of the Answer Validation Exercise 2007*, section 2;
Rodrigo, PhD thesis, UNED 2010, 3.2.2.
"""
