"""Rows as CSL-JSON items (citationstyles.org), the one form from which every other form of a citation is made.

A source is cited as the book or the article it is. Everything else is an entry of this catalogue, whose name,
version and authors `CITATION.cff` gives: a data set with a version, a permanent address and the day it was looked
at; a record names its printed source in `note`, and part by part in `custom`. No query is made for a row whose links
were fetched with it: a record's game and its citations with their sources, a game's own name, the ruleset's versions
of a batch; a clause names the version of its reading if it was fetched by `cited_clauses`.
"""

import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from django.conf import settings
from django.urls import reverse

from catalogue import models
from catalogue.citations.chicago import plain_note
from catalogue.models.lookup import key_of
from catalogue.models.querysets import reading_of
from catalogue.texts.names import Name, people
from catalogue.web.addresses import page_of
from simulator.batches.levels import line_in_words
from simulator.models import Batch, Ruleset, RulesetVersion

NAME = "Evidence of Traditional Games"
LICENCE_NAME = "CC BY 4.0"
LICENCE = "https://creativecommons.org/licenses/by/4.0/"  # of the catalogue's own words, rulesets and figures
Item = dict[str, Any]
PORTAL: Name = {"literal": "Digital Ludeme Project"}
OF_PORTAL = "DLP."
THIS_CATALOGUES = "The editors of this catalogue"  # who a reader of a list of references could not tell
ROLES = {
    models.Citation.Role.QUOTED: "Quoting",
    models.Citation.Role.REFERRED_TO: "Referring to",
    models.Citation.Role.LISTED: "Listing",
}


@dataclass(frozen=True, slots=True)
class Release:
    version: str
    date: datetime.date
    authors: tuple[Name, ...]


@cache
def release() -> Release:
    """The release that is installed here."""
    written = yaml.safe_load((Path(settings.BASE_DIR) / "CITATION.cff").read_text(encoding="utf-8"))
    return Release(str(written["version"]), written["date-released"], tuple(_name(one) for one in written["authors"]))


def _name(author: dict[str, str]) -> Name:
    if "name" in author:
        return Name(literal=author["name"])
    return Name(family=author["family-names"], given=author["given-names"])


def item_of(row: Any, *, accessed: datetime.date, base: str) -> Item:
    """The item that cites a row; raises KeyError for a row that nobody cites.

    base: where this catalogue stands, "https://example.org", for the permanent address
    """
    if isinstance(row, models.Source):
        return source_item(row)
    address = f"{base.rstrip('/')}{_page_of(row)}"
    return {**_common(accessed, address), **ITEMS[type(row)](row)}


def _page_of(row: Any) -> str:
    """The page that is cited: of a clause that of the version whose words were read, where the row knows it."""
    number = vars(row).get("version_number") if isinstance(row, models.Clause) else None
    return page_of(row) if number is None else page_of(row).replace("/#", f"@{number}/#", 1)


def catalogue_item(*, accessed: datetime.date, base: str) -> Item:
    """The catalogue as a whole."""
    item = {**_common(accessed, f"{base.rstrip('/')}/"), "id": "evidence-of-traditional-games", "title": NAME}
    del item["container-title"]
    return item


def findings_item(*, accessed: datetime.date, base: str) -> Item:
    """All findings, as they stand on the day they are looked at."""
    title = "Findings: what is proved, compared, studied and judged"
    return {**_common(accessed, f"{base.rstrip('/')}{reverse('findings')}"), "id": "findings", "title": title}


def edition_item(date: datetime.date, digest: str, *, accessed: datetime.date, address: str) -> Item:
    """The edition of what was played that ships with the catalogue. digest: of its index; address: of its page"""
    title = "What was played, compared, studied and judged: an edition"
    entry = _entry("Edition", date.isoformat(), title, date, f"SHA-256 of its index: {digest}.")
    return {**_common(accessed, address), **entry}


def source_item(source: models.Source) -> Item:
    """A book, an article or a chapter by its parts; a reference that was not taken apart is its own title."""
    role, names = people(source.authors)
    parts = {
        "id": source.key,
        "type": _type_of(source),
        role: names,
        "title": source.title.rstrip(",") or source.as_printed,
        "container-title": source.container,
        "volume": source.volume,
        "page": source.pages.replace("–", "-"),
        "publisher-place": source.place,
        "publisher": source.publisher,
        "issued": None if source.year is None else {"date-parts": [[csl_year(source.year)]]},
        "URL": source.address,
    }
    return {name: value for name, value in parts.items() if value}


def csl_year(year: int) -> int:
    """An astronomical year as CSL-JSON counts: -44 is 44 BCE, and there is no year 0."""
    return year if year > 0 else year - 1


def _type_of(source: models.Source) -> str:
    if not source.title:
        return "document"
    if not source.container:
        return "book"
    return "chapter" if source.publisher and not source.volume else "article-journal"


def _common(accessed: datetime.date, address: str) -> Item:
    """The fields that all entries of this catalogue have in common."""
    here = release()
    return {
        "type": "dataset",
        "author": list(here.authors),
        "container-title": NAME,
        "version": here.version,
        "issued": {"date-parts": [[here.date.year]]},
        "accessed": {"date-parts": [[accessed.year, accessed.month, accessed.day]]},
        "URL": address,
    }


def _entry(
    genre: str, number: str, title: str, date: datetime.date | None = None, note: str = "", key: str = ""
) -> Item:
    """An entry of this catalogue. key: what it is called in a list of references, if not by genre and number

    Its name stands in `archive_location`: styles print a `number` as one, "(Claim No. dam/won-by-taking-all)".
    """
    item: Item = {
        "id": key or f"{genre.lower()}-{number}",
        "title": title,
        "genre": genre,
        "archive_location": number,
        "issued": {"date-parts": [[date.year, date.month, date.day]]} if date else None,
        "note": note,
    }
    return {name: value for name, value in item.items() if value}


def _record(record: models.Evidence) -> Item:
    printed = [
        {
            "role": ROLES[models.Citation.Role(citation.role)],
            "locator": citation.locator,
            "item": source_item(citation.source),
        }
        for citation in record.citations.all()
    ]
    item = _entry("Record", record.identifier, record.game.name, key=record.identifier)
    if record.identifier.startswith(OF_PORTAL):
        item["author"] = [PORTAL]
    if printed:
        item |= {"note": plain_note(printed), "custom": {"sources": printed}}
    return item


def _version(version: RulesetVersion) -> Item:
    """A version is called after its reading."""
    item = _ruleset(str(version), version.ruleset_id, f"Rules of {version.slug}", version.date)
    reading = reading_of(version)
    return {**_reading(reading), **item, "title": reading.title} if reading else item


def _ruleset(number: str, digest: str, title: str, date: datetime.date) -> Item:
    return _entry("Ruleset", number, title, date, f"SHA-256 of the document: {digest}.", key=number)


def _reading(reading: models.Reading) -> Item:
    """The reading whatever the version of its ruleset; a version is cited by itself."""
    by = {"author": people(reading.encoded_by)[1]} if reading.encoded_by not in ("", THIS_CATALOGUES) else {}
    return {**_entry("Ruleset", reading.slug, reading.title, key=reading.slug), **by}


def _batch(batch: Batch) -> Item:
    digest = f" Digest of the games: {batch.digest}." if batch.digest else ""
    until = ", first round only" if batch.until == Batch.Until.ROUND else ""
    request = f"players {batch.players}, seed {batch.seed}, cap {batch.cap} turns{until}"
    note = f"Ruleset {batch.ruleset_id}, version {batch.family_version} of the engine, {request}.{digest}"
    title = f"{batch.games:,} simulated games of {batch.ruleset.name}"
    return _entry("Batch", batch.id, title, batch.closed or batch.created, note)


def _comparison(comparison: models.Comparison) -> Item:
    title = f"{' and '.join(comparison.names)} compared"
    return _entry(
        "Comparison", comparison.id, title, comparison.closed or comparison.created, _played(comparison.asked)
    )


def _study(study: models.Study) -> Item:
    title = f"Which question about {study.game.name} matters"
    return _entry("Study", study.id, title, study.created, _played(study.summary.get("players", "")))


def _wear(study: models.WearStudy) -> Item:
    number = len(study.names)
    terms, held = study.terms, len(study.orders)
    against = f", held against {held:,} observed order{'' if held == 1 else 's'}" if held else ""
    games = f"{terms['games']:,} games of each, seed {terms['seed']}{against}"
    note = f"{number:,} candidate ruleset{'' if number == 1 else 's'}. {_played(terms['players'])} {games}."
    return _entry("Wear study", study.id, study.title, study.created, note, key=f"wear-{study.id}")


def _played(players: str) -> str:
    return f"Players: {line_in_words(players)}." if players else ""


ITEMS: Mapping[type, Callable[[Any], Item]] = {
    models.Evidence: _record,
    RulesetVersion: _version,
    Ruleset: lambda ruleset: _ruleset(
        f"ruleset-{ruleset.hash[:8]}", ruleset.hash, f"Rules of {ruleset.hash[:8]}", ruleset.created
    ),
    models.Reading: _reading,
    Batch: _batch,
    models.Comparison: _comparison,
    models.Study: _study,
    models.WearStudy: _wear,
    models.Claim: lambda claim: _entry("Claim", key_of(claim), claim.title),
    models.Question: lambda question: _entry("Question", key_of(question), question.title),
    models.Clause: lambda clause: _entry("Clause", key_of(clause), f"{clause.reading.title}: {clause.slug}"),
    models.Game: lambda game: _entry("Game", key_of(game), game.name),
    models.Place: lambda place: _entry("Place", key_of(place), place.name),
}
