"""Exact solving: against hand-worked games, a second solver, published values and the count of positions."""

import numpy as np
import pytest

from simulator.engine.boards.points import BOARDS
from simulator.engine.documents import parse, with_changes
from simulator.engine.families.points.position import PLAY
from simulator.engine.playout import count_positions
from simulator.engine.ruleset import Ruleset
from simulator.engine.solving import graph
from simulator.engine.solving.document import against_random, forced_win, solution
from simulator.engine.solving.graph import NotSolvable, TooManyPositions, explore, laid_out
from simulator.engine.solving.kernel.retrograde import ENDLESS_PLAY, FIRST_WINS, RULES_DRAW, SECOND_WINS
from simulator.engine.solving.solved import NotReached, Search, Value, search, solve
from tests.engine.plain_solver import plain_values
from tests.engine.rulesets import RULESETS

HUNT = {"family": "points", "board": "triangle_10", "first_pieces": 1, "first_stuck": "loses", "captures_by": "first"}
HAT = RULESETS["hat-diviyan-keliya-ludovisi"]


def reduced(slug: str, holes: int, counters: int, **changes: str) -> Ruleset:
    sizes = {"holes_per_row": str(holes), "counters_per_hole": str(counters)}
    return with_changes(RULESETS[slug], {**sizes, **changes})


SMALL = {
    "kalah 2x2": reduced("kalah-reference", 2, 2),
    "kalah 3x1": reduced("kalah-reference", 3, 1),
    "oware 3x1, positions come again": reduced("oware-reference", 3, 1),
    "puhulmutu 3x1, rounds": reduced("puhulmutu-parker", 3, 1, remainder_barred="[]"),
    "mawkar katiya 3x2, rounds and relays": reduced("mawkar-katiya-dlp", 3, 2),
    "hunt of three": parse({**HUNT, "second_pieces": 3, "second_loses_below": 1, "chain": "must_go_on"}),
    "hunt of two, which the herd begins": parse(
        {**HUNT, "second_pieces": 2, "chain": "may_go_on", "begins": "second", "stuck_after_laying": "passes"}
    ),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.thorough if name == "hunt of three" else ()) for name in SMALL]
)
def test_values_are_those_of_a_second_solver(name):
    solved, plain = solve(SMALL[name]), plain_values(without_bounds(SMALL[name]))
    running = {solved.graph.identity(number) for number in range(solved.graph.size) if not solved.is_over(number)}
    assert running == {words for words, (_, _, is_over) in plain.items() if not is_over}
    for words in running:
        value = solved.value(words)
        assert (value.code, value.plies) == plain[words][:2], words


def without_bounds(ruleset: Ruleset) -> Ruleset:
    return parse({key: value for key, value in ruleset.document.items() if key not in graph.BOUNDS})


def test_small_games_have_values_of_every_kind():
    kinds = {value for name in SMALL for value in solve(SMALL[name]).values.tolist()}
    assert kinds == {FIRST_WINS, SECOND_WINS, RULES_DRAW, ENDLESS_PLAY}


def test_a_game_worked_out_by_hand():
    """Kalah with two holes of one counter each.

    b> drops its counter into the store, and the same player moves again. a> then drops its counter into the empty b,
    takes it and the one opposite, and has 3 of 4: his row is empty, the other takes his last counter. Won in 2 plies,
    both of the first player.
    """
    solved = solve(reduced("kalah-reference", 2, 1))
    assert solved.value_of(0) == Value(FIRST_WINS, 2)
    first, second = solved.best_line(0)
    assert (first, second) == (2, 0)  # b>, a>: 2 * hole anticlockwise
    assert solved.way_to(solved.graph.children(solved.graph.children(0)[1])[0]) == [2, 0]


# G. Irving, J. Donkers, J. Uiterwijk, "Solving Kalah", ICGA Journal 23 (2000), 139-148: value for the first player by
# holes (rows) and counters in each (1 to 6).
KALAH = {2: "WLLLWW", 3: "DWWW", 4: "W"}


@pytest.mark.by_turns
@pytest.mark.parametrize(("holes", "counters"), [(h, c) for h, row in KALAH.items() for c in range(1, len(row) + 1)])
def test_kalah_has_its_published_values(holes, counters):
    value = solve(reduced("kalah-reference", holes, counters)).value_of(0)
    assert {1: "W", 0: "D", -1: "L"}[value.score(0)] == KALAH[holes][counters - 1]


def test_as_many_positions_as_are_counted_turn_by_turn():
    """While leopards are laid, those in hand tell the turn: after turn 2 k there are 7 - k, and the tiger moves."""
    found = explore(HAT)
    hand, mover, begins_turn = found.column(3), found.column(1), (found.kinds <= 1) & (found.column(0) == PLAY)
    for count in count_positions(HAT, 12):
        laid, tiger_moves = divmod(count.turn, 2)
        there = (hand == 7 - laid) & begins_turn & (mover == int(tiger_moves)) & (found.column(2) == 0)
        assert count.positions - count.ended == there.sum()


@pytest.mark.by_turns
def test_seven_leopards_win_wherever_the_tiger_is_laid():
    """Ludovisi says that the apex is the most advantageous point. Against faultless leopards no point is: they win with
    the seventh, and the tiger cannot take even one. Where they are laid at random the apex is the best, and the corners
    of each rank are worth the same on the left and on the right."""
    document, solved = solution(HAT)
    moves = {move["name"]: move for move in document["first_moves"]}
    assert {(move["value"], move["plies"]) for move in moves.values()} == {("second_wins", 13)}
    assert document["line"]["turns"] == 14
    chances = {name: move["against_random"] for name, move in moves.items()}
    assert max(chances, key=lambda name: chances[name]) == "+b4"
    assert all(chances[f"+a{rank}"] == chances[f"+c{rank}"] for rank in (1, 2, 3))
    pieces = [(men & -1).bit_count() for men in solved.graph.column(11).tolist()]
    taken = 7 - (solved.graph.column(3) + pieces)
    assert not solved.forced(taken >= 1, taken >= 0, 0)[0]


@pytest.mark.parametrize("change", [{"repetition": "3"}, {"idle_turns": "50"}, {"turn_limit": "100"}])
def test_rules_that_look_back_are_set_aside(change):
    solved = solve(with_changes(HAT, change))
    assert solved.set_aside == {key: int(value) for key, value in change.items()}
    assert (solved.value_of(0).plies, solved.graph.size) == (14, 33_308)


def test_rooms_of_any_size_give_the_same_table(monkeypatch):
    whole = solve(SMALL["hunt of three"])
    monkeypatch.setattr(graph, "FIRST_ROOM", 1)
    monkeypatch.setattr(graph, "FIRST_MOVES", 1)
    again = solve(SMALL["hunt of three"])
    assert (again.values.tolist(), again.distances.tolist()) == (whole.values.tolist(), whole.distances.tolist())
    assert again.graph.identity(100) == whole.graph.identity(100)


def test_words_are_packed_into_as_few_bits_as_hold_them():
    """Three words: -1 to 2 takes two bits, 5 alone none, and a set of 64 points a key word of its own."""
    fields, width = np.array([[-1, 0, 0, 0, 0], [5, 0, 0, 0, 0], [0, 0, 0, 0, 0]]), 1
    for narrow, value in ((0, 2), (2, 1), (2, -(2**63)), (2, 2**62)):
        fields, width = laid_out(fields, narrow, value)
    assert width == 2
    assert fields.tolist() == [[-1, 2, 0, 0, 3], [5, 0, 0, 0, 0], [0, 64, 1, 0, -1]]


def test_too_many_positions_are_refused_with_their_count(monkeypatch):
    monkeypatch.setattr(graph, "MOST_POSITIONS", 2**15)
    with pytest.raises(TooManyPositions, match=r"more than 32,768 positions.* 32,768 positions were found") as caught:
        solve(RULESETS["hat-diviyan-keliya-ludii"])
    assert caught.value.positions == 2**15 > caught.value.expanded > 0
    monkeypatch.setattr(graph, "MOST_MOVES", 2**16)
    with pytest.raises(TooManyPositions, match="more than 65,536 moves"):
        solve(HAT)


def test_what_cannot_be_solved_is_refused_by_name():
    with pytest.raises(NotSolvable, match="decided by throws"):
        solve(RULESETS["sokkattan-parker"])
    solved = solve(SMALL["hunt of three"])
    with pytest.raises(NotReached):
        solved.value([*solved.graph.identity(0)[:-1], 5])
    with pytest.raises(ValueError, match="15 words here, not 3"):
        solved.value([0, 0, 0])


def test_the_chance_against_random_play_by_hand():
    """One leopard against a tiger that is lost when it cannot move: one leopard never shuts it in, so the tiger, who
    wins by taking it, does so sooner or later against a leopard that moves at random."""
    solved = solve(parse({**HUNT, "second_pieces": 1, "second_loses_below": 1}))
    chances = against_random(solved, 0)
    assert solved.value_of(0).score(0) >= 0
    assert chances[0] == pytest.approx(1)


# Niranchy: no man is ever moved before the twenty-fourth is down, so that a row of three is all it is about.
LINES = [set(row) for row in BOARDS["squares_3_diagonals"].rows_of_three]


def aligner_wins(own: frozenset[int], other: frozenset[int], men: int) -> bool:
    """Whether the aligner, to lay, has a row with at most so many men more; one reply to each. Plain Python."""
    vacant = set(range(24)) - own - other
    completing = {next(iter(line - own)) for line in LINES if len(line - own) == 1 and not line & other}
    if completing or men == 1:
        return bool(completing)
    return any(
        all(aligner_wins(own | {point}, other | {reply}, men - 1) for reply in _replies(own | {point}, other, vacant))
        for point in vacant
    )


def _replies(own: frozenset[int], other: frozenset[int], vacant: set[int]) -> set[int]:
    """The blocker's: where a row is about to be made, only there; two such points are one too many."""
    threats = {next(iter(line - own)) for line in LINES if len(line - own) == 1 and not line & other}
    return threats if threats else vacant - own


@pytest.mark.thorough
def test_the_aligner_of_niranchy_needs_four_men():
    """The reading of the DLP paraphrase: the player who begins aligns. Both solvers say: with the fourth man, not the
    third, if he begins on a corner; the search says so of every corner and of no other point."""
    found = search(RULESETS["niranchy-dlp"], 8, 120)
    assert (found.winner, found.plies, found.refuted) == (0, 7, 6)
    points = BOARDS["squares_3_diagonals"].names
    soon = {points[move] for move, plies in found.first_moves.items() if plies == 6}
    assert soon == {"a1", "g1", "a7", "g7", "b2", "f2", "b6", "f6", "c3", "e3", "c5", "e5"}
    assert not aligner_wins(frozenset(), frozenset(), 3)
    corner = frozenset({points.index("a1")})
    vacant = set(range(24)) - corner
    assert all(aligner_wins(corner, frozenset({reply}), 3) for reply in vacant)


def test_a_search_and_a_table_agree():
    """Five leopards: for either seat, as many plies as the table says, or more than were looked ahead."""
    ruleset = parse({**HUNT, "second_pieces": 5, "second_loses_below": 4})
    solved = solve(ruleset)
    for seat in (0, 1):
        other = Search(ruleset, seat, places=2**16)
        for number in range(0, solved.graph.size, 97):
            value = solved.value_of(number)
            if not solved.is_over(number):
                position = np.zeros_like(other.game.position)
                position[: len(solved.graph.fields)] = solved.graph.identity(number)
                expected = value.plies if value.winner == seat else None
                assert other.plies(position, 6) == (expected if expected and expected <= 6 else None)


@pytest.mark.thorough
def test_a_line_found_by_search_is_best_play():
    solved, found = solve(HAT), search(HAT, 14, 60)
    assert (found.winner, found.plies) == (solved.value_of(0).winner, solved.value_of(0).plies)
    assert list(found.line) == checked_best(solved, found.line)


def checked_best(solved, line):
    """Return the line after checking that each move is one of the best and that it ends the game."""
    number = 0
    for move in line:
        assert move in solved.best_moves(number)
        number = solved.graph.children(number)[solved.graph.codes(number).index(move)]
    assert solved.is_over(number)
    return list(line)


@pytest.mark.thorough
def test_a_search_out_of_plies_says_how_far_it_proved():
    document = forced_win(RULESETS["nine-mens-morris-reference"], 60, most=4)
    assert (document["start"]["value"], document["refuted_plies"], document["first_moves"]) == (None, 4, [])
