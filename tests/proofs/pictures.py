"""Pictures of all types of pages at three widths, in light and dark, of a site that has everything computed.

    python -m tests.proofs.pictures [FOLDER] [--whole] [--keep] [--only WORD] [--at ADDRESS]

FOLDER is var/pictures unless another is named; --whole draws pages to their end, not only what is seen first; --keep
takes those that the documentation shows into docs/pictures, and a film of a turn (`film.py`); --only takes the pages
whose name or address has that word in it; --at takes a site that runs instead of filling one (some minutes).
"""

import argparse
import io
import re
import shutil
import sys
from collections.abc import Iterator
from http.client import InvalidURL
from pathlib import Path
from urllib.request import urlopen

from tests.proofs import film
from tests.proofs.site import prepare
from tests.proofs.site_browser import lengthen, scheme, show, size, window
from tests.services.machine import ROOT

FOLDER, DOCUMENTED = ROOT / "var" / "pictures", ROOT / "docs" / "pictures"
# Pages whose pictures have a name of their own; the others are called as their types are (`Site.types`).
PAGES = {
    "home": "/",
    "evidence": "/evidence/DLP.Evidence.692/",
    "evidence-of-dice": "/evidence/DLP.Evidence.1487/",
    "map": "/map/",
    "timeline": "/timeline/",
    "source": "/sources/parker-1909/",
    "games": "/games/",
    "game": "/games/daramuti/",
    "ruleset": "/rulesets/daramuti-parker/",
    "what-if": "/rulesets/puhulmutu-parker/change/?set.relay=off",
    "play": "/rulesets/kotu-ellima-ludovisi/play-a-game/?players=you,you&seed=1",
    "compare": "/compare/?game=daramuti",
    "findings": "/findings/",
    "claims": "/claims/",
    "claim": "/claims/puhulmutu/lasts-for-hours/",
    "questions": "/questions/",
    "search": "/search/?q=which+games+are+played+with+dice",
}
# The address of these is known when they are made: a page, the first link on it like this one, what stands after it.
FOUND = {
    "batch": ("/rulesets/daramuti-parker/", r'href="(/batches/[0-9a-f]{16}/)"', ""),
    "replay": ("/rulesets/daramuti-parker/", r'href="(/batches/[0-9a-f]{16}/)"', "games/0/"),
    "comparison": ("/comparisons/", r'href="(/comparisons/[0-9a-f]{16}/)"', ""),
    "study": ("/studies/", r'href="(/studies/[0-9a-f]{16}/)"', ""),
}
SIZES = {375: 812, 800: 1000, 1400: 900}
QUALITY = 60
KEPT = (
    *(f"{name}-1400-light" for name in ("home", "evidence", "comparison", "game", "play", "replay", "findings", "map")),
    *(f"{name}-375-light" for name in ("home", "evidence", "game")),
    "evidence-1400-dark",
)
LARGEST = 20_000_000  # bytes of all
NAME = re.compile(r"[^a-z0-9]+")


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.pictures")
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--only", metavar="WORD", default="")
    parser.add_argument("--at", metavar="ADDRESS")
    asked = parser.parse_args(words)
    prepare()
    from tests.proofs.site_browser import Site, served

    with served(asked.at) as (base, _):
        pages = PAGES | {name: _address(base, *where) for name, where in FOUND.items()}
        taken_too = set(pages.values())
        types = {NAME.sub("-", name): one for name, one in Site(base).types.items() if one not in taken_too}
        pages = {name: one for name, one in (types | pages).items() if asked.only in f"{name} {one}"}
        if absent := [one for name, one in pages.items() if name not in types and _page(base + one) is None]:
            print(f"no page is at {', '.join(absent)}", file=sys.stderr)  # noqa: T201
            return 1
        asked.folder.mkdir(parents=True, exist_ok=True)
        taken = list(_take(base, pages, asked.folder, asked.whole))
        is_short = film.made(base, film.FILE) if asked.keep else True
    if asked.keep:
        DOCUMENTED.mkdir(parents=True, exist_ok=True)
        for name in KEPT:
            shutil.copy(asked.folder / f"{name}.webp", DOCUMENTED)
    print(f"{len(taken)} pictures, {sum(taken):,} bytes, in {asked.folder}")  # noqa: T201
    return 0 if is_short and (sum(taken) <= LARGEST or asked.whole) else 1


def _address(base: str, page: str, link: str, after: str) -> str:
    found = re.search(link, _page(base + page) or "")
    return f"{found[1]}{after}" if found else f"{page} with a link like {link}"


def _page(address: str) -> str | None:
    """What stands there; None if nothing does."""
    try:
        with urlopen(address, timeout=60) as response:
            return str(response.read().decode())
    except (OSError, ValueError, InvalidURL):
        return None


def _take(base: str, pages: dict[str, str], folder: Path, whole: bool) -> Iterator[int]:
    """The bytes of each picture."""
    from PIL import Image

    with window() as driver:
        for colours in ("light", "dark"):
            scheme(driver, colours)
            for width, height in SIZES.items():
                for name, address in pages.items():
                    size(driver, width, height)
                    show(driver, base + address)
                    if whole:
                        lengthen(driver, width)
                    file = folder / f"{name}-{width}-{colours}.webp"
                    Image.open(io.BytesIO(driver.get_screenshot_as_png())).save(file, quality=QUALITY, method=6)
                    yield file.stat().st_size


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
