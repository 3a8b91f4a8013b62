"""How long a reader waits for a further bar: from the click on another answer until its bar stands beside the others.

Ten answers of as many records as there are. What was played before is there at once: ask a site once only.
"""

import time
from collections.abc import Iterator
from statistics import median
from typing import Any

from tests.proofs.running import Figures, demand
from tests.proofs.site_browser import window
from tests.proofs.site_pages import Site

TIMES, MOST = 10, 3.0  # clicks; seconds
CLICK = "document.querySelector(`button[name=take][value='${arguments[0]}']`).click()"
OFFERED = "return [...document.querySelectorAll('button[name=take]')].map((one) => one.value)"
STANDS = "return Boolean(document.querySelector('.bars .what-if svg.bar'))"


def bars(site: Site) -> Figures:
    """Seconds of each click."""
    with window() as driver:
        seconds = {word: _waited(driver, address, word) for address, word in _answers(driver, site)}
    figures = {
        "clicks": len(seconds),
        "median": round(median(seconds.values()), 2),
        "most": round(max(seconds.values()), 2),
        "seconds": {word: round(one, 2) for word, one in seconds.items()},
    }
    demand(len(seconds) == TIMES, "there are not so many answers to take", figures)
    demand(figures["most"] < MOST, f"a bar took {figures['most']} s", figures)
    return figures


def _answers(driver: Any, site: Site) -> list[tuple[str, str]]:
    """(address of a record, word of an answer): one of each record in turn, until there are enough."""
    of_records = []
    for address in site.records.values():
        driver.get(f"{site.base}{address}")
        of_records.append([(driver.current_url, word) for word in driver.execute_script(OFFERED)])
    return list(_in_turn(of_records))[:TIMES]


def _in_turn(lists: list[list[tuple[str, str]]]) -> Iterator[tuple[str, str]]:
    for place in range(max(map(len, lists), default=0)):
        yield from (one[place] for one in lists if place < len(one))


def _waited(driver: Any, address: str, word: str) -> float:
    driver.get(address)
    begun = time.perf_counter()
    driver.execute_script(CLICK, word)
    while not driver.execute_script(STANDS):
        assert time.perf_counter() - begun < 60, f"the bar of {word} does not come"
        time.sleep(0.02)
    return time.perf_counter() - begun
