"""A few batches of the edition that ships, played again beside the demo, so that nobody has to believe its figures."""

import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from catalogue.edition.files import EditionFolder
from catalogue.edition.index import read_index
from catalogue.edition.kinds import BATCHES
from simulator.workers.servers import Server

SAMPLE, SECONDS = 3, 30  # batches, and what one may take
DIFFERENT = "They are not what its games say"


@contextmanager
def running(say: Callable[[str], object], folder: EditionFolder | None = None) -> Iterator[Callable[[], None]]:
    """What is given is called now and then, and says once how it ended. Without an edition nothing happens."""
    folder = folder or EditionFolder()
    release = read_index(folder)
    if release is None or not folder.ids(BATCHES):
        yield lambda: None
        return
    seed = random.randrange(1_000_000)
    words = ("--batches", "--sample", str(SAMPLE), "--seconds", str(SECONDS), "--seed", str(seed))
    command = (sys.executable, "manage.py", "edition", "verify", *words, "--folder", str(folder.place))
    log = Path(settings.VAR_DIR) / "logs" / "edition.log"
    server = Server.start("sample of the edition", command, log)
    say(f"Playing {SAMPLE} batches of the edition of {release.date} again, drawn by the seed {seed}; see {log}.")
    ended = False

    def look() -> None:
        nonlocal ended
        if not ended and not server.is_running:
            ended = True
            same = server.process.returncode == 0
            say("They were played again: every digest is the same." if same else f"{DIFFERENT}; see {log}.")

    try:
        yield look
    finally:
        server.stop(patience=2)
