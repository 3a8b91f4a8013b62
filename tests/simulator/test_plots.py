"""Plots: the same bytes each time, named and described, light, and with the numbers they show beside them."""

import hashlib
import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest

from simulator.engine.families.sowing.measures import MEASURES
from simulator.engine.tally import tally_rows
from simulator.plots import draw_all
from simulator.plots.bars import classes, draw_results
from simulator.plots.lines import LABEL_STEP, draw_compared_lengths
from simulator.plots.sheet import drawing_style, footer
from simulator.statistics.summary import summarise
from tests.simulator.synthetic_games import CONTEXT, random_rows, rows_of

SVG = "{http://www.w3.org/2000/svg}"


def drawings(rows, cap=120, **context):
    said = {**CONTEXT, "cap": cap, "games": len(rows), **context}
    tally = tally_rows(rows, MEASURES)
    return draw_all(tally, MEASURES, said, summarise(tally, MEASURES, cap=cap, seats=2, context=said))


@pytest.fixture(scope="module")
def plots():
    return {drawing.kind: drawing for drawing in drawings(random_rows())}


def words(drawing):
    return [element.text or "" for element in ElementTree.fromstring(drawing.svg).iter(f"{SVG}text")]


@pytest.mark.by_turns
def test_a_batch_has_its_seven_plots(plots):
    assert " ".join(plots) == "results draws lengths turns-histogram rounds-histogram course first-round"


def test_plots_are_named_described_and_fit_for_a_page(plots):
    for drawing in plots.values():
        root = ElementTree.fromstring(drawing.svg)
        names = root.attrib["aria-labelledby"].split()
        assert root.attrib["role"] == "img"
        assert [root.find(f"{SVG}{tag}").attrib["id"] for tag in ("title", "desc")] == names
        assert root.find(f"{SVG}title").text == drawing.title
        assert root.find(f"{SVG}desc").text == drawing.description
        assert len(drawing.svg.encode()) < 60_000
        assert root.attrib["viewBox"] == f"0 0 640 {drawing.height}"
        assert not root.findall(f".//{SVG}metadata")
        assert not any({"style", "font"} & set(element.attrib) for element in root.iter())
        assert drawing.svg.count("font-family") == 1
        assert "currentColor" in drawing.svg
        assert "#010203" not in drawing.svg


def test_references_within_a_plot_lead_somewhere(plots):
    seen = set()
    for drawing in plots.values():
        root = ElementTree.fromstring(drawing.svg)
        names = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
        assert len(names) == len(set(names))
        assert not seen & set(names)
        seen |= set(names)
        for element in root.iter():
            for key, value in element.attrib.items():
                if key.endswith("href"):
                    assert value.removeprefix("#") in names
                elif value.startswith("url("):
                    assert value[5:-1] in names


def test_every_plot_says_what_the_games_were(plots):
    for drawing in plots.values():
        footer = "4,000 games · random players · seed 7 · cap 120 turns · ruleset ab12cd34 · engine sowing 1"
        assert footer in words(drawing)


@pytest.mark.thorough
def test_other_settings_and_order_of_games_give_the_same_bytes(plots, tmp_path):
    (tmp_path / "matplotlibrc").write_text("lines.linewidth: 9\naxes.grid: True\nfont.size: 30\n")
    programme = (
        "import hashlib, sys\nfrom tests.simulator.test_plots import drawings, random_rows\n"
        "assert not {'django', 'numba', 'matplotlib.pyplot'} & set(sys.modules)\n"
        "print(hashlib.sha256(''.join(d.svg for d in drawings(random_rows()[::-1])).encode()).hexdigest())"
    )
    environment = {**os.environ, "MATPLOTLIBRC": str(tmp_path), "PYTHONHASHSEED": "5"}
    run = subprocess.run([sys.executable, "-c", programme], env=environment, capture_output=True, text=True, check=True)
    here = hashlib.sha256("".join(drawing.svg for drawing in plots.values()).encode()).hexdigest()
    assert run.stdout.strip() == here


def test_captions_say_what_the_cap_hides(plots):
    unfinished = next(row[1] for row in plots["results"].table["rows"] if row[0] == "Unfinished")
    assert int(unfinished) > 0
    for kind in ("course", "rounds-histogram"):
        assert f"Counted up to turn 120, where {unfinished} games were unfinished." in plots[kind].caption
    assert f"{unfinished} unfinished ones among them" in plots["turns-histogram"].caption


def test_players_of_many_words_are_broken_between_words():
    """A line of a batch ended in "with an ev"."""
    said = "Monte Carlo search, 223 iterations of up to 12 turns, exploration 0.20, with an evaluation that counts the "
    said += "counters in the stores alone, in every seat"
    lines = footer({**CONTEXT, "played_by": said})
    assert {word for line in lines for word in line.split()} >= set(said.split())


def test_a_long_footer_is_broken_between_two_things_it_says():
    lines = footer({**CONTEXT, "players": "alpha_beta:4,uct:200", "games": 50})
    players = "alpha–beta search, 4 plies deep, against Monte Carlo search, 200 iterations"
    assert lines == [f"50 games · {players} · seed 7 · cap 120 turns", "· ruleset ab12cd34 · engine sowing 1"]


@pytest.mark.by_turns
def test_tables_hold_the_counts_of_the_games():
    rows = rows_of(8, end=[0] * 6 + [1, 2], winners=[1, 1, 1, 1, 2, 2, 0, 0], turns=[3, 3, 4, 5, 5, 5, 6, 7])
    tables = {drawing.kind: drawing.table for drawing in drawings(rows)}
    assert [row[:3] for row in tables["results"]["rows"]] == [
        ["Won by the first player", "4", "50.00 %"],
        ["Won by the second player", "2", "25.00 %"],
        ["Drawn by the rules", "1", "12.50 %"],
        ["Endless", "1", "12.50 %"],
        ["Unfinished", "0", "0.00 %"],
    ]
    assert [row[:2] for row in tables["turns-histogram"]["rows"]] == [
        ["1", "0"], ["2", "0"], ["3", "2"], ["4", "1"], ["5", "3"], ["6", "1"], ["7", "1"],
    ]  # fmt: skip
    assert tables["lengths"]["rows"][2][:2] == ["4", "62.50 %"]
    assert "rounds-histogram" not in tables
    for table in tables.values():
        assert all(len(row) == len(table["columns"]) for row in table["rows"])


def test_histogram_counts_every_game_once(plots):
    for kind in ("turns-histogram", "rounds-histogram"):
        counts = [int(row[1].replace(",", "")) for row in plots[kind].table["rows"]]
        assert sum(counts) == 4000


def test_classes_are_round_and_the_last_is_open():
    found = classes((np.arange(1, 1001), np.ones(1000, dtype=np.int64)), beyond=7)
    assert (found.first, found.width, found.beyond) == (0, 50, 1000 - 999 + 7)
    assert found.counts.sum() + found.beyond == 1007
    assert found.names()[0] == "0–49"
    assert found.names()[-1] == "1,000 or more"


def test_labels_of_lines_never_overlap_nor_leave_the_sheet(plots):
    root = ElementTree.fromstring(plots["lengths"].svg)
    lines = ("still running", "won ", "drawn ", "endless ")
    labels = [e for e in root.iter(f"{SVG}text") if (e.text or "").startswith(lines)]
    heights = sorted(float(e.attrib["y"]) for e in labels)
    assert len(heights) == 4
    assert min(np.diff(heights)) >= 260 * LABEL_STEP - 0.01
    assert heights[0] > 0


@pytest.mark.by_turns
def test_a_batch_of_which_nothing_ended_is_still_drawn():
    kinds = [drawing.kind for drawing in drawings(rows_of(5, end=3, turns=9, laps=4), cap=9)]
    assert kinds == ["results", "lengths", "course"]


def test_games_of_one_round_are_called_so():
    context = {**CONTEXT, "until": "round"}
    summary = summarise(tally_rows(random_rows(200), MEASURES), MEASURES, cap=120, seats=2, context=context)
    with drawing_style():
        found = draw_results(summary, context)
    assert found.title == "Results of the first round"
    assert any("(first round only)" in word for word in words(found))


FAST = {"turn": [0, 10, 20], "running": [1.0, 0.5, 0.0], "low": [1.0, 0.45, 0.0], "high": [1.0, 0.55, 0.02]}
SLOW = {"turn": [0, 40, 80], "running": [1.0, 0.8, 0.25], "low": [1.0, 0.75, 0.2], "high": [1.0, 0.85, 0.3]}
ABOUT = {**CONTEXT, "ruleset": ["ab12cd34" * 8, "0011eeff" * 8]}


def compared(names=("daramuti-parker", "daramuti-ludii"), cap=60):
    return draw_compared_lengths([FAST, SLOW], names, ABOUT, cap)


@pytest.mark.by_turns
def test_each_curve_is_named_by_what_its_ruleset_does_not_share():
    svg = compared().svg
    assert "1. parker 0.0 %" in svg
    assert "2. ludii 80.0 %" in svg
    assert "1. daramuti-parker" in compared(("daramuti-parker", "walak-pussa-parker")).svg
    assert "2. parker" in compared(("parker", "parker")).svg


def test_nothing_is_told_beyond_the_cap():
    table = compared(cap=60).table
    assert table["columns"] == ["Turn", "daramuti-parker", "daramuti-ludii"]
    assert table["rows"][-1] == ["40", "0.00 % (0.00 % to 2.00 %)", "80.00 % (75.00 % to 85.00 %)"]
    assert compared(cap=100).table["rows"][-1][0] == "80"


def test_between_two_turns_the_share_is_that_of_the_earlier():
    rows = {row[0]: row for row in compared().table["rows"]}
    assert rows["15"][1].startswith("50.00 %")


def test_sheet_names_its_rulesets_and_has_a_description():
    found = compared()
    assert "rulesets ab12cd34, 0011eeff" in found.svg
    assert re.search(r"<title[^>]*>Games still running by turn", found.svg)
    assert "0.0 % under daramuti-parker, 80.0 % under daramuti-ludii" in found.description


def test_the_same_numbers_give_the_same_bytes():
    assert compared().svg == compared().svg
