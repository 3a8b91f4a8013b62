"""A catalogue of traditional games, read by its API: `Catalogue("https://…").records(place="sri-lanka")`."""

from catalogue_client.asking import __version__
from catalogue_client.client import Catalogue, frame
from catalogue_client.errors import CatalogueError, NotDone, Problem, RefusedRequest, TooLong, Unreachable
from catalogue_client.rows import Batch, Claim, Comparison, Evidence, Game, Measurement, Reading, Ruleset, Study

__all__ = [
    "Batch", "Catalogue", "CatalogueError", "Claim", "Comparison", "Evidence", "Game", "Measurement", "NotDone",
    "Problem", "Reading", "RefusedRequest", "Ruleset", "Study", "TooLong", "Unreachable", "__version__", "frame",
]  # fmt: skip
