"""The proof that documents drawn at random are played alike by both engines, and that spoilt ones are refused.

    python -m tests.proofs.random_documents [agree] [refused] [--number N] [--seed S]

`agree`: of N documents (10,000) every ply of a game each is the same in referee and kernel, counters are conserved, the
game that is written down and read again comes to the same position, and the canonical form is its own. `refused`: of N
documents (100,000) in which one to three things were changed each is a game or is refused, at a place, with what would
be valid where that can be said; that mends the place. None takes longer than LONGEST. Exit status 1 if it is not so.
"""

import argparse
import copy
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

from simulator import engine
from simulator.engine import referee_playout
from simulator.engine.documents import parse
from simulator.engine.families.sowing.notation import move_name
from simulator.engine.ruleset import Problem, Ruleset, RulesetProblem
from tests.engine.agreement import assert_engines_agree
from tests.engine.sowing_documents import rulesets

LONGEST = 2.0  # seconds for one document
PLIES, REPLAYED, TOLD = 80, 12, 500
WORDS = [
    "a1",
    "a1-a9",
    "",
    "any",
    "on_from_last",
    "won",
    "a1 a2",
    -1,
    0,
    1,
    7,
    99,
    10**30,
    1.5,
    True,
    None,
    [],
    {},
    [[]],
]
WORDS += [{"holes": ["b2"]}, ["a1"], ["a1-a3", "b1-b3"], "b1-b2 a1-a2", [1, 1], ["last", "last"], "\x00", "x" * 3000]


def agree(number: int, seed: int) -> dict[str, Any]:
    """Play a game of each document in both engines."""
    seen, chance = Counter[str](), random.Random(f"documents {seed}")
    for count in range(number):
        _tell(count)
        ruleset = rulesets(chance, 1)[0]
        assert_engines_agree(ruleset, games=1, cap=PLIES)
        names: list[str] = []
        for ply, _ in zip(referee_playout.plies(ruleset, 3, 0), range(REPLAYED), strict=False):
            before, after = ply.before, ply.played.position
            assert sum(before.holes) + sum(before.stores) == sum(after.holes) + sum(after.stores)
            names.append(move_name(ruleset.parameters, before, ply.move))
        assert engine.Game(ruleset, moves=names).session.position.words() == after.words()
        assert parse(ruleset.document).hash == ruleset.hash
        seen.update(ruleset.document.keys())
    return {"documents": number, "keys": dict(seen.most_common())}


def _tell(count: int) -> None:
    if count % TOLD == 0:
        print(f"  {count}", file=sys.stderr, flush=True)  # noqa: T201


def spoilt(chance: random.Random, document: dict[str, Any]) -> dict[str, Any]:
    """The document with one to three changes."""
    written: dict[str, Any] = json.loads(json.dumps(document))
    for _ in range(chance.randint(1, 3)):
        part: Any = written
        while isinstance(part, dict | list) and part:
            key: Any = chance.choice(list(part)) if isinstance(part, dict) else chance.randrange(len(part))
            if chance.random() < 0.5 or not isinstance(part[key], dict | list) or not part[key]:
                _change(chance, part, key)
                break
            part = part[key]
    return written


def _change(chance: random.Random, part: Any, key: Any) -> None:
    kind = chance.randrange(5)
    if kind == 0:
        part.pop(key)
    elif kind == 1 and isinstance(part, dict):
        part[f"{key}s" if chance.random() < 0.5 else key[1:]] = part.pop(key)
    elif kind == 2 and isinstance(part, list):
        part.insert(key, copy.deepcopy(chance.choice([part[key], *WORDS])))
    elif kind == 3 and isinstance(part[key], str):
        part[key] = part[key][:-1] + chance.choice("abf19-_ ")
    else:
        part[key] = copy.deepcopy(chance.choice(WORDS))  # a list of these is changed in its turn


def refused(number: int, seed: int) -> dict[str, Any]:
    """Read each of the spoilt documents."""
    chance, found, longest = random.Random(f"spoilt {seed}"), Counter[str](), 0.0
    some: list[Ruleset] = []
    for count in range(number):
        _tell(count)
        if count % 50 == 0:
            some = rulesets(chance, 5)
        written = spoilt(chance, chance.choice(some).document)
        begun = time.process_time()
        try:
            ruleset = parse(written)
        except RulesetProblem as problem:
            found["refused"] += 1
            for one in problem.problems:
                found["places"] += 1
                found["places with a valid value"] += one.nearest is not None
                assert one.key or "family" in one.message or not isinstance(written, dict), (one, written)
                assert len(str(one)) < 2000, one
            _mended(written, problem.problems)
        else:
            found["games"] += 1
            assert parse(ruleset.document).hash == ruleset.hash
        longest = max(longest, time.process_time() - begun)
        assert longest < LONGEST, written
    return {"documents": number, **found, "longest_seconds": round(longest, 3)}


def _mended(written: dict[str, Any], problems: tuple[Problem, ...]) -> None:
    """Raise AssertionError if what is said to be valid, a value or a name, is refused as that was which was written."""
    for one in problems:
        if one.nearest is not None and not any(one not in _problems(form) for form in _forms(written, one)):
            raise AssertionError(one, written)


def _forms(written: dict[str, Any], problem: Problem) -> Iterator[dict[str, Any]]:
    """Yield the document with the nearest value in that place, and under the nearest name."""
    *steps, last = problem.key.split("/")
    for named in (False, True):
        form: Any = json.loads(json.dumps(written))
        part = form
        for step in steps:
            part = part[int(step) if isinstance(part, list) else step]
        if named and isinstance(part, dict) and last in part:
            part[str(problem.nearest)] = part.pop(last)
        else:
            part[int(last) if isinstance(part, list) else last] = problem.nearest
        yield form


def _problems(document: dict[str, Any]) -> tuple[Problem, ...]:
    try:
        parse(document)
    except RulesetProblem as problem:
        return problem.problems
    return ()


PARTS = {"agree": (agree, 10_000), "refused": (refused, 100_000)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []])
    parser.add_argument("--number", type=int)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for part in asked.parts or PARTS:
        work, usual = PARTS[part]
        print(json.dumps({part: work(asked.number or usual, asked.seed)}, indent=1), flush=True)  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
