"""Rules in words: every value of every parameter says what is so, at its off value too."""

import json
import re

import pytest

from simulator.engine.family import FAMILY_NAMES, NOT_ARISING, family
from simulator.engine.schemas import words_of
from simulator.engine.tables import kind_of
from tests.engine.rulesets import RULESETS as SHIPPED

SPECS = {
    f"{name}.{key}": spec
    for name in FAMILY_NAMES
    for key, spec in family(name).schema["properties"].items()
    if key != "family"
}


def test_every_value_has_its_sentence():
    for name in SPECS:
        spec = SPECS[name]
        sentences = spec["x-words"]
        if kind_of(spec) and not words_of(spec):
            assert set(sentences) == {json.dumps(spec["default"])}
        elif spec["type"] == "boolean":
            assert set(sentences) == {"true", "false"}
        elif words_of(spec):
            assert set(sentences) - {"*"} == set(words_of(spec))
        else:
            off = json.dumps(spec.get("default"))
            assert set(sentences) <= {off, "1", "*"}
            assert kind_of(spec) or sentences["*"].count("{}") == 1  # a table says what its rows say
            # none of nothing, one of one: a sentence of its own, instead of "up to 0" or an empty list
            assert off in sentences or spec.get("default") not in (0, 1, [])
        for words in sentences.values():
            assert re.fullmatch(r"([A-Z]|\{\}).*\.", words)
            assert "no such rule" not in words


def test_a_sentence_may_say_what_another_rule_makes_of_it() -> None:
    """Nerenchi after Parker: twenty-two pieces in all, "only two places remain unfilled", and none of anybody's own."""
    said = {key: words for key, _, words in family("points").words(SHIPPED["nerenchi-keliya-parker"])}
    assert said["first_pieces"].startswith("The first player has no number of pieces of his own")
    assert "22" in said["second_pieces"]
    own = {key: words for key, _, words in family("points").words(SHIPPED["nerenchi-keliya-dlp"])}
    assert own["first_pieces"] == "Pieces of the first player: 9."
    for name, spec in SPECS.items():
        known = family(name.partition(".")[0]).schema["properties"]
        for other, wordings in spec.get("x-where", {}).items():
            assert set(wordings) <= {"*", *words_of(known[other])}


CHEQUERED = [slug for slug, one in SHIPPED.items() if str(one.parameters.get("board")).startswith("chequered")]


def test_squares_are_no_points_and_have_no_lines() -> None:
    """Parker of Dam: "The pieces move in the squares instead of going along the lines." """
    for slug in CHEQUERED:
        said = family("points").sentences(SHIPPED[slug]).values()
        assert [words for words in said if re.search(r"\bpoints?\b|\b(a|one) line\b", words)] == []
        assert "goes one square along a diagonal" in family("points").sentences(SHIPPED[slug])["second_reach"]


def test_rules_of_men_alone_name_men_where_kings_differ() -> None:
    """Parker of Dam's kings: "the option of remaining", "to the end of each diagonal at one move"."""
    dam = family("points").sentences(SHIPPED["dam-parker"])
    assert dam["chain"].startswith("A man that has jumped must go on")
    assert dam["first_reach"].startswith("A man of the first player")
    assert dam["captures_by"].startswith("Men of both players")
    kotu = family("points").sentences(SHIPPED["kotu-ellima-ludovisi"])
    assert kotu["chain"].startswith("A piece that has jumped must go on")
    assert kotu["first_reach"].startswith("A piece of the first player")
    assert kotu["captures"] == "Pieces jump in every direction."


def test_names_with_numbers_are_listed_as_they_are_counted() -> None:
    words = family("points").sentences(SHIPPED["dam-parker"])["second_array"]
    assert "a8, a10, a12, b9, b11" in words


def test_nobody_has_one_pieces() -> None:
    for slug in SHIPPED:
        said = family(SHIPPED[slug].family).sentences(SHIPPED[slug]).values()
        assert [words for words in said if re.search(r"\b1 (pieces|points|turns|counters|squares)\b", words)] == []


def test_a_ruleset_says_every_one_of_its_rules():
    """What a document sets, then what is played because it is left as it usually is; in the order of the schema."""
    for slug in SHIPPED:
        ruleset = SHIPPED[slug]
        kind = family(ruleset.family)
        said = [key for key, _, _ in kind.words(ruleset)]
        left_out = [key for key, _, _ in kind.left_out(ruleset)]
        inactive = kind.inactive(ruleset.parameters)
        assert [key for key in ruleset.document if key != "family" and key not in said] == []
        assert not {*said} & {*left_out}, slug
        assert {*said} | {*left_out} == {*ruleset.parameters} - {*inactive} - {"family"}
        order = [key for key in kind.schema["properties"] if key in said]
        assert said == order, slug
        for _, _, words in kind.words(ruleset) + kind.left_out(ruleset):
            assert words != NOT_ARISING
            assert "{}" not in words


def test_what_is_played_without_being_set_is_told() -> None:
    """Koti keliya's document says nothing of how its pieces are laid or what a step follows: both are rules."""
    said = {key: words for key, _, words in family("points").words(SHIPPED["koti-keliya-parker"])}
    assert "moves_to" not in SHIPPED["koti-keliya-parker"].document
    assert said["moves_to"] == "A step leads along a diagonal."
    left_out = {key: words for key, _, words in family("points").left_out(SHIPPED["koti-keliya-parker"])}
    assert left_out["captures_by"] == "Nothing is captured by jumping over it."
    assert "chain" not in said.keys() | left_out.keys()  # where nothing is captured no piece jumps twice
    assert family("points").sentences(SHIPPED["koti-keliya-parker"])["chain"] == NOT_ARISING


@pytest.mark.parametrize(
    ("slug", "key"),
    [
        ("dam-parker", "line_moving"),  # no rows of three on a chequered board
        ("diviyan-keliya-parker", "line_laying"),
        ("tayam-sonalu-dlp", "safe_squares"),  # no square is marked
        ("pancha-keliya-parker", "home_row_ones"),
        ("saturankam-parker", "partner_bar"),
    ],
)
def test_a_rule_about_what_is_not_on_the_board_does_not_arise(slug: str, key: str) -> None:
    assert family(SHIPPED[slug].family).sentences(SHIPPED[slug])[key] == NOT_ARISING


@pytest.mark.parametrize(
    ("slug", "key", "words"),
    [
        # Ludovisi's question whether there are kings is answered, though nothing but the answer could stand alone.
        ("kotu-ellima-ludovisi", "kings", "No piece is crowned."),
        # a king that has jumped goes on, on a board without an edge where it could turn
        ("kotu-ellima-dlp", "king_turns", "A king that has jumped may go on in every direction."),
        # Parker of cowries (DLP.Evidence.1316): "it cannot be subdivided"
        ("pancha-keliya-parker", "division", "A throw is played whole by one piece."),
        # DLP.Evidence.692: "The losing player begins the round"; he lays from an end of his choice
        ("daramuti-dlp", "round_starter", "The player who owns fewer counters begins the next round."),
        # The paraphrase of DLP.Evidence.741: "starting from the left"
        ("mawkar-katiya-dlp", "layout_from", "The player who is short lays out his counters from the left."),
    ],
)
def test_a_rule_in_force_is_listed_even_if_no_other_would_fit(slug, key, words) -> None:
    ruleset, kind = SHIPPED[slug], family(SHIPPED[slug].family)
    assert kind.active(ruleset.parameters)[key] == kind.schema["properties"][key]["default"]
    assert kind.sentences(ruleset)[key] == words


def test_men_are_told_from_kings_only_where_there_are_kings() -> None:
    """DLP.Evidence.1480: "The Cattle only move in a forward oblique direction"; they are no men."""
    koti, draughts = (SHIPPED[slug] for slug in ("koti-keliya-parker", "english-draughts-reference"))
    points = family("points")
    assert points.sentences(koti)["second_steps"] == "Pieces of the second player step forward only: down the board."
    assert points.sentences(draughts)["second_steps"] == "Men of the second player step forward only: down the board."
