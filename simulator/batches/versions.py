"""Which batches the engine installed here plays as they were asked for, and which wait because no worker's does.

A batch belongs to a version of its family, and of the players if any of them thinks. During an upgrade workers of two
releases stand beside each other: each takes only what it plays as it was meant.
"""

from django.db.models import Q
from django.utils import timezone

from simulator.engine.family import FAMILY_NAMES, family
from simulator.engine.players.names import PLAYERS_VERSION
from simulator.models import Batch, Chunk, Worker

PLAYERS = "players"


def installed() -> dict[str, int]:
    """The versions of the families, and of the players: {"sowing": 3, …, "players": 3}."""
    return {**{name: family(name).version for name in FAMILY_NAMES}, PLAYERS: PLAYERS_VERSION}


def playable(batch: str = "") -> Q:
    """Batches of installed versions. batch: how a query comes to the batch: "batch__" from its chunks."""
    here = Q(pk__in=())
    for name in FAMILY_NAMES:
        here |= Q(**{f"{batch}ruleset__family": name, f"{batch}family_version": family(name).version})
    players = Q(**{f"{batch}players_version": None}) | Q(**{f"{batch}players_version": PLAYERS_VERSION})
    return here & players


def is_of_this_engine(batch: Batch) -> bool:
    """Whether the engine installed here plays the batch's games as they were played."""
    return _plays(installed(), batch)


def is_installed(name: str, version: int, players: int | None = None) -> bool:
    """Whether the family, and the players if any think, have these versions here."""
    return _have(installed(), name, version, players)


def is_engine_installed(engine: str) -> bool:
    """engine: a family with its version, as documents name it: "sowing 3"."""
    name, _, version = engine.partition(" ")
    return version == str(installed().get(name))


def _plays(versions: dict[str, int], batch: Batch) -> bool:
    return _have(versions, batch.ruleset.family, batch.family_version, batch.players_version)


def _have(versions: dict[str, int], name: str, version: int, players: int | None) -> bool:
    return versions.get(name) == version and players in (None, versions.get(PLAYERS))


def waits_for(*batches: Batch) -> str:
    """Why none of the workers will play what is open of these batches, in a sentence; empty where one does or will.

    Two queries at most, none if nothing is open.
    """
    waiting = [batch for batch in batches if batch.is_open]
    if not waiting:
        return ""
    now = timezone.now()
    workers = [worker.versions for worker in Worker.alive()]
    alone = [batch for batch in waiting if not any(_plays(versions, batch) for versions in workers)]
    if not alone:
        return ""
    held = Chunk.objects.filter(batch__in=alone, state=Chunk.State.CLAIMED, lease_until__gt=now)
    played = set(held.values_list("batch_id", flat=True))
    missing = next((batch for batch in alone if batch.id not in played), None)
    if missing is None:
        return ""
    if not workers:
        return "No worker is running: games are played when one is started."
    wanted = f"version {missing.family_version} of the {missing.ruleset.family} engine"
    if missing.players_version:
        wanted += f" and version {missing.players_version} of the players"
    return f"No worker that is running has {wanted}: games are played when one that has it is started."
