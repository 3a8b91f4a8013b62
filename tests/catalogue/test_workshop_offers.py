"""How rules are offered for words: what their weights are learnt of, and what the ranking makes of what it knows."""

from dataclasses import replace

import numpy as np
from django.test import TestCase

from catalogue.workshop.learning import ALL, Folds, learnt, measured
from catalogue.workshop.ranking import OF_IDLE, OF_MISSING, Example, Ranking, Search, ways_in

WORDS = {
    "relay": "the last seed falls into a full hole and is lifted and sown on",
    "counters_per_hole": "four seeds are put in every hole",
    "next_round": "each refills his holes for another round",
}
GAMES = ("one", "two", "three")
FOUND = [
    Example(game, "sowing", f"{words} in {game}", frozenset({key}), {key: None}, game)
    for game in GAMES
    for key, words in WORDS.items()
]


def test_numbers_that_tell_what_is_right_count_for_more() -> None:
    right = np.eye(4)
    chance = np.random.default_rng(1)
    numbers = np.stack([right + chance.normal(0, 0.2, (4, 4)), chance.normal(0, 0.2, (4, 4))], axis=2)
    telling, noise = learnt([(np.pad(numbers, ((0, 0), (0, 0), (0, 3))), right)])[:2]
    assert telling > 1 > abs(noise)


def test_a_search_finds_rare_words_before_common_ones() -> None:
    texts = [{"seed": 1.0, "hole": 1.0}, {"seed": 1.0, "king": 1.0}, {"seed": 3.0}]
    scores = Search(texts).scores("king seed")
    assert scores.argmax() == 1


def test_to_the_right_is_another_way_than_from_the_right() -> None:
    assert ways_in("towards his right") == ways_in("from left to right") == {"right"} != ways_in("from right to left")
    values = Ranking("sowing", FOUND).values("direction", "sown one by one, to the right")
    assert values.index("anticlockwise") < values.index("clockwise")


class OffersTests(TestCase):
    def test_what_a_draft_says_so_far_puts_rules_forward_and_back(self) -> None:
        ranked = Ranking("sowing", FOUND)
        alone, beside = (
            {one.key: one.score for one in ranked.offers("four seeds in every hole", (), document)}
            for document in (None, {"family": "sowing", "holes_per_row": 6})
        )
        moved = {key: round(beside[key] - score, 6) for key, score in alone.items()}
        wanted = {"counters_per_hole": OF_MISSING, "barred_in_chain": -OF_IDLE, "holes_per_row": 0, "relay": 0}
        assert {key: moved[key] for key in wanted} == wanted

    def test_like_words_are_offered_the_rule_first(self) -> None:
        ranked = Ranking("sowing", FOUND)
        offers = ranked.offers("the last seed falls into a full hole")
        assert (offers[0].key, offers[0].like.reading in GAMES) == ("relay", True)
        assert len(offers) == len(ranked.keys)

    def test_nothing_is_learnt_of_the_game_that_is_measured(self) -> None:
        spoilt = [replace(one, text="palm", keys=frozenset({"palm"})) if one.game == "one" else one for one in FOUND]
        assert Folds(FOUND).weights("one") == Folds(spoilt).weights("one") != Folds(spoilt).weights("two")

    def test_words_of_answers_are_known_and_not_measured(self) -> None:
        answered = replace(FOUND[0], text="sown on from there", answered=True)
        found = measured(Folds([*FOUND, answered]), ALL)
        assert (found.selections, found.among[5]) == (len(FOUND), 1.0)
