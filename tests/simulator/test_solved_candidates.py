"""What faultless play comes to in the candidates of the slab, as it ships, and games of players without fault."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from simulator.batches.levels import named_in_words
from simulator.batches.requests import check_request
from simulator.engine import playout
from simulator.engine.candidates import candidates
from simulator.engine.family import family
from simulator.engine.solving.document import solved_document
from simulator.engine.solving.faultless import table
from simulator.engine.solving.graph import Graph, explore
from simulator.engine.solving.solved import solve
from simulator.engine.traffic import Sums
from simulator.problems import WrongRequest
from simulator.strength.solutions import in_brief
from tests.choice import of_the_day
from tests.engine.rulesets import RULESETS
from tests.engine.test_candidates import COUNTS, SLAB, TINY, as_the_programme_counts, candidate
from tests.engine.test_traffic import layout_of

SOLVED = json.loads(Path("fixtures/solutions/candidates/coriovallum.json").read_text(encoding="utf-8"))
SMALL = [one["name"] for one in SOLVED["candidates"] if one["positions"]["reached"] < 30_000]


def counts_of(graph: Graph, turns: int) -> list[list[int]]:
    """As `count_positions` counts, along the moves of a graph; a turn has one ply in these games."""
    reached, counts = {0}, []
    for _ in range(turns):
        reached = {child for number in reached if graph.kinds[number] <= 1 for child in graph.children(number)}
        counts.append([len(reached), sum(bool(graph.kinds[number] > 1) for number in reached)])
    return counts


def test_every_candidate_of_the_slab_is_solved() -> None:
    assert [(one["name"], one["hash"]) for one in SOLVED["candidates"]] == [
        (one.name, one.ruleset.hash) for one in candidates(SLAB)
    ]
    assert SOLVED["family_versions"] == {"points": family("points").rules_version}


@pytest.mark.parametrize("name", of_the_day(SMALL, 3))
def test_what_faultless_play_comes_to_is_as_shipped(name: str) -> None:
    """Solved again; and the graph behind it, with those who are shut in passing first, has the programme's counts."""
    one = next(row for row in SOLVED["candidates"] if row["name"] == name)
    again = in_brief(solved_document(solve(candidate(name))))
    assert {key: one[key] for key in again} == again
    expected = (COUNTS["programme"].get(name) or COUNTS["here"][name])[:4]
    assert counts_of(explore(as_the_programme_counts(candidate(name))), len(expected)) == expected


BOTH = ("faultless", "faultless")
SEED, GAMES, CAP = 1, 40, 60
WON = "haretavl-four-dogs-two-hares-no-extension-joined-diagonal"  # by the dogs, in 19 plies
ENDLESS = "haretavl-three-dogs-two-hares-no-extension-joined-diagonal"


@pytest.mark.parametrize("name", [WON, ENDLESS])
def test_players_without_fault_come_to_what_is_proved(name: str) -> None:
    one = next(row for row in SOLVED["candidates"] if row["name"] == name)
    sums = Sums.none(layout_of(candidate(name)).cells)
    rows = playout.play_block(candidate(name), BOTH, SEED, 0, GAMES, CAP, "game", traffic=sums)
    won, plies = one["start"]["plies"] is not None, one["start"]["plies"] or CAP
    assert np.all(rows[:, :3] == ([0, 1, plies] if won else [3, 0, CAP]))
    assert sums.games.sum() == GAMES
    assert len({tuple(table(candidate(name)).play(SEED, game, CAP).moves) for game in range(GAMES)}) > 1
    parts = [playout.play_block(candidate(name), BOTH, SEED, first, 20, CAP, "game") for first in (0, 20)]
    assert np.array_equal(np.concatenate(parts), rows)


def test_every_move_of_theirs_is_among_the_best() -> None:
    known = table(candidate(WON))
    number = 0
    for move in known.play(SEED, 3, CAP).moves:
        assert move in known.solved.best_moves(number)
        number = known.solved.graph.children(number)[known.solved.graph.codes(number).index(move)]
    assert known.solved.is_over(number)


def test_a_game_without_fault_is_told_again() -> None:
    moves, row = playout.list_moves(candidate(WON), BOTH, SEED, 5, CAP, "game")
    replay = playout.replay_game(candidate(WON), 5, seed=SEED, players="faultless", cap=CAP)
    assert list(replay.row.values()) == row
    assert sum(len(turn.plies) for turn in replay.turns) == len(moves)


@pytest.mark.django_db
def test_who_is_without_fault_plays_what_is_solved() -> None:
    asked = check_request(candidate(WON), games=10, cap=CAP, players="faultless")
    assert asked.players == BOTH
    assert named_in_words("faultless,faultless") == "players by a table of all positions"
    assert asked.id != check_request(candidate(WON), games=10, cap=CAP).id
    wrong: dict[str, Any] = {"kalah-reference": "this is not; the nearest is 'strong'"}
    for name, message in wrong.items():
        with pytest.raises(WrongRequest, match=message):
            check_request(RULESETS[name], players="faultless,faultless")
    with pytest.raises(WrongRequest, match="nearest is 'strong,random'"):
        check_request(candidate(WON), players="faultless,random")


def test_the_command_solves_a_set(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "tiny.json"
    path.write_text(json.dumps({"slug": "tiny", **TINY}))
    call_command("solve", "--candidates", str(path))
    document = json.loads(capsys.readouterr().out)
    assert (document["set"], document["family_versions"]) == ("tiny", SOLVED["family_versions"])
    assert [one["name"] for one in document["candidates"]] == [one.name for one in candidates(TINY)]
    assert {one["start"]["value"] for one in document["candidates"]} <= {"first_wins", "second_wins", "endless"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "name a ruleset, or a file of candidates"),
        (("kalah-reference", "--candidates", "x.json"), "one of the two"),
        (("--candidates", "no-such.json"), "no-such.json is no set of candidates"),
        (("--candidates", __file__), "is no set of candidates"),
        (("--candidates", "fixtures/edition.json"), "it has no slug"),
    ],
)
def test_the_command_says_what_it_wants(words: tuple[str, ...], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        call_command("solve", *words)
