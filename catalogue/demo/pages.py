"""The look at the finished demo: every main page is fetched over HTTP and must show what it is for."""

import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse

from catalogue.models import Claim, Comparison, Evidence, Game, Reading
from catalogue.outcomes.figure import USUAL
from catalogue.web.routes import every_route
from simulator.batches.finalize import KEY
from simulator.models import Batch, Solution

PATIENCE = 30
MOST_TURNS = 100  # of a game that the site replays without a worker


@dataclass(frozen=True, slots=True)
class Expectation:
    """An address and the words that its answer must contain."""

    path: str
    words: tuple[str, ...]


def expectations(batches: list[Batch]) -> Iterator[Expectation]:
    """The main pages, and for every demo batch the pages that show it."""
    lists = sorted(reverse(one.name) for one in every_route().values() if one.sitemap)
    for path in (*lists, "/about/figures/", "/api/docs/"):
        yield Expectation(path, ("</html>",))
    yield Expectation("/games/", tuple(Game.objects.values_list("name", flat=True)))
    yield Expectation("/evidence/", (*Evidence.objects.values_list("identifier", flat=True)[:3], "</html>"))
    yield Expectation("/places/sri-lanka/", ("Sri Lanka",))
    yield Expectation("/map/", ("Sri Lanka: ", "world.svg#land", "Natural Earth"))
    yield Expectation("/timeline/", ("<svg", "As a table"))
    yield Expectation("/api/v1/map/", ("FeatureCollection",))
    yield Expectation("/questions/", ("Points of doubt", "</html>"))
    yield Expectation("/claims/", ("</html>", *Claim.objects.values_list("title", flat=True)[:3]))
    for comparison in Comparison.objects.filter(state=Comparison.State.DONE):
        yield Expectation(comparison.get_absolute_url(), ("</html>", comparison.id))
    for slug in Reading.objects.filter(slug__in=_solved()).values_list("slug", flat=True):
        yield Expectation(f"/rulesets/{slug}/", ("</html>", "What best play comes to"))
    yield Expectation("/search/?q=sown+seeds", ("</html>", "<mark>", "finds"))
    yield Expectation("/data/", ("The dataset", "</html>"))
    yield Expectation("/about/data/", ("load_dataset", "</html>"))
    yield Expectation("/about/addresses/", ("410", "</html>"))
    yield Expectation("/cite/catalogue.bib", ("@misc{",))
    yield Expectation("/sitemap.xml", ("sitemap-evidence.xml",))
    yield Expectation("/robots.txt", ("Sitemap: ",))
    yield Expectation("/api/schema/", ("openapi",))
    yield Expectation("/about/cookbook/", ("Cookbook", "</html>"))
    yield Expectation("/about/python/", ("Use it from Python", "engine.Game", "</html>"))
    yield Expectation("/api/v1/evidence/?cursor=*&fields=identifier", ('"next":',))
    yield Expectation("/api/v1/clauses/?format=csv&fields=key", ("key\r\n",))
    for batch in batches:
        yield from _of_batch(batch)
    by_slug = {version.slug: batch for batch in batches for version in batch.ruleset.versions.all()}
    readings = Reading.objects.filter(slug__in=by_slug).select_related("game").prefetch_related("evidence")
    for reading in readings:
        figures = f"/batches/{by_slug[reading.slug].id}/"
        yield Expectation(f"/games/{reading.game.slug}/", (reading.game.name,))
        yield Expectation(f"/rulesets/{reading.slug}/", ("<svg", by_slug[reading.slug].ruleset_id))
        yield Expectation(f"/rulesets/{reading.slug}/play-a-game/", ("<svg", "Who plays?"))
        yield Expectation(f"/rulesets/{reading.slug}/play-a-game/?players=you&seed=1", ("data-place=", "your move"))
        for record in reading.evidence.all():
            page = f"/evidence/{record.identifier}/"
            yield Expectation(page, (record.identifier, f"/rulesets/{reading.slug}/"))
            if record.game_id == reading.game_id:  # of another game, on which it leans, it shows none
                yield Expectation(f"{page}?level={USUAL}", (figures,))  # stronger players are shown first
            yield Expectation(f"/cite/record/{record.identifier}.ris", ("TY  - DATA", record.identifier))
            yield Expectation(f"/id/{record.identifier}", (record.identifier, "Cite this record"))


def _solved() -> list[str]:
    """The names of the rulesets that somebody has solved."""
    done = Solution.objects.filter(state=Solution.State.DONE)
    return list(done.values_list("ruleset__versions__slug", flat=True))


def _of_batch(batch: Batch) -> Iterator[Expectation]:
    plots = [f"/plots/{batch.id}/{plot.kind}.svg" for plot in batch.plots.all()]
    words = ("<table", f"{batch.seed}", batch.ruleset_id[:8], *(plots or ["a plot"]))
    yield Expectation(f"/batches/{batch.id}/", words)
    yield Expectation(f"/batches/{batch.id}/rows.csv", (f"\n{batch.games - 1},",))
    yield Expectation(f"/api/v1/batches/{batch.id}/", (batch.digest,))
    shortest = (batch.summary or {}).get(KEY, {}).get("shortest")
    if shortest and shortest["turns"] < MOST_TURNS:
        game = f"/batches/{batch.id}/games/{shortest['game']}/"
        yield Expectation(f"{game}?turn=1", ("<svg", "The board after turn 1<", "happenings"))
        yield Expectation(f"{game}replay.txt", (f"after {shortest['turns']} turns",))
    for plot in plots:
        yield Expectation(plot, ("<svg", "<title", "<desc", batch.ruleset_id[:8]))


def problem_of(address: str, expectation: Expectation) -> str:
    """Fetch one page; says what is wrong with it, "" if nothing is."""
    try:
        with urllib.request.urlopen(address + expectation.path, timeout=PATIENCE) as answer:
            text = answer.read().decode("utf-8")
    except urllib.error.HTTPError as error:
        return f"status {error.code}"
    except (OSError, ValueError) as error:
        return str(error)
    missing = [word for word in expectation.words if word not in text]
    return f"does not show {', '.join(map(repr, missing))}" if missing else ""
