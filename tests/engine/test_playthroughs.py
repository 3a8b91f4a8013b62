"""The golden playthroughs, run again line by line: what a historian can read is what the engine does."""

import re
from pathlib import Path

import pytest

from tests.choice import rulesets_of_the_day
from tests.engine.rulesets import RULESETS, SOWING
from tests.playthroughs.write import narrate

FOLDER = Path(__file__).parents[1] / "playthroughs"


def golden(slug: str) -> str:
    return (FOLDER / f"{slug}.txt").read_text(encoding="utf-8")


def test_every_shipped_ruleset_has_one_playthrough():
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(RULESETS)


@pytest.mark.by_turns
@pytest.mark.parametrize("slug", rulesets_of_the_day(RULESETS, 3))
def test_the_narration_is_as_it_was(slug):
    lines = golden(slug).splitlines()
    seed, game = re.fullmatch(r"seed (\d+), game (\d+), random players", lines[2]).groups()
    again_lines = narrate(slug, RULESETS[slug], int(seed), int(game))
    for number, (line, again) in enumerate(zip(lines, again_lines, strict=False), 1):
        assert again == line, (
            f"line {number} of tests/playthroughs/{slug}.txt; if the change is meant, run "
            f"python -m tests.playthroughs.write {slug}"
        )
    assert len(again_lines) == len(lines)


def test_every_board_holds_all_counters():
    """Read from the text alone: as many on every board as were laid out at first."""
    for slug in SOWING:
        rules = RULESETS[slug].parameters
        total = rules["rows"] * rules["holes_per_row"] * rules["counters_per_hole"]
        rows = re.findall(r"^(.*) store (\d+) \((?:first|second) player\)$", golden(slug), re.MULTILINE)
        assert len(rows) >= 18, slug
        for (upper, of_upper), (lower, of_lower) in zip(rows[::2], rows[1::2], strict=True):
            assert sum(map(int, re.findall(r"\d+", f"{upper} {lower} {of_upper} {of_lower}"))) == total, slug


@pytest.mark.parametrize(
    ("slug", "words"),
    [
        ("puhulmutu-parker", ["[capture_making]", "passing over", "[matching]", "barred"]),
        ("walak-pussa-parker", ["[capture_next]", "[capture_next, capture_next_holes]"]),
        ("walak-pussa-dlp", ["[capture_next]", "[last_empty_ends]"]),
        ("daramuti-parker", ["[capture_opposite]"]),
        ("kotu-baendum-parker", ["ties", "[tied_ends]"]),
        ("mawkar-katiya-das-gupta", ["[en_passant]", "[capture_next]"]),
        ("puhulmutu-ludii", ["the second player 36  [singles]", "lays a full row"]),
        ("kalah-reference", ["[capture_opposite_own_counter]"]),
        ("oware-reference", ["[capture_making]"]),
    ],
)
def test_a_playthrough_shows_the_rules_that_set_its_game_apart(slug, words):
    assert not [shown for shown in words if shown not in golden(slug)]


@pytest.mark.parametrize("slug", ["dam-parker", "dam-dlp", "dam-ludii"])
def test_a_playthrough_shows_kings_though_they_come_late(slug):
    """Half of what Parker tells of Dam is of kings: a reader sees one crowned, and one that captures from afar."""
    assert "becomes a king" in golden(slug)
    assert "jumps with a king" in golden(slug)


def test_turns_are_in_order_and_none_is_lost():
    for slug in RULESETS:
        number = 0
        for line in golden(slug).splitlines():
            if turn := re.match(r"Turn (\d+), ", line):
                number += 1
                assert int(turn[1]) == number, slug
            elif left_out := re.fullmatch(r"Turns? (\d+)(?: to (\d+))? (?:is|are) not told here\.", line):
                assert int(left_out[1]) == number + 1, slug
                number = int(left_out[2] or left_out[1])
        assert f" after {number} turn" in golden(slug).splitlines()[-1]
