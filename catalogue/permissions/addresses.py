"""What is asked of whoever asks for an address: a row for each route, by its name. A route without one is for nobody.

The admin's pages are not listed: each asks for the permission of its model, which the roles have or have not.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from catalogue.permissions.roles import CANCEL


@dataclass(frozen=True, slots=True)
class Right:
    """methods: that are answered; HEAD goes with GET. permission: that is needed, "" where anybody may.

    or_own: whether it is enough to have asked for the thing oneself, which the view looks at
    """

    methods: frozenset[str]
    permission: str = ""
    or_own: bool = False


READ = Right(frozenset({"GET"}))
WRITE = Right(frozenset({"POST"}))
READ_AND_WRITE = Right(frozenset({"GET", "POST"}))


def _all(right: Right, names: Iterable[str]) -> dict[str, Right]:
    return dict.fromkeys(names, right)


_LISTS = (
    "evidence", "game", "place", "source", "ruleset", "batch", "claim", "study", "comparison", "clause", "question",
    "annotation", "version", "ladder", "solution", "coverage", "uncertainty-factor", "note", "portal-ruleset", "term",
)  # fmt: skip
_ASKED_FOR = ("batch", "comparison", "study", "ladder")  # whose rows anybody may ask for, within bounds

PAGES = {
    **_all(
        READ,
        (
            "home", "game-list", "game", "study-list", "study", "study-progress", "study-plot", "evidence-list",
            "evidence", "suggestion-received", "place-list", "place", "map", "timeline", "search", "source-list",
            "source", "ruleset-list", "ruleset", "ruleset-board", "play-a-game", "question-list", "question",
            "batch-list", "batch", "batch-progress", "batch-rows", "choose-game", "replay", "replay-turns",
            "replay-progress", "replay-json", "replay-text", "comparison-list", "comparison", "comparison-progress",
            "comparison-plot", "plot", "claim-list", "claim", "history", "identifier", "citation-of-catalogue",
            "citation", "release-list", "release-archive", "release", "release-file", "sitemap", "sitemap-section",
            "robots", "about", "document", "api", "favicon", "livez", "healthz", "readyz", "metrics",
            "django.views.generic.base.RedirectView",
            "ladder-progress",
            "term-list", "findings", "style", "search-suggestions", "evidence-rules", "outcomes", "outcomes-table",
            "outcomes-drawing", "outcomes-picture", "ruleset-board-picture", "plot-picture", "edition",
            "citation-of-edition",
        ),
    ),
    **_all(READ_AND_WRITE, ("suggest", "evidence-answer", "change-ruleset", "play-batch", "compare", "sensitivity")),
    **_all(READ_AND_WRITE, ("climb-ladder",)),
    "cancel-batch": Right(frozenset({"POST"}), CANCEL, or_own=True),
}  # fmt: skip
API = {
    **_all(READ, (f"v1:{name}-{page}" for name in _LISTS for page in ("list", "detail"))),
    **_all(READ_AND_WRITE, (f"v1:{name}-list" for name in _ASKED_FOR)),
    **_all(READ, ("v1:batch-game", "v1:batch-rows", "v1:measurement-list", "v1:api-root", "v1:search")),
    **_all(READ, ("v1:map", "v1:timeline", "v1:history", "v1:findings", "v1:edition")),
    **_all(READ, ("api-schema", "api-docs", "catalogue.api.viewsets.NothingHere")),
    "v1:ruleset-change": WRITE,
    **_all(Right(frozenset({"POST"}), CANCEL, or_own=True), (f"v1:{name}-cancel" for name in _ASKED_FOR)),
}
ADDRESSES = PAGES | API
