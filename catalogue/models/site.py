"""What the site keeps for itself: suggestions, tokens, deleted rows, which rows came from fixtures, the search index.

In the index there is a row for everything that can be found, written from the rows it stands for. `names`, `heads` and
`words` hold tokens (`catalogue.search.words`); the database keeps its own means of looking them up with them, by
triggers on SQLite and by generated columns on PostgreSQL (see the migration 0008_search). A later migration that makes
SQLite copy the table of entries has to make those triggers again.
"""

import hashlib
import secrets

from django.conf import settings
from django.core.validators import MaxLengthValidator, MinLengthValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual
from django.utils import timezone

from catalogue.models.evidence import Evidence

LONGEST_TEXT = 4000


class Suggestion(models.Model):
    """A reader's note on a record: new, then accepted or declined by an editor. It is on no page.

    visitor: a keyed digest of the address it came from, never the address
    """

    class Kind(models.TextChoices):
        PROBLEM = "problem", "report a problem"
        READING = "reading", "propose a reading"

    class State(models.TextChoices):
        NEW = "new", "new"
        ACCEPTED = "accepted", "accepted"
        DECLINED = "declined", "declined"

    kind = models.CharField(max_length=10, choices=Kind)
    evidence = models.ForeignKey(Evidence, on_delete=models.CASCADE, related_name="suggestions")
    text = models.TextField(
        max_length=LONGEST_TEXT, validators=[MinLengthValidator(10), MaxLengthValidator(LONGEST_TEXT)]
    )
    name = models.CharField(max_length=100, blank=True)
    email = models.EmailField("e-mail", max_length=200, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.NEW, db_index=True)
    visitor = models.CharField(max_length=32, blank=True, default="", editable=False)
    draft = models.ForeignKey(
        "catalogue.Draft", on_delete=models.SET_NULL, null=True, blank=True, editable=False, related_name="suggestions"
    )
    created = models.DateTimeField(auto_now_add=True)
    reviewed = models.DateTimeField(null=True, blank=True, editable=False)
    reviewed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, editable=False, related_name="+"
    )
    answer = models.TextField(blank=True, help_text="The editors' remark.")

    class Meta:
        ordering = ["-created"]
        indexes = [models.Index(fields=["created"], name="suggestion_by_time")]
        constraints = [
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("text"), LONGEST_TEXT), name="suggestion_not_too_long"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.evidence}"


PREFIX = "games_"  # so that a token found where it should not be is known for one


def digest_of(token: str) -> str:
    """A token is 256 random bits, so a plain digest of it cannot be turned back."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


class ReadingToken(models.Model):
    """Whose program reads the API, and how much it may ask for. The token itself is shown once, and never kept."""

    name = models.CharField(max_length=100, help_text="What the program is for.")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,  # of tokens older than this column
        related_name="reading_tokens",
        help_text="Who answers for it. It is refused while this account is not active, and goes with it.",
    )
    contact = models.EmailField(max_length=200, help_text="Whom to write to before it is revoked.")
    expires = models.DateField(null=True, blank=True, help_text="The last day it is good for (UTC); empty: no end.")
    revoked = models.DateTimeField(null=True, blank=True, editable=False)
    requests_per_minute = models.PositiveIntegerField(default=1_200, validators=[MinValueValidator(1)])
    requests_per_hour = models.PositiveIntegerField(default=50_000, validators=[MinValueValidator(1)])
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created = models.DateTimeField(auto_now_add=True)
    last_day_used = models.DateField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name

    @property
    def refusal(self) -> str:
        """Why the token is no longer valid; empty while it is."""
        if self.revoked:
            return f"this token was revoked on {self.revoked.date()}"
        if self.expires and self.expires < timezone.now().date():
            return f"this token has expired: {self.expires} was its last day"
        if self.owner and not self.owner.is_active:
            return "the account of this token's owner is closed"
        return ""

    def new_token(self) -> str:
        """Return a new token; the row knows its digest from now on, and has still to be saved."""
        token = PREFIX + secrets.token_urlsafe(32)
        self.digest = digest_of(token)
        return token


class DeletedRow(models.Model):
    """A deleted row of a kind that keeps no history: games, sources and places.

    kind, key: as in identifiers, "game" and "dam"; author: None if a command deleted it
    """

    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=100)
    date = models.DateTimeField(auto_now_add=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name="deleted by"
    )
    reason = models.CharField(max_length=100, blank=True)

    class Meta:
        indexes = (models.Index(fields=("kind", "key"), name="deleted_row_by_key"),)

    def __str__(self) -> str:
        return f"{self.kind}/{self.key}"


class LoadedRow(models.Model):
    """A row of a fixture; `digest` is the SHA-256 of its fields when the row was last written from the fixture."""

    model = models.CharField(max_length=60)
    natural_key = models.CharField(max_length=300)
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["model", "natural_key"], name="one_digest_per_loaded_row")]

    def __str__(self) -> str:
        return f"{self.model} {self.natural_key}"


class SearchEdition(models.Model):
    """The state of the index, in one row. Counts of an edition hold as long as it is the newest.

    words: how the words of all its entries are compared, see `search.indexing.WORDS`; 0 by a release that did not say
    """

    number = models.PositiveBigIntegerField(default=0)
    words = models.PositiveSmallIntegerField(default=0, db_default=0)

    def __str__(self) -> str:
        return str(self.number)


class SearchAspect(models.Model):
    """A set of facets' values that many entries share; entries that share it are counted at once."""

    digest = models.CharField(max_length=64, unique=True)

    def __str__(self) -> str:
        return self.digest[:8]


class SearchAspectValue(models.Model):
    aspect = models.ForeignKey(SearchAspect, on_delete=models.CASCADE, related_name="values")
    facet = models.CharField(max_length=12)
    value = models.CharField(max_length=100)

    class Meta:
        indexes = [models.Index(fields=["facet", "value", "aspect"], name="aspect_by_value")]
        constraints = [
            models.UniqueConstraint(fields=["aspect", "facet", "value"], name="one_value_of_an_aspect"),
        ]

    def __str__(self) -> str:
        return f"{self.facet}={self.value}"


class SearchEntry(models.Model):
    """An entry of the index.

    standing:       of its kind; games stand before their records where nothing else tells two things apart
    sort_name:      compared by code points, on every database
    oldest, newest: the earliest year, and the negative of the latest; UNDATED without one, so that it stands last
    names:          the title and other names; heads: those and what else stands above the text; words: all of it
    about:          a line that says what this is
    passages:       [[label, text], …] as they are shown

    The aspects have no index: entries are found by their words, or counted all together.
    """

    UNDATED = 1_000_000

    kind = models.CharField(max_length=8)
    object_id = models.BigIntegerField()
    standing = models.SmallIntegerField()
    sort_name = models.CharField(max_length=120)
    oldest = models.IntegerField(default=UNDATED)
    newest = models.IntegerField(default=UNDATED)
    length = models.IntegerField(help_text="Words in all.")
    nature = models.ForeignKey(SearchAspect, on_delete=models.PROTECT, related_name="+", db_index=False)
    subject = models.ForeignKey(SearchAspect, on_delete=models.PROTECT, related_name="+", db_index=False)
    whereabouts = models.ForeignKey(SearchAspect, on_delete=models.PROTECT, related_name="+", db_index=False)
    times = models.ForeignKey(SearchAspect, on_delete=models.PROTECT, related_name="+", db_index=False)
    origins = models.ForeignKey(SearchAspect, on_delete=models.PROTECT, related_name="+", db_index=False)
    title = models.CharField(max_length=400)
    address = models.CharField(max_length=400)
    about = models.CharField(max_length=400, blank=True)
    names = models.TextField()
    heads = models.TextField()
    words = models.TextField()
    passages = models.JSONField(default=list)

    class Meta:
        verbose_name_plural = "search entries"
        indexes = [
            models.Index(fields=["standing", "sort_name", "id"], name="entry_by_standing"),
            models.Index(fields=["sort_name", "standing", "id"], name="entry_by_name"),
            models.Index(fields=["oldest", "standing", "sort_name", "id"], name="entry_by_oldest"),
            models.Index(fields=["newest", "standing", "sort_name", "id"], name="entry_by_newest"),
        ]
        constraints = [models.UniqueConstraint(fields=["kind", "object_id"], name="one_entry_of_a_thing")]

    def __str__(self) -> str:
        return f"{self.kind}: {self.title}"


class SearchTerm(models.Model):
    """A word of the index, to be suggested for one that is not in it.

    entries: in how many, when the index was last made anew; a row saved later adds its new words only
    """

    form = models.CharField(max_length=60, unique=True)
    stem = models.CharField(max_length=60, db_index=True)
    first = models.CharField(max_length=1)
    second = models.CharField(max_length=1)
    length = models.PositiveSmallIntegerField()
    entries = models.PositiveIntegerField(default=1)

    class Meta:
        indexes = [
            models.Index(fields=["first", "length"], name="term_by_first"),
            models.Index(fields=["second", "length"], name="term_by_second"),
        ]

    def __str__(self) -> str:
        return self.form
