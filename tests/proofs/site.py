"""The proofs of the site as readers use it, measured in a real browser. Figures as one JSON document.

    python -m tests.proofs.site [PART…] [--at ADDRESS [--password WORD]] [--only WORD]

Parts: evidence (the figures of the pages of all records); axe (WCAG 2.2 AA and contrasts, light and dark); layout
(widths, lengths, shifts, cut pictures, console, requests, weight); markup (valid HTML); speed (how soon a page is
drawn); keyboard and no_scripts (the way of two minutes from the home page to a move, by keys alone and with scripts
off); jump and motion (ten moves at three scroll positions, two widths and by keys; and without motion); paper (what is
printed); editors (the editors' room before axe); bars (how long a reader waits for a further bar).

Without --at a site of their own is filled with everything that the demo computes, which takes some minutes; what is
named by --at has workers, and a release of the dataset; --password is that of its account `editor`. --only takes the
pages whose type or address has that word in it. Exit status 1 if something does not hold. `speed` and `bars` want a
machine that has nothing else to do.
"""

import argparse
import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module

from tests.proofs.running import Figures, outcome, report
from tests.services.machine import ROOT

# Part → module with a function of that name.
PARTS = {
    "evidence": "site_layout",
    "axe": "site_axe",
    "layout": "site_layout",
    "markup": "site_layout",
    "speed": "site_speed",
    "keyboard": "site_walks",
    "no_scripts": "site_walks",
    "paper": "site_walks",
    "jump": "site_play",
    "motion": "site_play",
    "editors": "site_axe",
    "bars": "site_speed",
}


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.site")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--at", metavar="ADDRESS")
    parser.add_argument("--password", metavar="WORD", default="")
    parser.add_argument("--only", metavar="WORD", default="")
    asked = parser.parse_args(words)
    if unknown := set(asked.parts) - set(PARTS):
        parser.error(f"no part is called {unknown.pop()!r}; there are {', '.join(PARTS)}")
    prepare()
    from tests.proofs.site_browser import Site, served

    answers = {}
    with served(asked.at, asked.password) as (base, password):
        site = Site(base, asked.only, password)
        for name in asked.parts or PARTS:
            print(f"{name} …", file=sys.stderr, flush=True)  # noqa: T201
            part: Callable[[Site], Figures] = getattr(import_module(f"tests.proofs.{PARTS[name]}"), name)
            answers[name] = outcome(partial(part), site)
    return report(answers)


def prepare() -> None:
    """This process asks the settings and the addresses, and no database."""
    os.environ.setdefault("KERNEL_CACHE_DIR", str(ROOT / "var" / "kernels"))
    os.environ |= {"DJANGO_SETTINGS_MODULE": "catalogue.config.settings", "DATABASE_URL": "sqlite://:memory:"}
    import django

    django.setup()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))  # its servers end with it
    sys.exit(main(sys.argv[1:]))
