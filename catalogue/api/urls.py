"""The addresses of the public API. Like those of the pages, they are kept."""

from typing import Any

from django.urls import include, path, re_path
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView
from rest_framework.routers import DefaultRouter

from catalogue.api.annotations import AnnotationViewSet
from catalogue.api.batches import BatchViewSet
from catalogue.api.claims import ClaimViewSet
from catalogue.api.clauses import ClauseViewSet
from catalogue.api.comparisons import ComparisonViewSet
from catalogue.api.coverage import CoverageViewSet
from catalogue.api.edition import EditionView
from catalogue.api.evidence import EvidenceViewSet
from catalogue.api.factors import FactorViewSet
from catalogue.api.findings import FindingsView
from catalogue.api.games import GameViewSet
from catalogue.api.histories import HistoryView
from catalogue.api.map import MapView, TimelineView
from catalogue.api.measurements import MeasurementViewSet
from catalogue.api.notes import NoteViewSet
from catalogue.api.places import PlaceViewSet
from catalogue.api.portal import PortalRulesetViewSet
from catalogue.api.questions import QuestionViewSet
from catalogue.api.reference import reference
from catalogue.api.rulesets import RulesetViewSet
from catalogue.api.search import SearchView
from catalogue.api.sources import SourceViewSet
from catalogue.api.strength import LadderViewSet, SolutionViewSet
from catalogue.api.studies import StudyViewSet
from catalogue.api.terms import TermViewSet
from catalogue.api.versions import VersionViewSet
from catalogue.api.viewsets import NothingHere, Root


class Router(DefaultRouter):
    """Identifiers hold dots, so no ending of an address means a format."""

    include_format_suffixes = False
    APIRootView = Root

    def get_api_root_view(self, api_urls: Any = None) -> Any:
        """All lists, and what is asked of all records."""
        name = self.routes[0].name
        known = {prefix: name.format(basename=basename) for prefix, _, basename in self.registry}
        return Root.as_view(api_root_dict={**known, **{one.name: one.name for one in of_all}})


v1 = Router()
v1.register("evidence", EvidenceViewSet, "evidence")
v1.register("games", GameViewSet, "game")
v1.register("places", PlaceViewSet, "place")
v1.register("sources", SourceViewSet, "source")
v1.register("rulesets", RulesetViewSet, "ruleset")
v1.register("batches", BatchViewSet, "batch")
v1.register("measurements", MeasurementViewSet, "measurement")
v1.register("claims", ClaimViewSet, "claim")
v1.register("studies", StudyViewSet, "study")
v1.register("comparisons", ComparisonViewSet, "comparison")
v1.register("clauses", ClauseViewSet, "clause")
v1.register("questions", QuestionViewSet, "question")
v1.register("annotations", AnnotationViewSet, "annotation")
v1.register("versions", VersionViewSet, "version")
v1.register("ladders", LadderViewSet, "ladder")
v1.register("solutions", SolutionViewSet, "solution")
v1.register("coverage", CoverageViewSet, "coverage")
v1.register("uncertainty-factors", FactorViewSet, "uncertainty-factor")
v1.register("notes", NoteViewSet, "note")
v1.register("terms", TermViewSet, "term")
v1.register("portal-rulesets", PortalRulesetViewSet, "portal-ruleset")
lists = tuple(prefix for prefix, _, _ in v1.registry)

history = path("histories/<str:kind>/<path:key>/", HistoryView.as_view(), name="history")
of_all = [
    path("edition/", EditionView.as_view(), name="edition"),
    path("findings/", FindingsView.as_view(), name="findings"),
    path("search/", SearchView.as_view(), name="search"),
    path("map/", MapView.as_view(), name="map"),
    path("timeline/", TimelineView.as_view(), name="timeline"),
]

urlpatterns = [
    path("", RedirectView.as_view(url="/about/api/"), name="api"),
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("docs/", require_safe(reference), name="api-docs"),
    path("v1/", include(([*v1.urls, *of_all, history], "v1"))),
    re_path("^v1/(?P<rest>.+)/$", NothingHere.as_view(lists=(*lists, *(one.name for one in of_all), "histories"))),
]
