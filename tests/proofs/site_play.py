"""The board while it is played: nothing jumps, the focus stays, and nobody is shown motion who wants none.

jump: ten moves of two games, at three scroll positions and two widths by a pointer, and by keys alone. After each move
the page stands where it stood, and its board too, and the focus is where it was. motion: ten moves of a reader who
wishes to see little motion; nothing on the page is animated then, nor on the home page.
"""

import time
from collections.abc import Iterator
from typing import Any

from selenium.webdriver.common.keys import Keys

from tests.proofs.running import Figures, demand
from tests.proofs.site_browser import Site, each, show, size, window

GAMES = {
    "on points": "/rulesets/niranchy-ludovisi/play-a-game/?players=you,you&seed=9",
    "in holes": "/rulesets/kalah-reference/play-a-game/?players=you,you&seed=1",
}
MOVES, PATIENCE, REST = 10, 30, 1.0  # seconds
SIZES = {1400: 900, 375: 812}
SCROLLED = (0, 60, 150)
PLIES = "return document.querySelector('dl.facts dd:nth-of-type(2)').textContent"
STILL = "return !document.querySelector('.moving')"
STANDS = """
const board = document.querySelector("[data-board]").getBoundingClientRect();
return { scrolled: Math.round(scrollY), board: Math.round(board.top), high: Math.round(board.height) };
"""
# The places of the first move that there is, by name; none of a pass, or of a throw.
PLACES = """
const one = document.querySelector("[data-moves] [data-places]");
return one ? one.dataset.places.split(" ").filter(Boolean) : null;
"""
MIDDLE = """
const box = document.querySelector(`[data-board] [data-place="${arguments[0]}"]`).getBoundingClientRect();
return [box.x + box.width / 2, box.y + box.height / 2];
"""
FOCUS = "document.querySelector(`[data-board] [data-place='${arguments[0]}']`).focus({ preventScroll: true })"
FOCUSED = "return document.activeElement.dataset.place ?? document.activeElement.tagName"
ANIMATED = "return document.getAnimations().length + document.querySelectorAll('.moving').length"
LITTLE = {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}


def jump(site: Site) -> Figures:
    """Of each game and width, and of the keyboard: how many moves were made, and what moved that should not."""
    figures: Figures = {}
    with window() as driver:
        driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", LITTLE
        )  # a board that moves takes its time, not the page's
        for name, address in each(GAMES):
            for width, height in SIZES.items():
                size(driver, width, height)
                for scrolled in SCROLLED:
                    show(driver, site.base + address)
                    driver.execute_script("scrollTo(0, arguments[0])", scrolled)
                    figures[f"{name}, {width} px, scrolled {scrolled}"] = _played(driver, _click)
                show(driver, site.base + address)
                figures[f"{name}, {width} px, by keys"] = _played(driver, _press)
    wrong = {name: one["jumps"] for name, one in figures.items() if one["jumps"]}
    few = {name: one["moves"] for name, one in figures.items() if one["moves"] < MOVES}
    demand(not wrong, f"the page jumps: {wrong}", figures)
    demand(not few, f"not {MOVES} moves were made: {few}", figures)
    return figures


def motion(site: Site) -> Figures:
    """How many animations there were after each of ten moves, and on the home page."""
    with window() as driver:
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", LITTLE)
        show(driver, f"{site.base}/")
        figures: Figures = {"home": driver.execute_script(ANIMATED)}
        for name, address in each(GAMES):
            show(driver, site.base + address)
            figures[name] = [driver.execute_script(ANIMATED) for _ in _moves(driver, _click)]
    moved = {name: one for name, one in figures.items() if (any(one) if isinstance(one, list) else one)}
    demand(not moved, f"something moves although the reader wants no motion: {moved}", figures)
    return figures


def _played(driver: Any, point: Any) -> Figures:
    made, jumps = 0, []
    before = driver.execute_script(STANDS)
    for made, last in enumerate(_moves(driver, point), start=1):
        focused = _focused(driver, last)
        now = driver.execute_script(STANDS)
        if now != before:
            jumps.append(f"move {made}: {before} became {now}")
        if last and focused != last:
            jumps.append(f"move {made}: the focus went from {last} to {focused}")
        before = now
    return {"moves": made, "jumps": jumps}


def _focused(driver: Any, wanted: str) -> str:
    """What has the focus when the new board has come to rest."""
    deadline = time.monotonic() + REST
    while (focused := str(driver.execute_script(FOCUSED))) != wanted and time.monotonic() < deadline:
        time.sleep(0.03)
    return focused


def _moves(driver: Any, point: Any) -> Iterator[str]:
    """Make ten moves, each the first that there is; of each the place that was pointed to last, empty of a pass."""
    for _ in range(MOVES):
        places = driver.execute_script(PLACES)
        if places is None:
            return
        plies = driver.execute_script(PLIES)
        if not places:
            driver.execute_script("document.querySelector('[data-moves] [data-places]').click()")
        for place in places:
            point(driver, place)
            if driver.execute_script(PLIES) != plies:
                break
        _wait(driver, plies)
        yield places[-1] if places else ""


def _click(driver: Any, place: str) -> None:
    """Where the place is seen: the driver's own click would scroll it into view first."""
    x, y = driver.execute_script(MIDDLE, place)
    for kind in ("mousePressed", "mouseReleased"):
        press = {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
        driver.execute_cdp_cmd("Input.dispatchMouseEvent", press)


def _press(driver: Any, place: str) -> None:
    driver.execute_script(FOCUS, place)
    driver.switch_to.active_element.send_keys(Keys.ENTER)


def _wait(driver: Any, plies: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if driver.execute_script(PLIES) != plies and driver.execute_script(STILL):
            return
        time.sleep(0.03)
    raise AssertionError(f"no move was made after {plies} on {driver.current_url}")
