"""What the proofs of the site ask of a browser: a window of a size, a scheme, a page that has come to rest."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# Of every page from its beginning: how much its layout shifts without anybody doing anything, and when it was drawn.
WATCH = """
window.shifted = 0; window.drawn = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted += one.value;
}).observe({ type: "layout-shift", buffered: true });
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) window.drawn = one.startTime;
}).observe({ type: "largest-contentful-paint", buffered: true });
"""
AT_REST = """
const done = arguments[arguments.length - 1];
document.fonts.ready.then(() => requestAnimationFrame(() => requestAnimationFrame(() => done())));
"""


@contextmanager
def window(width: int = 1400, height: int = 900, scripts: bool = True) -> Iterator[Any]:
    """A browser in which every page is watched. scripts: whether pages run any"""
    from tests.browser.browsing import browser

    with browser(scripts) as driver:
        driver.set_script_timeout(120)
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
        size(driver, width, height)
        yield driver


def size(driver: Any, width: int, height: int = 900) -> None:
    wish = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", wish)


def scheme(driver: Any, name: str) -> None:
    """name: light or dark"""
    wish = {"features": [{"name": "prefers-color-scheme", "value": name}]}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", wish)


def show(driver: Any, address: str) -> None:
    driver.get(address)
    driver.execute_async_script(AT_REST)


def lengthen(driver: Any, width: int) -> None:
    """The window as long as the page that it shows."""
    size(driver, width, int(driver.execute_script("return document.documentElement.scrollHeight")))


def said(driver: Any) -> list[str]:
    """What the console was told since it was asked last. That nothing is there is no fault of the page that says so."""
    messages = [one["message"] for one in driver.get_log("browser")]
    return [one for one in messages if "the server responded with a status of 4" not in one]
