"""Tables of solutions that stand as files, for the perfect player: he looks up little of them at a time.

They are named by the ruleset and by the version of its family, so that a table is never read by other rules.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset

MAKING = ".making"


def folder_of(ruleset: Ruleset) -> Path:
    """Where the table of a ruleset stands, if one was kept."""
    return Path(settings.VAR_DIR) / "tables" / f"{ruleset.hash}-{family(ruleset.family).version}"


def has_table(ruleset: Ruleset) -> bool:
    return folder_of(ruleset).is_dir()


def free_bytes(ruleset: Ruleset) -> int:
    """What the disk has left where the table would stand."""
    place = folder_of(ruleset)
    return shutil.disk_usage(next(one for one in place.parents if one.is_dir())).free


@contextmanager
def table_files(ruleset: Ruleset) -> Iterator[Path]:
    """A folder for the files of a table, which stands in its place once it is whole."""
    place = folder_of(ruleset)
    making = place.with_suffix(MAKING)
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir(parents=True)
    try:
        yield making
        shutil.rmtree(place, ignore_errors=True)
        os.replace(making, place)
    finally:
        shutil.rmtree(making, ignore_errors=True)
