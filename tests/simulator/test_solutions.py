"""Solutions: the command, the row it keeps, and what it says of a ruleset that it cannot solve."""

import json
import shutil
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from simulator import rulesets
from simulator.engine.solving import graph
from simulator.models import Solution
from simulator.strength import solutions
from simulator.strength.solutions import SolvingOptions

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


def test_the_text_says_the_same_in_words(capsys: Any) -> None:
    call_command("solve", HAT, *changes({**FEW, "repetition": "3"}))
    printed = capsys.readouterr().out
    assert "Solved without repetition 3" in printed
    assert "This is not a historical board: board triangle_10, first_pieces 1, second_pieces 2" in printed
    assert "drawn by endless play" in printed


def test_solving_again_leaves_one_row() -> None:
    ruleset = rulesets.find(HAT, FEW)
    first = solutions.solve_and_keep(ruleset)
    first.document = None
    first.save()
    again = solutions.solve_and_keep(ruleset)
    assert again.document
    assert Solution.objects.count() == 1


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
