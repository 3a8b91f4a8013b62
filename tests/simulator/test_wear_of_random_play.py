"""Random play by symmetrical rules: here it is not called lopsided, and by turning games to their mean it is."""

import re
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from simulator.batches.traffic import shares_of
from simulator.engine import playout
from simulator.engine.families.points.symmetry import symmetry
from simulator.engine.traffic import BLOCKS, Sums, merged
from simulator.statistics.wear import lopsided
from tests.engine.test_candidates import candidate
from tests.engine.test_traffic import layout_of
from tests.simulator.test_statistics_wear import folded

RULESET = candidate("haretavl-four-dogs-two-hares-no-extension-joined-diagonal")
SETS, PARTS = 12, 4


def played_apart(games: int, seed: int) -> np.ndarray:
    """The shares of the lines of each of so many games in which a piece moved: float64[games, lines]."""
    layout, found = layout_of(RULESET), []
    for first in range(0, games, BLOCKS):
        sums, some = Sums.none(layout.cells), min(BLOCKS, games - first)
        playout.play_block(RULESET, ("random", "random"), seed, first, some, 200, "game", traffic=sums)
        found.append(shares_of(sums, layout, "lines").weights[:some])
    counted = np.concatenate(found).astype(np.float64)
    return counted[counted.sum(axis=1) > 0]


def test_the_page_on_symmetry_has_the_figures_of_its_games() -> None:
    page = Path("templates/docs/symmetry.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \w+: (.*) \| ([\d., ]+) \| ([\d., ]+) \|$", page, re.MULTILINE)
    assert len(rows) == 3
    games, found, layout = played_apart(1_000, seed=1), symmetry(RULESET.parameters), layout_of(RULESET)
    turned = folded(games, [list(one) for one in found.line_group])
    played = games / games.sum(axis=1, keepdims=True)
    for lines, *figures in rows:
        orbit = [layout.lines.index(tuple(line.split("–"))) for line in lines.split(", ")]
        assert tuple(sorted(orbit)) in found.lines
        for shares, told in zip((played, turned), figures, strict=True):
            assert ", ".join(f"{100 * share:.1f}" for share in shares.mean(axis=0)[orbit]) == told


@pytest.mark.by_turns
def test_what_is_symmetrical_is_not_called_lopsided() -> None:
    """The four slanting lines of the ten points: sets of 1,024 games, played so that each stands in a block alone."""
    found, layout = symmetry(RULESET.parameters), layout_of(RULESET)
    slanting = next(one for one in found.lines if {layout.lines[line] for line in one} >= {("b1", "a2")})
    assert (len(slanting), len(found.group)) == (4, 4)
    own = other = 0
    for seed in range(SETS):
        parts = [Sums.none(layout.cells) for _ in range(PARTS)]
        for part, sums in enumerate(parts):
            playout.play_block(RULESET, ("random", "random"), seed, part * BLOCKS, BLOCKS, 200, "game", traffic=sums)
        lines = shares_of(merged(parts), layout, "lines")
        called = lopsided(lines, [slanting], found.line_group, seed=seed, resamples=99)
        own += called is not None and called.chance <= 0.05
        games = np.concatenate([shares_of(sums, layout, "lines").weights for sums in parts])
        games = folded(games[games.sum(axis=1) > 0], [list(one) for one in found.line_group])
        shares = games[:, slanting] / games[:, slanting].sum(axis=1, keepdims=True).clip(1e-9)
        mean, error = shares.mean(axis=0), shares.std(axis=0) / np.sqrt(len(shares))
        other += bool(np.max(mean - 2.5 * error) > 0.25)
    assert own <= binom.ppf(0.999, SETS, 0.05)
    assert other >= SETS - 1
