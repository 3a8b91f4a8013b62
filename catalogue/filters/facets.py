"""Narrowing the list of evidence: by place, game, type, source and year, each choice with its count and address."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, Q
from django.http import QueryDict
from django.urls import reverse

from catalogue.models import Evidence
from catalogue.models.sources import source_words
from catalogue.search.cache import kept
from catalogue.texts.errors import Suggested, WrongAddress, nearest_word

MOST_YEARS_SINGLY = 30
MOST_CHOICES = 60  # of one list: the others are found by the search
EARLIEST_YEAR, LATEST_YEAR = -20_000, 3_000


@dataclass(frozen=True, slots=True)
class Choice:
    value: str
    text: str
    count: int


@dataclass(frozen=True, slots=True)
class Facet:
    """One way of narrowing the list.

    choices: those with the most records; rarer: how many others there are; every: the address of all of them
    without: the address of the list that is no longer narrowed by it
    """

    name: str
    title: str
    chosen: str
    choices: tuple[Choice, ...]
    without: str
    rarer: int = 0
    every: str = ""

    @property
    def chosen_text(self) -> str:
        return next((choice.text for choice in self.choices if choice.value == self.chosen), self.chosen)


@dataclass(frozen=True, slots=True)
class YearBin:
    """Some years that a list can be narrowed to; `address` is the part of the address after the question mark."""

    text: str
    count: int
    address: str


@dataclass(frozen=True, slots=True)
class Lookup:
    title: str
    value: str
    text: tuple[str, ...]
    write: Callable[..., str] = str


LOOKUPS = {
    "place": Lookup("Place", "places__slug", ("places__name",)),
    "game": Lookup("Game", "game__slug", ("game__name",)),
    "type": Lookup("Type", "type", ("type",)),
    "source": Lookup("Source", "sources__key", ("sources__authors", "sources__year"), source_words),
}
YEARS = ("from", "to", "undated")
KNOWN = (*LOOKUPS, *YEARS, "page")


class EvidenceFilter:
    """What an address such as `/evidence/?place=sri-lanka&from=1900` asks for; WrongAddress if it makes no sense."""

    def __init__(self, asked: QueryDict) -> None:
        self.asked = asked
        for name in asked:
            if name not in KNOWN:
                near = nearest_word(name, KNOWN) or "place"
                raise WrongAddress(
                    f"A list of evidence cannot be narrowed by “{name[:40]}”; it can be by {', '.join(KNOWN[:-1])}.",
                    Suggested(
                        f"the list by {near}", self._address({near: asked.get(name, "")}, without=(name, "page"))
                    ),
                )
        self.wanted = {name: asked.get(name, "") for name in LOOKUPS}
        self.undated = asked.get("undated", "")
        if self.undated not in ("", "yes", "no"):
            raise WrongAddress(
                f"“{self.undated[:40]}” is no answer to “undated”: yes or no is meant.",
                Suggested("undated records", self._address({"undated": "yes"}, without=("page",))),
            )
        self.earliest, self.latest = self._year("from"), self._year("to")

    def _address(self, changes: dict[str, str], without: tuple[str, ...] = ()) -> str:
        parameters = self.asked.copy()
        for name in without:
            parameters.pop(name, None)
        for name, value in changes.items():
            parameters[name] = value
        return f"/evidence/?{parameters.urlencode()}"

    def _year(self, name: str) -> int | None:
        text = self.asked.get(name, "").strip()
        if not text:
            return None
        digits = text.removeprefix("-")
        if digits.isascii() and digits.isdigit() and len(digits) < 6 and EARLIEST_YEAR <= int(text) <= LATEST_YEAR:
            return int(text)
        raise WrongAddress(
            f"“{text[:40]}” is no year for “{name}”: a whole number from {EARLIEST_YEAR} to {LATEST_YEAR} is meant.",
            Suggested("the list of all years", self._address({}, without=YEARS)),
        )

    def _years(self) -> Q:
        none = Q(year_earliest__isnull=True, year_latest__isnull=True)
        if self.undated == "yes":
            return none
        overlap = ~none if self.undated == "no" else Q()
        if self.earliest is not None:
            overlap &= Q(year_latest__gte=self.earliest)
        if self.latest is not None:
            overlap &= Q(year_earliest__lte=self.latest)
        return overlap

    def condition(self, but: str = "") -> Q:
        """What a record must fulfil, but for one facet."""
        condition = Q() if but == "year" else self._years()
        for name, value in self.wanted.items():
            if value and name != but:
                condition &= Q(pk__in=Evidence.objects.shown().filter(**{LOOKUPS[name].value: value}).values("pk"))
        return condition

    def facets(self) -> list[Facet]:
        """One query each; the counts are of the records that the *other* choices leave.

        No record has a place or a source twice, so that rows are counted, which is quicker than telling records apart.
        """
        counted = kept(("facets of records", *self._wanted()), lambda: {name: self._counted(name) for name in LOOKUPS})
        return [self._facet(name, lookup, *counted[name]) for name, lookup in LOOKUPS.items()]

    def _wanted(self) -> tuple[object, ...]:
        return self.wanted, self.undated, self.earliest, self.latest

    def _counted(self, name: str) -> tuple[list[Any], int]:
        """Those values with the most records, and the chosen one, in order; and how many others there are."""
        lookup = LOOKUPS[name]
        rows = list(
            Evidence.objects.shown()
            .filter(self.condition(but=name), **{f"{lookup.value}__isnull": False})
            .order_by(*lookup.text)
            .values_list(lookup.value, *lookup.text)
            .annotate(records=Count("pk"))
        )
        most = set(sorted(range(len(rows)), key=lambda number: -rows[number][-1])[:MOST_CHOICES])
        shown = [row for number, row in enumerate(rows) if number in most or row[0] == self.wanted[name]]
        return shown, len(rows) - len(shown)

    def _facet(self, name: str, lookup: Lookup, shown: list[Any], rarer: int) -> Facet:
        chosen = self.wanted[name]
        if chosen and chosen not in {row[0] for row in shown}:
            self._must_exist(name, lookup, chosen)
        choices = tuple(Choice(row[0], lookup.write(*row[1 : 1 + len(lookup.text)]), row[-1]) for row in shown)
        without = self._address({}, without=(name, "page"))
        return Facet(name, lookup.title, chosen, choices, without, rarer, self._every(name))

    def _every(self, name: str) -> str:
        """The search for the same records with all values of a facet; it knows no years."""
        chosen = {other: value for other, value in self.wanted.items() if value}
        return f"{reverse('search')}?{urlencode({**chosen, 'kind': 'record', 'all': name})}"

    def _must_exist(self, name: str, lookup: Lookup, value: str) -> None:
        """A known value that the other choices exclude gives an empty list; an unknown one is a mistake."""
        known = Evidence.objects.shown().order_by().values_list(lookup.value, flat=True).distinct()
        words = [word for word in known if word]
        if value in words:
            return
        near = nearest_word(value, words)
        suggested = Suggested(f"{name} “{near}”", self._address({name: near}, without=("page",))) if near else None
        raise WrongAddress(f"No record has the {name} “{value[:60]}”.", suggested)

    def years(self) -> list[YearBin]:
        """The years the records are of, each with an address that keeps the other choices; one query."""
        undated, dated = kept(("years of records", self.wanted), self._spans)
        bins = [self._bin(first, last, count) for (first, last), count in sorted(dated.items())]
        if undated:
            bins.append(YearBin("undated", undated, self._address({"undated": "yes"}, without=(*YEARS, "page"))))
        return bins

    def _spans(self) -> tuple[int, dict[tuple[int, int], int]]:
        """The number of undated records, and those of each span of years; of each century where there are many."""
        records = Evidence.objects.shown().filter(self.condition(but="year")).order_by()
        counted = list(records.values_list("year_earliest", "year_latest").annotate(records=Count("pk")))
        undated = sum(count for first, last, count in counted if first is None and last is None)
        dated = {(first, last): n for first, last, n in counted if first is not None and last is not None}
        return undated, dict(_by_century(dated)) if len(dated) > MOST_YEARS_SINGLY else dated

    def _bin(self, first: int, last: int, count: int) -> YearBin:
        text = str(first) if first == last else f"{first} to {last}"
        address = self._address({"from": str(first), "to": str(last)}, without=(*YEARS, "page"))
        return YearBin(text, count, address)


def _by_century(spans: "dict[tuple[int, int], int]") -> "Counter[tuple[int, int]]":
    """A span belongs to every century it touches, as the list of that century shows it."""
    centuries: Counter[tuple[int, int]] = Counter()
    for (first, last), count in spans.items():
        for century in range(first // 100, last // 100 + 1):
            centuries[century * 100, century * 100 + 99] += count
    return centuries
