"""What a wear study tells in words: its candidates by name, what it finds, and what other players’ studies say."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catalogue.analyses.wear_studies import WEAR
from catalogue.models import WearStudy
from catalogue.models.candidate_names import candidate_names, is_hunt
from catalogue.texts.formatting import listed
from simulator.batches.levels import line_in_words
from simulator.models import Ruleset

AGREES, DISAGREES, CANNOT_TELL = "agrees", "disagrees", "cannot_tell"
HELD = {AGREES: "as seen", DISAGREES: "the other way round", CANNOT_TELL: "not told apart"}
MOST_NAMED = 3  # candidates that a sentence names
MOST_BESIDE = 4  # other studies that are held beside one


@dataclass(frozen=True, slots=True)
class Called:
    """names: of the candidates in words, in order; sides: what the two sides are called in all of them"""

    names: Sequence[str]
    sides: tuple[str, str]


def called(row: WearStudy) -> Called:
    """Return what the candidates of a study that is done are called; by their slugs where their rules are gone."""
    candidates = row.document["candidates"]
    kept = Ruleset.objects.in_bulk([one["hash"] for one in candidates])
    if len(kept) < len({one["hash"] for one in candidates}):
        return Called([one["name"] for one in candidates], ("first", "second"))
    documents = [kept[one["hash"]].document for one in candidates]
    hunts = all(map(is_hunt, documents))
    names = candidate_names(documents, [one["name"] for one in candidates])
    return Called(names, ("dogs", "hares") if hunts else ("first", "second"))


def summary(rows: Sequence[Mapping[str, Any]], orders: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what a study that has observations finds, in sentences. rows: of its candidates, as its page has them"""
    out = [one for one in rows if one["verdict"] == "rejected"]
    differ = [one for one in rows if one["verdict"] == "players differ"]
    unsure = [one for one in rows if one["stands"] != one["stands_ended"]]
    fits = [one for one in rows if one["agreeing"] == one["askable"] and one["askable"]]
    found = []
    if out and len(out) < len(rows):
        found.append(f"Ruled out: {_named(out)}.")
    if differ:
        found.append(f"Players differ about {_named(differ)}.")
    if fits:
        found.append(f"Play leaves all that was seen in {_number(len(fits))}: {_named(fits)}.")
    elif any(order["contrary"] for order in orders):
        found.append("Observations contradict each other, so that no play can leave all that was seen.")
    else:
        found.append("In none does play leave all that was seen.")
    if unsure:
        found.append(f"Without unfinished games the verdict is another for {_named(unsure)}.")
    better = [one for one in rows if one["by_lot"] <= 0.05]
    if better:
        found.append(f"Better than chance would: {_named(better)}.")
    else:
        found.append(
            "No candidate agrees better than chance would: shares dealt out to the same places by lot agree as well."
        )
    if any(one["askable"] < len(orders) for one in rows):
        some = sum(one["askable"] < len(orders) for one in rows)
        found.append(
            f"Not everything can be asked of {_number(some)}, whose boards lack a line or point that was seen."
        )
    return found


def _number(number: int) -> str:
    return f"{number:,} candidate{'' if number == 1 else 's'}"


def _named(rows: Sequence[Mapping[str, Any]]) -> str:
    names = [f"“{one['called']}”" for one in rows[:MOST_NAMED]]
    more = len(rows) - len(names)
    return listed([*names, f"{more:,} more"] if more else names)


def classes(
    members: Sequence[Sequence[int]], rows: Sequence[Mapping[str, Any]], orders: Sequence[Mapping[str, Any]]
) -> list[tuple[str, list[str]]]:
    """Return the classes of candidates that the observations do not tell apart: what play does in each, and who they
    are. rows: of the candidates, in the order of the document"""
    return [
        (
            "; ".join(
                f"{', '.join(order['more'])} over {', '.join(order['less'])}: {HELD[told['verdict']]}"
                for order, told in zip(orders, rows[one[0]]["told"], strict=True)
            ),
            [rows[place]["called"] for place in one],
        )
        for one in members
        if len(one) > 1
    ]


@dataclass(frozen=True, slots=True)
class Beside:
    """Another study of the same board. common: candidates that both have; other: of these, where another line or point
    is used most; against: where play goes the other way on some observation that both have"""

    study: WearStudy
    players: str
    common: int
    other: int
    against: int

    @property
    def stands(self) -> str:
        number, every = len(self.study.document["sides"][0]["stands"]), len(self.study.names)
        if not self.study.orders:
            return "held against no observation"
        return f"rules out {'none' if number == every else f'{every - number:,}'} of {every:,} candidates"


def beside(row: WearStudy) -> Iterator[Beside]:
    """Yield the newest studies of the same board by other players, each held beside this one."""
    others = WEAR.finished().filter(record=row.record_id, of=row.of).exclude(id=row.id).order_by("-created", "id")
    seen = {row.terms["players"]}
    for other in others.defer("document"):
        if other.terms["players"] in seen or len(seen) > MOST_BESIDE:
            continue
        seen.add(other.terms["players"])
        yield _beside(row, other)


def _beside(row: WearStudy, other: WearStudy) -> Beside:
    own, theirs = _played(row), _played(other)
    common = sorted(own.keys() & theirs.keys())
    shared = [(place, other.orders.index(order)) for place, order in enumerate(row.orders) if order in other.orders]
    against = sum(
        any(
            {own[key][1]["told"][here]["verdict"], theirs[key][1]["told"][there]["verdict"]} == {AGREES, DISAGREES}
            for here, there in shared
        )
        for key in common
    )
    most = sum(_most_used(*own[key]) != _most_used(*theirs[key]) for key in common)
    return Beside(other, line_in_words(other.terms["players"]), len(common), most, against)


def _played(row: WearStudy) -> dict[str, tuple[Mapping[str, Any], Mapping[str, Any]]]:
    candidates, side = row.document["candidates"], row.document["sides"][0]
    return {one["hash"]: (one, played) for one, played in zip(candidates, side["candidates"], strict=True)}


def _most_used(candidate: Mapping[str, Any], played: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what is used most, of the lines or points that the rules treat alike together."""
    shares = played["shares"]
    orbits = [tuple(members) for members in candidate["orbits"]]
    return max(orbits, key=lambda members: sum(shares[one][0] for one in members) / len(members))


def most_used(shares: Mapping[str, Sequence[float]]) -> list[str]:
    """Return the places with the most moves, each with its share: "b1-b4 17.6 %"."""
    ranked = sorted(shares.items(), key=lambda one: -one[1][0])[:MOST_NAMED]
    return [f"{place} {100 * share[0]:.1f} %" for place, share in ranked]


def whose(order: Mapping[str, Any]) -> str:
    """ "observation 1 and 3"; "an observation for this study only"."""
    if not order["numbers"]:
        return "an observation for this study only"
    return f"observation {listed([str(number) for number in order['numbers']])}"


def is_contrary(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Return whether what is more worn by one order is less worn by the other."""
    return bool(set(one["more"]) & set(other["less"]) and set(one["less"]) & set(other["more"]))
