"""How soon a page is drawn, and how soon a further bar stands in the figure of a record.

speed: all of a page loaded and its largest part painted, in a browser that was there before. bars: from the click on
another answer until its bar stands beside the others, for ten answers of as many records as there are; what was played
before is there at once, so a site is to be asked once only.
"""

import time
from collections.abc import Iterator
from statistics import median
from typing import Any

from tests.proofs.running import Figures, demand
from tests.proofs.site_browser import Site, each, show, window

TIMES, MOST = 3, 1000  # views of a page after the first; milliseconds
DRAWN = "return Math.max(window.drawn, performance.getEntriesByType('navigation')[0].loadEventEnd)"


def speed(site: Site) -> Figures:
    """Milliseconds until each page was drawn: the median of three views, the first of all left out."""
    figures: Figures = {}
    with window() as driver:
        for name, address in each(site.pages):
            views = []
            for _ in range(TIMES + 1):
                show(driver, site.base + address)
                views.append(driver.execute_script(DRAWN))
            figures[name] = round(median(views[1:]))
    slow = {name: one for name, one in figures.items() if one >= MOST}
    demand(not slow, f"not drawn within {MOST} ms: {slow}", figures)
    return figures


CLICKS, LONGEST_WAIT = 10, 3.0  # clicks; seconds
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
    demand(len(seconds) == CLICKS, "there are not so many answers to take", figures)
    demand(figures["most"] < LONGEST_WAIT, f"a bar took {figures['most']} s", figures)
    return figures


def _answers(driver: Any, site: Site) -> list[tuple[str, str]]:
    """(address of a record, word of an answer): one of each record in turn, until there are enough."""
    of_records = []
    for address in site.records.values():
        driver.get(f"{site.base}{address}")
        of_records.append([(driver.current_url, word) for word in driver.execute_script(OFFERED)])
    return list(_in_turn(of_records))[:CLICKS]


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
