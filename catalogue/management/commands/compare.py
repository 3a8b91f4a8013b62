"""Compare rulesets: the rules that differ, and by how much the games do, pair by pair."""

from argparse import ArgumentParser
from typing import Any

from catalogue.analyses.comparison_words import VERDICTS
from catalogue.analyses.comparisons import (
    COMPARISONS,
    DEFAULT_BOOTSTRAP_SEED,
    DEFAULT_GAMES,
    ComparedRuleset,
    ComparisonRequest,
    check_comparison,
    parse_margins,
    with_clauses,
)
from simulator import rulesets
from simulator.batches.levels import line_in_words
from simulator.management import command_line


class Command(command_line.SimulatorCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        names = "slug, slug@number, hash or its beginning; with changes: SLUG+KEY=VALUE+KEY=VALUE"
        command_line.add_common_arguments(parser, "ruleset", nargs="+", metavar="rulesets", help=names)
        command_line.add_common_arguments(
            parser, "--games", default=DEFAULT_GAMES, help="of each ruleset (default %(default)s)"
        )
        command_line.add_common_arguments(parser, "--seed", "--players", "--cap", "--until", "--inline", "--json")
        parser.add_argument(
            "--margin", action="append", default=[], metavar="NAME=VALUE",
            help="the difference that matters: shares=0.02 (2 percentage points), amounts=0.05 (5 %% of the smaller)",
        )  # fmt: skip
        parser.add_argument("--bootstrap-seed", default=DEFAULT_BOOTSTRAP_SEED, help="default %(default)s")
        command_line.add_common_arguments(
            parser, "--set", help="compare also with the last ruleset so changed; repeatable"
        )

    def handle(self, **options: Any) -> None:
        wanted = {key: options[key] for key in ("games", "seed", "players", "cap", "until", "bootstrap_seed")}
        inline = options["inline"]
        with command_line.exit_statuses():
            names = _with_changed(options["ruleset"], options["set"])
            request = check_comparison(names, margins=parse_margins(options["margin"]), may_be_alike=True, **wanted)
            command_line.prepare_database(self.stderr)
            if not inline:
                command_line.require_broker_for({batch.id for batch in request.requests})
            document = self._computed(request, inline)
        self.print_answer(document, _as_text, options["json"])

    def _computed(self, request: ComparisonRequest, inline: bool) -> dict[str, Any]:
        comparison = COMPARISONS.request(request, announce=not inline)
        command_line.play_to_end(COMPARISONS.batches_of(comparison), inline, self.stderr)
        COMPARISONS.conclude(comparison)
        assert comparison.document
        return with_clauses(comparison.document)


def _with_changed(names: list[str], changes: list[str]) -> list[str | ComparedRuleset]:
    """The rulesets named, `daramuti-parker@1+counters_per_hole=5` with changes; the last once more with `changes`."""
    compared = [_changed(*name.split("+")) if "+" in name else name for name in names]
    return [*compared, _changed(names[-1], *changes)] if changes else compared


def _changed(name: str, *changes: str) -> ComparedRuleset:
    ruleset = rulesets.find(name, rulesets.parse_changes(changes))
    return ComparedRuleset(ruleset.hash, ruleset)


def _as_text(document: dict[str, Any]) -> str:
    sides = document["rulesets"]
    lines = [f"comparison {document['comparison']}, {document['games']:,} games of each, seed {document['seed']}"]
    lines[0] = lines[0].replace(" games of each", f" {document['counted']} of each")
    lines.append(f"Players: {line_in_words(document['players'])}")
    if "second_players" in document:
        lines.append(f"Second players: {line_in_words(document['second_players'])}")
    lines += [
        f"  {place}. {side['name']}, batch {side['batch']}, played by {side.get('players', document['players'])}"
        for place, side in enumerate(sides, 1)
    ]
    lines.append("\nRules that differ" if document["rules"] else "\nNo rule differs.")
    for rule in document["rules"]:
        lines.append(f"  {rule['title']}")
        lines += [f"    {place}. {_side(side)}" for place, side in enumerate(rule["sides"], 1)]
    for pair in document["pairs"]:
        first, second = sides[pair["first"]], sides[pair["second"]]
        lines += [f"\n{second['name']} against {first['name']}", pair["sentence"], pair["pairing"]]
        if pair["identical"]:
            lines.append(f"  Identical games: {pair['identical']['text']}")
        lines += [f"  Of {pair['kinds'][0]} and {pair['kinds'][1]} different games"] if pair["kinds"][0] else []
        for end in pair["impossible"]:
            texts = (end[name] or "cannot happen" for name in ("first", "second"))
            lines.append(f"  {end['title']}: {' → '.join(texts)}, by the rules")
        lines += [f"  Not compared: {', '.join(pair['withheld'])}"] if pair["withheld"] else []
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
    again = measure.get("again")
    second = f"; with the second players {again['first']['text']} → {again['second']['text']}" if again else ""
    return f"{sign} {measure['title']}: {figures}{second}: {words}{needed}"
