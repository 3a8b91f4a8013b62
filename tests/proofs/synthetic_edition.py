"""An edition as large as the plan wishes, whose games nobody played: for measuring how large it is and how it loads.

Rows are drawn column by column from those of real random games of the same ruleset, so that they pack as real ones do;
figures and drawings are those of the real games.
"""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from catalogue.edition.batch_parts import document_of
from catalogue.edition.files import EditionFolder
from catalogue.edition.kinds import BATCHES, COMPARISONS, KINDS, STUDIES
from catalogue.edition.loading import load
from catalogue.edition.parts import Part, Planner, planned_games
from catalogue.edition.precision import Precision
from catalogue.edition.terms import read_plan
from simulator.batches import playing
from simulator.batches.rows import RowsDigest
from simulator.batches.service import request_batch
from simulator.engine.family import family
from simulator.engine.tally import tally_rows
from simulator.models import Batch

PLAYED = 300  # real games of each ruleset


def write(folder: EditionFolder) -> int:
    """Batches and comparisons of the whole shipped plan, and a document as large as a study's for each study; how many
    parts there are."""
    terms = read_plan()
    planner = Planner(terms, planned_games(terms))
    parts = [one for one in planner.parts(Precision.wished(terms)) if one.kind in (BATCHES, COMPARISONS, STUDIES)]
    real: dict[str, tuple[Any, Any]] = {}
    for part in parts:
        if part.kind == BATCHES:
            if part.wanted.ruleset.hash not in real:
                real[part.wanted.ruleset.hash] = _real(part)
            folder.write(BATCHES, part.id, *_like(part, *real[part.wanted.ruleset.hash]))
        else:
            folder.write(part.kind, part.id, _derived(part, next(iter(real.values()))[0]))
    return len(parts)


def _real(part: Part) -> tuple[Any, Any]:
    batch = request_batch(part.wanted.ruleset, games=PLAYED, announce=False)
    while batch.is_open and playing.play_waiting_chunk(batch):
        batch.refresh_from_db()
    return document_of(Batch.objects.select_related("ruleset").get(id=batch.id))


def _like(part: Part, document: Any, rows: Any) -> tuple[Any, Any]:
    request = part.wanted
    rng = np.random.default_rng(int(part.id, 16))
    drawn = np.stack([rng.choice(column, request.games) for column in rows.T], axis=1).astype(np.int32)
    digest = RowsDigest()
    digest.add(drawn)
    tally = tally_rows(drawn, family(request.ruleset.family).measures)
    asked_for = {**request.terms, "family_version": request.family_version, "players_version": request.players_version}
    results = {"digest": digest.hexdigest(), "tally": tally.to_json(), "tally_digest": tally.digest()}
    return {**document, **asked_for, "work": request.work, **results}, drawn


def _derived(part: Part, document: Any) -> Any:
    """About as large as a real one, and as different from all others."""
    noise = list(_numbers(part))
    if part.kind == STUDIES:
        plots = [{**one, "noise": noise[:200]} for one in document["plots"][:4]]
        return {"game": part.game, "document": {"cells": noise}, "summary": {"sentences": {}}, "plots": plots}
    requests = part.wanted.batches
    columns = {"names": list(part.wanted.names), "players": "", "margins": {}, "bootstrap_seed": 1, "version": 2}
    shown = {"pairs": noise}
    return {**columns, "document": shown, "plot": document["plots"][0], "places": [one.id for one in requests]}


def _numbers(part: Part) -> Iterator[float]:
    rng = np.random.default_rng(int(part.id, 16))
    return (float(f"{one:.6g}") for one in rng.random(2_500))


def measured(place: str) -> None:
    """Print how many parts and bytes it has, and how long it takes to load, beside the few batches played for it."""
    folder = EditionFolder(Path(place))
    parts = write(folder)
    begun, busy = time.perf_counter(), time.process_time()
    new = load(folder).new
    figures = {
        "parts": parts,
        "loaded": new,
        "bytes": sum(folder.size(kind, key) for kind, key in folder.every(KINDS)),
        "seconds": round(time.perf_counter() - begun, 1),
        "processor_seconds": round(time.process_time() - busy, 1),
    }
    print(json.dumps(figures))  # noqa: T201
