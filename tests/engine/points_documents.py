"""Documents of points games drawn at random: figures of shapes placed, turned and joined, or points and lines by hand,
with rules of every kind."""

import random
from typing import Any

from simulator.engine import referee_playout
from simulator.engine.boards.drawings import WrongFigure
from simulator.engine.boards.figures import canonical, read_figure
from simulator.engine.boards.points import Board
from simulator.engine.documents import parse
from simulator.engine.games import Game
from simulator.engine.ruleset import Ruleset, RulesetProblem
from tests.engine.agreement import assert_engines_agree

MENDED = 12  # times that a rule which is refused is set to the nearest that would do


def figure(chance: random.Random, points: int) -> dict[str, Any]:
    """A figure with no more points than that, which may be none that can be played on."""
    if chance.random() < 0.3:
        return _by_hand(chance, min(points, 40))
    found: dict[str, Any] = {"shapes": [_shape(chance, points) for _ in range(chance.choice([1, 1, 2, 3]))]}
    if chance.random() < 0.2:
        found["also"] = {"points": {"z": [chance.randint(-4, 4), 6]}, "lines": ["a1 z"]}
    if chance.random() < 0.2:
        found["without"] = {"points": [chance.choice(["a1", "b2", "c3"])]}
    return found


def _shape(chance: random.Random, points: int) -> dict[str, Any]:
    side = max(2, min(12, int(points**0.5)))
    kind = chance.choice(["grid", "grid", "rings", "cross", "triangle", "star"])
    found: dict[str, Any] = {}
    if kind == "grid":
        found = {"grid": [chance.randint(2, side), chance.randint(2, side)]}
        if chance.random() < 0.2:
            found["colour"] = chance.choice(["dark", "light"])
        else:
            found["diagonals"] = chance.choice(["off", "alternating", "between", "all", "meeting"])
    elif kind == "rings":
        found = {"rings": chance.randint(1, 4), "joined": chance.choice(["off", "corners", "middles", "both"])}
        found |= {"round": chance.randint(3, 12)} if chance.random() < 0.5 else {"sides": chance.randint(3, 6)}
        found["centre"] = chance.random() < 0.5
    elif kind == "cross":
        arm = chance.choice([1, 2, 3])
        found = {"cross": [arm, arm + 2 * chance.randint(1, 2)], "diagonals": chance.choice(["off", "alternating"])}
    elif kind == "triangle":
        found = {"triangle": chance.randint(2, 5), "lines": chance.randint(2, 4)}
    else:
        found = {"star": chance.randint(5, 8)}
    if chance.random() < 0.5:
        found |= {"at": [chance.randint(-3, 3), chance.randint(-6, 6) / 2], "turn": chance.choice([0, 45, 90, 180])}
        found["scale"] = chance.choice([1, 1, 2, 0.5])
    return found


def _by_hand(chance: random.Random, points: int) -> dict[str, Any]:
    places = chance.sample([(x, y) for x in range(8) for y in range(8)], chance.randint(3, points))
    names = [f"{chr(97 + number // 9)}{number % 9 + 1}" for number in range(len(places))]
    lines = [chance.sample(names, chance.randint(2, min(6, len(names)))) for _ in range(chance.randint(2, len(names)))]
    closed = [[*line, line[0]] if len(line) > 3 and chance.random() < 0.2 else line for line in lines]
    return {"points": dict(zip(names, map(list, places), strict=True)), "lines": [" ".join(line) for line in closed]}


def ruleset(seed: int, points: int = 64) -> Ruleset | None:
    """A game on a figure with at most so many points, or None where what was drawn is none and cannot be mended."""
    chance = random.Random(seed)
    for _ in range(20):
        drawn = figure(chance, points)
        try:
            board = read_figure(drawn)[0]
        except WrongFigure:
            continue
        if len(board.points) <= points:
            # In its one form it is read again and again sooner.
            return _mended({"family": "points", "board": canonical(board), **_rules(chance, board)})
    return None


def _mended(document: dict[str, Any]) -> Ruleset | None:
    for _ in range(MENDED):
        try:
            return parse(document)
        except RulesetProblem as refused:
            problem = refused.problems[0]  # others may be gone with it
            if not _mend(document, problem.key.split("/"), problem.nearest):
                return None
    return None


def _mend(document: dict[str, Any], place: list[str], value: Any) -> bool:
    """Set a place to another value, or take its row out; whether that can be."""
    key, *inner = place
    if key in ("board", "family") or (value is None and not inner):
        return False
    if len(inner) == 2 and value is not None:
        document[key][int(inner[0])][inner[1]] = value
    elif inner and isinstance(document[key], list):
        document[key] = document[key][: int(inner[0])]
    else:
        document[key] = {} if inner else value
    return True


def _rules(chance: random.Random, board: Board) -> dict[str, Any]:
    size, names = len(board.points), list(board.names)
    few = max(1, min(size // 2 - 1, 16))
    found: dict[str, Any] = {"first_pieces": chance.randint(1, few), "second_pieces": chance.randint(1, few)}
    if chance.random() < 0.5:
        chance.shuffle(names)
        found["first_array"] = names[: chance.randint(0, found["first_pieces"])]
        found["second_array"] = names[size - chance.randint(0, found["second_pieces"]) :]
    found |= {f"{side}_stuck": chance.choice(["loses", "loses", "passes", "loses_after_pass"]) for side in SIDES}
    found |= {f"{side}_reach": chance.choice([1, 1, 1, 2, 4]) for side in SIDES}
    found["second_steps"] = chance.choice(["any", "any", "forward", "forward_and_sideways", "orthogonal"])
    for some, likely in ((_rows, 0.5), (_captures, 0.6), (_laying, 0.5)):
        found |= some(chance, names) if chance.random() < likely else {}
    bound = chance.choice(["idle_turns", "turn_limit", "repetition"])
    return {**found, bound: {"idle_turns": 30, "turn_limit": 80, "repetition": 3}[bound]}


SIDES = ("first", "second")


def _rows(chance: random.Random, names: list[str]) -> dict[str, Any]:
    return {
        "row_length": chance.randint(2, 4),
        "row_lines": chance.choice(["drawn", "files_and_ranks", "diagonals", "any_direction", "whole"]),
        "row_squares": chance.random() < 0.3,
        "home_row": chance.random() < 0.3,
        "longer_row": chance.choice(["counts", "nothing", "forbidden"]),
        "line_laying": chance.choice(["off", "lay_again", "remove", "win"]),
        "line_moving": chance.choice(["remove", "remove_and_move_again", "win"]),
        "removable": chance.choice(["any", "outside_lines_first", "outside_lines_only"]),
        **{f"{side}_loses_below": chance.randint(0, 2) for side in SIDES},
    }


def _captures(chance: random.Random, names: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "captures_by": chance.choice(["first", "both"]),
        "capture_compulsory": chance.random() < 0.5,
        "captures": chance.choice(["any", "any", "forward", "forward_and_sideways", "diagonal", "orthogonal_not_back"]),
        "chain": chance.choice(["off", "may_go_on", "must_go_on", "must_go_on"]),
        "lifted": chance.choice(["at_once", "after_turn"]),
        "most_captures": chance.choice(["off", "most", "most_then_kings"]),
        "second_loses_below": 1,
        "lay_safe": chance.choice(["off", "every_piece"]),
    }
    if chance.random() < 0.4:
        found |= {"kings": chance.choice(["short", "flying"]), "first_crowned_at": names[:3]}
        found |= {"second_crowned_at": names[-3:], "crowning": chance.choice(["on_stopping", "goes_on_as_king"])}
    return found


def _laying(chance: random.Random, names: list[str]) -> dict[str, Any]:
    moving, region = chance.choice(["after", "after", "instead", "answered"]), chance.choice(["", "edge", "low"])
    row = {
        "by": chance.choice(["both", "first"]),
        "pieces": chance.choice([0, 0, 2]),
        "at_once": chance.randint(1, 3) if moving == "after" else 1,
        "outside": region,
        "rows": chance.choice(["allowed", "forbidden"]),
        "moving": moving,
    }
    return {"laying": [row, {"moving": "instead"}], "regions": {"low": names[:3]} if region == "low" else {}}


def assert_is_played(found: Ruleset, games: int = 1, cap: int = 60) -> None:
    """Both engines play it alike; a piece is on the board, in hand, or told as taken or put aside; the names of the
    moves lead through the same positions; and the document is in its one form."""
    assert parse(found.document).hash == found.hash
    assert_engines_agree(found, games, cap)
    game = Game(found)
    for number, ply in enumerate(referee_playout.plies(found, 3, 0)):
        if number == cap:
            break
        before, after = ply.before, ply.played.position
        aside = sum(event.pieces for event in ply.played.events if event.kind == "put_aside")
        lost = [before.count(seat) - after.count(seat) - ply.played.taken[1 - seat] for seat in (0, 1)]
        assert sum(lost) == aside
        assert min(lost) >= 0
        assert game.session.position.words() == before.words()
        game.play(game.session.name_of(ply.move))
        assert game.session.position.words() == after.words()
