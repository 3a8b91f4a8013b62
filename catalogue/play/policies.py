"""Players that do what a source advises, as a page lists them: the advice, where it can be followed, what it won."""

from dataclasses import dataclass

from django.urls import reverse

from catalogue.models import Evidence, Reading
from catalogue.models.querysets import newest_versions
from simulator.engine.players.names import KINDS, POLICY
from simulator.engine.players.policies import Policy, policies
from simulator.models import Batch
from simulator.rulesets import as_engine

OPPONENTS = ("random", "greedy")
MOST_MATCHES = 200  # of all policies together, those of the most games


@dataclass(frozen=True, slots=True)
class Match:
    """A batch between a policy and another player. won: the share that the policy won, in words"""

    batch: Batch
    against: str
    won: str


@dataclass(frozen=True, slots=True)
class ListedPolicy:
    """name: as players are called; record: its address, empty where it is not here; rulesets: slugs, to be played in"""

    name: str
    policy: Policy
    record: str
    rulesets: tuple[str, ...]
    matches: tuple[Match, ...]


def listed_policies() -> list[ListedPolicy]:
    """Four queries, however many there are."""
    known = {f"{KINDS[POLICY]}:{name}": policy for name, policy in policies().items()}
    slugs = Reading.objects.order_by("game__name", "position", "slug").values_list("slug", flat=True)
    versions = newest_versions(slugs)
    parameters = {slug: as_engine(versions[slug].ruleset).parameters for slug in slugs if slug in versions}
    records = {policy.record for policy in known.values()}
    here = set(Evidence.objects.shown().filter(identifier__in=records).values_list("identifier", flat=True))
    matches = _matches()
    return [
        ListedPolicy(
            name,
            policy,
            reverse("evidence", args=[policy.record]) if policy.record in here else "",
            tuple(slug for slug, rules in parameters.items() if policy.applies(rules)),
            tuple(matches.get(name, ())),
        )
        for name, policy in known.items()
    ]


def _matches() -> dict[str, list[Match]]:
    """By policy: the games of two in which it meets a random or a greedy player."""
    rows = Batch.objects.filter(players__contains=f"{KINDS[POLICY]}:", state=Batch.State.DONE).defer("tally")
    found: dict[str, list[Match]] = {}
    for batch in rows.select_related("ruleset").order_by("-games", "id")[:MOST_MATCHES]:
        players = batch.players.split(",")
        for seat, name in enumerate(players):
            against = players[1 - seat] if len(players) == 2 else ""
            if against in OPPONENTS:
                found.setdefault(name, []).append(Match(batch, against, _won(batch, seat)))
    return found


def _won(batch: Batch, seat: int) -> str:
    rows = (row for section in (batch.summary or {})["sections"] for row in section["rows"])
    return str(next(row["text"] for row in rows if row["key"] == f"won_{seat}"))
