"""An edition into this database, as often as one likes: what is here already stays as it is.

Only studies whose figures an earlier version made of their games are stated again, these and all others here.
"""

import datetime
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from catalogue.edition import batch_parts
from catalogue.edition.derived_parts import DERIVED
from catalogue.edition.files import EditionFolder
from catalogue.edition.index import read_index
from catalogue.edition.kinds import BATCHES
from catalogue.sensitivity.studies import restate_kept


@dataclass(frozen=True, slots=True)
class LoadedEdition:
    """How many parts of each kind are new here."""

    date: str
    new: dict[str, int]


def load(folder: EditionFolder) -> LoadedEdition:
    """Raises WrongRequest for a damaged part, and has then written nothing."""
    release = read_index(folder)
    day = datetime.date.fromisoformat(release.date) if release else timezone.now().date()
    moment = datetime.datetime.combine(day, datetime.time(), datetime.UTC)
    with transaction.atomic():
        new = {BATCHES: batch_parts.load(folder, folder.ids(BATCHES), moment)}
        for kind, derived in DERIVED.items():
            kept = derived.ids_here()
            fresh = (key for key in folder.ids(kind) if key not in kept)
            new[kind] = sum(derived.keep(key, folder.read(kind, key), moment) for key in fresh)
        restate_kept()
    return LoadedEdition(release.date if release else "", new)
