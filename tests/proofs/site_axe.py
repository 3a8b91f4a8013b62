"""Every type of page before axe-core, in light and dark: no violation, and no contrast that stays open.

Contrasts that axe cannot make out are looked at a second time: the colour of the letters against what is painted under
them, shape by shape. What stays open then is an error, as is too little contrast. axe-core comes from the npm registry
when the proof is run (`npm pack`): nothing else here needs Node.
"""

import json
import subprocess
import tarfile
import tempfile
from functools import cache
from pathlib import Path

from tests.proofs.running import Figures, demand
from tests.proofs.site_browser import lengthen, scheme, show, size, window
from tests.proofs.site_pages import Site, each

AXE, WIDTH = "axe-core@4", 1400
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
CONTRAST = (Path(__file__).parent / "site_contrast.js").read_text(encoding="utf-8")
RUN = """
const done = arguments[arguments.length - 1];
const named = (one) => `${one.id}: ${one.nodes[0].target} (${one.nodes.length})`;
axe.run(document, { runOnly: arguments[0], resultTypes: ["violations", "incomplete"] }).then((found) => {
  const open = found.incomplete.filter((one) => one.id === "color-contrast").flatMap((one) => one.nodes);
  done({
    violations: found.violations.map(named),
    looked_at_twice: open.length,
    contrasts: open.map((node) => [node.target.join(" "), contrast(document.querySelector(node.target[0]))])
      .filter(([target, wrong]) => wrong).map((one) => one.join(": ")),
  });
});
"""


@cache
def checker() -> str:
    """axe-core as one script."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["npm", "pack", "--silent", AXE], cwd=folder, check=True, capture_output=True, timeout=120)
        (archive,) = Path(folder).glob("*.tgz")
        with tarfile.open(archive) as files:
            script = files.extractfile("package/axe.min.js")
            assert script is not None
            return script.read().decode("utf-8")


def checked_by() -> str:
    """All that a page needs to be looked at."""
    return checker() + CONTRAST


def axe(site: Site) -> Figures:
    """Of each type of page and scheme: what is violated, and which contrasts are too low or cannot be made out."""
    figures: Figures = {}
    with window() as driver:
        for name, address in each(site.types):
            figures[name] = {}
            for colours in ("light", "dark"):
                size(driver, WIDTH)
                scheme(driver, colours)
                show(driver, site.base + address)
                lengthen(driver, WIDTH)
                driver.execute_script(checked_by())
                figures[name][colours] = driver.execute_async_script(RUN, TAGS)
    wrong = {
        f"{name}, {colours}, {kind}": found[kind]
        for name, schemes in figures.items()
        for colours, found in schemes.items()
        for kind in ("violations", "contrasts")
        if found[kind]
    }
    demand(not wrong, json.dumps(wrong, ensure_ascii=False), figures)
    return figures
