"""The first page: what the catalogue is, by one example; what was found; and the games."""

from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from catalogue.findings.gathered import example
from catalogue.findings.kept import findings
from catalogue.models import Evidence, Game, Place, Reading, Source
from catalogue.models.querysets import game_rows
from catalogue.play.start_boards import game_cards
from catalogue.web.routes import route
from simulator.models import Batch, RulesetVersion

SHOWN = 3


@route("", name="home", example="/", sitemap=True, queries=16)
def home(request: HttpRequest) -> HttpResponse:
    done = Batch.objects.filter(state=Batch.State.DONE)
    found = findings()
    shown = example(found.ranked)
    cards = game_cards(game_rows().filter(pk__in=Reading.objects.values("game"), is_reference=False))
    context = {
        "records": Evidence.objects.shown().count(),
        "games": Game.objects.filter(is_reference=False).count(),
        "sources": Source.objects.count(),
        "places": Place.objects.count(),
        "rulesets": RulesetVersion.objects.values("slug").distinct().count(),
        "games_played": done.aggregate(games=Sum("games"))["games"] or 0,
        "batches_running": Batch.objects.filter(state=Batch.State.RUNNING).count(),
        "example": shown,
        "board": next((card.board for card in cards if shown and card.game == shown.record.game), None),
        "findings": found.largest_of_each_kind(SHOWN, shown.finding if shown else None),
        "played_games": [(card, found.bars_of(card.game)) for card in cards],
    }
    return render(request, "catalogue/home.html", context)
