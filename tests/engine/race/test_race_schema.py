"""The rules of races in words, and documents of races that are refused."""

import pytest

from simulator.engine.boards.race import BOARDS
from simulator.engine.documents import parse, with_changes
from simulator.engine.families.race import parameters
from simulator.engine.family import family
from simulator.engine.ruleset import RulesetProblem
from simulator.engine.schemas import words_of
from tests.engine.rulesets import RACES


def test_every_board_is_in_the_schema():
    assert words_of(parameters.PROPERTIES["board"]) == list(BOARDS)


def test_the_rules_of_sokkattan_in_words():
    lines = {key: sentence for key, _, sentence in family("race").words(RACES["sokkattan-parker"])}
    assert lines["scores"] == "With no mouth up, one, two and so on, the cowries score 6, 10, 2, 3, 4, 25, 12."
    assert lines["extra_spent"] == "If none waits, the extra point is added to its throw, or is played separately."
    assert lines["board"].endswith("in each outer row and the fourth in each middle row.")
    assert "castle" not in lines["board"]  # a word of Pachisi that the record has not


def test_off_values_that_are_themselves_rules_are_listed():
    """ "The exact number required must be thrown"; 10, 25, 25 are cancelled: rules, not left out."""
    for slug, keys in (
        ("sokkattan-parker", {"overshoot", "may_decline", "start_steps", "cancel_same"}),
        ("asi-keliya-dlp", {"overshoot", "may_decline", "start_steps", "pairs_apart"}),
        ("pahada-keliya-dlp", {"overshoot", "may_decline"}),
    ):
        assert keys <= {key for key, _, _ in family("race").words(RACES[slug])} - set(RACES[slug].document)
        assert not keys & {key for key, _, _ in family("race").left_out(RACES[slug])}


def test_numbers_are_told_in_their_own_number():
    """One die, two dice; several squares."""
    said = {slug: dict(_said(ruleset)) for slug, ruleset in RACES.items()}
    assert said["pancha-keliya-complex-marin-dice"]["dice"] == "One die is thrown."
    assert said["saturankam-dlp"]["dice"] == "2 dice are thrown."
    start = said["pahada-keliya-dlp"]["start_steps"]
    assert start.endswith("stand on these squares of his track, counted from its first: 6, 7, 11, 11.")


def _said(ruleset):
    return ((key, sentence) for key, _, sentence in family("race").words(ruleset))


def test_the_games_with_more_seats():
    """Sokkattan and Saturankam with two, three and four players; Kawade kelia with two or four."""
    for slug, seats in (("sokkattan-parker", "234"), ("saturankam-parker", "234"), ("kawade-kelia-dlp", "24")):
        for number in seats:
            changed = with_changes(RACES[slug], {"seats": number})
            assert family("race").seats(changed.parameters) == int(number)


# slug, changes -> the key that is refused and the nearest valid value
REFUSED = [
    ("pancha-keliya-dlp", {"seats": "4"}, "seats", 2),
    ("kawade-kelia-dlp", {"seats": "3"}, "seats", 2),
    ("kawade-kelia-dlp", {"teams": "opposite"}, "teams", "off"),
    ("saturankam-dlp", {"home_row_ones": "true"}, "home_row_ones", False),
    ("tayam-sonalu-dlp", {"safe_squares": "true"}, "safe_squares", False),
    ("sokkattan-dlp", {"partner_bar": "2"}, "partner_bar", 0),
    ("pahada-keliya-dlp", {"pieces": "1", "start_steps": "[6]"}, "partner_bar", 1),
    ("pahada-keliya-dlp", {"pieces": "3"}, "start_steps", [6, 7, 11]),
    ("pahada-keliya-dlp", {"start_steps": "[11, 6]"}, "start_steps", [6, 11]),
    ("saturankam-dlp", {"start_steps": "[1, 81]"}, "start_steps", [1, 80]),
    ("saturankam-dlp", {"start_steps": "[1, 81]", "goal": "beyond_last"}, "start_steps", []),
    ("saturankam-dlp", {"sends_back": "off", "safe_squares": "false"}, "entry", "walks_on"),
    ("saturankam-dlp", {"die_faces": "[4]"}, "die_faces", [1, 3, 4, 6]),
    ("pancha-keliya-dlp", {"cowries": "7"}, "scores", [0, 1, 2, 3, 4, 5, 6, 7]),
    ("pancha-keliya-dlp", {"mouth_chance": "[2, 2]"}, "mouth_chance", [1, 2]),
    ("pancha-keliya-dlp", {"enter_scores": "[5, 7]"}, "enter_scores", [5]),
    ("pancha-keliya-dlp", {"entry": "walks_on"}, "enter_scores", []),
    ("pancha-keliya-dlp", {"again_scores": "[0, 1, 2, 3, 4, 5, 6]"}, "again_scores", [1, 2, 3, 4, 5, 6]),
    ("pancha-keliya-dlp", {"again_scores": "[]", "series_played": "total"}, "series_played", "each_throw"),
    ("pancha-keliya-dlp", {"division": "each_die"}, "division", "whole"),
    ("pancha-keliya-dlp", {"dice": "2"}, "dice", 0),
    ("pancha-keliya-dlp", {"cancel_same": "true"}, "cancel_same", False),
    ("pancha-keliya-dlp", {"cancel_scores": "[2]"}, "cancel_scores", [1, 5, 6]),
    ("pancha-keliya-dlp", {"named_mouths": "6"}, "named_mouths", 5),
    ("pancha-keliya-dlp", {"named_ones": "true"}, "named_ones", False),
    ("asi-keliya-dlp", {"named_score": "3"}, "named_score", 0),
    ("saturankam-dlp", {"series": "thrown_first"}, "series", "one_at_a_time"),
    ("saturankam-dlp", {"enter_double": "2"}, "enter_double", 6),
    ("saturankam-dlp", {"exit_doubles": "[1, 2]"}, "exit_doubles", [1]),
    ("saturankam-dlp", {"entry": "by_extra"}, "extra_scores", [12]),
    ("tayam-sonalu-dlp", {"first_enter_scores": "[1, 5]"}, "first_enter_scores", []),
    ("tayam-sonalu-dlp", {"entry": "walks_on"}, "pairs_reenter", False),
    ("tayam-sonalu-dlp", {"named_faces": "[0, 3]"}, "named_faces", []),
    ("kawade-kelia-dlp", {"sends_back": "off"}, "safe_squares", False),
    ("saturankam-dlp", {"face_weights": "[1, 2]"}, "face_weights", [1, 2, 1, 1]),
    ("saturankam-dlp", {"face_weights": "[3, 3, 3, 3]"}, "face_weights", []),
    ("saturankam-dlp", {"face_weights": "[2, 4, 4, 2]"}, "face_weights", [1, 2, 2, 1]),
    ("pancha-keliya-dlp", {"face_weights": "[1, 2]"}, "face_weights", []),
    ("pancha-keliya-dlp", {"turn_order": "against_the_pieces"}, "turn_order", "with_the_pieces"),
    ("sokkattan-dlp", {"finished_player": "throws_for_partner"}, "finished_player", "skipped"),
    ("tayam-sonalu-dlp", {"safe_meeting": "passed_over"}, "safe_meeting", "shared"),
    ("sokkattan-dlp", {"safe_meeting": "passed_by_ones"}, "safe_meeting", "passed_over"),
    ("sokkattan-dlp", {"no_passing": "true", "leaving_shared": "ones_only"}, "leaving_shared", "any_throw"),
    ("asi-keliya-dlp", {"no_passing": "false", "leaving_shared": "ones_only"}, "leaving_shared", "any_throw"),
    ("asi-keliya-dlp", {"safe_meeting": "passed_over", "leaving_shared": "ones_only"}, "leaving_shared", "any_throw"),
    ("pahada-keliya-dlp", {"exit_alone": "any_die"}, "exit_alone", "its_double"),
    ("asi-keliya-dlp", {"bar_squares": "with_row_end"}, "bar_squares", "outer_row"),
    ("sokkattan-dlp", {"pairs_apart": "true"}, "pairs_apart", False),
    ("asi-keliya-dlp", {"pairs_apart": "true", "extra_scores": "[5]"}, "pairs_apart", False),
]


@pytest.mark.parametrize(("slug", "changes", "key", "nearest"), REFUSED)
def test_impossible_documents_are_refused_by_name(slug, changes, key, nearest):
    with pytest.raises(RulesetProblem) as refused:
        with_changes(RACES[slug], changes)
    assert {problem.key: problem.nearest for problem in refused.value.problems}[key] == nearest


def test_something_must_be_thrown():
    with pytest.raises(RulesetProblem, match="cowries or dice"):
        parse({"family": "race", "board": "pancha_track", "seats": 2, "pieces": 3})


def test_scores_keep_their_order():
    """A list of scores is no set: 6 for no mouth comes before 2 for two."""
    assert RACES["sokkattan-parker"].document["scores"] == [6, 10, 2, 3, 4, 25, 12]
    assert RACES["pahada-keliya-dlp"].document["start_steps"] == [6, 7, 11, 11]
