"""The way of two minutes, from the home page to a move of one's own; and what a page becomes on paper.

The steps are written once, and gone by keys alone and by a pointer with scripts off. The Tab key reaches everything,
and at each stop the focus is seen: marked, within the window and under nothing else. A page is printed on A4, into
var/paper, to be looked at as well; each figure is given two marks before, where it begins and where it ends, and they
come to stand on one sheet.
"""

import base64
import io
import json
import re
import time
from collections.abc import Callable
from typing import Any, Protocol

from pypdf import PdfReader
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.proofs.running import Figures, demand
from tests.proofs.site_browser import Site, said, show, window
from tests.services.machine import ROOT

PATIENCE, MOST_STOPS = 30, 250  # seconds; stops of the Tab key on one page
RECORD, WORDS = "DLP.Evidence.692", "daramuti parker"
# What is wrong with the mark of the focus; nothing if all is well.
UNSEEN = """
const one = document.activeElement;
if (!one || one === document.body) return "nothing has the focus";
const style = getComputedStyle(one), own = one.getBoundingClientRect();
const seen = [...one.getClientRects()].map((box) => [
  Math.max(box.left, 0), Math.max(box.top, 0), Math.min(box.right, innerWidth), Math.min(box.bottom, innerHeight),
]).filter(([left, top, right, bottom]) => right > left && bottom > top);
if (!seen.length) return `it is not in the window, but at ${Math.round(own.left)}, ${Math.round(own.top)}`;
if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2) return "nothing marks it";
const free = seen.some(([left, top, right, bottom]) => {
  const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return there && (one.contains(there) || there.contains(one) || one.labels?.[0]?.contains(there));
});
return free ? "" : "something else lies upon it";
"""
NAMED = "return document.activeElement.outerHTML.slice(0, 160)"
REACHED = "return document.activeElement.matches(arguments[0])"


class Stopped(AssertionError):
    """The way cannot be gone on."""


class Hand(Protocol):
    """What a reader works a page with."""

    def show(self, selector: str) -> None: ...
    def press(self, selector: str) -> None: ...
    def write(self, selector: str, words: str) -> None: ...


class Keyboard:
    """stops: of the Tab key so far. unseen: stops at which the focus was not seen, and why"""

    def __init__(self, driver: Any) -> None:
        self.driver = driver
        self.stops = 0
        self.unseen: list[str] = []

    def show(self, selector: str) -> None:
        """What has the focus shows what belongs to it."""
        for _ in range(MOST_STOPS):
            self._strike(Keys.TAB)
            self.stops += 1
            if fault := self.driver.execute_script(UNSEEN):
                self.unseen.append(f"{self.driver.current_url}: {fault}: {self.driver.execute_script(NAMED)}")
            if self.driver.execute_script(REACHED, selector):
                return
        raise Stopped(f"no Tab key leads to {selector} on {self.driver.current_url}")

    def press(self, selector: str) -> None:
        self.show(selector)
        self._strike(Keys.ENTER)

    def write(self, selector: str, words: str) -> None:
        self.show(selector)
        self._strike(words)
        self._strike(Keys.ENTER)

    def _strike(self, keys: str) -> None:
        ActionChains(self.driver, duration=0).send_keys(keys).perform()


class Pointer:
    """A mouse, on pages that run no scripts."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def show(self, selector: str) -> None:
        self.press(selector)

    def press(self, selector: str) -> None:
        for one in self.driver.find_elements(By.CSS_SELECTOR, selector):
            if one.is_displayed():
                one.click()
                return
        raise Stopped(f"there is no {selector} on {self.driver.current_url}")

    def write(self, selector: str, words: str) -> None:
        box = self.driver.find_element(By.CSS_SELECTOR, selector)
        box.send_keys(words)
        box.submit() if not box.get_attribute("form") else box.send_keys(Keys.ENTER)


def keyboard(site: Site) -> Figures:
    """By keys alone, at the size of a desk."""
    with window() as driver:
        hand = Keyboard(driver)
        figures = _walked(driver, hand, site)
        figures |= {"stops": hand.stops, "unseen": hand.unseen}
    return _held(figures)


def no_scripts(site: Site) -> Figures:
    """With a pointer, on pages whose scripts do not run."""
    with window(scripts=False) as driver:
        figures = _walked(driver, Pointer(driver), site)
    return _held(figures)


def _held(figures: Figures) -> Figures:
    demand("stopped" not in figures, str(figures.get("stopped")), figures)
    demand(not figures.get("unseen"), f"{len(figures.get('unseen', ()))} stops are not seen", figures)
    demand(not figures["console"], "the console says something", figures)
    return figures


def _walked(driver: Any, hand: Hand, site: Site) -> Figures:
    """The address at which each step ended, what the console said, and why the way was not gone on."""
    figures: Figures = {"steps": {}}
    driver.get(f"{site.base}/")
    try:
        for step in STEPS:
            step(driver, hand)
            figures["steps"][step.__name__] = driver.current_url.removeprefix(site.base)
    except (Stopped, WebDriverException) as error:
        figures["stopped"] = f"{step.__name__}: {str(error).splitlines()[0]}"
    return figures | {"console": said(driver)}


def search(driver: Any, hand: Hand) -> None:
    """A name typed on the home page finds the record that is meant."""
    hand.write("main form[role=search] input[name=q]", WORDS)
    wait(driver, lambda: "/search/" in driver.current_url)


def record(driver: Any, hand: Hand) -> None:
    hand.press(f"main a[href='/evidence/{RECORD}/']")
    arrive(driver, f"/evidence/{RECORD}/")


def rule(driver: Any, hand: Hand) -> None:
    """Words of the quotation show the rule that they became."""
    hand.show(".quotation a.words")
    wait(driver, lambda: shown(driver, ".rules-read > :is(.lit, :target)"))


def answer(driver: Any, hand: Hand) -> None:
    """An open question of these words is answered otherwise, and is played."""
    hand.press("main a[href^='#q-']")
    wait(driver, lambda: shown(driver, ".rules-read > .question:target"))
    hand.press(".question:target button[name=take]")


def figure(driver: Any, hand: Hand) -> None:
    """A further bar stands beside the others, in a figure with an address of its own."""
    wait(driver, lambda: shown(driver, ".bars .what-if svg.bar"))
    wait(driver, lambda: "also=" in driver.current_url)


def comparison(driver: Any, hand: Hand) -> None:
    """The readings of this record compared, and who wins said first."""
    hand.press("main a[href^='/comparisons/']")
    arrive(driver, "/comparisons/")
    wait(driver, lambda: shown(driver, "main .who .finding"))


def ruleset(driver: Any, hand: Hand) -> None:
    hand.press("main a[href^='/rulesets/']")
    arrive(driver, "/rulesets/")


def players(driver: Any, hand: Hand) -> None:
    hand.press("main a[href$='/play-a-game/']")
    arrive(driver, "/play-a-game/")
    hand.press("main form.column button")
    wait(driver, lambda: "seed=" in driver.current_url)


def move(driver: Any, hand: Hand) -> None:
    """A move is made, and told."""
    hand.press(".moves button[name=move]")
    wait(driver, lambda: "moves=" in driver.current_url)
    wait(driver, lambda: shown(driver, "main .turns > li"))


STEPS: tuple[Callable[[Any, Hand], None], ...] = (
    search,
    record,
    rule,
    answer,
    figure,
    comparison,
    ruleset,
    players,
    move,
)


def arrive(driver: Any, words: str) -> None:
    wait(driver, lambda: words in driver.current_url)


def shown(driver: Any, selector: str) -> bool:
    return any(one.is_displayed() for one in driver.find_elements(By.CSS_SELECTOR, selector))


def wait(driver: Any, true: Callable[[], bool]) -> None:
    """A page that is being replaced is looked at again."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            if true() and driver.execute_script("return document.readyState") == "complete":
                return
        except WebDriverException:
            pass
        time.sleep(0.05)
    raise Stopped(f"waited in vain on {driver.current_url}")


PRINTED = ("evidence", "comparison", "batch")
FOLDER = ROOT / "var" / "paper"
PAPER = {"paperWidth": 8.27, "paperHeight": 11.69, "printBackground": True}  # inches: A4
MARK = "//mark.invalid/"
MARKED = """
const marked = [...document.querySelectorAll("main figure")].filter((one) => !one.querySelector("figure"));
marked.forEach((figure, place) => {
  figure.style.position = "relative";
  for (const [end, where] of [["begin", "top: 0; left: 0"], ["end", "bottom: 0; right: 0"]]) {
    const mark = document.createElement("a");
    mark.href = `${arguments[0]}${place}/${end}`;
    mark.textContent = "\\u00a0";
    mark.style = `position: absolute; ${where}; width: 4px; height: 4px; overflow: hidden`;
    figure.append(mark);
  }
});
return marked.map((one) => one.className || one.parentElement.className);
"""


def paper(site: Site) -> Figures:
    """Of each printed page: its sheets, its figures and where each stands; whether it says its own address."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    figures: Figures = {}
    printed = [name for name in PRINTED if name in site.types]
    demand(bool(printed), f"none of the printed pages ({', '.join(PRINTED)}) has the word {site.only!r}", figures)
    with window() as driver:
        for name in printed:
            figures[name] = _printed(driver, name, site.base + site.types[name])
    wrong = {name: one["wrong"] for name, one in figures.items() if one["wrong"]}
    demand(not wrong, json.dumps(wrong, ensure_ascii=False), figures)
    return figures


def _printed(driver: Any, name: str, address: str) -> Figures:
    show(driver, address)
    titles = driver.execute_script(MARKED, MARK)
    sheets = base64.b64decode(driver.execute_cdp_cmd("Page.printToPDF", PAPER)["data"])
    (FOLDER / f"{name}.pdf").write_bytes(sheets)
    read = PdfReader(io.BytesIO(sheets))
    width = float(read.pages[0].mediabox.width)
    marks = {uri: (sheet, box) for sheet, page in enumerate(read.pages, 1) for uri, box in _links(page)}
    wrong = []
    for place, title in enumerate(titles):
        begin, end = (marks.get(f"http:{MARK}{place}/{one}") for one in ("begin", "end"))
        if begin is None or end is None:
            if begin is not end:
                wrong.append(f"figure {place} ({title}) is cut off")
            continue  # it is not printed at all
        if begin[0] != end[0]:
            wrong.append(f"figure {place} ({title}) is on sheets {begin[0]} to {end[0]}")
        if min(begin[1][0], end[1][0]) < 0 or max(begin[1][2], end[1][2]) > width + 1:
            wrong.append(f"figure {place} ({title}) is wider than the sheet")
    text = re.sub(r"\s", "", read.pages[0].extract_text())
    if address not in text:
        wrong.append("it does not say its own address")
    return {"sheets": len(read.pages), "figures": titles, "marks": len(marks), "wrong": wrong}


def _links(page: Any) -> list[tuple[str, list[float]]]:
    """(address, its box in points) of each link on a sheet."""
    found = []
    for one in page.annotations or ():
        link = one.get_object()
        if (uri := link.get("/A", {}).get("/URI")) is not None:
            found.append((str(uri), [float(number) for number in link["/Rect"]]))
    return found
