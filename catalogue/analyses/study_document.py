"""A study as one document: the games that the answers give, and the share of each question in their differences.

    {id, version, figures_version, game, base, base_hash, engine, games, seed, players, players_by_name, cap, until,
     confidence, size, tried, complete, combinations, sample_seed, resamples, bootstrap_seed, pairs,
     withheld, varied_then,
     left_out: [{why, combinations}],
     questions: [{slug, title, decides, arises, answers: [{slug, text, weight, of_base}]}],
     not_varied: [{slug, title, why}],
     outcomes: [{key, title, unit, mean, deviation, deviation_low, deviation_high, noise, lowest, highest, told, leads,
                 text, questions: [{slug, title, first, total, note, answers: [{slug, weight, mean, low, high, text}],
                                    apart: {lowest, highest, value, low, high, text} or null}],
                 rest}],
     cells: [{hash, names, seed, batch, kinds, weight, answers: [slug or null, …], cannot: [outcome, …],
              figures: {outcome: {mean, error}}}]}

`players` are as requested, by name or by level, one for every seat or one a seat; `players_by_name` are those who
played; `consent`, where some of the rulesets let them end the game by consent, says what they do there.
Shares are {value, low, high, text}. Weights are of all combinations together. An answer of slug null is "does not
arise". `noise` is the deviation that chance alone would give the cell means. `answers` of a cell stand in the order of
`questions`; null where the question does not arise. `error` is a standard error. `kinds` is how many of the games
differ in what is counted, null where it is not known; `cannot` names outcomes that the rules exclude. `apart` is how
far the lowest and the highest answer lie apart, within an interval that holds for all `pairs` at once. `withheld` says
why nothing is told, where that is so. `version` is part of the id; `figures_version` says how all that follows from the
cells was made (see `study_figures`). A study from before that has been restated says in `varied_then` which questions
were varied when it was played.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import sqrt
from typing import Any

from catalogue.analyses.factorial import Space
from catalogue.analyses.study_figures import TOO_FEW_ANSWERS, impossible, rounded, with_figures
from catalogue.analyses.study_plans import STUDY_VERSION, StudyRequest
from catalogue.evidence.clauses import gives
from simulator.batches.finalize import VARIETY
from simulator.batches.levels import line_in_words
from simulator.engine.family import family
from simulator.engine.players.wording import consent_field
from simulator.engine.tally import Tally
from simulator.models import Batch, RulesetVersion
from simulator.plots import bars
from simulator.statistics.intervals import CONFIDENCE
from simulator.statistics.variance_shares import (
    RESAMPLES,
    Response,
    ResponseMean,
    response_mean,
    responses,
)

ALWAYS = 4  # responses that every study has; of the others the first that is not the same in all cells is added

Document = dict[str, Any]
FILLED = (
    "Filled: the share of the variance between the combinations that a question has on its own. {} Lines: 95 % "
    "intervals. The noise of the games is taken off."
)
HATCHED = "Hatched: with what it does together with others."
OF_A_SAMPLE = "From a sample of the combinations; what questions do together is in the last bar."


def document_of(study: StudyRequest, found: Space, cells: Sequence[Batch], study_id: str) -> Document:
    """The document of a finished study. cells: the batch of each cell"""
    measured = _measured(study, cells)
    varied = {one.slug for one in study.varied}
    request = study.request
    document = {
        "id": study_id,
        "version": STUDY_VERSION,
        "game": study.game.slug,
        "base": study.base,
        "base_hash": request.ruleset.hash,
        "engine": f"{request.ruleset.family} {request.family_version}",
        "games": request.games,
        "seed": request.seed,
        "players": study.asked,
        "players_by_name": study.players,
        **consent_field(study.players, [cell.document for cell in found.cells], request.until),
        "cap": request.cap,
        "until": request.until,
        "confidence": CONFIDENCE,
        "size": found.size,
        "tried": found.tried,
        "complete": found.is_complete,
        "combinations": len(found.combinations),
        "sample_seed": None if found.is_complete else study.sample_seed,
        "resamples": RESAMPLES,
        "bootstrap_seed": study.bootstrap_seed,
        "left_out": [{"why": why, "combinations": number} for why, number in sorted(found.left_out.items())],
        "questions": [_question(study, found, place) for place in range(len(study.varied))],
        "not_varied": [
            {"slug": row.slug, "title": row.title, "why": study.aside.get(row.slug, TOO_FEW_ANSWERS)}
            for row in study.rows
            if row.slug not in varied
        ],
        "cells": _cells(study, found, cells, measured),
    }
    return with_figures(document, [response for response, _ in measured])


def _measured(study: StudyRequest, cells: Sequence[Batch]) -> list[tuple[Response, list[ResponseMean]]]:
    """The responses, each with its mean in every cell."""
    engine, cap = family(study.request.ruleset.family), study.request.cap
    tallies = [Tally.from_json(batch.tally or {}) for batch in cells]
    measured: list[tuple[Response, list[ResponseMean]]] = []
    measures = engine.measures_of(min(cell.columns_version for cell in cells))
    naming = engine.naming(study.request.ruleset.parameters)
    for response in responses(measures, naming, cap, study.request.until):
        figures = [response_mean(response, tally, cap) for tally in tallies]
        differ = len({figure.mean for figure in figures}) > 1 or figures[0].error > 0
        if len(measured) < ALWAYS or differ:
            measured.append((response, figures))
        if len(measured) > ALWAYS:
            break
    return measured


def _question(study: StudyRequest, found: Space, place: int) -> Document:
    one = study.varied[place]
    row = next(row for row in study.rows if row.slug == one.slug)
    texts = {answer.slug: answer.text for answer in row.answers.all()}
    base = study.request.ruleset.parameters
    return {
        "slug": one.slug,
        "title": row.title,
        "decides": list(one.decides),
        "arises": rounded(sum(row.weight for row in found.combinations if row.arises[place])),
        "answers": [
            {
                "slug": level.slug,
                "text": texts[level.slug],
                "weight": level.weight,
                "of_base": gives(base, {key: level.values[key] for key in one.decides}),
            }
            for level in one.levels
        ],
    }


def _printed(figure: ResponseMean) -> dict[str, float]:
    return {"mean": rounded(figure.mean), "error": rounded(sqrt(figure.error))}


def _cells(
    study: StudyRequest,
    found: Space,
    cells: Sequence[Batch],
    measured: Sequence[tuple[Response, list[ResponseMean]]],
) -> list[Document]:
    weights = [0.0] * len(cells)
    for row in found.combinations:
        weights[row.cell] += row.weight
    first = {row.cell: row for row in reversed(found.combinations)}
    names: dict[str, list[str]] = {}
    for version in RulesetVersion.objects.filter(ruleset__in=[batch.ruleset_id for batch in cells]).order_by("slug"):
        names.setdefault(version.ruleset_id, []).append(str(version))
    return [
        {
            "hash": batch.ruleset_id,
            "names": names.get(batch.ruleset_id, []),
            "seed": batch.seed,
            "batch": batch.id,
            "kinds": (batch.summary or {}).get(VARIETY, {}).get("different"),
            "weight": rounded(weights[number]),
            "answers": [
                one.levels[level].slug if arises else None
                for one, level, arises in zip(study.varied, first[number].levels, first[number].arises, strict=True)
            ],
            "cannot": impossible(study.request.ruleset.family, found.cells[number].parameters, study.request.until),
            "figures": {outcome.key: _printed(figures[number]) for outcome, figures in measured},
        }
        for number, batch in enumerate(cells)
    ]


def drawings_of(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The drawings of a study, each {kind, title, description, caption, svg, height, table}."""
    games = document["games"] * len(document["cells"])
    about = {"games": games, "ruleset": document["base_hash"], "played_by": line_in_words(document["players"])}
    context = {**document, **about}
    caption = FILLED.format(HATCHED if document["complete"] else OF_A_SAMPLE)
    rest = "Answers acting together" if document["complete"] else "Unexplained by any question alone"
    return [
        asdict(
            bars.draw_variance_shares(
                f"doubts-{outcome['key'].replace('_', '-')}",
                f"Which doubt matters: {outcome['title'][0].lower()}{outcome['title'][1:]}",
                outcome["questions"],
                {"title": rest, "first": outcome["rest"]},
                context,
                caption,
            )
        )
        for outcome in document["outcomes"]
        if outcome["told"]
    ]
