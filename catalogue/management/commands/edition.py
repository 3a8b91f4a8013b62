"""The edition that ships: what its plan costs, building it, playing parts of it again, publishing it.

plan says what is to be played, what that takes here, and how well it will be known. build plays what is missing, by
the workers or --inline, and writes each finished part to a file; begun again it goes on. verify plays parts again and
compares digests. publish writes the index of what is there.
"""

import datetime
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from catalogue.edition import making, verifying
from catalogue.edition.files import FOLDER, SAMPLE, EditionFolder
from catalogue.edition.making import load
from catalogue.edition.plans import HOUR, CostedPart, EditionPlan, Part, costed, fitted, planned_games
from catalogue.edition.terms import BATCHES, KINDS, PLAN, PLAYED, read_plan
from catalogue.models import Game
from simulator.batches import dispatch
from simulator.batches.levels import players_of_level
from simulator.management import command_line
from simulator.models import Batch
from simulator.statistics.intervals import points_of

HOURS, PROCESSES = 8.0, 2


class Command(command_line.SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=("plan", "build", "verify", "publish"))
        parser.add_argument("--plan", type=Path, default=PLAN, help="the plan (default fixtures/edition.json)")
        parser.add_argument("--folder", type=Path, default=FOLDER, help="of the parts (default fixtures/edition)")
        parser.add_argument("--hours", type=float, default=HOURS, help="that it may take (default %(default)s)")
        parser.add_argument("--processes", type=int, default=PROCESSES, help="of workers (default %(default)s)")
        parser.add_argument("--sample", type=int, default=SAMPLE, help="parts that are verified (default %(default)s)")
        parser.add_argument("--seed", type=int, default=1, help="that draws them (default %(default)s)")
        parser.add_argument(
            "--share", type=_share, default=(1, 1), help="of the sample: 2/8 is the second of eight parts"
        )
        parser.add_argument("--seconds", type=float, default=float("inf"), help="the longest part that is drawn")
        parser.add_argument("--batches", action="store_true", help="draw batches only, without making the plan")
        parser.add_argument("--kind", action="append", default=[], choices=KINDS, help="builds this only; repeatable")
        parser.add_argument("--level", action="append", default=[], help="builds parts of this level only; repeatable")
        parser.add_argument("--game", action="append", default=[], help="builds parts of this game only; repeatable")
        parser.add_argument("--cheapest-first", action="store_true", help="builds the games that take least first")
        parser.add_argument("--date", type=datetime.date.fromisoformat, help="of the release (default today)")
        command_line.add_common_arguments(parser, "--inline", "--json")

    def handle(self, **options: Any) -> None:
        if options["hours"] <= 0 or options["processes"] < 1 or options["sample"] < 1:
            raise command_line.WrongUsage("hours must be more than 0, processes and sample at least 1")
        with command_line.exit_statuses(refused=(OSError,)):
            command_line.prepare_database(self.stderr)
            if not Game.objects.exists():
                raise command_line.WrongUsage("the catalogue is empty: manage.py load_fixtures fills it")
            folder = EditionFolder(options["folder"])
            getattr(self, f"_{options['what']}")(folder, options)

    def _planned(self, options: dict[str, Any]) -> EditionPlan:
        terms = read_plan(options["plan"])
        return fitted(terms, planned_games(terms), options["hours"], options["processes"])

    def _plan(self, folder: EditionFolder, options: dict[str, Any]) -> None:
        planned = self._planned(options)
        self.print_answer(_plan_document(folder, planned, options["processes"]), _plan_in_words, options["json"])

    def _build(self, folder: EditionFolder, options: dict[str, Any]) -> None:
        inline = options["inline"]
        if not inline:
            dispatch.require_broker()
        load(folder)
        planned = [item.part for item in self._planned(options).parts]
        parts = [part for part in planned if _is_wanted(part, options)]
        if options["cheapest_first"]:
            work: dict[str, int] = {}
            for part in parts:
                work[part.game] = work.get(part.game, 0) + part.work
            parts.sort(key=lambda part: work[part.game])

        def play(batches: list[Batch]) -> str:
            try:
                command_line.play_to_end(batches, inline, self.stderr)
            except command_line.CommandFailed as error:
                return str(error)
            return ""

        built = making.build(folder, parts, play, self.stderr.write, announce=not inline)
        answer = {"written": built.written, "failed": built.failed, "parts": len(parts)}
        self.print_answer(
            answer, lambda one: f"{one['written']} parts written, {one['parts']} in all.", options["json"]
        )
        if built.failed:
            raise command_line.CommandFailed("these parts could not be made:\n  " + "\n  ".join(built.failed))

    def _verify(self, folder: EditionFolder, options: dict[str, Any]) -> None:
        wanted = options["sample"], options["seed"], options["seconds"]
        if options["batches"]:
            drawn = verifying.sample_of_batches(folder, *wanted)
        else:
            drawn = verifying.sample(folder, [item.part for item in self._planned(options).parts], *wanted)
        if not drawn:
            raise command_line.CommandFailed("no part is there to be verified: manage.py edition build makes them")
        number, shares = options["share"]
        found: list[verifying.Verified] = []
        line = command_line.ProgressLine(self.stderr)
        for part in drawn[number - 1 :: shares]:
            line.show(f"{len(found) + 1} of {len(drawn[number - 1 :: shares])}: {part.kind} {part.name}")
            found.append(verifying.verify(folder, part, lambda batch: None))
        line.end()
        self.print_answer({"parts": [_verified(part) for part in found]}, _verified_in_words, options["json"])
        wrong = [part for part in found if part.differences]
        if wrong:
            lines = [f"{part.part.kind} {part.part.name}: {'; '.join(part.differences)}" for part in wrong]
            raise command_line.CommandFailed("the edition is not what its games say:\n  " + "\n  ".join(lines))

    def _publish(self, folder: EditionFolder, options: dict[str, Any]) -> None:
        made = making.publish(folder, self._planned(options), options["date"] or datetime.date.today())
        missing = sum(map(len, made.missing.values()))
        answer = {"date": made.date, "parts": len(made.parts), "bytes": made.bytes, "missing": made.missing}
        words = f"Edition of {made.date}: {len(made.parts)} parts, {made.bytes:,} bytes; {missing} parts are missing."
        self.print_answer(answer, lambda _: words, options["json"])


def _is_wanted(part: Part, options: dict[str, Any]) -> bool:
    """Whether these options name the part; those that name nothing mean all. A level is both its players."""
    levels = [player for level in options["level"] for player in players_of_level(level)]
    named = ((part.kind, options["kind"]), (part.level, levels), (part.game, options["game"]))
    return all(one in known for one, known in named if known)


def _share(text: str) -> tuple[int, int]:
    """ "2/8" as numbers; raises ArgumentTypeError"""
    number, _, shares = text.partition("/")
    if not (number.isdecimal() and shares.isdecimal() and 1 <= int(number) <= int(shares)):
        raise ArgumentTypeError(f"{text!r} is no share: the second of eight is 2/8")
    return int(number), int(shares)


def _verified(one: verifying.Verified) -> dict[str, Any]:
    named = {name: getattr(one.part, name) for name in ("kind", "name", "id")}
    return {**named, "games": one.games, "differences": list(one.differences)}


def _plan_document(folder: EditionFolder, planned: EditionPlan, processes: int) -> dict[str, Any]:
    """hours: of the whole; hours_left: without what has a file, or was played here"""
    files = {key for kind in PLAYED for key in folder.ids(kind)}
    there = {*files, *Batch.objects.filter(state=Batch.State.DONE).values_list("id", flat=True)}
    waiting = making.unfinished(folder, [item.part for item in planned.parts])
    left = costed(waiting, lambda request: request.id in there)
    groups: dict[tuple[str, str], list[CostedPart]] = {}
    for item in planned.parts:
        groups.setdefault((item.part.kind, item.part.level), []).append(item)
    return {
        "processes": processes,
        "hours": planned.seconds / processes / HOUR,
        "hours_left": sum(part.seconds for part in left) / processes / HOUR,
        "games": sum(item.games for item in planned.parts),
        "given_up": [str(step) for step in planned.given_up],
        "groups": [_group(folder, kind, level, some) for (kind, level), some in groups.items()],
    }


def _group(folder: EditionFolder, kind: str, level: str, parts: list[CostedPart]) -> dict[str, Any]:
    """reached: of batches, how well shares are known at best and at worst, ± percentage points"""
    games = sorted(item.part.requests[0].games for item in parts) if kind == BATCHES else []
    return {
        "kind": kind,
        "level": level,
        "parts": len(parts),
        "there": sum(folder.has(kind, item.part.id) for item in parts),
        "games": sum(item.games for item in parts),
        "hours_of_a_processor": sum(item.seconds for item in parts) / HOUR,
        "reached": [round(points_of(games[-1]), 1), round(points_of(games[0]), 1)] if games else None,
    }


def _plan_in_words(found: dict[str, Any]) -> str:
    lines = [f"{'':22} parts  there        games  processor  shares known to within"]
    for group in sorted(found["groups"], key=lambda group: KINDS.index(group["kind"])):
        reached = "" if group["reached"] is None else f"± {_span(group['reached'])} points"
        hours = f"{group['hours_of_a_processor']:8.2f} h"
        name = f"{group['kind']} {group['level']}"
        lines.append(
            f"{name:22} {group['parts']:5}  {group['there']:5} {group['games']:12,} {hours}  {reached}".rstrip()
        )
    given_up = [f"Given up so that it fits: {part}." for part in found["given_up"]]
    total = (
        f"{found['games']:,} games, {found['hours']:.1f} hours on {found['processes']} processes, "
        f"of which {found['hours_left']:.1f} are left."
    )
    return "\n".join([*lines, "", *given_up, total])


def _span(reached: Iterable[float]) -> str:
    return " to ".join(dict.fromkeys(f"{half_width:g}" for half_width in reached))


def _verified_in_words(found: dict[str, Any]) -> str:
    lines = [f"{'differs' if part['differences'] else 'same'}: {part['kind']} {part['name']}, {part['games']:,} games"
             for part in found["parts"]]  # fmt: skip
    return "\n".join(lines)
