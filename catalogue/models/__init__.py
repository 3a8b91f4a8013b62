"""The catalogue's rows: what is known of a game, where it is known from, and how it has been read."""

from catalogue.models.analyses import ComparedBatch, Comparison, Study, WearStudy
from catalogue.models.apparatus import Anchor, Answer, Basis, Claim, Clause, Question, Reading, Term, Verdict
from catalogue.models.changes import ContentVersion, DerivedDocument
from catalogue.models.evidence import (
    Citation,
    EditorsNote,
    Evidence,
    EvidenceUncertainty,
    Game,
    GameName,
    Place,
    Source,
    UncertaintyFactor,
)
from catalogue.models.observations import Observation
from catalogue.models.pictures import Picture
from catalogue.models.portal import Category, Period, PortalGame, PortalRuleset
from catalogue.models.site import (
    DeletedRow,
    LoadedRow,
    ReadingToken,
    SearchAspect,
    SearchAspectValue,
    SearchEdition,
    SearchEntry,
    SearchTerm,
    Suggestion,
)
from catalogue.models.workshop import Draft

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
    "ContentVersion",
    "DeletedRow",
    "DerivedDocument",
    "Draft",
    "EditorsNote",
    "Evidence",
    "EvidenceUncertainty",
    "Game",
    "GameName",
    "LoadedRow",
    "Observation",
    "Period",
    "Picture",
    "Place",
    "PortalGame",
    "PortalRuleset",
    "Question",
    "Reading",
    "ReadingToken",
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
    "WearStudy",
]
