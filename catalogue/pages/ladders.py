"""The part of a ruleset's page about its ladder: as it is kept, as it is waited for, or the button that asks for it."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse

from catalogue.models.lookup import NothingHere
from catalogue.pages.answers import HtmxRequest, progress_answer
from catalogue.pages.named_rulesets import NamedRuleset
from catalogue.web.routes import route
from catalogue.web.visitors import on_behalf
from simulator.batches.together import BatchSetProgress
from simulator.models import Ladder
from simulator.strength import requested_ladders
from simulator.strength.ladder_requests import DEFAULT_MOST, check_ladder, doubling
from simulator.strength.ladders import LadderView, told_ladder
from simulator.strength.requested_ladders import GAMES, LadderOffer, offer_for, request_ladder, waiting_ladder


@dataclass(frozen=True, slots=True)
class LadderSection:
    """shown: the one that is kept, if there is one; else what is waited for, and what may be asked for

    refused: why it cannot be had as it was asked for
    """

    shown: LadderView
    waiting: Ladder | None = None
    progress: BatchSetProgress | None = None
    offer: LadderOffer | None = None
    refused: str = ""

    @property
    def is_waited_for(self) -> bool:
        return self.progress is not None and self.progress.state == Ladder.State.WAITING


def ladder_section(named: NamedRuleset, refused: str = "") -> LadderSection:
    shown = told_ladder(named.ruleset, named.lasting_name)
    if shown.ladder is not None:
        return LadderSection(shown)
    waiting = waiting_ladder(named.ruleset.hash)
    progress = requested_ladders.progress(waiting) if waiting else None
    return LadderSection(shown, waiting, progress, offer_for(named.ruleset), refused)


def ask_for_ladder(request: HttpRequest, named: NamedRuleset) -> None:
    """As the form asks; raises WrongRequest or QueueFull."""
    rungs = doubling(most=request.POST.get("most", DEFAULT_MOST))
    wanted = check_ladder(named.lasting_name, rungs, games=request.POST.get("games", GAMES), ruleset=named.ruleset)
    request_ladder(wanted, **on_behalf(request))


@route("ladders/<batch_id:ladder_id>/progress.json", name="ladder-progress", example="/ladders/{ladder}/progress.json")
def ladder_progress(request: HtmxRequest, ladder_id: str) -> HttpResponse:
    """`waiting` as long as there is something to wait for; the page is loaded anew when there is not."""
    found = Ladder.objects.filter(id=ladder_id).select_related("ruleset").first()
    if found is None:
        raise NothingHere(f"There is no ladder “{ladder_id}” here.")
    if found.state == Ladder.State.DONE:
        return progress_answer(request, found.state)
    progress = requested_ladders.progress(found)
    return progress_answer(request, progress.state, progress)
