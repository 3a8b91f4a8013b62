"""A study as one document: the games that the answers give, and the share of each question in their differences.

    {id, version, figures_version, game, base, base_hash, engine, games, seed, players, players_by_name, cap, until,
     confidence, size, tried, complete, combinations, sample_seed, resamples, bootstrap_seed,
     left_out: [{why, combinations}],
     questions: [{slug, title, decides, arises, answers: [{slug, text, weight, of_base}]}],
     not_varied: [{slug, title}],
     outcomes: [{key, title, unit, mean, deviation, deviation_low, deviation_high, noise, lowest, highest, told, text,
                 questions: [{slug, title, first, total, note, answers: [{slug, weight, mean, low, high, text}]}],
                 rest}],
     cells: [{hash, names, seed, batch, weight, answers: [slug or null, …], figures: {outcome: {mean, error}}}]}

`players` are as requested, by name or by level, one for every seat or one a seat; `players_by_name` are those who
played; `consent`, where some of the rulesets let them end the game by consent, says what they do there.
Shares are {value, low, high, text}. Weights are of all combinations together. An answer of slug null is "does not
arise". `noise` is the deviation that chance alone would give the cell means. `answers` of a cell stand in the order of
`questions`; null where the question does not arise. `error` is a standard error. `version` is part of the id;
`figures_version` says how the means by answer were made (see `answer_means`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from math import sqrt
from typing import Any

import numpy as np

from catalogue.analyses.answer_means import (
    FIGURES_VERSION,
    answer_mean,
    games_behind,
    mean_of_cells,
    outcome_text,
    rounded,
)
from catalogue.analyses.factorial import Factor, Space
from catalogue.analyses.study_plans import STUDY_VERSION, StudyRequest
from catalogue.evidence.clauses import gives
from simulator.batches.levels import line_in_words
from simulator.engine.family import family
from simulator.engine.players.wording import consent_field
from simulator.engine.tally import Tally
from simulator.models import Batch, RulesetVersion
from simulator.plots import bars
from simulator.statistics.intervals import CONFIDENCE, Interval
from simulator.statistics.rows import share_text
from simulator.statistics.variance_shares import (
    RESAMPLES,
    Combinations,
    Response,
    ResponseMean,
    combined,
    complete_forms,
    response_mean,
    responses,
    sampled_forms,
    shares,
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
    rows = found.combinations
    combinations = Combinations(
        np.array([row.weight for row in rows]),
        np.array([row.cell for row in rows]),
        np.array([row.levels for row in rows]),
        np.array([row.arises for row in rows]),
    )
    measured = _measured(study, cells)
    varied = {one.slug for one in study.varied}
    request = study.request
    return {
        "id": study_id,
        "version": STUDY_VERSION,
        "figures_version": FIGURES_VERSION,
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
        "questions": [_question(study, place, combinations) for place in range(len(study.varied))],
        "not_varied": [{"slug": row.slug, "title": row.title} for row in study.rows if row.slug not in varied],
        "outcomes": [_outcome(study, found, combinations, *one) for one in measured],
        "cells": _cells(study, found, cells, combinations, measured),
    }


def summary_of(document: Document) -> Document:
    """The part of a study that lists show; shares are those of each question on its own."""
    copied = ("base", "size", "combinations", "complete", "games", "seed", "players")
    return {
        **{name: document[name] for name in copied},
        "questions": [one["slug"] for one in document["questions"]],
        "sentences": {outcome["title"]: outcome["text"] for outcome in document["outcomes"]},
        "shares": {
            one["slug"]: {
                outcome["title"]: row["first"]["text"]
                for outcome in document["outcomes"]
                for row in outcome["questions"]
                if row["slug"] == one["slug"] and row["first"]
            }
            for one in document["questions"]
        },
    }


def _measured(study: StudyRequest, cells: Sequence[Batch]) -> list[tuple[Response, list[ResponseMean]]]:
    """The responses, each with its mean in every cell."""
    engine, cap = family(study.request.ruleset.family), study.request.cap
    tallies = [Tally.from_json(batch.tally or {}) for batch in cells]
    measured: list[tuple[Response, list[ResponseMean]]] = []
    measures = engine.measures_of(min(cell.columns_version for cell in cells))
    for response in responses(measures, engine.naming(study.request.ruleset.parameters), cap):
        figures = [response_mean(response, tally, cap) for tally in tallies]
        differ = len({figure.mean for figure in figures}) > 1 or figures[0].error > 0
        if len(measured) < ALWAYS or differ:
            measured.append((response, figures))
        if len(measured) > ALWAYS:
            break
    return measured


def _question(study: StudyRequest, place: int, found: Combinations) -> Document:
    one = study.varied[place]
    row = next(row for row in study.rows if row.slug == one.slug)
    texts = {answer.slug: answer.text for answer in row.answers.all()}
    base = study.request.ruleset.parameters
    return {
        "slug": one.slug,
        "title": row.title,
        "decides": list(one.decides),
        "arises": rounded(float(found.weights @ found.arises[:, place])),
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


def _outcome(
    study: StudyRequest, found: Space, combinations: Combinations, outcome: Response, figures: Sequence[ResponseMean]
) -> Document:
    means, errors, printed = (
        [figure.mean for figure in figures],
        [figure.error for figure in figures],
        list(map(_printed, figures)),
    )
    forms = complete_forms(combinations) if found.is_complete else sampled_forms(combinations)
    of_variance = shares(forms, means, errors, study.bootstrap_seed)

    def answer(slug: str | None, weights: Any) -> Document:
        shown = [rounded(float(weight)) for weight in weights]
        if found.is_complete:
            mean = combined(weights / weights.sum(), means, errors)
        else:
            mean = mean_of_cells(shown, printed)
        return answer_mean(slug, weights.sum(), mean, outcome.unit, games_behind(shown, study.request.games))

    rows: list[Document] = [
        {
            "slug": one.slug,
            "title": next(row.title for row in study.rows if row.slug == one.slug),
            "first": _share(of_variance.first[place]) if of_variance.first else None,
            "total": _share(of_variance.total[place]) if of_variance.total else None,
            "note": "Estimated below 0." if place in of_variance.below else "",
            "answers": [answer(slug, weights) for slug, weights in _by_answer(one, place, combinations)],
        }
        for place, one in enumerate(study.varied)
    ]
    if of_variance.first:
        rows.sort(key=lambda row: -(row["total"] or row["first"])["value"])
    deviation = [sqrt(one or 0.0) for one in of_variance.variance]
    whole = {
        "key": outcome.key,
        "title": outcome.title,
        "unit": outcome.unit,
        "mean": rounded(float(combinations.weights @ np.array(means)[combinations.cells])),
        "deviation": rounded(deviation[0]),
        "deviation_low": rounded(deviation[1]),
        "deviation_high": rounded(deviation[2]),
        "noise": rounded(sqrt(of_variance.noise)),
        "lowest": int(np.argmin(means)),
        "highest": int(np.argmax(means)),
        "told": bool(of_variance.first),
        "questions": rows,
        "rest": _share(of_variance.rest) if of_variance.rest else None,
    }
    return {**whole, "text": outcome_text(whole, (min(means), max(means)), found.is_complete)}


def _by_answer(one: Factor, place: int, found: Combinations) -> Iterator[tuple[str | None, Any]]:
    """(answer, the weights of the cells with it); None in place of an answer where the question does not arise."""
    arises, member = found.arises[:, place], found.membership()
    groups: list[tuple[str | None, Any]] = [
        *((level.slug, arises & (found.levels[:, place] == number)) for number, level in enumerate(one.levels)),
        (None, ~arises),
    ]
    for slug, chosen in groups:
        weights = (found.weights * chosen) @ member
        if weights.sum():
            yield slug, weights


def _printed(figure: ResponseMean) -> dict[str, float]:
    return {"mean": rounded(figure.mean), "error": rounded(sqrt(figure.error))}


def _cells(
    study: StudyRequest,
    found: Space,
    cells: Sequence[Batch],
    combinations: Combinations,
    measured: Sequence[tuple[Response, list[ResponseMean]]],
) -> list[Document]:
    weights = combinations.weights @ combinations.membership()
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
            "weight": rounded(float(weights[number])),
            "answers": [
                one.levels[level].slug if arises else None
                for one, level, arises in zip(study.varied, first[number].levels, first[number].arises, strict=True)
            ],
            "figures": {outcome.key: _printed(figures[number]) for outcome, figures in measured},
        }
        for number, batch in enumerate(cells)
    ]


def _share(share: Interval) -> Document:
    value, low, high = (rounded(one or 0.0) for one in share)
    return {"value": value, "low": low, "high": high, "text": share_text(Interval(value, low, high))}


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
