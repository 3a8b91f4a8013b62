"""A comparison in one plain sentence a pair, made from the verdicts. Workers and commands make it: it needs figures."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from catalogue.texts.formatting import listed
from simulator.statistics.rows import decimals

Compared = Mapping[str, Any]

ENDS = {"draw": "draws are", "endless": "endless games are", "unfinished": "unfinished games are"}


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
    """What it gained that both rulesets played from the same draws."""
    if pair["identical"]["count"] == pair["games"]:
        return "Every pair of games is alike: no number of games drawn apart would show as much."
    gains = {measure["key"]: measure["pairing_gain"] for measure in pair["measures"]}
    worth = {"their length": gains["turns"], f"the share won by the {seats[0]}": gains["won_0"]}
    gained = [f"{gain:.2f} times the games for {what}" for what, gain in worth.items() if gain is not None]
    if not gained:
        return ""
    found = "Both played the same game numbers of one seed. Pairing was worth"
    return f"{found} {listed(gained)}: {_worth([gain for gain in worth.values() if gain is not None])}."


def _worth(gains: Sequence[float]) -> str:
    if max(gains) < 1.05:
        return "it gained nothing here"
    return "so many games drawn apart would have told as much"


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
