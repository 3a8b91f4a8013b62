"""Solutions that are shipped: they are loaded once, belong to the rulesets that they name, and are proved again."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from simulator import rulesets
from simulator.engine import playout
from simulator.engine.family import family
from simulator.engine.session import Session
from simulator.engine.solving.document import forced_win, line_document
from simulator.engine.solving.expected import ERROR
from simulator.engine.solving.search import Search
from simulator.models import Solution
from simulator.strength.solutions import load_solution_files
from tests.builders import RULESET_FILES, SOLUTION_FILES
from tests.engine.rulesets import RULESETS

SHIPPED = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in SOLUTION_FILES}
SEARCHED = [name for name, document in SHIPPED.items() if document["method"] == "search"]
SWEPT = [name for name, document in SHIPPED.items() if document["method"] == "sweep"]
CHANCES = [name for name, document in SHIPPED.items() if document["method"] == "value_iteration"]
GAMES = 30_000
SOON = 5  # plies: a search that far takes no time


@pytest.mark.parametrize("name", SHIPPED)
def test_solution_is_of_the_ruleset_as_it_is_now(name: str) -> None:
    ruleset, document = RULESETS[name], SHIPPED[name]
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
    ruleset, document = RULESETS[name], SHIPPED[name]
    assert line_document(ruleset, [], document["line"]["moves"]) == document["line"]
    session = Session(ruleset, 0)
    for move in document["line"]["moves"]:
        session.play(move)
    assert session.winners == 1 << ("first_wins", "second_wins").index(document["start"]["value"])
    assert {move["value"] for move in document["first_moves"]} == {document["start"]["value"]}


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


@pytest.mark.django_db
class TestLoading:
    def load(self, folder: Path, **changed: Any) -> int:
        rulesets.load_ruleset_files(RULESET_FILES[0].parent)
        for file in SOLUTION_FILES[:1]:
            shutil.copy(file, folder)
            document = json.loads(file.read_text(encoding="utf-8"))
            (folder / file.name).write_text(json.dumps({**document, **changed}), encoding="utf-8")
        return load_solution_files(folder)

    def test_they_are_kept_once(self, tmp_path: Path) -> None:
        assert (self.load(tmp_path), self.load(tmp_path)) == (1, 0)
        row = Solution.objects.get()
        assert {"ruleset": SOLUTION_FILES[0].stem, "hash": row.ruleset_id, **(row.document or {})} in SHIPPED.values()
        assert row.family_version == family("points").rules_version

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
