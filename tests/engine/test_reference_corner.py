"""The reference corner: one file a game is all that a game needs, and what it says can be played to an end."""

import json

import numpy as np
import pytest

from simulator.engine import playout, shipped
from simulator.engine.family import family
from tests.choice import rulesets_of_the_day
from tests.engine.rulesets import CORNER, FOLDER

FILES = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("reference/*.json"))}
GAMES = 1000
FROM_PAGES = "Held against the rules as Mind Sports South Africa published them on its pages."
WITHOUT_CHOICE = {"sat-gol-reference"}  # every turn has one move


def test_the_corner_is_listed_apart() -> None:
    """What is measured, priced and played for an edition goes over the others alone."""
    assert set(shipped.rulesets()) - set(shipped.measured()) == set(CORNER)
    assert len(CORNER) >= 30
    assert not [name for name in CORNER if (FOLDER / f"{name}.json").exists()]


def test_a_file_says_what_it_rests_on() -> None:
    for slug, file in FILES.items():
        assert file["slug"] == slug
        reference, keys = file["reference"], set(file["document"])
        assert {place.partition("[")[0] for place in reference.get("conjecture", ())} <= keys, slug
        assert keys - set(reference.get("conjecture", ())) > {"family"}, slug
        assert reference["source"][-1] != ".", slug
        assert reference["checked"].startswith("Held against "), slug
        assert reference["checked"].endswith(" was not opened.") or reference["checked"] == FROM_PAGES, slug


@pytest.mark.parametrize("slug", rulesets_of_the_day(CORNER, 3))
def test_random_games_end_and_each_side_wins_some(slug: str) -> None:
    ruleset = CORNER[slug]
    kind = family(ruleset.family)
    seats = kind.seats(ruleset.parameters)
    rows = playout.play_block(ruleset, ("random",) * seats, 1, 0, GAMES, 2000, "game")
    names = [measure.name for measure in kind.measures]
    turns, winners = (rows[:, names.index(name)] for name in ("turns", "winners"))
    assert np.mean(turns < 2000) > 0.9
    if slug not in WITHOUT_CHOICE:
        assert all(np.any(winners >> seat & 1) for seat in range(seats))
