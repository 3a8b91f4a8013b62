"""`manage.py compare`, with real games: nothing found where there is nothing, and wrong requests write nothing."""

import io
import json
from typing import Any
from unittest import mock

import pytest
from django.core.management import CommandError, call_command

from catalogue.analyses.comparison_document import document_of
from catalogue.analyses.comparison_words import COMPARISON_VERSION
from catalogue.analyses.comparisons import COMPARISONS, check_comparison, comparison_id
from catalogue.models import ComparedBatch, Comparison
from simulator import rulesets
from simulator.batches import playing
from simulator.batches.service import request_batch
from simulator.models import Batch, Ruleset

pytestmark = pytest.mark.django_db
PAIR = ("hat-diviyan-keliya-ludovisi", "hat-diviyan-keliya-ludii")
WANTED = ("--games", "100", "--seed", "5", "--cap", "300")
SHORT = ("--games", "40", "--cap", "300", "--until", "round")


def printed(*words: str) -> str:
    out = io.StringIO()
    call_command("compare", *words, "--inline", stdout=out, stderr=io.StringIO())
    return out.getvalue()


def compare(*words: str) -> Any:
    return json.loads(printed(*words, "--json"))


def refused(*words: str) -> CommandError:
    with pytest.raises(CommandError) as caught:
        call_command("compare", *words, "--inline", stderr=io.StringIO())
    assert caught.value.returncode == 2
    for model in (Batch, Ruleset, Comparison, ComparedBatch):
        assert not model.objects.exists()
    return caught.value


def measures(document: Any, pair: int = 0) -> dict[str, Any]:
    return {measure["key"]: measure for measure in document["pairs"][pair]["measures"]}


@pytest.mark.by_turns
def test_a_comparison_is_computed_once_from_its_batches() -> None:
    document = compare(*PAIR, *WANTED)
    [pair] = document["pairs"]
    batches = [Batch.objects.get(id=side["batch"]) for side in document["rulesets"]]
    assert pair["batches"] == [batch.id for batch in batches]
    for side, key in enumerate(("first", "second")):
        counts = batches[side].summary["counts"]["won_by_seat"]
        assert measures(document)["won_0"][key]["value"] == pytest.approx(counts[0] / 100)
    assert document["comparison"] == comparison_id(pair["batches"], document["margins"], 1)
    assert [document[name] for name in ("games", "seed", "cap", "until")] == [100, 5, 300, "game"]
    assert pair["sentence"].startswith("Under the ruleset hat-diviyan-keliya-ludii, between random players, ")
    assert document["rules"]
    kept = Comparison.objects.get()
    text = printed(*PAIR, *WANTED)
    assert pair["sentence"] in text
    assert all(batch.id in text for batch in batches)
    assert "Rules that differ" in text
    kept.document, kept.state = None, Comparison.State.WAITING
    kept.save()
    assert COMPARISONS.conclude(kept)
    assert json.dumps(kept.document) == json.dumps(Comparison.objects.get().document)
    assert kept.document["pairs"] == document["pairs"]
    assert compare(*reversed(PAIR), *WANTED)["comparison"] != document["comparison"]
    assert compare(*PAIR, *WANTED, "--margin", "shares=0.03")["margins"] == {"shares": 0.03, "amounts": 0.05}
    assert Comparison.objects.count() == 3
    assert Batch.objects.count() == 2


def test_a_ruleset_differs_from_itself_by_exactly_nothing() -> None:
    document = compare(PAIR[0], PAIR[0], "--games", "40", "--cap", "300")
    [pair] = document["pairs"]
    assert document["rules"] == []
    assert pair["identical"]["count"] == 40
    assert {measure["difference"]["value"] for measure in pair["measures"]} == {0}
    assert "every one of the 40 games is the same" in pair["sentence"]
    assert Batch.objects.count() == 1


@pytest.mark.by_turns
def test_a_rule_that_cannot_fire_makes_no_difference() -> None:
    """What becomes of the remainder between rounds cannot matter in games that stop after the first."""
    document = compare("daramuti-ludii", *SHORT, "--set", "remainder_from_round=3")
    assert [rule["key"] for rule in document["rules"]] == ["remainder_from_round"]
    [pair] = document["pairs"]
    assert pair["identical"]["count"] == 40
    assert {measure["difference"]["value"] for measure in pair["measures"]} == {0}
    assert "differs" not in {measure["verdict"] for measure in pair["measures"]}


def test_a_real_difference_is_found() -> None:
    turns = measures(compare("daramuti-ludii", *SHORT, "--set", "holes_per_row=3"))["turns"]
    assert (turns["verdict"], turns["difference"]["value"] < 0) == ("differs", True)


def test_batches_of_two_seeds_are_compared_without_pairing() -> None:
    played = [request_batch(PAIR[0], games=60, seed=seed, cap=300, announce=False) for seed in (1, 2)]
    for batch in played:
        playing.play_waiting_chunk(batch)
        batch.refresh_from_db()
    row = Comparison(id="0" * 16, names=[PAIR[0]] * 2, margins={"shares": 0.02, "amounts": 0.05}, bootstrap_seed=1)
    [pair] = document_of(row, played)["pairs"]
    assert pair["pairing"] == ""
    assert pair["identical"]["count"] < 60
    assert "differs" not in {measure["verdict"] for measure in pair["measures"]}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("niranchy-ludi", "niranchy-dlp"), "niranchy-ludii"),
        (("niranchy-ludii",), "from 2 to 6 rulesets can be compared at once, not 1"),
        (("niranchy-ludii",) * 7, "not 7"),
        ((PAIR[0], PAIR[1], f"{PAIR[0]}@1+cap=3"), "no parameter has this name"),
        (("niranchy-ludii", "kalah-reference"), "of the sowing family"),
        (("sokkattan-parker", "saturankam-parker"), "players"),
        ((*PAIR, "--games", "0"), "nearest valid value: 1"),
        ((*PAIR, "--games", "2000000"), "nearest valid value: 1000000"),
        ((*PAIR, "--until", "round"), "have no rounds"),
        ((*PAIR, "--margin", "share=0.1"), 'nearest valid value: "shares"'),
        ((*PAIR, "--margin", "shares=2"), "nearest valid value: 1"),
        ((*PAIR, "--margin", "shares"), "NAME=VALUE"),
        ((*PAIR, "--bootstrap-seed", "-1"), "nearest valid value: 0"),
        ((*PAIR, "--players", "randm"), "random"),
        ((*PAIR, "--set", "chan=off"), "chain"),
    ],
)
def test_a_wrong_request_names_the_nearest_and_writes_nothing(words: tuple[str, ...], said: str) -> None:
    assert said in str(refused(*words))


def test_several_mistakes_are_told_at_once() -> None:
    message = str(refused("niranchy-ludi", "niranchy-dlp", "--games", "0", "--margin", "amounts=x"))
    assert "niranchy-ludii" in message
    assert "games" in message
    assert "margin_amounts" in message


def test_the_name_of_a_comparison_is_made_of_what_determines_it() -> None:
    request = check_comparison(PAIR, games=10)
    ids = [batch.id for batch in request.requests]
    assert request.id == comparison_id(ids, {"amounts": 0.05, "shares": 0.02}, 1)
    assert request.id != comparison_id(ids, {"amounts": 0.05, "shares": 0.02}, 2)
    name = request.id
    with mock.patch("catalogue.analyses.comparisons.COMPARISON_VERSION", COMPARISON_VERSION + 1):
        assert name != request.id


def test_a_beginning_of_a_hash_is_known_by_the_whole_of_it() -> None:
    digest = rulesets.save(rulesets.find(PAIR[0])).hash
    assert check_comparison([digest[:9], PAIR[1]], games=10).names == (digest, PAIR[1])
