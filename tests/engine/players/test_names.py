"""Players by name and in words: one canonical form, and errors that name the nearest valid one."""

import pytest

from simulator.engine.players import wording
from simulator.engine.players.names import PlayersProblem, parse_players, player, players_for
from tests.engine.rulesets import RULESETS


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("uct:400/200:c=40", "uct:400"),
        ("uct:400/6", "uct:400/6"),
        ("uct:400/200:prior=8:c=60", "uct:400:c=60:prior=8"),
        ("uct:400/6:prior=0:c=0", "uct:400/6:c=0"),
        ("uct:400:prior=8:c=60:weights=first_row", "uct:400:c=60:prior=8:weights=first_row"),
        ("greedy:weights=war", "greedy:weights=war"),
        ("alpha_beta:4/6:weights=draughts", "alpha_beta:4/6:weights=draughts"),
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
        ("uct:400:prio=2", r"no option 'prio'; the nearest is 'prior' \(there are c, prior, weights\)"),
        ("uct:400:prior=1001", "weight of the evaluation .* from 0 to 1,000; the nearest is 1000"),
        ("uct:400:c=4000", "exploration .* from 0 to 1,000; the nearest is 1000"),
        ("uct:400:c=4:c=5", "says c twice; the nearest is 'uct:400:c=4'"),
        ("uct:400:c", "the nearest is 'uct:"),
        ("uct:400;c=4", "the nearest is 'uct:"),
        ("greedy:weights=wra", "no kind of game with weights is called 'wra'; the nearest is 'war'"),
        ("greedy:weights=", "no kind of game with weights is called ''"),
        ("uct:400:weights=war:c=4", "is called 'war:c=4'; the nearest is 'war'"),
        ("random:weights=war", "weighs nothing, .* the nearest is 'random'"),
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


def test_a_rulesets_own_weights_are_not_named():
    """Batches are known by the names of their players: whoever has the weights that there are is who he was."""
    dlp, ludii = (RULESETS[f"kotu-ellima-{who}"] for who in ("dlp", "ludii"))
    line = "uct:9/4:weights=draughts,greedy:weights=war"
    assert players_for(dlp, line) == ("uct:9/4", "greedy:weights=war")
    assert players_for(ludii, line) == ("uct:9/4:weights=draughts", "greedy")
    with pytest.raises(PlayersProblem, match=r"of another family; the nearest is 'greedy:weights=single_laps_with_st"):
        players_for(RULESETS["kalah-reference"], "greedy:weights=war")


@pytest.mark.parametrize(
    ("players", "words"),
    [
        ("random,random", "random players"),
        (
            "greedy:weights=first_row",
            "greedy, one turn ahead, with the evaluation’s weights of another kind of game (first row), in every seat",
        ),
        (
            "uct:9/4:weights=pieces_and_room",
            "Monte Carlo search, 9 iterations of up to 4 turns, with an evaluation that counts pieces and the vacant "
            "points beside them, in every seat",
        ),
        ("random", "random players"),
        ("greedy,greedy", "greedy players, one turn ahead"),
        ("uct:1000,random", "Monte Carlo search, 1,000 iterations, against random"),
        ("random,uct:1000", "random, against Monte Carlo search, 1,000 iterations"),
        ("uct:50,uct:50", "Monte Carlo search, 50 iterations, in every seat"),
        ("uct:1,uct:1/1", "Monte Carlo search, 1 iteration, against Monte Carlo search, 1 iteration of up to 1 turn"),
        ("uct:64/20,greedy", "Monte Carlo search, 64 iterations of up to 20 turns, against greedy, one turn ahead"),
        ("uct:900/0,random", "Monte Carlo search, 900 iterations without playouts, against random"),
        ("expectimax:2", "expectimax, 2 plies deep, in every seat"),
        ("alpha_beta:1,alpha_beta:4", "alpha–beta search, 1 ply deep, against alpha–beta search, 4 plies deep"),
        (
            "uct:400/6:c=60:prior=8,random",
            "Monte Carlo search, 400 iterations of up to 6 turns, exploration 0.60, "
            "evaluation worth 8 tries of a move, against random",
        ),
        (
            "uct:100,random,uct:100,random",
            "Monte Carlo search, 100 iterations (seats 1 and 3); random (seats 2 and 4)",
        ),
        ("random,random,greedy", "random (seats 1 and 2); greedy, one turn ahead (seat 3)"),
        ("an-old-name,random", "an-old-name, against random"),
    ],
)
def test_players_in_words(players: str, words: str) -> None:
    assert wording.in_words(players) == words
    assert wording.in_words(players.split(",")) == words


@pytest.mark.parametrize(
    ("players", "words"),
    [
        ("random,random", wording.NOBODY),
        ("greedy,random", wording.NOBODY),
        ("uct:50,uct:50", wording.BY_VALUE),
        ("alpha_beta:3", wording.BY_VALUE),
        ("uct:50,random", wording.ONE_BY_VALUE),
    ],
)
def test_what_players_do_who_may_call_a_draw(players: str, words: str) -> None:
    """Of readings in which none may be called nothing is said, nor of games that end with their first round."""
    parker, dlp = RULESETS["daramuti-parker"].document, RULESETS["daramuti-dlp"].document
    assert wording.consent_in_words(players, [dlp, parker]) == words
    assert wording.consent_in_words(players, [dlp]) == wording.consent_in_words(players, [parker], "round") == ""
    assert wording.played_in_words(players, [parker]) == f"{wording.in_words(players)}, {words}"
    assert wording.played_in_words(players, [dlp]) == wording.in_words(players)


def test_earlier_versions_drew_lots_for_a_draw() -> None:
    parker = [RULESETS["daramuti-parker"].document]
    assert [wording.consent_in_words("random", parker, version=version) for version in (1, 2, 3)] == [
        wording.BY_LOT,
        wording.BY_LOT,
        wording.NOBODY,
    ]
