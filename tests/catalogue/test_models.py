"""What the database itself refuses, and what the catalogue's rows do on their own."""

import datetime

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import IntegrityError, transaction

from catalogue.models import (
    Citation,
    EditorsNote,
    Evidence,
    EvidenceUncertainty,
    Game,
    GameName,
    Place,
    Reading,
    Suggestion,
    UncertaintyFactor,
)
from tests.builders import a_game, a_source, evidence

pytestmark = pytest.mark.django_db


def refused(make: object, **fields: object) -> str:
    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        make(**fields)  # type: ignore[operator]
    return str(refusal.value)


def test_the_migrations_make_the_tables_that_the_models_describe() -> None:
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)


def test_a_record_says_something() -> None:
    assert "evidence_says_something" in refused(evidence, paraphrase="", quotation="")


def test_years_follow_the_date_and_are_in_order() -> None:
    record = evidence(date_edtf="1873/1909")
    assert (record.year_earliest, record.year_latest) == (1873, 1909)
    written = Evidence.objects.filter(pk=record.pk)
    assert "earliest_year_before_latest" in refused(written.update, year_earliest=1910)
    assert "no_years_without_a_date" in refused(written.update, date_edtf="")


def test_an_undated_record_without_a_place_is_an_ordinary_record() -> None:
    record = Evidence.objects.create(identifier="DLP.Evidence.1", type="Ethnography", game=a_game(), quotation="'One.'")
    record.full_clean()
    assert (record.year_earliest, record.year_latest, list(record.places.all())) == (None, None, [])


def test_a_date_before_the_common_era_is_a_negative_year() -> None:
    assert evidence(date_edtf="-0499/-0399").year_earliest == -499


def test_what_is_no_date_is_named_in_the_form() -> None:
    record = evidence()
    record.date_edtf = "1909-13"
    with pytest.raises(ValidationError, match="no month 13"):
        record.full_clean()


def test_identifiers_are_unique_and_fit_for_an_address() -> None:
    record = evidence(692)
    assert "identifier" in refused(evidence, number=692)
    record.identifier = "DLP Evidence/692"
    with pytest.raises(ValidationError, match=r"DLP\.Evidence\.692"):
        record.full_clean()


def test_records_stand_in_the_order_of_their_numbers() -> None:
    for number in (1194, 690, 741):
        evidence(number)
    assert [record.identifier.rsplit(".", 1)[1] for record in Evidence.objects.all()] == ["690", "741", "1194"]


def test_a_text_is_stored_once_in_one_form_and_not_rewrapped() -> None:
    decomposed = "'Ma\u0301wka\u0301r ka\u0301tiya\u0301'\r\n  is played  on.\n"
    record = evidence(quotation=decomposed)
    record.refresh_from_db()
    assert record.quotation == "'Máwkár kátiyá'\n  is played  on.\n"


def test_a_quotation_opens_with_a_quotation_mark() -> None:
    assert evidence(692, quotation='" Dam, Draughts."').is_quoted
    assert not evidence(1485, quotation="Detailed rules in Parker 1909: 611-614.").is_quoted


def test_one_row_for_each_thing_that_is_one() -> None:
    record, source, factor = evidence(), a_source(), UncertaintyFactor.objects.create(slug="translated", name="T")
    Citation.objects.create(evidence=record, source=source)
    EvidenceUncertainty.objects.create(evidence=record, factor=factor, reason="By an interpreter.")
    EditorsNote.objects.create(evidence=record, slug="rules-copied", text="Rules copied from 1386.")
    GameName.objects.create(game=record.game, name="Daramutu")
    assert "UNIQUE" in refused(Citation.objects.create, evidence=record, source=source).upper()
    assert "UNIQUE" in refused(EvidenceUncertainty.objects.create, evidence=record, factor=factor).upper()
    assert "UNIQUE" in refused(EditorsNote.objects.create, evidence=record, slug="rules-copied").upper()
    assert "UNIQUE" in refused(GameName.objects.create, game=record.game, name="Daramutu").upper()


def test_natural_keys_find_their_rows() -> None:
    record, source = evidence(), a_source()
    factor = UncertaintyFactor.objects.create(slug="translated", name="Translated")
    rows = [
        record,
        record.game,
        record.places.get(),
        source,
        factor,
        Citation.objects.create(evidence=record, source=source),
        EvidenceUncertainty.objects.create(evidence=record, factor=factor, reason="By an interpreter."),
        EditorsNote.objects.create(evidence=record, slug="rules-copied", text="Rules copied from 1386."),
        GameName.objects.create(game=record.game, name="Daramutu"),
        Reading.objects.create(slug="daramuti-parker", game=record.game, authority="parker", kind="interpretation"),
    ]
    for row in rows:
        assert type(row).objects.get_by_natural_key(*row.natural_key()) == row


@pytest.mark.parametrize(
    ("fields", "constraint"),
    [
        ({"latitude": 91, "longitude": 81}, "latitude_on_the_globe"),
        ({"latitude": 7, "longitude": 181}, "longitude_on_the_globe"),
        ({"latitude": 7}, "both_coordinates_or_none"),
    ],
)
def test_places_lie_on_the_globe(fields: dict[str, int], constraint: str) -> None:
    assert constraint in refused(Place.objects.create, name="Nowhere", slug="nowhere", **fields)


def test_a_game_of_records_is_not_deleted_under_them() -> None:
    record = evidence()
    with pytest.raises(IntegrityError):
        record.game.delete()
    assert Game.objects.filter(slug="daramuti").exists()


def test_names_are_sorted_into_native_ones_and_others() -> None:
    game = a_game("Diviyan Keliya", "diviyan-keliya")
    GameName.objects.create(game=game, name="Diviyan Keliya", gloss="The Leopards' Game")
    GameName.objects.create(game=game, name="Diviyalliya", kind="alias")
    assert [str(name) for name in game.native_names] == ["Diviyan Keliya (“The Leopards' Game”)"]
    assert [str(name) for name in game.aliases] == ["Diviyalliya"]


def test_one_reading_for_each_authority_of_a_game() -> None:
    fields = {"game": a_game(), "authority": "parker", "kind": "interpretation"}
    Reading.objects.create(slug="daramuti-parker", **fields)
    assert "UNIQUE" in refused(Reading.objects.create, slug="daramuti-parker-again", **fields).upper()


def test_a_reading_finds_the_newest_version_of_its_ruleset() -> None:
    from simulator.models import Ruleset, RulesetVersion

    reading = Reading.objects.create(slug="daramuti-parker", game=a_game(), authority="parker", kind="interpretation")
    assert reading.ruleset_version is None
    ruleset = Ruleset.objects.create(hash="a" * 64, family="sowing", document={"family": "sowing"})
    for number in (1, 2):
        RulesetVersion.objects.create(
            slug="daramuti-parker", number=number, ruleset=ruleset, date=datetime.date(2026, 11, 21)
        )
    assert reading.ruleset_version is not None
    assert reading.ruleset_version.number == 2


def test_a_suggestion_has_a_bounded_length() -> None:
    record = evidence()
    suggestion = Suggestion(kind="problem", evidence=record, text="The opposite hole is not always eaten.")
    suggestion.full_clean()
    suggestion.text = "x" * 4001
    with pytest.raises(ValidationError):
        suggestion.full_clean()
    assert "suggestion_not_too_long" in refused(suggestion.save)
