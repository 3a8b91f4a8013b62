"""Rulesets as rows: content, known by its hash, and the names it has been given."""

from django.db import models


class Ruleset(models.Model):
    """A canonical ruleset document. The same content is one row."""

    hash = models.CharField(max_length=64, primary_key=True)
    family = models.CharField(max_length=30)
    document = models.JSONField()
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.family} {self.hash[:8]}"

    @property
    def name(self) -> str:
        """What to call it in an address or a command: its newest name, else its hash. Uses prefetched versions."""
        return self.versioned_name.partition("@")[0]

    @property
    def versioned_name(self) -> str:
        """`slug@number` of its newest name, else its hash. Uses prefetched versions."""
        versions = sorted(self.versions.all(), key=lambda version: (version.slug, -version.number))
        return str(versions[0]) if versions else self.hash


class RulesetVersion(models.Model):
    """A name for a ruleset: `puhulmutu-parker@1`. The highest number is what the bare slug means."""

    slug = models.SlugField(max_length=80)
    number = models.PositiveIntegerField(default=1)
    ruleset = models.ForeignKey(Ruleset, on_delete=models.PROTECT, related_name="versions")
    parent = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="children")
    date = models.DateField()

    class Meta:
        ordering = ("slug", "-number")
        constraints = (models.UniqueConstraint(fields=("slug", "number"), name="one_ruleset_per_version"),)

    def __str__(self) -> str:
        return f"{self.slug}@{self.number}"

    def natural_key(self) -> tuple[str, int]:
        return self.slug, self.number
