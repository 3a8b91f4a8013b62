"""The proofs of the site as readers use it, measured in a real browser. Figures as one JSON document.

    python -m tests.proofs.site [PART…]

Parts: evidence (the 21 pages of the records, 2,000 games of every reading played); shell (axe, widths, shifts and sizes
of every type of page); bars (how long a reader waits for a further bar). Exit status 1 if something does not hold.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.proofs.running import Figures, demand, run
from tests.proofs.site_bars import further_bars
from tests.proofs.site_shell import shell

ROOT = Path(__file__).resolve().parents[2]
GAMES = "2000"
# Of a page: its height, where its first figure begins, the stops of the Tab key before that, and what is wider than it.
MEASURED = """
const tops = [...document.querySelectorAll("main figure")].filter((one) => one.getClientRects().length);
const stops = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")]
  .filter((one) => one.tabIndex >= 0 && !one.disabled && one.type !== "hidden" && one.getClientRects().length);
const before = stops.filter((one) => one.compareDocumentPosition(tops[0]) & Node.DOCUMENT_POSITION_FOLLOWING);
const drawn = [...document.querySelectorAll("main figure :is(img, svg)")].filter((one) => one.getClientRects().length);
const clipped = drawn.filter((one) => {
  const own = one.getBoundingClientRect(), frame = one.closest("figure").getBoundingClientRect();
  return own.left < frame.left - 1 || own.right > frame.right + 1;
});
const seen = (name) => {
  const one = document.querySelector(name);
  return one ? Math.round(one.getBoundingClientRect().bottom) : 0;
};
return {
  height: document.documentElement.scrollHeight,
  wide: document.documentElement.scrollWidth,
  figure: Math.round(tops[0].getBoundingClientRect().top + scrollY),
  stops: before.length,
  clipped: clipped.length,
  bars_end: seen(".outcomes .bars"),
  rule_begins: Math.round(document.querySelector(".rule-column .opening")?.getBoundingClientRect().top ?? 0),
  words_begin: Math.round(document.querySelector(".words-column .quotation")?.getBoundingClientRect().top ?? 0),
};
"""
# width, height: the tallest page, the lowest first figure, the most stops before it
BOUNDS = {(1400, 900): (5000, 900, 60), (375, 812): (9000, 1624, 60)}
NARROW = (320, 640)


def evidence(machine: Any) -> Figures:
    """Words, rule, board and bars of every record in one view; no page too long, too wide or clipped."""
    for slug in sorted(path.stem for path in (ROOT / "fixtures" / "rulesets").glob("*.json")):
        machine.manage("simulate", slug, "--games", GAMES, "--inline", "--json")
    with site(machine) as base:
        figures = _measured(base)
    wrong = {record: said for record, one in figures.items() if (said := list(_wrong(one)))}
    demand(len(figures) == 21, "not all records are there", figures)
    demand(not wrong, json.dumps(wrong), figures)
    return figures


def _measured(base: str) -> Figures:
    from catalogue.models import Evidence
    from tests.browser.browsing import browser

    found: Figures = {}
    with browser() as driver:
        for record in Evidence.objects.all():
            found[record.identifier] = {}
            for width, height in (*BOUNDS, NARROW):
                size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
                driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
                driver.get(f"{base}{record.get_absolute_url()}")
                found[record.identifier][f"{width}x{height}"] = driver.execute_script(MEASURED)
            messages = [one["message"] for one in driver.get_log("browser") if "favicon" not in one["message"]]
            found[record.identifier]["console"] = messages
    return found


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
    for size in ("1400x900", "375x812", f"{NARROW[0]}x{NARROW[1]}"):
        if figures[size]["wide"] > int(size.partition("x")[0]):
            yield f"at {size} it is {figures[size]['wide']} px wide"
        if figures[size]["clipped"]:
            yield f"at {size} {figures[size]['clipped']} drawings are clipped"


@contextmanager
def site(machine: Any) -> Iterator[str]:
    from simulator.workers.servers import Server, free_port
    from tests.proofs.operation_servers import answers
    from tests.services.machine import wait_for

    machine.manage("collectstatic", "--noinput", "--verbosity", "0")
    port = free_port()
    words = (sys.executable, "-m", "gunicorn", "catalogue.config.wsgi", "--bind", f"127.0.0.1:{port}", "--threads", "4")
    server = Server.start("site", words, machine.folder / "site.log", {**machine.environment, "PWD": str(ROOT)})
    try:
        wait_for(lambda: answers(port) or not server.is_running, "the site answers")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.stop(patience=3)


def bars(machine: Any) -> Figures:
    """An answer that a reader takes is played and stands as a bar within three seconds of the click."""
    with machine.worker(children=2), site(machine) as base:
        return further_bars(base)


PROOFS = {"evidence": evidence, "shell": shell, "bars": bars}

if __name__ == "__main__":
    sys.exit(run(PROOFS, sys.argv[1:]))
