"""The index of the search follows what is saved, changed and deleted, and can be made anew."""

import hashlib
import io
import json
from unittest import mock

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import TransactionTestCase

from catalogue.demo import installation
from catalogue.models import Evidence, Game, Reading, SearchEdition, SearchEntry, SearchTerm
from catalogue.search.indexing import WORDS, index_missing, is_of_today, missing, rebuild
from catalogue.search.words import tokens, words_of
from tests import builders

SEARCH = "/search/"


class FollowingTests(TransactionTestCase):
    """What is saved and deleted on the site is in the index when its transaction is through."""

    def found(self, text: str) -> list[str]:
        return [find["title"] for find in self.client.get(SEARCH, {"q": text, "format": "json"}).json()["results"]]

    @pytest.mark.by_turns
    def test_a_record_from_its_making_to_its_end(self) -> None:
        record = builders.evidence(692, quotation="'A quorn of seeds.'")
        assert self.found("quorn") == ["DLP.Evidence.692 · Daramuti"]
        record.quotation = "'A zwilch of seeds.'"
        record.save()
        assert self.found("quorn") == []
        assert self.found("zwilch") == ["DLP.Evidence.692 · Daramuti"]
        record.notes.create(slug="n", text="Glorped by the editors.")
        assert self.found("glorped") == ["DLP.Evidence.692 · Daramuti"]
        record.places.add(builders.a_place("Mumbledore", "mumbledore"))
        assert self.found("mumbledore") == ["Daramuti", "DLP.Evidence.692 · Daramuti"]
        record.delete()
        assert self.found("zwilch") == []
        assert missing() == {}

    @pytest.mark.by_turns
    def test_links_that_are_cut_are_followed_from_either_side(self) -> None:
        record, place = builders.evidence(692), builders.a_place("Mumbledore", "mumbledore")
        for one, other in ((place.evidence, record), (record.places, place)):
            one.add(other)
            assert self.found("mumbledore") == ["Daramuti", "DLP.Evidence.692 · Daramuti"]
            one.clear()
            assert self.found("mumbledore") == []
            one.add(other)
            one.remove(other)
            assert self.found("mumbledore") == []

    def test_a_link_to_a_place_leaves_its_other_records_alone(self) -> None:
        place = builders.a_place("Mumbledore", "mumbledore")
        place.evidence.add(builders.evidence(692))
        with mock.patch("catalogue.search.indexing.index_changed") as changed:
            other = builders.evidence(693)
            for link in (lambda: other.places.add(place), lambda: place.evidence.remove(other)):
                changed.reset_mock()
                link()
                (keys,) = changed.call_args.args
                assert keys["record"] == {other.pk}

    def test_a_place_lends_its_name_to_games(self) -> None:
        place = builders.a_place("Mumbledore", "mumbledore")
        place.evidence.add(builders.evidence(692))
        place.name = "Quornhill"
        place.save()
        assert self.found("quornhill") == ["Daramuti", "DLP.Evidence.692 · Daramuti"]

    @pytest.mark.by_turns
    def test_a_game_lends_its_name_to_its_records(self) -> None:
        record = builders.evidence(692)
        record.game.name = "Quornamuti"
        record.game.save()
        assert self.found("quornamuti") == ["Quornamuti", "DLP.Evidence.692 · Quornamuti"]
        name = record.game.names.create(name="Zwilchamuti")
        assert self.found("zwilchamuti") == ["Quornamuti", "DLP.Evidence.692 · Quornamuti"]
        name.delete()
        assert self.found("zwilchamuti") == []

    @pytest.mark.by_turns
    def test_readings_rules_questions_answers_and_claims(self) -> None:
        record = builders.evidence(692)
        reading = Reading.objects.create(slug="d-x", title="Daramuti, glorped", game=record.game, authority="x")
        assert self.found("glorped") == ["Daramuti, glorped"]
        reading.evidence.add(record)
        assert self.client.get(SEARCH, {"kind": "record", "rulesets": "yes", "format": "json"}).json()["count"] == 1
        reading.clauses.create(slug="c", text="A quorn is taken.", basis="stated")
        question = record.game.questions.create(slug="q", title="Whither?", text="It says nothing.")
        question.answers.create(slug="a", text="Zwilchwards.")
        record.game.claims.create(slug="b", title="It brabbles", text="Long.", judged_by="nothing")
        assert self.found("quorn") == ["Daramuti, glorped: c"]
        assert self.found("zwilchwards") == ["Whither?"]
        assert self.found("brabbles") == ["It brabbles"]
        reading.clauses.all().delete()
        assert self.found("quorn") == []

    def test_a_row_made_and_deleted_at_once_leaves_the_index_whole(self) -> None:
        with transaction.atomic():
            record = builders.evidence(692, quotation="'A quorn of seeds.'")
            reading = Reading.objects.create(slug="d-x", title="Daramuti, glorped", game=record.game, authority="x")
            reading.evidence.add(record)
            reading.delete()
            builders.a_game("Brabble", "brabble").names.create(name="Brabbling")
            Game.objects.get(slug="brabble").delete()
        assert self.found("quorn") == ["DLP.Evidence.692 · Daramuti"]
        assert self.found("glorped") == self.found("brabbling") == []

    def test_what_was_undone_is_not_there(self) -> None:
        builders.evidence(692)
        with transaction.atomic():
            builders.evidence(693, quotation="'A quorn.'")
            transaction.set_rollback(True)
        builders.evidence(694)
        assert self.found("quorn") == []
        assert missing() == {}

    def test_what_was_written_in_bulk_is_found_missing_and_added(self) -> None:
        builders.evidence(692)
        game = Game.objects.get()
        Evidence.objects.bulk_create(
            [Evidence(identifier=f"X.{n}", type="A", game=game, quotation=f"A quorn {n}.") for n in range(3)]
        )
        assert missing() == {"record": (1, 4)}
        index_missing()
        assert missing() == {}
        assert len(self.found("quorn")) == 3
        assert SearchTerm.objects.filter(form="quorn").exists()

    def test_the_command_makes_it_anew_and_says_what_it_holds(self) -> None:
        builders.evidence(692)
        SearchEntry.objects.all().delete()
        output = io.StringIO()
        call_command("index_search", json=True, stdout=output)
        assert json.loads(output.getvalue())["entries"]["record"] == 1
        assert missing() == {}

    def test_an_index_of_an_earlier_release_is_known(self) -> None:
        builders.evidence(692)
        assert is_of_today()
        SearchEdition.objects.update(words=WORDS - 1)
        builders.evidence(693)
        assert not is_of_today()
        assert "manage.py index_search" in installation._search().remedy
        rebuild()
        assert (is_of_today(), installation._search().remedy) == (True, "")


def test_words_compared_otherwise_are_another_index() -> None:
    """What this prints is kept with the number: who changes how words are compared raises both."""
    text = (
        "Puhul-mutu’s ½ 10² kaṭṭa ʻokina Æsop's hôles එවැනි ക്ഷ 五子棋 पासा کتاب seeds capturing 1909–10 2×7 ﬁve\u200bmen"
        " ἀρχῇ ٱ ǃKung"
    )
    words = hashlib.sha256(tokens([words_of(text)]).encode()).hexdigest()[:8]
    assert (WORDS, words) == (2, "29d464e4")
