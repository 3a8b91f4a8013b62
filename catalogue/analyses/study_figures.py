"""The figures and sentences of a study, all of them made of those of its cells, as the document prints them.

So anybody gets the same, and a study that was kept before is given the present figures (`restated`). Nothing is played
for it, and the id of a study stays, for it says what was played. Until version 2 of these figures a sample had the mean
of all combinations and a fitted effect, which could leave 0 to 100 %; until version 3 what happened in no game at all,
or in every one, was given as certain; until version 4 a side's wins were a share of all games, those included that the
cap had stopped, the largest of many shares was called the largest, and questions were varied that are no doubts
(`study_plans.set_aside`).

How far the answers to a question lie apart is told for the lowest and the highest of them. Which these are is seen in
the games, and a study has many questions and several shares of games: so the intervals hold for all pairs of answers to
all questions in all these shares at once, each at 1 − 5 % / the number of pairs (Bonferroni: Dunn, O. J. 1961. Multiple
comparisons among means. JASA 56: 52–64). An answer of a sample is known by its cells, and has the limits of Student's
distribution. Of two means the limits are squared and added (Newcombe 1998, see `intervals`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod, sqrt
from typing import Any

import numpy as np

from catalogue.texts.formatting import plain
from simulator.engine.ends import DRAW
from simulator.engine.family import family
from simulator.statistics.intervals import Interval, newcombe, share, student
from simulator.statistics.rows import amount_text, share_text
from simulator.statistics.variance_shares import (
    DECIDED,
    DRAWN,
    FIRST,
    OPEN,
    ROUNDS,
    WON,
    Combinations,
    Forms,
    Response,
    combined,
    complete_forms,
    sampled_forms,
    sampled_mean,
    shares,
    titled,
)

NEGLIGIBLE = 0.05  # of the variance: less is not called a doubt that matters
FIGURES_VERSION = 4  # a document without one has 1
MOST_SHARE, LEAST = 1.0, 0.0
MANY = 10**6  # games that leave Student's distribution the normal one
TOO_FEW_CELLS = 2  # for each effect that is fitted: a sample of fewer tells nothing

Document = dict[str, Any]
Because = Mapping[str, str]  # slug of a question -> why


def amount(figure: Interval, unit: str) -> str:
    return share_text(figure) if unit == "share" else amount_text(figure, unit)


def rounded(number: float) -> float:
    """Six significant digits: what is shown does not depend on the last bit of a machine.

    Twelve digits first: what lies within that bit of a half is a half, and goes one way on every machine.
    """
    return float(f"{float(f'{number:.12g}'):.6g}")


def with_figures(document: Document, responses: Sequence[Response]) -> Document:
    """The document of a study with what is concluded from its cells.

    document: with its questions and cells; responses: those that are explained, of which the cells have figures
    """
    cells = [_with_decided(cell, document["games"]) for cell in document["cells"]]
    told = {**document, "figures_version": FIGURES_VERSION, "cells": cells}
    shown = [replace(one, key=DECIDED) if one.key == WON else one for one in responses]
    shown = [titled(one, document["until"], document["cap"]) for one in shown]
    pairs = sum(one.unit == "share" for one in shown) * sum(
        _pairs(len(question["answers"])) for question in document["questions"]
    )
    figures = _Figures(told, max(pairs, 1))
    outcomes = [figures.outcome(one) for one in shown]
    return {**told, "pairs": pairs, "withheld": figures.too_few, "outcomes": _without_what_the_cap_made(outcomes)}


def _pairs(answers: int) -> int:
    return answers * (answers - 1) // 2


def _with_decided(cell: Document, games: int) -> Document:
    """A cell with the share of its games that the first player won among those that somebody won."""
    won, drawn, unfinished = (round(cell["figures"][key]["mean"] * games) for key in (WON, DRAWN, OPEN))
    decided = games - drawn - unfinished
    if decided < 2:
        return cell
    of_decided = won / decided
    error = sqrt(of_decided * (1 - of_decided) / (decided - 1))
    figure = {"mean": rounded(of_decided), "error": rounded(error)}
    return {**cell, "figures": {**cell["figures"], DECIDED: figure}}


def combinations_of(document: Document) -> Combinations:
    """The combinations of a study, as far as its cells tell them.

    Where a question does not arise, its level changes nothing: of a study of all combinations the cell stands for each
    of them, by its weight among the answers; in a sample it makes no difference.
    """
    questions = document["questions"]
    numbers = [{one["slug"]: number for number, one in enumerate(question["answers"])} for question in questions]
    weights = [[one["weight"] for one in question["answers"]] for question in questions]
    rows: list[tuple[float, int, tuple[int, ...], list[bool]]] = []
    for place, cell in enumerate(document["cells"]):
        arises = [slug is not None for slug in cell["answers"]]
        given = [
            [numbers[number][slug]] if slug is not None else range(len(weights[number]) if document["complete"] else 1)
            for number, slug in enumerate(cell["answers"])
        ]
        some = [*product(*given)]
        parts = [prod(own[level] for own, level in zip(weights, levels, strict=True)) for levels in some]
        whole = sum(parts)
        rows += [
            (cell["weight"] * part / whole, place, levels, arises)
            for levels, part in zip(some, parts, strict=True)
            if part
        ]
    mass = sum(row[0] for row in rows)
    return Combinations(
        np.array([row[0] / mass for row in rows]),
        np.array([row[1] for row in rows]),
        np.array([row[2] for row in rows]).reshape(len(rows), len(questions)),
        np.array([row[3] for row in rows]).reshape(len(rows), len(questions)),
    )


class _Figures:
    """What the cells of a study come to. pairs: how many pairs of means are held against each other"""

    def __init__(self, document: Document, pairs: int) -> None:
        self.document, self.cells, self.questions = document, document["cells"], document["questions"]
        self.complete: bool = document["complete"]
        self.confidence = 1 - (1 - document["confidence"]) / pairs
        self.table = combinations_of(document)
        self.by_cell = self.table.weights @ self.table.membership()
        effects = 1 + sum(len(question["answers"]) - 1 for question in self.questions)
        self.are_too_few = not self.complete and len(self.cells) < TOO_FEW_CELLS * effects
        forms = complete_forms if self.complete else sampled_forms
        self.forms: Forms | None = None if self.are_too_few else forms(self.table)

    @property
    def too_few(self) -> str:
        """Why nothing is told of a study of which too little is left; empty where something is."""
        if not self.are_too_few:
            return ""
        number, asked = (f"{len(some):,}" for some in (self.cells, self.questions))
        return f"Of the combinations played, {number} are left, too few to tell {asked} questions apart."

    def outcome(self, response: Response) -> Document:
        """The entry of a response, with its questions, the one with the largest share first."""
        key, unit = response.key, response.unit
        entry = {"key": key, "title": response.title, "unit": unit}
        found = [cell["figures"].get(key) for cell in self.cells]
        if missing := found.count(None):
            return {**entry, **self._nothing(missing)}
        means, errors = [one["mean"] for one in found], [one["error"] ** 2 for one in found]
        of_variance = shares(self.forms, means, errors, self.document["bootstrap_seed"]) if self.forms else None
        is_told = bool(of_variance and of_variance.first)
        rows = []
        for place, question in enumerate(self.questions):
            entries, apart, is_defined = self._answers(place, response, means, errors)
            row: Document = {"slug": question["slug"], "title": question["title"]}
            row["first"] = _share(of_variance.first[place]) if of_variance and is_told else None
            row["total"] = _share(of_variance.total[place]) if of_variance and of_variance.total else None
            notes = [BELOW] if of_variance and place in of_variance.below else []
            row["note"] = " ".join([*notes, BY_DEFINITION] if is_defined else notes)
            rows.append({**row, "answers": entries, "apart": apart if is_told else None})
        if is_told:
            rows.sort(key=lambda row: -(row["total"] or row["first"])["value"])
        deviation = [sqrt(one or 0.0) for one in of_variance.variance] if of_variance else [0.0] * 3
        whole = {
            **entry,
            "mean": rounded(float(self.by_cell @ np.array(means))),
            "deviation": rounded(deviation[0]),
            "deviation_low": rounded(deviation[1]),
            "deviation_high": rounded(deviation[2]),
            "noise": rounded(sqrt(of_variance.noise)) if of_variance else 0.0,
            "lowest": int(np.argmin(means)),
            "highest": int(np.argmax(means)),
            "told": is_told,
            "leads": bool(of_variance and of_variance.leads),
            "questions": rows,
            "rest": _share(of_variance.rest) if of_variance and of_variance.rest else None,
        }
        return {**whole, "text": self._text(whole, (min(means), max(means)))}

    def _nothing(self, missing: int) -> Document:
        """Of who wins, where in some combinations hardly anybody does."""
        rows = [
            {"slug": one["slug"], "title": one["title"], "first": None, "total": None, "note": "", "answers": [],
             "apart": None} for one in self.questions
        ]  # fmt: skip
        number = "one combination" if missing == 1 else f"{missing:,} combinations"
        text = (
            f"In {number} of {len(self.cells):,} fewer than two {self._games} were won by anybody within the cap: "
            "nothing is said of who wins."
        )
        figures = dict.fromkeys(("mean", "deviation", "deviation_low", "deviation_high", "noise"), 0.0)
        extremes = {"lowest": 0, "highest": 0, "told": False, "leads": False}
        return {**figures, **extremes, "questions": rows, "rest": None, "text": text}

    @property
    def _games(self) -> str:
        return "first rounds" if self.document["until"] == "round" else "games"

    def _text(self, outcome: Document, extremes: tuple[float, float]) -> str:
        if self.are_too_few:
            return self.too_few
        text = outcome_text(outcome, extremes, self.complete)
        if outcome["key"] == DECIDED and (left := self._undecided()) > 0:
            text += f" {plain(left, 'share')} of all {self._games} were won by nobody; they do not count here."
        return text

    def _undecided(self) -> float:
        found = [sum(cell["figures"][key]["mean"] for key in (DRAWN, OPEN)) for cell in self.cells]
        return float(self.by_cell @ np.array(found))

    def _answers(
        self, place: int, response: Response, means: Sequence[float], errors: Sequence[float]
    ) -> tuple[list[Document], Document | None, bool]:
        """The entry of each answer to a question, how far the lowest and the highest of them lie apart, and whether
        they differ by definition: where some answers let no game be drawn, what is drawn and what is not over follows.
        """
        entries: list[Document] = []
        held: list[tuple[Interval, str]] = []
        possible = set()
        for slug, weights in self._by_answer(place):
            cannot = self._cannot(response.key, weights)
            games = games_behind(weights, self.document["games"])
            entry = answer_mean(slug, float(weights.sum()), self._mean(weights, means, errors), response.unit, games)
            entries.append({**entry, **CANNOT_HAPPEN} if cannot and not entry["mean"] else entry)
            if slug is not None and response.unit == "share":
                possible.add(self._cannot(DRAWN, weights))
                held.append((self._mean(weights, means, errors, self.confidence, games), slug))
        is_defined = len(possible) > 1 and response.key in (DRAWN, OPEN)
        if len(held) < 2 or is_defined:
            return entries, None, is_defined
        ordered = sorted(held, key=lambda one: (one[0].value, one[1]))
        (least, low), (most, high) = ordered[0], ordered[-1]
        gap = newcombe(most, least).cut(-1.0, 1.0)
        value, below, above = (rounded(one or 0.0) for one in gap)
        figure = {"value": value, "low": below, "high": above, "text": share_text(Interval(value, below, above))}
        return entries, {"lowest": low, "highest": high, **figure}, False

    def _cannot(self, key: str, weights: Any) -> bool:
        """Whether by the rules of all these cells the end cannot be."""
        return all(key in cell.get("cannot", ()) for cell, weight in zip(self.cells, weights, strict=True) if weight)

    def _by_answer(self, place: int) -> Iterator[tuple[str | None, Any]]:
        """(answer, the weights of the cells with it); None in place of an answer where the question does not arise."""
        given = [cell["answers"][place] for cell in self.cells]
        for slug in (*(one["slug"] for one in self.questions[place]["answers"]), None):
            weights = self.by_cell * np.array([one == slug for one in given])
            if weights.sum():
                yield slug, weights

    def _mean(
        self,
        weights: Any,
        means: Sequence[float],
        errors: Sequence[float],
        confidence: float | None = None,
        games: float = 0.0,
    ) -> Interval:
        """The mean of the cells with an answer, at 95 %; at another confidence within what a share can be.

        games: with the noise of these cells; where all were alike they set the limit
        """
        known = MANY if self.complete else int((np.asarray(weights) > 0).sum())
        if confidence is None:
            return combined(weights / weights.sum(), means, errors) if self.complete else sampled_mean(
                weights, means, errors)  # fmt: skip
        z = student(MANY, confidence)
        wide = student(max(known, 2), confidence)
        if self.complete:
            mean = combined(weights / weights.sum(), means, errors, z)
        else:
            mean = sampled_mean(weights, means, errors, wide, z)
        possible = mean.cut(LEAST, MOST_SHARE)
        return share(possible.value * games, games, z) if possible.low == possible.high else possible


BELOW = "Estimated below 0."
BY_DEFINITION = "By definition: under some of its answers no game can be drawn."
CANNOT_HAPPEN = {"low": 0.0, "high": 0.0, "text": "cannot happen"}


def _without_what_the_cap_made(outcomes: list[Document]) -> list[Document]:
    """Nothing is said of who wins where answers surely differ in how many games are not over: that is what differs."""
    unfinished = {
        row["slug"]
        for outcome in outcomes
        if outcome["key"] == OPEN
        for row in outcome["questions"]
        if row["apart"] and row["apart"]["low"] > 0
    }
    for outcome in outcomes:
        if outcome["key"] == DECIDED:
            rows = [_by_the_cap(row) if row["slug"] in unfinished else row for row in outcome["questions"]]
            outcome["questions"] = rows
    return outcomes


BY_THE_CAP = "Its answers differ in how many games are not over, so that who wins cannot be compared."


def _by_the_cap(row: Document) -> Document:
    return {**row, "apart": None, "note": " ".join(filter(None, (row["note"], BY_THE_CAP)))}


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
    elif BY_DEFINITION in best["note"]:
        own, title = best["first"]["text"], best["title"]
        most = f"By definition it is “{title}” above all, under some answers to which no game can be drawn ({own})."
    elif outcome["leads"]:
        own = best["first"]["text"]
        most = f"What matters most is “{best['title']}”: on its own it accounts for {own} of the variance."
    else:
        own = best["first"]["text"]
        most = (
            f"Which question matters most is not shown; the largest share on its own, {own} of the variance, "
            f"has “{best['title']}”."
        )
    why = "due to answers that act together" if complete else "what the sample leaves unexplained"
    return f"{span} {most} {outcome['rest']['text']} is {why}."


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


def games_behind(weights: Sequence[float] | Any, games: int) -> float:
    """The number of games with the noise of a mean of cells with these weights; games: of each cell."""
    part = np.asarray(weights)
    return games * float(part.sum() ** 2 / (part @ part))


def _share(figure: Interval) -> Document:
    value, low, high = (rounded(one or 0.0) for one in figure)
    return {"value": value, "low": low, "high": high, "text": share_text(Interval(value, low, high))}


def summary_of(document: Document) -> Document:
    """The part of a study that lists show; shares are those of each question on its own."""
    copied = ("base", "size", "combinations", "complete", "games", "seed", "players", "until")
    return {
        **{name: document[name] for name in copied},
        "questions": [one["slug"] for one in document["questions"]],
        "not_varied": {one["slug"]: one["why"] for one in document["not_varied"]},
        "withheld": document["withheld"],
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


NO_REASONS: Because = {}
NONE_LEFT = "None of the combinations played has the answers of the base."
TOO_FEW_ANSWERS = "fewer than two of its answers can be played"


def impossible(kind: str, parameters: Mapping[str, Any], until: str) -> list[str]:
    """The outcomes that cannot be by the rules: games that nobody wins and that are over may be drawn, or may not."""
    return [] if DRAW in family(kind).possible_ends(parameters, until == FIRST) else [DRAWN]


def restated(
    document: Document,
    held: Because = NO_REASONS,
    cannot_act: Because = NO_REASONS,
    cannot_end: Sequence[Sequence[str]] = (),
    titles: Mapping[str, str] = NO_REASONS,
) -> Document:
    """The document of a study with the figures of the present version; the same document if it has them.

    held:       questions that are varied no more: only the combinations with the answer of the base are left
    cannot_act: questions that change no first round: they are left out, with their answers
    cannot_end: outcomes that by the rules of a cell cannot be, of each cell
    titles:     what responses are called now, by key, where that is known
    """
    if document.get("figures_version", 1) >= FIGURES_VERSION:
        return document
    ends = cannot_end or [()] * len(document["cells"])
    cells = [{"kinds": None, **cell, "cannot": list(some)} for cell, some in zip(document["cells"], ends, strict=True)]
    not_varied = [{"why": TOO_FEW_ANSWERS, **one} for one in document.get("not_varied", ())]
    kept = _without({**document, "cells": cells, "not_varied": not_varied}, held, cannot_act)
    of_rounds = document["until"] == FIRST
    before = [Response(one["key"], titles.get(one["key"], one["title"]), one["unit"]) for one in document["outcomes"]]
    responses = [one for one in before if not (of_rounds and one.unit == ROUNDS)]
    if not kept["cells"]:
        return {**kept, "figures_version": FIGURES_VERSION, "pairs": 0, "withheld": NONE_LEFT, "outcomes": []}
    return with_figures(kept, responses)


def _without(document: Document, held: Because, cannot_act: Because) -> Document:
    """The document without these questions."""
    aside = {**held, **cannot_act}
    questions = document["questions"]
    if not any(one["slug"] in aside for one in questions):
        return document
    of_base = {
        place: {answer["slug"] for answer in one["answers"] if answer["of_base"]}
        for place, one in enumerate(questions)
        if one["slug"] in held
    }
    left = [place for place, one in enumerate(questions) if one["slug"] not in aside]
    cells = [
        {**cell, "answers": [cell["answers"][place] for place in left]}
        for cell in document["cells"]
        if all(cell["answers"][place] is None or cell["answers"][place] in base for place, base in of_base.items())
    ]
    mass, whole = sum(cell["weight"] for cell in cells), sum(cell["weight"] for cell in document["cells"])
    not_varied = [
        *document["not_varied"],
        *({"slug": one["slug"], "title": one["title"], "why": aside[one["slug"]]} for one in questions
          if one["slug"] in aside),
    ]  # fmt: skip
    return {
        **document,
        "questions": [
            {
                **questions[place],
                "arises": rounded(sum(one["weight"] for one in cells if one["answers"][number] is not None) / mass)
                if mass
                else 0.0,
            }
            for number, place in enumerate(left)
        ],
        "not_varied": not_varied,
        "varied_then": [one["slug"] for one in questions],
        "size": document["size"] // prod(len(one["answers"]) for one in questions if one["slug"] in held),
        "combinations": round(document["combinations"] * mass / whole),
        "cells": [{**cell, "weight": rounded(cell["weight"] / mass)} for cell in cells],
    }
