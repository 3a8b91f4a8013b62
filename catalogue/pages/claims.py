"""Claims: all of them with their verdicts, and one with its words, its tests and the figures."""

from collections import Counter
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse

from catalogue.claims.results import JudgedClaim, claim_rows, judged
from catalogue.models import Claim
from catalogue.models.lookup import NothingHere
from catalogue.pages.paging import page_of
from catalogue.texts.errors import LONGEST_COMPARED, Suggested, WrongAddress, nearest_word
from catalogue.texts.outcomes import OUTCOMES

KNOWN = ("game", "verdict", "page")


@dataclass(frozen=True, slots=True)
class Choice:
    value: str
    text: str
    count: int


class ClaimFilter:
    """What an address such as `/claims/?verdict=supported` asks for; WrongAddress if it makes no sense."""

    def __init__(self, asked: QueryDict, every: list[JudgedClaim]) -> None:
        self.every = every
        self.texts = {
            "game": {one.claim.game.slug: one.claim.game.name for one in every},
            "verdict": dict(OUTCOMES),
        }
        for name in asked:
            if name not in KNOWN:
                known = nearest_word(name, KNOWN) or "game"
                raise WrongAddress(
                    f"Claims cannot be narrowed by “{name[:40]}”; they can be by game and verdict.",
                    Suggested(f"the list by {known}", f"{reverse('claim-list')}?{urlencode({known: asked[name]})}"),
                )
        self.chosen = {name: asked.get(name, "") for name in self.texts}
        for name, value in self.chosen.items():
            if value and value not in self.texts[name]:
                near = nearest_word(value, self.texts[name])
                address = f"{reverse('claim-list')}?{name}={near}"
                raise WrongAddress(
                    f"No claim has the {name} “{value[:60]}”.", Suggested(f"{name} “{near}”", address) if near else None
                )

    def fits(self, one: JudgedClaim, but: str = "") -> bool:
        """Whether a claim is as wanted, but for one of the choices."""
        has = _values(one)
        return all(not value or name == but or has[name] == value for name, value in self.chosen.items())

    def found(self) -> list[JudgedClaim]:
        return [one for one in self.every if self.fits(one)]

    def choices(self, name: str) -> list[Choice]:
        """Each value with the number of claims that the other choice leaves."""
        counts = Counter(_values(one)[name] for one in self.every if self.fits(one, but=name))
        return [
            Choice(value, text, counts[value])
            for value, text in self.texts[name].items()
            if counts[value] or value == self.chosen[name]
        ]


def _values(one: JudgedClaim) -> dict[str, str]:
    return {"game": one.claim.game.slug, "verdict": str(one.judgement.outcome)}


def claim_list(request: HttpRequest) -> HttpResponse:
    wanted = ClaimFilter(request.GET, judged(claim_rows()))
    context = {
        "games": wanted.choices("game"),
        "verdicts": wanted.choices("verdict"),
        "chosen": wanted.chosen,
        "page": page_of(request, wanted.found(), size=60),
    }
    return render(request, "catalogue/claim_list.html", context)


def claim(request: HttpRequest, game: str, slug: str) -> HttpResponse:
    found = judged(claim_rows().filter(game__slug=game, slug=slug))
    if not found:
        raise NothingHere(f"There is no claim called “{game}/{slug}”."[:LONGEST_COMPARED], _nearest(f"{game}/{slug}"))
    return render(request, "catalogue/claim.html", {"one": found[0]})


def _nearest(wanted: str) -> list[Suggested]:
    known = {str(one): one for one in Claim.objects.select_related("game")}
    near = nearest_word(wanted, known)
    return [Suggested(known[near].title, known[near].get_absolute_url())] if near else []
