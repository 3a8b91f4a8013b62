"""levels.csv: the batch that a reading shows on each level of play, whose figures stand in measurements.csv.

It is worked out from what the tables hold, like the pages' figures and the rows of /api/v1/measurements/: whoever loads
a dataset works it out again.
"""

from collections.abc import Iterator

from catalogue.dataset.cells import line
from catalogue.dataset.described import LEVELS, LEVELS_FILE
from catalogue.dataset.folder import Folder
from catalogue.dataset.shipped import shipped_batches
from catalogue.models import Reading
from catalogue.models.querysets import with_versions
from catalogue.outcomes.played import shown_batches


def write_levels(folder: Folder) -> None:
    folder.write_lines(LEVELS_FILE, map(line, (LEVELS, *_rows())))


def _rows() -> Iterator[tuple[str, ...]]:
    """game, reading, level, batch; of the batches that come with the catalogue."""
    read = with_versions(Reading.objects.order_by("game__slug", "slug"))
    rulesets = {one.reading: one.version.ruleset for one in read if one.version}
    of_everybody = set(shipped_batches().values_list("id", flat=True))
    shown: dict[str, list[tuple[str, str]]] = {}
    for (ruleset, level), batch in shown_batches({one.hash: one for one in rulesets.values()}).items():
        if batch.id in of_everybody:
            shown.setdefault(ruleset, []).append((level, batch.id))
    for reading, played in rulesets.items():
        for level, batch_id in sorted(shown.get(played.hash, ())):
            yield reading.game.slug, reading.slug, level, batch_id
