"""The pages of all records: words, rule, board and bars in one view; no page too long, too wide or cut."""

import json
from collections.abc import Iterator

from tests.proofs.running import Figures, demand
from tests.proofs.site_browser import said, show, size, window
from tests.proofs.site_pages import Site

# Of a page: its height, where its first figure begins, the stops of the Tab key before that, and what one view shows.
MEASURED = """
const tops = [...document.querySelectorAll("main figure")].filter((one) => one.getClientRects().length);
const stops = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")]
  .filter((one) => one.tabIndex >= 0 && !one.disabled && one.type !== "hidden" && one.getClientRects().length);
const before = stops.filter((one) => one.compareDocumentPosition(tops[0]) & Node.DOCUMENT_POSITION_FOLLOWING);
const seen = (name) => {
  const one = document.querySelector(name);
  return one ? Math.round(one.getBoundingClientRect().bottom) : 0;
};
return {
  height: document.documentElement.scrollHeight,
  figure: Math.round(tops[0].getBoundingClientRect().top + scrollY),
  stops: before.length,
  bars_end: seen(".outcomes .bars"),
  rule_begins: Math.round(document.querySelector(".rule-column .opening")?.getBoundingClientRect().top ?? 0),
  words_begin: Math.round(document.querySelector(".words-column .quotation")?.getBoundingClientRect().top ?? 0),
};
"""
# width, height: the tallest page, the lowest first figure, the most stops before it
BOUNDS = {(1400, 900): (5000, 900, 60), (375, 812): (9000, 1624, 60)}
RECORDS = 21


def evidence(site: Site) -> Figures:
    """The figures of every record's page, at the size of a desk and of a hand."""
    figures: Figures = {record: {} for record in site.records}
    with window() as driver:
        for record, address in site.records.items():
            for width, height in BOUNDS:
                size(driver, width, height)
                show(driver, site.base + address)
                figures[record][f"{width}x{height}"] = driver.execute_script(MEASURED)
            figures[record]["console"] = said(driver)
    demand(len(figures) == RECORDS, "not all records are there", figures)
    wrong = {record: list(_wrong(one)) for record, one in figures.items() if list(_wrong(one))}
    demand(not wrong, json.dumps(wrong), figures)
    return figures


def _wrong(figures: Figures) -> Iterator[str]:
    if figures["console"]:
        yield f"the console says {figures['console'][0]}"
    for (width, height), (tallest, lowest, most) in BOUNDS.items():
        one = figures[f"{width}x{height}"]
        if one["height"] >= tallest:
            yield f"at {width} px it is {one['height']} px long"
        if one["figure"] >= lowest:
            yield f"at {width} px its first figure begins at {one['figure']} px"
        if one["stops"] >= most:
            yield f"at {width} px {one['stops']} stops of the Tab key are before the first figure"
    large = figures["1400x900"]
    if max(large["bars_end"], large["rule_begins"], large["words_begin"]) >= 900:
        yield "words, rule and bars are not in one view"
