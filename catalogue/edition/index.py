"""The index of a published edition, `index.json`: what it holds, of what day and versions, and what is missing.

It is read without anything that plays or computes.
"""

import json
from dataclasses import dataclass

from catalogue.edition.files import EditionFolder
from simulator.problems import WrongRequest

INDEX = "index.json"
SAMPLE = 10  # parts that are verified, unless it is said how many


@dataclass(frozen=True, slots=True)
class IndexedPart:
    """digest: of the document; reached: of a batch, how well its shares are known, ± percentage points

    of_plan: whether the plan asks for just this
    """

    kind: str
    name: str
    id: str
    game: str
    level: str
    digest: str
    bytes: int
    games: int
    reached: float | None
    of_plan: bool


@dataclass(frozen=True, slots=True)
class EditionRelease:
    """missing: "strong daramuti-parker" by kind; given_up: what the plan gave up to fit, in words"""

    date: str
    release: str
    versions: dict[str, int]
    missing: dict[str, list[str]]
    given_up: list[str]
    parts: list[IndexedPart]

    @property
    def bytes(self) -> int:
        return sum(one.bytes for one in self.parts)


def read_index(folder: EditionFolder) -> EditionRelease | None:
    """None if nothing was published; raises WrongRequest if the file is damaged."""
    file = folder.place / INDEX
    if not file.exists():
        return None
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        return EditionRelease(**{**document, "parts": [IndexedPart(**one) for one in document["parts"]]})
    except (ValueError, TypeError, KeyError) as error:
        raise WrongRequest.of("edition", f"{INDEX} is damaged: {error}") from error
