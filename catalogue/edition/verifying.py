"""Playing parts of an edition again, from the ruleset up, in this process: the same games, or it says which are not.

Of a batch all games are played, its rows, tally and digests compared, and its figures computed anew; its drawings are
not, which show them. Of what is made of batches the digest of each of these is compared, and all that it says computed
anew from the games just played: comparisons, studies, verdicts on claims, ladders and solutions.
"""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from catalogue.edition.files import Document, EditionFolder
from catalogue.edition.making import in_names_of_today
from catalogue.edition.plans import Part
from catalogue.edition.terms import BATCHES, CONCLUSIONS, PLAYED
from simulator.batches.finalize import REPETITION, in_words_of_today
from simulator.batches.prices import UNITS
from simulator.batches.requests import BatchRequest
from simulator.batches.rows import Rows, digest_of, measure_names
from simulator.batches.service import keeps_rows
from simulator.batches.traffic import empty, figures, layout_of
from simulator.batches.versions import is_installed
from simulator.engine.documents import parse_kept
from simulator.engine.family import family
from simulator.engine.tally import Tally
from simulator.engine.traffic import Sums
from simulator.models import Batch
from simulator.models import Ruleset as RulesetRow

ASKED_FOR = ("family_version", "players_version", "players", "seed", "games", "cap", "until", "rows_kept")


@dataclass(frozen=True, slots=True)
class Replayed:
    """The games of a batch as they were just played.

    rows: in order, part after part; none if they are not needed. traffic: None if it is not counted
    """

    request: BatchRequest
    digest: str
    tally: Tally
    rows: tuple[Rows, ...]
    traffic: Sums | None = None

    @property
    def batch(self) -> Batch:
        """The row of the finished batch, which is not kept."""
        ruleset, one = self.request.ruleset, self.request
        terms = {name: value for name, value in one.terms.items() if name != "traffic"}
        return Batch(
            id=one.id,
            ruleset=RulesetRow(hash=ruleset.hash, family=ruleset.family, document=ruleset.document),
            family_version=one.family_version,
            row_version=one.row_version,
            players_version=one.players_version,
            work=one.work,
            rows_kept=keeps_rows(one),
            counts_traffic=one.traffic,
            digest=self.digest,
            tally=self.tally.to_json(),
            **terms,
        )


Replays = dict[str, Replayed]  # by the id of the batch


@dataclass(frozen=True, slots=True)
class Verified:
    """differences: in words; none if the part is what it says. games: that were played again"""

    part: Part
    games: int
    differences: tuple[str, ...]


def sample(
    folder: EditionFolder, parts: Sequence[Part], number: int, seed: int, seconds: float = float("inf")
) -> list[Part]:
    """Draw that many of the finished parts by the seed. seconds: parts that take a processor longer are left out"""
    there = [
        part
        for part in sorted(parts, key=lambda one: (one.kind, one.id))
        if folder.has(part.kind, part.id) and part.work / UNITS / 1e6 <= seconds
    ]
    return random.Random(seed).sample(there, min(number, len(there)))


def sample_of_batches(folder: EditionFolder, number: int, seed: int, seconds: float = float("inf")) -> list[Part]:
    """Draw that many batches that this engine can play by the seed, without making a plan, which takes long."""
    found: list[Part] = []
    keys = folder.ids(BATCHES)
    random.Random(seed).shuffle(keys)
    for key in keys:
        if len(found) == number:
            break
        request = request_in(folder.read(BATCHES, key))
        if request.id == key and request.work / UNITS / 1e6 <= seconds:
            found.append(Part(BATCHES, f"{key}, {','.join(request.players)}", "", "", request))
    return found


def request_in(document: Document) -> BatchRequest:
    """The request of a batch, as its document has it; its id is another one if the players have changed since."""
    ruleset = parse_kept(document["ruleset"]["document"])
    terms = {name: document[name] for name in ("family_version", "seed", "games", "cap", "until")}
    terms["row_version"] = document.get("row_version", document["family_version"])
    players = tuple(document["players"].split(","))
    request = BatchRequest(ruleset, players=players, traffic="traffic" in document, **terms)
    return request if is_installed(ruleset.family, request.family_version) else replace(request, family_version=0)


def verify(folder: EditionFolder, part: Part, notify: Callable[[str], None]) -> Verified:
    document = folder.read(part.kind, part.id)
    replays: Replays = {}
    with_rows = part.kind in PLAYED or CONCLUSIONS[part.kind].needs_rows
    wrong: list[str] = []
    for request in part.requests:
        one = replays[request.id] = _replayed(request, with_rows=with_rows)
        if part.kind in PLAYED:
            wrong += _differences(folder, document, one)
        elif (said := document["batches"].get(request.id)) != one.digest:
            wrong.append(f"batch {request.id} has the digest {said}, and played again {one.digest}")
        notify(request.id)
    if not wrong:
        wrong += _computed_otherwise(part, document, replays)
    return Verified(part, sum(one.games for one in part.requests), tuple(wrong))


def _replayed(request: BatchRequest, *, with_rows: bool) -> Replayed:
    from simulator.batches import playing  # brings the compiled engine

    rows: list[Rows] = []
    keep = rows.append if with_rows else lambda part: None
    left = empty(request)
    digest, tally = playing.replay_digest(request, lambda played: None, keep, left)
    return Replayed(request, digest, tally, tuple(rows), left)


def _differences(folder: EditionFolder, document: Document, one: Replayed) -> list[str]:
    """The figures and rows of a batch that are not those of the games played again."""
    found = {name: getattr(one.batch, name) for name in ASKED_FOR}
    found |= {"digest": one.digest, "tally_digest": one.tally.digest(), "tally": one.tally.to_json()}
    if one.traffic is not None:  # of which no rows are shipped
        found |= {"rows_kept": False, "digest": one.tally.digest()}
    wrong = [name for name in found if document[name] != found[name]]
    if one.traffic is None and one.batch.rows_kept:
        rows = folder.rows(BATCHES, one.request.id, len(measure_names(one.batch)))
        if rows is None or digest_of(rows) != one.digest:
            wrong.append("rows")
    words = {"rows": "rows differ from those"}
    return [f"{words.get(name, f'{name} differs from that')} of the games played again" for name in wrong]


def _computed_otherwise(part: Part, document: Document, replays: Replays) -> list[str]:
    """The keys of a part that are not what its games give; both documents are compared as JSON has them."""
    if part.kind in PLAYED:
        found = _figures(replays[part.id], document)
        shipped = {**document, "summary": in_words_of_today(document["summary"], replays[part.id].batch.ruleset)}
    else:
        kind = CONCLUSIONS[part.kind]
        stated = in_names_of_today(document)
        found, shipped = kind.recomputed(part.request, replays, stated), kind.as_stated_now(stated)
    if found is None:
        return ["it cannot be computed anew: the rows that it rests on are not kept here (manage.py load_fixtures)"]
    names = [name for name in found if shipped[name] != json.loads(json.dumps(found[name]))]
    return [f"{name} is not what is computed from its games" for name in names]


def _figures(played: Replayed, document: Document) -> Document | None:
    """Recompute the figures; repetition is looked for in as many games as before, since their number follows from
    prices."""
    from simulator.batches.finalize import summary_of  # brings the statistics

    looked_at = document["summary"].get(REPETITION, {}).get("games", 0)
    rows = played.rows if keeps_rows(played.request) else ()
    told: Document = {"summary": summary_of(played.batch, played.tally, rows, looked_at)}
    if played.traffic is not None:
        told["traffic"] = {
            "digest": played.traffic.hexdigest(),
            "figures": figures(played.batch, played.traffic, layout_of(played.batch)),
            "version": family(played.request.ruleset.family).traffic_version,
        }
    return told
