"""Races as random documents, by the thousand: both engines play them alike, and bad ones are refused by name.

    python -m tests.proofs.random_races [played|bad…] [--number N] [--first N]

`played`: documents of squares, ways, marks, lots and rules drawn by chance, mended by what their refusals name. Moves
stand in the same order, positions are the same word by word, rows the same number by number; every piece waits, stands
on a square, is home or is taken; games played again are the same; names of moves are different. `bad`: documents of
games with one to three things changed. Each is played or refused, within a second, with the place of what is wrong; of
refusals it is counted how many name a nearest value, and which do not. Prints JSON; exit status 1 if anything fails.
Of 10,000 documents `played` takes about 20 minutes, `bad` of 100,000 about five.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from itertools import islice
from random import Random
from time import process_time
from typing import Any

from simulator.engine import kernels, playout, referee_playout
from simulator.engine.documents import parse
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import open_streams
from simulator.engine.ruleset import Ruleset, RulesetProblem
from tests.engine.race.positions import CASES
from tests.engine.race.test_race_tables import mended, random_document
from tests.proofs.data import games

PLIES, TURNS, SLOW = 100, 40, 1.0
NUMBERS = {"played": 10_000, "bad": 100_000}


def agree(ruleset: Ruleset, seed: int) -> None:
    """Play a game of a ruleset by both engines; raises AssertionError where they part."""
    contract, referee = kernels.kernel("race").contract, ruleset.module("referee.contract")
    names = ruleset.module("notation")
    rules = contract.compile_rules(ruleset.parameters)
    position, counts, out, streams = kernels.workspace(contract, rules)
    identity = contract.identity_size(rules)
    open_streams(streams, seed, 0, contract.FIRST_STREAM, contract.LAST_STREAM)
    contract.start(rules, position, streams, counts)
    taken = 0
    for ply in islice(referee_playout.plies(ruleset, seed, 0), PLIES):
        moves = referee.moves(ruleset.parameters, ply.before)
        assert tuple(position[:identity]) == ply.before.words()
        assert out[: contract.moves(rules, position, out)].tolist() == moves
        named = [names.move_name(ruleset.parameters, ply.before, move) for move in moves]
        assert len(set(named)) == len(named), named
        move, _ = contract.random_move(rules, position, streams, CHOICE + ply.seat, out)
        assert move == ply.move
        contract.play(rules, position, move, streams, counts)
        after = ply.played.position
        assert tuple(position[:identity]) == after.words()
        assert all(len(row) == ruleset.parameters["pieces"] and row == sorted(row) for row in after.pieces)
        taken += ply.played.sent_back
        if ruleset.parameters["taking"]:
            assert sum(row.count(max_step(ruleset)) for row in after.pieces) == taken
    assert all("{" not in one.sentence for one in names.describe(ply))
    players = ("random",) * ruleset.parameters["seats"]
    first, again = (playout.play_block(ruleset, players, seed, 0, 1, TURNS, "game").tolist() for _ in range(2))
    assert first == again == [referee.row(referee_playout.plies(ruleset, seed, 0), TURNS, "game")]


def max_step(ruleset: Ruleset) -> int:
    """Return the step of pieces that are home, or taken."""
    return int(ruleset.module("referee.way").course(ruleset.parameters).home)


def played(first: int, number: int) -> dict[str, Any]:
    """Play so many random documents; returns how many could be mended, and the seeds of those that failed."""
    found: dict[str, Any] = {"documents": number, "played": 0, "failed": {}}
    rules: Counter[str] = Counter()
    for seed in range(first, first + number):
        try:
            ruleset = mended(random_document(Random(seed)))
            if ruleset is not None:
                found["played"] += 1
                rules.update([*ruleset.document])
                agree(ruleset, seed)
        except Exception as problem:
            found["failed"][seed] = f"{type(problem).__name__}: {problem}"[:200]
    return {**found, "rules": dict(rules.most_common())}


# fmt: off
JUNK: list[Any] = [
    0, 1, -1, 2, 3, 7, 16, 17, 61, 255, 10**6, 10**30, 1.5, 2.0, True, False, None, "", "a1", "z99", "a1-a9", "a1-z9",
    "off", "landing", "safe", "marked", "pach\u0131si", "x" * 500, [], [1], [1, 2, 3], [0] * 9, ["a1"], [[1, 2]], {},
    {"a": 1}, {"times": 1}, {"2": ["a1-a9", "a9-a1"]}, [{"times": 0}], [{"mark": "star"}],
]
# fmt: on


def mutated(document: dict[str, Any], keys: list[str], random: Random) -> dict[str, Any]:
    """Return a document with one to three things changed: taken out, put in, spelt otherwise, of another kind."""
    found = deepcopy(document)
    for _ in range(random.randint(1, 3)):
        part: Any = found
        while isinstance(part, dict | list) and part and random.random() < 0.7:
            inner = list(part.values()) if isinstance(part, dict) else part
            nested = [one for one in inner if isinstance(one, dict | list) and one]
            if not nested:
                break
            part = random.choice(nested)
        value = random.choice(JUNK)
        if isinstance(part, list):
            place = random.randrange(len(part) + 1)
            part[place : place + random.randint(0, 1)] = [deepcopy(value)]
        elif random.random() < 0.15 and part:
            del part[random.choice(list(part))]
        elif random.random() < 0.15 and part:
            key = random.choice(list(part))
            part[key[:-1] or "x"] = part.pop(key)
        else:
            part[random.choice([*part, *(keys if part is found else [])])] = deepcopy(value)
    return found


def bad(first: int, number: int) -> dict[str, Any]:
    """Read so many changed documents of races; returns how many were refused, and what was not as it should be."""
    bases = [ruleset.document for ruleset in CASES.values()]
    return refusals([*bases, *(one["document"] for one in games().values())], "race", first, number)


def refusals(bases: list[dict[str, Any]], family: str, first: int, number: int) -> dict[str, Any]:
    """Read so many changed documents of those that are of a family."""
    bases = [document for document in bases if document["family"] == family]
    keys = sorted({key for document in bases for key in document})
    found: dict[str, Any] = {"documents": number, "taken": 0, "refused": 0, "with_nearest": 0, "slow": 0, "failed": {}}
    bare: Counter[str] = Counter()
    for seed in range(first, first + number):
        random = Random(seed)
        document = mutated(random.choice(bases), keys, random)
        began = process_time()
        try:
            parse(document)
            found["taken"] += 1
        except RulesetProblem as refused:
            found["refused"] += 1
            problem = refused.problems[0]
            if not problem.key or not problem.message:
                found["failed"][seed] = f"no place: {refused}"[:200]
            if problem.nearest is not None:
                found["with_nearest"] += 1
            else:
                bare[f"{problem.key.split('/')[0]}: {problem.message}"[:80]] += 1
        except Exception as problem:
            found["failed"][seed] = f"{type(problem).__name__}: {problem}"[:200]
        found["slow"] += process_time() - began > SLOW
    return {**found, "without_nearest": dict(bare.most_common(40))}


def _numbers(words: list[str]) -> Iterator[tuple[str, int, int]]:
    asked = {word: int(words[words.index(word) + 1]) for word in ("--number", "--first") if word in words}
    for part in [word for word in words if word in NUMBERS] or list(NUMBERS):
        yield part, asked.get("--first", 0), asked.get("--number", NUMBERS[part])


def main(words: list[str]) -> int:
    made = {"played": played, "bad": bad}
    found = {part: made[part](first, number) for part, first, number in _numbers(words)}
    print(json.dumps(found, ensure_ascii=False, indent=1))  # noqa: T201
    return int(any(one["failed"] or one.get("slow") for one in found.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
