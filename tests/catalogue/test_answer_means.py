"""Means by answer are within what such a figure can be, in studies made now and in those that were made before."""

import json
import lzma
from math import nextafter

import pytest

from catalogue.analyses.answer_means import FIGURES_VERSION, answer_mean, restated, rounded
from catalogue.api.fields import shapes
from catalogue.edition.files import FOLDER
from simulator.statistics.intervals import Interval

# Four of many combinations of three questions: under “no” nothing is drawn. The fit of an earlier version said −0.7 %.
CELLS = [(0.0, "no", "a"), (0.0, "no", "b"), (0.0, "no", "a"), (0.4, "yes", None)]


def fitted(**changes):
    cells = [
        {"weight": 0.25, "answers": list(answers), "figures": {"draw": {"mean": mean, "error": 0.0}}}
        for mean, *answers in CELLS
    ]

    def row(slug, *answers):
        return {"slug": slug, "answers": [{"slug": one, "weight": weight, **FITTED} for one, weight in answers]}

    rows = [row("first", ("no", 0.75), ("yes", 0.25)), row("second", ("a", 0.5), ("b", 0.25), (None, 0.25))]
    outcome = {"key": "draw", "unit": "share", "questions": list(reversed(rows))}
    questions = [{"slug": "first"}, {"slug": "second"}]
    document = {"version": 1, "complete": False, "games": 100, "questions": questions, "cells": cells}
    return {**document, "outcomes": [outcome], **changes}


FITTED = {"mean": -0.007, "low": -0.05, "high": -0.001, "text": "−0.7 % (−5.0 to −0.1)"}


def said(document):
    return {
        (row["slug"], one["slug"]): (one["mean"], one["low"], one["high"], one.get("text"))
        for row in document["outcomes"][0]["questions"]
        for one in row["answers"]
    }


def test_the_mean_of_a_sample_is_of_its_combinations():
    """“yes” was played once, so it scatters as all cells do: by 0.2, and 0.4 ± 1.96 · 0.2 is cut at 0.

    “no” was never drawn, in three cells of 100 games, “a” in two: Wilson’s upper limit is 3.8415 / (n + 3.8415).
    """
    found = restated(fitted())
    assert (found["version"], found["figures_version"]) == (1, FIGURES_VERSION)
    figures = said(found)
    assert figures["first", "no"] == (0, 0, 0.012643, "0 % (0 to 1.26)")
    assert figures["first", "yes"] == (
        0.4,
        pytest.approx(0.4 - 0.391993, abs=1e-6),
        pytest.approx(0.791993),
        "40.0 % (0.8 to 79.2)",
    )
    assert figures["second", "a"][:3] == (0, 0, 0.0188453)
    assert restated(found) is found


def test_the_interval_of_a_mean_of_all_combinations_is_cut():
    whole = fitted(complete=True)
    whole["outcomes"][0]["questions"][0]["answers"] = [
        {"slug": "a", "weight": 1.0, "mean": 0.998, "low": 0.993, "high": 1.003}
    ]
    assert said(restated(whole))["second", "a"] == (0.998, 0.993, 1.0, "99.80 % (99.30 to 100.00)")
    assert said(whole)["first", "no"] == (-0.007, -0.05, -0.001, FITTED["text"])  # what was given is not written to


def test_a_cell_of_several_answers_is_not_counted_for_one():
    shared = fitted()
    shared["outcomes"][0]["questions"][0]["answers"][1] = {
        "slug": "b",
        "weight": 0.5,
        "mean": 0.3,
        "low": 0.2,
        "high": 0.4,
    }
    assert said(restated(shared))["second", "b"][:3] == (0.3, 0.2, 0.4)


def test_what_happened_in_every_game_is_not_certain():
    """Of 100 games whose weight is a quarter and three quarters as many as 160 say: 100² · 1 / (1/16 + 9/16) = 160."""
    always = fitted(complete=True, figures_version=2)
    always["cells"][0]["weight"], always["cells"][1]["weight"] = 0.75, 0.25
    always["cells"][2]["answers"] = ["yes", None]
    row = always["outcomes"][0]["questions"][1]
    row["answers"][0] = {"slug": "no", "weight": 1.0, "mean": 1.0, "low": 1.0, "high": 1.0}
    assert said(restated(always))["first", "no"] == (
        1,
        pytest.approx(160 / 163.8415, abs=1e-6),
        1,
        "100.0 % (97.7 to 100.0)",
    )


def test_nothing_that_is_counted_is_below_none():
    assert answer_mean("a", 1.0, Interval(3.0, -1.0, 7.0), "turns", 100)["text"] == "3.0 turns (0 to 7.0)"
    assert answer_mean("a", 1.0, Interval(300.0, 280.0, 320.0), "turns", 100)["high"] == 320


def test_the_api_tells_every_version_of_these_figures():
    description = shapes()["StudyDocument"]["properties"]["figures_version"]["description"]
    assert all(f"{version} since" in description for version in range(2, FIGURES_VERSION + 1))


@pytest.mark.thorough
def test_every_study_that_ships_has_figures_that_can_be():
    files = sorted((FOLDER / "studies").glob("*.json.xz"))
    assert len(files) > 30
    for file in files:
        document = restated(json.loads(lzma.decompress(file.read_bytes()))["document"])
        for outcome in document["outcomes"]:
            most = 1 if outcome["unit"] == "share" else float("inf")
            for one in (answer for row in outcome["questions"] for answer in row["answers"]):
                assert 0 <= one["low"] <= one["mean"] <= one["high"] <= most, (file.name, outcome["key"], one)
                assert one["low"] < one["high"] or outcome["unit"] != "share", (file.name, outcome["key"], one)
                assert "−" not in one["text"]


def test_a_half_goes_one_way_whatever_the_last_bit() -> None:
    # a mean of cells is a bit off such a half, one way or the other, by the order of its sum
    for half in (0.9833125, 40.71625, 67.63125):
        assert rounded(nextafter(half, 0)) == rounded(half) == rounded(nextafter(half, 100))
