"""What takes long to work out, kept for as long as the index is the same: in each edition it is worked out once."""

import hashlib
import time
from collections.abc import Callable
from typing import TypeVar

from django.core.cache import cache

from catalogue.models import SearchEdition

LONG = 0.05  # seconds: what takes less is not worth keeping
KEPT_SECONDS = 3_600
Kept = TypeVar("Kept")


def cached(of: object, make: Callable[[], Kept]) -> Kept:
    """What `make` returns. of: all that it depends on but the index itself"""
    edition = SearchEdition.objects.values_list("number", flat=True).first() or 0
    key = f"search-{hashlib.sha256(repr((edition, of)).encode()).hexdigest()}"
    known: Kept | None = cache.get(key)
    if known is None:
        begun = time.perf_counter()
        known = make()
        if time.perf_counter() - begun >= LONG:
            cache.set(key, known, KEPT_SECONDS)
    return known
