"""The proof of what studies conclude of their cells: nothing is found where there is nothing, and what is stated holds.

    python -m tests.proofs.studies [NAME…]

null: 200 studies of each kind in which no answer matters; at most one in twenty yields a finding. planted: 200 studies
of answers of known shares; the interval by which two of them lie apart holds for every question at once in 95 of 100.
equals: 200 studies of two questions that matter alike; neither is said to matter most in 95 of 100. Without names all.
Exit status 1 if a proof failed. The cells are made up; the figures are those of the product.
"""

import sys
from math import prod, sqrt
from types import SimpleNamespace
from typing import Any

import numpy as np

from tests.proofs.running import Figures, demand, run, side_by_side

STUDIES, GAMES, CELLS = 200, 100, 64
LEVELS = (2, 2, 3, 2, 4, 2, 3, 2)  # answers to each question, as many as a game with many questions has
FEW_LEVELS = (2, 3, 4)  # of a study of all combinations
RATE = 0.05
ALIKE, SCATTERED, WHOLE, OF_FEW_KINDS = "rulesets alike", "rulesets scatter", "all combinations", "few kinds of games"
NULL = (ALIKE, SCATTERED, WHOLE, OF_FEW_KINDS)
KINDS = 3  # of games, in each of the rulesets of few
EFFECT = 0.08  # in who wins, from one answer of a planted question to the next
PLANTED, EQUALS = {2: EFFECT}, {0: EFFECT, 1: EFFECT}  # by the place of the question
NOTHING: dict[int, float] = {}


def asked(slug: str, *answers: str) -> dict[str, Any]:
    """A question of a study, as its document has it; the base has the first answer."""
    offered = [{"slug": one, "text": one, "weight": 1.0, "of_base": one == answers[0]} for one in answers]
    return {"slug": slug, "title": f"{slug}?", "decides": [slug], "arises": 1.0, "answers": offered}


def a_cell(
    answers: list[str | None], won: float, draw: float = 0.0, unfinished: float = 0.0, games: int = GAMES
) -> Any:
    """A ruleset of a study, with shares of its games; its weight is to be divided by the number of cells."""
    from catalogue.analyses.study_figures import rounded

    figures = {
        key: {"mean": rounded(share), "error": rounded(sqrt(share * (1 - share) / (games - 1)))}
        for key, share in (("won_0", won), ("draw", draw), ("open", unfinished))
    }
    return {"answers": answers, "kinds": None, "cannot": [], "weight": 1.0, "figures": figures}


def a_study(questions: list[Any], cells: list[Any], **changes: Any) -> dict[str, Any]:
    """The document of a study without what is concluded."""
    terms: dict[str, Any] = {"id": "0", "game": "g", "games": GAMES, "until": "game", "cap": 2_000, "version": 1}
    terms |= {"confidence": 0.95, "complete": True, "bootstrap_seed": 1, "combinations": len(cells)}
    terms |= {"size": len(cells), "not_varied": [], "players": "greedy"}
    cells = [{**cell, "weight": cell["weight"] / len(cells)} for cell in cells]
    return {**terms, "questions": questions, "cells": cells, **changes}


def made_up(seed: int, kind: str, effects: dict[int, float] = NOTHING) -> dict[str, Any]:
    """A study whose answers do not matter, or move who wins by so much from one to the next."""
    from catalogue.analyses.factorial import balanced_sample

    draw = np.random.default_rng([seed, NULL.index(kind)])
    levels = FEW_LEVELS if kind == WHOLE else LEVELS
    questions = [asked(f"q{place}", *(f"a{one}" for one in range(number))) for place, number in enumerate(levels)]
    if kind == WHOLE:
        rows = [tuple(map(int, np.unravel_index(number, levels))) for number in range(prod(levels))]
    else:
        rows = balanced_sample([[1.0] * number for number in levels], CELLS, seed, lambda _: True)
    cells = []
    for row in rows:
        won, unfinished = (draw.beta(40, 40), draw.beta(2, 40)) if kind == SCATTERED else (0.5, 0.05)
        if kind == OF_FEW_KINDS:  # the same few games again and again: what a kind comes to is won, lost or not over
            ends = draw.choice(3, KINDS, p=[0.475, 0.475, 0.05])
            played = ends[draw.integers(KINDS, size=GAMES)]
            counts = [float((played == end).mean()) for end in range(3)]
        else:
            moved = won + sum(effect * (row[place] - (levels[place] - 1) / 2) for place, effect in effects.items())
            counts = draw.multinomial(GAMES, [moved * (1 - unfinished), (1 - moved) * (1 - unfinished), unfinished])
            counts = [float(count) / GAMES for count in counts]
        cells.append({**a_cell([f"a{level}" for level in row], counts[0], 0.0, counts[2]),
                      "kinds": KINDS if kind == OF_FEW_KINDS else GAMES})  # fmt: skip
    return a_study(questions, cells, complete=kind == WHOLE)


def concluded(document: dict[str, Any]) -> dict[str, Any]:
    """The same study with what is concluded of it."""
    from catalogue.analyses.study_figures import with_figures
    from simulator.statistics.variance_shares import DRAWN, OPEN, WON, Response

    keys = ((WON, "Won by the first player"), (DRAWN, ""), (OPEN, ""))
    return with_figures(document, [Response(key, title, "share") for key, title in keys])


def finds_something(document: dict[str, Any]) -> bool:
    """Whether the page of findings would have a finding of it."""
    from catalogue.findings.concluded import sensitivity_finding
    from catalogue.models import Game

    summary = {"players": "greedy", "games": GAMES}
    row: Any = SimpleNamespace(game=Game(name="G", slug="g"), document=document, summary=summary)
    row.get_absolute_url = lambda: "/"
    return sensitivity_finding(row) is not None


def _null_studies(kind: str) -> Figures:
    import django

    django.setup()  # in a process of its own
    found = [concluded(made_up(seed, kind)) for seed in range(STUDIES)]
    texts = [outcome["text"] for one in found for outcome in one["outcomes"]]
    return {
        "studies": STUDIES,
        "findings": sum(map(finds_something, found)),
        "apart_at_all": sum(_largest(one) > 0 for one in found),
        "said_to_matter_most": sum("What matters most is" in text for text in texts),
    }


def _largest(document: dict[str, Any]) -> float:
    """The lower limit by which answers lie apart, where that is most."""
    rows = [row for outcome in document["outcomes"] for row in outcome["questions"] if row["apart"]]
    return max((row["apart"]["low"] for row in rows), default=-1.0)


def null(machine: Any) -> Figures:
    """No answer matters: hardly a study finds anything, of whatever kind it is."""
    figures = side_by_side(_null_studies, NULL)
    for kind, found in figures.items():
        demand(found["findings"] <= RATE * STUDIES, f"{kind}: studies find what is not there", figures)
        demand(found["apart_at_all"] <= RATE * STUDIES, f"{kind}: intervals for all pairs do not hold", figures)
    return figures


def planted(machine: Any) -> Figures:
    """One question of eight matters: its answers are found apart, and every interval holds what was planted."""
    held = found = named = 0
    for seed in range(STUDIES):
        won = concluded(made_up(seed, SCATTERED, PLANTED))["outcomes"][0]
        rows = {row["slug"]: row["apart"] for row in won["questions"] if row["apart"]}
        held += all(_holds(slug, apart) for slug, apart in rows.items())
        found += "q2" in rows and rows["q2"]["low"] > 0
        named += "What matters most is “q2?”" in won["text"]
    figures: Figures = {"studies": STUDIES, "all_intervals_hold": held, "planted_is_apart": found, "named": named}
    demand(held >= (1 - RATE) * STUDIES, "the intervals for all pairs do not hold at once", figures)
    demand(found >= 0.5 * STUDIES, "what was planted is hardly ever found", figures)
    return figures


def _holds(slug: str, apart: dict[str, Any]) -> bool:
    steps = int(apart["highest"][1:]) - int(apart["lowest"][1:]) if slug == "q2" else 0
    return bool(apart["low"] <= steps * EFFECT <= apart["high"])


def equals(machine: Any) -> Figures:
    """Of two questions that matter alike the games make one look larger: it is hardly ever called the largest."""
    texts = [concluded(made_up(seed, ALIKE, EQUALS))["outcomes"][0]["text"] for seed in range(STUDIES)]
    figures: Figures = {
        "studies": STUDIES,
        "said_to_matter_most": sum("What matters most is" in text for text in texts),
        "rank_not_shown": sum("Which question matters most is not shown" in text for text in texts),
    }
    demand(figures["said_to_matter_most"] <= RATE * STUDIES, "the larger of two alike is called the largest", figures)
    demand(figures["rank_not_shown"] >= 0.5 * STUDIES, "what was planted is hardly ever seen", figures)
    return figures


PROOFS = {"null": null, "planted": planted, "equals": equals}

if __name__ == "__main__":
    sys.exit(run(PROOFS, sys.argv[1:]))
