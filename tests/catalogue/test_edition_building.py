"""The edition is planned, built and published."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
from django.core.management import CommandError

from catalogue.edition import making
from catalogue.edition.files import FOLDER, EditionFolder, digest_of, read_index
from catalogue.edition.making import MOST_BYTES, unfinished
from catalogue.edition.plans import Part, Planner, _dear, costed, fitted, planned_games
from catalogue.edition.terms import KINDS, PLAN, TRAFFIC, WEAR, Fallback, Precision, read_plan, terms_of
from simulator.batches import playing
from simulator.batches.levels import player_of
from simulator.models import Batch
from simulator.problems import WrongRequest
from simulator.statistics.intervals import games_for, points_of, share
from tests.catalogue.edition_world import BUILT, SMALL, EditionTestCase, parts_of
from tests.catalogue.page_world import CatalogueTestCase

BESIDE = {TRAFFIC, WEAR}


def test_games_for_a_share_known_to_within_points() -> None:
    # z² = 3.8415: 3.8415 / 0.02² − 3.84 = 9,599.8; / 0.1²: 380.3; / 0.2²: 92.2, each rounded up to two digits
    assert [games_for(points) for points in (1, 5, 10, 50)] == [9_600, 390, 93, 1]
    for points in (0.7, 1, 3, 10):
        games = games_for(points)
        found = share(games / 2, games)
        assert found.low is not None
        assert 50 - 100 * found.low == pytest.approx(points_of(games))
        assert points_of(games) <= points


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": -1}, "seed"),
        ({"sed": 1}, "nearest valid key: seed"),
        ({"games": ["niranchi"]}, "no game is called 'niranchi'"),
        ({"coarser": [{"of": "levels", "level": "greed", "points": 40, "above_minutes": 0}]}, "'greed' is no level"),
        ({"coarser": [{"of": "ladders", "level": "club", "left_out": True, "above_minutes": 0}]}, "'club' is no level"),
    ],
)
@pytest.mark.django_db
def test_what_is_wrong_with_a_plan_is_named(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    file = tmp_path / "plan.json"
    file.write_text(json.dumps({**SMALL, **change}))
    with pytest.raises(WrongRequest) as caught:
        planned_games(read_plan(file))
    assert words in str(caught.value)


def test_the_shipped_plan_is_as_described() -> None:
    terms = read_plan(PLAN)
    assert [level.level for level in terms.levels] == ["random", "greedy", "club", "strong"]
    assert not terms.games  # all of them


@pytest.mark.thorough
def test_what_ships_is_what_its_index_says() -> None:
    folder = EditionFolder(FOLDER)
    shipped = read_index(folder)
    assert shipped is not None
    assert {(part.kind, part.id) for part in shipped.parts} == set(folder.every(KINDS))
    assert all(digest_of(folder.read(part.kind, part.id)) == part.digest for part in shipped.parts)
    files = [file for file in FOLDER.rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in files) < MOST_BYTES
    assert shipped.bytes == sum(folder.size(part.kind, part.id) for part in shipped.parts)


def test_workers_have_the_games_of_the_next_parts_ahead(tmp_path: Path) -> None:
    """Six parts, of which none can be played: whoever plays waits for one while the next five are asked for."""
    requests = [SimpleNamespace(id=f"batch {place}") for place in range(9)]
    parts = [
        Part("claims", request.id, "", "", SimpleNamespace(id=request.id, requests=[request])) for request in requests
    ]
    asked: list[str] = []

    def request_all(wanted: Sequence[Any], announce: bool, origin: str) -> list[Any]:
        assert (announce, origin) == (True, Batch.Origin.COMMAND)
        asked.extend(one.id for one in wanted if one.id not in asked)
        return list(wanted)

    with mock.patch.object(making, "request_all", side_effect=request_all):
        waits: list[int] = []

        def play(batches: list[Any]) -> str:
            waits.append(len(asked))
            return "no worker"

        built = making.build(EditionFolder(tmp_path), parts, play, lambda line: None, announce=True)
    assert (waits[:5], built.written, len(built.failed)) == ([6, 7, 8, 9, 9], 0, 9)


class PlannedPlayersTests(CatalogueTestCase):
    def setUp(self) -> None:
        club = {"level": "club", "points": 30, "until": "round"}
        step = {"of": "levels", "level": "club", "points": 40, "above_minutes": 0}
        self.terms = terms_of({**SMALL, "levels": [SMALL["levels"][0], club], "studies": [], "coarser": [step]})

    def test_both_players_of_a_level_play_and_are_compared(self) -> None:
        planner = Planner(self.terms, planned_games(self.terms))
        parts = {(part.kind, part.name): part for part in planner.parts(Precision.from_plan(self.terms))}
        readings = {"koti-keliya": ("parker", "ludii"), "niranchy": ("ludovisi", "dlp", "ludii")}
        for game, authorities in readings.items():
            compared = [request.id for request in parts["comparisons", f"{game} club"].requests]
            for player in ("club", "club-second"):
                for who in authorities:
                    part = parts["batches", f"{game}-{who} {player}"]
                    assert part.level == player
                    assert set(part.request.players) == {player_of(part.request.ruleset, player)}
                    assert part.request.games == games_for(30)
                    assert part.id in compared
            assert len(compared) == 2 * len(authorities)
        assert ("batches", "niranchy-dlp random-second") not in parts

    def test_what_is_given_up_is_given_up_for_both(self) -> None:
        planner, precision = Planner(self.terms, planned_games(self.terms)), Precision.from_plan(self.terms)
        [step] = self.terms.coarser
        coarser = precision.after(step, _dear(costed(planner.parts(precision)), step))
        clubs = [part for part in planner.parts(coarser) if part.kind == "batches" and part.level != "random"]
        assert {part.request.games for part in clubs} == {games_for(40)}

    def test_traffic_and_worn_boards_come_beside_the_hours(self) -> None:
        """They change nothing of what is given up, and a plan of some games has those of them alone."""
        wear = {"record": "ETG.Artefact.04433", "candidates": "coriovallum", "level": "greedy", "games": 10}
        wanted = {**SMALL, "traffic": {"greedy": 7}, "wear": [wear]}
        of_both = terms_of({**wanted, "games": ["niranchy", "coriovallum-slab"]})
        beside = [one.part for one in fitted(of_both, planned_games(of_both), 1, 2).parts if one.part.kind in BESIDE]
        assert {part.name for part in beside[:-1]} <= {f"niranchy-{who} greedy" for who in ("ludovisi", "dlp", "ludii")}
        assert (beside[-1].kind, beside[-1].name) == ("wear", "coriovallum-slab greedy")
        assert {(one.games, one.traffic) for part in beside[:-1] for one in part.requests} == {(7, True)}
        assert len(beside[-1].requests) == 132
        small = terms_of(wanted)
        kinds = {one.part.kind for one in fitted(small, planned_games(small), 1, 2).parts}
        assert kinds & BESIDE == {"traffic"}
        for wrong, words in (
            ({"level": "greedyy"}, "greedyy"),
            ({"record": "ETG.Artefact.0443"}, "ETG.Artefact.04433"),
        ):
            terms = terms_of({**wanted, "games": [], "wear": [{**wear, **wrong}]})
            with pytest.raises(WrongRequest, match=words):
                list(Planner(terms, []).beside(Precision.from_plan(terms)))

    def test_a_level_is_left_out_for_dear_games_alone(self) -> None:
        steps = [{"of": of, "level": level, "left_out": True, "above_minutes": 0}
                 for of, level in (("levels", "club"), ("ladders", "uct:16"))]  # fmt: skip
        coarser = tuple(Fallback(**one) for one in steps)
        terms = replace(self.terms, ladder_levels=("random", "greedy", "uct:16"), coarser=coarser)
        planner, precision = Planner(terms, planned_games(terms)), Precision.from_plan(terms)
        for step in terms.coarser:
            assert set(_dear(costed(planner.parts(precision)), step)) == {"koti-keliya", "niranchy"}
            precision = precision.after(step, ["niranchy"])
        parts = planner.parts(precision)
        assert {part.game for part in parts if part.level.startswith("club")} == {"koti-keliya"}
        rungs = {part.game: len(part.request.rungs) for part in parts if part.kind == "ladders"}
        assert rungs == {"koti-keliya": 3, "niranchy": 2}
        assert str(terms.coarser[0]) == "levels: no club players"


@pytest.mark.thorough
class BuildingTests(EditionTestCase):
    def test_every_part_of_the_plan_has_a_file(self) -> None:
        assert not unfinished(self.folder, self.parts)
        numbers = {kind: len(self.folder.ids(kind)) for kind in KINDS}
        played = {"batches": 10, "comparisons": 4, "studies": 1, "claims": 3, "ladders": 5}
        assert numbers == {**played, "traffic": 0, "solutions": 0, "wear": 0}
        others = [part for part in self.parts if part.kind != "claims"]
        caps = {(other.kind == "ladders", request.cap) for other in others for request in other.requests}
        assert {cap for is_ladder, cap in caps if not is_ladder} == {200}
        assert min(cap for is_ladder, cap in caps if is_ladder) == 150  # more where random play lasts long
        with mock.patch.object(playing, "play_waiting_chunk", side_effect=AssertionError):  # nothing is played again
            assert self.edition("build", "--inline")["written"] == 0

    def test_a_part_that_is_gone_is_made_again_to_the_last_byte(self) -> None:
        files = [self.place / kind / f"{self.folder.ids(kind)[0]}.json.xz" for kind in BUILT]
        before = [file.read_bytes() for file in files]
        for file in files:
            file.unlink()
        assert self.edition("build", "--inline")["written"] == len(files)
        assert [file.read_bytes() for file in files] == before

    def test_published_it_says_what_is_there_and_what_is_missing(self) -> None:
        part, document = self.part("batches")
        self.folder.remove("comparisons", self.folder.ids("comparisons")[0])
        made = self.edition("publish", "--date", "2026-12-01")
        assert [len(names) for names in made["missing"].values()] == [1]
        index = read_index(self.folder)
        assert index is not None
        assert (index.date, len(index.parts)) == ("2026-12-01", 22)
        [entry] = [one for one in index.parts if one.id == part.id]
        assert entry.digest == digest_of(document)
        assert entry.reached == pytest.approx(points_of(document["games"]), abs=0.01)
        assert index.versions["points"] >= 2

    def test_an_earlier_part_stays_until_its_successor_is_there(self) -> None:
        self.edition("publish")
        old = {one.name: one.id for one in parts_of(self.folder) if one.kind == "ladders"}
        self.plan.write_text(json.dumps({**SMALL, "ladders": {**SMALL["ladders"], "cap": 140}}))
        self.edition("publish")
        # Koti keliya lasts so long at random that the plan's cap is not that of its ladders.
        of_niranchy = {name: key for name, key in old.items() if name.startswith("niranchy")}
        assert {one.name: one.id for one in parts_of(self.folder) if not one.of_plan} == of_niranchy
        self.edition("build", "--inline")
        self.edition("publish")
        now = {one.name: one.id for one in parts_of(self.folder) if one.kind == "ladders"}
        assert all(one.of_plan for one in parts_of(self.folder))
        assert now.keys() == old.keys()
        assert not set(now.values()) & set(of_niranchy.values())

    def test_what_other_players_are_to_play_is_withheld(self) -> None:
        self.edition("publish")
        names = {one.name for one in parts_of(self.folder) if one.kind == "ladders"}
        ladders = {**SMALL["ladders"], "levels": ["random", "uct:17"]}
        self.plan.write_text(json.dumps({**SMALL, "ladders": ladders}))
        for _ in range(2):  # it stays withheld although nothing of it is there any more
            self.edition("publish")
            index = read_index(self.folder)
            assert index is not None
            assert set(index.withheld) == {"ladders"}
            assert index.withheld["ladders"] == index.missing["ladders"]
            assert not self.folder.ids("ladders")
        self.edition("build", "--inline", "--kind", "ladders", "--game", "niranchy", "--cheapest-first")
        self.edition("publish")
        index = read_index(self.folder)
        assert index is not None
        assert all(name.startswith("koti-keliya") for name in index.withheld["ladders"])
        assert {one.name for one in index.parts if one.kind == "ladders"} == {
            name for name in names if name.startswith("niranchy")
        }

    def test_the_plan_has_its_price_and_gives_up_precision(self) -> None:
        whole = self.edition("plan")
        assert whole["given_up"] == []
        greedy = next(one for one in whole["groups"] if (one["kind"], one["level"]) == ("batches", "greedy"))
        assert greedy["reached"] == [round(points_of(games_for(30)), 1)] * 2
        assert (greedy["parts"], greedy["there"]) == (5, 5)
        assert whole["hours_left"] < whole["hours"]
        printed = self.edition_in_words("plan").splitlines()
        rows = [(line[:22].rstrip(), int(line[22:28])) for line in printed[1 : 1 + len(whole["groups"])]]
        groups = sorted(whole["groups"], key=lambda one: KINDS.index(one["kind"]))
        assert rows == [(f"{group['kind']} {group['level']}".rstrip(), group["parts"]) for group in groups]
        assert f"{whole['games']:,} games, {whole['hours']:.1f} hours on 2 processes" in "\n".join(printed)
        less = self.edition("plan", "--hours", str(0.9999999 * whole["hours"]))
        assert less["given_up"] == ["levels of greedy players: ± 40 points"]
        terms = read_plan(self.plan)
        coarser = Precision.from_plan(terms).after(terms.coarser[-1], ["niranchy"])
        assert (coarser.ladder_games("niranchy"), coarser.ladder_games("koti-keliya")) == (4, 12)
        with pytest.raises(CommandError) as caught:
            self.edition("plan", "--hours", str(whole["hours"] / 10))
        assert caught.value.returncode == 2
        assert "the dearest part is" in str(caught.value)
