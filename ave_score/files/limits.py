"""How much is read at a time, and how much a file may hold."""

from __future__ import annotations

from ave_score.core.errors import InputError

CHUNK = 1 << 16
"""Bytes read at a time; larger chunks are slower because they do not fit into the CPU cache."""

LARGER = 1 << 18
"""Bytes read at a time where each chunk is worked on with numpy."""

MAX_BYTES = 8 << 30
"""Bytes that a compressed file or a pipe may hold, against decompression bombs."""

MAX_RATIO, MAX_BEYOND = 200, 64 << 20
"""A compressed file may unpack to 200 times its size, and in any case to 64 MiB: runs and
collections compress to between a tenth and a hundredth of their size, bombs to a thousandth."""


def check_unpacked(path: str, size: int, packed: int, most: int | None = None) -> None:
    """Raise `InputError` if what is packed has too many bytes, or far more than it takes.

    Parameters
    ----------
    path
        The file.
    size
        The bytes that are unpacked, or would be.
    packed
        The bytes that they are packed in.
    most
        The bytes that are allowed; by default `MAX_BYTES`.

    Raises
    ------
    InputError
        There are more than `most`, or more than `MAX_BEYOND` and `MAX_RATIO` times `packed`.
    """
    most = MAX_BYTES if most is None else most
    if size > most:
        raise InputError(path, f"unpacks to more than {most >> 30} GiB")
    if size > MAX_BEYOND and size > MAX_RATIO * packed:
        raise InputError(path, f"unpacks to more than {MAX_RATIO} times its size")
