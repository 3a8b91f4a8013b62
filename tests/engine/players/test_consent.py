"""A draw by consent is a decision and no lot.

"If they have equal numbers (termed hari mutu, 'equal pearls'), it is optional to consider the game ended in a 'draw'":
Parker's words on Puhulmutu, of which the other Kandyan games say that they are played alike.
"""

from itertools import islice

import numpy as np
import pytest

from simulator.engine import kernels, referee_playout
from simulator.engine.documents import with_changes
from simulator.engine.ends import DRAW
from simulator.engine.families.sowing.position import CALL_DRAW, LAY
from simulator.engine.families.sowing.referee import contract as referee
from simulator.engine.family import family
from simulator.engine.players import search
from simulator.engine.playout import play_block
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import open_streams
from simulator.engine.session import Session
from simulator.engine.weights import weigh
from tests.engine.boards import board, lay_fours
from tests.engine.players import plain_players, plain_uct
from tests.engine.rulesets import RULESETS, VERSIONS

PARKER = ("puhulmutu-parker", "walak-pussa-parker", "daramuti-parker", "kotu-baendum-parker")
LAYOUTS = [lay_fours(0), lay_fours(1)]
SEEDS = range(12)

# Two holes of four a row. Whatever the player who has laid out sows leaves him four counters behind, the answer eight;
# then it is made good: by plain minimax either layout is worth 0, -4, -8, 0 counters after 1, 2, 3, 4 plies.
SMALL = with_changes(RULESETS["puhulmutu-parker"], {"holes_per_row": "2"})
COUNTER = weigh("sowing")("relay", "each")["owned"]
WORTH = {1: 0, 2: -4 * COUNTER, 3: -8 * COUNTER, 4: 0}
# Two holes of three a row: rounds are short, and many of them end equal.
TINY = with_changes(RULESETS["daramuti-parker"], {"holes_per_row": "2", "counters_per_hole": "3"})


def equal(ruleset, row):
    """Both own the same number; the first player's row is laid out, and the second player may lay or call a draw."""
    rules = ruleset.parameters
    owned = rules["holes_per_row"] * rules["counters_per_hole"]
    empty = " ".join("0" * rules["holes_per_row"])
    return board(row, empty, direction=0, phase=LAY, mover=1, stores=(0, owned))


SMALL_EQUAL = equal(SMALL, "4 4")


def chosen(ruleset, position, player):
    """What a player does there with each of the seeds."""
    return {search.choose(ruleset, player, seed, [], position.words()) for seed in SEEDS}


def test_the_rule_arises_in_parkers_readings_alone():
    found = {name for name, one in VERSIONS.items() if family(one.family).consent(one.parameters) is not None}
    assert {name.partition("@")[0] for name in found} == set(PARKER)
    assert all(
        family(one.family).consent(one.parameters) == family(one.family).consent(one.document)
        for one in VERSIONS.values()
    )


@pytest.mark.by_turns
@pytest.mark.parametrize("slug", PARKER)
def test_no_random_player_calls_a_draw_in_the_kernel(slug):
    """The draw is an option, counted as one, and is not drawn: the layouts are, each as likely as the other."""
    ruleset = RULESETS[slug]
    position = equal(ruleset, "4 4 4 4 4 4 4")
    assert referee.moves(ruleset.parameters, position) == [*LAYOUTS, CALL_DRAW]
    contract = kernels.kernel("sowing").contract
    rules = contract.compile_rules(ruleset.parameters)
    words, _, out, streams = kernels.workspace(contract, rules)
    words[: len(position.words())] = position.words()
    open_streams(streams, 1, 1, CHOICE, CHOICE + 1)
    drawn = [contract.random_move(rules, words, streams, CHOICE + 1, out) for _ in range(400)]
    assert {options for _, options in drawn} == {3}
    moves, times = np.unique([move for move, _ in drawn], return_counts=True)
    assert moves.tolist() == LAYOUTS
    assert abs(times[0] - 200) < 40  # four standard deviations


@pytest.mark.parametrize("slug", PARKER)
def test_no_greedy_player_calls_a_draw(slug):
    """A draw can come about here by a call only; of random players tests/engine/test_draws.py says the same."""
    rows = play_block(RULESETS[slug], ("greedy", "greedy"), 3, 0, 20, 400, "game")
    ends = rows[:, [measure.name for measure in family("sowing").measures].index("end")]
    assert not (ends == DRAW).any()


@pytest.mark.parametrize("slug", PARKER)
def test_random_games_are_those_in_which_no_draw_can_be_called(slug):
    """Where nobody calls a draw, everything but that it could be is as if the game had to go on."""
    names = [measure.name for measure in family("sowing").measures]
    rulesets = RULESETS[slug], with_changes(RULESETS[slug], {"equal_round": "play_on"})
    may, must = (play_block(ruleset, ("random", "random"), 3, 0, 100, 400, "game") for ruleset in rulesets)
    differing = {name for name, one, other in zip(names, may.T, must.T, strict=True) if (one != other).any()}
    assert differing == {"options", "draw_offered"}


def test_the_referees_random_games_play_on():
    met = 0
    for game in range(40):
        for ply in islice(referee_playout.plies(TINY, 5, game), 60):
            met += CALL_DRAW in referee.moves(TINY.parameters, ply.before)
            assert ply.move != CALL_DRAW
    assert met > 10


def test_a_random_opponent_in_the_browser_plays_on():
    for seed in range(40):
        session = Session(SMALL, seed)
        session.set_position(SMALL_EQUAL)
        assert session.options[-1] == CALL_DRAW
        assert session.draw_move() in LAYOUTS


def test_random_among_players_who_think_plays_on():
    assert chosen(SMALL, SMALL_EQUAL, "random") == set(LAYOUTS)


def test_greedy_plays_on_even_where_it_loses_counters():
    game = plain_players.Game(SMALL)
    for seed in SEEDS:
        draws = plain_players.search_draws(seed, 0, 0)
        expected = plain_players.greedy(game, SMALL_EQUAL, draws)
        assert search.choose(SMALL, "greedy", seed, [], SMALL_EQUAL.words()) == expected
        assert expected in LAYOUTS


@pytest.mark.parametrize("depth", WORTH)
def test_alpha_beta_calls_a_draw_only_where_it_is_worth_more(depth):
    """Where both are worth the same it plays on: it has no reason to agree, and no lot decides for it. What the search
    found best at a lesser depth does not count."""
    _, values = plain_players.minimax(plain_players.Game(SMALL), SMALL_EQUAL, depth)
    assert values == {**dict.fromkeys(LAYOUTS, WORTH[depth]), CALL_DRAW: 0}
    expected = {CALL_DRAW} if WORTH[depth] < 0 else set(LAYOUTS)
    assert chosen(SMALL, SMALL_EQUAL, f"alpha_beta:{depth}") <= expected


@pytest.mark.by_turns
@pytest.mark.parametrize("player", ["uct:3/2", "uct:40/1", "uct:60/40"])
def test_uct_chooses_as_plain_uct_and_samples_no_consent(player):
    """Games played on come to the choice again and again on so small a board, and nobody in them agrees to a draw."""
    for game, position in ((plain_players.Game(SMALL), SMALL_EQUAL), (plain_players.Game(TINY), equal(TINY, "3 3"))):
        for seed in range(4):
            expected = plain_uct.Search(game, player, plain_players.search_draws(seed, 0, 0)).choose(position)
            assert search.choose(game.ruleset, player, seed, [], position.words()) == expected


def test_uct_plays_on_where_nothing_did_better():
    """Three games played on: each move was tried once, and ties go to playing on."""
    assert CALL_DRAW not in chosen(SMALL, SMALL_EQUAL, "uct:3/2")
