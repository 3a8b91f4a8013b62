"""Every address of the site. Addresses are cited in print: none of them changes its meaning."""

from django.contrib import admin
from django.urls import URLPattern, include, path, register_converter
from django.urls.converters import StringConverter
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView

from catalogue.pages import (
    batches,
    citations,
    claims,
    comparisons,
    dataset,
    documentation,
    edition,
    errors,
    evidence,
    findings,
    games,
    health,
    history,
    home,
    identifiers,
    ladders,
    map,
    outcomes,
    places,
    play,
    questions,
    record_figure,
    replays,
    rulesets,
    search,
    sitemaps,
    sources,
    studies,
    study_form,
    style,
    suggestions,
    terms,
    timeline,
    what_if,
)


class BatchId(StringConverter):
    """The 16 hexadecimal digits that name a batch."""

    regex = "[0-9a-f]{16}"


class Played(StringConverter):
    """The first word of the addresses of what has a figure of how its games end."""

    regex = "|".join(outcomes.OF)


register_converter(BatchId, "batch_id")
register_converter(Played, "played")

urlpatterns = [
    path("", home.home, name="home"),
    path("games/", games.game_list, name="game-list"),
    path("games/<str:slug>/", games.game, name="game"),
    path("games/<str:slug>/sensitivity/", studies.told_study, name="sensitivity"),
    path("games/<str:slug>/doubts/", RedirectView.as_view(pattern_name="sensitivity", permanent=True)),
    path("studies/", studies.study_list, name="study-list"),
    path("studies/<batch_id:study_id>/", studies.study, name="study"),
    path("studies/<batch_id:study_id>/progress.json", study_form.study_progress, name="study-progress"),
    path("studies/<batch_id:study_id>/<slug:kind>.svg", studies.study_plot, name="study-plot"),
    path("evidence/", evidence.evidence_list, name="evidence-list"),
    path("evidence/<str:identifier>/", evidence.evidence, name="evidence"),
    path("evidence/<str:identifier>/rules/", evidence.rules, name="evidence-rules"),
    path("evidence/<str:identifier>/answers/", record_figure.answer, name="evidence-answer"),
    path("<played:subject>/<str:name>/outcomes/", outcomes.embedded, name="outcomes"),
    path("<played:subject>/<str:name>/outcomes.csv", outcomes.table, name="outcomes-table"),
    path("<played:subject>/<str:name>/outcomes.svg", outcomes.drawn, name="outcomes-drawing"),
    path("<played:subject>/<str:name>/outcomes.png", outcomes.pictured, name="outcomes-picture"),
    path("evidence/<str:identifier>/suggest/", suggestions.suggest, name="suggest"),
    path("evidence/<str:identifier>/suggest/received/", suggestions.received, name="suggestion-received"),
    path("places/", places.place_list, name="place-list"),
    path("places/<str:slug>/", places.place, name="place"),
    path("map/", map.world_map, name="map"),
    path("timeline/", timeline.timeline, name="timeline"),
    path("search/", search.search, name="search"),
    path("search/suggestions/", search.suggestions, name="search-suggestions"),
    path("sources/", sources.source_list, name="source-list"),
    path("sources/<str:key>/", sources.source, name="source"),
    path("terms/", terms.term_list, name="term-list"),
    path("rulesets/", rulesets.ruleset_list, name="ruleset-list"),
    path("rulesets/<str:name>/", rulesets.ruleset, name="ruleset"),
    path("rulesets/<str:name>/board.svg", rulesets.board, name="ruleset-board"),
    path("rulesets/<str:name>/board.png", rulesets.board_picture, name="ruleset-board-picture"),
    path("rulesets/<str:name>/change/", what_if.change, name="change-ruleset"),
    path("rulesets/<str:name>/play/", rulesets.play_batch, name="play-batch"),
    path("rulesets/<str:name>/ladder/", rulesets.climb_ladder, name="climb-ladder"),
    path("ladders/<batch_id:ladder_id>/progress.json", ladders.ladder_progress, name="ladder-progress"),
    path("rulesets/<str:name>/play-a-game/", play.play_a_game, name="play-a-game"),
    path("questions/", questions.question_list, name="question-list"),
    path("questions/<str:game>/<str:slug>/", questions.question, name="question"),
    path("batches/", batches.batch_list, name="batch-list"),
    path("batches/<batch_id:batch_id>/", batches.batch, name="batch"),
    path("batches/<batch_id:batch_id>/progress.json", batches.batch_progress, name="batch-progress"),
    path("batches/<batch_id:batch_id>/cancel/", batches.cancel_batch, name="cancel-batch"),
    path("batches/<batch_id:batch_id>/rows.csv", batches.rows_csv, name="batch-rows"),
    path("batches/<batch_id:batch_id>/games/", replays.choose_game, name="choose-game"),
    path("batches/<batch_id:batch_id>/games/<str:game>/", replays.replay, name="replay"),
    path("batches/<batch_id:batch_id>/games/<str:game>/turns.json", replays.replay_turns, name="replay-turns"),
    path("batches/<batch_id:batch_id>/games/<str:game>/progress.json", replays.replay_progress, name="replay-progress"),
    path("batches/<batch_id:batch_id>/games/<str:game>/replay.json", replays.replay_json, name="replay-json"),
    path("batches/<batch_id:batch_id>/games/<str:game>/replay.txt", replays.replay_text, name="replay-text"),
    path("compare/", comparisons.compare, name="compare"),
    path("comparisons/", comparisons.comparison_list, name="comparison-list"),
    path("comparisons/<batch_id:comparison_id>/", comparisons.comparison, name="comparison"),
    path(
        "comparisons/<batch_id:comparison_id>/progress.json",
        comparisons.comparison_progress,
        name="comparison-progress",
    ),
    path("comparisons/<batch_id:comparison_id>/lengths.svg", comparisons.comparison_plot, name="comparison-plot"),
    path("plots/<batch_id:batch_id>/<slug:kind>.svg", batches.plot, name="plot"),
    path("plots/<batch_id:batch_id>/<slug:kind>.png", batches.plot_picture, name="plot-picture"),
    path("findings/", findings.finding_list, name="findings"),
    path("claims/", claims.claim_list, name="claim-list"),
    path("claims/<str:game>/<str:slug>/", claims.claim, name="claim"),
    path(
        "history/evidence/<path:key>/",
        RedirectView.as_view(pattern_name="history", permanent=True, query_string=True),
        {"kind": "record"},
    ),
    path("history/<str:kind>/<path:key>/", history.history, name="history"),
    path("id/<path:identifier>", identifiers.identifier, name="identifier"),
    path("cite/catalogue.<slug:form>", citations.citation_of_catalogue, name="citation-of-catalogue"),
    path("cite/edition.<slug:form>", citations.citation_of_edition, name="citation-of-edition"),
    path("cite/<slug:kind>/<path:key>.<slug:form>", citations.citation, name="citation"),
    path("edition/", edition.edition, name="edition"),
    path("data/", dataset.release_list, name="release-list"),
    path("data/<str:version>.zip", dataset.release_archive, name="release-archive"),
    path("data/<str:version>/", dataset.release, name="release"),
    path("data/<str:version>/<path:file>", dataset.release_file, name="release-file"),
    path("sitemap.xml", sitemaps.index, name="sitemap"),
    path("sitemap-<slug:section>.xml", sitemaps.section, name="sitemap-section"),
    path("favicon.ico", RedirectView.as_view(url="/static/catalogue/mark.svg", permanent=True), name="favicon"),
    path("robots.txt", sitemaps.robots, name="robots"),
    path("about/", documentation.document, {"name": "about"}, name="about"),
    path("about/style/", style.style, name="style"),
    path("about/<slug:name>/", documentation.document, name="document"),
    path("livez", health.livez, name="livez"),
    path("healthz", health.livez, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
    path("api/", include("catalogue.api.urls")),
    path("admin/", admin.site.urls),
]

# All other pages only read, and say so to whoever sends them something.
WRITTEN_TO = {
    "suggest",
    "evidence-answer",
    "change-ruleset",
    "play-batch",
    "climb-ladder",
    "cancel-batch",
    "compare",
    "sensitivity",
}
for one in urlpatterns:
    if isinstance(one, URLPattern) and one.name not in WRITTEN_TO:
        one.callback = csrf_exempt(require_safe(one.callback))

handler400 = errors.bad_request
handler403 = errors.forbidden
handler404 = errors.not_found
handler500 = errors.failed
