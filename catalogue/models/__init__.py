"""The catalogue's rows: what is known of a game, where it is known from, and how it has been read."""

from catalogue.models.evidence import Citation, EditorsNote, Evidence, EvidenceUncertainty, UncertaintyFactor
from catalogue.models.games import Game, GameName
from catalogue.models.loading import LoadedRow
from catalogue.models.places import Place
from catalogue.models.readings import Reading
from catalogue.models.sources import Source
from catalogue.models.suggestions import Suggestion

__all__ = [
    "Citation",
    "EditorsNote",
    "Evidence",
    "EvidenceUncertainty",
    "Game",
    "GameName",
    "LoadedRow",
    "Place",
    "Reading",
    "Source",
    "Suggestion",
    "UncertaintyFactor",
]
