"""The first page: what the catalogue is, what it holds, and where to begin."""

from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from catalogue.models import EditorsNote, Evidence, Game, Place, Reading, Source
from catalogue.models.querysets import game_rows
from catalogue.play.start_boards import game_cards
from simulator.models import Batch, RulesetVersion

NOTES_SHOWN = 3


def home(request: HttpRequest) -> HttpResponse:
    done = Batch.objects.filter(state=Batch.State.DONE)
    notes = EditorsNote.objects.filter(about=EditorsNote.About.PARAPHRASE, evidence__withdrawn_on=None)
    context = {
        "records": Evidence.objects.shown().count(),
        "games": Game.objects.filter(is_reference=False).count(),
        "sources": Source.objects.count(),
        "places": Place.objects.count(),
        "rulesets": RulesetVersion.objects.values("slug").distinct().count(),
        "games_played": done.aggregate(games=Sum("games"))["games"] or 0,
        "batches_running": Batch.objects.filter(state=Batch.State.RUNNING).count(),
        "notes": notes.select_related("evidence__game")[:NOTES_SHOWN],
        "played_games": game_cards(game_rows().filter(pk__in=Reading.objects.values("game"), is_reference=False)),
    }
    return render(request, "catalogue/home.html", context)
