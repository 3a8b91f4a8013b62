"""Every type of page in its shell: axe in light and dark, width, shift of the layout, console, requests, size.

Of contrasts that axe cannot resolve those of single signs, and of letters within drawings, are left out: the tokens'
contrasts are held by `tests/catalogue/test_pages_style.py`.

axe-core comes from the npm registry when the proof is run (`npm pack`): nothing else here needs Node.
"""

import gzip
import json
import subprocess
import tarfile
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from tests.proofs.running import Figures, demand

AXE, GAMES = "axe-core@4", "400"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
ADDRESSES = (
    "/", "/evidence/", "/evidence/DLP.Evidence.692/", "/map/", "/timeline/", "/places/", "/sources/", "/terms/",
    "/games/", "/games/daramuti/", "/rulesets/", "/rulesets/daramuti-parker/", "/compare/", "/compare/?game=daramuti",
    "/comparisons/", "/batches/", "/findings/", "/claims/", "/questions/", "/studies/", "/data/", "/about/",
    "/about/style/", "/search/?q=which+games+are+played+with+dice", "/search/?q=restricted+mean",
)  # fmt: skip
WIDTHS = (1400, 800, 375, 320)
LARGEST = 150_000  # bytes of a page, packed
SHIFT, HEAD = 0.05, 64
SHIFTED = """
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted += one.value;
}).observe({ type: "layout-shift", buffered: true });
"""
RUN = """
const done = arguments[arguments.length - 1];
axe.run(document, { runOnly: arguments[0], resultTypes: ["violations", "incomplete"] }).then((found) => done({
  violations: found.violations.map((one) => `${one.id}: ${one.nodes[0].target} (${one.nodes.length})`),
  contrasts: found.incomplete.filter((one) => one.id === "color-contrast").flatMap((one) => one.nodes)
    .map((node) => `${node.any[0].data.messageKey}: ${node.target}`)
    .filter((one) => !/^(shortTextContent|nonBmp|imgNode)|: (svg|text)\\b/.test(one)),
}));
"""
LOOK = """
return {
  wide: document.documentElement.scrollWidth,
  head: document.querySelector(".masthead").offsetHeight,
  shift: window.shifted,
  outside: performance.getEntriesByType("resource").map((one) => one.name)
    .filter((one) => !one.startsWith(location.origin)),
};
"""


@cache
def axe() -> str:
    """The checker as one script."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["npm", "pack", "--silent", AXE], cwd=folder, check=True, capture_output=True, timeout=120)
        (archive,) = Path(folder).glob("*.tgz")
        with tarfile.open(archive) as files:
            script = files.extractfile("package/axe.min.js")
            assert script is not None
            return script.read().decode("utf-8")


def measured(base: str, addresses: tuple[str, ...] = ADDRESSES) -> Figures:
    from tests.browser.browsing import browser

    found: Figures = {}
    with browser() as driver:
        driver.set_script_timeout(60)
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": SHIFTED})
        for address in addresses:
            found[address] = {"packed": _packed(base + address), "console": []}
            for width in WIDTHS:
                size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
                driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
                driver.get(base + address)
                driver.execute_async_script("document.fonts.ready.then(arguments[0])")
                found[address][str(width)] = driver.execute_script(LOOK)
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {**size, "width": WIDTHS[0]})
            found[address]["console"] = [one["message"] for one in driver.get_log("browser")]
            for scheme in ("light", "dark"):
                wish = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
                driver.execute_cdp_cmd("Emulation.setEmulatedMedia", wish)
                driver.execute_script(axe())
                found[address][scheme] = driver.execute_async_script(RUN, TAGS)
    return found


def _packed(address: str) -> int:
    """Bytes of the page as it is sent to whoever takes it packed."""
    request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request, timeout=60) as response:
        body = response.read()
        with suppress(gzip.BadGzipFile):
            gzip.decompress(body)
        return len(body)


def shell(machine: Any) -> Figures:
    """Every type of page, with 400 games of each reading played."""
    from tests.proofs.site import ROOT, site

    for slug in sorted(path.stem for path in (ROOT / "fixtures" / "rulesets").glob("*.json")):
        machine.manage("simulate", slug, "--games", GAMES, "--inline", "--json")
    with site(machine) as base:
        figures = measured(base)
    said = {address: faults for address, one in figures.items() if (faults := list(wrong(one)))}
    demand(not said, json.dumps(said), figures)
    return figures


def wrong(figures: Figures) -> Iterator[str]:
    """What of one address does not hold."""
    for scheme in ("light", "dark"):
        for kind, said in figures[scheme].items():
            if said:
                yield f"axe, {scheme}, {kind}: {json.dumps(said)}"
    for width in WIDTHS:
        one: dict[str, Any] = figures[str(width)]
        if one["wide"] > width:
            yield f"at {width} px it is {one['wide']} px wide"
        if one["shift"] >= SHIFT:
            yield f"at {width} px its layout shifts by {one['shift']:.3f}"
        if one["head"] > HEAD:
            yield f"at {width} px its head is {one['head']} px high"
        if one["outside"]:
            yield f"it asks {one['outside'][0]}"
    if figures["console"]:
        yield f"the console says {figures['console'][0]}"
    if figures["packed"] > LARGEST:
        yield f"it is {figures['packed']:,} bytes large"
