"""A ruleset of an imported record, added as CONTRIBUTING says; and what is said when its files are wrong."""

import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from catalogue import checks
from catalogue.models import Anchor, Evidence, Game, Reading
from simulator.problems import WrongRequest
from simulator.rulesets import read_file
from tests.choice import half_of_the_day

WORDS = "Each player has thirty pieces. They move diagonally."
SLUG = "far-dam-dlp"


def edited(path: Path, change: Any) -> None:
    content = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(change(content) or content), encoding="utf-8")


@pytest.fixture
def fixtures(tmp_path: Path) -> Path:
    """A copy of the shipped ones, with a ruleset, a reading and an apparatus of a record that only the database has."""
    folder = Path(shutil.copytree(settings.BASE_DIR / "fixtures", tmp_path / "fixtures"))
    written = json.loads((folder / "rulesets/dam-dlp.json").read_text(encoding="utf-8"))
    (folder / f"rulesets/{SLUG}.json").write_text(json.dumps({**written, "slug": SLUG}))
    reading = {
        "slug": SLUG, "title": "Far Dam", "game": ["far-dam"], "evidence": [["DLP.Evidence.900001"]], "position": 99,
        "authority": "portal", "kind": "interpretation", "summary": "As told.", "encoded_by": "", "checked_by": "",
    }  # fmt: skip
    row = {"model": "catalogue.reading", "fields": reading}
    edited(folder / "readings.json", lambda rows: [*rows, row])
    keys = [key for key in written["document"] if key != "family"]
    anchor = {"record": "DLP.Evidence.900001", "in": "rules", "exact": "Each player has thirty pieces"}
    clause = {"slug": "all", "parameters": keys, "basis": "stated", "text": "Thirty men.", "words": [anchor]}
    apparatus = {"game": "far-dam", "readings": {SLUG: {"clauses": [clause]}}}
    (folder / "apparatus/far-dam.json").write_text(json.dumps(apparatus))
    return folder


@pytest.fixture
def imported(db: None) -> Evidence:
    game = Game.objects.create(slug="far-dam", name="Far Dam")
    return Evidence.objects.create(identifier="DLP.Evidence.900001", type="Ethnography", game=game, paraphrase=WORDS)


def load(folder: Path) -> None:
    call_command("load_fixtures", "--folder", str(folder), "--no-edition", stdout=io.StringIO())


def messages() -> list[tuple[str, str]]:
    return [(str(one.id), one.msg) for one in checks.check_apparatus(None)]


@pytest.mark.thorough
def test_an_imported_record_is_anchored_like_a_shipped_one(
    fixtures: Path, imported: Evidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "SHIPPED", fixtures / "rulesets")
    load(fixtures)
    anchor = Anchor.objects.get(evidence=imported)
    assert WORDS[anchor.start : anchor.end] == anchor.exact == "Each player has thirty pieces"
    assert messages() == []
    Reading.objects.filter(slug=SLUG).delete()
    assert messages() == [("catalogue.W002", f"ruleset {SLUG}: no reading is called so")]
    load(fixtures)
    reading = Reading.objects.get(slug=SLUG)
    reading.evidence.add(Evidence.objects.get(identifier="DLP.Evidence.692"))
    wrong = f"reading {SLUG} is of far-dam, but cites DLP.Evidence.692, a record of daramuti"
    assert messages() == [("catalogue.W003", wrong)]
    reading.evidence.set([imported])
    Reading.objects.create(slug="far-dam-other", title="Other", game=imported.game, authority="x", position=98)
    edited(fixtures / f"rulesets/{SLUG}.json", lambda file: file.pop("slug") and None)
    assert messages() == [
        (
            "catalogue.E009",
            f"ruleset file {SLUG}.json: {SLUG}.json: there is no 'slug'; it needs slug, number, parent, date, document",
        ),
        ("catalogue.W001", "reading far-dam-other has no ruleset"),
    ]


@pytest.mark.parametrize(
    ("file", "change", "words"),
    half_of_the_day([
        ("rulesets/dam-dlp.json", lambda one: {**one, "prent": 1}, "no 'prent' here .nearest valid key: parent"),
        ("rulesets/dam-dlp.json", lambda one: {**one, "number": 0}, "number: 0 is less than the minimum of 1"),
        ("rulesets/dam-dlp.json", lambda one: {**one, "date": "2026-13-01"}, "no ruleset file: month must be in"),
        ("rulesets/dam-dlp.json", lambda one: {**one, "slug": "dam"}, "its slug is 'dam', and a file is called"),
        ("rulesets/dam-dlp.json", lambda one: [1], "is not of type 'object'"),
        ("apparatus/far-dam.json", lambda one: one["readings"][SLUG]["clauses"][0].pop("basis") and None,
         f"readings/{SLUG}/clauses/0: there is no 'basis'; it needs slug, parameters, basis, text"),
        ("apparatus/far-dam.json", lambda one: {**one, "claim": []}, "no 'claim' here .nearest valid key: claims"),
        ("readings.json", lambda rows: rows[-1]["fields"].pop("slug") and None, "readings.json: a row has no 'slug'"),
    ]),
)  # fmt: skip
@pytest.mark.by_turns
def test_what_is_wrong_with_a_file_is_named(
    fixtures: Path, imported: Evidence, file: str, change: Any, words: str
) -> None:
    edited(fixtures / file, change)
    if file.startswith("rulesets"):
        with pytest.raises(WrongRequest, match=words):
            read_file(fixtures / file)
    else:
        with pytest.raises(CommandError, match=words):
            load(fixtures)


@pytest.mark.thorough
def test_words_of_no_record_are_refused(fixtures: Path, db: None) -> None:
    Game.objects.create(slug="far-dam", name="Far Dam")
    edited(fixtures / "readings.json", lambda rows: rows[-1]["fields"].update(evidence=[]))
    with pytest.raises(CommandError, match=r"of a record 'DLP\.Evidence\.900001', neither shipped nor in the database"):
        load(fixtures)
