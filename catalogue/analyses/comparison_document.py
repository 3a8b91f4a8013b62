"""Computing a comparison once its batches are done. Only workers and commands import this: it brings the statistics.

The document is
`{version, comparison, family, players, seed, games, cap, until, confidence, margins, bootstrap: {seed, resamples},
rulesets, rules, pairs}`.
- `players`: of every seat, as requested, by name or by level.
- `rulesets`: `{name, title, called, hash, batch, digest, players, seed, cap}` for each, in the order of the request;
  `called` is its name in a sentence, `players` are those who played it. Every figure of a place rests on its batch.
- `rules`: every parameter that is not the same in all, `{key, title, sides: [{value, words, off}, …]}`.
- `consent`: how the players act where a ruleset lets them end the game by consent; left out where none does.
- `pairs`: of every two, `{first, second, batches, games, cap, identical, sentence, pairing, measures}`, with the places
  and batches of both; measures as in `simulator.statistics.compared`. A difference is the second less the first.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from catalogue.analyses.comparison_words import COMPARISON_VERSION, differing, reading_name
from catalogue.models import Comparison, Reading
from catalogue.texts.formatting import listed
from simulator import rulesets
from simulator.batches.levels import line_in_words
from simulator.batches.rows import kept_rows
from simulator.engine.family import Family, family
from simulator.engine.naming import Naming, seat_name
from simulator.engine.players.wording import consent_field
from simulator.engine.ruleset import Ruleset
from simulator.models import Batch
from simulator.plots import lines
from simulator.statistics.compared import ComparisonTerms, PlayedBatch, compare
from simulator.statistics.intervals import CONFIDENCE
from simulator.statistics.paired import RESAMPLES
from simulator.statistics.rows import decimals

Compared = Mapping[str, Any]
ENDS = {"draw": "draws are", "endless": "endless games are", "unfinished": "unfinished games are"}


def document_of(comparison: Comparison, batches: Sequence[Batch]) -> dict[str, Any]:
    contents = [rulesets.as_engine(batch.ruleset) for batch in batches]
    kind = family(batches[0].ruleset.family)
    naming = _naming(kind, contents)
    seats = kind.seats(contents[0].parameters)
    row_version = min(batch.columns_version for batch in batches)  # only what was counted in all of them is compared
    is_alike = naming.seats == kind.naming(contents[0].parameters).seats
    named = kind.named_measures(contents[0].parameters) if is_alike else kind.measures
    terms = ComparisonTerms(
        measures=[measure for measure in named if measure.since <= row_version],
        seats=seats,
        naming=naming,
        margins=comparison.margins,
        seed=comparison.bootstrap_seed,
        until_round=batches[0].until == Batch.Until.ROUND,
    )
    sides = _sides(comparison.names, batches)
    titles = [naming.seat(seat) for seat in range(seats)]
    pairs = compare([PlayedBatch(_rows(batch, row_version), batch.cap) for batch in batches], terms)
    for pair in pairs:
        both = [sides[pair["first"]], sides[pair["second"]]]
        pair["batches"] = [side["batch"] for side in both]
        pair["sentence"] = sentence(pair, [side["called"] for side in both], titles)
        pair["pairing"] = pairing(pair, titles) if both[0]["seed"] == both[1]["seed"] else ""
    first = batches[0]
    return {
        "version": COMPARISON_VERSION,
        "comparison": comparison.id,
        "family": f"{kind.name} {first.family_version}",
        "players": comparison.asked or first.players,
        **consent_field(first.players, [content.document for content in contents], first.until, first.family_version),
        "seed": first.seed,
        "games": first.games,
        "cap": min(batch.cap for batch in batches),
        "until": first.until,
        "confidence": CONFIDENCE,
        "margins": comparison.margins,
        "bootstrap": {"seed": comparison.bootstrap_seed, "resamples": RESAMPLES},
        "rulesets": sides,
        "rules": differing(kind, contents),
        "pairs": pairs,
    }


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


def _sides(names: Sequence[str], batches: Sequence[Batch]) -> list[dict[str, Any]]:
    slugs = [name.partition("@")[0] for name in names]
    readings = {one.slug: one for one in Reading.objects.filter(slug__in=slugs).select_related("game")}
    among_games = len({reading.game_id for reading in readings.values()}) > 1
    sides = []
    for name, slug, batch in zip(names, slugs, batches, strict=True):
        title = readings[slug].title if slug in readings else ""
        called = reading_name(title, name, among_games=among_games)
        played = {"hash": batch.ruleset_id, "batch": batch.id}
        played |= {key: getattr(batch, key) for key in ("digest", "players", "seed", "cap")}
        sides.append({"name": name, "title": title, "called": called, **played})
    return sides


def plot_of(document: dict[str, Any], batches: Sequence[Batch]) -> dict[str, Any]:
    about = {"engine": document["family"], "ruleset": [side["hash"] for side in document["rulesets"]]}
    context = {**document, **about, "played_by": line_in_words(document["players"])}
    curves = [(batch.summary or {})["curve"] for batch in batches]
    names = [side["name"] for side in document["rulesets"]]
    drawing = asdict(lines.draw_compared_lengths(curves, names, context, document["cap"]))
    return {name: drawing[name] for name in ("title", "description", "caption", "svg", "height", "table")}


def sentence(pair: Compared, names: Sequence[str], seats: Sequence[str]) -> str:
    """ "Under Parker’s reading games are 1.8 times as long [1.7, 1.9]; the first player’s advantage does not change
    measurably."

    pair:  as `compared.compare` gives it; names: what both readings are called after "under"; seats: their titles
    """
    first, second = names
    if pair["identical"]["count"] == pair["games"]:
        return f"Under {second} every one of the {pair['games']:,} games is the same as under {first}."
    measures = {measure["key"]: measure for measure in pair["measures"]}
    clauses = [
        _length(measures["turns"], pair["cap"], measures["unfinished"], first),
        *_winning(measures, seats),
        *_ends(measures),
    ]
    own_clauses = {"turns", "first_player_advantage", *ENDS, *(f"won_{seat}" for seat in range(len(seats)))}
    rest = [measure for measure in pair["measures"] if measure["key"] not in own_clauses]
    if rest:
        clauses.append(_rest(rest))
    return f"Under {second} {'; '.join(clauses)}."


def pairing(pair: Compared, seats: Sequence[str]) -> str:
    """The gain, in words, from both rulesets having played from the same draws."""
    if pair["identical"]["count"] == pair["games"]:
        return "Every pair of games is alike: no number of games drawn apart would show as much."
    gains = {measure["key"]: measure["pairing_gain"] for measure in pair["measures"]}
    worth = {"their length": gains["turns"], f"the share won by the {seats[0]}": gains["won_0"]}
    gained = [f"{gain:.2f} times the games for {what}" for what, gain in worth.items() if gain is not None]
    if not gained:
        return ""
    found = "Both played the same game numbers of one seed. Pairing was worth"
    gained_most = max(gain for gain in worth.values() if gain is not None)
    so_many = "it gained nothing here" if gained_most < 1.05 else "so many games drawn apart would have told as much"
    return f"{found} {listed(gained)}: {so_many}."


def _length(turns: Compared, cap: int, unfinished: Compared, first: str) -> str:
    ratio = turns["ratio"]
    times = _interval(ratio, unit=" times as long") if ratio else " times as long"
    stopped = unfinished["first"]["value"] or unfinished["second"]["value"]
    up_to = f", counted up to turn {cap:,}" if stopped else ""
    if turns["verdict"] == "same":
        return f"games are as long as under {first}, within the margin ({times}{up_to})"
    if turns["verdict"] == "undecided":
        return f"it is undecided whether games are longer than under {first} ({times}{up_to})"
    return f"games are {times} as under {first}{up_to}"


def _winning(measures: Mapping[str, Compared], seats: Sequence[str]) -> Iterator[str]:
    advantage = measures.get("first_player_advantage")
    if advantage is None:  # more than two seats
        changed = [seat for seat in range(len(seats)) if measures[f"won_{seat}"]["verdict"] == "differs"]
        for seat in changed:
            change = measures[f"won_{seat}"]["difference"]
            often = "more" if change["value"] > 0 else "less"
            yield f"the {seats[seat]} wins {often} often by {_points(change, absolute=True)}"
        if not changed:
            yield "no seat’s share of wins changes measurably"
        return
    whose = f"the {seats[0]}’s advantage" if seats[0] == "first player" else f"the advantage of the {seats[0]}"
    change = f"{_points(advantage['difference'])}"
    if advantage["verdict"] == "differs":
        yield f"{whose} changes by {change}"
    elif advantage["verdict"] == "same":
        yield f"{whose} does not change beyond the margin ({change})"
    else:
        yield f"{whose} does not change measurably ({change})"


def _ends(measures: Mapping[str, Compared]) -> Iterator[str]:
    for key, words in ENDS.items():
        measure = measures[key]
        if measure["verdict"] == "differs":
            more = "more" if measure["difference"]["value"] > 0 else "less"
            yield f"{words} {more} frequent by {_points(measure['difference'], absolute=True)}"


def _rest(measures: Sequence[Compared]) -> str:
    found = Counter(measure["verdict"] for measure in measures)
    kinds = [
        ("differs", "differ", "differs"),
        ("same", "are the same within the margin", "is the same within the margin"),
        ("undecided", "are undecided", "is undecided"),
    ]
    parts = [f"{found[kind]} {one if found[kind] == 1 else many}" for kind, many, one in kinds if found[kind]]
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
