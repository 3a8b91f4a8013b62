"""Work out what best play comes to in a ruleset, and keep it.

A hunt whose herd only advances is swept formation by formation; of a race of two the chances are computed. Both say
first how much memory they take and about how many seconds. All else is solved by looking at every position, and is
refused, with the count that was reached, where there are too many. Rules that look further back than the position does
(repetition, turns without a change) are set aside: what goes round is drawn by endless play.
"""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset, RulesetProblem
from simulator.management.command_line import (
    CommandFailed,
    ProgressLine,
    SimulatorCommand,
    WrongUsage,
    add_common_arguments,
    named_ruleset,
    prepare_database,
)
from simulator.problems import whole_number
from simulator.strength.solutions import (
    Listener,
    NotSolved,
    SolvingOptions,
    check_solvable,
    solve_and_keep,
    solved_candidates,
)

MOST_SECONDS = 86_400
MOST_MEMORY = 1000  # gigabytes
OF_A_SET = ("slug", "boards", "candidates")
MOST_NAMES = 40  # moves of a line that the text shows


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_common_arguments(parser, "ruleset", nargs="?", default="")
        add_common_arguments(parser, "--set", "--json")
        parser.add_argument(
            "--candidates",
            metavar="FILE",
            help="a set of candidates, such as fixtures/candidates/coriovallum.json: "
            "solve each, and print what ships as fixtures/solutions/candidates",
        )
        parser.add_argument(
            "--search", metavar="SECONDS", help="do not look at every position: look for a forced win, for so long"
        )
        parser.add_argument(
            "--memory", metavar="GB", help="the most that a table may take whose size is known (half of the machine's)"
        )
        parser.add_argument(
            "--keep-table", action="store_true", help="leave such a table on the disk, for the perfect player"
        )

    def handle(self, **options: Any) -> None:
        if bool(options["ruleset"]) == bool(options["candidates"]):
            raise WrongUsage("name a ruleset, or a file of candidates: one of the two")
        if options["candidates"]:
            self._solve_candidates(Path(options["candidates"]))
            return
        name, ruleset = named_ruleset(options)
        check_solvable(ruleset)
        how = _solving_options(options)
        prepare_database(self.stderr)
        document = self._solve(ruleset, how)
        answer = {"ruleset": name, "hash": ruleset.hash, **document}
        self.print_answer(answer, lambda _: "\n".join(as_text(ruleset, answer)), options["json"])

    def _solve_candidates(self, path: Path) -> None:
        try:
            written = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise WrongUsage(f"{path} is no set of candidates: {error}") from error
        if lacks := [key for key in OF_A_SET if key not in written]:
            raise WrongUsage(f"{path} is no set of candidates: it has no {lacks[0]}")
        line = ProgressLine(self.stderr)
        try:
            document = solved_candidates(written, Listener(self.stderr.write, line.show))
        except RulesetProblem as error:
            raise WrongUsage(f"{path}: {error}") from error
        except NotSolved as error:
            raise CommandFailed(str(error)) from error
        finally:
            line.end()
        self.stdout.write(json.dumps(document, ensure_ascii=False, indent=1))

    def _solve(self, ruleset: Ruleset, how: SolvingOptions) -> dict[str, Any]:
        line = ProgressLine(self.stderr)
        try:
            row = solve_and_keep(ruleset, how, Listener(self.stderr.write, line.show))
        except NotSolved as error:
            raise CommandFailed(str(error)) from error
        finally:
            line.end()
        document: dict[str, Any] = row.document or {}
        return document


def _solving_options(options: dict[str, Any]) -> SolvingOptions:
    """Return what the options ask for; raises WrongRequest."""
    search = options["search"] and whole_number("search", options["search"], 1, MOST_SECONDS)
    how = SolvingOptions(search=search or 0, keep_table=options["keep_table"])
    if options["memory"] is None:
        return how
    return replace(how, memory=10**9 * whole_number("memory", options["memory"], 1, MOST_MEMORY))


def as_text(ruleset: Ruleset, answer: dict[str, Any]) -> Iterator[str]:
    """Yield the document for people."""
    if answer["method"] == "value_iteration":
        yield from _chances(answer)
        return
    yield f"{answer['ruleset']}: {_value(ruleset, answer['start'])} from the start"
    if answer["reduced"]:
        yield f"This is not a historical board: {_pairs(answer['reduced'])}"
    if answer["set_aside"]:
        yield f"Solved without {_pairs(answer['set_aside'])}"
    if answer["method"] == "sweep":
        yield f"{answer['positions']['formations']:,} formations, {answer['positions']['running']:,} positions"
    elif answer["method"] == "search":
        yield f"Found by search over {answer['looked_at']:,} positions; nobody can force a win in fewer plies"
    else:
        positions = answer["positions"]
        yield f"{positions['reached']:,} positions, {positions['ended']:,} of them ended; {positions['moves']:,} moves"
    for row in answer.get("counts", ()):
        yield f"  {_seat(ruleset, row['mover'])} to move: {row['all']:,} positions, {row['lost']:,} of them lost"
    yield f"First moves of the {_seat(ruleset, answer['start']['mover'])}"
    for move in answer["first_moves"]:
        yield f"  {move['name']:8} {_value(ruleset, move)}"
    if answer["line"]["names"]:
        yield f"Best play: {_line(answer['line'])}"
    for longest in answer.get("longest", ()):
        yield f"Longest forced win of the {_seat(ruleset, longest['winner'])}, {longest['line']['plies']} plies"
        yield f"  after {_line(longest['before'])}"
        yield f"  {_line(longest['line'])}"
    yield f"{answer['seconds']} s, at most {answer['peak_bytes'] / 2**20:.0f} MB"


def _chances(answer: dict[str, Any]) -> Iterator[str]:
    """Yield the chances of a game that throws decide."""
    yield f"{answer['ruleset']}: the chance of the player who throws first, between bounds"
    if answer["reduced"]:
        yield f"This is not a historical board: {_pairs(answer['reduced'])}"
    for row in answer["chances"]:
        yield f"  {row['first']} against {row['second']}: {row['lower']:.6f} to {row['upper']:.6f}"
    yield f"{answer['positions']['numbered']:,} positions, each known to within {answer['widest']:.1e}"
    yield f"{answer['seconds']} s, at most {answer['peak_bytes'] / 2**20:.0f} MB"


def _pairs(values: dict[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in values.items())


def _seat(ruleset: Ruleset, seat: int) -> str:
    return family(ruleset.family).naming(ruleset.parameters).seat(seat)


def _value(ruleset: Ruleset, solved: dict[str, Any]) -> str:
    value = solved["value"]
    if value is None:
        return "no win is forced so soon"
    if value in ("draw", "endless"):
        return "drawn by the rules" if value == "draw" else "drawn by endless play"
    winner = _seat(ruleset, ("first_wins", "second_wins").index(value))
    return f"the {winner} wins" + (f" in {solved['plies']} plies" if solved["plies"] is not None else "")


def _line(line: dict[str, Any]) -> str:
    names = line["names"]
    more = f" … ({len(names)} moves)" if len(names) > MOST_NAMES else ""
    return " ".join(names[:MOST_NAMES]) + more
