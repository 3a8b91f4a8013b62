"""One browser for all tests of a process."""

from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome

from tests.browser.browsing import browser


@pytest.fixture(scope="session")
def driver() -> Iterator[Chrome]:
    with browser() as started:
        yield started
