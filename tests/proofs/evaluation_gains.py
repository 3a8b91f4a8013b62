"""What the fitted evaluations gained: matches of one search by itself, with fitted weights and with plain ones.

    python -m tests.proofs.evaluation_gains [--write] [RULESET …]

Both sides are the same player, `uct:100/4:prior=8`, sides exchanged: once with equally many iterations, once with as
many as equal processor time allows, by what the first match took. In the third match both are greedy, and in the last
two greedy players of either kind meet random ones. `--write` puts the table into docs/search.md, between its marks. Two
trees cannot meet in one game, but two sets of weights can: each side has compiled rules of its own.
"""

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.proofs.play_gains import CAP, Score
from tests.proofs.running import print_or_write

DOCUMENT = Path(__file__).parents[2] / "docs" / "search.md"
BEGIN, END = "<!-- evaluations: written by the command -->\n", "<!-- end of evaluations -->\n"
GAMES, ITERATIONS, OPTIONS, SEED = 20, 100, "/4:prior=8", 1
SLUGS = (
    *("kalah-reference", "oware-reference", "mawkar-katiya-das-gupta", "saturankam-dlp", "pancha-keliya-parker"),
    *("kawade-kelia-culin", "nerenchi-keliya-parker", "nine-mens-morris-reference", "niranchy-dlp"),
    *("english-draughts-reference", "koti-keliya-parker", "peralikatuma-parker", "kotu-ellima-ludii"),
)
TITLES = ("equal iterations", "equal time", "greedy", "greedy against random", "plain greedy against random")


class Side:
    """A player with weights of his own, and the processor time that he has taken."""

    def __init__(self, ruleset: Any, name: str, weigh: Any) -> None:
        from simulator.engine import kernels
        from simulator.engine.players.kernel.calls import as_argument
        from simulator.engine.players.search import Searcher

        self.searcher, self.seconds, self.moves = Searcher(ruleset, name), 0.0, 0
        contract = kernels.kernel(ruleset.family).contract
        self.searcher.choose(SEED, [])  # compiles what it has to
        self.searcher.arrays.rules[:] = as_argument(contract.compile_rules(ruleset.parameters, weigh))[0]

    def choose(self, seed: int, moves: Sequence[int]) -> int:
        begun = time.process_time()
        move = self.searcher.choose(seed, moves)
        self.seconds += time.process_time() - begun
        self.moves += 1
        return move

    @property
    def per_move(self) -> float:
        return self.seconds / self.moves


def weighs(family_name: str) -> tuple[Any, Any]:
    """(fitted, plain) weights."""
    from simulator.engine.weights import weigh
    from tools.management.commands.fit import PLAIN

    return weigh(family_name), lambda kind, role: PLAIN[family_name][role]


def meet(ruleset: Any, one: Side, other: Side, games: int = GAMES) -> Score:
    """How the one did against the other, sides exchanged."""
    from simulator.engine.players.names import sides_of

    found, sides = [], sides_of(ruleset)
    for number in range(games // len(sides)):
        for own in sides:
            winners = _winners(ruleset, [one if seat in own else other for seat in range(sum(map(len, sides)))], number)
            found.append(None if not winners else bool(winners & sum(1 << seat for seat in own)))
    return Score(found.count(True), found.count(False), found.count(None))


def _winners(ruleset: Any, players: Sequence[Side], number: int) -> int:
    """Play a game, or its first round: the winning seats as bits; 0 if there are none, or it was cut."""
    from simulator.batches.requests import has_rounds
    from simulator.engine import kernels
    from simulator.engine.ends import WIN
    from simulator.engine.family import family
    from simulator.engine.randomness_kernel import open_streams

    contract, one_round = kernels.kernel(ruleset.family).contract, has_rounds(family(ruleset.family))
    rules, moves = contract.compile_rules(ruleset.parameters), []
    position, counts, _, streams = kernels.workspace(contract, rules)
    open_streams(streams, SEED + number, 0, contract.FIRST_STREAM, contract.LAST_STREAM)
    contract.start(rules, position, streams, counts)
    while contract.outcome(rules, position)[0] < 0 and counts[0] < CAP:
        if one_round and contract.round_outcome(counts)[0]:
            first = contract.round_outcome(counts)[1]
            return 0 if first < 0 else 1 << first
        moves.append(players[contract.mover(rules, position)].choose(SEED + number, moves))
        contract.play(rules, position, moves[-1], streams, counts)
    end, winners = contract.outcome(rules, position)
    return winners if end == WIN else 0


def row(slug: str) -> list[Score]:
    """Of one ruleset: every match."""
    from tests.engine.rulesets import RULESETS

    ruleset = RULESETS[slug]
    fitted, plain = weighs(ruleset.family)
    name = f"uct:{ITERATIONS}{OPTIONS}"
    one, other = Side(ruleset, name, fitted), Side(ruleset, name, plain)
    found = [meet(ruleset, one, other)]
    fewer = f"uct:{max(1, round(ITERATIONS * min(1.0, other.per_move / one.per_move)))}{OPTIONS}"
    found.append(meet(ruleset, Side(ruleset, fewer, fitted), other))
    found.append(meet(ruleset, Side(ruleset, "greedy", fitted), Side(ruleset, "greedy", plain)))
    random = Side(ruleset, "random", plain)
    found += [meet(ruleset, Side(ruleset, "greedy", kind), random) for kind in (fitted, plain)]
    print(slug, *found, f"{one.per_move / other.per_move:.2f} times the time", file=sys.stderr, flush=True)  # noqa: T201
    return found


def table(slugs: Sequence[str]) -> str:
    rows = {slug: row(slug) for slug in slugs}
    rows["all"] = [Score(*map(sum, zip(*column, strict=True))) for column in zip(*rows.values(), strict=True)]
    lines = [f"| ruleset | {' | '.join(TITLES)} |", f"|{' --- |' * (len(TITLES) + 1)}"]
    lines += [f"| {name} | {' | '.join(map(str, found))} |" for name, found in rows.items()]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str]) -> None:
    import django

    django.setup()
    found = table([one for one in arguments if one != "--write"] or SLUGS)
    print_or_write(found, DOCUMENT, BEGIN, END, write="--write" in arguments)


if __name__ == "__main__":
    import os

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catalogue.config.settings")
    main(sys.argv[1:])
