"""Computing a comparison once its batches are done. Only workers and commands import this: it brings the statistics.

The document is
`{version, comparison, family, players, seed, games, cap, until, confidence, margins, bootstrap: {seed, resamples},
rulesets, rules, pairs}`.
- `players`: of every seat, as they were asked for, by name or by level.
- `rulesets`: of each `{name, title, called, hash, batch, digest, players, seed, cap}`, in the order asked for; `called`
  is its name in a sentence, `players` are those by name who played it. Every figure of a place rests on its batch.
- `rules`: every parameter that is not the same in all, `{key, title, sides: [{value, words, off}, …]}`.
- `consent`: what the players do where a ruleset lets them end the game by consent; left out where none does.
- `pairs`: of every two, `{first, second, batches, games, cap, identical, sentence, pairing, measures}`, with the places
  and batches of both; measures as in `simulator.statistics.compared`. A difference is the second less the first.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from django.db import transaction
from django.utils import timezone

from catalogue.comparisons.comparison import differing, reading_name
from catalogue.comparisons.requests import COMPARISON_VERSION
from catalogue.comparisons.sentences import pairing, sentence
from catalogue.models import Comparison, Reading
from simulator import rulesets
from simulator.batches.levels import line_in_words
from simulator.batches.rows import kept_rows
from simulator.engine.family import Family, family
from simulator.engine.naming import Naming, seat_name
from simulator.engine.players.wording import consent_field
from simulator.engine.ruleset import Ruleset
from simulator.models import Batch
from simulator.plots import lines
from simulator.statistics.compared import ComparisonTerms, PlayedBatch, compare
from simulator.statistics.intervals import CONFIDENCE
from simulator.statistics.paired import RESAMPLES


def compute(comparison: Comparison) -> bool:
    """Compute and keep the comparison if all its batches are done. True if it is done now, whoever did it."""
    batches = batches_of(comparison)
    if comparison.state != Comparison.State.DONE:
        if len(batches) < len(comparison.names) or any(batch.state != Batch.State.DONE for batch in batches):
            return False
        document = document_of(comparison, batches)
        plot = _plot(document, batches)
        with transaction.atomic():
            waiting = Comparison.objects.filter(id=comparison.id).exclude(state=Comparison.State.DONE)
            done = Comparison.State.DONE
            waiting.update(state=done, error="", closed=timezone.now(), document=document, plot=plot)
        comparison.refresh_from_db()
    return True


def batches_of(comparison: Comparison) -> list[Batch]:
    """Its batches, in order."""
    compared = comparison.compared.select_related("batch__ruleset").order_by("place")
    return [one.batch for one in compared]


def document_of(comparison: Comparison, batches: Sequence[Batch]) -> dict[str, Any]:
    contents = [rulesets.as_engine(batch.ruleset) for batch in batches]
    kind = family(batches[0].ruleset.family)
    naming = _naming(kind, contents)
    seats = kind.seats(contents[0].parameters)
    row_version = min(batch.columns_version for batch in batches)  # only what was counted in all of them is compared
    terms = ComparisonTerms(
        measures=[measure for measure in _measures(kind, contents, naming) if measure.since <= row_version],
        seats=seats,
        naming=naming,
        margins=comparison.margins,
        seed=comparison.bootstrap_seed,
        until_round=batches[0].until == Batch.Until.ROUND,
    )
    sides = _sides(comparison.names, batches)
    titles = [naming.seat(seat) for seat in range(seats)]
    pairs = compare([PlayedBatch(_rows(batch, row_version), batch.cap) for batch in batches], terms)
    for pair in pairs:
        both = [sides[pair["first"]], sides[pair["second"]]]
        pair["batches"] = [side["batch"] for side in both]
        pair["sentence"] = sentence(pair, [side["called"] for side in both], titles)
        pair["pairing"] = pairing(pair, titles) if both[0]["seed"] == both[1]["seed"] else ""
    first = batches[0]
    return {
        "version": COMPARISON_VERSION,
        "comparison": comparison.id,
        "family": f"{kind.name} {first.family_version}",
        "players": comparison.asked or first.players,
        **consent_field(first.players, [one.document for one in contents], first.until, first.family_version),
        "seed": first.seed,
        "games": first.games,
        "cap": min(batch.cap for batch in batches),
        "until": first.until,
        "confidence": CONFIDENCE,
        "margins": comparison.margins,
        "bootstrap": {"seed": comparison.bootstrap_seed, "resamples": RESAMPLES},
        "rulesets": sides,
        "rules": differing(kind, contents),
        "pairs": pairs,
    }


def _rows(batch: Batch, row_version: int) -> np.ndarray:
    """The rows of a batch with the columns of that version, which may be an earlier one."""
    measures = family(batch.ruleset.family).measures_of(batch.columns_version)
    columns = [place for place, measure in enumerate(measures) if measure.since <= row_version]
    return np.concatenate([rows[:, columns] for _, rows in kept_rows(batch)])


def _naming(kind: Family, contents: Sequence[Ruleset]) -> Naming:
    """The names the figures of all of them have; plain names for seats whose roles are not the same in all."""
    namings = [kind.naming(content.parameters) for content in contents]
    seats = kind.seats(contents[0].parameters)
    titles = [{naming.seat(seat) for naming in namings} for seat in range(seats)]
    if all(len(names) == 1 for names in titles):
        return namings[0]
    return Naming(tuple(seat_name(seat) for seat in range(seats)), kind.parts, kind.totals)


def _measures(kind: Family, contents: Sequence[Ruleset], naming: Naming) -> Any:
    same = naming.seats == kind.naming(contents[0].parameters).seats
    return kind.named_measures(contents[0].parameters) if same else kind.measures


def _sides(names: Sequence[str], batches: Sequence[Batch]) -> list[dict[str, Any]]:
    slugs = [name.partition("@")[0] for name in names]
    readings = {one.slug: one for one in Reading.objects.filter(slug__in=slugs).select_related("game")}
    among_games = len({one.game_id for one in readings.values()}) > 1
    sides = []
    for name, slug, batch in zip(names, slugs, batches, strict=True):
        title = readings[slug].title if slug in readings else ""
        sides.append(
            {
                "name": name,
                "title": title,
                "called": reading_name(title, name, among_games=among_games),
                "hash": batch.ruleset_id,
                "batch": batch.id,
                "digest": batch.digest,
                "players": batch.players,
                "seed": batch.seed,
                "cap": batch.cap,
            }
        )
    return sides


def _plot(document: dict[str, Any], batches: Sequence[Batch]) -> dict[str, Any]:
    about = {"engine": document["family"], "ruleset": [side["hash"] for side in document["rulesets"]]}
    context = {**document, **about, "played_by": line_in_words(document["players"])}
    curves = [(batch.summary or {})["curve"] for batch in batches]
    names = [side["name"] for side in document["rulesets"]]
    drawing = asdict(lines.draw_compared_lengths(curves, names, context, document["cap"]))
    return {name: drawing[name] for name in ("title", "description", "caption", "svg", "height", "table")}
