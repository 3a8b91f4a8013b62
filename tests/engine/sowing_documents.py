"""Documents of sowing games with tables, drawn at random: any rows, ways and owners, any rows of `after_lap`."""

import random
from typing import Any

from simulator.engine.documents import parse
from simulator.engine.families.sowing.board import ROW_LETTERS
from simulator.engine.families.sowing.tables import PROPERTIES, PROPERTIES_OF_ROW
from simulator.engine.ruleset import Ruleset, RulesetProblem

LAPS = 60  # a bound that random games come to


def document(chance: random.Random) -> dict[str, Any]:
    """A document of the family, which may be no game."""
    rows, columns = chance.choice([1, 2, 2, 3, 4, 4, 5, 6]), chance.randint(2, 7)
    names = [f"{letter}{number}" for letter in ROW_LETTERS[:rows] for number in range(1, columns + 1)]
    found: dict[str, Any] = {
        "family": "sowing",
        "rows": rows,
        "holes_per_row": columns,
        "counters_per_hole": chance.randint(1, 4),
        "direction": chance.choice(["anticlockwise", "clockwise", "chosen_once", "each_turn"]),
        "lap_limit": LAPS,
        "after_lap": [_row(chance) for _ in range(chance.randint(0, 4))],
    }
    for key in (
        "leaves_one",
        "origin_first",
        "origin_passed",
        "must_feed",
        "must_capture",
        "majority_ends",
        "store_sown",
        "store_again",
    ):
        found[key] = chance.random() < 0.2
    for key in ("ends", "begins_at", "below_minimum", "round_end", "stuck", "pass_over_full"):
        found[key] = chance.choice(PROPERTIES[key]["enum"])
    found["minimum"] = chance.choice([0, 0, 1, 2, 3])
    found["idle_turns"], found["repetition_memory"] = chance.choice([0, 9]), chance.choice([0, 0, 5])
    if chance.random() < 0.3 or rows == 5:
        found["circuits"] = ways = _parts(chance, names, chance.choice([1, 2]))
        if chance.random() < 0.3:
            found["circuits"] = [part for way in (ways[0], ways[-1]) for part in (way, _shuffled(chance, way))]
    if chance.random() < 0.3:
        found["owners"] = _parts(chance, names, 2)
    if chance.random() < 0.3:
        found["start"] = [
            {"holes": chance.sample(names, chance.randint(1, len(names))), "counters": chance.randint(0, 5)}
        ]
    if chance.random() < 0.2:
        found["arranged"] = chance.randint(1, 5)
    if chance.random() < 0.3:
        found["backward"] = chance.sample(names, 2)
    if chance.random() < 0.3:
        found["openings"] = [{"holes": chance.sample(names, 2), "turn": chance.randint(1, 2), "who": "each"}]
    if chance.random() < 0.3:
        row = {"numbers": chance.sample(range(1, 6), 2), "last": chance.random() < 0.5}
        found["while_sowing"] = [{**row, "in": chance.choice(["any", "own", "opposing"]), "to": "sower"}]
    if chance.random() < 0.4:
        names = chance.sample(names, min(4, len(names)))
        found["special"] = [_special(chance, names[:2]), _special(chance, names[2:])]
    if chance.random() < 0.2:
        found = _with_rounds(chance, found)
    if not found["after_lap"]:
        found["relay"] = chance.choice(PROPERTIES["relay"]["enum"])
        found["capture_making"] = chance.choice([[], [2, 3]])
        found["capture_opposite"] = chance.choice(["off", "either", "own"])
    return found


def _parts(chance: random.Random, names: list[str], number: int) -> list[str]:
    """Some of the holes, in any order, dealt out."""
    dealt = chance.sample(names, chance.randint(number, len(names)))
    return [" ".join(dealt[part::number]) for part in range(number)]


def _shuffled(chance: random.Random, way: str) -> str:
    holes = way.split()
    return " ".join(chance.sample(holes, len(holes)))


def _with_rounds(chance: random.Random, found: dict[str, Any]) -> dict[str, Any]:
    """The document on the usual board, played in several rounds."""
    kept = {
        key: value for key, value in found.items() if key not in ("circuits", "owners", "start", "ends", "arranged")
    }
    words = {key: chance.choice(PROPERTIES[key]["enum"]) for key in ("remainder", "equal_round", "layout_from")}
    rounds = {"rows": 2, "next_round": "refill", "unfilled_closed": chance.random() < 0.5, "repetition_memory": 0}
    return {**kept, **words, **rounds, "idle_turns": 9}


def _special(chance: random.Random, names: list[str]) -> dict[str, Any]:
    columns = PROPERTIES["special"]["items"]["properties"]
    row: dict[str, Any] = {"holes": names, "taken": chance.random() < 0.5}
    row |= {key: chance.choice([columns[key]["default"], *columns[key]["enum"]]) for key in ("starts", "way", "sown")}
    return {**row, "least": chance.choice([0, 0, 3])}


def _row(chance: random.Random) -> dict[str, Any]:
    row: dict[str, Any] = {"last": chance.choice(PROPERTIES_OF_ROW["last"]["enum"])}
    if row["last"] == "makes" or chance.random() < 0.2:
        row["numbers"] = chance.sample(range(1, 7), 2)
    takes = PROPERTIES_OF_ROW["take"]["items"]["enum"]
    row["take"] = chance.sample(takes, chance.choice([0, 1, 1, 2]))
    for key in ("in", "if", "then"):
        row[key] = chance.choice([PROPERTIES_OF_ROW[key]["default"], *PROPERTIES_OF_ROW[key]["enum"]])
    if chance.random() < 0.2:
        row["wins"] = chance.sample(["last", "opposite"], chance.randint(1, 2))
    if row["take"] and chance.random() < 0.5:
        row["to"] = chance.choice(["sower", "owner"])
        name = chance.choice(["optional", "one", "extra"])
        row[name] = 1 if name == "extra" else True
        if name == "one":
            row["take"] = chance.sample(["beside", "everywhere", "opposite", "run_on", "next"], 3)
    return row


def rulesets(chance: random.Random, number: int) -> list[Ruleset]:
    """So many documents that are games; parts that are refused are left out, one by one."""
    found: list[Ruleset] = []
    while len(found) < number:
        if ruleset := mended(document(chance)):
            found.append(ruleset)
    return found


def mended(written: dict[str, Any]) -> Ruleset | None:
    """The ruleset of a document without the keys, rows and columns that are refused; None if nothing is left."""
    for _ in range(60):
        try:
            return parse(written)
        except RulesetProblem as problem:
            key, *steps = problem.problems[0].key.split("/")
            if key == "after_lap" and steps:
                number = int(steps[0])
                rows = written["after_lap"]
                written["after_lap"] = rows[:number] + rows[number + 1 :]
            elif key in written and key not in ("rows", "holes_per_row", "counters_per_hole"):
                written = {name: value for name, value in written.items() if name != key}
            else:
                return None
    return None
