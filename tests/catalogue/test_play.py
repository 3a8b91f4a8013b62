"""How an address holds a game: moves are written short and readably, and read back by a session of game 0."""

import json
from pathlib import Path

import pytest
from django.conf import settings

from catalogue.play.players import Address, read_address
from simulator.batches.levels import resolve_players
from simulator.engine import shipped
from simulator.engine.documents import parse
from simulator.engine.referee_playout import plies
from simulator.engine.ruleset import Ruleset
from simulator.engine.session import MOVE_WORD, Session, WrongMove, encode, encode_notation, play_moves
from simulator.problems import WrongRequest
from tests.builders import RULESET_FILES

CHARACTERS = 2_000  # that a game of 300 plies may take in an address


def ruleset(name: str) -> Ruleset:
    file = Path(settings.BASE_DIR) / "fixtures" / "rulesets" / f"{name}.json"
    return parse(json.loads(file.read_text())["document"])


def at(name: str, moves: str = "", seed: int = 1) -> Session:
    session = Session(ruleset(name), seed)
    play_moves(session, moves)
    return session


@pytest.mark.by_turns
@pytest.mark.parametrize("file", RULESET_FILES, ids=lambda file: file.stem)
def test_a_game_in_an_address_reads_back_as_the_referee_left_it(file: Path) -> None:
    rules = parse(json.loads(file.read_text())["document"])
    session, words = Session(rules, 4), []
    for _, ply in zip(range(12), plies(rules, 4, 0), strict=False):
        names = [encode_notation(session.name_of(move)) for move in session.options[:40]]
        assert len(set(names)) == len(names)
        assert all(MOVE_WORD.fullmatch(name) for name in names)
        words.append(encode(session, ply.move))
        session.play(ply.move)
        assert session.position == ply.played.position
    again = Session(rules, 4)
    text = ".".join(words)
    assert play_moves(again, text) == text
    assert again.position == session.position


@pytest.mark.parametrize(
    ("name", "moves", "names"),
    [
        ("puhulmutu-parker", "", ["aa", "ac", "ba", "bc"]),
        ("kalah-reference", "ca", ["aa", "ba"]),
        ("dam-parker", "", ["b5a6", "b5c6", "d5c6"]),
        ("hat-diviyan-keliya-ludovisi", "", ["a1", "b1", "c1"]),
        ("nine-mens-morris-reference", "a1.b2.d1.b4.g1", ["xb2", "xb4"]),
    ],
)
def test_moves_are_readable(name: str, moves: str, names: list[str]) -> None:
    session = at(name, moves)
    assert [encode(session, move) for move in session.options[: len(names)]] == names


@pytest.mark.parametrize("name", ["kotu-ellima-ludii", "tayam-sonalu-dlp"])
def test_a_long_game_fits_into_an_address(name: str) -> None:
    session, words = Session(ruleset(name), 0), []
    for _, ply in zip(range(300), plies(ruleset(name), 0, 0), strict=False):
        words.append(encode(session, ply.move))
        session.play(ply.move)
    assert len(words) == 300
    assert len(".".join(words)) < CHARACTERS


def test_notation_is_understood_and_shortened() -> None:
    assert play_moves(at("puhulmutu-parker"), "a>.ba") == "aa.ba"
    assert play_moves(at("dam-parker"), "b5-c6") == "b5c6"
    forced = at("pancha-keliya-dlp", seed=0)  # 3 is thrown, and nothing enters by a 3
    assert play_moves(forced, "pass") == "-"


def test_a_wrong_move_names_its_ply_and_the_nearest_move() -> None:
    with pytest.raises(WrongMove) as caught:
        at("dam-parker", "b5c6.a8b7.b9c8")
    assert (caught.value.ply, caught.value.typed, caught.value.played) == (3, "b9c8", "b5c6.a8b7")
    with pytest.raises(WrongMove) as caught:
        at("puhulmutu-parker", "aq")
    assert caught.value.nearest == "aa"
    with pytest.raises(WrongMove) as caught:
        at(
            "koti-keliya-ludii",
            "c2.i12h11.c2d3.k12j11.d3f5.c12b11.f5h7.b11a10.h7g6.j11i10.g6f5.h11g10.f5e6." + "x." * 3,
        )
    assert caught.value.ply == 14


def test_draws_repeat_and_every_option_occurs() -> None:
    drawn = {Session(ruleset("kalah-reference"), seed).draw_move() for seed in range(60)}
    assert drawn == set(at("kalah-reference").options)
    assert len({at("kalah-reference", "ca", seed=3).draw_move() for _ in range(5)}) == 1


class TestAddress:
    def test_it_reads_what_it_writes(self) -> None:
        address = Address(("you", "uct:1000/50"), 7, "b5c6.a8b7")
        assert address.query == "players=you,uct:1000/50&seed=7&moves=b5c6.a8b7"
        asked = {"players": ["you,uct:1000/50"], "seed": ["7"], "moves": ["b5c6.a8b7"]}
        assert read_address(ruleset("dam-parker"), asked) == address
        assert address.exchanged.players == ("uct:1000/50", "you")
        assert address.taken_back_to(1).moves == "b5c6"
        assert address.taken_back_to(0).moves == ""

    def test_one_player_sits_everywhere_several_seat_by_seat(self) -> None:
        assert read_address(ruleset("dam-parker"), {"players": ["you", "uct:10/200"]}).players == ("you", "uct:10")
        assert read_address(ruleset("sokkattan-dlp"), {"players": ["you"]}).players == ("you",) * 4

    @pytest.mark.parametrize(
        ("name", "players", "nearest"),
        [
            ("dam-parker", "you,uct:0", "you,uct:1000"),
            ("dam-parker", "me,random", "greedy,random"),
            ("dam-parker", "you,random,random", "you,random"),
            ("sokkattan-dlp", "you,random", resolve_players(shipped.load("sokkattan-dlp"), "you,random,club,club")),
            (
                "sokkattan-dlp",
                "you,you,you,alpha_beta:4",
                resolve_players(shipped.load("sokkattan-dlp"), "you,you,you,club"),
            ),
            ("dam-parker", "random,greedy", "you,greedy"),
        ],
    )
    def test_wrong_players_are_refused_with_the_nearest(self, name, players, nearest) -> None:
        with pytest.raises(WrongRequest) as caught:
            read_address(ruleset(name), {"players": [players]})
        problem = caught.value.problems[0]
        assert problem.key == "players"
        assert read_address(ruleset(name), {"players": [problem.nearest]}).players == tuple(problem.nearest.split(","))
        if "me" not in players:
            assert problem.nearest == nearest

    @pytest.mark.parametrize(
        ("asked", "key", "nearest"),
        [
            ({"seed": ["-3"]}, "seed", 0),
            ({"seed": ["x"]}, "seed", 0),
            ({"seed": ["1", "2"]}, "seed", "1"),
            ({"moves": ["b5c6." * 2000]}, "moves", "b5c6." * 1199 + "b5c6"),
        ],
    )
    def test_anything_else_that_is_wrong_is_named(self, asked, key, nearest) -> None:
        with pytest.raises(WrongRequest) as caught:
            read_address(ruleset("dam-parker"), {"players": ["you"], **asked})
        assert (caught.value.problems[0].key, caught.value.problems[0].nearest) == (key, nearest)
