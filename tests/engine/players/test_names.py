"""Names of players: one canonical form, and what is wrong is named with the nearest that is right."""

import pytest

from simulator.engine.players.names import PlayersProblem, parse_players, player, players_for
from tests.engine.rulesets import RULESETS


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("uct:400/200:c=40", "uct:400"),
        ("uct:400/6", "uct:400/6"),
        ("uct:400/200:prior=8:c=60", "uct:400:c=60:prior=8"),
        ("uct:400/6:prior=0:c=0", "uct:400/6:c=0"),
    ],
)
def test_a_player_has_one_name(typed, canonical):
    assert str(player(typed)) == canonical
    assert player(canonical) == player(typed)


def test_every_seat_has_its_own_options():
    assert parse_players("uct:9:prior=1:c=2,greedy", 2) == ("uct:9:c=2:prior=1", "greedy")


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("uct:400:prio=2", r"no option 'prio'; the nearest is 'prior' \(there are c, prior\)"),
        ("uct:400:prior=1001", "weight of the evaluation .* from 0 to 1,000; the nearest is 1000"),
        ("uct:400:c=4000", "exploration .* from 0 to 1,000; the nearest is 1000"),
        ("uct:400:c=4:c=5", "says c twice; the nearest is 'uct:400:c=4'"),
        ("uct:400:c", "the nearest is 'uct:"),
        ("uct:400;c=4", "the nearest is 'uct:"),
        ("greedy:c=4", "no player is called 'greedy:c=4'"),
        ("alpha_beta:4:c=4", "the nearest is 'alpha_beta:4'"),
        ("alpha_beta:4/99", "further plies .* from 0 to 32; the nearest is 32"),
        ("expectimax:2/4", "looks no further than its depth; the nearest is 'expectimax:2'"),
        ("expectimax:9", "from 1 to 8; the nearest is 8"),
    ],
)
def test_a_wrong_option_is_named(typed, message):
    with pytest.raises(PlayersProblem, match=message):
        player(typed)


@pytest.mark.parametrize(
    ("slug", "message"),
    [
        ("kalah-reference", "none are thrown here; the nearest is 'alpha_beta:4'"),
        ("pancha-keliya-parker", "can bring another, with which it is played; the nearest is 'uct:1000'"),
        ("sokkattan-dlp", "not where 4 play each for themselves; the nearest is 'uct:1000'"),
    ],
)
def test_where_not_every_throw_can_be_weighed_is_said(slug, message):
    with pytest.raises(PlayersProblem, match=message):
        players_for(RULESETS[slug], "expectimax:2")
    assert players_for(RULESETS["kawade-kelia-dlp"], "expectimax:2,random") == ("expectimax:2", "random")
