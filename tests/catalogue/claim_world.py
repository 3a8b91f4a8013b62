"""What the tests of tested claims stand on: the batches of a claim's tests, filled with games that nobody played."""

from typing import Any

import numpy as np

from catalogue.analyses import claim_trials
from catalogue.analyses.claims import run_tests
from catalogue.models import Claim, Verdict
from simulator.batches.rows import packed
from simulator.engine.family import family
from simulator.models import Batch, Chunk

GAMES = 100


def fill(batch: Batch, columns: dict[str, Any]) -> None:
    """Make the batch done, with rows of zeros but for the columns given, and for the options, by which they differ."""
    names = [measure.name for measure in family(batch.ruleset.family).measures]
    rows = np.zeros((batch.games, len(names)), dtype=np.int32)
    for name, values in {"options": range(batch.games), **columns}.items():
        rows[:, names.index(name)] = values
    batch.chunks.update(state=Chunk.State.DONE, rows=packed(rows), digest="-")
    Batch.objects.filter(id=batch.id).update(state=Batch.State.DONE)


def judge(*claims: Claim, columns: dict[str, Any], **how: Any) -> list[Verdict]:
    """Test claims by games that are all the same batch of rows, whatever the ruleset."""
    wanted = claim_trials.trials(claims, games=GAMES, **how)

    def play_to_end(batches: list[Batch]) -> None:
        for batch in batches:
            fill(batch, columns)

    return run_tests(wanted, play_to_end, announce=False)


def a_claim(game: str, slug: str) -> Claim:
    return Claim.objects.select_related("game").get(game__slug=game, slug=slug)


def waiting(claim: Claim, needs: str) -> Claim:
    """A claim whose tests name no player any more, but say whom they need."""
    claim.tests = [
        {key: value for key, value in {**test, "needs": needs}.items() if key not in ("players", "games")}
        for test in claim.tests
    ]
    claim.save()
    return claim
