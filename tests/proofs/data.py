"""Games as data, against counts of the Ludii programme: a game is a document, and nothing is written for it in Python.

    python -m tests.proofs.data [GAME…]
    python -m tests.proofs.data boards|bad [10000] [FIRST]

Each file of the folder beside has games of a family: what the game is called there, its document, what the words leave
open and how that is read here (`open`), which rules no document can say yet (`not_played`), and where the words and
that programme part, why (`differs`). Both engines play a game of each document alike. `counts` are facts observed in
runs of that programme (1.3.12), one a turn: distinct positions after it as they lie on the board, how many of them
ended the game, and pieces on the board over all of them. Games that end are left out of what is compared where a player
without a move has lost here and passes there.

Of races, whose throws are of chance, `lengths` are what games of that programme came to: how many, their turns and the
share that the first player won, with standard errors. 2,000 of ours lie within 1.5 % of them, or within two and a half
errors of both. Races without such figures are played all the same, and `ended` is the share of them that came to an
end. Exit status 1 if a game without `differs` has other counts, or any race other lengths.

`boards` plays so many points games whose figures and rules are drawn at random, 40 plies of each: both engines alike,
no piece lost, replay as play. A document costs 0.15 s of processor time; parts begin at FIRST. `bad` reads as many
documents of points games with one to three things changed, as `tests.proofs.random_races bad` does of races.
"""

import json
import sys
from math import hypot
from pathlib import Path
from typing import Any

import numpy as np

from simulator.engine import playout
from simulator.engine.boards import bitboard
from simulator.engine.boards.figures import board_of
from simulator.engine.documents import parse
from simulator.engine.ends import DRAW
from simulator.engine.families.points.position import W_LAID, W_PHASE, W_SETS
from simulator.engine.playout import TooManyPositions, Walk
from simulator.engine.ruleset import Ruleset
from tests.engine.agreement import assert_engines_agree

FOLDER = Path(__file__).parent / "data"
MOST = 300_000  # positions of a turn: the next one is not counted
RACES, CAP = 2_000, 5_000  # games of a race; turns after which one is stopped
PLIES = 40  # of a game on a board drawn at random


def games() -> dict[str, dict[str, Any]]:
    """Return the games by name, of all files."""
    found = [game for file in sorted(FOLDER.glob("*.json")) for game in json.loads(file.read_text(encoding="utf-8"))]
    return {game["game"]: game for game in found}


def counted(ruleset: Ruleset, turns: int) -> list[list[int]]:
    """Return the positions after each turn, how many ended the game, and of a points game the pieces on the board."""
    walk, found = Walk.from_start(ruleset), list[list[int]]()
    try:
        for turn in range(1, turns + 1):
            running, ended = (_seen(ruleset, part) for part in walk.one_turn(turn))
            found.append([len(running) + len(ended), len(ended), *_on_board(ruleset, (running, ended))])
            if len(walk.running) > MOST:
                break
    except TooManyPositions:
        pass
    return found


def _seen(ruleset: Ruleset, part: np.ndarray) -> np.ndarray:
    """Return the positions that differ in what lies on the board or in hand, who moves and who has won.

    What could be huffed, and whether a piece was laid last, is part of a position here and cannot be seen on a board.
    """
    if ruleset.family != "points" or not len(part):
        return part
    unseen = W_SETS + 4 * _words(ruleset)
    columns = [column for column in range(unseen) if column not in (W_PHASE, W_LAID)]
    return np.unique(part[:, columns].astype(np.int64), axis=0)


def _on_board(ruleset: Ruleset, parts: tuple[np.ndarray, np.ndarray]) -> list[int]:
    if ruleset.family != "points":
        return []
    sets = [part[:, -4 * _words(ruleset) :] for part in parts if len(part)]
    return [sum(int(word & (2**64 - 1)).bit_count() for part in sets for word in part.ravel().tolist())]


def _words(ruleset: Ruleset) -> int:
    """Return how many words of bits hold the points of a board."""
    return len(bitboard((), len(board_of(ruleset.parameters).points)))


def compare(game: dict[str, Any]) -> dict[str, Any]:
    """Return up to which turn the counts are alike, and the first that are not."""
    ours = counted(parse(game["document"]), len(game["counts"]))
    pairs = list(zip(ours, game["counts"], strict=False))
    unlike = next((turn for turn, (own, other) in enumerate(pairs) if own != other[: len(own)]), len(pairs))
    found: dict[str, Any] = {"equal_to_turn": unlike, "turns": len(pairs)}
    if unlike < len(pairs):
        found |= {"here": pairs[unlike][0], "there": pairs[unlike][1]}
    return found | ({"differs": game["differs"]} if game.get("differs") else {})


def lengths(game: dict[str, Any]) -> dict[str, Any]:
    """Return the turns of 2,000 random games of a race and who won them, and whether they are as they should be."""
    ruleset = parse(game["document"])
    rows = playout.play_block(ruleset, ("random",) * ruleset.parameters["seats"], 1, 0, RACES, CAP, "game")
    turns, first = rows[:, 2], (rows[:, 1] & 1) > 0  # of a row: end, winners, turns
    ended = rows[:, 0] <= DRAW
    found: dict[str, Any] = {"turns": round(turns.mean(), 1), "turns_error": round(turns.std() / RACES**0.5, 2)}
    found |= {"first": round(first.mean(), 3), "first_error": round(first.std() / RACES**0.5, 3)}
    found["ended"] = round(ended.mean(), 3)
    for name in ("turns", "first") if "lengths" in game else ():
        there, error = game["lengths"][name], hypot(found[f"{name}_error"], game["lengths"][f"{name}_error"])
        found[f"{name}_there"] = there
        is_near = abs(found[name] - there) <= max(0.015 * there, 2.5 * error)
        found["alike"] = bool(found.get("alike", True) and is_near)
    return found | ({"differs": game["differs"]} if game.get("differs") else {})


def random_boards(wanted: int, first: int = 0) -> int:
    """Play games on boards drawn at random; tells which ones are not played as they should be."""
    from tests.engine.points_documents import assert_is_played, ruleset

    refused, failed = 0, list[int]()
    for seed in range(first, first + wanted):
        found = None
        try:
            found = ruleset(seed, (64, 64, 64, 128, 256)[seed % 5])
            refused += found is None
            if found:
                assert_is_played(found, cap=PLIES)
        except Exception as problem:
            failed.append(seed)
            print(json.dumps({"seed": seed, "problem": repr(problem)[:200], "document": found and found.document}))  # noqa: T201
        if (seed + 1) % 500 == 0:
            print(f"  {seed + 1}", file=sys.stderr, flush=True)  # noqa: T201
    print(json.dumps({"boards": wanted, "first": first, "no game": refused, "failed": failed}))  # noqa: T201
    return int(bool(failed))


def bad_points(wanted: int, first: int = 0) -> int:
    """Read changed documents of points games; prints how many were refused, and how."""
    from tests.engine.cases import DOCUMENTS
    from tests.proofs.random_races import refusals

    bases = [*DOCUMENTS.values(), *(game["document"] for game in games().values())]
    found = refusals(bases, "points", first, wanted)
    print(json.dumps(found, ensure_ascii=False, indent=1))  # noqa: T201
    return int(bool(found["failed"] or found["slow"]))


def main(names: list[str]) -> int:
    if names[:1] == ["boards"]:
        return random_boards(*map(int, names[1:] or ["10000"]))
    if names[:1] == ["bad"]:
        return bad_points(*map(int, names[1:] or ["10000"]))
    compared = {
        name: compare(game)
        for name, game in games().items()
        if game.get("counts") and (not names or any(one in name for one in names))
    }
    compared |= {
        name: lengths(game)
        for name, game in games().items()
        if game["document"]["family"] == "race" and (not names or any(one in name for one in names))
    }
    played = [game["document"] for name, game in games().items() if not names or any(one in name for one in names)]
    for document in played:
        assert_engines_agree(parse(document), games=1)
    print(json.dumps({**compared, "played alike by both engines": len(played)}, ensure_ascii=False, indent=1))  # noqa: T201
    unlike = [one for one in compared.values() if one.get("equal_to_turn", one["turns"]) < one["turns"]]
    is_alike = all(one.get("alike", True) for one in compared.values())
    return int(any("differs" not in one for one in unlike) or not is_alike)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
