"""Many rows at once: as the ORM reads them afterwards, on whichever database the tests run."""

import pytest
from django.db import IntegrityError, transaction
from django.test import TestCase

from catalogue.models import Evidence, Game, Place, SearchAspect, SearchTerm, fields
from catalogue.models.fields import insert
from tests.catalogue.page_world import CatalogueTestCase

COLUMNS = ["form", "stem", "first", "second", "length", "entries"]


def term(form: str, entries: int = 1) -> tuple[object, ...]:
    return form, form, form[0], form[1:2], len(form), entries


class Inserting(TestCase):
    def stored(self) -> dict[str, int]:
        return dict(SearchTerm.objects.values_list("form", "entries"))

    def test_more_rows_than_one_statement_takes(self) -> None:
        number = 2 * (fields.VALUES_AT_ONCE // len(COLUMNS)) + 1
        insert(SearchTerm, COLUMNS, (term(f"w{one}", one) for one in range(number)))
        assert self.stored() == {f"w{one}": one for one in range(number)}

    def test_nothing_is_done_without_rows(self) -> None:
        with self.assertNumQueries(0):
            insert(SearchTerm, COLUMNS, [])

    def test_a_row_that_is_there_is_refused_left_or_overwritten(self) -> None:
        insert(SearchTerm, COLUMNS, [term("board", 3)])
        with pytest.raises(IntegrityError), transaction.atomic():
            insert(SearchTerm, COLUMNS, [term("counter"), term("board", 4)])
        assert self.stored() == {"board": 3}
        insert(SearchTerm, COLUMNS, [term("counter"), term("board", 5)], ignore_conflicts=True)
        assert self.stored() == {"board": 3, "counter": 1}
        insert(SearchTerm, COLUMNS, [term("piece"), term("board", 6)], same=["form"])
        assert self.stored() == {"board": 6, "counter": 1, "piece": 1}

    def test_a_column_there_is_none_of(self) -> None:
        with pytest.raises(KeyError, match="shape"):
            insert(SearchAspect, ["shape"], [("round",)])


class Linking(CatalogueTestCase):
    def test_rows_in_between_and_what_a_json_field_holds(self) -> None:
        game = Game.objects.get(slug="dam")
        texts = "identifier type ruleset_name date_words date_edtf paraphrase reference ages spaces withdrawn_reason"
        held = dict.fromkeys(texts.split(), "") | {
            "identifier": "X.1",
            "quotation": "“A board”, %s",
            "game_id": game.pk,
        }
        held |= {"confidence": 100, "other_fields": {"%s": "¿?"}}
        insert(Evidence, list(held), [tuple(held.values())])
        record = Evidence.objects.get(identifier="X.1")
        assert (record.game, record.quotation, record.other_fields) == (game, "“A board”, %s", {"%s": "¿?"})
        places = list(Place.objects.all())
        insert(Evidence.places.through, ["evidence_id", "place_id"], [(record.pk, place.pk) for place in places])
        assert list(record.places.order_by("pk")) == sorted(places, key=lambda place: place.pk)
