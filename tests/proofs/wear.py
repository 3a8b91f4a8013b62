"""The proofs of what is said of worn boards; their figures as one JSON document.

    python -m tests.proofs.wear [NAME…]

planted: observers of a board that a known candidate wore, 500 in each of some ways; the true one is rejected no oftener
than is said. null: 1,000 sets of symmetrical games; ours calls few of them lopsided, turning each game to the mean of
those before calls nearly all so. replays: traffic of every case, recomputed from the referee's games. oracle: tau-b as
SciPy has it. slab: every candidate's 1,000 games with their traffic, timed. Without names all of them; they are a
matter of minutes. Exit status 1 if a proof failed.
"""

import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.proofs.running import Figures, demand, outcome, report

Floats = NDArray[np.float64]
SLAB, GAMES, CAP = "coriovallum", 1_000, 200
PLAYERS = {
    "random": ("random", "random"),
    "greedy": ("greedy:weights=hunt", "greedy:weights=hunt"),  # as studies of the slab play it
    "of another game": ("greedy:weights=crossing", "greedy:weights=crossing"),
}
LEVELS = ("random", "greedy")
LEVEL = 0.05
SURE = 0.999  # of what chance may do to a proof


def _sums(ruleset: Any, players: Sequence[str], seed: int, games: int = GAMES) -> Any:
    from simulator.engine import playout
    from simulator.engine.family import family
    from simulator.engine.traffic import Sums

    sums = Sums.none(family(ruleset.family).traffic(ruleset.parameters).cells)
    playout.play_block(ruleset, tuple(players), seed, 0, games, CAP, "game", traffic=sums)
    return sums


def _lines(ruleset: Any, sums: Any) -> Any:
    """What the statistics take: the shares of the lines, unfinished games with the others."""
    from simulator.batches.traffic import shares_of
    from simulator.engine.family import family

    return shares_of(sums, family(ruleset.family).traffic(ruleset.parameters), "lines")


# A planted truth

OBSERVERS = 500
BOARD = "none-joined"  # the plainest reading of the slab is what observers look at
NOISE = 0.15  # of what is seen of a line's wear, as the deviation of its logarithm
APART = (1.25, 1.4, 1.6, 1.8, 2.0, 2.5, 3.0)  # of two lines the one seems more worn that looks so much deeper
ALIKE = 0.05  # of the wear of two lines that a symmetry maps on each other, by the games that were played
TRIED = 300  # boards on which it is found out how often noise alone makes an order wrong


@dataclass(frozen=True)
class Way:
    """How observers look at boards.

    orders: how many they report at most; certainty: what they say of each
    errs:   how often orders are wrong for another reason than noise; unless given, as often as makes what they say true
    apart:  how much deeper a line has to look; unless given, so much that noise makes no more wrong than they say
    plays:  the level at which the board was worn, and that of the candidates; games: of each candidate
    """

    orders: int
    certainty: str
    errs: float | None = None
    apart: float | None = None
    plays: tuple[str, str] = ("random", "random")
    games: int = GAMES


WAYS = {
    "few": Way(4, "likely"),
    "several": Way(8, "likely"),
    "many": Way(16, "likely"),
    "few, sure": Way(4, "certain"),
    "many, sure": Way(16, "certain"),
    "many, doubtful": Way(16, "doubtful"),
    "several, greedy": Way(8, "likely", plays=("greedy", "greedy")),
    "all that can be had: 40 sure ones, 10,000 games": Way(40, "certain", games=10 * GAMES),
    "several, wrong twice as often as said": Way(8, "likely", errs=0.2, apart=1.6),
    "several, where noise is taken for wear": Way(8, "likely", errs=0.0, apart=1.25),
    "several, worn by greedy and held against random": Way(8, "likely", plays=("greedy", "random")),
}
AS_SAID = [name for name, way in WAYS.items() if way.errs is None and len(set(way.plays)) == 1]


@cache
def _slab() -> tuple[Any, list[dict[str, list[str]]]]:
    """The request of a study of the slab, and for each candidate what lies on each line of the board observed."""
    from catalogue.analyses.wear_document import _places
    from catalogue.analyses.wear_plans import WearRequest, candidate_set
    from catalogue.models import Evidence
    from catalogue.models.observations import canonical_board
    from simulator.engine.boards.figures import canonical

    known = candidate_set(SLAB)
    record = Evidence(identifier="slab", board=canonical_board(canonical(known.boards[BOARD])))
    request = WearRequest(record, SLAB, known.candidates, "random,random", "lines", (), ())
    return request, [_places(request, one) for one in known.candidates]


@dataclass(frozen=True)
class Held:
    """Each candidate's play, held against every order that there could be.

    wear:  float64[candidates, lines], of the lines observed, not a number where a board has none such
    told:  int8[candidates, lines, lines]: 1 where play agrees that the first is more worn, -1 where it does not, else 0
    """

    wear: Floats
    told: NDArray[np.int8]


@cache
def _held(players: str, seed: int, games: int = GAMES) -> Held:
    """Every candidate, played at one level with one seed."""
    from simulator.statistics.wear import AGREES, DISAGREES, _means, _percentiles, _verdict

    request, maps = _slab()
    names = _observed()
    wear = np.full((len(maps), len(names)), np.nan)
    told = np.zeros((len(maps), len(names), len(names)), dtype=np.int8)
    for number, (one, places) in enumerate(zip(request.played, maps, strict=True)):
        sums, number_of = _lines(one.ruleset, _sums(one.ruleset, PLAYERS[players], seed, games)), _numbers(one.ruleset)
        here = [place for place, name in enumerate(names) if places[name]]
        groups = [tuple(number_of[piece] for piece in places[names[place]]) for place in here]
        value, drawn = _means(sums.shares()[None], groups)[0], _means(sums.drawn(0), groups)
        wear[number, here] = value
        for a, first in enumerate(here):
            for b, second in enumerate(here[:a]):
                verdict = _verdict(_percentiles(value[a] - value[b], drawn[:, a] - drawn[:, b]))
                sign = {AGREES: 1, DISAGREES: -1}.get(verdict, 0)
                told[number, first, second], told[number, second, first] = sign, -sign
    return Held(wear, told)


def _observed() -> list[str]:
    from catalogue.models.observations import board_of, lines_of

    board = board_of(_slab()[0].record)
    assert board is not None
    return lines_of(board)


def _numbers(ruleset: Any) -> dict[str, int]:
    from simulator.engine.family import family

    layout = family(ruleset.family).traffic(ruleset.parameters)
    return {name: place for place, name in enumerate(next(one.things for one in layout.channels if one.key == "lines"))}


def _seen(wear: Floats, apart: float, draw: np.random.Generator) -> list[tuple[int, int]]:
    """The pairs of lines of which the first looks more worn."""
    seen = wear * np.exp(draw.normal(0, NOISE, len(wear)))
    return [(int(a), int(b)) for a, b in zip(*np.nonzero(seen[:, None] > apart * seen[None, :]), strict=True)]


def _wrong(wear: Floats, orders: Sequence[tuple[int, int]]) -> float:
    """How many orders are wrong; of two lines that are worn alike, half of them."""
    alike = [abs(wear[a] - wear[b]) <= ALIKE * max(wear[a], wear[b]) for a, b in orders]
    return sum(0.5 if one else float(wear[b] > wear[a]) for one, (a, b) in zip(alike, orders, strict=True))


def _calibrated(way: Way, boards: Floats, draw: np.random.Generator) -> tuple[float, float]:
    """How much deeper a line has to look for this observer, and how often he errs for another reason than noise."""
    from simulator.statistics.wear import ERRORS

    said = ERRORS[way.certainty]
    for apart in APART if way.apart is None else (way.apart,):
        wrong, total = 0.0, 0
        for wear in boards[draw.integers(len(boards), size=TRIED)]:
            orders = _seen(wear, apart, draw)
            wrong, total = wrong + _wrong(wear, orders), total + len(orders)
        by_noise = wrong / max(total, 1)
        if way.errs is not None or by_noise <= said:
            return apart, (said - by_noise) / (1 - 2 * by_noise) if way.errs is None else way.errs
    raise AssertionError(f"noise alone makes more than {said:.0%} of the orders wrong")


def _observe(name: str, way: Way) -> Figures:
    """What becomes of the true candidate, by so many observers of boards that each another candidate wore."""
    from simulator.statistics.wear import ERRORS, as_wrong

    truth, held = _held(way.plays[0], seed=101), _held(way.plays[1], seed=1, games=way.games)
    whole = np.flatnonzero(~np.isnan(truth.wear).any(axis=1))
    draw, error = np.random.default_rng([7, list(WAYS).index(name)]), ERRORS[way.certainty]
    apart, errs = _calibrated(way, truth.wear[whole], draw)
    chance = cache(lambda some, against: as_wrong([error] * some, [place < against for place in range(some)]))
    found: Counter[str] = Counter()
    standing, wrong, told, passed = list[int](), 0.0, 0, 0
    while len(standing) < OBSERVERS:
        true = int(draw.choice(whole))
        pairs = _seen(truth.wear[true], apart, draw)
        if not pairs:
            passed += 1
            continue
        chosen = [pairs[place] for place in draw.choice(len(pairs), min(len(pairs), way.orders), replace=False)]
        orders = [(b, a) if draw.random() < errs else (a, b) for a, b in chosen]
        wrong, told = wrong + _wrong(truth.wear[true], orders), told + len(orders)
        of_each = held.told[:, [a for a, _ in orders], [b for _, b in orders]]
        against, agreeing = (of_each < 0).sum(axis=1), (of_each > 0).sum(axis=1)
        counted = zip((against + agreeing).tolist(), against.tolist(), strict=True)
        stands = np.array([chance(all_told, disagreeing) > LEVEL for all_told, disagreeing in counted])
        standing.append(int(stands.sum()))
        best = np.lexsort((-agreeing, against))[0]
        alike = (of_each == of_each[true]).all(axis=1)
        found["true one not rejected"] += bool(stands[true])
        found["true one alone"] += bool(stands[true] and standing[-1] == 1)
        found["true one alone with those of which the orders tell the same"] += bool(
            stands[true] and not (stands & ~alike).any()
        )
        found["true one rejected, others not"] += bool(not stands[true] and stands.any())
        found["a wrong one alone"] += bool(not stands[true] and standing[-1] == 1)
        found["first of the list neither true nor told the same"] += not alike[best]
    return {
        "looks_deeper_by": apart,
        "orders_of_each": round(told / OBSERVERS, 1),
        "orders_wrong": round(wrong / told, 3),
        "candidates_planted": len(whole),
        "boards_passed_over": passed,  # none of their lines looks worn otherwise than another
        "standing_median": float(np.median(standing)),
        **{what: round(number / OBSERVERS, 3) for what, number in found.items()},
    }


def _as_the_product_says(trials: int = 12) -> int:
    """How many verdicts were compared with those of the product's own function, all of them the same."""
    from catalogue.analyses.wear_document import _agreement
    from catalogue.models.observations import ObservedOrder

    request, maps = _slab()
    names, held, draw, compared = _observed(), _held("random", seed=1), np.random.default_rng(3), 0
    signs = {1: "agrees", -1: "disagrees", 0: "cannot_tell"}
    for number in draw.choice(len(maps), trials, replace=False):
        one = request.played[int(number)]
        pairs = [tuple(int(place) for place in draw.choice(len(names), 2, replace=False)) for _ in range(8)]
        orders = [ObservedOrder((names[a],), (names[b],), "likely", ()) for a, b in pairs]
        sums = _lines(one.ruleset, _sums(one.ruleset, PLAYERS["random"], 1))
        found = _agreement(sums, list(_numbers(one.ruleset)), maps[int(number)], orders)
        assert found.signature == tuple(signs[int(held.told[number, a, b])] for a, b in pairs), one.name
        compared += len(pairs)
    return compared


def planted(machine: Any = None) -> Figures:
    """Who wore a board is rejected no oftener than is said, where observers err as often as they say."""
    from scipy.stats import binom

    figures: Figures = {"compared_with_the_product": _as_the_product_says()}
    figures |= {name: _observe(name, way) for name, way in WAYS.items()}
    most = int(binom.ppf(SURE, OBSERVERS, LEVEL))
    for name in AS_SAID:
        rejected = round((1 - figures[name]["true one not rejected"]) * OBSERVERS)
        demand(rejected <= most, f"{name}: the true one is rejected {rejected} times of {OBSERVERS}", figures)
    return figures


# Symmetrical games

SETS, PARTS = 1_000, 4  # sets of games; each of so many times 256, so that every game stands in a block of its own
RESAMPLES = 499
CALLED = 0.01  # so seldom by chance: what is called lopsided


def symmetrical(level: str) -> Iterator[tuple[str, Any, tuple[int, ...], list[tuple[int, ...]]]]:
    """Candidates whose board and start are symmetrical, with an orbit of four lines along which games go."""
    from simulator.engine.families.points.symmetry import symmetry

    for one in _slab()[0].played:
        found = symmetry(one.ruleset.parameters)
        largest = max(found.lines, key=len)
        if len(largest) != 4 or len(found.group) != 4:
            continue
        gone = _lines(one.ruleset, _sums(one.ruleset, PLAYERS[level], 0, games=256)).weights[:, list(largest)]
        if (gone.sum(axis=1) > 0).mean() > 0.5:
            yield one.name, one.ruleset, largest, found.line_group


def prefers_a_side(ruleset: Any) -> bool:
    """Whether players who evaluate mind how far up the board a piece stands, which no symmetry keeps."""
    from simulator.engine.families.points.measures import in_force

    return any("advance" in in_force(ruleset.parameters, seat) for seat in (0, 1))


def turned_to_the_mean(games: Floats, group: Sequence[Sequence[int]]) -> Floats:
    """Shares of games, each turned by that symmetry that brings it nearest to the mean of those before."""
    ways = np.stack([games[:, list(permutation)] for permutation in group], axis=1)
    found, mean = np.empty_like(games), games[0].copy()
    for number, options in enumerate(ways):
        nearest = options[((options - mean) ** 2).sum(axis=1).argmin()] if number else options[0]
        found[number] = nearest
        mean += (nearest - mean) / (number + 1)
    return found


def _of_a_set(ruleset: Any, orbit: Sequence[int], group: Any, seed: int, players: Sequence[str]) -> tuple[float, bool]:
    """How often a set of games that prefer nothing is as lopsided, and whether the other method calls it so."""
    from simulator.engine import playout
    from simulator.engine.family import family
    from simulator.engine.traffic import BLOCKS, Sums, merged
    from simulator.statistics.wear import lopsided

    parts = [Sums.none(family(ruleset.family).traffic(ruleset.parameters).cells) for _ in range(PARTS)]
    for number, part in enumerate(parts):
        playout.play_block(ruleset, tuple(players), seed, number * BLOCKS, BLOCKS, CAP, "game", traffic=part)
    own = lopsided(_lines(ruleset, merged(parts)), [orbit], group, seed=seed, resamples=RESAMPLES)
    chance = own.chance if own else 1.0
    games = np.concatenate([_lines(ruleset, part).weights for part in parts]).astype(np.float64)
    games = games[games.sum(axis=1) > 0]
    games /= games.sum(axis=1, keepdims=True)
    turned = turned_to_the_mean(games, group)[:, list(orbit)]
    shares = turned[turned.sum(axis=1) > 0]
    shares = shares / shares.sum(axis=1, keepdims=True)
    mean, error = shares.mean(axis=0), shares.std(axis=0) / np.sqrt(len(shares))
    # Bonferroni's bound for the largest of the orbit's lines: 1.25 % each, on one side.
    return chance, bool(np.max(mean - 2.24 * error) > 1 / len(orbit))


def null(machine: Any = None) -> Figures:
    """Symmetrical games are not called lopsided, but by that other method they are; players who prefer a side are."""
    from scipy.stats import binom

    figures: Figures = {}
    for name, sets in (("random", SETS), ("greedy", SETS // 10), ("of another game", SETS // 10)):
        games = [one for one in symmetrical(name) if name in LEVELS or prefers_a_side(one[1])]
        found = [_of_a_set(*games[seed % len(games)][1:], seed, PLAYERS[name]) for seed in range(sets)]
        figures[name] = {
            "rulesets": len(games),
            "sets": sets,
            "games_of_each": PARTS * 256,
            "ours_at_5_percent": sum(chance <= LEVEL for chance, _ in found) / sets,
            "ours_at_1_percent": sum(chance <= CALLED for chance, _ in found) / sets,
            "turned_to_the_mean": sum(called for _, called in found) / sets,
        }
    for name in LEVELS:
        own, sets = figures[name], figures[name]["sets"]
        most = binom.ppf(SURE, sets, LEVEL) / sets
        demand(own["ours_at_5_percent"] <= most, f"{name}: more are lopsided than chance makes so", figures)
        demand(own["ours_at_1_percent"] <= LEVEL, f"{name}: more than one in twenty are called lopsided", figures)
        demand(own["turned_to_the_mean"] >= 0.95, f"{name}: the other method does not call nearly all so", figures)
    return figures


# Counts, ranks, time

REPLAYED, SEARCHED = 10, 2  # games of each case between random players, and between greedy ones


def replays(machine: Any = None) -> Figures:
    """What the compiled loops count of every case is what plain Python counts of the referee's games."""
    from simulator.engine.players import search
    from tests.engine import test_traffic
    from tests.engine.cases import CASES

    figures: Figures = {}
    for name in test_traffic.COUNTED:
        ruleset = CASES[name]
        greedy = tuple("greedy" for _ in test_traffic.random_players(ruleset))
        own: Counter[str] = figures.setdefault(ruleset.family, Counter())
        for players, games in ((test_traffic.random_players(ruleset), REPLAYED), (greedy, SEARCHED)):
            sums, rows = test_traffic.play(ruleset, players, games=games)
            listed = [
                search.list_moves(ruleset, players, test_traffic.SEED, game, test_traffic.CAP, "game")[0]
                for game in range(games)
            ]
            again = test_traffic.recomputed(ruleset, rows, listed if players == greedy else None)
            differing = [
                part for part in ("games", "counts", "shares") if (getattr(sums, part) != getattr(again, part)).any()
            ]
            demand(not differing, f"{name}, {players[0]}: {differing} differ", figures)
            own["games"] += games
            own["uses"] += int(sums.counts.sum())
        own["rulesets"] += 1
    return figures


RANKED = 2_000


def oracle(machine: Any = None) -> Figures:
    """Tau-b over all pairs of graded things is SciPy's, with ties on either side and on both."""
    from itertools import combinations

    from scipy.stats import kendalltau

    from simulator.statistics.wear import tau_b

    draw, largest, without = np.random.default_rng(5), 0.0, 0
    for _ in range(RANKED):
        things = int(draw.integers(2, 16))
        grades, values = draw.integers(0, 4, things), draw.integers(0, int(draw.integers(2, 12)), things) / 7
        pairs = np.array(list(combinations(range(things), 2)))
        found = tau_b(values[None], pairs, np.sign(grades[pairs[:, 0]] - grades[pairs[:, 1]]).astype(float))[0]
        theirs = kendalltau(grades, values, variant="b").statistic
        assert np.isnan(found) == np.isnan(theirs), (grades, values)
        without += bool(np.isnan(found))
        largest = max(largest, 0.0 if np.isnan(found) else abs(found - theirs))
    figures: Figures = {"sets": RANKED, "without_a_value": without, "largest_difference": largest}
    demand(largest < 1e-12, "tau-b is not that of SciPy", figures)
    return figures


MOST_SECONDS = 2 * 600  # of processor, for both levels: ten minutes on two cores


def slab(machine: Any = None) -> Figures:
    """All candidates of the slab, 1,000 games each at either level, with traffic."""
    figures: Figures = {
        "rulesets": len(_slab()[0].played),
        "names": sum(1 + len(one.also) for one in _slab()[0].played),
    }
    for name in LEVELS:
        players = PLAYERS[name]
        _sums(_slab()[0].played[0].ruleset, players, 0, games=1)  # compiling is no part of it
        begun, stopped = time.process_time(), 0
        for one in _slab()[0].played:
            sums = _sums(one.ruleset, players, 1)
            stopped += int(sums.games[1].sum())
        figures[name] = {
            "processor_seconds": round(time.process_time() - begun, 1),
            "unfinished": round(stopped / GAMES / len(_slab()[0].played), 4),
        }
    total = sum(figures[name]["processor_seconds"] for name in LEVELS)
    demand(total < MOST_SECONDS, f"{total:.0f} seconds of processor", figures)
    return figures


PROOFS: dict[str, Callable[[Any], Figures]] = {
    "planted": planted,
    "null": null,
    "replays": replays,
    "oracle": oracle,
    "slab": slab,
}


def main(names: list[str]) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "catalogue.config.settings")
    os.environ.setdefault("DEBUG", "True")
    import django

    django.setup()
    if unknown := [name for name in names if name not in PROOFS]:
        print(f"no proof is called {unknown[0]!r}; there are {', '.join(PROOFS)}", file=sys.stderr)  # noqa: T201
        return 2
    return report({name: outcome(PROOFS[name], None) for name in names or PROOFS})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
