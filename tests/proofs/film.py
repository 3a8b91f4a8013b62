"""A film of a turn of sowing, taken from the page on which it is played, as an animated WebP.

    python -m tests.proofs.film [FILE] [--at ADDRESS]

FILE is docs/pictures/sowing.webp unless another is named; --at takes a site that runs instead of filling one (some
minutes). Every step of the board is an animation of the browser: here their clock is turned by hand, a frame at a time,
so the film is the same however busy the machine is.
"""

import argparse
import base64
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.proofs.site import prepare
from tests.proofs.site_browser import show, size, window
from tests.services.machine import ROOT

FILE = ROOT / "docs" / "pictures" / "sowing.webp"
# Daramuti after Parker, after three turns: the next one runs over eight laps and takes four times.
GAME, MOVE = "/rulesets/daramuti-parker/play-a-game/?players=you,you&seed=1&moves=ec.ac.gc", "ec"
WIDTH, HEIGHT = 900, 900  # of the window
STEP, TURNED, REST, SECONDS = 80, 105, 8, 10  # milliseconds of a frame, and of its clock; frames at rest; of the film
LARGEST, QUALITY = 1_000_000, 55  # bytes
# Animations stand still until they are turned on by so many milliseconds.
BY_HAND = """
const running = new Set(), animate = Element.prototype.animate;
Element.prototype.animate = function (...words) {
  const one = animate.apply(this, words);
  one.pause();
  running.add(one);
  return one;
};
window.turnedOn = (ms) => {
  for (const one of running) {
    const end = one.effect.getComputedTiming().endTime, at = Number(one.currentTime) + ms;
    if (at < end) one.currentTime = at; else { one.finish(); running.delete(one); }
  }
};
"""
NEXT = """
const [ms, done] = arguments;
window.turnedOn(ms);
requestAnimationFrame(() => requestAnimationFrame(() => done(Boolean(document.querySelector(".moving")))));
"""
FRAME = """
const board = document.querySelector("[data-board]").getBoundingClientRect();
return { x: board.x - 8, y: board.y + scrollY - 8, width: board.width + 16, height: board.height + 16, scale: 1 };
"""
MAKE = "document.querySelector(`[data-moves] button[value='${arguments[0]}']`).click()"


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.film")
    parser.add_argument("file", nargs="?", type=Path, default=FILE)
    parser.add_argument("--at", metavar="ADDRESS")
    asked = parser.parse_args(words)
    prepare()
    from tests.proofs.site_browser import served

    with served(asked.at) as (base, _):
        return 0 if made(base, asked.file) else 1


def made(base: str, file: Path) -> bool:
    """Write the film of a site; whether it is as short and as small as it should be."""
    first, *others = _frames(f"{base}{GAME}")
    file.parent.mkdir(parents=True, exist_ok=True)
    first.save(
        file, save_all=True, append_images=others, duration=STEP, loop=0, quality=QUALITY, method=4, minimize_size=True
    )
    long, large = (1 + len(others)) * STEP / 1000, file.stat().st_size
    print(f"{file}: {long:.1f} seconds, {large:,} bytes")  # noqa: T201
    return large < LARGEST and long <= SECONDS


def _frames(address: str) -> Iterator[Any]:
    """The board at rest, the turn, and the board at rest again."""
    with window(WIDTH, HEIGHT) as driver:
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": BY_HAND})
        size(driver, WIDTH, HEIGHT)
        show(driver, address)
        clip = driver.execute_script(FRAME)
        for _ in range(REST):
            yield _picture(driver, clip)
        driver.execute_script(MAKE, MOVE)
        while not driver.execute_script("return Boolean(document.querySelector('.moving'))"):
            pass
        room = int(SECONDS * 1000 / STEP) - 2 * REST
        for _ in range(room):
            if not driver.execute_async_script(NEXT, TURNED):
                break
            yield _picture(driver, clip)
        for _ in range(REST):
            yield _picture(driver, clip)


def _picture(driver: Any, clip: dict[str, float]) -> Any:
    from PIL import Image

    taken = driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png", "clip": clip})
    return Image.open(io.BytesIO(base64.b64decode(taken["data"]))).convert("RGB")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
