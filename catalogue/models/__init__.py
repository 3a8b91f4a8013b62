"""The catalogue's rows: what is known of a game, where it is known from, and how it has been read."""

from catalogue.models.apparatus import Anchor, Clause
from catalogue.models.claims import Claim
from catalogue.models.comparisons import ComparedBatch, Comparison
from catalogue.models.evidence import Citation, EditorsNote, Evidence, EvidenceUncertainty, UncertaintyFactor
from catalogue.models.games import Game, GameName
from catalogue.models.loading import LoadedRow
from catalogue.models.places import Place
from catalogue.models.questions import Answer, Question
from catalogue.models.readings import Basis, Reading
from catalogue.models.sources import Source
from catalogue.models.studies import Study
from catalogue.models.suggestions import Suggestion
from catalogue.models.verdicts import Verdict

__all__ = [
    "Anchor",
    "Answer",
    "Basis",
    "Citation",
    "Claim",
    "Clause",
    "ComparedBatch",
    "Comparison",
    "EditorsNote",
    "Evidence",
    "EvidenceUncertainty",
    "Game",
    "GameName",
    "LoadedRow",
    "Place",
    "Question",
    "Reading",
    "Source",
    "Study",
    "Suggestion",
    "UncertaintyFactor",
    "Verdict",
]
