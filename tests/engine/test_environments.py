"""The games as environments: OpenSpiel's and PettingZoo's own tests run on them, and what they tell of a game."""

import copy
import pickle
import random

import pytest

from simulator import engine
from simulator.engine.environments.numbered import CHANCE, Play, Table, _Decided
from simulator.engine.families.points import position as points
from simulator.engine.families.race import position as race
from simulator.engine.families.sowing import position as sowing
from simulator.engine.family import family
from simulator.engine.randomness import Draws, stream_key
from simulator.engine.referee_playout import plies
from tests.choice import rulesets_of_the_day
from tests.engine.rulesets import CORNER, RACES, RULESETS

EVERY = {**RULESETS, **CORNER}
CHOSEN = rulesets_of_the_day(EVERY, of_each=1, group=lambda slug: EVERY[slug].family)
PLIES = 24  # of the players, by random choice


def played(table: Table, seed: int, plies: int) -> Play:
    """A game by random choice of moves and throws."""
    play, draws = table.start(), random.Random(seed)
    while play.plies < plies and not play.is_over:
        play.play(draws.choice(play.legal))
    return play


@pytest.mark.parametrize("slug", CHOSEN)
def test_openspiel_tests_a_game(slug: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from simulator.engine.environments import openspiel

    game = openspiel.load(EVERY[slug], most_plies=PLIES)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("slug", CHOSEN)
@pytest.mark.filterwarnings("ignore:Observation (space|is)")  # a mask beside what is seen is PettingZoo's own way
def test_pettingzoo_tests_an_environment(slug: str) -> None:
    tests = pytest.importorskip("pettingzoo.test")
    from simulator.engine.environments import pettingzoo

    tests.api_test(pettingzoo.env(EVERY[slug], PLIES), num_cycles=PLIES)
    tests.seed_test(lambda: pettingzoo.env(EVERY[slug], PLIES), num_cycles=PLIES)


@pytest.mark.parametrize("slug", CHOSEN)
def test_every_move_has_one_lasting_number(slug: str) -> None:
    """Each code among the blocks is one action and back; each legal move is an action with words of its own."""
    table = Table(EVERY[slug])
    for action in {0, table.actions - 1, *random.Random(1).sample(range(table.actions), 16)}:
        assert table.action_of(table.code_of(action)) == action
    with pytest.raises(ValueError, match=f"from 0 to {table.actions - 1}"):
        table.code_of(table.actions)
    play = table.start()
    while play.plies < PLIES and not play.is_over:
        if play.to_play != CHANCE:
            codes = table.referee.moves(table.rules, play.position)
            assert sorted(map(table.action_of, codes)) == list(play.legal)
            assert len({play.name_of(action) for action in play.legal}) == len(play.legal)
        play.play(random.Random(play.plies).choice(play.legal))
    with pytest.raises(ValueError, match="not among the legal"):
        play.play(-1)


def test_numbers_of_moves_are_for_good() -> None:
    """Counted by hand: what was learnt by these numbers is used with later versions."""
    for slug, numbers in {
        "kalah-reference": {0: 0, sowing.start_move(5, 1): 10, sowing.PASS: 12, sowing.LEAVE: 19},
        "daramuti-parker": {sowing.PASS: 14, sowing.LAYOUT: 22, sowing.LAYOUT + sowing.LAYOUT_END + 127: 277},
        "nine-mens-morris-reference": {
            23: 23, points.removal(24, 0): 24, points.PASS: 48, points.step(24, 0, 0): 51, points.step(24, 2, 3): 102,
        },
        "english-draughts-reference": {points.step(32, 31, 31): 32 + 32 + 3 + 1023, points.jump(32, 0, 1): 1092},
        "royal-game-of-ur-reference": {0: 0, 255 + 1: 15, race.TOTAL: 60, race.TOGETHER: 75, race.PASS: 76},
    }.items():  # fmt: skip
        table = Table(slug)
        assert {code: table.action_of(code) for code in numbers} == numbers, slug
        assert table.start().observed()[:2] == [0, 0], slug


@pytest.mark.parametrize("slug", CHOSEN)
def test_what_is_observed_tells_positions_apart(slug: str) -> None:
    table, seen = Table(EVERY[slug]), {}
    for seed in (1, 2):
        play = table.start()
        while play.plies < PLIES and not play.is_over:
            play.play(random.Random(seed * 1000 + play.plies).choice(play.legal))
            if play.to_play not in (CHANCE, None):
                assert seen.setdefault(tuple(play.observed()), play.position.words()) == play.position.words()
    assert {len(one) for one in seen} == {len(table.start().observed())}


@pytest.mark.parametrize("slug", CHOSEN)
def test_a_game_is_copied_pickled_and_read_again(slug: str) -> None:
    table = Table(EVERY[slug])
    play = played(table, 3, PLIES // 2)
    before = play.saved()
    others = [play.copy(), copy.deepcopy(play), pickle.loads(pickle.dumps(play)), table.read(before)]
    for other in others:
        assert (other.saved(), other.observed(), other.legal) == (before, play.observed(), play.legal)
        if other.legal:
            other.play(other.legal[0])
    assert play.saved() == before


def test_a_game_is_not_read_by_another_ruleset() -> None:
    with pytest.raises(ValueError, match="another ruleset"):
        Table("oware-reference").read(Table("kalah-reference").start().saved())


@pytest.mark.parametrize("slug", RACES)
def test_throws_have_the_chances_of_the_lots(slug: str) -> None:
    """Together they are 1; and the numbers that are drawn for a throw bring that throw."""
    table = Table(RACES[slug])
    assert sum(table.throws) == 1
    for number, cast in enumerate(table._casts):
        assert table.thrown_by(_Decided(0, iter(cast.drawn))) == number


def test_four_lots_of_two_sides_fall_as_they_do() -> None:
    table = Table("royal-game-of-ur-reference")
    assert [chance * 16 for chance in table.throws] == [1, 4, 6, 4, 1]
    assert [Table("pancha-keliya-dlp").throw_name(number) for number in (0, 2)] == ["0 mouths up", "2 mouths up"]


@pytest.mark.parametrize("slug", rulesets_of_the_day(RACES, of_each=2))
def test_decided_throws_come_to_the_referees_game(slug: str) -> None:
    """A game of the referee's, its moves played again with each throw that its streams bring, ends as it did."""
    ruleset, seed = RACES[slug], 5
    draws = [Draws(stream_key(seed, 0, seat)) for seat in range(family("race").seats(ruleset.parameters))]
    play = Table(ruleset).start()
    for number, ply in enumerate(plies(ruleset, seed, 0)):
        while play.to_play == CHANCE:
            play.play(play.table.thrown_by(draws[play.thrower]))
        assert play.position.words() == ply.before.words()
        play.play(play.table.action_of(ply.move))
        if number == 60:
            break


def test_who_wins_has_what_others_have_lost() -> None:
    """Two players, partners, and four who play each for himself."""
    play, game = Table("kalah-reference").start(), engine.Game("kalah-reference")
    while not play.is_over:
        game.play(play.name_of(play.legal[0]))
        play.play(play.legal[0])
    (winner,) = game.outcome().winners
    assert (play.end, play.returns()) == ("win", [-1.0, 1.0] if winner else [1.0, -1.0])
    for slug, expected in (("pahada-keliya-dlp", [1, -1, 1, -1]), ("asi-keliya-dlp", [1, -1 / 3, -1 / 3, -1 / 3])):
        play = Table(slug).start()
        play.position = play.position.copy()
        play.position.end, play.position.winners = 0, 0b101 if expected[2] == 1 else 1
        assert play.returns() == pytest.approx(expected)


def test_a_stopped_game_is_worth_nothing() -> None:
    play = played(Table("kalah-reference", most_plies=5), 1, 5)
    assert (play.is_over, play.end, play.returns(), play.legal, play.to_play) == (True, "unfinished", [0, 0], (), None)


def test_a_ruleset_of_ones_own_goes_through_openspiels_text() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from simulator.engine.environments import openspiel

    changed = engine.change("kalah-reference", counters_per_hole=3)
    state = openspiel.load(changed, most_plies=9).new_initial_state()
    state.apply_action(state.string_to_action("c>"))
    game, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))
    assert game.table.ruleset == changed
    assert str(again) == str(state)
    assert "to move: second player" in str(again)


def test_pettingzoo_throws_as_the_engine_does() -> None:
    pytest.importorskip("pettingzoo")
    from simulator.engine.environments import pettingzoo

    environment = pettingzoo.Environment("pancha-keliya-dlp", render_mode="ansi")
    environment.reset(seed=8)
    game = engine.Game("pancha-keliya-dlp", seed=8)
    for _ in range(30):
        move = environment.infos[environment.agent_selection]["moves"][0]
        assert environment.render() == str(game)
        environment.step(environment.play.legal[0])
        game.play(move)
    environment.reset(seed=1, options={"saved": (saved := environment.play.saved())})
    assert environment.play.saved() == saved
