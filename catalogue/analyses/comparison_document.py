"""Computing a comparison once its batches are done. Only workers and commands import this: it brings the statistics.

The document is
`{version, comparison, family, players, seed, games, cap, until, counted, confidence, margins, bootstrap: {seed,
resamples}, rulesets, rules, pairs}`.
- `players`: of every seat, as requested, by name or by level; all rulesets are played by the same. `second_players`
  are those who play again on a level that thinks; left out where none do.
- `rulesets`: `{name, title, called, hash, batch, digest, players, seed, cap, kinds}` for each, in the order of the
  request; `called` is its name in a sentence, `players` are those who played it, `kinds` of how many kinds its games
  are. Every figure of a place rests on its batch. `again` is the same of the batch of the second players.
- `rules`: every parameter that is not the same in all, `{key, title, sides: [{value, words, off}, …]}`.
- `consent`: how the players act where a ruleset lets them end the game by consent; left out where none does.
- `counted`: what is counted, "games" or "first rounds".
- `pairs`: of every two, `{first, second, batches, games, cap, kinds, identical, impossible, withheld, sentence,
  pairing, measures}`, with the places and batches of both; measures as in `simulator.statistics.compared`. A difference
  is the second less the first. Rulesets of two games make no pairs by their numbers: `identical`, every
  `pairing_gain` and `pairing` are then empty. With second players a pair and its measures have `again`, and verdicts
  are those of both.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from catalogue.analyses.comparison_words import COMPARISON_VERSION, differing, is_same_game, reading_name
from catalogue.evidence.clauses import clauses_of
from catalogue.models import Basis, Comparison, Reading
from catalogue.texts.formatting import listed
from catalogue.texts.voices import title_in_documents
from simulator import rulesets
from simulator.batches.finalize import VARIETY, few_kinds
from simulator.batches.levels import line_in_words, named_in_words
from simulator.batches.rows import kept_rows
from simulator.engine.ends import DRAW, ENDLESS
from simulator.engine.family import Family, family
from simulator.engine.naming import Naming, seat_name
from simulator.engine.players.wording import consent_field
from simulator.engine.ruleset import Ruleset
from simulator.models import Batch
from simulator.plots import lines
from simulator.statistics.compared import (
    OF_ENDED,
    ComparisonTerms,
    PlayedBatch,
    compare,
    of_two_players,
)
from simulator.statistics.intervals import CONFIDENCE
from simulator.statistics.paired import RESAMPLES
from simulator.statistics.rows import decimals
from simulator.statistics.verdicts import Verdict

Compared = Mapping[str, Any]
ENDS = {"draw": "draws are", "endless": "endless games are", "unfinished": "unfinished games are"}
ENDS_OF_A_ROUND = {"draw": "equal ends are", "endless": "endless rounds are", "unfinished": "unfinished rounds are"}
BOUND = "idle_turns"  # what ends idle play, of the families that have it
CODES = {"draw": DRAW, "endless": ENDLESS}


def document_of(comparison: Comparison, batches: Sequence[Batch]) -> dict[str, Any]:
    """The document. batches: of the first players in the order of the names, then of the second, if there are any"""
    size = len(comparison.names)
    played, again = batches[:size], batches[size:]
    contents = [rulesets.as_engine(batch.ruleset) for batch in played]
    kind = family(batches[0].ruleset.family)
    naming = _naming(kind, contents)
    seats = kind.seats(contents[0].parameters)
    row_version = min(batch.columns_version for batch in batches)  # only what was counted in all of them is compared
    is_alike = naming.seats == kind.naming(contents[0].parameters).seats
    named = kind.named_measures(contents[0].parameters) if is_alike else kind.measures
    first = batches[0]
    until_round = first.until == Batch.Until.ROUND
    terms = ComparisonTerms(
        measures=[measure for measure in named if measure.since <= row_version],
        seats=seats,
        naming=naming,
        margins=comparison.margins,
        seed=comparison.bootstrap_seed,
        until_round=until_round,
    )
    sides = _sides(comparison.names, played, again)
    games_of = dict(Reading.objects.filter(slug__in=map(_slug, comparison.names)).values_list("slug", "game_id"))
    bounds = _bounds(comparison.names, contents)
    pairs, second = (
        compare([_played(*one, row_version) for one in zip(some, contents, bounds, strict=True)], terms) if some else []
        for some in (played, again)
    )
    if second:
        of_two_players(pairs, second)
    told = Told(
        first.players if not comparison.asked else comparison.asked,
        comparison.second_players if again else "",
        tuple(naming.seat(seat) for seat in range(seats)),
        until_round,
        tuple(_laid(content) for content in contents),
    )
    for pair in pairs:
        places = [pair["first"], pair["second"]]
        both = [sides[place] for place in places]
        pair["batches"] = [side["batch"] for side in both]
        unlike = [bounds[place] or 0 for place in places] if pair["withheld"] else []
        pair["sentence"] = sentence(pair, [side["called"] for side in both], told, unlike)
        if drawn_apart(both[0]["name"], both[1]["name"], games_of):
            _unpair(pair)
        is_paired = both[0]["seed"] == both[1]["seed"] and pair["identical"]
        pair["pairing"] = pairing(pair, told.seats, told.counted) if is_paired else ""
    return {
        "version": COMPARISON_VERSION,
        "comparison": comparison.id,
        "family": f"{kind.name} {first.family_version}",
        "players": told.players,
        **({"second_players": told.second} if again else {}),
        **consent_field(first.players, [content.document for content in contents], first.until, first.family_version),
        "seed": first.seed,
        "games": first.games,
        "cap": min(batch.cap for batch in batches),
        "until": first.until,
        "counted": told.counted,
        "confidence": CONFIDENCE,
        "margins": comparison.margins,
        "bootstrap": {"seed": comparison.bootstrap_seed, "resamples": RESAMPLES},
        "rulesets": sides,
        "rules": differing(kind, contents),
        "pairs": pairs,
    }


def _slug(name: str) -> str:
    return name.partition("@")[0]


def drawn_apart(first: str, second: str, games_of: Mapping[str, int]) -> bool:
    """Return whether two rulesets are of two games, in which the same draws mean nothing alike: pairs of their games
    are pairs by number alone."""
    known = {games_of[slug] for slug in (_slug(first), _slug(second)) if slug in games_of}
    return len(known) > 1


def _unpair(pair: dict[str, Any]) -> None:
    """Leave out what only pairs of games tell, of both players: how many are alike, what pairing gained, and in how
    many something happened on one side alone. The intervals hold whether games are pairs or not."""
    second = [measure["again"] for measure in pair["measures"] if measure.get("again")]
    for played in (pair, pair.get("again", {})):
        played["identical"] = None
    for measure in (*pair["measures"], *second):
        measure["pairing_gain"] = None
        measure.pop("discordant", None)


def _played(batch: Batch, content: Ruleset, bound: int | None, row_version: int) -> PlayedBatch:
    possible = family(content.family).possible_ends(content.parameters, batch.until == Batch.Until.ROUND)
    return PlayedBatch(
        _rows(batch, row_version),
        batch.cap,
        impossible=[key for key, code in CODES.items() if code not in possible],
        bound=bound,
        kinds=_kinds(batch),
        few=bool(few_kinds(batch.summary, batch.players)),
        sides=family(content.family).roles(content.parameters),
    )


def _kinds(batch: Batch) -> int | None:
    counted = (batch.summary or {}).get(VARIETY)
    return counted["different"] if counted else None


def _bounds(names: Sequence[str], contents: Sequence[Ruleset]) -> list[int | None]:
    """The turns of idle play after which each ruleset ends something, if for some reading that is a conjecture."""
    if BOUND not in contents[0].parameters:
        return [None] * len(contents)
    slugs = [name.partition("@")[0] for name in names]
    documents = {slug: content.document for slug, content in zip(slugs, contents, strict=True)}
    held = clauses_of(Reading.objects.filter(slug__in=slugs).values_list("slug", flat=True), documents)
    clauses = [one for some in held.values() for one in some if BOUND in one.parameters]
    is_ours = any(one.clause.basis == Basis.CONJECTURE for one in clauses)
    return [int(content.parameters[BOUND]) if is_ours else None for content in contents]


def _rows(batch: Batch, row_version: int) -> np.ndarray:
    """The rows of a batch with the columns of that version, which may be an earlier one."""
    measures = family(batch.ruleset.family).measures_of(batch.columns_version)
    columns = [place for place, measure in enumerate(measures) if measure.since <= row_version]
    return np.concatenate([rows[:, columns] for _, rows in kept_rows(batch)])


def _naming(kind: Family, contents: Sequence[Ruleset]) -> Naming:
    """The names that stand in the figures; plain names for seats whose roles are not the same in all rulesets."""
    namings = [kind.naming(content.parameters) for content in contents]
    seats = kind.seats(contents[0].parameters)
    titles = [{naming.seat(seat) for naming in namings} for seat in range(seats)]
    if all(len(names) == 1 for names in titles):
        return namings[0]
    return Naming(tuple(seat_name(seat) for seat in range(seats)), kind.parts, kind.totals)


def _sides(names: Sequence[str], batches: Sequence[Batch], again: Sequence[Batch]) -> list[dict[str, Any]]:
    slugs = [name.partition("@")[0] for name in names]
    readings = {one.slug: one for one in Reading.objects.filter(slug__in=slugs).select_related("game")}
    among_games = len({reading.game_id for reading in readings.values()}) > 1
    sides = []
    for place, (name, slug, batch) in enumerate(zip(names, slugs, batches, strict=True)):
        title = title_in_documents(readings[slug].title) if slug in readings else ""
        called = reading_name(title, name, among_games=among_games)
        side = {"name": name, "title": title, "called": called, "hash": batch.ruleset_id, **_side(batch)}
        sides.append(side | ({"again": _side(again[place])} if again else {}))
    return sides


def _side(batch: Batch) -> dict[str, Any]:
    played = {key: getattr(batch, key) for key in ("digest", "players", "seed", "cap")}
    return {"batch": batch.id, **played, "kinds": _kinds(batch)}


def plot_of(document: dict[str, Any], batches: Sequence[Batch]) -> dict[str, Any]:
    about = {"engine": document["family"], "ruleset": [side["hash"] for side in document["rulesets"]]}
    context = {**document, **about, "played_by": line_in_words(document["players"])}
    names = [side["name"] for side in document["rulesets"]]
    curves = [(batch.summary or {})["curve"] for batch in batches[: len(names)]]
    drawing = asdict(lines.draw_compared_lengths(curves, names, context, document["cap"]))
    return {name: drawing[name] for name in ("title", "description", "caption", "svg", "height", "table")}


@dataclass(frozen=True, slots=True)
class Told:
    """What a sentence has to name.

    players, second: of every seat, by level or name; the second are empty where nobody else was asked
    seats:           their titles
    laid:            by place of a ruleset: how many pieces of each side are laid, a turn each
    """

    players: str
    second: str
    seats: Sequence[str]
    until_round: bool = False
    laid: Sequence[tuple[int, int]] = ()

    @property
    def counted(self) -> str:
        return "first rounds" if self.until_round else "games"

    @property
    def who(self) -> str:
        """ "between club players of two kinds"."""
        return f"between {named_in_words(self.players)}{' of two kinds' if self.second else ''}"


def sentence(pair: Compared, names: Sequence[str], told: Told, bounds: Sequence[int] = ()) -> str:
    """ "Under Parker’s reading, between random players, games are 1.8 times as long [1.7, 1.9] as under …; the first
    player’s advantage does not change beyond the margin (…)."

    pair:   as `compared.compare` and `compared.of_two_players` give it
    names:  what both readings are called after "under"
    bounds: of idle play in both, where the lengths are withheld for them
    """
    first, second = names
    if is_same_game(pair):
        every = f"every one of the {pair['games']:,} {told.counted} is the same as under {first}"
        return f"Under {second}, {told.who}, {every}: so far as it was played, it is the same game."
    if pair["measures"] and all(measure["verdict"] == Verdict.KINDS for measure in pair["measures"]):
        kinds = " and ".join(_kinds_in_words(pair, place, name) for place, name in enumerate(names))
        few = f"{told.counted} are of few kinds ({kinds})"
        return f"Under {second}, {told.who}, {few}: they tell what just these players do, and nothing of the rules."
    measures = {measure["key"]: measure for measure in pair["measures"]}
    clauses = [
        _length(measures["turns"], pair["cap"], measures["unfinished"], first, told) + _of_laying(pair, names, told)
        if "turns" in measures
        else _withheld(names, bounds, told),
        *(_unlike(pair, names) if pair.get("unlike_sides") else _winning(measures, told)),
        *_ends(measures, told),
    ]
    own_clauses = {"turns", "first_player_advantage", *ENDS, *(f"won_{seat}" for seat in range(len(told.seats)))}
    own_clauses |= {key + OF_ENDED for key in own_clauses}
    rest = [measure for measure in pair["measures"] if measure["key"] not in own_clauses]
    if rest:
        clauses.append(_rest(rest))
    clauses += _of_few_kinds(pair, names)
    return f"Under {second}, {told.who}, {'; '.join(clauses)}."


def _of_few_kinds(pair: Compared, names: Sequence[str]) -> Iterator[str]:
    """Which of two players shows nothing of the rules, since his games are of few kinds."""
    first, *_ = pair["measures"]
    if "again" not in pair:
        return
    alone = {"first": first["alone"], "second": (first["again"] or first)["verdict"]}
    for which, kinds in (("first", pair["kinds"]), ("second", pair["again"]["kinds"])):
        if alone[which] == Verdict.KINDS:
            of_both = " and ".join(f"{number:,} under {name}" for number, name in zip(kinds, names, strict=True))
            why = f"their games being of few kinds ({of_both})"
            yield f"what the {which} kind of players do counts for nothing here, {why}"


def _kinds_in_words(pair: Compared, place: int, name: str) -> str:
    """ "2 under Parker’s reading", of the player whose games are of fewer kinds."""
    known = [kinds[place] for kinds in (pair["kinds"], *([pair["again"]["kinds"]] if "again" in pair else []))]
    return f"{min((one for one in known if one is not None), default=0):,} under {name}"


def pairing(pair: Compared, seats: Sequence[str], counted: str = "games") -> str:
    """The gain, in words, from both rulesets having played from the same draws; of the first players."""
    if pair["identical"]["count"] == pair["games"]:
        return f"Every pair of {counted} is alike: no number of them drawn apart would show as much."
    gains = {measure["key"]: measure["pairing_gain"] for measure in pair["measures"]}
    worth = {"their length": gains.get("turns"), f"the share won by the {seats[0]}": gains.get("won_0")}
    gained = [f"{gain:.2f} times the {counted} for {what}" for what, gain in worth.items() if gain is not None]
    if not gained:
        return ""
    found = f"Both played the same {counted.removesuffix('s')} numbers of one seed. Pairing was worth"
    gained_most = max(gain for gain in worth.values() if gain is not None)
    so_many = (
        "it gained nothing here" if gained_most < 1.05 else f"so many {counted} drawn apart would have told as much"
    )
    return f"{found} {listed(gained)}: {so_many}."


def _of_both(measure: Compared, words: Callable[[Compared], str]) -> str:
    """The figure of the measure in words, and beside it that of the second players, where they played."""
    if "again" not in measure:
        return words(measure)
    other = words(measure["again"]) if measure["again"] else "never"
    return f"{words(measure)} with the first kind of players, {other} with the second"


def _times(turns: Compared) -> str:
    ratio = turns["ratio"]
    return _interval(ratio, unit=" times as long") if ratio else "times as long"


def _length(turns: Compared, cap: int, unfinished: Compared, first: str, told: Told) -> str:
    again = unfinished.get("again")
    figures = [one[name]["value"] for one in (unfinished, again) if one for name in ("first", "second")]
    up_to = f", counted up to turn {cap:,}" if any(figures) else ""
    figure, games = _of_both(turns, _times), told.counted
    if turns["verdict"] == Verdict.DIFFERS:
        if "again" not in turns:
            return f"{games} are {figure} as under {first}{up_to}"
        longer = "longer" if turns["difference"]["value"] > 0 else "shorter"
        return f"{games} are {longer} than under {first} ({figure}{up_to})"
    if turns["verdict"] == Verdict.SAME:
        return f"{games} are as long as under {first}, within the margin ({figure}{up_to})"
    return _undecided(turns["verdict"], f"whether {games} are longer than under {first}", f"{figure}{up_to}")


def _of_laying(pair: Compared, names: Sequence[str], told: Told) -> str:
    """What is to be known of lengths where pieces are laid under the one that stand from the start under the other."""
    if not told.laid:
        return ""
    for laid in zip(*(told.laid[pair[place]] for place in ("first", "second")), strict=True):
        if min(laid) == 0 < max(laid):
            name, number = names[laid.index(max(laid))], max(laid)
            pieces = "the turn in which a piece is" if number == 1 else f"the turns in which {number} pieces are"
            return f", with {pieces} laid under {name}"
    return ""


def _laid(content: Ruleset) -> tuple[int, int]:
    """How many pieces of each side are laid in the course of a game; none in families without."""
    rules = content.parameters
    first, second = (
        int(rules[f"{seat}_pieces"]) - len(rules[f"{seat}_array"]) if f"{seat}_array" in rules else 0
        for seat in ("first", "second")
    )
    return first, second


def _undecided(verdict: str, what: str, figure: str) -> str:
    if verdict == Verdict.WHO:
        return f"{what} depends on who plays ({figure})"
    if verdict == Verdict.ONE_PLAYER:
        return f"{what} is shown with one kind of players only ({figure})"
    if verdict == Verdict.STOPPED:
        return f"{what} is not shown among those that ended ({figure})"
    return f"it is undecided {what} ({figure})"


def _withheld(names: Sequence[str], bounds: Sequence[int], told: Told) -> str:
    rule = [
        f"{bound} turns under {name}" if bound else f"none under {name}"
        for name, bound in zip(names, bounds, strict=True)
    ]
    why = f"it hangs on a bound of ours on turns without a capture: {listed(rule)}"
    return f"how long {told.counted} are is not compared, since {why}"


def _unlike(pair: Compared, names: Sequence[str]) -> list[str]:
    """Why who wins is not compared: seats are not the same sides in both."""
    first, second = (sides[0] if sides else "either side" for sides in pair["unlike_sides"])
    begins = [f"{'' if side == 'either side' else 'the '}{side} under {name}" for side, name in
              zip((first, second), names, strict=True)]  # fmt: skip
    return [f"who wins is not compared seat by seat, for it is {begins[0]} who moves first, and {begins[1]}"]


def _winning(measures: Mapping[str, Compared], told: Told) -> Iterator[str]:
    advantage, seats = measures.get("first_player_advantage"), told.seats
    if advantage is None:  # more than two seats
        of_seats = [measures[f"won_{seat}"] for seat in range(len(seats))]
        for seat, won in zip(seats, of_seats, strict=True):
            if won["verdict"] == Verdict.DIFFERS:
                often = "more" if won["difference"]["value"] > 0 else "less"
                by = _of_both(won, lambda one: _points(one["difference"], absolute=True))
                yield f"the {seat} wins {often} often by {by}"
        if all(won["verdict"] == Verdict.SAME for won in of_seats):
            yield "no seat’s share of wins changes beyond the margin"
        elif not any(won["verdict"] == Verdict.DIFFERS for won in of_seats):
            yield "it is not shown that any seat’s share of wins changes"
        return
    whose = f"the {seats[0]}’s advantage" if seats[0] == "first player" else f"the advantage of the {seats[0]}"
    change = _of_both(advantage, lambda one: _points(one["difference"]))
    if advantage["verdict"] == Verdict.DIFFERS:
        yield f"{whose} changes by {change}"
    elif advantage["verdict"] == Verdict.SAME:
        yield f"{whose} does not change beyond the margin ({change})"
    else:
        yield _undecided(advantage["verdict"], f"whether {whose} changes", change)


def _ends(measures: Mapping[str, Compared], told: Told) -> Iterator[str]:
    for key, words in (ENDS_OF_A_ROUND if told.until_round else ENDS).items():
        measure = measures.get(key)  # none of what a rule makes impossible
        if measure and measure["verdict"] == Verdict.DIFFERS:
            more = "more" if measure["difference"]["value"] > 0 else "less"
            by = _of_both(measure, lambda one: _points(one["difference"], absolute=True))
            yield f"{words} {more} frequent by {by}"


REST = (
    (Verdict.DIFFERS, "differ", "differs"),
    (Verdict.SAME, "are the same within the margin", "is the same within the margin"),
    (Verdict.WHO, "depend on who plays", "depends on who plays"),
    (Verdict.ONE_PLAYER, "are shown with one kind of players only", "is shown with one kind of players only"),
    (Verdict.UNDECIDED, "are undecided", "is undecided"),
)


def _rest(measures: Sequence[Compared]) -> str:
    found = Counter(measure["verdict"] for measure in measures)
    parts = [f"{found[kind]} {one if found[kind] == 1 else many}" for kind, many, one in REST if found[kind]]
    if len(measures) == 1:
        return f"the other measure {parts[0].removeprefix('1 ')}"
    if len(parts) == 1:
        number, _, what = parts[0].partition(" ")
        return f"all {number} other measures {what}"
    return f"of the {len(measures)} other measures {listed(parts)}"


def _points(figure: Compared, *, absolute: bool = False) -> str:
    """ "+3.1 percentage points [+2.4, +3.8]"."""
    low, value, high = (figure[name] for name in ("low", "value", "high"))
    if absolute and value < 0:
        low, value, high = (None if high is None else -high), -value, (None if low is None else -low)
    sign = "" if absolute else "+"
    return _interval({"low": low, "value": value, "high": high}, unit=" percentage points", scale=100, sign=sign)


def _interval(figure: Compared, *, unit: str, scale: int = 1, sign: str = "") -> str:
    """ "1.80 times as long [1.72, 1.88]", with one digit of half the interval's width; tables show two."""
    low, value, high = (figure[name] for name in ("low", "value", "high"))
    if low is None or high is None:
        return f"{value * scale:{sign},.1f}{unit}".replace("-", "−")
    places = decimals((high - low) / 2 * scale, least=2) - 1
    texts = [f"{number * scale:{sign},.{places}f}".replace("-", "−") for number in (value, low, high)]
    return f"{texts[0]}{unit} [{texts[1]}, {texts[2]}]"
