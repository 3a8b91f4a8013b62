"""The proof of the scale of play: each level beats the one below in every ruleset, and the strong one other searches.

The matches of the levels are the ladders of the edition that ships, 60 games each; `fixtures/scale.json` names the
rulesets in which a level does not beat the one below, with the reason, which the pages tell. One that does all the same
is an error too, so that no exception outlives its reason. Readings with the same rules have one ladder, and share what
is named of either.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from simulator.engine.ruleset import Ruleset
from simulator.statistics.intervals import share
from tests.proofs import play_matches
from tests.proofs.running import Figures, demand, side_by_side

SHARES = {number: slice(number - 1, None, 10) for number in range(1, 11)}  # of the rulesets: tenths, minutes each
# Of all points against other searches. Where too few are made, `fixtures/scale.json` names the reason. Where that is
# an open board, men are taken in equal numbers for two hundred turns; with few of them left four full plies overlook no
# capture, and a search that samples does. In dam-dlp horizons of 4 and 12 turns lost as well.
LEAST = 0.60


def scale(machine: Any = None) -> Figures:
    """How every level does against the one below, in every ruleset; raises Unproved."""
    from simulator.batches.levels import LEVELS
    from tests.engine.rulesets import RULESETS

    ladders = shipped_ladders()
    figures = {slug: found for slug, ruleset in RULESETS.items() if (found := ladders.get(ruleset.hash))}
    shares: Figures = {level: {} for level in LEVELS[1:]}
    for slug, document in figures.items():
        for level, match in zip(shares, document["matches"], strict=False):
            shares[level][slug] = match["share"]["text"]
    demand(len(figures) == len(RULESETS), f"no ladder: {sorted(set(RULESETS) - set(figures))}", shares)
    wrong = [line for slug, document in figures.items() for line in unexpected(slug, RULESETS[slug], document)]
    demand(not wrong, f"not as expected: {wrong}", shares)
    return {"beaten": _beaten(figures), "shares": shares}


def shipped_ladders() -> Mapping[str, Figures]:
    """The documents of the edition's ladders, by the hashes of their rulesets."""
    from catalogue.edition.files import EditionFolder, read_index
    from catalogue.edition.terms import LADDERS

    folder = EditionFolder()
    release = read_index(folder)
    parts = [one for one in (release.parts if release else ()) if one.kind == LADDERS]
    found = (folder.read(part.kind, part.id) for part in parts)
    return {one["ruleset"]: one["document"] for one in found}


def unexpected(slug: str, ruleset: Ruleset, document: Figures) -> list[str]:
    """What of a ladder is otherwise than `fixtures/scale.json` has it: "dam-parker greedy: harm, not close"."""
    from simulator.batches.levels import LEVELS
    from simulator.strength import beating

    found = []
    for level, match in zip(LEVELS[1:], document["matches"], strict=False):
        fair, why = document["fair"], beating.named_reason(ruleset, level)
        seen = None if beating.beats(match, fair) else beating.looks(match, fair)
        if (seen is None) != (why is None) or (why in beating.KINDS and seen != why):
            found.append(f"{slug} {level}: {seen}, not {why}")
    return found


def _beaten(figures: Mapping[str, Figures]) -> dict[str, int]:
    """In how many rulesets each level beats the one below."""
    from simulator.batches.levels import LEVELS
    from simulator.strength.beating import beats

    return {
        level: sum(beats(document["matches"][rung], document["fair"]) for document in figures.values())
        for rung, level in enumerate(LEVELS[1:])
    }


def matches(other: str, machine: Any = None, share: slice = slice(None)) -> Figures:
    """The matches of a share of the rulesets, which `strong_against` judges when all are played."""
    return side_by_side(partial(_against, one="strong", other=other), _playable(other)[share])


def strong_against(other: str, machine: Any = None) -> Figures:
    """How the strong level does against another search, in every ruleset that it can be played in; raises Unproved."""
    from simulator.strength import beating

    figures = matches(other)
    # Every ruleset weighs alike, however many games it took; where a fair part is not a half, its odds are.
    shares = [_as_of_two(found) for found in figures.values() if found["games"]]
    mean = sum(shares) / len(shares)
    not_over = [slug for slug, found in figures.items() if not found["games"]]
    whole: Figures = {"mean_share": round(mean, 3), "not_over": not_over, "rulesets": figures}
    demand(mean >= LEAST, f"{mean:.3f} of the points against {other}", whole)
    weak = {slug for slug, found in figures.items() if found["games"] and _as_of_two(found) < beating.WEAK}
    demand(weak == set(beating.weak_against(other)), f"weak against {other}: {sorted(weak)}", whole)
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
SCALES = {
    "scale": scale,
    **{
        f"{name}-{number}": partial(matches, other, share=one)
        for name, other in OTHERS.items()
        for number, one in SHARES.items()
    },
    **{name: partial(strong_against, other) for name, other in OTHERS.items()},
}
