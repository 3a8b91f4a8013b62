"""One browser for all tests of a process, and half of the tests each day: a page takes a browser long."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from tests import choice
from tests.browser.browsing import browser


@pytest.hookimpl(trylast=True)  # when thorough tests are left out
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    here = [one for one in items if Path(__file__).parent in one.path.parents]
    if len({one.path for one in here}) > 1:  # who names one file wants all of it
        chosen = choice.half_of_the_day(here)
        others = [one for one in here if one not in chosen]
        config.hook.pytest_deselected(items=others)
        items[:] = [one for one in items if one not in others]


@pytest.fixture(scope="session")
def driver() -> Iterator[Chrome]:
    with browser() as started:
        yield started
