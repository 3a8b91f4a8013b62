"""The lots: exact chances from the sentences of the records, the generator against them, series, and waiting times."""

from collections import Counter
from fractions import Fraction
from math import comb

import pytest

from simulator.engine import referee_playout
from simulator.engine.documents import with_changes
from simulator.engine.families.race.position import Position
from simulator.engine.families.race.referee.throws import (
    EXTRA,
    JOINED,
    NAMED,
    ONE,
    THROW,
    cast,
    every_throw,
    kinds,
    take_throws,
)
from simulator.engine.randomness import Draws, stream_key
from tests import choice
from tests.choice import rulesets_of_the_day
from tests.engine.race.positions import Scripted, shells
from tests.engine.rulesets import RULESETS


def sixty_fourths(**ways):
    return {name: Fraction(number, 64) for name, number in ways.items()}


# What a throw is called -> its chance. Six shells lie in 64 ways, two long dice in 16.
# Sokkattan: "all the mouths … 12; five … 25; two, three, or four … 2, 3, 4; one … 10; no mouth … 6".
SOKKATTAN = {6: 1, 10: 6, 2: 15, 3: 20, 4: 15, 25: 6, 12: 1}
# Pancha keliya and Kawade kelia count the mouths.
MOUTHS = {up: comb(6, up) for up in range(7)}
# Asi keliya: three mouths up, the yellow one down: the three are among the five others, in ten ways.
ASI = {(up, False): comb(6, up) for up in range(7)} | {(3, False): 10, (4, True): 10}
# Long dice of 1, 3, 4, 6: four doubles, six sums of unlike faces in two ways each (1 + 6 and 3 + 4 are both 7).
LONG = {2: 1, 6: 1, 8: 1, 12: 1, 4: 2, 5: 2, 7: 4, 9: 2, 10: 2}
# Long dice of 0, 1, 2, 4: 0 and 4 is sonal, in two ways; 2 and 2 is a four that is not.
TAYAM = {(0, False): 1, (1, False): 2, (2, False): 3, (3, False): 2, (4, False): 1, (4, True): 2, (5, False): 2}
TAYAM |= {(6, False): 2, (8, False): 1}


def chances(ruleset, name):
    weights = Counter(name(throw) for throw in every_throw(ruleset.parameters))
    return {outcome: Fraction(weight, weights.total()) for outcome, weight in weights.items()}


def score(throw):
    return throw.score


def score_and_name(throw):
    return throw.score, throw.named


LOTS = {
    "sokkattan-parker": (score, SOKKATTAN, 64),
    "pancha-keliya-parker": (score, MOUTHS, 64),
    "kawade-kelia-culin": (score, MOUTHS, 64),
    "pancha-keliya-complex-marin-pancha": (score, MOUTHS, 64),
    "pancha-keliya-complex-marin-dice": (score, dict.fromkeys(range(1, 7), 1), 6),
    "asi-keliya-dlp": (score_and_name, ASI, 64),
    "saturankam-parker": (score, LONG, 16),
    "pahada-keliya-dlp": (score, LONG, 16),
    "tayam-sonalu-dlp": (score_and_name, TAYAM, 16),
}


@pytest.mark.parametrize("slug", LOTS)
def test_chances_are_those_of_the_sentences(slug):
    name, ways, of = LOTS[slug]
    assert sum(ways.values()) == of
    assert chances(RULESETS[slug], name) == {outcome: Fraction(number, of) for outcome, number in ways.items()}


@pytest.mark.by_turns
@pytest.mark.parametrize("slug", rulesets_of_the_day(LOTS))
def test_the_generator_throws_with_these_chances(slug):
    """20,000 throws of a fixed seed; a true generator fails this once in a thousand seeds."""
    from scipy.stats import chisquare

    name, ways, of = LOTS[slug]
    draws = Draws(stream_key(1909, 7, 0))
    thrown = Counter(name(cast(RULESETS[slug].parameters, draws)) for _ in range(20_000))
    assert set(thrown) == set(ways)
    expected = [20_000 * ways[outcome] / of for outcome in ways]
    assert chisquare([thrown[outcome] for outcome in ways], expected).pvalue > 0.001


def test_a_mouth_may_be_up_more_often_than_not():
    """Five shells of six mouths up with a chance of 3 in 5: 6 · (3/5)^5 · (2/5)."""
    ruleset = with_changes(RULESETS["pancha-keliya-dlp"], {"mouth_chance": "[3, 5]"})
    draws = Draws(stream_key(3, 3, 3))
    fives = sum(cast(ruleset.parameters, draws).score == 5 for _ in range(20_000))
    chance = 6 * 0.6**5 * 0.4
    assert abs(fives - 20_000 * chance) < 4 * (20_000 * chance * (1 - chance)) ** 0.5


def test_the_order_of_draws():
    """The marked shell is drawn first, and a mouth is up when the draw is below the chance's first number."""
    asi = RULESETS["asi-keliya-dlp"].parameters
    assert cast(asi, Scripted(1, 0, 0, 0, 1, 1)).lots == (0, 1, 1, 1, 0, 0)
    assert cast(asi, Scripted(1, 0, 0, 0, 1, 1)).named
    assert not cast(asi, Scripted(0, 0, 0, 1, 1, 1)).named
    assert cast(RULESETS["tayam-sonalu-dlp"].parameters, Scripted(3, 0)).lots == (4, 0)


def thrown(slug, script, waiting=0, **changes):
    """What lies in the hand after a series: (value, label) of each part."""
    ruleset = with_changes(RULESETS[slug], {key: str(value) for key, value in changes.items()})
    rules = ruleset.parameters
    pieces = [0] * waiting + [20] * (rules["pieces"] - waiting)
    position = Position(rules, [pieces[:] for _ in range(rules["seats"])])
    take_throws(rules, position, script)
    assert script.numbers == []
    counted = zip(kinds(rules), position.hand, strict=False)
    return [(kind.value, kind.label) for kind, count in counted for _ in range(count)]


class TestSeries:
    def test_pancha_goes_on_while_6_5_or_1_fall(self):
        """ "After each of these numbers has been thrown the player has an additional throw, which is repeated as long
        as he continues to throw any one of them"."""
        assert thrown("pancha-keliya-dlp", shells(6, 5, 1, 2)) == [(1, THROW), (2, THROW), (5, THROW), (6, THROW)]

    def test_bokka_scores_nothing(self):
        assert thrown("pancha-keliya-dlp", shells(0)) == []

    def test_sokkattan_goes_on_after_6_and_12_too(self):
        """ "There are also additional throws after 6 or 12 has fallen"."""
        assert thrown("sokkattan-parker", shells(0, 6, 2)) == [(2, THROW), (6, THROW), (12, THROW)]

    def test_the_extra_point_pays_for_a_waiting_counter(self):
        """ "If the player have counters awaiting entry … this extra allowance must always be expended in paying for one
        of them, 1 being charged for … each counter"."""
        assert thrown("sokkattan-parker", shells(1, 2), waiting=1) == [(1, EXTRA), (2, THROW), (10, THROW)]

    def test_an_extra_point_nobody_waits_for_is_added(self):
        """ "If all be in the game the extra 1 is added to the rest of the score; thus a throw of 10 is counted as 11,
        and 25 is reckoned as 26"."""
        assert thrown("sokkattan-parker", shells(1, 5, 2)) == [(2, THROW), (11, JOINED), (26, JOINED)]
        assert thrown("sokkattan-parker", shells(5, 1, 2), waiting=1) == [
            (1, EXTRA),
            (2, THROW),
            (11, JOINED),
            (25, THROW),
        ]

    def test_for_the_portal_it_is_played_by_any_piece(self):
        """ "If not possible then it can be assigned to any piece"."""
        assert thrown("sokkattan-dlp", shells(1, 2)) == [(1, EXTRA), (2, THROW), (10, THROW)]

    def test_a_third_10_or_25_cancels_the_two_before_it(self):
        """ "If either of these numbers be thrown a third time consecutively nothing is counted, and this throw cancels
        the two previous throws … The right to have an additional throw would still remain"."""
        assert thrown("sokkattan-parker", shells(1, 5, 1, 3)) == [(3, THROW)]
        assert thrown("sokkattan-parker", shells(1, 1, 1, 5, 2)) == [(2, THROW), (26, JOINED)]

    def test_another_number_between_them_saves_them(self):
        assert thrown("sokkattan-parker", shells(1, 1, 6, 1, 4)) == [(4, THROW), *[(11, JOINED)] * 3, (12, THROW)]

    def test_the_portal_cancels_any_number_thrown_three_times(self):
        """ "If a player rolls the same number three times in a row, it does not count"."""
        assert thrown("sokkattan-dlp", shells(1, 5, 1, 3)) == [
            *[(1, EXTRA)] * 3,
            (3, THROW),
            *[(10, THROW)] * 2,
            (25, THROW),
        ]
        assert thrown("sokkattan-dlp", shells(6, 6, 6, 3)) == [(3, THROW)]
        assert thrown("sokkattan-dlp", shells(6, 6, 6, 3), cancelled="last_throw") == [(3, THROW), *[(12, THROW)] * 2]

    def test_so_hatara_is_four_throws_of_one(self):
        """ "It is actually considered four individual throws of 1", and it gives another throw."""
        so_hatara = Scripted(1, 0, 0, 0, 1, 1, *shells(2).numbers)
        assert thrown("asi-keliya-dlp", so_hatara) == [*[(1, ONE)] * 4, (2, THROW)]

    def test_three_with_the_yellow_mouth_up_is_a_three(self):
        assert thrown("asi-keliya-dlp", shells(3)) == [(3, THROW)]

    def test_sonal_is_another_four_than_two_and_two(self):
        """ "When it is 0 and 4 it is called Sonal"; 1, 5 and sonal "also grant the player another throw"."""
        faces = [0, 1, 2, 4]
        sonal, tayam, fours = [0, 4], [0, 1], [2, 2]
        script = Scripted(*(faces.index(face) for throw in (sonal, tayam, fours) for face in throw))
        assert thrown("tayam-sonalu-dlp", script) == [(1, THROW), (4, THROW), (4, NAMED)]

    def test_a_series_has_a_bound(self):
        assert thrown("pancha-keliya-dlp", shells(6, 6, 6), series_limit=3) == [(6, THROW)] * 3


def entry_turns(slug, games):
    """In how many turns of his own the first player entered his first piece, game by game."""
    for game in range(games):
        turns = 0
        for ply in referee_playout.plies(RULESETS[slug], 31, game):
            if ply.seat == 0 and ply.played.entries:
                break
            turns += ply.seat == 0 and ply.played.turn_over
        yield turns + 1


def sokkattan_entry():
    """The chance that a turn with all counters waiting brings a 10 or 25 that is not cancelled.

    win: 12 ways in 64; 6 and 12: another throw; after two wins in succession a third cancels them and throwing begins
    afresh. With f, g, h the chance after no, one, two wins in succession: f = again·f + win·g, g = 1 - win + win·h,
    h = 1 - win + win·f.
    """
    win, again = Fraction(12, 64), Fraction(2, 64)
    # f (1 - again) = win (1 - win + win (1 - win + win f))
    return win * (1 - win) * (1 + win) / (1 - again - win**3)


# The chance that a turn enters a first piece. Pancha: a 6, 5 or 1 in the first throw. Asi: a 1, 5 or so-hatara.
# Tayam: a tayam (1/8) at last after any number of fives and sonals (1/4 together).
ENTRY = {
    "pancha-keliya-dlp": Fraction(13, 64),
    "pancha-keliya-parker": Fraction(13, 64),
    "asi-keliya-dlp": Fraction(22, 64),
    "tayam-sonalu-dlp": Fraction(1, 8) / (1 - Fraction(1, 4)),
    "sokkattan-parker": sokkattan_entry(),
}


@pytest.mark.by_turns
@pytest.mark.parametrize("slug", rulesets_of_the_day(ENTRY))
def test_waiting_for_the_first_entry_is_geometric(slug):
    """The number of turns until a piece first enters, against the geometric distribution the throws give it."""
    from scipy.stats import chisquare

    chance, games = float(ENTRY[slug]), 400 if choice.ALL else 200
    waits = Counter(entry_turns(slug, games))
    cells, left = [], 1.0
    for turn in range(1, 6):
        cells.append((waits[turn], games * left * chance))
        left *= 1 - chance
    cells.append((games - sum(seen for seen, _ in cells), games * left))
    assert chisquare(*zip(*cells, strict=True)).pvalue > 0.001
    mean, spread = 1 / chance, (1 - chance) ** 0.5 / chance
    assert abs(sum(turn * number for turn, number in waits.items()) / games - mean) < 4 * spread / games**0.5
