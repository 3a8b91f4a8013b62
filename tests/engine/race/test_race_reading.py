"""How the text of a race is to be read: every square of the ways, and every way to write a move."""

import re
from itertools import islice, pairwise

import pytest

from simulator.engine.families.race import notation
from simulator.engine.families.race.notation import how_to_read, step_name
from simulator.engine.families.race.referee.contract import moves
from simulator.engine.families.race.referee.way import course
from simulator.engine.referee_playout import plies
from tests.choice import rulesets_of_the_day
from tests.engine.race.positions import CASES, SOME_CASES
from tests.engine.rulesets import RACES

SIGNS = (" one", "+one", "by name", "extra", " of ", "in all", "alone", "together", "by the double")


@pytest.mark.parametrize("slug", rulesets_of_the_day(RACES, 6))
def test_the_ways_lead_over_every_square_in_its_order(slug):
    rules = RACES[slug].parameters
    lines = [line for line in how_to_read(rules).splitlines() if line.startswith("Way of")]
    assert len(lines) == (1 if "the same way" in how_to_read(rules) else rules["seats"])
    for seat, line in enumerate(lines):
        parts = [part.split("–") for part in line.partition(": ")[2].removesuffix(".").split(", ")[:-1]]
        way = [step_name(rules, seat, step) for step in range(1, course(rules).home)]
        assert [square for bends in parts for square in _walked(bends)] == [name.removesuffix("'") for name in way]
        assert {bend for bends in parts for bend in bends} <= {*way}


def _walked(bends):
    """Every square of a broken line, by the names of its bends."""
    places = [(ord(bend[0]), int(bend[1:].strip("'"))) for bend in bends]
    walked = places[:1]
    for (x, y), (to_x, to_y) in pairwise(places):
        far = max(abs(to_x - x), abs(to_y - y))
        walked += [(x + (to_x - x) * i // far, y + (to_y - y) * i // far) for i in range(1, far + 1)]
    return [f"{chr(x)}{y}" for x, y in walked]


@pytest.mark.parametrize("name", SOME_CASES)
def test_every_way_to_write_a_move_is_explained(name):
    rules = CASES[name].parameters
    explained = how_to_read(rules)
    for ply in islice(plies(CASES[name], 3, 1), 300):
        for move in moves(rules, ply.before):
            written = notation.move_name(rules, ply.before, move)
            assert all(sign not in written or sign.strip() in explained for sign in SIGNS), written


def test_sides_marks_partners_and_the_names_of_throws():
    said = {slug: " ".join(how_to_read(ruleset.parameters).split()) for slug, ruleset in RACES.items()}
    assert "sits below, the second to the right, the third above, the fourth to the left." in said["asi-keliya-dlp"]
    assert "The first player sits below, the second above." in said["saturankam-dlp"]
    assert "plays one of the ones of so-hatara" in said["asi-keliya-dlp"]
    assert "j8 +4 by name plays sonal" in said["tayam-sonalu-dlp"]
    assert "No square is marked." in said["tayam-sonalu-dlp"]
    assert "Marked squares: a5, b5, c5, d5, e5." in said["pancha-keliya-dlp"]
    assert "home on e5. The other goes the same way from his own side." in said["saturankam-parker"]
    assert "a6 is the first square of part b too." in said["kawade-kelia-dlp"]
    assert not re.search(r"\bb1\b", said["kawade-kelia-dlp"])
    assert {slug for slug, text in said.items() if "are partners" in text} == {
        "asi-keliya-dlp",
        "pahada-keliya-crosses",
        "pahada-keliya-dlp",
        "tayam-sonalu-dlp",
    }
