"""The addresses of the public API. Like those of the pages, they are kept."""

from django.urls import include, path, re_path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView
from rest_framework.routers import DefaultRouter

from catalogue.api.annotations import AnnotationViewSet
from catalogue.api.batches import BatchViewSet
from catalogue.api.claims import ClaimViewSet
from catalogue.api.clauses import ClauseViewSet
from catalogue.api.comparisons import ComparisonViewSet
from catalogue.api.evidence import EvidenceViewSet
from catalogue.api.games import GameViewSet
from catalogue.api.places import PlaceViewSet
from catalogue.api.questions import QuestionViewSet
from catalogue.api.rulesets import RulesetViewSet
from catalogue.api.sources import SourceViewSet
from catalogue.api.studies import StudyViewSet
from catalogue.api.viewsets import NothingHere, Root


class Router(DefaultRouter):
    """Identifiers hold dots, so no ending of an address means a format."""

    include_format_suffixes = False
    APIRootView = Root


v1 = Router()
v1.register("evidence", EvidenceViewSet, "evidence")
v1.register("games", GameViewSet, "game")
v1.register("places", PlaceViewSet, "place")
v1.register("sources", SourceViewSet, "source")
v1.register("rulesets", RulesetViewSet, "ruleset")
v1.register("batches", BatchViewSet, "batch")
v1.register("claims", ClaimViewSet, "claim")
v1.register("studies", StudyViewSet, "study")
v1.register("comparisons", ComparisonViewSet, "comparison")
v1.register("clauses", ClauseViewSet, "clause")
v1.register("questions", QuestionViewSet, "question")
v1.register("annotations", AnnotationViewSet, "annotation")
lists = tuple(prefix for prefix, _, _ in v1.registry)

urlpatterns = [
    path("", RedirectView.as_view(url="/about/api/"), name="api"),
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path(
        "docs/",
        SpectacularSwaggerView.as_view(url_name="api-schema", template_name="api/reference.html"),
        name="api-docs",
    ),
    path("v1/", include((v1.urls, "v1"))),
    re_path("^v1/(?P<rest>.+)/$", NothingHere.as_view(lists=lists)),
]
