"""Playing parts of an edition again, from the ruleset up, in this process: the same games, or it says which are not.

Of a batch all games are played, and its digest and that of its tally compared; of what is made of batches, each of
these; a comparison and a study are computed anew besides.
"""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from catalogue.edition.files import Document, EditionFolder
from catalogue.edition.parts import BATCHES, COMPARISONS, SOLUTIONS, STUDIES, Part
from catalogue.sensitivity.answer_means import restated
from simulator.batches.prices import UNITS
from simulator.batches.requests import BatchRequest
from simulator.batches.versions import is_installed
from simulator.engine.documents import parse_kept
from simulator.engine.tally import Tally
from simulator.models import Batch

MEASURED = ("seconds", "peak_bytes")  # of a solution: what it took on the machine that solved it
Tallies = dict[str, Tally]


@dataclass(frozen=True, slots=True)
class Verified:
    """differences: in words; none if the part is what it says. games: that were played again"""

    part: Part
    games: int
    differences: tuple[str, ...]


def sample(
    folder: EditionFolder, parts: Sequence[Part], number: int, seed: int, seconds: float = float("inf")
) -> list[Part]:
    """Of the finished parts so many, drawn by the seed; seconds: those left out of which a processor needs longer."""
    there = [
        part
        for part in sorted(parts, key=lambda one: (one.kind, one.id))
        if folder.has(part.kind, part.id) and part.work / UNITS / 1e6 <= seconds
    ]
    return random.Random(seed).sample(there, min(number, len(there)))


def sample_of_batches(folder: EditionFolder, number: int, seed: int, seconds: float = float("inf")) -> list[Part]:
    """So many batches that the engine installed here can play, drawn by the seed; no plan is made, which takes long."""
    found: list[Part] = []
    keys = folder.ids(BATCHES)
    random.Random(seed).shuffle(keys)
    for key in keys:
        if len(found) == number:
            break
        request = request_in(folder.read(BATCHES, key))
        if request.id == key and request.work / UNITS / 1e6 <= seconds:
            found.append(Part(BATCHES, f"{key}, {','.join(request.players)}", key, "", "", (request,), request))
    return found


def request_in(document: Document) -> BatchRequest:
    """The request of a batch, as its document has it; its id is another one if the players have changed since."""
    ruleset = parse_kept(document["ruleset"]["document"])
    terms = {name: document[name] for name in ("family_version", "seed", "games", "cap", "until")}
    request = BatchRequest(ruleset, players=tuple(document["players"].split(",")), **terms)
    return request if is_installed(ruleset.family, request.family_version) else replace(request, family_version=0)


def verify(folder: EditionFolder, part: Part, notify: Callable[[str], None]) -> Verified:
    from simulator.batches import playing  # brings the compiled engine

    document = folder.read(part.kind, part.id)
    tallies: Tallies = {}
    wrong: list[str] = []
    for request in part.requests:
        digest, tally = playing.replay_digest(request, lambda played: None)
        tallies[request.id] = tally
        wrong += _differences(part, document, request, digest, tally)
        notify(request.id)
    if not wrong:
        wrong += _computed_otherwise(part, document, tallies)
    return Verified(part, sum(one.games for one in part.requests), tuple(wrong))


def _differences(part: Part, document: Document, request: BatchRequest, digest: str, tally: Tally) -> list[str]:
    if part.kind != BATCHES:
        said = document["batches"].get(request.id)
        return [] if said == digest else [f"batch {request.id} has the digest {said}, and played again {digest}"]
    pairs = (("digest", digest), ("tally_digest", tally.digest()), ("tally", tally.to_json()))
    return [f"{name} differs from that of the games played again" for name, found in pairs if document[name] != found]


def _computed_otherwise(part: Part, document: Document, tallies: Tallies) -> list[str]:
    """Both as JSON has them."""
    found = RECOMPUTED[part.kind](part, tallies, document) if part.kind in RECOMPUTED else None
    said = {**document, "document": restated(document["document"])} if part.kind == STUDIES else document
    names = [] if found is None else [name for name in found if said[name] != json.loads(json.dumps(found[name]))]
    return [f"{name} is not what is computed from its games" for name in names]


def _studied(part: Part, tallies: Tallies, document: Document) -> Document:
    from catalogue.sensitivity.documents import document_of  # brings the statistics

    planned = part.wanted
    batches = [
        Batch(id=one.id, ruleset_id=one.ruleset.hash, seed=one.seed, tally=tallies[one.id].to_json())
        for one in part.requests
    ]
    return {"document": document_of(planned.study, planned.space, batches, part.id)}


def _compared(part: Part, tallies: Tallies, document: Document) -> Document | None:
    """From the rows that are kept here, whose digests were just compared; None if some are not."""
    from catalogue.comparisons.document import document_of
    from catalogue.models import Comparison

    row = Comparison.objects.filter(id=part.id).first()
    here = {
        one.id: one for one in Batch.objects.filter(id__in=tallies, state=Batch.State.DONE).select_related("ruleset")
    }
    if row is None or len(here) < len(tallies):
        return None
    return {"document": document_of(row, [here[one.id] for one in part.requests])}


def _solved(part: Part, tallies: Tallies, document: Document) -> Document:
    from simulator.strength.solutions import reduced
    from simulator.strength.solving import Listener, Wanted, worked_out

    slug, ruleset = part.wanted
    found = {**worked_out(ruleset, Wanted(), Listener()), "reduced": reduced(ruleset)}
    measured = {name: document["solution"][name] for name in MEASURED if name in document["solution"]}
    return {"ruleset": slug, "hash": ruleset.hash, "solution": {**found, **measured}}


RECOMPUTED: dict[str, Callable[[Part, Tallies, Document], Document | None]] = {
    COMPARISONS: _compared,
    STUDIES: _studied,
    SOLUTIONS: _solved,
}
