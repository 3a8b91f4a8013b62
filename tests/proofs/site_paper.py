"""What a page becomes on paper: A4 as the browser prints it, into var/paper, to be looked at as well.

Each figure is given two marks before it is printed, where it begins and where it ends. What is printed says on which
sheet and where they came to stand: on one sheet, and within it.
"""

import base64
import io
import json
import re
from typing import Any

from pypdf import PdfReader

from tests.proofs.running import Figures, demand
from tests.proofs.site_browser import show, window
from tests.proofs.site_pages import Site
from tests.services.machine import ROOT

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
    with window() as driver:
        for name in PRINTED:
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
