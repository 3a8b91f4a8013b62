"""Find the search that plays a game best for its price: a race over horizon, exploration, weight of the evaluation.
Other searches race with them where they are named. Of a game all play in all readings, and --second finds the second
player of the level, who is of another kind than the first. A ruleset alone can be tuned as well.

The result goes into fixtures/players.json, with the games that decided. A race that was broken off goes on where it
was, if it is requested in the same words.
"""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings

from simulator.management.command_line import ProgressLine, SimulatorCommand, add_common_arguments, write_json
from simulator.strength.candidates import ALL
from simulator.strength.tuning import DEFAULT_TARGET, TuningRequest, check_tuning

FILE = Path(settings.BASE_DIR) / "fixtures" / "players.json"
WORDS = "{name}: {player}\n  against {plain}: {won} won, {lost} lost, {neither} without a winner, share {share}"


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="a game of fixtures/players.json, or a ruleset")
        parser.add_argument(
            "--budget",
            default="",
            help="games, or with an s as many as are expected in so many seconds",
        )
        parser.add_argument(
            "--target",
            metavar="MICROSECONDS",
            default=DEFAULT_TARGET,
            help="that a turn of the player may cost by player_prices.json (default %(default)s)",
        )
        parser.add_argument(
            "--among",
            metavar="NUMBER",
            default=ALL,
            help="so many of the best of the dearest race at a lower price in the file, of a game those of races "
            "that its readings had alone (default %(default)s)",
        )
        parser.add_argument("--second", action="store_true", help="the second player of the level, unlike the first")
        parser.add_argument("--horizons", action="store_true", help="with --among: the best one with every other too")
        parser.add_argument(
            "--player",
            dest="others",
            action="append",
            default=[],
            help="races besides, such as alpha_beta:5; repeatable",
        )
        parser.add_argument("--to", type=Path, default=FILE, help="the file (default %(default)s)")
        add_common_arguments(parser, "--seed", "--json")

    def handle(self, **options: Any) -> None:
        terms = {key: options[key] for key in ("budget", "target", "seed", "among", "horizons", "others", "second")}
        request = check_tuning(options["name"], **terms, races=kept_in(options["to"]))
        document = self._raced(request)
        keep(options["to"], request, document)
        self.print_answer(document, as_text, options["json"])

    def _raced(self, request: TuningRequest) -> dict[str, Any]:
        from simulator.strength.tuning import Matches, race  # brings the compiled engine

        line = ProgressLine(self.stderr)
        matches = Matches(request, settings.VAR_DIR / "tuning")
        document = race(request, matches, lambda best, played, most: line.show(f"{best} leads", 100 * played // most))
        line.end()
        matches.file.unlink(missing_ok=True)
        return document


def kept_in(file: Path) -> dict[str, Any]:
    """Return documents of races of rulesets alone, by the hash of the ruleset, then by what a turn may cost."""
    races: dict[str, Any] = _document(file).get("rulesets", {})
    return races


def keep(file: Path, request: TuningRequest, raced: dict[str, Any]) -> None:
    """Write the result among the others: by game or ruleset, then by what a turn may cost."""
    document = _document(file)
    if request.place:
        races = document["games"][request.name]["races"]
        races[str(request.target)] = {**races.get(str(request.target), {}), request.place: raced}
        document["games"][request.name]["races"] = _by_target(races)
    else:
        kept = document.setdefault("rulesets", {})
        known = kept.get(request.ruleset.hash, {})
        kept[request.ruleset.hash] = _by_target({**known, str(request.target): raced})
        by_name = sorted(kept.items(), key=lambda item: next(iter(item[1].values()))["name"])
        document["rulesets"] = dict(by_name)
    write_json(file, {**document, "by": "manage.py tune"})


def _document(file: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return document


def _by_target(races: dict[str, Any]) -> dict[str, Any]:
    return dict(sorted(races.items(), key=lambda item: int(item[0])))


def as_text(document: dict[str, Any]) -> str:
    """Return the document for people."""
    against = document["against"]
    share, low, high = against["share"]
    interval = f"{share:.3f} ({low:.3f} to {high:.3f})"
    return WORDS.format(
        **{key: document[key] for key in ("name", "player")},
        **{key: against[key] for key in ("won", "lost", "neither")},
        plain=against["player"],
        share=interval,
    )
