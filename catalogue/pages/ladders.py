"""The part of a ruleset's page about its ladder: as it is kept, as it is waited for, or the button that asks for it."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse

from catalogue.pages.answers import HtmxRequest, job_progress
from catalogue.pages.named_rulesets import NamedRuleset
from catalogue.web.routes import route
from catalogue.web.visitors import on_behalf
from simulator.analyses.ladder_requests import DEFAULT_MOST, check_ladder, doubling
from simulator.analyses.ladders import (
    LADDERS,
    OFFERED_GAMES,
    LadderOffer,
    LadderView,
    offer_for,
    shown_ladder,
    unfinished_ladder,
)
from simulator.analyses.protocol import AnalysisProgress
from simulator.models import Ladder


@dataclass(frozen=True, slots=True)
class LadderSection:
    """shown: the one that is kept, if there is one; else what is waited for, and what may be asked for

    refused: why it cannot be had as it was asked for
    """

    shown: LadderView
    waiting: Ladder | None = None
    progress: AnalysisProgress | None = None
    offer: LadderOffer | None = None
    refused: str = ""

    @property
    def is_waited_for(self) -> bool:
        return self.progress is not None and self.progress.state == Ladder.State.WAITING


def ladder_section(named: NamedRuleset, refused: str = "") -> LadderSection:
    shown = shown_ladder(named.ruleset, named.lasting_name)
    if shown.ladder is not None:
        return LadderSection(shown)
    waiting = unfinished_ladder(named.ruleset.hash)
    progress = LADDERS.progress(waiting) if waiting else None
    return LadderSection(shown, waiting, progress, offer_for(named.ruleset), refused)


def ask_for_ladder(request: HttpRequest, named: NamedRuleset) -> None:
    """As the form asks; raises WrongRequest or QueueFull."""
    rungs = doubling(most=request.POST.get("most", DEFAULT_MOST))
    wanted = check_ladder(
        named.lasting_name, rungs, games=request.POST.get("games", OFFERED_GAMES), ruleset=named.ruleset
    )
    LADDERS.request(wanted, **on_behalf(request))


@route("ladders/<batch_id:ladder_id>/progress.json", name="ladder-progress", example="/ladders/{ladder}/progress.json")
def ladder_progress(request: HtmxRequest, ladder_id: str) -> HttpResponse:
    """`waiting` as long as there is something to wait for; the page is loaded anew when there is not."""
    return job_progress(request, LADDERS, ladder_id)
