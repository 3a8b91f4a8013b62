"""Tokens of programmes that read a great deal. A token lifts bounds of reading, and allows nothing else."""

import hashlib
import secrets

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.utils import timezone

PREFIX = "games_"  # so that a token found where it should not be is known for one


def digest_of(token: str) -> str:
    """A token is 256 random bits, so a plain digest of it cannot be turned back."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


class ReadingToken(models.Model):
    """Whose programme it is and how much it may ask for. The token itself is shown once, and never kept."""

    name = models.CharField(max_length=100, help_text="What the programme is for.")
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
        """Why it is good for nothing any more; empty while it is good."""
        if self.revoked:
            return f"this token was revoked on {self.revoked.date()}"
        if self.expires and self.expires < timezone.now().date():
            return f"this token has expired: {self.expires} was its last day"
        if self.owner and not self.owner.is_active:
            return "the account of this token's owner is closed"
        return ""

    def new_token(self) -> str:
        """A token for this row, which knows it by its digest from now on; it has still to be saved."""
        token = PREFIX + secrets.token_urlsafe(32)
        self.digest = digest_of(token)
        return token
