"""The look of the site on one page: its tokens, as the sheet has them, and every component in light, dark and print."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from catalogue.filters.parameters import refuse_unknown
from catalogue.outcomes.bars import Outcomes, Segment
from catalogue.outcomes.figure import Bar, FigureRow
from catalogue.texts.outcomes import Outcome
from catalogue.web.routes import route

COLOUR = re.compile(r"--(?P<name>[a-z0-9-]+): light-dark\((?P<light>#\w{6}), (?P<dark>#\w{6})\);")
SHEET = Path(settings.BASE_DIR) / "catalogue" / "static" / "catalogue" / "tokens.css"
SCHEMES = (("light", "Light"), ("dark", "Dark"), ("print", "On paper"))
SAMPLE = (
    ("won-0", "won by the first side", 0.31), ("won-1", "won by the second side", 0.24),
    ("won-2", "won by the third side", 0.12), ("won-3", "won by the fourth side", 0.08),
    ("shared", "won by several", 0.05), ("draw", "drawn", 0.1), ("open", "not over", 0.1),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Colour:
    name: str
    light: str
    dark: str


@cache
def colours() -> tuple[Colour, ...]:
    """Those of the sheet, in its order."""
    return tuple(Colour(**match.groupdict()) for match in COLOUR.finditer(SHEET.read_text(encoding="utf-8")))


@route("about/style/", name="style", example="/about/style/")
def style(request: HttpRequest) -> HttpResponse:
    refuse_unknown(request, ())
    context = {
        "colours": colours(),
        "schemes": SCHEMES,
        "outcomes": list(Outcome),
        "bars": [_bar("One"), _bar("Other")],
    }
    return render(request, "catalogue/style.html", context)


def _bar(label: str) -> Bar:
    """Of no game: every shade there is."""
    segments, start = [], 0.0
    for kind, title, share in SAMPLE:
        segments.append(Segment(kind, title, start, share, f"{100 * share:.0f} %"))
        start += share
    row = FigureRow(label, label, f"{label}, a sample", "#components", int(label == "Other"), None)
    return Bar(row, Outcomes(tuple(segments), "120 turns", "", 0))
