"""Every type of page and every record: its layout in four widths, its measures, and its markup.

layout: nothing wider than the window, cut, moved, missing, too long or heavy. evidence: words, rule, board and bars
of a record in one view, and no page too long. markup: the Nu Html Checker, the W3C's validator; it comes from the
npm registry when the proof is run (`npm pack vnu-jar`) and needs Java.
"""

import json
import subprocess
import tarfile
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.proofs.running import Figures, demand
from tests.proofs.site_browser import Site, each, said, show, size, window

WIDTHS = (1400, 800, 375, 320)
HEAVIEST, HEAVIEST_LIST = 150_000, 60_000  # bytes of a page with all that it needs but typefaces, packed
# Types of pages that are lists or documents beside those called so: they may be long. A list is weighed before its
# pictures, which are loaded when they come near, and without the outlines of the map, which are kept for a year.
LISTS = (
    "findings", "map", "timeline", "search", "compare", "history", "place", "source", "evidence-rules", "about",
    "document", "api", "api-docs", "edition", "release", "style", "reference-games",
)  # fmt: skip
# Bytes of a page as it was at revision b1d8c23, before boards moved, with its styles and scripts, packed. Today it is
# MORE above that at most, before pictures that are loaded late.
BEFORE = {
    "home": 35_746, "evidence": 54_671, "evidence-list": 13_673, "game": 36_711, "game-list": 28_622, "ruleset": 48_558,
    "ruleset-list": 43_848, "findings": 37_327, "claim-list": 13_723, "claim": 12_464, "question-list": 17_049,
    "compare": 13_108, "comparison": 20_025, "comparison-list": 14_976, "study": 22_605, "study-list": 11_309,
    "sensitivity": 36_203, "play-a-game": 30_155, "change-ruleset": 44_838, "batch": 18_646, "batch-list": 10_656,
    "search": 11_649, "map": 34_012, "timeline": 31_422, "source": 10_537, "source-list": 8_965, "place-list": 8_715,
    "release-list": 8_731, "term-list": 12_793, "about": 11_842, "document": 19_170,
}  # fmt: skip
MORE = 40_000
LATE = ("/board.svg", "/title-page.svg", "/world.svg")
LONGEST = {"home": 3_500, "findings": 3_000}  # pixels at 1400, with all folds closed
LONGEST_PAGE = 6_000  # of pages to be read: lists and documentation may be longer
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
const folded = () => {
  for (const one of document.querySelectorAll("details[open]")) one.open = false;
  return document.documentElement.scrollHeight;
};
const fetched = performance.getEntriesByType("resource").map((one) => one.name);
return {
  wide: document.documentElement.scrollWidth,
  head: document.querySelector(".masthead")?.offsetHeight ?? 0,
  lines: heading ? Math.round(heading.offsetHeight / parseFloat(getComputedStyle(heading).lineHeight)) || 0 : 0,
  shift: window.shifted,
  cut: shown.filter(cut).map(named),
  missing: [...document.images].filter((one) => one.complete && !one.naturalWidth).map((one) => one.src),
  outside: fetched.filter((one) => !one.startsWith(location.origin) && !one.startsWith("data:")),
  needs: fetched.filter((one) => one.startsWith(location.origin) && !one.endsWith(".woff2")),
  high: folded(),
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
                late = {one for one in needs if one.partition("#")[0].endswith(LATE)}
                figures[name][str(width)] = look | {
                    "bytes": sum(map(site.packed, {address, *needs})),
                    "bytes_at_first": sum(map(site.packed, {address, *needs} - late)),
                }
            figures[name]["console"] = said(driver)
    wrong = {name: list(_wrong(name, one)) for name, one in figures.items() if list(_wrong(name, one))}
    demand(not wrong, json.dumps(wrong, ensure_ascii=False), figures)
    return figures


def is_list(name: str) -> bool:
    """Whether a type of page is a list or a document, which may be long."""
    kind = name.partition(",")[0]
    return kind in LISTS or kind.endswith("-list") or kind.startswith("v1:")


def _wrong(name: str, figures: Figures) -> Iterator[str]:
    longest = LONGEST.get(name, LONGEST_PAGE)
    if (high := figures["1400"]["high"]) > longest and (name in LONGEST or not is_list(name)):
        yield f"at 1400 px it is {high:,} px long"
    if is_list(name) and (first := max(figures[str(width)]["bytes_at_first"] for width in WIDTHS)) > HEAVIEST_LIST:
        yield f"a list of {first:,} bytes without its pictures"
    kind = name.partition(",")[0]
    if (now := figures["1400"]["bytes_at_first"]) > BEFORE.get(kind, now) + MORE:
        yield f"it weighs {now:,} bytes, {now - BEFORE[kind]:,} more than before boards moved"
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


# Of a page: its height, where its first figure begins, the stops of the Tab key until one is there, or on a link to it,
# and what one view shows.
MEASURED = """
const tops = [...document.querySelectorAll("main figure")].filter((one) => one.getClientRects().length);
const stops = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")]
  .filter((one) => one.tabIndex >= 0 && !one.disabled && one.type !== "hidden" && one.getClientRects().length);
const leads = stops.findIndex((one) => one.hash === "#outcomes" && document.querySelector(one.hash));
const before = stops.filter((one, place) =>
  (leads < 0 || place < leads) && one.compareDocumentPosition(tops[0]) & Node.DOCUMENT_POSITION_FOLLOWING);
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
BOUNDS = {(1400, 900): (5000, 900, 60), (375, 812): (9000, 9000, 60)}
RECORDS = 22


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
    wrong = {record: list(_wrong_figures(one)) for record, one in figures.items() if list(_wrong_figures(one))}
    demand(not wrong, json.dumps(wrong), figures)
    return figures


def _wrong_figures(figures: Figures) -> Iterator[str]:
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


CHECKER = "vnu-jar@26"


def markup(site: Site) -> Figures:
    """Of each page what the checker calls an error: a sentence, and what stands there."""
    with tempfile.TemporaryDirectory() as folder:
        files = {}
        for place, (name, address) in enumerate(site.pages.items()):
            file = Path(folder) / f"{place}.html"
            file.write_bytes(site.answer(address)[2])
            files[file.as_uri()] = name
        found = defaultdict(list)
        for message in _messages(Path(folder)):
            if message["type"] == "error":
                found[files[message["url"].replace("file:/", "file:///", 1)]].append(
                    f"{message['message']} {message['extract']}"
                )
    figures = {"pages": len(files), "errors": dict(found)}
    demand(not found, json.dumps(found, ensure_ascii=False), figures)
    return figures


def _messages(folder: Path) -> list[dict[str, str]]:
    subprocess.run(["npm", "pack", "--silent", CHECKER], cwd=folder, check=True, capture_output=True, timeout=300)
    (archive,) = folder.glob("*.tgz")
    with tarfile.open(archive) as files:
        files.extract("package/build/dist/vnu.jar", folder, filter="data")
    words = ["java", "-jar", "package/build/dist/vnu.jar", "--format", "json", "--skip-non-html", "--exit-zero-always"]
    pages = sorted(one.name for one in folder.glob("*.html"))
    done = subprocess.run([*words, *pages], cwd=folder, capture_output=True, text=True, timeout=600)
    messages: list[dict[str, str]] = json.loads(done.stderr)["messages"]
    return messages
