"""What the games of a batch leave on the board: merged from its chunks, kept, and told as shares with intervals.

Shares are of all uses of a kind, by all sides together. They are told of all games, and again without those that the
cap stopped, where it stopped any. Intervals are drawn from the blocks of games; workers compute them once, when the
batch is closed.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from simulator import rulesets
from simulator.batches.requests import BatchRequest
from simulator.engine.channels import Layout
from simulator.engine.family import Family, family
from simulator.engine.traffic import ENDED, STOPPED, Sums, merged
from simulator.models import Batch, Chunk, Traffic
from simulator.statistics import wear


def layout_of(batch: Batch, version: int | None = None) -> Layout:
    """Return what is counted of the games of a batch: today, or what was by that version of traffic."""
    layout = family(batch.ruleset.family).traffic(rulesets.as_engine(batch.ruleset).parameters)
    return layout if version is None else layout.of_version(version)


def empty(request: BatchRequest) -> Sums | None:
    """Return the sums of no games; None for a request that does not count them."""
    if not request.traffic:
        return None
    return Sums.none(family(request.ruleset.family).traffic(request.ruleset.parameters).cells)


def of_batch(batch: Batch) -> Sums | None:
    """Return the sums of all its chunks; None if it does not count them."""
    if not batch.counts_traffic:
        return None
    return merged(_of_chunks(batch, layout_of(batch).cells))


def _of_chunks(batch: Batch, cells: int) -> Iterator[Sums]:
    done = batch.chunks.filter(state=Chunk.State.DONE).order_by("number")
    for data in done.values_list("traffic", flat=True).iterator(chunk_size=1):
        yield Sums.unpacked(bytes(data or b""), cells)


def keep(batch: Batch, sums: Sums | None, version: int | None = None) -> None:
    """Keep the sums of a batch with their figures; its chunks no longer need theirs.

    version: of traffic, where it is not what is counted today
    """
    if sums is None:
        return
    version = family(batch.ruleset.family).traffic_version if version is None else version
    told = figures(batch, sums, layout_of(batch, version))
    values = {"sums": sums.packed(), "digest": sums.hexdigest(), "figures": told, "version": version}
    Traffic.objects.update_or_create(batch=batch, defaults=values)
    batch.chunks.update(traffic=None)


def kept_of(batch: Batch) -> tuple[Sums, Layout, int]:
    """Return the kept sums of a closed batch that counts them, what they are of, and which version of traffic they are.

    Raises Traffic.DoesNotExist.
    """
    kept = Traffic.objects.get(batch=batch)
    layout = layout_of(batch, kept.version)
    return Sums.unpacked(bytes(kept.sums), layout.cells), layout, kept.version


def has_figures_only(batch: Batch) -> bool:
    """Return whether an edition brought its figures, and not the sums that they follow from."""
    return Traffic.objects.filter(batch=batch, sums=b"").exists()


def sums_of(batch: Batch) -> Sums:
    """Return the kept sums of a closed batch that counts them; raises Traffic.DoesNotExist."""
    return kept_of(batch)[0]


def shares_of(sums: Sums, layout: Layout, key: str, ended_only: bool = False) -> wear.Sums:
    """Return the sums of one kind of use, both sides added, as statistics take them."""
    which = [ENDED] if ended_only else [ENDED, STOPPED]
    parts = [sums.shares[which, :, cells].sum(axis=0) for cells in layout.cells_of(key)]
    return wear.Sums(np.sum(parts, axis=0), sums.games[which].sum(axis=0))


def figures(batch: Batch, sums: Sums, layout: Layout) -> dict[str, Any]:
    """Return the shares of everything that is counted, by kind of use and side, with 95 % intervals.

    `{games, unfinished, lines, kinds: [{key, title, together, sides: [{seat, name, things}]}]}`; a thing is `{name,
    count, share, low, high}`, and where the cap stopped some games it has `ended`, the same of the others, too.
    `together` are the things with the uses of all sides added.
    """
    engine = family(batch.ruleset.family)
    stopped = int(sums.games[STOPPED].sum())
    return {
        "games": int(sums.games.sum()),
        "unfinished": stopped,
        "lines": [list(line) for line in layout.lines],
        "kinds": [_kind(batch, engine, layout, sums, key) for key in layout.keys],
    }


def _kind(batch: Batch, engine: Family, layout: Layout, sums: Sums, key: str) -> dict[str, Any]:
    channels = [channel for channel in layout.channels if channel.key == key]
    slices = layout.cells_of(key)
    cells = np.concatenate([np.arange(part.start, part.stop) for part in slices])
    every = _things([name for channel in channels for name in channel.things], sums, cells)
    added = Sums(
        np.sum([sums.shares[:, :, part] for part in slices], axis=0),
        sums.games,
        np.sum([sums.counts[:, part] for part in slices], axis=0),
    )
    together = _things(channels[0].things, added, np.arange(len(channels[0].things))) if len(channels) > 1 else every
    naming, sides = engine.naming(rulesets.as_engine(batch.ruleset).parameters), []
    for channel in channels:
        named = "" if channel.seat is None else naming.seat(channel.seat)
        things, every = every[: len(channel.things)], every[len(channel.things) :]
        sides.append({"seat": channel.seat, "name": named, "things": things})
    return {"key": key, "title": channels[0].title, "together": together, "sides": sides}


def _things(names: Sequence[str], sums: Sums, cells: Any) -> list[dict[str, Any]]:
    """Return what is told of each of these cells: how often it was used, and its share, which is of all of them."""
    every = wear.share_intervals(wear.Sums(sums.shares[:, :, cells].sum(axis=0), sums.games.sum(axis=0)))
    some_ended = 0 < sums.games[ENDED].sum() < sums.games.sum()
    ended = wear.share_intervals(wear.Sums(sums.shares[ENDED][:, cells], sums.games[ENDED])) if some_ended else None
    counts, told = sums.counts[:, cells].sum(axis=0), []
    for place, name in enumerate(names):
        thing: dict[str, Any] = {"name": name, "count": int(counts[place]), **_rounded(every[place])}
        if ended is not None:
            thing["ended"] = _rounded(ended[place])
        told.append(thing)
    return told


def _rounded(share: Any) -> dict[str, float]:
    """Return a share and its limits to a millionth, as finely as games round theirs."""
    return {name: round(float(value), 6) for name, value in zip(("share", "low", "high"), share, strict=True)}
