"""What holds from any legal position, found by hypothesis: counters are conserved, moves are unique, two engines
agree."""

from hypothesis import given
from hypothesis import strategies as st

from simulator.engine import referee_playout
from simulator.engine.documents import parse
from simulator.engine.families.sowing.position import BARRED, BLIND, LAY, ORDINARY, PALM, TIED, Position
from simulator.engine.families.sowing.referee import contract
from simulator.engine.families.sowing.referee.rounds import keeps_starter
from simulator.engine.families.sowing.referee.turn import Rules
from simulator.engine.ruleset import Ruleset
from tests.engine.boards import play
from tests.engine.rulesets import SOWING


def possible_marks(rules: Rules) -> list[int]:
    """The marks that a hole may come to bear under these rules."""
    marks = [ORDINARY] * 6
    if rules["unfilled_closed"]:
        marks.append(BLIND)
    if rules["remainder_barred"] or rules["remainder_alone_barred"] or rules["part_hole_to_richer"]:
        marks += [BARRED, BARRED + 1]
    if rules["tied_ends"]:
        marks += [TIED, TIED + 1]
    if rules["palm"] != "off":
        marks += [PALM, PALM + 1]
    return marks


@st.composite
def positions(draw: st.DrawFn) -> tuple[Ruleset, Position]:
    """A ruleset and a position of it in the midst of a round, with every counter somewhere."""
    ruleset = SOWING[draw(st.sampled_from(sorted(SOWING)))]
    rules = ruleset.parameters
    row = rules["holes_per_row"]
    marks = draw(st.lists(st.sampled_from(possible_marks(rules)), min_size=2 * row, max_size=2 * row))
    left, holes = contract.total_counters(rules), []
    for mark in marks:
        most = 0 if mark == BLIND else min(left, draw(st.sampled_from([2, 4, 6, 20])))
        holes.append(draw(st.integers(0, most)))
        left -= holes[-1]
    first = draw(st.integers(0, left))
    position = Position(row, holes, marks, stores=[first, left - first], mover=draw(st.integers(0, 1)))
    fixed = {"anticlockwise": 1, "clockwise": -1}.get(rules["direction"])
    position.direction = fixed or draw(st.sampled_from([1, -1]))
    if rules["singles_exempt"] != "off" or rules["first_move_from_end"] != "off":
        position.moved = draw(st.integers(0, 3))
    if keeps_starter(rules):
        position.starter = draw(st.integers(0, 1))
    if rules["remainder_from_round"] > 2:
        position.round = draw(st.integers(1, rules["remainder_from_round"]))
    if rules["en_passant"] != "off" and draw(st.booleans()):
        position.richer, position.excess, position.remainder = draw(st.integers(1, 2)), draw(st.integers(1, 9)), 3
    if rules["short_handed"] and draw(st.booleans()):
        position.short, position.short_number = draw(st.integers(1, 2)), draw(st.sampled_from(rules["short_handed"]))
    return ruleset, position


@st.composite
def layouts(draw: st.DrawFn) -> tuple[Ruleset, Position]:
    """A ruleset of several rounds and a position in which one player is to lay out what he owns."""
    several = sorted(slug for slug, ruleset in SOWING.items() if ruleset.parameters["layout_from"] == "chosen")
    ruleset = SOWING[draw(st.sampled_from(several))]
    rules, seat, owned = ruleset.parameters, draw(st.integers(0, 1)), draw(st.integers(1, 28))
    row = rules["holes_per_row"]
    holes = [0] * (2 * row)
    for hole in range((1 - seat) * row, (2 - seat) * row):
        holes[hole] = rules["counters_per_hole"]
    stores = [28 - owned, 28 - owned]
    stores[seat] = owned
    position = Position(row, holes, [ORDINARY] * (2 * row), phase=LAY, mover=seat, direction=1, stores=stores, moved=0)
    if rules["singles_exempt"] != "off" or rules["first_move_from_end"] != "off":
        position.moved = 3
    if rules["remainder_from_round"] > 2:
        position.round = draw(st.integers(2, rules["remainder_from_round"]))
    return ruleset, position


@given(positions() | layouts(), st.data())
def test_both_engines_make_the_same_of_any_position(found: tuple[Ruleset, Position], data: st.DataObject) -> None:
    """`play` holds the kernel to the referee: moves in the same order, the position after, laps, captures,
    conservation."""
    ruleset, position = found
    before = position.words()
    moves = contract.moves(ruleset.parameters, position)
    assert len(set(moves)) == len(moves) > 0
    played = play(ruleset, position, data.draw(st.sampled_from(moves)))
    assert position.words() == before, "a position is never changed by playing from it"
    assert min(played.position.holes + played.position.stores) >= 0


@given(positions(), st.data())
def test_what_is_taken_reaches_the_stores(found: tuple[Ruleset, Position], data: st.DataObject) -> None:
    """While a round goes on the stores grow by exactly what was taken, and nobody's shrinks."""
    ruleset, position = found
    moves = contract.moves(ruleset.parameters, position)
    played = contract.play(ruleset.parameters, position, data.draw(st.sampled_from(moves)))
    if not played.rounds_ended:
        grown = [after - before for after, before in zip(played.position.stores, position.stores, strict=True)]
        assert tuple(grown) == played.taken
        assert all(
            mark != BLIND or not count for count, mark in zip(played.position.holes, position.marks, strict=True)
        )


@given(st.sampled_from(sorted(SOWING)), st.integers(0, 2**32), st.integers(0, 2**20))
def test_replaying_the_moves_gives_the_same_game(slug: str, seed: int, game: int) -> None:
    """A game is its moves: played again from the start they lead through the same positions."""
    rules = SOWING[slug].parameters
    position = contract.start(rules)
    for number, ply in enumerate(referee_playout.plies(SOWING[slug], seed, game)):
        assert position.words() == ply.before.words()
        position = contract.play(rules, position, ply.move).position
        if number > 12:
            break


@st.composite
def documents(draw: st.DrawFn) -> dict[str, object]:
    """Kalah's cousins: any board, any few captures by number, relay or not."""
    return {
        "family": "sowing",
        "holes_per_row": draw(st.integers(2, 12)),
        "counters_per_hole": draw(st.integers(1, 12)),
        "direction": draw(st.sampled_from(["anticlockwise", "clockwise", "chosen_once", "each_turn"])),
        "relay": draw(st.sampled_from(["off", "last"])),
        "lap_limit": 60,
        "origin_passed": draw(st.booleans()),
        "pass_over": draw(st.integers(0, 12)),
        "capture_making": draw(st.lists(st.integers(2, 12), unique=True, max_size=3)),
        "capture_opposite": draw(st.sampled_from(["off", "either", "own"])),
        "round_end": draw(st.sampled_from(["mover_stuck", "either_row_empty"])),
    }


@given(documents(), st.lists(st.integers(0, 100), max_size=6))
def test_boards_of_any_size(document: dict[str, object], choices: list[int]) -> None:
    """Readings nobody ships, on boards from 2 x 2 to 2 x 12 holes: the engines agree there too."""
    ruleset = parse(document)
    position = contract.start(ruleset.parameters)
    for choice in choices:
        moves = contract.moves(ruleset.parameters, position)
        if not moves:
            break
        position = play(ruleset, position, moves[choice % len(moves)]).position
