"""Players who think: held against the same players in plain Python, and against what must always hold."""

import numpy as np
import pytest

from simulator.engine.documents import parse
from simulator.engine.ends import MOST_PLIES_OF_A_TURN, UNFINISHED
from simulator.engine.family import family
from simulator.engine.players import search
from simulator.engine.playout import play_block
from simulator.engine.replay import replay
from tests import choice
from tests.choice import rulesets_of_the_day
from tests.engine.cases import CASES
from tests.engine.players import plain_players, plain_uct
from tests.engine.players.golden import GOLDEN, PLAYERS, SMALL, digest
from tests.engine.rulesets import RULESETS, VERSIONS

SLUGS = ("kalah-reference", "mawkar-katiya-ludii", "hat-diviyan-keliya-ludovisi", "dam-parker", "saturankam-parker")
RACES_OF_FOUR = ("asi-keliya-dlp", "pahada-keliya-dlp")
REMEMBERING = ("oware-reference", "long men, repetition", "huff")  # positions, or the pieces that may be huffed


def positions(slug, plies, seed=3):
    """(moves so far, position, the game's draws) after every few plies of a game at random."""
    game = plain_players.Game(CASES[slug])
    position, draws = plain_players.start(game, seed)
    choices, moves = plain_players.search_draws(99, 0, 0)[8], []
    for ply in range(plies):
        if game.referee.outcome(position)[0] >= 0:
            return
        if ply % 5 == 0:
            yield game, moves[:], position
        options = game.moves(position)
        moves.append(options[choices.below(len(options))])
        position = game.play(position, moves[-1], draws).position


UCT = ["uct:24/6", "uct:40/2:c=60:prior=2", "uct:40/0:prior=8"]


@pytest.mark.by_turns
@pytest.mark.parametrize("name", UCT)
@pytest.mark.parametrize("slug", rulesets_of_the_day([*SLUGS, *RACES_OF_FOUR, *REMEMBERING], 1))
def test_uct_plays_what_the_plain_one_plays(slug, name):
    looked, most = 0, 12 if choice.ALL else 5  # decisions: some races have none among their first dozen plies
    for game, moves, position in positions(slug, 31):
        draws = plain_players.search_draws(3, 0, len(moves))
        if len(game.moves(position)) > 1 and looked < most:
            looked += 1
            expected = plain_uct.Search(game, name, draws).choose(position)
            assert search.choose(game.ruleset, name, 3, moves) == expected
    assert looked >= 2


@pytest.mark.by_turns
@pytest.mark.parametrize("slug", rulesets_of_the_day([*SLUGS, *RACES_OF_FOUR], 1))
def test_greedy_plays_what_the_plain_one_plays(slug):
    for game, moves, position in positions(slug, 31):
        draws = plain_players.search_draws(3, 0, len(moves))
        if len(game.moves(position)) > 1:
            expected = plain_players.greedy(game, position, draws)
            assert search.choose(game.ruleset, "greedy", 3, moves) == expected


@pytest.mark.by_turns
@pytest.mark.parametrize("slug", rulesets_of_the_day(SLUGS[:-1], 1))
def test_alpha_beta_plays_a_move_of_the_minimax_value(slug):
    for game, moves, position in positions(slug, 6 if slug == "dam-parker" or not choice.ALL else 21):
        for depth, quiet in ((1, 0), (1, 1), (1, 4), (2, 0), (2, 2), (3, 0))[: 4 if slug == "dam-parker" else 6]:
            best, values = plain_players.minimax(game, position, depth, quiet=quiet)
            chosen = search.choose(game.ruleset, f"alpha_beta:{depth}/{quiet}", 3, moves)
            if abs(best) > 1 << 19:
                break  # a forced end was found: the search stops at the depth that shows it
            assert values[chosen] == best


def test_alpha_beta_takes_the_shortest_win():
    ruleset = RULESETS["hat-diviyan-keliya-ludovisi"]
    for game, moves, position in positions("hat-diviyan-keliya-ludovisi", 31):
        for depth in (1, 2, 3):
            best, values = plain_players.minimax(game, position, depth)
            if best > 1 << 19:
                assert values[search.choose(ruleset, "alpha_beta:3", 3, moves)] == best
                break


@pytest.mark.by_turns
@pytest.mark.parametrize(("slug", "name"), [(slug, name) for slug in SMALL for name in PLAYERS[VERSIONS[slug].family]])
def test_twenty_games_are_as_they_were(slug, name):
    assert digest(slug, name) == GOLDEN[slug][name], (
        f"{name} plays {slug} differently than before. If that is meant, raise PLAYERS_VERSION in players/names.py, "
        "say why in CHANGELOG.md, and run python -m tests.engine.players.golden"
    )


@pytest.mark.parametrize("slug", ["kalah-reference", "hat-diviyan-keliya-dlp", "saturankam-parker"])
def test_a_game_is_the_same_in_any_block(slug):
    ruleset = RULESETS[slug]
    whole = play_block(ruleset, ("uct:20/10", "greedy"), 5, 0, 6, 200, "game")
    parts = [play_block(ruleset, ("uct:20/10", "greedy"), 5, first, 2, 200, "game") for first in (4, 0, 2)]
    assert np.array_equal(whole, np.concatenate([parts[1], parts[2], parts[0]]))


@pytest.mark.by_turns
@pytest.mark.parametrize("slug", [*SLUGS, "asi-keliya-dlp"])
def test_thinking_takes_nothing_from_the_game(slug):
    """The throws of a game are the same whoever thinks: a game whose listed moves are played again gives its row."""
    ruleset = RULESETS[slug]
    players = ("uct:10/5", "greedy", "random", "uct:3/2")[: family(ruleset.family).seats(ruleset.parameters)]
    moves, row = search.list_moves(ruleset, players, 11, 2, 300, "game")
    replayed = replay(ruleset, 11, 2, 300, "game", moves)
    assert list(replayed.row.values()) == row


def test_random_players_play_alike_through_either_loop():
    for slug in ("kalah-reference", "dam-parker", "asi-keliya-dlp"):
        ruleset = RULESETS[slug]
        names = ("random",) * family(ruleset.family).seats(ruleset.parameters)
        rows = np.empty((5, len(family(ruleset.family).measures)), dtype=np.int32)
        search.play(ruleset, names, rows, (7, 7, 10, 500, "game"))
        assert np.array_equal(rows, play_block(ruleset, names, 7, 10, 5, 500, "game"))


def test_a_block_can_be_halted():
    rows = np.empty((1, len(family("sowing").measures)), dtype=np.int32)
    halted = np.ones(1, dtype=np.int64)
    assert search.play(RULESETS["kalah-reference"], ("uct:5", "uct:5"), rows, (1, 1, 0, 100, "game"), halted) == 0


def test_a_move_that_cannot_be_played_is_named():
    with pytest.raises(search.NotPlayable, match=r"move 1, 99, cannot be played after \[0\]"):
        search.choose(RULESETS["kalah-reference"], "greedy", 1, [0, 99])


def test_the_round_is_what_counts_where_games_end_with_it():
    ruleset = RULESETS["puhulmutu-parker"]
    rows = play_block(ruleset, ("uct:200", "random"), 1, 0, 10, 400, "round")
    names = [measure.name for measure in family("sowing").measures]
    won = (rows[:, names.index("end")] == 0) & (rows[:, names.index("winners")] == 1)
    assert won.sum() >= 8  # at evens, eight or more of ten have a chance of 5.5 %


def test_a_turn_without_end_is_stopped_and_told_as_unfinished() -> None:
    """A piece between two rows closes one at every move, with nothing left to take: greedy would never leave off."""
    ruleset = parse(
        {
            **{"family": "points", "board": "squares_3", "first_pieces": 9, "second_pieces": 9, "begins": "second"},
            **{"laying_ends": "both_hands", "line_laying": "lay_again", "line_moving": "remove_and_move_again"},
            **{"removable": "outside_lines_only", "first_loses_below": 3, "second_loses_below": 3, "repetition": 3},
        }
    )
    moves, row = search.list_moves(ruleset, ("greedy", "greedy"), 1, 8, 2000, "game")
    played = replay(ruleset, 1, 8, 2000, "game", moves)
    assert list(played.row.values()) == row
    assert (played.row["end"], played.row["turns"]) == (UNFINISHED, len(played.turns))
    assert played.row["turns"] < 2000
    assert len(moves) == sum(len(turn.plies) for turn in played.turns) + MOST_PLIES_OF_A_TURN
