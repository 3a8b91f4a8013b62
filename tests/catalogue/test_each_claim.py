"""Every claim that is tested: its tests hold on games in which it is true, and fail on games in which it is false.

Games are rows made by hand, a hundred of each ruleset, all alike in what the test looks at. What is decided without
games is held against rulesets changed so that the sentence is true or false of them, and against solutions by hand.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from catalogue.analyses import claim_definitions
from catalogue.analyses.claim_definitions import (
    ALIKE,
    DIFFERENCE,
    FIRST_MOVES,
    PLAYED,
    RULE,
    SOLUTION,
    THROWS,
    WITNESS,
    ClaimTest,
    knows_its_kinds,
)
from catalogue.analyses.claim_figures import judged
from catalogue.analyses.claim_games import Games
from catalogue.analyses.claim_proofs import EXACTLY, fits, judged_by_solution
from catalogue.models import Verdict
from simulator.engine.documents import parse_kept
from simulator.engine.family import family
from simulator.engine.ruleset import Ruleset, RulesetProblem
from tests.catalogue.test_claims import SHIPPED
from tests.engine.rulesets import RULESETS

YES, NO, OPEN = Verdict.Kind.SUPPORTED, Verdict.Kind.NOT_SUPPORTED, Verdict.Kind.UNDECIDED
GAMES = 100  # of each batch: a share of all of them is at least 96.3 %
Columns = Mapping[str, Any]
# What was counted of every game, where the claim is true of it and where it is false; of a difference that of the first
# ruleset, and of the second the other way round. Columns that some tests of the claim do not look at do no harm.
BY_HAND: dict[str, tuple[Columns, Columns]] = {
    "experience-wins": ({"end": 0, "winners": 1}, {"end": 0, "winners": 2}),
    "eaten-while-laying": (
        {"first_capture_ended": 1, "first_capture_turns": 48, "taken_0_at_50": 2, "turns": 100, "end": 3},
        {"first_capture_ended": 1, "first_capture_turns": 49, "taken_0_at_50": 2, "turns": 100, "end": 3},
    ),
    "eight-taken": ({"end": 0, "winners": 1, "taken_0": 8}, {"end": 0, "winners": 2, "taken_0": 8}),
    "cattle-always-win": ({"end": 0, "winners": 2}, {"end": 0, "winners": 1}),
    "little-chance-while-laying": (
        {"first_capture_ended": 1, "first_capture_turns": 15, "end": 0, "winners": 2, "turns": 15},
        {"first_capture_ended": 1, "first_capture_turns": 9, "end": 0, "winners": 2, "turns": 9},
    ),
    "simplest-game": ({"decisions": 10, "options": 30}, {"decisions": 11, "options": 31}),
    "very-long": ({"laps": 2400}, {"laps": 2399}),
    "nearly-interminable": ({"laps": 2400, "turns": 11}, {"laps": 2399, "turns": 10}),
    "almost-interminable": ({"laps": 2400}, {"laps": 2399}),
    "more-than-35": (
        {"first_round_ended": 1, "first_round_winner": 1},
        {"first_round_ended": 1, "first_round_winner": -1},
    ),
    "the-plank-is-emptied": (
        {"first_round_ended": 1, "first_round_captures": 70},
        {"first_round_ended": 1, "first_round_captures": 69},
    ),
    "good-players-come-to-moves": ({"turns": 24}, {"turns": 23}),
    "short-game": ({"turns": 60}, {"turns": 61}),
    "one-counter-pure-chance": ({"decisions": 11}, {"decisions": 10}),
    "discrimination": ({"end": 0, "winners": 1}, {"end": 0, "winners": 2}),
    "one-has-fewer": (
        {"first_round_ended": 1, "first_round_winner": 0},
        {"first_round_ended": 1, "first_round_winner": -1},
    ),
    "ash-pumpkins-shortens": ({"turns": 10}, {"turns": 11}),
    "bring-both-up": ({"end": 0, "winners": 1}, {"end": 0, "winners": 2}),
    "doubles-delay": ({"turns": 11}, {"turns": 10}),
}
# Of the players of a game who is behind after its first round is another for every second test.
REGAINS = {"recovered_rounds": (2, 1), "lead_changes": (2, 1)}
# Rulesets of which what is exact is true, and false: what is changed in that of the test.
CHANGED: dict[tuple[str, str], tuple[Mapping[str, Any], Mapping[str, Any]]] = {
    ("all-four-ends-tied", WITNESS): ({}, {"tied_ends": False}),
    ("lasts-for-hours", WITNESS): ({}, {"next_round": "off"}),
    ("may-outlast-laying", WITNESS): ({}, {"turn_limit": 20}),
    ("first-move-sacrifice", FIRST_MOVES): ({"captures": "any"}, {"captures_by": "first"}),
    ("both-as-easily-as-one", THROWS): ({}, {"exit_alone": "any_die", "exit_doubles": []}),
}
LENGTHS = {"moves-go-on": (16, 9), "good-players-come-to-moves": (30, 9)}  # plies of faultless play
TESTED = [claim for claim in SHIPPED if claim.get("tests")]


def judged_by_hand(slug: str, test: Mapping[str, Any], is_true: bool) -> Verdict.Kind:
    read = claim_definitions.read(test)
    rulesets = [side.ruleset(RULESETS) for side in read.sides]
    if read.both_seats:
        rulesets *= 2
    games = [
        games_of(read, ruleset, columns_of(slug, read, place, is_true), counts_kinds=knows_its_kinds(test))
        for place, ruleset in enumerate(rulesets)
    ]
    return judged(read, games).kind


def columns_of(slug: str, read: ClaimTest, place: int, is_true: bool) -> Columns:
    """What every game of one batch of the test comes to."""
    if slug == "regains-his-seeds":
        return columns_of_regaining(read, place, is_true)
    true, false = BY_HAND[slug]
    if read.kind == DIFFERENCE:
        return true if is_true == (place == 0) else false
    if read.kind == ALIKE:
        return true if is_true or place == 0 else false
    columns = dict(true if is_true else false)
    if place and "winners" in columns:  # the players are exchanged
        columns["winners"] = 3 - columns["winners"]
    return columns


def columns_of_regaining(read: ClaimTest, place: int, is_true: bool) -> Columns:
    if read.kind == DIFFERENCE:
        more, less = REGAINS[read.measure]
        return {read.measure: more if is_true == (place == 0) else less, "first_round_ended": 1}
    if read.until == "round":  # who was left with fewer is the first player
        return {"first_round_ended": 1, "first_round_winner": 0 if is_true else 1}
    ahead = next(one.value for one in read.among if one.measure == "first_round_winner")
    return {"first_round_ended": 1, "first_round_winner": ahead, "winners": 1 << (1 - ahead if is_true else ahead)}


def games_of(read: ClaimTest, ruleset: Ruleset, columns: Columns, *, counts_kinds: bool) -> Games:
    measures = family(ruleset.family).named_measures(ruleset.parameters)
    names = [measure.name for measure in measures]
    rows = np.zeros((GAMES, len(measures)), dtype=np.int32)
    for name, value in columns.items():
        rows[:, names.index(name)] = value
    return Games(rows, measures, read.cap, np.arange(GAMES) if counts_kinds else None)


def solution(test: Mapping[str, Any], is_true: bool, slug: str) -> dict[str, Any]:
    """A solution by hand: the first move that is named is best or is not, the game so long, a win so likely."""
    own, other = (0.9, 0.8) if is_true else (0.8, 0.9)
    if test.get("chooses"):
        share = 0.7 if is_true else 0.4
        pairs = [("best", "random", share), ("random", "best", 1 - share)]
        return {
            "method": "value_iteration",
            "chances": [{"first": a, "second": b, "lower": low, "upper": low + 1e-6} for a, b, low in pairs],
        }
    plies = LENGTHS[slug][0 if is_true else 1] if slug in LENGTHS else 0
    ends = (15, 13) if is_true else (13, 13)  # a later loss is better; alike is no better
    moves = [
        {"name": test.get("first_move", "a"), "value": "second_wins", "plies": ends[0], "against_random": own},
        {"name": "b", "value": "second_wins", "plies": ends[1], "against_random": other},
    ]
    start = {"mover": 0, "value": "second_wins", "plies": plies}
    return {"method": "retrograde", "start": start, "first_moves": moves}


@pytest.mark.parametrize("claim", TESTED, ids=[claim["slug"] for claim in TESTED])
def test_it_holds_where_the_claim_is_true_and_fails_where_false(claim: dict[str, Any]) -> None:
    slug = claim["slug"]
    for number, test in enumerate(claim["tests"], start=1):
        kind = test["kind"]
        if kind in PLAYED:
            found = [judged_by_hand(slug, test, is_true) for is_true in (True, False)]
            expected = [YES, NO]
        elif kind == SOLUTION:
            documents = [solution(test, is_true, slug) for is_true in (True, False)]
            read = claim_definitions.read(test)
            assert all(fits(read, document) for document in documents)
            found = [judged_by_solution(read, document).kind for document in documents]
            expected = [YES, NO]
        else:
            found, expected = exactly(slug, test)
        assert found == expected, (slug, number)


def changed(own: Ruleset, changes: Mapping[str, Any]) -> Ruleset:
    """The ruleset with these parameters changed, without those that never fire then."""
    document = {**own.document, **changes}
    for _ in document:
        try:
            return parse_kept(document)
        except RulesetProblem as error:
            document = {key: value for key, value in document.items() if key not in {one.key for one in error.problems}}
    raise AssertionError(changes)


def exactly(slug: str, test: Mapping[str, Any]) -> tuple[list[Verdict.Kind], list[Verdict.Kind]]:
    """What an exact test says of a ruleset of which the sentence is true, and of one of which it is false.

    A game that is no witness shows nothing, and a rule that is another one decides nothing.
    """
    read, own = claim_definitions.read(test), RULESETS[test["ruleset"]]
    if test["kind"] == RULE:
        others = {"laying_ends": "own_hand", "capture_next": "opposite_empty"}
        other = parse_kept({**own.document, read.parameter: others[read.parameter]})
        return [EXACTLY[RULE](read, ruleset)[0].kind for ruleset in (own, other)], [NO, OPEN]
    rulesets = [changed(own, changes) for changes in CHANGED[slug, test["kind"]]]
    found = [EXACTLY[test["kind"]](read, ruleset)[0].kind for ruleset in rulesets]
    return found, [YES, OPEN if test["kind"] == WITNESS else NO]


def test_every_claim_about_what_can_happen_names_a_witness() -> None:
    """“May” is a claim of existence: one game shows it, and no share of games is asked for."""
    may = [claim for claim in TESTED if " may " in claim["title"]]
    assert {claim["slug"] for claim in may} == {"all-four-ends-tied", "lasts-for-hours", "may-outlast-laying"}
    assert {test["kind"] for claim in may for test in claim["tests"]} == {WITNESS}


def test_numbers_of_games_can_decide_what_is_claimed() -> None:
    """Were all games of a test as claimed, its interval would lie on that side; and they can be of fifty kinds."""
    for claim in TESTED:
        for number, test in enumerate(claim["tests"], start=1):
            if "games" not in test:
                continue
            read = claim_definitions.read(test)
            games = test["games"] * (2 if read.both_seats else 1)
            assert games >= 50, (claim["slug"], number)
            if read.demand.word in ("at_least", "at_most") and test["kind"] in ("share", "alike"):
                claimed = read.demand.value if read.demand.word == "at_least" else 1 - read.demand.value
                assert games / (games + 1.96**2) >= claimed, (claim["slug"], number)  # Wilson, of all of them


def said_of(slug: str) -> list[tuple[Verdict.Kind, str]]:
    """What the exact tests of a claim say of the readings."""
    claim = next(claim for claim in TESTED if claim["slug"] == slug)
    tests = [claim_definitions.read(test) for test in claim["tests"]]
    found = [EXACTLY[test.kind](test, test.sides[0].ruleset(RULESETS))[0] for test in tests]
    return [(one.kind, one.text) for one in found]


def test_every_first_move_of_kotu_ellima_with_its_reply() -> None:
    """By hand, on the array of each reading: in that after the paraphrase nothing takes a piece that came from f5."""
    ludovisi, dlp, ludii = said_of("first-move-sacrifice")
    assert ludovisi == (YES, "After 4 of 4 first moves: d4-e5 (f6xd4), e4-e5 (e6xe4), f4-e5 (d6xf4), d5-e5 (f5xd5).")
    assert dlp[0] == NO
    assert dlp[1].startswith("After 3 of 4 first moves: ")
    assert dlp[1].endswith(" Not after f5-e5.")
    assert ludii[0] == YES


def test_all_throws_of_saturankam_at_each_distance() -> None:
    """Sixteen rolls of two dice with 1, 3, 4 and 6 on them, by hand: a double takes out both, or what the dice add up
    to, and one alone where no double is asked for. At seven one alone goes by four rolls, 1-6, 6-1, 3-4 and 4-3."""
    by_hand = "1: 1 and 1; 2: 1 and 2; 3: 1 and 1; 4: 1 and 1; 5: 2 and 2; 6: 1 and 1; 7: 4 and 0."
    for kind, text in said_of("both-as-easily-as-one"):
        assert kind == YES
        assert text == (
            "Squares from the end, and of 16 throws those that take a single one home and both: "
            f"{by_hand} It is so up to 6."
        )
