"""Compare rulesets: the rules that differ, and by how much the games do, pair by pair."""

from argparse import ArgumentParser
from typing import Any

from catalogue.comparisons import service as comparing
from catalogue.comparisons.comparison import VERDICTS
from catalogue.comparisons.requests import (
    DEFAULT_BOOTSTRAP_SEED,
    DEFAULT_GAMES,
    ComparisonRequest,
    Named,
    check_comparison,
    parse_margins,
)
from simulator import rulesets
from simulator.batches import dispatch
from simulator.batches.requests import DEFAULTS
from simulator.engine.players.wording import HINT
from simulator.management.command_line import SimulatorCommand, as_json, exit_statuses, prepare_database
from simulator.management.watch import see_done
from simulator.models import Batch


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "rulesets", nargs="+", help="slug, slug@number, hash, or the first 8 or more digits of a hash"
        )
        parser.add_argument("--games", default=DEFAULT_GAMES, help="of each ruleset (default %(default)s)")
        parser.add_argument("--seed", default=DEFAULTS["seed"], help="where chance begins (default %(default)s)")
        parser.add_argument("--players", default=DEFAULTS["players"], help=HINT)
        parser.add_argument("--cap", default=DEFAULTS["cap"], help="turns after which a game is left unfinished")
        parser.add_argument("--until", default=DEFAULTS["until"], help="game, or round for the first round only")
        parser.add_argument(
            "--margin", action="append", default=[], metavar="NAME=VALUE",
            help="the difference that matters: shares=0.02 (2 percentage points), amounts=0.05 (5 %% of the first)",
        )  # fmt: skip
        parser.add_argument("--bootstrap-seed", default=DEFAULT_BOOTSTRAP_SEED, help="default %(default)s")
        parser.add_argument(
            "--set", action="append", default=[], metavar="KEY=VALUE",
            help="compare also with the last ruleset so changed; repeatable",
        )  # fmt: skip
        parser.add_argument("--inline", action="store_true", help="play in this process, without broker and workers")
        parser.add_argument("--json", action="store_true", help="print one JSON document")

    def handle(self, **options: Any) -> None:
        wanted = {key: options[key] for key in ("games", "seed", "players", "cap", "until", "bootstrap_seed")}
        inline = options["inline"]
        with exit_statuses():
            names = _with_changed(options["rulesets"], options["set"])
            request = check_comparison(names, margins=parse_margins(options["margin"]), **wanted)
            prepare_database(self.stderr)
            if not inline and not _is_played(request):
                dispatch.require_broker()
            document = self._computed(request, inline)
        self.stdout.write(as_json(document) if options["json"] else _as_text(document))

    def _computed(self, request: ComparisonRequest, inline: bool) -> dict[str, Any]:
        from catalogue.comparisons.document import batches_of, compute  # brings the statistics

        comparison = comparing.ask(request, announce=not inline)
        see_done(list(dict.fromkeys(batches_of(comparison))), inline, self.stderr)
        compute(comparison)
        assert comparison.document
        return comparing.with_clauses(comparison.document)


def _with_changed(names: list[str], changes: list[str]) -> list[str | Named]:
    """The rulesets named, and the last of them once more with the changes made."""
    if not changes:
        return [*names]
    changed = rulesets.find(names[-1], rulesets.parse_changes(changes))
    return [*names, Named(changed.hash, changed)]


def _is_played(request: ComparisonRequest) -> bool:
    ids = {batch.id for batch in request.batches}
    return Batch.objects.filter(id__in=ids, state=Batch.State.DONE).count() == len(ids)


def _as_text(document: dict[str, Any]) -> str:
    sides = document["rulesets"]
    lines = [f"comparison {document['comparison']}, {document['games']:,} games of each, seed {document['seed']}"]
    lines += [f"  {place}. {side['name']}, batch {side['batch']}" for place, side in enumerate(sides, 1)]
    lines.append("\nRules that differ" if document["rules"] else "\nNo rule differs.")
    for rule in document["rules"]:
        lines.append(f"  {rule['title']}")
        lines += [f"    {place}. {_side(side)}" for place, side in enumerate(rule["sides"], 1)]
    for pair in document["pairs"]:
        first, second = sides[pair["first"]], sides[pair["second"]]
        lines += [f"\n{second['name']} against {first['name']}", pair["sentence"], pair["pairing"]]
        lines.append(f"  Identical games: {pair['identical']['text']}")
        lines += [f"  {_measure(measure)}" for measure in pair["measures"]]
    return "\n".join(lines)


def _side(side: dict[str, Any]) -> str:
    clause = side["clause"]
    return f"{side['words']} [{clause['basis']}: {clause['text']}]" if clause else side["words"]


def _measure(measure: dict[str, Any]) -> str:
    sign, words = VERDICTS[measure["verdict"]]
    games = measure["games_needed"]
    needed = f" ({games:,} games would bring half the interval under the margin)" if games else ""
    figures = f"{measure['first']['text']} → {measure['second']['text']}; difference {measure['difference']['text']}"
    return f"{sign} {measure['title']}: {figures}: {words}{needed}"
