"""Sources: the books and articles the records were taken from.

The string as printed is kept beside its parts, since the parts are our reading of it.
"""

import re
from textwrap import shorten

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import models
from django.db.models import Value
from django.db.models.functions import Coalesce, Left, NullIf
from django.urls import get_script_prefix

from catalogue.models.fields import VerbatimTextField
from catalogue.models.natural_keys import NaturalKeyModel

is_web_address = URLValidator(["http", "https"])


LONGEST_HEADING = 80  # characters of a reference without authors


def source_words(authors: str, year: int | None, as_printed: str = "") -> str:
    """What a source is called: the surnames, and the year; without authors the reference as printed, or its beginning.

    A year with a letter (1999b) keeps it.
    """
    surnames = ", ".join(author.split(",")[0].strip() for author in authors.split(";"))
    if not surnames and as_printed:
        return shorten(" ".join(as_printed.split()), LONGEST_HEADING, placeholder="…").rstrip(".")
    lettered = re.search(rf"\b{year}[a-z]\b", as_printed) if year else None
    return f"{surnames or 'Anonymous'} {lettered[0] if lettered else year or 'n.d.'}"


def heading(path: str = "") -> Coalesce:
    """What sources are sorted by, in a query: the authors, else the reference as printed; path: of the source"""
    return Coalesce(NullIf(f"{path}authors", Value("")), Left(f"{path}as_printed", LONGEST_HEADING))


class Source(NaturalKeyModel):
    """A publication; `authors` are separated by semicolons, surname first, as in "Parker, H."."""

    key_fields = ("key",)

    key = models.SlugField(max_length=80, unique=True, help_text="For example parker-1909.")
    authors = models.CharField(max_length=300, blank=True)
    year = models.IntegerField(null=True, blank=True, db_index=True)
    title = models.CharField(max_length=300, blank=True)
    container = models.CharField(max_length=300, blank=True, help_text="The journal or the book it appeared in.")
    volume = models.CharField(max_length=30, blank=True)
    pages = models.CharField(max_length=50, blank=True)
    place = models.CharField("place of publication", max_length=100, blank=True)
    publisher = models.CharField(max_length=200, blank=True)
    as_printed = VerbatimTextField(unique=True, help_text="The reference exactly as the portal prints it.")
    address = models.CharField(
        max_length=500, blank=True, validators=[is_web_address], help_text="Where the portal says it can be read."
    )
    note = models.TextField(blank=True, help_text="The editors' remarks on the reference.")

    class Meta:
        ordering = [heading(), "year", "key"]
        indexes = [models.Index(heading(), "year", "key", name="source_by_heading")]

    def __str__(self) -> str:
        return source_words(self.authors, self.year, self.as_printed)

    @property
    def link(self) -> str:
        """The address if it is one of the web; whatever else stands there is words, and nobody is led to it."""
        try:
            is_web_address(self.address)
        except ValidationError:
            return ""
        return self.address

    def get_absolute_url(self) -> str:
        return f"{get_script_prefix()}sources/{self.key}/"
