"""What rows are called where only their name is shown: in lists of the admin pages, in messages and in logs."""

from django.apps import apps

from catalogue.models import DeletedRow, GameName
from simulator.models import Measurement
from tests.catalogue.page_world import CatalogueTestCase


class NameTests(CatalogueTestCase):
    def test_every_row_has_a_name_of_its_own(self) -> None:
        seen = 0
        for label in ("catalogue", "simulator"):
            for model in apps.get_app_config(label).get_models():
                if row := model._default_manager.order_by("pk").first():
                    seen += 1
                    assert str(row), model.__name__
                    assert " object (" not in str(row), model.__name__
        assert seen > 25

    def test_names_say_what_the_rows_are(self) -> None:
        name = GameName(name="Hat diviyan keliya", gloss="seven leopards game")
        assert str(name) == "Hat diviyan keliya (“seven leopards game”)"
        assert str(GameName(name="Dam")) == "Dam"
        assert str(DeletedRow(kind="game", key="dam")) == "game/dam"
        assert str(Measurement(measure="won_0", batch_id="6dccb86bc0bf7a28")) == "won_0 of 6dccb86bc0bf7a28"
