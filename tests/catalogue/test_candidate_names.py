"""What candidates for a worn board are called: in words that tell them apart, and never after a game they are not."""

from typing import Any

from django.test import TestCase

from catalogue.analyses.wear_plans import candidate_set
from catalogue.models import Reading
from catalogue.models.candidate_names import candidate_name, candidate_names
from catalogue.models.observations import canonical_board
from catalogue.models.querysets import RulesetTitles
from simulator import rulesets
from simulator.engine.documents import parse
from simulator.models import RulesetVersion
from tests import builders
from tests.catalogue.test_wear_studies import HUNT, SQUARE


def hunt(**keys: Any) -> dict[str, Any]:
    return {
        "family": "points",
        "board": "squares_3",
        "first_pieces": 2,
        "second_pieces": 1,
        "second_stuck": "loses",
        **keys,
    }


def test_a_name_is_made_of_what_varies() -> None:
    placed = {"first_array": ["a1", "d1"], "second_array": ["g1"]}
    found = candidate_names([hunt(), hunt(first_pieces=3), hunt(begins="second", **placed)], ["one", "two", "three"])
    assert found == [
        "2 dogs, 1 hare; the dogs begin; laid one a turn",
        "3 dogs, 1 hare; the dogs begin; laid one a turn",
        "2 dogs, 1 hare; the hare begins; dogs on a1, d1, hare on g1",
    ]
    assert candidate_names([hunt(), hunt(first_pieces=3)], ["", ""]) == ["2 dogs, 1 hare", "3 dogs, 1 hare"]
    other = {"first_pieces": 3, "second_pieces": 3, "second_stuck": "passes", "row_length": 3, "line_moving": "win"}
    assert candidate_name(hunt(**other)) == "3 against 3; a row of 3 wins; the first begins; laid one a turn"
    stuck = hunt(first_stuck="loses", second_pieces=2)
    assert candidate_name(stuck).startswith("2 against 2; who is shut in loses")


def test_what_words_do_not_tell_apart_has_its_rules() -> None:
    one, other = candidate_names([hunt(), hunt(second_steps="forward")], ["one", "two"])
    assert one == "2 dogs, 1 hare; pieces of the second player step in every direction"
    assert other.startswith("2 dogs, 1 hare; pieces of the second player step forward only")
    assert candidate_names([hunt(), hunt()], ["one", "two"])[1] == "2 dogs, 1 hare (two)"


def test_every_candidate_of_the_slab_has_a_name() -> None:
    every = candidate_set("coriovallum").candidates
    names = candidate_names([one.ruleset.document for one in every], [one.name for one in every])
    assert len(set(names)) == len(every)
    assert names[0] == "3 dogs, 1 hare; the dogs begin; laid one a turn; no line added, slanting lines meet"
    assert not any("(" in name for name in names)


class TitleTests(TestCase):
    def test_a_candidate_is_not_called_after_another_game(self) -> None:
        record = builders.evidence(9, quotation="", without_words=True, board=canonical_board(SQUARE))
        another = rulesets.save(parse(hunt(first_pieces=4)))
        RulesetVersion.objects.create(slug="daramuti-parker", number=1, ruleset=another, date="2026-01-01")
        fields = {"game": record.game, "authority": "parker", "kind": "interpretation"}
        Reading.objects.create(slug="daramuti-parker", title="Daramuti, after Parker", **fields)
        titles = RulesetTitles()
        name = "2 dogs, 1 hare; the dogs begin; laid one a turn"
        assert str(titles.of(rulesets.save(parse(HUNT)))) == f"Daramuti, candidate: {name}"
        first = rulesets.save(candidate_set("coriovallum").candidates[0].ruleset)
        assert str(titles.of(first)).startswith("Slab from Coriovallum, candidate: 3 dogs, 1 hare; ")
        on_its_board = str(titles.of(rulesets.save(parse(hunt()))))
        assert on_its_board.startswith("Daramuti, after Parker, but: "), "a what-if of the game that is played there"
