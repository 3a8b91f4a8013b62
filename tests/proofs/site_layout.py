"""Every type of page and every record in four widths: nothing wider than the window, cut, moved, missing or heavy."""

import json
from collections.abc import Iterator

from tests.proofs.running import Figures, demand
from tests.proofs.site_browser import said, show, size, window
from tests.proofs.site_pages import Site, each

WIDTHS = (1400, 800, 375, 320)
HEAVIEST = 150_000  # bytes of a page with all that it needs but typefaces, packed
SHIFT, HEAD = 0.05, 64
LINES = {1400: 2, 375: 3}  # of the heading, at most
# What is cut: a picture that an element around it hides a part of, other than one that can be scrolled by keys.
LOOK = """
const shown = [...document.querySelectorAll("main :is(img, svg, canvas)")].filter((one) => one.getClientRects().length);
const cut = (one) => {
  const own = one.getBoundingClientRect();
  for (let around = one.parentElement; around && around !== document.body; around = around.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(around);
    const frame = around.getBoundingClientRect();
    const wide = own.left < frame.left - 1 || own.right > frame.right + 1;
    const high = own.top < frame.top - 1 || own.bottom > frame.bottom + 1;
    if (overflowX !== "visible" || overflowY !== "visible") {
      const scrolls = [overflowX, overflowY].includes("auto");
      if (scrolls && (around.tabIndex >= 0 || around.querySelector("a, button"))) return false;
      if (around.matches(".visually-hidden")) return false;
      if (wide || high) return true;
    }
    if (around.matches("figure") && wide) return true;
  }
  return false;
};
const named = (one) => `${one.tagName.toLowerCase()} of ${one.closest("figure, section, li")?.className || "the page"}`;
const heading = document.querySelector("h1:not(.promise h1)");  // a promise may be large
const fetched = performance.getEntriesByType("resource").map((one) => one.name);
return {
  wide: document.documentElement.scrollWidth,
  head: document.querySelector(".masthead")?.offsetHeight ?? 0,
  lines: heading ? Math.round(heading.offsetHeight / parseFloat(getComputedStyle(heading).lineHeight)) : 0,
  shift: window.shifted,
  cut: shown.filter(cut).map(named),
  missing: [...document.images].filter((one) => one.complete && !one.naturalWidth).map((one) => one.src),
  outside: fetched.filter((one) => !one.startsWith(location.origin) && !one.startsWith("data:")),
  needs: fetched.filter((one) => one.startsWith(location.origin) && !one.endsWith(".woff2")),
};
"""


def layout(site: Site) -> Figures:
    """Of each page and width what it measures; what its console says."""
    figures: Figures = {}
    with window() as driver:
        for name, address in each(site.pages):
            figures[name] = {}
            for width in WIDTHS:
                size(driver, width)
                show(driver, site.base + address)
                look = driver.execute_script(LOOK)
                needs = {one.removeprefix(site.base) for one in look.pop("needs")}
                figures[name][str(width)] = look | {"bytes": sum(map(site.packed, {address, *needs}))}
            figures[name]["console"] = said(driver)
    wrong = {name: list(_wrong(one)) for name, one in figures.items() if list(_wrong(one))}
    demand(not wrong, json.dumps(wrong, ensure_ascii=False), figures)
    return figures


def _wrong(figures: Figures) -> Iterator[str]:
    for width in WIDTHS:
        one = figures[str(width)]
        if one["wide"] > width:
            yield f"at {width} px it is {one['wide']} px wide"
        if one["shift"] >= SHIFT:
            yield f"at {width} px its layout shifts by {one['shift']:.3f}"
        if one["head"] > HEAD:
            yield f"at {width} px its head is {one['head']} px high"
        if one["lines"] > LINES.get(width, one["lines"]):
            yield f"at {width} px its heading has {one['lines']} lines"
        if one["bytes"] > HEAVIEST:
            yield f"at {width} px it weighs {one['bytes']:,} bytes"
        for kind in ("cut", "missing", "outside"):
            if one[kind]:
                yield f"at {width} px {kind}: {one[kind][0]} ({len(one[kind])})"
    if figures["console"]:
        yield f"the console says {figures['console'][0]}"
