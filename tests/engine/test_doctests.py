"""The examples in the docstrings of the engine's public names do what they say."""

import doctest
from importlib import import_module

import numpy as np
import pytest

from simulator import engine

MODULES = ("simulator.engine", *(f"simulator.engine.{name}" for name in sorted(engine._NAMES_BY_MODULE)))
EXAMPLES = [
    example
    for module in MODULES
    for example in doctest.DocTestFinder().find(import_module(module), extraglobs={"engine": engine, "np": np})
    if example.examples
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_the_example_does_what_it_says(example: doctest.DocTest) -> None:
    report: list[str] = []
    failed, _ = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=report.append)
    assert not failed, "".join(report)
