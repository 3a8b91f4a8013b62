"""Whether a rung beats the one below, what it looks like where it does not, and the reasons that are named."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from simulator.batches.levels import player_of
from simulator.batches.prices import turn_price
from simulator.engine import shipped
from simulator.engine.ruleset import nearest
from simulator.statistics.intervals import share
from simulator.strength import beating
from tests.engine.rulesets import RULESETS, VERSIONS
from tests.proofs import play_scale
from tests.proofs.running import Unproved

TWO, FOUR = 1 / 2, 1 / 4
SLUG = "niranchy-ludovisi"
REASONS = json.loads(beating.FILE.read_text(encoding="utf-8"))["reasons"]
LONGER = "thinks longer"


def match(
    won: float, games: int, unfinished: int = 0, stronger: str = "uct:16", seats: tuple[float, ...] = (0.6, 0.4)
) -> dict[str, Any]:
    """As a ladder has it: what is unfinished is divided in the figure, and counted both ways in the limits."""
    low, high = share(won, games).low, share(won + unfinished, games).high
    figures = {"value": (won + unfinished / 2) / games, "low": low, "high": high}
    of_seats = [{"value": value} for value in seats]
    known = {"stronger": stronger, "share": figures, "seats": of_seats}
    return {**known, "games": games, "unfinished": unfinished, "won": won}


def test_beaten_where_the_least_share_exceeds_a_fair_part() -> None:
    # Wilson: 38 of 60 leave 0.507 to 0.744, 37 leave 0.490 to 0.729.
    assert beating.beats(match(38, 60), TWO)
    assert not beating.beats(match(37, 60), TWO)
    assert beating.beats(match(24, 60), FOUR)


@pytest.mark.parametrize(
    ("one", "kind"),
    [
        (match(12, 60), beating.HARM),  # 20 % (12 to 32)
        (match(22, 60), beating.HARM),  # 37 % (26 to 49)
        (match(23, 60), beating.UNDECIDED),  # 38 % (27 to 51): it may well play worse
        (match(30, 60), beating.UNDECIDED),  # 50 % (38 to 62): it may play better or worse
        (match(32, 60), beating.UNDECIDED),
        (match(35, 60), beating.CLOSE),  # 58 % (46 to 70)
        (match(37, 60), beating.CLOSE),  # 62 % (49 to 73)
        (match(1000, 2000), beating.AS_GOOD),  # 50 % (48 to 52)
        (match(930, 2000), beating.HARM),  # 46.5 % (44 to 49)
        (match(20, 60, unfinished=31), beating.ENDLESS),
        (match(30, 60, seats=(1.0, 0.0)), beating.SIDE),  # whoever begins wins, on both levels
        (match(29, 60, seats=(29 / 30, 0.0)), beating.UNDECIDED),
    ],
)
def test_what_a_match_that_is_not_won_looks_like(one: dict[str, Any], kind: str) -> None:
    assert not beating.beats(one, TWO)
    assert beating.looks(one, TWO) == kind


@pytest.mark.parametrize("fair", [TWO, FOUR])
@pytest.mark.parametrize("games", [60, 200, 1000, 2000])
def test_as_good_is_nothing_that_the_games_leave_open(games: int, fair: float) -> None:
    for won in range(games + 1):
        one = match(won, games)
        if not beating.beats(one, fair) and beating.looks(one, fair) == beating.AS_GOOD:
            low, high = share(won, games).low, share(won, games).high
            assert fair - beating.NEAR < low <= fair <= high < fair + beating.NEAR


def noted(one: dict[str, Any], slug: str = SLUG) -> str:
    return beating.note(RULESETS[slug], one, {"fair": TWO})


def test_notes() -> None:
    assert noted(match(22, 60)) == "worse in these games"
    assert noted(match(23, 60)) == noted(match(30, 60)) == f"not shown to be better: {beating.reasons()['undecided']}"
    assert noted(match(36, 60)) == f"not shown to be better: {beating.reasons()['close']}"
    assert noted(match(1000, 2000)) == f"no better in these games: {beating.reasons()['as good']}"
    endless = "not shown to be better: most games are not over when they are stopped; of the 29 that are over it won 20"
    assert noted(match(20, 60, unfinished=31)) == endless
    assert noted(match(38, 60)) == ""


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[dict[str, str]], None]]:
    """Name these exceptions of the greedy level in the place of those of the file."""

    def put(slugs: dict[str, str]) -> None:
        levels = {"greedy": slugs, "club": {}, "strong": {}}
        monkeypatch.setattr(beating, "_named", lambda: {"reasons": REASONS, "levels": levels, "weak": {}})
        beating._by_content.cache_clear()

    yield put
    beating._by_content.cache_clear()


def test_a_reason_holds_for_every_reading_with_the_same_rules(named: Callable[[dict[str, str]], None]) -> None:
    assert RULESETS["daramuti-dlp"] == RULESETS["puhulmutu-dlp"]
    for slug in ("daramuti-dlp", "puhulmutu-dlp"):
        named({slug: "foresight"})
        for reading in ("daramuti-dlp", "puhulmutu-dlp"):
            note = noted(match(30, 60, stronger="greedy"), reading)
            assert note == f"not shown to be better: {beating.reasons()['foresight']}"
        assert noted(match(30, 60, stronger="greedy")) == f"not shown to be better: {beating.reasons()['undecided']}"


def test_what_the_figures_of_other_games_show_is_told_of_those(named: Callable[[dict[str, str]], None]) -> None:
    named({SLUG: "close"})
    assert noted(match(23, 60, stronger="greedy")) == f"not shown to be better: {beating.reasons()['undecided']}"


def test_exceptions_are_of_shipped_rulesets_and_have_reasons() -> None:
    known = {ruleset.removesuffix(".json") for ruleset in shipped.measured()}
    for level in ("greedy", "club", "strong"):
        for slug, why in beating.exceptions(level).items():
            assert slug in known, f"{slug}: the nearest is {nearest(slug, known)}"
            assert why in beating.reasons(), f"{why}: the nearest is {nearest(why, beating.reasons())}"
            same = {beating.exceptions(level).get(one, why) for one in known if RULESETS[one] == RULESETS[slug]}
            assert same == {why}, f"{slug}: another reading with the same rules has another reason at the level {level}"


def test_proof_finds_each_ladder_by_its_rules(
    monkeypatch: pytest.MonkeyPatch, named: Callable[[dict[str, str]], None]
) -> None:
    named({"daramuti-dlp": "undecided"})
    lost = [match(30, 60, stronger=level) for level in ("greedy", "club", "strong")]
    document = {"fair": TWO, "matches": [{**one, "share": {**one["share"], "text": "50 %"}} for one in lost]}
    ladders = {one.hash: document for one in RULESETS.values()}
    assert len(ladders) < len(RULESETS)
    monkeypatch.setattr(play_scale, "shipped_ladders", lambda: ladders)
    with pytest.raises(Unproved, match="not as expected") as found:
        play_scale.scale()
    assert f"{SLUG} greedy: undecided, not None" in str(found.value)
    assert not any(f"{slug} greedy" in str(found.value) for slug in ("daramuti-dlp", "puhulmutu-dlp"))


def test_ladders_of_the_edition_are_known_by_their_rules() -> None:
    assert set(play_scale.shipped_ladders()) <= {one.hash for one in VERSIONS.values()}


def test_weakness_holds_for_all_readings_with_the_same_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    for other, named in json.loads(beating.FILE.read_text(encoding="utf-8"))["weak"].items():
        assert other in play_scale.OTHERS.values()
        assert set(named.values()) <= set(beating.reasons())
        assert set(named) <= set(RULESETS)
    weak = {"alpha_beta:4": {"dam-dlp": "open board"}}
    monkeypatch.setattr(beating, "_named", lambda: {"reasons": REASONS, "levels": {}, "weak": weak})
    assert beating.weaknesses(RULESETS["kalah-reference"]) == []
    assert beating.weaknesses(RULESETS["dam-dlp"]) == [
        "Against alpha–beta search, 4 plies deep, the strong player makes less than 45 % of the points: most games do "
        "not end, and those that do are lost late, on an open board."
    ]


def test_search_that_takes_longer_costs_many_times_as_much() -> None:
    others = list(play_scale.OTHERS.values())
    named = [(slug, other) for other in others for slug, why in beating.weak_against(other).items() if why == LONGER]
    for slug, other in [*named, ("pahada-keliya-dlp", "uct:2000/200")]:
        ruleset = RULESETS[slug]
        assert turn_price(ruleset, other) > 5 * turn_price(ruleset, player_of(ruleset, "strong")), slug
