"""Rulesets by name, by hash, with changes, and from their files."""

import json

import pytest

from simulator import rulesets
from simulator.models import Ruleset, RulesetVersion
from simulator.problems import WrongRequest

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path):
    kalah = json.loads((rulesets.SHIPPED / "kalah-reference.json").read_text())

    def write(number: int, parent: str | None, **changes):
        file = kalah | {"number": number, "parent": parent, "document": kalah["document"] | changes}
        # read in the order of their names, so that a parent comes after what was made from it
        name = "kalah-reference.json" if number == 1 else f"kalah-reference.{number}.json"
        (tmp_path / name).write_text(json.dumps(file))
        return tmp_path

    return write


@pytest.mark.by_turns
def test_the_shipped_files_are_loaded_once():
    files = len(list(rulesets.SHIPPED.rglob("*.json")))
    assert rulesets.load_ruleset_files(rulesets.SHIPPED) == files == RulesetVersion.objects.count()
    assert rulesets.load_ruleset_files(rulesets.SHIPPED) == 0


def test_a_bare_slug_is_the_latest_version(folder):
    folder(1, None)
    rulesets.load_ruleset_files(folder(2, "kalah-reference@1", counters_per_hole=5))
    second = RulesetVersion.objects.get(number=2)
    assert second.parent.number == 1
    assert rulesets.find("kalah-reference").hash == second.ruleset_id
    assert rulesets.find("kalah-reference@1").hash == second.parent.ruleset_id
    assert rulesets.find(second.ruleset_id).hash == second.ruleset_id
    assert rulesets.find(second.ruleset_id[:8]).hash == second.ruleset_id


def test_an_earlier_version_stays_where_it_is_cited(folder):
    written = folder(1, None)
    (written / "earlier").mkdir()
    (written / "kalah-reference.json").rename(written / "earlier" / "kalah-reference.1.json")
    assert rulesets.load_ruleset_files(folder(2, "kalah-reference@1", counters_per_hole=5)) == 2
    assert rulesets.find("kalah-reference").hash != rulesets.find("kalah-reference@1").hash


def test_a_version_never_changes_its_content(folder):
    rulesets.load_ruleset_files(folder(1, None))
    with pytest.raises(WrongRequest, match="give the changed ruleset the next number"):
        rulesets.load_ruleset_files(folder(1, None, counters_per_hole=5))
    assert RulesetVersion.objects.count() == Ruleset.objects.count() == 1


def test_wrong_document_is_named_with_its_file(folder):
    folder(1, None)
    with pytest.raises(WrongRequest, match=r"kalah-reference\.2\.json.*counters_per_hole"):
        rulesets.load_ruleset_files(folder(2, "kalah-reference@1", counters_per_hole=-1))
    assert not RulesetVersion.objects.exists()


def test_the_same_content_is_one_row():
    ruleset = rulesets.find("kalah-reference")
    assert rulesets.save(ruleset) == rulesets.save(rulesets.find("kalah-reference", {}))
    assert Ruleset.objects.count() == 1


def test_a_beginning_that_two_hashes_share_is_refused():
    document = rulesets.find("kalah-reference").document
    for end in "ab":
        Ruleset.objects.create(hash="0123456789" + end * 54, family="sowing", document=document)
    with pytest.raises(WrongRequest, match="more than one"):
        rulesets.find("01234567")
    assert rulesets.find("0123456789a").document == document


def test_a_beginning_that_is_too_short_is_said_to_be():
    kept = rulesets.save(rulesets.find("kalah-reference"))
    with pytest.raises(WrongRequest, match="at least 8 digits"):
        rulesets.find(kept.hash[:7])
    with pytest.raises(WrongRequest) as long_enough:
        rulesets.find("01234567")
    assert "digits" not in str(long_enough.value)


def test_a_change_makes_another_ruleset():
    changed = rulesets.find("kalah-reference", rulesets.parse_changes(["counters_per_hole=5"]))
    assert changed.parameters["counters_per_hole"] == 5
    assert changed.hash != rulesets.find("kalah-reference").hash
