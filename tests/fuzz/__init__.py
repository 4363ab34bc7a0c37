"""A fuzzing harness: damaged files against every reader, against fixing and converting.

A reader may report findings, or raise the documented `InputError` or `DefectError`; anything else
that it raises is a crash. Two seconds of work on a megabyte are a hang, and no file may take more
than 64 MiB and 20 bytes for each of its bytes. A fixed run is fixed again without a change, nothing
that could be fixed is left in it, and one that was sound says what it said. What failed is printed
as short as it could be made; the exit code is 1 then. An input that ends the process is left as
`last` in a folder `fuzz-...` among the temporary files.
"""
