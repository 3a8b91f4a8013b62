"""Solutions: what best play comes to in a ruleset, worked out once and kept.

A ruleset is solved by looking at every position; if there are too many, a search may still find that somebody can force
a win. Either way the document says which it was. Only commands solve: a large table takes minutes and gigabytes.

Where chance decides, a ruleset is solved by value iteration; where a herd only advances, by a sweep of its formations.
Their tables are kept as files for the perfect player, who looks up little of them at a time. They are named by the
ruleset and by the version of its family, so that a table is never read by other rules.

Solutions also ship, a file for each ruleset with what `manage.py solve RULESET --json` printed; for a set of candidates
there is one for all. Anybody can work a solution out again, so that it is data: a fresh catalogue begins with those
that are known. What was worked out here stays, unless its rules are older than those of the file.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings

from simulator import rulesets
from simulator.engine import candidates, shipped
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset
from simulator.models import Ruleset as RulesetRow
from simulator.models import RulesetVersion, Solution
from simulator.problems import WrongRequest

MAKING = ".making"


class NotSolved(Exception):
    """The ruleset is too large, or no win was found; nothing was written."""


@dataclass(frozen=True, slots=True)
class SolvingOptions:
    """How to solve a ruleset.

    search:     seconds to look for a forced win instead of looking at every position
    memory:     bytes that a table may take whose size is known beforehand; half of the machine's unless given
    keep_table: whether such a table is written to the disk, for the perfect player, and so takes no memory
    """

    search: int = 0
    memory: int = field(default_factory=lambda: os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2)
    keep_table: bool = False


@dataclass(frozen=True, slots=True)
class Listener:
    """Callbacks: announce is called once with what a solution will take, report now and then with words and percent."""

    announce: Callable[[str], None] = lambda words: None
    report: Callable[[str, int], None] = lambda words, percent: None


def check_solvable(ruleset: Ruleset) -> None:
    """Raises WrongRequest unless it is a game of two, without chance or with throws whose chances can be listed."""
    if why := why_unsolvable(ruleset):
        raise WrongRequest.of("ruleset", why)


def why_unsolvable(ruleset: Ruleset) -> str:
    """Return why a ruleset cannot be solved here, in words; empty if it can."""
    kind = family(ruleset.family)
    if kind.throws:
        try:
            ruleset.module("chances").throws(ruleset.parameters)
        except ValueError as error:
            return f"chance decides here, and {error}: it is not solved"
    seats = kind.seats(ruleset.parameters)
    return "" if seats == 2 else f"only games of two are solved, and here are {seats} seats"


def solve_and_keep(ruleset: Ruleset, how: SolvingOptions | None = None, listener: Listener | None = None) -> Solution:
    """Solve a ruleset and keep its solution; raises WrongRequest and NotSolved."""
    check_solvable(ruleset)
    return keep_solution(rulesets.save(ruleset), solved(ruleset, how, listener) | {"reduced": reduced(ruleset)})


def reduced(ruleset: Ruleset) -> dict[str, Any]:
    """Return the board's parameters if no named ruleset is played on such a board; else nothing."""
    keys = family(ruleset.family).board
    own = {key: ruleset.parameters[key] for key in keys}
    named = [shipped.load(name) for name in shipped.rulesets()]
    rows = RulesetRow.objects.filter(family=ruleset.family, versions__isnull=False).distinct()
    named += [rulesets.as_engine(row) for row in rows]
    boards = [{key: other.parameters[key] for key in keys} for other in named if other.family == ruleset.family]
    return {} if own in boards else {key: value for key, value in own.items() if value != []}


@dataclass(frozen=True, slots=True)
class SolutionView:
    """A solution as a page or the API shows it. document: None if there is none; name: what the ruleset goes by here"""

    document: dict[str, Any] | None
    is_outdated: bool
    ruleset: Ruleset
    name: str

    @property
    def command(self) -> str:
        """The command that solves it, on any machine."""
        searched = self.document is not None and self.document["method"] == "search"
        return solve_command(self.ruleset, self.name, "--search 600 --json" if searched else "--json")


def solve_command(ruleset: Ruleset, name: str, options: str) -> str:
    return f"manage.py solve {rulesets.lasting_name(ruleset, name).options} {options}"


def solution_of(ruleset: Ruleset, name: str) -> SolutionView | None:
    """Return the solution of a ruleset, in one query; None where there can be none. name: for the command"""
    if why_unsolvable(ruleset):
        return None
    row = Solution.objects.filter(ruleset=ruleset.hash, state=Solution.State.DONE).first()
    if row is None or row.document is None:
        return SolutionView(None, False, ruleset, name)
    is_outdated = row.family_version != family(ruleset.family).rules_version
    return SolutionView(row.document, is_outdated, ruleset, name)


def load_solution_files(folder: Path) -> int:
    """Keep the solutions of a folder, and of the reference games in it; return how many are new. Raises ValueError for
    one of an unknown ruleset."""
    paths = (path for pattern in ("*.json", "reference/*.json") for path in sorted(folder.glob(pattern)))
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    here = set(RulesetVersion.objects.values_list("slug", "ruleset_id"))
    for document in documents:
        if (document["ruleset"], document["hash"]) not in here:
            raise ValueError(f"no version of {document['ruleset']} here has the hash {document['hash']}")
    kept = dict(Solution.objects.filter(state=Solution.State.DONE).values_list("ruleset_id", "family_version"))
    new = [document for document in documents if kept.get(document["hash"], 0) < document["family_version"]]
    for document in new:
        keep_solution(RulesetRow.objects.get(hash=document["hash"]), document)
    return len(new)


OF_CANDIDATES = "candidates"  # the folder of solutions of whole sets, a file for each


def solved_candidates(written: Mapping[str, Any], listener: Listener | None = None) -> dict[str, Any]:
    """Return what faultless play comes to in each candidate of a set, in its order: the document that ships.

    Of each what its solution says first: the value with its plies, the values of the first moves, one line of best
    play, the positions, and the plies of the longest forced win of either side. Raises RulesetProblem and NotSolved.
    """
    listener, rows = listener or Listener(), []
    found = candidates.candidates(written)
    for number, one in enumerate(found):
        document = solved(one.ruleset)
        rows.append({"name": one.name, "hash": one.ruleset.hash, **in_brief(document)})
        listener.report(f"{number + 1} of {len(found)} candidates solved", 100 * (number + 1) // len(found))
    versions = {one.ruleset.family: family(one.ruleset.family).rules_version for one in found}
    return {"set": written["slug"], "family_versions": versions, "candidates": rows}


def in_brief(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a solution by every position says first, the same on every machine."""
    values = [f"{move['value']} {move['plies'] or ''}".strip() for move in document["first_moves"]]
    return {
        "start": document["start"],
        "first_moves": {value: values.count(value) for value in sorted(set(values))},
        "line": " ".join(document["line"]["names"]),
        "positions": document["positions"],
        "ends": document["ends"],
        "longest": {str(one["winner"]): one["line"]["plies"] for one in document["longest"]},
    }


def keep_solution(ruleset: RulesetRow, document: dict[str, Any]) -> Solution:
    """Keep a solution; the keys that name its ruleset are not part of the row."""
    content = {key: value for key, value in document.items() if key not in ("ruleset", "hash")}
    row, _ = Solution.objects.update_or_create(
        ruleset=ruleset,
        defaults={
            "state": Solution.State.DONE,
            "error": "",
            "family_version": document["family_version"],
            "document": content,
        },
    )
    return row


def folder_of(ruleset: Ruleset) -> Path:
    """Return the folder of the table of a ruleset, if one is kept."""
    return Path(settings.VAR_DIR) / "tables" / f"{ruleset.hash}-{family(ruleset.family).rules_version}"


def has_table(ruleset: Ruleset) -> bool:
    return folder_of(ruleset).is_dir()


@contextmanager
def table_files(ruleset: Ruleset) -> Iterator[Path]:
    """Yield a folder for the files of a table, which takes its place once it is whole."""
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


def solved(ruleset: Ruleset, how: SolvingOptions | None = None, listener: Listener | None = None) -> dict[str, Any]:
    """Return the document of a solution, which is not kept; raises NotSolved."""
    from simulator.engine.solving import advancing  # brings the compiled engine

    how, listener = how or SolvingOptions(), listener or Listener()
    if family(ruleset.family).throws:
        return _expected(ruleset, how, listener)
    if advancing.fits(ruleset) and not how.search:
        return _swept(ruleset, how, listener)
    if how.keep_table:
        raise NotSolved("no table is kept here: its size is not known beforehand, or a search makes none")
    if how.search:
        return _searched(ruleset, how.search)
    return _by_every_position(ruleset, listener)


def _by_every_position(ruleset: Ruleset, listener: Listener) -> dict[str, Any]:
    from simulator.engine.solving.document import solution
    from simulator.engine.solving.graph import TooManyPositions

    def report(reached: int) -> None:
        # The number of digits grows evenly with the rooms that are filled: as good a measure as there is.
        listener.report(f"{reached:,} positions found", min(99, 10 * len(str(reached))))

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


def _swept(ruleset: Ruleset, how: SolvingOptions, listener: Listener) -> dict[str, Any]:
    from simulator.engine.solving import advancing

    everything = advancing.formations(ruleset)
    needed = advancing.BYTES * everything
    _check_room(ruleset, how, needed, advancing.what_fits(ruleset, how.memory))
    where = "on the disk" if how.keep_table else "in memory"
    listener.announce(
        f"One side only advances: {everything:,} formations, {in_gigabytes(needed)} {where}, "
        f"about {advancing.seconds_expected(ruleset):.0f} s"
    )

    def report(done: int) -> None:
        listener.report(f"{done:,} of {everything:,} formations decided", 100 * done // everything)

    def solved(folder: Path | None) -> dict[str, Any]:
        return advancing.swept(ruleset, report, folder)[0]

    if not how.keep_table:
        return solved(None)
    with table_files(ruleset) as folder:
        return solved(folder)


def _expected(ruleset: Ruleset, how: SolvingOptions, listener: Listener) -> dict[str, Any]:
    from simulator.engine.solving import expected

    if how.search:
        raise NotSolved("chance decides here: nobody can force a win, and there is nothing to search for")
    needed = expected.bytes_needed(ruleset)
    if needed > how.memory:
        raise NotSolved(
            f"the chances of all positions take {in_gigabytes(needed)}, and {in_gigabytes(how.memory)} are allowed; "
            f"what fits is --memory {-(-needed // 10**9)}, or {expected.what_fits(ruleset, how.memory)}"
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
    if how.keep_table:
        with table_files(ruleset) as folder:
            expected.keep(solved, folder)
    return document


def _check_room(ruleset: Ruleset, how: SolvingOptions, needed: int, otherwise: str) -> None:
    """Raises NotSolved for a table that does not fit where it is to stand. otherwise: what would fit there"""
    if how.keep_table:
        folder = next(folder for folder in folder_of(ruleset).parents if folder.is_dir())
        free = shutil.disk_usage(folder).free
        if needed > free:
            raise NotSolved(f"the table takes {in_gigabytes(needed)}, and the disk has {in_gigabytes(free)} left")
    elif needed > how.memory:
        raise NotSolved(
            f"the table takes {in_gigabytes(needed)}, and {in_gigabytes(how.memory)} are allowed; what fits is "
            f"--memory {-(-needed // 10**9)}, --keep-table, which has it stand on the disk, or {otherwise}"
        )


def in_gigabytes(number: int) -> str:
    return f"{number / 1e9:.2f} GB"
