"""A catalogue of traditional games, read by its API: `Catalogue("https://…").records(place="sri-lanka")`."""

from catalogue_client.asking import __version__
from catalogue_client.client import Catalogue, frame
from catalogue_client.errors import CatalogueError, NotDone, Problem, RefusedRequest, TooLong, Unreachable
from catalogue_client.rows import (
    Annotation,
    Answer,
    Batch,
    Claim,
    Clause,
    Comparison,
    Evidence,
    Finding,
    FindingShare,
    Game,
    Ladder,
    Measurement,
    Question,
    Reading,
    RequestedLadder,
    RequestedStudy,
    Ruleset,
    Study,
    Words,
)  # fmt: skip

__all__ = [
    "Annotation", "Answer", "Batch", "Catalogue", "CatalogueError", "Claim", "Clause", "Comparison", "Evidence",
    "Finding", "FindingShare", "Game", "Ladder", "Measurement", "NotDone", "Problem", "Question", "Reading",
    "RefusedRequest", "RequestedLadder", "RequestedStudy", "Ruleset", "Study", "TooLong", "Unreachable", "Words",
    "__version__", "frame",
]  # fmt: skip
