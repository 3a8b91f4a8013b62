"""What the demo shows: tables, records, an editor and batches, and then comparisons, verdicts and one study.

The comparisons use the demo batches and are computed by the workers; claims and the study need batches of their own.
What is there already, as all of it is where the edition was loaded, is left as it is. A few batches of the edition
are played again beside the demo, so that its figures need not be believed. At the end every main page is fetched over
HTTP and must show what it is for.
"""

import io
import json
import random
import secrets
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.urls import reverse

from catalogue.analyses import claim_trials
from catalogue.analyses.claims import not_judged, request_batches, write_verdicts
from catalogue.analyses.comparisons import COMPARISONS, check_comparison
from catalogue.analyses.studies import STUDIES
from catalogue.analyses.study_plans import Plan, plan
from catalogue.edition.files import EditionFolder, read_index
from catalogue.edition.terms import BATCHES
from catalogue.models import Claim, Comparison, Evidence, Game, Reading, Study
from catalogue.outcomes.figure import USUAL
from catalogue.web.routes import every_route
from simulator import rulesets
from simulator.batches.finalize import KEY
from simulator.batches.service import request_all, request_batch
from simulator.models import Batch, Solution
from simulator.servers import Server
from simulator.strength import solutions

DEMO_BATCHES = Path(settings.BASE_DIR) / "fixtures" / "demo_batches.json"
EDITOR = "editor"


def prepare() -> None:
    """Bring tables and records up to date; what is there already stays as it is."""
    call_command("migrate", verbosity=0, interactive=False)
    call_command("load_fixtures", verbosity=0, no_release=True, stdout=io.StringIO())


def new_editor() -> str | None:
    """The password of the editor's account if it had to be made, else None: it is shown once."""
    users = get_user_model()._default_manager
    if users.filter(username=EDITOR).exists():
        return None
    password = secrets.token_urlsafe(12)
    users.create_superuser(username=EDITOR, password=password)
    return password


def request_demo_batches(*, announce: bool) -> list[Batch]:
    """Request the batches that are shown beside the records; those that are done already stay done."""
    planned = json.loads(DEMO_BATCHES.read_text(encoding="utf-8"))
    return [request_batch(**request, origin=Batch.Origin.DEMO, announce=announce) for request in planned]


STUDIED, STUDY_GAMES = "niranchy", 2_000
SOLVED = "hat-diviyan-keliya"  # in all its readings: they are small


@dataclass(frozen=True, slots=True)
class RequestedFindings:
    """trials: of claims that are not judged yet; judged_before: how many more are
    study: the one to be computed, None if it is kept
    batches: those that are played for claims and the study; comparisons: ids of those that workers compute
    """

    trials: Sequence[claim_trials.Trial]
    judged_before: int
    study: Plan | None
    batches: list[Batch]
    comparisons: list[str]


def request_findings(chosen: Sequence[Batch], announce: bool = True) -> RequestedFindings:
    """Ask for all of it. chosen: the demo batches, which are done."""
    claims = Claim.objects.select_related("game")
    every = claim_trials.trials(claims, games=claim_trials.DEMO_GAMES, which=claim_trials.soon_decided)
    trials = not_judged(every)
    batches = request_batches(trials, announce=announce, origin=Batch.Origin.DEMO)
    planned = plan(STUDIED, games=STUDY_GAMES)
    study = None if STUDIES.kept(planned.id) else planned
    if study:
        batches += request_all(study.requests, announce=announce, origin=Batch.Origin.DEMO)
    comparisons = [comparison.id for comparison in _comparisons(chosen, announce)]
    return RequestedFindings(trials, len(every) - len(trials), study, batches, comparisons)


def _comparisons(chosen: Sequence[Batch], announce: bool) -> list[Comparison]:
    """The comparisons of every game with several readings, on the games that are shown beside its records."""
    one = chosen[0]
    terms: dict[str, Any] = {"games": one.games, "seed": one.seed, "cap": one.cap, "until": one.until}
    terms["may_be_alike"] = True
    played = {version.slug for batch in chosen for version in batch.ruleset.versions.all()}
    by_game: dict[int, list[str]] = {}
    for slug, game in Reading.objects.order_by("game__name", "position").values_list("slug", "game"):
        if slug in played:
            by_game.setdefault(game, []).append(slug)
    several = [slugs for slugs in by_game.values() if len(slugs) > 1]
    return [
        COMPARISONS.request(check_comparison(slugs, **terms), announce=announce, origin=Batch.Origin.DEMO)
        for slugs in several
    ]


def waiting(requested: RequestedFindings) -> int:
    """Return how many comparisons are not computed yet."""
    return Comparison.objects.filter(id__in=requested.comparisons, state=Comparison.State.WAITING).count()


def conclude(requested: RequestedFindings) -> str:
    """Write the verdicts and the study, whose batches are done, and solve a game; says what there is now."""
    _solve()
    verdicts = write_verdicts(requested.trials)
    if requested.study:
        STUDIES.concluded(requested.study)
    solved = Solution.objects.filter(state=Solution.State.DONE).count()
    played = (
        f"{len(requested.batches)} batches were played for them" if requested.batches else "nothing was left to play"
    )
    return (
        f"{len(requested.comparisons)} comparisons of readings, {len(verdicts) + requested.judged_before} tests of "
        f"claims, {Study.objects.count()} studies of open questions, and {solved} rulesets solved; {played}."
    )


def _solve() -> None:
    """Solve every reading of the smallest game, unless that was done before."""
    slugs = list(Reading.objects.filter(game__slug=SOLVED).values_list("slug", flat=True))
    for slug in slugs:
        ruleset = rulesets.find(slug)
        solution = solutions.solution_of(ruleset, slug)
        if solution and (solution.document is None or solution.is_outdated):
            solutions.solve_and_keep(ruleset)


SAMPLE, SECONDS = 3, 30  # batches, and what one may take
DIFFERENT = "They are not what its games say"


@contextmanager
def running(say: Callable[[str], object], folder: EditionFolder | None = None) -> Iterator[Callable[[], None]]:
    """Play a sample of the edition meanwhile; yields a function to be called at times, which reports the end once."""
    folder = folder or EditionFolder()
    release = read_index(folder)
    if release is None or not folder.ids(BATCHES):
        yield lambda: None
        return
    seed = random.randrange(1_000_000)
    words = ("--batches", "--sample", str(SAMPLE), "--seconds", str(SECONDS), "--seed", str(seed))
    command = (sys.executable, "manage.py", "edition", "verify", *words, "--folder", str(folder.place))
    log = Path(settings.VAR_DIR) / "logs" / "edition.log"
    server = Server.start("sample of the edition", command, log)
    say(f"Playing {SAMPLE} batches of the edition of {release.date} again, drawn by the seed {seed}; see {log}.")
    ended = False

    def look() -> None:
        nonlocal ended
        if not ended and not server.is_running:
            ended = True
            same = server.process.returncode == 0
            say("They were played again: every digest is the same." if same else f"{DIFFERENT}; see {log}.")

    try:
        yield look
    finally:
        server.stop(patience=2)


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
    yield Expectation("/games/", tuple(Game.objects.filter(is_reference=False).values_list("name", flat=True)))
    yield Expectation("/evidence/", (*Evidence.objects.values_list("identifier", flat=True)[:3], "</html>"))
    yield Expectation("/places/sri-lanka/", ("Sri Lanka",))
    yield Expectation("/map/", ("Sri Lanka: ", "world.svg#land", "Natural Earth"))
    yield Expectation("/timeline/", ("<svg", "As a table"))
    yield Expectation("/api/v1/map/", ("FeatureCollection",))
    yield Expectation("/questions/", ("Open questions", "</html>"))
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
        yield Expectation(f"/rulesets/{reading.slug}/play-a-game/", ("<svg", "choose who plays"))
        yield Expectation(f"/rulesets/{reading.slug}/play-a-game/?players=you&seed=1", ("data-place=", "your move"))
        for record in reading.evidence.all():
            page = f"/evidence/{record.identifier}/"
            yield Expectation(page, (record.identifier, f"/rulesets/{reading.slug}/"))
            if record.game_id == reading.game_id:  # of another game, on which it leans, it shows none
                yield Expectation(f"{page}?level={USUAL}", (figures,))  # stronger players are shown first
            yield Expectation(f"/cite/record/{record.identifier}.ris", ("TY  - DATA", record.identifier))
            yield Expectation(f"/id/{record.identifier}", (record.identifier, "Cite this record"))


def _solved() -> list[str]:
    """The names of the rulesets that are solved."""
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
    """Fetch a page, and return what is wrong with it, empty if nothing is."""
    try:
        with urllib.request.urlopen(address + expectation.path, timeout=PATIENCE) as answer:
            text = answer.read().decode("utf-8")
    except urllib.error.HTTPError as error:
        return f"status {error.code}"
    except (OSError, ValueError) as error:
        return str(error)
    missing = [word for word in expectation.words if word not in text]
    return f"does not show {', '.join(map(repr, missing))}" if missing else ""
