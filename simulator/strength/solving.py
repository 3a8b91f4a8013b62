"""How a ruleset is solved, and the tables that are kept of it.

Where chance decides, by value iteration; where a herd only advances, by a sweep over its formations; else by looking at
every position, or by search. Tables stand as files for the perfect player, who looks up little of them at a time. They
are named by the ruleset and by the version of its family, so that a table is never read by other rules.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings

from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset

MAKING = ".making"


def folder_of(ruleset: Ruleset) -> Path:
    """Where the table of a ruleset stands, if one was kept."""
    return Path(settings.VAR_DIR) / "tables" / f"{ruleset.hash}-{family(ruleset.family).rules_version}"


def has_table(ruleset: Ruleset) -> bool:
    return folder_of(ruleset).is_dir()


def free_bytes(ruleset: Ruleset) -> int:
    """What the disk has left where the table would stand."""
    place = folder_of(ruleset)
    return shutil.disk_usage(next(folder for folder in place.parents if folder.is_dir())).free


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


class NotSolved(Exception):
    """The ruleset was too large, or no win was found; nothing was written."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """search: seconds to look for a forced win instead of looking at every position

    memory:     bytes that a table may take whose size is known beforehand; half of the machine's, unless it is said
    keep_table: whether such a table is written to the disk, for the perfect player, and so takes no memory
    """

    search: int = 0
    memory: int = field(default_factory=lambda: os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2)
    keep_table: bool = False


@dataclass(frozen=True, slots=True)
class Listener:
    """announce: called with what a solution will take, before it begins; report: now and then with words and percent"""

    announce: Callable[[str], None] = lambda words: None
    report: Callable[[str, int], None] = lambda words, percent: None


def worked_out(ruleset: Ruleset, wanted: Wanted, listener: Listener) -> dict[str, Any]:
    """The document of a solution; raises NotSolved."""
    from simulator.engine.solving import advancing  # brings the compiled engine

    if family(ruleset.family).throws:
        return _expected(ruleset, wanted, listener)
    if advancing.fits(ruleset) and not wanted.search:
        return _swept(ruleset, wanted, listener)
    if wanted.keep_table:
        raise NotSolved("no table is kept here: its size is not known beforehand, or a search makes none")
    if wanted.search:
        return _searched(ruleset, wanted.search)
    return _by_every_position(ruleset, listener)


def _by_every_position(ruleset: Ruleset, listener: Listener) -> dict[str, Any]:
    from simulator.engine.solving.document import solution
    from simulator.engine.solving.graph import TooManyPositions

    def report(found: int) -> None:
        # The number of digits grows evenly with the rooms that are filled: as good a measure as there is.
        listener.report(f"{found:,} positions found", min(99, 10 * len(str(found))))

    try:
        return solution(ruleset, report)[0]
    except TooManyPositions as error:
        raise NotSolved(f"{error}. A search may still find a forced win: --search SECONDS") from error


def _searched(ruleset: Ruleset, seconds: int) -> dict[str, Any]:
    from simulator.engine.solving.document import forced_win

    document = forced_win(ruleset, seconds)
    if document["start"]["value"] is None:
        raise NotSolved(
            f"in {document['seconds']:.0f} s, over {document['looked_at']:,} positions, no forced win was found; "
            f"it is proved that neither player can force one within {document['refuted_plies']} plies"
        )
    return document


def _swept(ruleset: Ruleset, wanted: Wanted, listener: Listener) -> dict[str, Any]:
    from simulator.engine.solving import advancing

    everything = advancing.formations(ruleset)
    needed = advancing.BYTES * everything
    _check_room(ruleset, wanted, needed, advancing.what_fits(ruleset, wanted.memory))
    where = "on the disk" if wanted.keep_table else "in memory"
    listener.announce(
        f"One side only advances: {everything:,} formations, {in_gigabytes(needed)} {where}, "
        f"about {advancing.seconds_expected(ruleset):.0f} s"
    )

    def report(done: int) -> None:
        listener.report(f"{done:,} of {everything:,} formations decided", 100 * done // everything)

    def solved(folder: Path | None) -> dict[str, Any]:
        return advancing.swept(ruleset, report, folder)[0]

    if not wanted.keep_table:
        return solved(None)
    with table_files(ruleset) as folder:
        return solved(folder)


def _expected(ruleset: Ruleset, wanted: Wanted, listener: Listener) -> dict[str, Any]:
    from simulator.engine.solving import expected

    if wanted.search:
        raise NotSolved("chance decides here: nobody can force a win, and there is nothing to search for")
    needed = expected.bytes_needed(ruleset)
    if needed > wanted.memory:
        raise NotSolved(
            f"the chances of all positions take {in_gigabytes(needed)}, and {in_gigabytes(wanted.memory)} are allowed; "
            f"what fits is --memory {-(-needed // 10**9)}, or {expected.what_fits(ruleset, wanted.memory)}"
        )
    positions = expected.sides(ruleset) ** 2
    listener.announce(
        f"Throws decide: {positions:,} positions before a throw, {in_gigabytes(needed)} in memory, "
        f"about {expected.seconds_expected(ruleset):.0f} s"
    )
    try:
        document, solved = expected.expected(ruleset, listener.report)
    except expected.NotSettled as error:
        raise NotSolved(str(error)) from error
    if wanted.keep_table:
        with table_files(ruleset) as folder:
            expected.keep(solved, folder)
    return document


def _check_room(ruleset: Ruleset, wanted: Wanted, needed: int, otherwise: str) -> None:
    """Raises NotSolved for a table that does not fit where it is to stand. otherwise: what would fit there"""
    if wanted.keep_table:
        free = free_bytes(ruleset)
        if needed > free:
            raise NotSolved(f"the table takes {in_gigabytes(needed)}, and the disk has {in_gigabytes(free)} left")
    elif needed > wanted.memory:
        raise NotSolved(
            f"the table takes {in_gigabytes(needed)}, and {in_gigabytes(wanted.memory)} are allowed; what fits is "
            f"--memory {-(-needed // 10**9)}, --keep-table, which has it stand on the disk, or {otherwise}"
        )


def in_gigabytes(number: int) -> str:
    return f"{number / 1e9:.2f} GB"
