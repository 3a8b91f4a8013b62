"""Whether the compiled engines load and play, which versions the workers have, and whether the clocks agree.

These looks take seconds: they are for the doctor, not for whoever asks every few seconds.
"""

import subprocess
import sys

from django.conf import settings
from django.db import DatabaseError

from simulator.batches.versions import installed
from simulator.engine import compilation, kernel_cache
from simulator.engine.family import FAMILY_NAMES
from simulator.health.conditions import Condition
from simulator.health.heartbeats import seconds_ahead
from simulator.models import Worker

MOST_AHEAD = 5.0  # seconds that two clocks may differ, well within a lease
TRIAL_SECONDS = 120
COMPILE = "python -m simulator.engine.compilation"


def compiled() -> Condition:
    """Every family that is compiled is loaded and plays a game, in a process of its own: bad code may end it."""
    _, damaged = kernel_cache.sound_files()
    if damaged:
        found = f"{len(damaged)} files of compiled code are damaged, the first of them {min(damaged)}"
        return Condition("engine", found, f"They are compiled again when a worker starts, or by: {COMPILE}")
    missing = compilation.missing()
    there = [name for name in FAMILY_NAMES if name not in missing]
    if not there:
        return Condition("engine", "not compiled yet: the first worker takes a minute")
    words = (sys.executable, "-m", compilation.__name__, compilation.TRY, *there)
    tried = subprocess.run(
        words, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False, timeout=TRIAL_SECONDS
    )
    if tried.returncode:
        last = (tried.stderr.strip().splitlines() or [f"it ended with status {tried.returncode}"])[-1]
        return Condition("engine", f"does not play: {last}", f"Empty {settings.KERNEL_CACHE_DIR}, then run: {COMPILE}")
    later = f"; not compiled yet: {', '.join(missing)}" if missing else ""
    return Condition("engine", f"{', '.join(there)} are loaded and play a game each{later}")


def workers() -> Condition:
    """Look at the workers that run, with what they play. None is no fault: games wait, or are played by commands."""
    try:
        alive = list(Worker.alive())
    except DatabaseError:
        return Condition("workers", "no tables yet")  # the look at the database says what to do
    if not alive:
        return Condition("workers", "none is running: what is asked for on the site waits until one is started")
    here = installed()
    said = "; ".join(f"{worker.name} ({worker.release}): {_words(worker.versions)}" for worker in alive)
    if all(worker.versions == here for worker in alive):
        return Condition("workers", said)
    remedy = (
        f"Here it is {_words(here)}: what only the others play waits for them. Restart the workers of old releases."
    )
    return Condition("workers", said, remedy, is_warning=True)


def clocks() -> Condition:
    """Leases are kept by the clocks of several machines."""
    try:
        ahead = {"this machine": seconds_ahead(), **{worker.name: worker.ahead for worker in Worker.alive()}}
    except DatabaseError:
        return Condition("clocks", "no tables yet")
    wrong = {name: seconds for name, seconds in ahead.items() if abs(seconds) > MOST_AHEAD}
    if wrong:
        found = "; ".join(f"{name} differs by {seconds:+.0f} s from the database" for name, seconds in wrong.items())
        return Condition("clocks", found, "Let all machines keep time by NTP.")
    return Condition("clocks", f"of {len(ahead)} machines and workers, all as the database's")


def _words(versions: dict[str, int]) -> str:
    return ", ".join(f"{name} {version}" for name, version in sorted(versions.items()))
