"""The index of the search: a row for everything that can be found, written from the rows it stands for.

`names`, `heads` and `words` hold tokens (`catalogue.search.words`); the database keeps its own means of looking them up
beside them, by triggers on SQLite and by generated columns on PostgreSQL (see the migration 0008_search). A later
migration that makes SQLite copy the table of entries has to make those triggers again.
"""

from django.db import models


class SearchEdition(models.Model):
    """One row: a number of the index as it is. What was counted in an edition holds as long as it is the newest."""

    number = models.PositiveBigIntegerField(default=0)

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
    """One thing that can be found.

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
    """A word that stands somewhere in the index, to be suggested for one that does not.

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
