"""The page of a game: what it is at a glance, five pictures of how it is played, and its readings level by level."""

from types import SimpleNamespace
from typing import Any

import pytest

from catalogue.outcomes.at_a_glance import LevelBars, endless_levels, fairness_of, in_a_sentence, in_minutes, luck_of
from catalogue.outcomes.bars import NOT_OVER
from catalogue.outcomes.figure import FigureLevel
from catalogue.play.in_pictures import PICTURES, chosen_turns, pictures_of
from catalogue.texts.leads import also_called, known_from
from simulator.engine.shipped import load
from tests.catalogue.page_world import CatalogueTestCase, plain
from tests.catalogue.planted_bars import RANDOM, bar, read, sides

GREEDY = FigureLevel("greedy", "greedy players", "greedy", "greedy players")


def test_the_lead_tells_where_when_and_by_whom() -> None:
    one = known_from(1, ["Sri Lanka"], [1909, 1909], ["Parker 1909: 599"])
    assert one == "One record tells of it: from Sri Lanka, 1909 (Parker 1909: 599)."
    many = known_from(3, ["India", "Sri Lanka", "India"], [1873, None, 1909], [])
    assert many == "3 records tell of it: from India and Sri Lanka, 1873–1909."
    assert known_from(1, [], [None], []) == "One record tells of it: from no place that is named, undated."
    assert known_from(0, [], [], []) == ""
    assert also_called(["A", "B", "A", "C", "D", "E"], "A") == "Also called B, C, D and 1 more."
    assert also_called(["A"], "A") == ""


@pytest.mark.parametrize(
    ("turns", "said"), [(6, "a minute"), (35, "6 minutes"), (123, "20 minutes"), (1500, "4 hours")]
)
def test_turns_are_told_as_minutes(turns: int, said: str) -> None:
    assert in_minutes(turns) == said


def test_fairness_is_told_only_where_the_interval_allows() -> None:
    said = [fairness_of("x", (on(RANDOM, *sides("a", "b", share), games=games),)) for share, games in FAIR]
    assert [fact and fact.said for fact in said] == [
        "Yes: as good as even between random players",
        "No: the b ahead between random players",
        None,
    ]
    assert said[0] is not None
    assert "20,000 of 20,000 games were won by a side, by the a (first player) 50.0 % (49.3 to 50.7)" in said[0].how
    assert "Played under x." in said[0].how
    few = LevelBars(RANDOM, (read("x", *sides("a", "b", 0.9), games=100),), ("only 3 different games",))
    assert fairness_of("x", (few,)) is None
    proved = fairness_of("x", (), "faultless play is won by the first player")
    assert proved is not None
    assert proved.said == "No: faultless play decides it"


FAIR = ((0.5, 20_000), (0.3, 1_000), (0.45, 60))


def on(level: FigureLevel, *shares: tuple[str, str, float], games: int = 2_000) -> LevelBars:
    return LevelBars(level, (read("x", *shares, games=games),), ("",))


def stopped(share: float) -> list[tuple[str, str, float]]:
    """Games of which so many are unfinished, and of the others half are won by either side."""
    won = (1 - share) / 2
    return [("won-0", "won by the a", won), ("won-1", "won by the b", won), ("open", NOT_OVER, share)]


def test_no_game_is_fair_that_mostly_does_not_end() -> None:
    """Daramuti: of 20,000 random games 61 % do not end, of 2,400 greedy ones none does; the rest is even."""
    facts = [
        fairness_of("x", levels)
        for levels in (
            (on(RANDOM, *stopped(0.61)), on(GREEDY, *stopped(1.0))),
            (on(RANDOM, *stopped(0.1)), on(GREEDY, *stopped(0.9))),
            (on(RANDOM, *stopped(0.0)), on(GREEDY, *sides("a", "b", 0.8))),
        )
    ]
    assert [fact and fact.said for fact in facts] == [
        "Not known: most games do not end between random and greedy players",
        "It depends on who plays: as good as even between random players; most games do not end between greedy players",
        "It depends on who plays: as good as even between random players; the a ahead between greedy players",
    ]


def test_luck_and_skill_are_told_by_lots_and_ladders() -> None:
    lots: Any = SimpleNamespace(family="race")
    none: Any = SimpleNamespace(family="sowing")
    shown = [luck_of(rules, better).said for rules in (lots, none) for better in ({"greedy": True}, {"greedy": None})]
    assert shown == ["Luck and skill", "Lots are thrown", "Skill", "No lots are thrown"]


def test_of_levels_whose_games_do_not_end_no_skill_is_told() -> None:
    """Daramuti: greedy players are better by the ladder, but of their own games none ends."""
    rules: Any = SimpleNamespace(family="sowing")
    endless = endless_levels("x", (on(RANDOM, *stopped(0.4)), on(GREEDY, *stopped(1.0))))
    fact = luck_of(rules, {"greedy": True, "club": None}, endless)
    assert fact.said == "No lots are thrown"
    assert fact.how.endswith("How much skill tells is not said: most games between greedy players do not end.")
    assert luck_of(rules, {"greedy": True, "club": True}, endless).how.endswith(
        "Shown by a ladder: club players beat those of the level below more often than not."
    )


def test_one_sentence_tells_whether_strength_matters() -> None:
    """Few games, drawn faint, say nothing; only levels whose intervals lie apart do."""
    weak, strong = (bar("Parker", *sides("a", "b", share)) for share in (0.5, 0.8))
    both = (LevelBars(RANDOM, (weak,), ("",)), LevelBars(GREEDY, (strong,), ("",)))
    assert in_a_sentence(both) == (
        "Yes: under Parker the a (first player) wins 50 of 100 decided games between random players "
        "and 80 of 100 between greedy players."
    )
    faint = (both[0], LevelBars(GREEDY, (strong,), ("only 12 games",)))
    assert in_a_sentence(faint).startswith("Not known yet")
    assert in_a_sentence((both[0], LevelBars(GREEDY, (weak,), ("",)))).startswith("Not that these games show")


def test_pictures_are_of_turns_in_which_something_is_new() -> None:
    turns = [
        (1, ["lay"]),
        (2, ["lay"]),
        (3, ["step"]),
        (4, ["jump", "capture"]),
        (5, ["stop"]),
        (9, ["pass", "game_end"]),
    ]
    assert chosen_turns(turns) == [1, 3, 4, 9]
    assert chosen_turns([(1, ["lay"]), (2, ["lay"]), (3, ["lay"]), (7, ["row"]), (8, [])]) == [1, 2, 3, 7]
    assert chosen_turns([(1, ["lay"])]) == [1]


def test_five_pictures_say_what_moved_and_point_it_out() -> None:
    pictures = pictures_of(load("hat-diviyan-keliya-ludovisi"))
    assert len(pictures) == PICTURES
    assert [picture.who for picture in pictures][:2] == [
        "Before the first move",
        "Turn 1: owner of the tiger (first player)",
    ]
    assert pictures[1].said == ("The owner of the tiger lays a piece on b1.",)
    assert ["pointed-out" in picture.svg for picture in pictures] == [False, True, True, True, True]
    assert "the game is over" in pictures[-1].said[-1]


class GamePage(CatalogueTestCase):
    def test_it_begins_with_what_a_stranger_asks(self) -> None:
        page = self.soup("/games/daramuti/")
        text = plain(str(page))
        assert "One record tells of it: from Sri Lanka, 1909 (Parker 1909: 599)." in text
        told = {entry.get_text() for entry in page.select(".glance dt")}
        assert {"Players", "Luck or skill"} <= told
        assert len(page.select(".pictures svg.board")) == PICTURES
        tap = page.select_one("p.levels a")
        assert tap is not None
        assert tap["href"] == "/rulesets/daramuti-parker/play-a-game/?players=you,random"
        assert len(page.select(".open-questions li")) == 3
