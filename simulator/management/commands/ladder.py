"""Climb a ladder of players: how much a larger budget is worth in a ruleset, and how random play fares against it."""

from argparse import ArgumentParser
from typing import Any

from simulator.analyses.ladder_matches import DEFAULT_GAMES, DEFAULT_MOST, check_ladder, doubling
from simulator.analyses.ladders import LADDERS
from simulator.batches.requests import DEFAULT_CAP
from simulator.management.command_line import SimulatorCommand, add_common_arguments, named_ruleset, play_requests
from simulator.problems import WrongRequest


class Command(SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_common_arguments(parser, "ruleset", "--set")
        parser.add_argument("--rungs", help="players or levels, weakest first, with commas: random,uct:16,club")
        parser.add_argument("--most", help=f"instead: double the budget up to so much (default {DEFAULT_MOST})")
        parser.add_argument("--search", default="uct", help="of what kind the players are then: uct or alpha_beta")
        add_common_arguments(parser, "--games", default=DEFAULT_GAMES, help="of each match (default %(default)s)")
        add_common_arguments(parser, "--seed", "--until", "--inline", "--json")
        cap = f"turns after which a game is stopped (default: {DEFAULT_CAP}, more where random play takes long)"
        parser.add_argument("--cap", help=cap)

    def handle(self, **options: Any) -> None:
        terms = {key: options[key] for key in ("games", "seed", "cap", "until")}
        name, ruleset = named_ruleset(options)
        request = check_ladder(name, _rungs(options), ruleset=ruleset, **terms)
        play_requests(request.requests, options["inline"], self.stderr)
        self.print_answer(LADDERS.concluded(request).document, as_text, options["json"])


def _rungs(options: dict[str, Any]) -> tuple[str, ...]:
    if options["rungs"] is None:
        most = {} if options["most"] is None else {"most": options["most"]}
        return doubling(options["search"], **most)
    if options["most"] is not None:
        raise WrongRequest.of("most", "the rungs are named already; either --rungs or --most")
    return tuple(name.strip() for name in options["rungs"].split(","))


def as_text(document: dict[str, Any]) -> str:
    """Return the document for people."""
    luck = document["luck"]
    lines = [
        f"ladder {document['ladder']} of {document['ruleset']}: {document['games']:,} games of each match, "
        f"seed {document['seed']}, cap {document['cap']:,} turns, until the end of the {document['until']}",
        document["sentence"],
        *([f"Decided by the throws alone, between random players: {luck['text']}."] if luck else []),
        "",
        "Strength, in points of Elo's scale above the lowest rung, and the points expected against it by the same fit",
        *(f"  {row['words']}: {row['text']}{_expected(row['points'])}" for row in document["strengths"]),
        "",
        f"Share of the points that were made (a side that plays no better makes {100 * document['fair']:.0f} %)",
    ]
    for match in document["matches"]:
        kinds = "" if match["kinds"] is None else f", {match['kinds']:,} different"
        counted = f"{match['games']:,} games{kinds}"
        lines.append(
            f"  {match['stronger_words']}, against {match['weaker_words']}: {match['share']['text']}, {counted}"
        )
        lines += [f"      as {seat['title']}: {seat['text']}" for seat in match["seats"]]
    return "\n".join(lines)


def _expected(points: dict[str, Any] | None) -> str:
    return f"; {points['text']}" if points else ""
