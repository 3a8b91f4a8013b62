"""Solutions: the command, the row it keeps, what cannot be solved, and the shipped ones, which are proved again."""

import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from simulator import rulesets
from simulator.engine import playout
from simulator.engine.family import family
from simulator.engine.session import Session
from simulator.engine.solving import graph
from simulator.engine.solving.document import forced_win, line_document, solved_document
from simulator.engine.solving.expected import ERROR
from simulator.engine.solving.solved import Search, solve
from simulator.models import Solution
from simulator.strength import solutions
from simulator.strength.solutions import SolvingOptions, load_solution_files
from tests.builders import RULESET_FILES, SOLUTION_FILES
from tests.choice import of_the_day
from tests.engine.rulesets import CORNER, RULESETS

pytestmark = pytest.mark.django_db

HAT = "hat-diviyan-keliya-dlp"
# Three points of a triangle for one leopard: small enough for any machine.
MARIN = "pancha-keliya-complex-marin-dice"
KOTI = "koti-keliya-parker"
TWO_CATTLE = {"board": "chequered_8", "second_pieces": "2", "second_array": '["b8", "d8"]'}
FEW = {"second_pieces": "2", "second_loses_below": "1"}


def changes(values: dict[str, str]) -> list[str]:
    return [f"--set={key}={value}" for key, value in values.items()]


def test_the_command_prints_one_document_and_keeps_it(capsys: Any) -> None:
    call_command("solve", HAT, *changes(FEW), "--json")
    document = json.loads(capsys.readouterr().out)
    row = Solution.objects.get()
    assert document == {"ruleset": row.ruleset_id, "hash": row.ruleset_id, **row.document}
    assert (document["method"], document["start"]["value"]) == ("retrograde", "endless")
    assert document["positions"]["reached"] == document["positions"]["running"] + document["positions"]["ended"]
    assert sum(row["all"] for row in document["counts"]) == document["positions"]["running"]
    assert sum(document["ends"].values()) == document["positions"]["ended"]
    assert document["longest"]
    for longest in document["longest"]:
        assert len(longest["line"]["moves"]) == longest["line"]["plies"] >= longest["line"]["turns"]


@pytest.mark.by_turns
def test_the_text_says_the_same_in_words(capsys: Any) -> None:
    call_command("solve", HAT, *changes({**FEW, "repetition": "3"}))
    printed = capsys.readouterr().out
    assert "Solved without repetition 3" in printed
    assert "This is not a historical board: board triangle_10, first_pieces 1, second_pieces 2" in printed
    assert "drawn by endless play" in printed


@pytest.mark.by_turns
def test_solving_again_leaves_one_row() -> None:
    ruleset = rulesets.find(HAT, FEW)
    first = solutions.solve_and_keep(ruleset)
    first.document = None
    first.save()
    again = solutions.solve_and_keep(ruleset)
    assert again.document
    assert Solution.objects.count() == 1


@pytest.mark.by_turns
def test_a_board_that_a_named_ruleset_is_played_on_is_historical() -> None:
    assert solutions.reduced(rulesets.find("kalah-reference")) == {}
    assert solutions.reduced(rulesets.find(HAT, {"chain": "may_go_on"})) == {}
    small = rulesets.find("kalah-reference", {"holes_per_row": "3", "counters_per_hole": "2"})
    assert solutions.reduced(small) == {"rows": 2, "holes_per_row": 3, "counters_per_hole": 2}


def test_a_ruleset_too_large_is_refused_and_nothing_is_kept(monkeypatch: Any) -> None:
    monkeypatch.setattr(graph, "MOST_POSITIONS", 2**14)
    with pytest.raises(CommandError, match=r"more than 16,384 positions.*--search SECONDS") as refused:
        call_command("solve", HAT)
    assert refused.value.returncode == 1
    assert not Solution.objects.exists()


def test_advancing_herd_is_swept_and_its_cost_announced(capsys: Any) -> None:
    call_command("solve", KOTI, *changes(TWO_CATTLE), "--json")
    printed = capsys.readouterr()
    document = json.loads(printed.out)
    assert document == {
        "ruleset": document["hash"],
        "hash": document["hash"],
        **(Solution.objects.get().document or {}),
    }
    assert (document["method"], document["start"]["value"]) == ("sweep", "first_wins")
    assert document["positions"]["formations"] == 32 * 31 // 2
    assert document["table_bytes"] == 18 * document["positions"]["formations"]
    first, *others = printed.err.splitlines()
    assert first.startswith("One side only advances: 496 formations, 0.00 GB in memory, about 0 s")
    assert others == ["496 of 496 formations decided"]


@pytest.mark.by_turns
def test_a_sweep_in_words_names_no_plies(capsys: Any) -> None:
    call_command("solve", KOTI, *changes(TWO_CATTLE))
    printed = capsys.readouterr().out
    assert "the hunter (first player) wins from the start" in printed
    assert "496 formations, " in printed


def test_a_table_that_does_not_fit_is_refused_with_what_would(monkeypatch: Any) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("solve", KOTI, "--memory", "2")
    said = (
        "the table takes 2.81 GB, and 2.00 GB are allowed; what fits is --memory 3, --keep-table, which has it stand on"
    )
    assert str(refused.value) == f"{said} the disk, or a herd of at most 5 on this board"
    assert refused.value.returncode == 1
    monkeypatch.setattr(solutions.shutil, "disk_usage", lambda folder: SimpleNamespace(free=10**9))
    with pytest.raises(CommandError, match=r"the table takes 2\.81 GB, and the disk has 1\.00 GB left"):
        call_command("solve", KOTI, "--keep-table")
    assert not Solution.objects.exists()


def test_a_table_of_a_size_that_is_not_known_is_not_kept() -> None:
    for words in ((HAT,), (KOTI, "--search", "1")):
        with pytest.raises(CommandError, match="no table is kept here"):
            call_command("solve", *words, "--keep-table")
    assert not Solution.objects.exists()


def test_a_table_that_was_not_finished_is_none(settings: Any, tmp_path: Any) -> None:
    settings.VAR_DIR = tmp_path
    ruleset = rulesets.find(KOTI, TWO_CATTLE)
    making = solutions.table_files(ruleset)
    with making as folder:
        (folder / "lows.npy").write_bytes(b"whole")
    assert solutions.has_table(ruleset)
    shutil.rmtree(solutions.folder_of(ruleset))
    making = solutions.table_files(ruleset)
    (making.__enter__() / "lows.npy").write_bytes(b"half")
    making.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert not solutions.has_table(ruleset)
    assert list((tmp_path / "tables").iterdir()) == []


@pytest.mark.by_turns
def test_a_race_of_chance_is_solved_by_bounds_that_come_together(capsys: Any) -> None:
    call_command("solve", MARIN, "--set", "pieces=1", "--json")
    printed = capsys.readouterr()
    document = json.loads(printed.out)
    assert (document["method"], document["start"]["value"]) == ("value_iteration", None)
    for row in document["chances"]:  # with one counter it does not matter who plays how
        assert row["lower"] == pytest.approx(0.5192, abs=5e-5)
        assert 0 < row["upper"] - row["lower"] < 1e-5
    assert printed.err.startswith("Throws decide: 4,624 positions before a throw, 0.00 GB in memory, about ")
    call_command("solve", MARIN, "--set", "pieces=1")
    assert "best against random: 0.5191" in capsys.readouterr().out


def test_what_throws_decide_is_refused_by_what_it_lacks(capsys: Any) -> None:
    with pytest.raises(CommandError, match=r"what fits is --memory \d+, or at most 2 pieces each on this board"):
        call_command("solve", "kawade-kelia-culin", "--memory", "2")
    with pytest.raises(CommandError, match="chance decides here: nobody can force a win"):
        call_command("solve", MARIN, "--set", "pieces=1", "--search", "5")
    assert not Solution.objects.exists()


@pytest.mark.thorough
def test_win_found_by_search_is_kept_as_a_search() -> None:
    solutions.solve_and_keep(rulesets.find("niranchy-dlp"), SolvingOptions(search=300))
    document = Solution.objects.get().document
    assert document is not None
    assert (document["method"], document["start"]) == ("search", {"mover": 0, "value": "first_wins", "plies": 7})
    assert [document["refuted_plies"], document["line"]["plies"]] == [6, 7]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("sokkattan-parker",), "chance decides here, and only games of two are solved, and here are 4 seats"),
        (("saturankam-parker",), "chance decides here, and a throw is divided freely"),
        (("hat-diviyan-keliya-dl",), "nearest valid value: .hat-diviyan-keliya-dlp"),
        ((HAT, "--set", "chian=off"), "chain"),
        ((KOTI, "--memory", "0"), "memory: must be a whole number from 1 to 1000, not 0 .*: 1"),
        ((HAT, "--search", "0"), "search: must be a whole number from 1 to 86400, not 0 .*: 1"),
        ((HAT, "--search", "soon"), "search: must be a whole number, not 'soon'"),
    ],
)
def test_a_wrong_request_is_named_with_the_nearest_valid_value(words: tuple[str, ...], message: str) -> None:
    with pytest.raises(CommandError, match=message) as refused:
        call_command("solve", *words)
    assert refused.value.returncode == 2


OF_ANY = {**RULESETS, **CORNER}
SHIPPED = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in SOLUTION_FILES}
SEARCHED = [name for name, document in SHIPPED.items() if document["method"] == "search"]
EVERY_POSITION = [
    name
    for name, document in SHIPPED.items()
    if document["method"] == "retrograde" and document["positions"]["reached"] < 100_000
]
SWEPT = [name for name, document in SHIPPED.items() if document["method"] == "sweep"]
CHANCES = [name for name, document in SHIPPED.items() if document["method"] == "value_iteration"]
GAMES = 30_000
SOON = 5  # plies: a search that far takes no time


@pytest.mark.parametrize("name", SHIPPED)
def test_solution_is_of_the_ruleset_as_it_is_now(name: str) -> None:
    ruleset, document = OF_ANY[name], SHIPPED[name]
    assert (document["ruleset"], document["hash"]) == (name, ruleset.hash)
    assert (document["family"], document["family_version"]) == (ruleset.family, family(ruleset.family).rules_version)
    assert document["reduced"] == {}


@pytest.mark.parametrize("name", SEARCHED)
def test_the_line_of_a_search_is_won_as_soon_as_it_says(name: str) -> None:
    """It is played through to its end, and a few plies before it the search finds the same win and none sooner."""
    ruleset, document = RULESETS[name], SHIPPED[name]
    line, winner = document["line"], ("first_wins", "second_wins").index(document["start"]["value"])
    assert line_document(ruleset, [], line["moves"]) == line
    game = Search(ruleset, winner, places=2**16)
    position = game.game.start()
    for ply, move in enumerate(line["moves"]):
        left = line["plies"] - ply
        if left <= SOON:
            assert game.plies(position, SOON) == left
        position = dict(game.game.children(position))[move]
    assert [int(word) for word in game.game.contract.outcome(game.game.rules, position)] == [0, 1 << winner]


@pytest.mark.parametrize("name", SWEPT)
def test_the_line_of_a_sweep_is_won_by_whom_it_says(name: str) -> None:
    """`tests/proofs/solving.py` sweeps it again."""
    ruleset, document = OF_ANY[name], SHIPPED[name]
    assert line_document(ruleset, [], document["line"]["moves"]) == document["line"]
    session = Session(ruleset, 0)
    for move in document["line"]["moves"]:
        session.play(move)
    assert session.winners == 1 << ("first_wins", "second_wins").index(document["start"]["value"])
    assert {move["value"] for move in document["first_moves"]} == {document["start"]["value"]}


@pytest.mark.parametrize("name", of_the_day(EVERY_POSITION, 4))
def test_every_position_is_looked_at_again(name: str) -> None:
    again = solved_document(solve(OF_ANY[name]))
    assert again == {key: SHIPPED[name][key] for key in again}


# Values and numbers that others have published.
PUBLISHED = {
    "tic-tac-toe-reference": "endless",  # nobody can force a row; a full board is left as it is, players passing
    "hare-and-hounds-reference": "second_wins",  # the hounds: Berlekamp, Conway & Guy, Winning Ways, chapter 21
    "fox-and-hounds-reference": "second_wins",  # the hounds: the same, chapter 20
    "pong-hau-ki-reference": "endless",  # Straffin 1995, Mathematics Magazine 68: 382-386
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_values_are_those_that_others_found(name: str) -> None:
    assert SHIPPED[name]["start"]["value"] == PUBLISHED[name]


@pytest.mark.parametrize("name", CHANCES)
def test_random_players_win_as_often_as_the_chances_say(name: str) -> None:
    """Of every solution by chances; `tests/proofs/solving.py` computes them again."""
    chances = {(row["first"], row["second"]): row for row in SHIPPED[name]["chances"]}
    by_lot = chances["random", "random"]
    wins = (playout.play_games(RULESETS[name], GAMES, seed=2)["winners"] == 1).mean()
    assert abs(wins - by_lot["lower"]) < 4 * (0.25 / GAMES) ** 0.5
    for row in chances.values():
        assert 0 <= row["upper"] - row["lower"] <= SHIPPED[name]["widest"] <= ERROR
    for second in ("best", "random"):
        assert chances["best", second]["lower"] > chances["random", second]["upper"]


@pytest.mark.thorough
@pytest.mark.parametrize("name", SEARCHED)
def test_a_search_proves_it_again(name: str) -> None:
    machine = {"seconds", "peak_bytes"}
    again = forced_win(RULESETS[name], 300)
    assert {key: again[key] for key in again if key not in machine} == {
        key: value for key, value in SHIPPED[name].items() if key not in machine | {"ruleset", "hash", "reduced"}
    }


class TestLoading:
    def load(self, folder: Path, **changed: Any) -> int:
        rulesets.load_ruleset_files(RULESET_FILES[0].parent)
        for file in SOLUTION_FILES[:1]:
            shutil.copy(file, folder)
            document = json.loads(file.read_text(encoding="utf-8"))
            (folder / file.name).write_text(json.dumps({**document, **changed}), encoding="utf-8")
        return load_solution_files(folder)

    @pytest.mark.by_turns
    def test_they_are_kept_once(self, tmp_path: Path) -> None:
        assert (self.load(tmp_path), self.load(tmp_path)) == (1, 0)
        row = Solution.objects.get()
        assert {"ruleset": SOLUTION_FILES[0].stem, "hash": row.ruleset_id, **(row.document or {})} in SHIPPED.values()
        assert row.family_version == family("points").rules_version

    @pytest.mark.by_turns
    def test_own_solution_stays_unless_its_rules_are_older(self, tmp_path: Path) -> None:
        self.load(tmp_path)
        Solution.objects.update(document={"own": True})
        assert self.load(tmp_path) == 0
        assert Solution.objects.get().document == {"own": True}
        Solution.objects.update(family_version=family("points").rules_version - 1)
        assert self.load(tmp_path) == 1
        assert Solution.objects.get().document != {"own": True}

    def test_a_solution_of_no_ruleset_is_refused_and_nothing_is_kept(self, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match=f"no version of {SOLUTION_FILES[0].stem} here has the hash abc"):
            self.load(tmp_path, hash="abc")
        assert not Solution.objects.exists()
