"""A feed of what has changed (Atom): what editors wrote, versions of rulesets, releases of the data.

That an installation was loaded is no change: of rows that nobody edited the feed says nothing.
"""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed

from catalogue.citations.items import LICENCE, NAME
from catalogue.dataset.verifying import releases
from catalogue.history.histories import ACTIONS, HISTORIES, edited, signed
from catalogue.models import Anchor
from catalogue.models.lookup import NamedKind
from catalogue.texts.formatting import capitalised
from catalogue.web.addresses import page_of, site_address
from catalogue.web.routes import route
from simulator.models import RulesetVersion

MOST = 60  # entries


@dataclass(frozen=True, slots=True)
class Change:
    title: str
    address: str
    moment: datetime.datetime
    author: str
    reason: str = ""


def _midnight(day: datetime.date) -> datetime.datetime:
    return datetime.datetime.combine(day, datetime.time(), datetime.UTC)


def changes(most: int = MOST) -> list[Change]:
    """Return the newest changes of all kinds, the newest first."""
    found = [change for kind in HISTORIES.values() for change in _edits(kind, most)]
    found += [*_edits_of_words(most), *_versions(most), *islice(_releases(), most)]
    return sorted(found, key=lambda change: (change.moment, change.address), reverse=True)[:most]


def _newest(model: Any, most: int, *linked: str) -> Any:
    rows = edited(model.history.all()).select_related("history_user", *filter(None, linked))
    return rows.order_by("-history_date", "-history_id")[:most]


def _edits(kind: NamedKind, most: int) -> Iterator[Change]:
    for record in _newest(kind.model, most, kind.link):
        parts = [_value(record, column) for column in kind.columns]
        if all(parts):
            yield _edit(kind.name, "/".join(parts), record)


def _value(record: Any, column: str) -> str:
    for name in column.split("__"):
        record = getattr(record, name, None)
    return str(record or "")


def _edits_of_words(most: int) -> Iterator[Change]:
    """Yield changes of the words that a rule or a claim rests on, which its history tells."""
    for record in _newest(Anchor, most):
        kind, _, key = record.key.rsplit("/", 2)[0].partition("/")
        if kind in HISTORIES and key:
            yield _edit(kind, key, record, "words of ")


def _edit(kind: str, key: str, record: Any, of: str = "") -> Change:
    title = capitalised(f"{of}{kind} {key}: {ACTIONS[record.history_type]}")
    return Change(title, reverse("history", args=[kind, key]), record.history_date, *signed(record))


def _versions(most: int) -> Iterator[Change]:
    for version in RulesetVersion.objects.select_related("ruleset").order_by("-date", "slug")[:most]:
        yield Change(f"Ruleset {version}", page_of(version), _midnight(version.date), NAME)


def _releases() -> Iterator[Change]:
    for one in releases():
        moment = _midnight(datetime.date.fromisoformat(one.date))
        yield Change(f"Release {one.version} of the data", reverse("release", args=[one.version]), moment, NAME)


class ChangesFeed(Feed):
    feed_type = Atom1Feed
    title, author_name, feed_copyright = f"{NAME}: what has changed", NAME, LICENCE
    subtitle = "What editors changed, versions of rulesets, and releases of the data; the newest first."

    def __init__(self, base: str) -> None:
        self.base = base

    def link(self) -> str:
        return f"{self.base}/"

    def feed_url(self) -> str:
        return f"{self.base}{reverse('changes')}"

    def items(self) -> list[Change]:
        return changes()

    def item_title(self, item: Any) -> str:
        return str(item.title)

    def item_description(self, item: Any) -> str:
        return str(item.reason)

    def item_link(self, item: Change) -> str:
        return f"{self.base}{item.address}"

    def item_guid(self, item: Change) -> str:
        return f"{self.base}{item.address}#{item.moment.isoformat()}"

    def item_author_name(self, item: Any) -> str:
        return str(item.author)

    def item_pubdate(self, item: Change) -> datetime.datetime:
        return item.moment

    def item_updateddate(self, item: Change) -> datetime.datetime:
        return item.moment


@route("changes.atom", name="changes", queries=20)
def feed_of_changes(request: HttpRequest) -> HttpResponse:
    return ChangesFeed(site_address(request))(request)
