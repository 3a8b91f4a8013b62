"""Solutions: the command, the row it keeps, and what it says of a ruleset that it cannot solve."""

import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from simulator import rulesets
from simulator.engine.solving import graph
from simulator.models import Solution
from simulator.strength import solutions

pytestmark = pytest.mark.django_db

HAT = "hat-diviyan-keliya-dlp"
# Three points of a triangle for one leopard: small enough for any machine.
FEW = {"second_pieces": "2", "second_loses_below": "1"}


def changes(values: dict[str, str]) -> list[str]:
    return [f"--set={key}={value}" for key, value in values.items()]


def test_the_command_prints_one_document_and_keeps_it(capsys: Any) -> None:
    call_command("solve", HAT, "--json")
    document = json.loads(capsys.readouterr().out)
    row = Solution.objects.get()
    assert document == {"ruleset": HAT, "hash": row.ruleset_id, **row.document}
    assert (document["method"], document["start"]["value"], document["reduced"]) == ("retrograde", "second_wins", {})
    assert document["positions"]["reached"] == document["positions"]["running"] + document["positions"]["ended"]
    assert sum(row["all"] for row in document["counts"]) == document["positions"]["running"]
    assert sum(document["ends"].values()) == document["positions"]["ended"]
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


@pytest.mark.thorough
def test_a_search_that_finds_a_win_is_kept_and_says_that_it_was_one() -> None:
    solutions.solve_and_keep(rulesets.find("niranchy-dlp"), search_seconds=300)
    document = Solution.objects.get().document
    assert document is not None
    assert (document["method"], document["start"]) == ("search", {"mover": 0, "value": "first_wins", "plies": 7})
    assert [document["refuted_plies"], document["line"]["plies"]] == [6, 7]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("sokkattan-parker",), "decided by throws"),
        (("hat-diviyan-keliya-dl",), "nearest valid value: .hat-diviyan-keliya-dlp"),
        ((HAT, "--set", "chian=off"), "chain"),
        ((HAT, "--search", "0"), "search: must be a whole number from 1 to 86400, not 0 .*: 1"),
        ((HAT, "--search", "soon"), "search: must be a whole number, not 'soon'"),
    ],
)
def test_a_wrong_request_is_named_with_the_nearest_valid_value(words: tuple[str, ...], message: str) -> None:
    with pytest.raises(CommandError, match=message) as refused:
        call_command("solve", *words)
    assert refused.value.returncode == 2
