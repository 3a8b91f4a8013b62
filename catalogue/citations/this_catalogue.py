"""What is cited of the catalogue itself: its name, version, date and authors, as `CITATION.cff` says them."""

import datetime
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml
from django.conf import settings

from catalogue.citations.names import Name

NAME = "Evidence of Traditional Games"


@dataclass(frozen=True, slots=True)
class Release:
    version: str
    date: datetime.date
    authors: tuple[Name, ...]


@cache
def release() -> Release:
    """The one that is installed here."""
    written = yaml.safe_load((Path(settings.BASE_DIR) / "CITATION.cff").read_text(encoding="utf-8"))
    return Release(str(written["version"]), written["date-released"], tuple(_name(one) for one in written["authors"]))


def _name(author: dict[str, str]) -> Name:
    if "name" in author:
        return Name(literal=author["name"])
    return Name(family=author["family-names"], given=author["given-names"])
