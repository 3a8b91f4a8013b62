"""Readings side by side in words: the rules that differ, what a reading is called, sentences from verdicts."""

from typing import Any

import pytest

from catalogue.analyses.comparison_document import Told, _unpair, drawn_apart, pairing, sentence
from catalogue.analyses.comparison_words import (
    VERDICTS,
    differing,
    is_same_game,
    margins_in_words,
    reading_name,
    sections,
)
from simulator.engine.family import FAMILY_NAMES, NOT_ARISING, family
from simulator.rulesets import SHIPPED, read_file

SEATS = ("first player", "second player")
READINGS = ("the portal’s paraphrase", "Parker’s reading")


def read(slug: str) -> Any:
    return read_file(SHIPPED / f"{slug}.json").ruleset


def figure(value: float, low: float, high: float) -> dict[str, Any]:
    return {"value": value, "low": low, "high": high, "text": f"{value:g}"}


def share(key: str, verdict: str = "same", change: tuple[float, float, float] = (0.0, -0.004, 0.004)) -> dict[str, Any]:
    both = {"first": figure(0.5, 0.4, 0.6), "second": figure(0.5, 0.4, 0.6)}
    if key in ("draw", "endless", "unfinished"):
        both = {"first": figure(0, 0, 0.01), "second": figure(0, 0, 0.01)}
    return {"key": key, "verdict": verdict, "difference": figure(*change), "pairing_gain": 1.0, **both}


def a_pair(length: str = "differs", ratio: tuple[float, float, float] = (1.8, 1.72, 1.88), **changed: Any) -> Any:
    keys = ("won_0", "won_1", "first_player_advantage", "draw", "endless", "unfinished")
    measures = {key: share(key) for key in keys} | {one["key"]: one for one in changed.pop("shares", ())}
    turns = {"key": "turns", "verdict": length, "ratio": figure(*ratio), "difference": figure(9, 8, 10)}
    rest = changed.pop("rest", ())
    return {
        "games": 400, "cap": 2000, "identical": {"count": 3},
        "measures": [*measures.values(), {**turns, "pairing_gain": 1.3}, *rest], **changed,
    }  # fmt: skip


def in_words(pair: Any, seats: tuple[str, ...] = SEATS) -> str:
    return sentence(pair, READINGS, Told("random", "", seats))


def test_the_sentence_of_the_plan() -> None:
    advantage = share("first_player_advantage", "undecided", (0.003, -0.011, 0.017))
    assert in_words(a_pair(shares=[advantage])) == (
        "Under Parker’s reading, between random players, games are 1.80 times as long [1.72, 1.88] as under the "
        "portal’s paraphrase; it is undecided whether the first player’s advantage changes (+0.3 percentage points "
        "[−1.1, +1.7])."
    )


def test_a_length_within_the_margin_and_one_that_is_undecided() -> None:
    assert "games are as long as under the portal’s paraphrase, within the margin (1.01 times" in in_words(
        a_pair("same", (1.01, 1.0, 1.02))
    )
    assert "it is undecided whether games are longer than under" in in_words(a_pair("undecided", (1.1, 0.9, 1.3)))


def test_ends_that_differ_and_the_cap_stand_in_the_sentence() -> None:
    fewer = {**share("unfinished", "differs", (-0.1, -0.13, -0.07)), "first": figure(0.1, 0.07, 0.13)}
    text = in_words(a_pair(shares=[fewer, share("draw", "differs", (0.2, 0.15, 0.25))]))
    assert "unfinished games are less frequent by 10.0 percentage points [7.0, 13.0]" in text
    assert "draws are more frequent by 20.0 percentage points [15.0, 25.0]" in text
    assert "counted up to turn 2,000" in text


def test_roles_are_named_and_four_seats_are_told_one_by_one() -> None:
    hunter = share("first_player_advantage", "differs", (0.04, 0.02, 0.06))
    assert "the advantage of the hunter (first player) changes by +4.0 percentage points" in in_words(
        a_pair(shares=[hunter]), ("hunter (first player)", "herd (second player)")
    )
    pair = a_pair(shares=[share("won_2", "differs", (0.05, 0.03, 0.07)), share("won_3")])
    pair["measures"] = [one for one in pair["measures"] if one["key"] != "first_player_advantage"]
    seats = (*SEATS, "third player", "fourth player")
    assert "the third player wins more often by 5.0 percentage points [3.0, 7.0]" in in_words(pair, seats)


def test_the_other_measures_are_counted() -> None:
    rest = [{"key": f"x{n}", "verdict": verdict} for n, verdict in enumerate(("differs", "differs", "same"))]
    assert in_words(a_pair(rest=rest)).endswith("of the 3 other measures 2 differ and 1 is the same within the margin.")


def test_measures_of_one_verdict_are_told_together() -> None:
    rest = [{"key": f"x{n}", "verdict": "same"} for n in range(3)]
    assert in_words(a_pair(rest=rest)).endswith("; all 3 other measures are the same within the margin.")
    assert in_words(a_pair(rest=rest[:1])).endswith("; the other measure is the same within the margin.")


def test_identical_games_need_no_figures() -> None:
    pair = a_pair(identical={"count": 400})
    assert in_words(pair) == (
        "Under Parker’s reading, between random players, every one of the 400 games is the same as under the portal’s "
        "paraphrase: so far as it was played, it is the same game."
    )
    assert pairing(pair, SEATS).startswith("Every pair of games is alike")


def test_what_pairing_gained_is_told_in_games() -> None:
    assert pairing(a_pair(), SEATS) == (
        "Both played the same game numbers of one seed. Pairing was worth 1.30 times the games for their length and "
        "1.00 times the games for the share won by the first player: so many games drawn apart would have told as much."
    )


def test_games_of_two_games_are_no_pairs() -> None:
    """A game number is one sequence of draws, which mean nothing alike under the rules of another game."""
    games_of = {"hat": 1, "hat-ludii": 1, "kotu": 2}
    assert drawn_apart("hat", "kotu@2", games_of)
    assert not drawn_apart("hat@2", "hat-ludii", games_of)
    assert not drawn_apart("hat", "0123456789abcdef", games_of)  # a what-if has no other game than its reading's
    pair = a_pair(identical={"count": 400})
    _unpair(pair)
    assert not is_same_game(pair)
    assert {measure["pairing_gain"] for measure in pair["measures"]} == {None}
    assert not any("discordant" in measure for measure in pair["measures"])


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Daramuti, after Parker", "Parker’s reading"),
        ("Mawkar katiya, after Das-Gupta", "Das-Gupta’s reading"),
        ("Daramuti, after the portal’s paraphrase", "the portal’s paraphrase"),
        ("Daramuti, as the Ludii programme plays it", "the Ludii programme’s rules"),
        ("Kalah, reference rules", "“Reference rules”"),
        ("", "the ruleset daramuti-parker@1"),
    ],
)
def test_a_reading_is_called_by_whose_it_is(title: str, expected: str) -> None:
    assert reading_name(title, "daramuti-parker@1", among_games=False) == expected


def test_readings_of_several_games_have_their_whole_title() -> None:
    assert reading_name("Daramuti, after Parker", "x", among_games=True) == "“Daramuti, after Parker”"
    assert reading_name("", "ab12cd34" * 8, among_games=False) == "the ruleset ab12cd34"


def test_only_rules_that_differ_are_listed_each_with_both_values() -> None:
    first, second = read("hat-diviyan-keliya-ludovisi"), read("hat-diviyan-keliya-ludii")
    rules = differing(family("points"), [first, second])
    assert [rule["key"] for rule in rules] == ["chain", "second_stuck", "stuck_after_laying"]
    assert [side["value"] for side in rules[0]["sides"]] == ["may_go_on", "off"]
    assert rules[0]["sides"][0]["words"] == "A piece that has jumped may jump again in the same turn, and may stop."
    assert (rules[0]["sides"][1]["words"], rules[0]["sides"][1]["off"]) == ("A piece jumps once in a turn.", True)
    assert rules[1]["sides"][0]["words"] == "The second player passes when he has no move."


def test_a_ruleset_differs_from_itself_in_nothing() -> None:
    assert differing(family("sowing"), [read("daramuti-parker")] * 3) == []


def test_what_never_fires_is_no_rule_whatever_its_off_value_says() -> None:
    rules = {
        rule["key"]: rule for rule in differing(family("sowing"), [read("kalah-reference"), read("puhulmutu-dlp")])
    }
    assert rules["remainder_from_round"]["sides"][0]["words"] == NOT_ARISING


@pytest.mark.parametrize("name", FAMILY_NAMES)
def test_every_rule_of_every_pair_of_a_family_has_words(name: str) -> None:
    rulesets = [file.ruleset for file in map(read_file, sorted(SHIPPED.glob("*.json"))) if file.ruleset.family == name]
    for rule in differing(family(name), rulesets):
        assert all(side["words"].strip() for side in rule["sides"]), rule["key"]


def test_a_verdict_is_a_word_and_a_sign() -> None:
    measure = {
        "title": "Laps", "section": "Course", "note": "Up to the cap.", "first": figure(1, 0, 2),
        "second": figure(2, 1, 3),
        "difference": figure(1, 0, 2), "ratio": figure(2, 1, 3), "verdict": "undecided", "games_needed": 900,
        "pairing_gain": 1.0,
    }  # fmt: skip
    [section] = sections([measure, {**measure, "title": "Captures", "verdict": "differs"}])
    assert [(row.sign, row.verdict) for row in section.rows] == [VERDICTS["undecided"], VERDICTS["differs"]]
    assert [row.note for row in section.rows] == ["Up to the cap.", ""]
    assert section.rows[0].sizes == ("2 times as much", "pairing worth 1.00 times the games")
    assert section.rows[0].needed == 900


def test_margins_in_words() -> None:
    assert margins_in_words({"shares": 0.01, "amounts": 0.025}) == {"shares": "1 percentage point", "amounts": "2.5 %"}
