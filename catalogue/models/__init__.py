"""The catalogue's rows: what is known of a game, where it is known from, and how it has been read."""

from catalogue.models.apparatus import Anchor, Clause
from catalogue.models.claims import Claim
from catalogue.models.comparisons import ComparedBatch, Comparison
from catalogue.models.deletions import DeletedRow
from catalogue.models.evidence import Citation, EditorsNote, Evidence, EvidenceUncertainty, UncertaintyFactor
from catalogue.models.games import Game, GameName
from catalogue.models.loading import LoadedRow
from catalogue.models.places import Place
from catalogue.models.portal import Category, Period, PortalGame, PortalRuleset
from catalogue.models.questions import Answer, Question
from catalogue.models.readings import Basis, Reading
from catalogue.models.search import SearchAspect, SearchAspectValue, SearchEdition, SearchEntry, SearchTerm
from catalogue.models.sources import Source
from catalogue.models.studies import RequestedStudy, Study
from catalogue.models.suggestions import Suggestion
from catalogue.models.terms import Term
from catalogue.models.tokens import ReadingToken
from catalogue.models.verdicts import Verdict

__all__ = [
    "Anchor",
    "Answer",
    "Basis",
    "Category",
    "Citation",
    "Claim",
    "Clause",
    "ComparedBatch",
    "Comparison",
    "DeletedRow",
    "EditorsNote",
    "Evidence",
    "EvidenceUncertainty",
    "Game",
    "GameName",
    "LoadedRow",
    "Period",
    "Place",
    "PortalGame",
    "PortalRuleset",
    "Question",
    "Reading",
    "ReadingToken",
    "RequestedStudy",
    "SearchAspect",
    "SearchAspectValue",
    "SearchEdition",
    "SearchEntry",
    "SearchTerm",
    "Source",
    "Study",
    "Suggestion",
    "Term",
    "UncertaintyFactor",
    "Verdict",
]
