"""A comparison in words and tables: the rules that differ, names of readings in a sentence, verdicts, and the measures
as rows. Pure Python: no Django, and nothing that only workers have.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from catalogue.texts.formatting import capitalised
from simulator.engine.family import Family
from simulator.engine.ruleset import Ruleset

# Changes when a figure or a sentence of a comparison would come out differently.
COMPARISON_VERSION = 4

# The sign stands beside the word wherever a verdict is shown, so that nothing depends on colour.
VERDICTS = {
    "differs": ("≠", "differs"),
    "same": ("≈", "same within the margin"),
    "undecided": ("?", "undecided"),
    "depends on who plays": ("±", "depends on who plays"),
    "shown with one player only": ("?", "shown with one player only"),
    "only by stopped games": ("?", "not shown among games that ended"),
    "few kinds": ("·", "true of these players alone: too few different games"),
    "identical": ("=", "the same in every game"),
}

SHARED_ROWS = "Nothing besides what the others have too."

Side = dict[str, Any]


def differing(kind: Family, rulesets: Sequence[Ruleset]) -> list[dict[str, Any]]:
    """The parameters that are not the same in all, in schema order: `{"key", "title", "sides"}`.

    A side is `{"value", "words", "off"}`; off: whether it is the off value, which needs no clause
    """
    said = [kind.sentences(ruleset) for ruleset in rulesets]
    found = []
    for key, spec in kind.schema["properties"].items():
        values = [ruleset.parameters[key] for ruleset in rulesets]
        if all(value == values[0] for value in values):
            continue
        told = [words[key] for words in said]
        if any(rows := [kind.rows(key, ruleset.parameters) for ruleset in rulesets]):
            told = apart(rows, told)
        sides = [
            {"value": value, "words": words, "off": key not in ruleset.document}
            for value, words, ruleset in zip(values, told, rulesets, strict=True)
        ]
        found.append({"key": key, "title": spec["title"], "sides": sides})
    return found


def apart(tables: Sequence[Sequence[tuple[str, str]]], whole: Sequence[str]) -> list[str]:
    """Return of each table what its rows say that not all tables have. whole: what each says, where all have all"""
    said = [[words for _, words in rows] for rows in tables]
    shared = set(said[0]).intersection(*said[1:])
    own = [[words for words in some if words not in shared] for some in said]
    if not any(own):
        return list(whole)  # the same rows in another order
    return [
        " ".join(some) if some else SHARED_ROWS if rows else words
        for some, rows, words in zip(own, said, whole, strict=True)
    ]


def reading_name(title: str, name: str, *, among_games: bool) -> str:
    """The name of a reading in a sentence that begins with "under": "Parker’s reading".

    title:       of the reading, "Daramuti, after Parker"; empty if the ruleset is nobody's reading
    name:        of the ruleset: slug, slug@number or hash
    among_games: whether readings of several games are compared, so that the whole title is needed
    """
    if not title:
        return f"the ruleset {name[:8] if len(name) == 64 else name}"
    _, _, manner = title.partition(", ")
    if among_games or not manner:
        return f"“{title}”"
    if manner.startswith("after the "):
        return manner.removeprefix("after ")
    if manner.startswith("after "):
        return f"{manner.removeprefix('after ')}’s reading"
    if manner == "as the Ludii programme plays it":
        return "the Ludii programme’s rules"
    return f"“{capitalised(manner)}”"


Compared = Mapping[str, Any]


def is_same_game(pair: Compared) -> bool:
    """Whether all games of both are alike, with every player who played them."""
    played = [pair["identical"], *([pair["again"]["identical"]] if "again" in pair else [])]
    return all(one is not None and one["count"] == pair["games"] for one in played)


@dataclass(frozen=True, slots=True)
class TableRow:
    """One measure. sizes: "1.80 (1.74 to 1.86) times as much", one a line; needed: games, or None

    again: (first, second, difference, verdict) of the second player; None where nobody else was asked, and empty where
    it never happened in his games
    alone: the verdict of the first player by himself, where another was asked
    """

    title: str
    note: str
    first: str
    second: str
    difference: str
    sizes: tuple[str, ...]
    sign: str
    verdict: str
    needed: int | None
    again: tuple[str, ...] | None = None
    alone: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    rows: tuple[TableRow, ...]


def sections(measures: Sequence[Compared]) -> list[Section]:
    """The measures by section; a note that several rows of a section share stands at the first of them."""
    found = []
    for title, rows in groupby(measures, key=lambda measure: str(measure["section"])):
        noted: set[str] = set()
        found.append(Section(title, tuple(_row(measure, noted) for measure in rows)))
    return found


def _row(measure: Compared, noted: set[str]) -> TableRow:
    note = "" if measure["note"] in noted else measure["note"]
    noted.add(measure["note"])
    sign, words = VERDICTS[measure["verdict"]]
    return TableRow(
        title=measure["title"],
        note=note,
        first=measure["first"]["text"],
        second=measure["second"]["text"],
        difference=measure["difference"]["text"],
        sizes=tuple(_sizes(measure)),
        sign=sign,
        verdict=words,
        needed=measure["games_needed"],
        again=_again(measure["again"]) if "again" in measure else None,
        alone=VERDICTS[measure["alone"]][1] if "alone" in measure else "",
    )


def _again(second: Compared | None) -> tuple[str, ...]:
    if second is None:
        return ()
    return (*(second[name]["text"] for name in ("first", "second", "difference")), VERDICTS[second["verdict"]][1])


def _sizes(measure: Compared) -> Iterator[str]:
    if ratio := measure.get("ratio"):
        yield f"{ratio['text']} times as much"
    if medians := measure.get("ratio_of_medians"):
        first, second = measure["medians"]
        yield f"medians {first:,} and {second:,}: {medians['text']} times"
    if delta := measure.get("cliffs_delta"):
        yield f"Cliff’s delta {delta['text']}"
    if any(measure.get("discordant", {}).values()):
        size = f"{measure['cohens_h']:+.2f}".replace("-", "−")
        only = measure["discordant"]
        yield f"Cohen’s h {size}"
        yield f"in {only['first_only']:,} games only under the first, in {only['second_only']:,} only under the second"
    if gain := measure["pairing_gain"]:
        yield f"pairing worth {gain:.2f} times the games"


def margins_in_words(margins: Mapping[str, float]) -> dict[str, str]:
    """ "2 percentage points" and "5 %"."""
    shares, amounts = 100 * margins["shares"], 100 * margins["amounts"]
    return {"shares": f"{shares:g} percentage point{'' if shares == 1 else 's'}", "amounts": f"{amounts:g} %"}
