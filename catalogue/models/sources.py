"""Sources: the books and articles the records were taken from.

The string as printed is kept beside its parts, since the parts are our reading of it.
"""

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import models
from django.urls import get_script_prefix

from catalogue.models.fields import VerbatimTextField
from catalogue.models.natural_keys import NaturalKeyModel

is_web_address = URLValidator(["http", "https"])


def source_words(authors: str, year: int | None) -> str:
    """What a source is called: the surnames, and the year."""
    surnames = ", ".join(author.split(",")[0].strip() for author in authors.split(";"))
    return f"{surnames or 'Anonymous'} {year or 'n.d.'}"


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
        ordering = ["authors", "year", "key"]
        indexes = [models.Index(fields=["authors", "year", "key"], name="source_by_author")]

    def __str__(self) -> str:
        return source_words(self.authors, self.year)

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
