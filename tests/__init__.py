"""Tests; with AVE_SCORE_TESTS=thorough, property tests draw more examples."""

import os
from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature

import pytest

THOROUGH = os.environ.get("AVE_SCORE_TESTS") == "thorough"
"""Whether time does not matter."""

Test = Callable[..., None]


def examples(number: int, few: int | None = None) -> int:
    """Return how many examples to draw of those that a thorough run draws; a tenth, or a few."""
    return number if THOROUGH else few or max(6, number // 10)


def slow(case: object) -> object:
    """Return a case for `parametrize` that is marked slow."""
    return pytest.param(*(case if type(case) is tuple else (case,)), marks=pytest.mark.slow)


def mostly_slow(cases: Iterable[object], quick: int = 2) -> list[object]:
    """Return cases for `parametrize`, of which all but the first few are marked slow."""
    several = list(cases)
    return [*several[:quick], *(slow(one) for one in several[quick:])]


def each(names: str, cases: Iterable[object]) -> Callable[[Test], Test]:
    """Run a test for every case, as one test that names the case which fails.

    It is `pytest.mark.parametrize` for very many cases of a few milliseconds, where a test of its
    own for each would take longer than the test itself. All cases share their fixtures.
    """
    cases, parameters = list(cases), names.replace(" ", "").split(",")

    def decorate(test: Test) -> Test:
        @wraps(test)
        def run(**fixtures: object) -> None:
            assert cases
            for case in cases:
                values = case if isinstance(case, tuple) and len(parameters) > 1 else (case,)
                try:
                    test(**fixtures, **dict(zip(parameters, values, strict=True)))
                except BaseException as failure:
                    failure.add_note(f"with {names} = {case!r}")
                    raise

        kept = [one for one in signature(test).parameters.values() if one.name not in parameters]
        vars(run)["__signature__"] = signature(test).replace(parameters=kept)
        return run

    return decorate
