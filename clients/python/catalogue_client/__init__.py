"""A catalogue of traditional games, read by its API: `Catalogue("https://…").records(place="sri-lanka")`."""

from catalogue_client.asking import __version__
from catalogue_client.client import Catalogue, frame
from catalogue_client.errors import CatalogueError, NotDone, Problem, RefusedRequest, TooLong, Unreachable
from catalogue_client.rows import (
    Batch,
    Claim,
    Comparison,
    Evidence,
    Finding,
    Game,
    Ladder,
    Measurement,
    Reading,
    RequestedLadder,
    RequestedStudy,
    Ruleset,
    Study,
)  # fmt: skip

__all__ = [
    "Batch", "Catalogue", "CatalogueError", "Claim", "Comparison", "Evidence", "Finding", "Game", "Ladder",
    "Measurement", "NotDone", "Problem", "Reading", "RefusedRequest", "RequestedLadder", "RequestedStudy", "Ruleset",
    "Study", "TooLong", "Unreachable", "__version__", "frame",
]  # fmt: skip
