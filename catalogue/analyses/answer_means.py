"""The sentences of a study, and the mean of a response with each answer, within what such a figure can be.

The mean is that of the combinations with the answer, of all of them or of those in the sample. Until version 2 of these
figures a sample had the mean of all combinations and a fitted effect, which could leave 0 to 100 %; until version 3
what happened in no game at all, or in every one, was given as certain. `restated` makes the present figures from those
of the cells, which every study keeps. Nothing is played for it, and the id of a study stays, for it says what was
played. Weights are taken as the document prints them, so that anybody gets the same.
"""

from collections.abc import Mapping, Sequence
from math import isclose
from typing import Any

import numpy as np

from catalogue.texts.formatting import plain
from simulator.statistics.intervals import Interval, share
from simulator.statistics.rows import amount_text, share_text
from simulator.statistics.variance_shares import sampled_mean

NEGLIGIBLE = 0.05  # of the variance: less is not called a doubt that matters
FIGURES_VERSION = 3  # of the means by answer; a document without one has 1
MOST_SHARE, LEAST = 1.0, 0.0
WEIGHTS_AGREE = 1e-4

Document = dict[str, Any]


def amount(figure: Interval, unit: str) -> str:
    return share_text(figure) if unit == "share" else amount_text(figure, unit)


def outcome_text(outcome: Mapping[str, Any], extremes: tuple[float, float], complete: bool) -> str:
    """The sentences on one response: how far the combinations lie apart, which question matters most, what is left."""
    low, high = (plain(extreme, outcome["unit"]) for extreme in extremes)
    unit = "" if outcome["unit"] == "share" else f" {outcome['unit']}"
    if low == high:
        return f"All combinations come to {low}{unit}."
    span = f"The combinations lie between {low} and {high}{unit}."
    if not outcome["told"]:
        return f"{span} Chance alone would make such differences: these games show none that is due to the answers."
    best = max(outcome["questions"], key=lambda row: row["first"]["value"])
    if best["first"]["value"] < NEGLIGIBLE:
        most = "No question on its own accounts for one twentieth of the variance."
    else:
        own = best["first"]["text"]
        most = f"What matters most is “{best['title']}”: on its own it accounts for {own} of the variance."
    why = "due to answers that act together" if complete else "what the sample leaves unexplained"
    return f"{span} {most} {outcome['rest']['text']} is {why}."


def rounded(number: float) -> float:
    """Six significant digits: what is shown does not depend on the last bit of a machine.

    Twelve digits first: what lies within that bit of a half is a half, and goes one way on every machine.
    """
    return float(f"{float(f'{number:.12g}'):.6g}")


def answer_mean(slug: str | None, weight: float, mean: Interval, unit: str, games: float) -> Document:
    """The entry of an answer in the document of a study.

    slug: None where the question does not arise; games: of one cell, with the same noise as these cells together
    Where every game was alike there is no scatter to go by: the limit that so many games set is Wilson's.
    """
    possible = mean.cut(LEAST, MOST_SHARE if unit == "share" else float("inf"))
    if unit == "share" and possible.low == possible.high:
        possible = share(possible.value * games, games)
    value, low, high = printed = Interval(*(rounded(one or 0.0) for one in possible))
    return {
        "slug": slug,
        "weight": rounded(weight),
        "mean": value,
        "low": low,
        "high": high,
        "text": amount(printed, unit),
    }


def games_behind(weights: Sequence[float], games: int) -> float:
    """The number of games with the noise of a mean of cells with these printed weights; games: of each cell."""
    part = np.array(weights)
    return games * float(part.sum() ** 2 / (part @ part))


def mean_of_cells(weights: Sequence[float], figures: Sequence[Mapping[str, float]]) -> Interval:
    """The mean of the cells of a sample, all as the document prints them. figures: {mean, error} of every cell"""
    return sampled_mean(weights, [figure["mean"] for figure in figures], [figure["error"] ** 2 for figure in figures])


def restated(document: Document) -> Document:
    """The document of a study with the figures of the present version; the same document if it has them."""
    if document.get("figures_version", 1) >= FIGURES_VERSION:
        return document
    places = {one["slug"]: place for place, one in enumerate(document["questions"])}
    outcomes = [
        {
            **outcome,
            "questions": [
                {**row, "answers": [_restated(one, places[row["slug"]], outcome, document) for one in row["answers"]]}
                for row in outcome["questions"]
            ],
        }
        for outcome in document["outcomes"]
    ]
    return {**document, "figures_version": FIGURES_VERSION, "outcomes": outcomes}


def _restated(answer: Document, place: int, outcome: Document, document: Document) -> Document:
    """The entry of an answer, restated.

    A cell names the answers of one of its combinations. Where the weights show that it has others, the mean is kept and
    only cut, like that of all combinations; its games are then taken for those of one cell.
    """
    cells = document["cells"]
    weights = [cell["weight"] if cell["answers"][place] == answer["slug"] else 0.0 for cell in cells]
    mean, games = Interval(answer["mean"], answer["low"], answer["high"]), float(document["games"])
    if isclose(sum(weights), answer["weight"], rel_tol=WEIGHTS_AGREE):
        games = games_behind(weights, document["games"])
        if not document["complete"]:
            mean = mean_of_cells(weights, [cell["figures"][outcome["key"]] for cell in cells])
    return answer_mean(answer["slug"], answer["weight"], mean, outcome["unit"], games)
