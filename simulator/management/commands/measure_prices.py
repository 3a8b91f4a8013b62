"""Measure what every player costs in every shipped ruleset, and write it down: some minutes of one core.

Requests of games are weighed by these prices. Measure again after a change of the engine that makes it slower or
faster, or when rulesets are added. Games of a search are taken to be as long as those of a small one, but where
--lengths has measured the strong player's: two who overlook nothing may never come to an end.
"""

import datetime
import json
import os
import platform
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from simulator import rulesets
from simulator.batches.levels import STRONG, resolve_players
from simulator.batches.prices import FILE
from simulator.engine import shipped
from simulator.engine.family import FAMILY_NAMES, family
from simulator.engine.players.names import PLAYERS_VERSION
from simulator.management.command_line import ProgressLine, SimulatorCommand

UNIT = "microseconds of processor time"


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ruleset", nargs="*", help="only these, and the others as they were; none means all")
        part = parser.add_mutually_exclusive_group()
        part.add_argument("--finishing", action="store_true", help="only what figures and plots of a batch cost")
        part.add_argument(
            "--searches", action="store_true", help="only what iterations cost, held against a turn of random play"
        )
        part.add_argument(
            "--lengths", action="store_true", help="only how long games of the strong player are: half a minute each"
        )
        parser.add_argument("--to", type=Path, default=FILE, help="the file (default %(default)s)")

    def handle(self, **options: Any) -> None:
        from simulator.management import pricing  # brings the compiled engine

        target: Path = options["to"]
        wanted = {name: rulesets.find(name) for name in options["ruleset"] or shipped.rulesets()}
        parts = [part for part in ("finishing", "searches", "lengths") if options[part]]
        is_partial = options["ruleset"] or parts
        kept = json.loads(target.read_text(encoding="utf-8")) if is_partial else {"rulesets": {}, "finishing": {}}
        newest = {shipped.load(name).hash for name in shipped.rulesets()}
        rows = {content: row for content, row in kept["rulesets"].items() if content in newest}
        finishing = {} if options["finishing"] else dict(kept["finishing"])
        line = ProgressLine(self.stderr)
        for number, (name, ruleset) in enumerate(wanted.items(), start=1):
            line.show(f"{number} of {len(wanted)}: {name}", 100 * number // len(wanted))
            if parts == ["lengths"]:
                strong = resolve_players(ruleset, STRONG)
                rows[ruleset.hash]["turns"][strong] = pricing.length(ruleset, strong)
            elif parts == ["searches"]:
                rows[ruleset.hash] |= pricing.searches(ruleset, rows[ruleset.hash]["turn"])
            else:
                finishing[ruleset.family] = max(finishing.get(ruleset.family, 0.0), pricing.finishing(ruleset))
            if not parts:
                rows[ruleset.hash] = pricing.measure(name, ruleset)
            _write(target, rows, finishing)
        line.end()
        self.stdout.write(f"{len(rows)} rulesets are priced in {target}")


def _write(target: Path, rows: dict[str, Any], finishing: dict[str, float]) -> None:
    """finishing: of each family, what figures and plots of its dearest ruleset cost"""
    ordered = dict(sorted(rows.items(), key=lambda item: item[1]["name"]))
    fresh = target.with_suffix(".new")
    header = {**_header(), "finishing": dict(sorted(finishing.items()))}
    text = json.dumps({**header, "rulesets": ordered}, indent=1, ensure_ascii=False)
    fresh.write_text(text + "\n", encoding="utf-8")
    os.replace(fresh, target)


def _header() -> dict[str, Any]:
    return {
        "measured": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "by": "manage.py measure_prices",
        "unit": UNIT,
        "processor": platform.machine(),
        "versions": {**{name: family(name).rules_version for name in FAMILY_NAMES}, "players": PLAYERS_VERSION},
    }
