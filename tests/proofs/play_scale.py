"""The proof of the scale of play: each level beats the one below in every ruleset, and the strong one other searches.

Where a level does not, it is named here with the reason; one that does all the same is an error too, so that no
exception outlives its reason. On the pages the same is told by the ladders of the scale.
"""

from functools import partial
from typing import Any

from simulator.statistics.intervals import share
from tests.proofs import play_matches
from tests.proofs.running import Figures, demand, side_by_side

# Why a level does not beat the one below, as far as 60 games of at most 600 turns can tell.
FORESIGHT = "one turn ahead of most positions there is nothing to take and nothing to complete"
CLOSE = "it makes more than half of the points, but by less than 60 games show"
ENDLESS = "most games are not over after 600 turns; of those that are it wins most"
NO_ENDS = "no game is over after 600 turns"
EXCHANGES = "it takes whatever it can, and is taken in its turn: it makes less than half of the points"
AS_GOOD = "the one below plays as well: about half of the points are made by each"

# By the level: rulesets in which it is not expected to beat the one below, and why.
EXCEPTIONS: dict[str, dict[str, str]] = {
    "greedy": {
        "dam-parker": EXCHANGES,
        **dict.fromkeys(("diviyan-keliya-dlp", "diviyan-keliya-ludii", "diviyan-keliya-parker"), FORESIGHT),
        **dict.fromkeys(("hat-diviyan-keliya-dlp", "hat-diviyan-keliya-ludii"), FORESIGHT),
        "hat-diviyan-keliya-ludovisi": FORESIGHT,
        **dict.fromkeys(("kotu-baendum-parker", "niranchy-dlp", "sokkattan-dlp"), CLOSE),
    },
    "club": {
        **dict.fromkeys(("kalah-reference", "kawade-kelia-dlp", "nerenchi-keliya-dlp"), AS_GOOD),
        **dict.fromkeys(("kawade-kelia-culin", "koti-keliya-ludii", "koti-keliya-parker"), CLOSE),
        **dict.fromkeys(("pancha-keliya-complex-marin-pancha", "pancha-keliya-dlp", "pancha-keliya-parker"), CLOSE),
        **dict.fromkeys(("saturankam-dlp", "saturankam-parker", "tayam-sonalu-dlp"), CLOSE),
        **dict.fromkeys(("peralikatuma-dlp", "peralikatuma-ludii", "peralikatuma-parker"), ENDLESS),
        "pahada-keliya-dlp": ENDLESS,
        "kotu-ellima-ludii": NO_ENDS,
    },
    "strong": {},
}
BELOW = {"greedy": "random", "club": "greedy", "strong": "club"}
ALL, SHARES = slice(None), {number: slice(number - 1, None, 10) for number in range(1, 11)}  # tenths: minutes each
LEAST, WEAK = 0.60, 0.45  # of all points against other searches; below WEAK a ruleset is named with the reason
WEAK_AGAINST: dict[str, dict[str, str]] = {"alpha_beta:4": {}, "uct:2000/200": {}}


def level(name: str, machine: Any = None, share: slice = ALL) -> Figures:
    """How a level does against the one below, in every ruleset of a share; raises Unproved."""
    from tests.engine.rulesets import RULESETS

    chosen = list(RULESETS)[share]
    figures = side_by_side(partial(_against, one=name, other=BELOW[name]), chosen)
    play_matches.demand_all(figures, {slug: why for slug, why in EXCEPTIONS[name].items() if slug in chosen})
    return figures


def matches(other: str, machine: Any = None, share: slice = ALL) -> Figures:
    """The matches of a share of the rulesets, which `strong_against` judges when all are played."""
    return side_by_side(partial(_against, one="strong", other=other), _playable(other)[share])


def strong_against(other: str, machine: Any = None) -> Figures:
    """How the strong level does against another search, in every ruleset that it can be played in; raises Unproved."""
    figures = matches(other)
    # Every ruleset weighs alike, however many games it took; where a fair part is not a half, its odds are.
    shares = [_as_of_two(found) for found in figures.values() if found["games"]]
    mean = sum(shares) / len(shares)
    whole: Figures = {"mean_share": round(mean, 3), "rulesets": figures}
    demand(mean >= LEAST, f"{mean:.3f} of the points against {other}", whole)
    weak = {slug for slug, found in figures.items() if found["games"] and _as_of_two(found) < WEAK}
    demand(weak == set(WEAK_AGAINST[other]), f"weak against {other}: {sorted(weak)}", whole)
    return whole


def _playable(other: str) -> list[str]:
    from simulator.engine.family import family
    from tests.engine.rulesets import RULESETS

    return [slug for slug, one in RULESETS.items() if other.startswith("uct") or not family(one.family).throws]


def _as_of_two(found: Figures) -> float:
    """A share of the points as if there were two sides: the same odds beside those of a fair part."""
    value = share(found["points"], found["games"]).value
    fair = found["fair"]
    odds = value / (1 - value) * (1 - fair) / fair if value < 1 else float("inf")
    return 1.0 if odds == float("inf") else odds / (1 + odds)


def _against(slug: str, one: str, other: str) -> Figures:
    from tests.proofs.operation import prepare

    prepare()
    return play_matches.match(slug, one, other)


OTHERS = {"strong-alpha-beta": "alpha_beta:4", "strong-plain": "uct:2000/200"}
PROOFS = {
    "scale-greedy": partial(level, "greedy"),
    "scale-club": partial(level, "club"),
    **{f"scale-strong-{number}": partial(level, "strong", share=one) for number, one in SHARES.items()},
    **{
        f"{name}-{number}": partial(matches, other, share=one)
        for name, other in OTHERS.items()
        for number, one in SHARES.items()
    },
    **{name: partial(strong_against, other) for name, other in OTHERS.items()},
}
