"""Studies of which question about a game matters: shown as they were computed and kept, and requested by a form."""

from collections.abc import Mapping
from string import ascii_uppercase
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.generic import RedirectView

from catalogue.analyses.studies import STUDIES
from catalogue.analyses.study_figures import TOO_FEW_ANSWERS
from catalogue.analyses.study_plans import GAMES, OF_A_SAMPLE, StudyOffer, offers_for, plan
from catalogue.analyses.study_words import MATTERING, answer_of, combinations_in_words, doubts_of
from catalogue.evidence.questions import rank_studies
from catalogue.models import Game, Study
from catalogue.models.lookup import NothingHere, found_or_nearest
from catalogue.models.querysets import game_rows
from catalogue.pages import answers, batches
from catalogue.permissions import LARGE_BATCHES
from catalogue.texts.formatting import plain
from catalogue.texts.sureness import sureness
from catalogue.web import plots
from catalogue.web.routes import route, routes_below
from simulator.batches.finalize import FEW
from simulator.batches.levels import second_line
from simulator.batches.requests import BOUNDS, DEFAULT_SEED
from simulator.batches.versions import is_engine_installed
from simulator.engine.players.names import PlayersProblem
from simulator.models import Batch
from simulator.problems import QueueFull, WrongRequest, whole_number

PLAYERS_HINT = "The same ones play all combinations; a level stands for its player of the first reading."


class StudyForm(answers.PlayersForm):
    """A request for a study of a game. bounded: whether the visitors' bounds hold for it"""

    games = answers.number_field(GAMES, "", min="1")
    seed = answers.number_field(
        DEFAULT_SEED, "The same seed gives the same study.", min="0", max=str(BOUNDS["seed"][1])
    )

    def __init__(self, offer: StudyOffer, sent: QueryDict | None = None, *, bounded: bool = True) -> None:
        super().__init__(sent)
        self.offer_seats(offer.seats, ",".join(sent.getlist("players")) if sent else "")
        self.fields["players"].help_text = PLAYERS_HINT
        self.bounded, self.offer = bounded, self._played_by(offer)
        most = self.offer.most if bounded else BOUNDS["games"][1]
        self.fields["games"].initial = self.offer.games
        self.fields["games"].widget.attrs["max"] = str(most)
        self.fields["games"].help_text = f"Of each combination of answers, from 1 to {most:,}."

    def _played_by(self, offer: StudyOffer) -> StudyOffer:
        """The offer with the requested players, or the usual one where they cannot be read."""
        line = self["other_players"].value() or self["players"].value()
        try:
            return offer.played_by(line) if line else offer
        except PlayersProblem:
            return offer

    @property
    def games_of_each(self) -> int:
        """How many games of each combination are requested; the usual number where that cannot be read."""
        try:
            return whole_number("games", self["games"].value(), *BOUNDS["games"])
        except WrongRequest:
            return self.offer.games

    @property
    def all_games(self) -> int:
        return self.games_of_each * self.offer.rulesets

    @property
    def time(self) -> str:
        return self.offer.time_of(self.games_of_each)


def study_form(request: HttpRequest, game: Game, sent: QueryDict | None = None) -> StudyForm | None:
    """The form for a study of a game; None where nothing about it can be studied."""
    offer = next(iter(offers_for([game])), None)
    return StudyForm(offer, sent, bounded=not request.user.has_perm(LARGE_BATCHES)) if offer else None


def _requested(request: HttpRequest, game: Game) -> HttpResponse:
    """The answer to a request for a study of the game: its page, or the form again, which says what is wrong."""
    form = study_form(request, game, request.POST)
    if form is None:
        raise NothingHere(f"There is nothing about {game.name} that could be studied.")
    if batches.ESTIMATE in request.POST and request.headers.get("HX-Request"):
        return render(request, "partials/study_estimate.html", {"form": form})
    if form.is_valid() and batches.ESTIMATE not in request.POST:
        try:
            planned = plan(game.slug, **form.wanted)
            answers.requested(request, STUDIES, planned)
            return redirect("study", study_id=planned.id)
        except (WrongRequest, QueueFull) as error:
            form.refuse(error)
    return missing_page(request, game, form)


def missing_page(request: HttpRequest, game: Game, form: StudyForm | None) -> HttpResponse:
    """The page of what can be studied of a game, with the form that requests it."""
    questions = game.questions.order_by("position", "slug").select_related("game").prefetch_related("answers")
    aside = form.offer.aside if form else {}
    playable = [
        question
        for question in questions
        if sum(answer.values is not None for answer in question.answers.all()) > 1 and question.slug not in aside
    ]
    listed = [
        (question, aside.get(question.slug, "" if question in playable else TOO_FEW_ANSWERS)) for question in questions
    ]
    context = {"game": game, "questions": listed, "playable": playable, "waiting": waiting_of(game)}
    if form is None:
        return render(request, "catalogue/study_missing.html", context)
    return answers.form_page(request, "catalogue/study_missing.html", form, context)


def waiting_of(game: Game) -> Study | None:
    """The last requested study of the game that is waited for."""
    return STUDIES.waiting().filter(game=game).defer("terms").order_by("-created", "id").first()


study_route = routes_below("studies/<batch_id:study_id>/", "/studies/{study}/")


@study_route("progress.json")
def study_progress(request: answers.HtmxRequest, study_id: str) -> HttpResponse:
    return answers.job_progress(request, STUDIES, study_id)


LEAST_SHOWN = 3  # questions that are drawn where none matters
MOST_REASONS = 8  # why combinations were left out: more are not listed


SAYING = ("What matters most is", "By definition", "the largest share on its own")  # the most first
OF_WINNING = "Won by"


def best_sentence(sentences: Mapping[str, str]) -> tuple[str, str]:
    """The sentence of a study that says most, with its title: what matters most, and to who wins before all else."""

    def order(pair: tuple[str, str]) -> tuple[int, bool]:
        title, text = pair
        return next(
            (place for place, words in enumerate(SAYING) if words in text), len(SAYING)
        ), OF_WINNING not in title

    return min(sentences.items(), key=order, default=("", ""))


@route("studies/", sitemap=True)
def study_list(request: HttpRequest) -> HttpResponse:
    rows = rank_studies(Study.objects.defer("document", "plots").select_related("game"))
    by_game: dict[Game, list[Study]] = {}
    for row in sorted(rows, key=lambda study: study.game.name):
        by_game.setdefault(row.game, []).append(row)
    page = answers.page_of(request, list(by_game.values()), size=25)
    waiting = STUDIES.waiting().defer("terms", "batches").order_by("-created", "id")
    studied = Study.every.exclude(state=Study.State.FAILED)
    rest = Game.objects.filter(questions__isnull=False).exclude(pk__in=studied.values("game"))
    context = {
        "page": page,
        "told": [(*best_sentence(best.summary["sentences"]), best, others) for best, *others in page],
        "studied": [best for best, *_ in page],
        "studies": len(rows),
        "waiting": waiting,
        "offers": offers_for(rest.distinct().order_by("name")),
    }
    return render(request, "catalogue/study_list.html", context)


route("games/<str:slug>/doubts/", name="sensitivity-before", example="/games/daramuti/doubts/", status=301)(
    RedirectView.as_view(pattern_name="sensitivity", permanent=True)
)


@route("games/<str:slug>/sensitivity/", name="sensitivity", example="/games/daramuti/sensitivity/", methods="GET POST")
def best_study(request: HttpRequest, slug: str) -> HttpResponse:
    """The best study of a game; if there is none, what can be studied, and a form. A POST requests one."""
    game = found_or_nearest(game_rows(), "slug", slug, "game")
    if request.method == "POST":
        return _requested(request, game)
    if studies := _studies_of(game):
        return _page(request, game.studies.get(pk=studies[0].pk), game, studies[1:], is_told=True)
    return missing_page(request, game, study_form(request, game))


@study_route()
def study(request: HttpRequest, study_id: str) -> HttpResponse:
    study = Study.objects.filter(id=study_id).select_related("game").first()
    if study is not None:
        others = [one for one in _studies_of(study.game) if one != study]
        return _page(request, study, study.game, others, is_told=False)
    waiting = STUDIES.unfinished(study_id)
    if waiting is None:
        raise NothingHere(f"There is no study “{study_id}” here.")
    context = {"requested": waiting, "game": waiting.game, "progress": STUDIES.progress(waiting)}
    context["cancel"] = answers.cancel_address(request, STUDIES, waiting)
    return render(request, "catalogue/study_waiting.html", context)


@route("studies/<batch_id:study_id>/<slug:kind>.svg", example="/studies/{study}/{study_plot}.svg")
def study_plot(request: HttpRequest, study_id: str, kind: str) -> HttpResponse:
    study = Study.objects.filter(id=study_id).only("plots").first()
    drawn = next((plot for plot in study.plots if plot["kind"] == kind), None) if study else None
    if drawn is None:
        raise NothingHere(f"There is no plot “{kind}” of a study “{study_id}”.")
    return answers.drawing(plots.dressed(drawn["svg"]))


def _studies_of(game: Game) -> list[Study]:
    return rank_studies(game.studies.defer("document", "plots"))


def _page(request: HttpRequest, study: Study, game: Game, others: list[Study], *, is_told: bool) -> HttpResponse:
    document = study.document
    drawn = {plot["kind"]: plot for plot in study.plots}
    known = set(game.questions.values_list("slug", flat=True))
    questions = [
        {**one, "number": number, "is_known": one["slug"] in known, "answers": _lettered(one["answers"])}
        for number, one in enumerate(document["questions"], start=1)
    ]
    letters = [{answer["slug"]: answer["letter"] for answer in question["answers"]} for question in questions]
    ids = [cell["batch"] for cell in document["cells"]]
    outcomes = [_outcome(outcome, document, drawn, known) for outcome in document["outcomes"]]
    context = {
        "study": study,
        "document": document,
        "game": game,
        "is_told": is_told,
        "others": others,
        "total_games": document["games"] * len(document["cells"]),
        "questions": questions,
        "outcomes": outcomes,
        "told": [] if document["withheld"] else outcomes,
        "answer": "" if document["withheld"] else answer_of(outcomes, len(questions)),
        "doubts": doubts_of(document),
        "made_of": combinations_in_words(document),
        "cells": [_cell(cell, document, letters) for cell in document["cells"]],
        "kept": set(Batch.objects.filter(id__in=ids).order_by().values_list("id", flat=True)),
        "is_of_this_engine": is_engine_installed(document["engine"]),
        "is_weighted": any(answer["weight"] != 1 for one in document["questions"] for answer in one["answers"]),
        "left_out": sum(one["combinations"] for one in document["left_out"]),
        "reasons": sorted(document["left_out"], key=lambda one: -one["combinations"])[:MOST_REASONS],
        "command": command_line(document),
        "limits": OF_A_SAMPLE,
        "aside": [one for one in document["not_varied"] if one["why"] != TOO_FEW_ANSWERS],
        "not_varied": _by_reason(document["not_varied"]),
        "few_kinds": (few := _few_kinds(document)),
        "sure": sureness(document["games"] * len(document["cells"]), are_alike=bool(few)),
        "is_of_one_player": bool(second_line(document["players"])),
        "has_kinds": any(cell["kinds"] is not None for cell in document["cells"]),
    }
    return render(request, "catalogue/study.html", context)


def _by_reason(questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Questions that are not varied, grouped by why."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for one in questions:
        groups.setdefault(one["why"], []).append(one)
    return [{"grouper": why, "list": some} for why, some in groups.items()]


def _few_kinds(document: Mapping[str, Any]) -> str:
    """What is to be said where the games of combinations are of few kinds; empty where they are not, or at random."""
    if "random" in document["players"].split(","):
        return ""
    few = [
        cell
        for cell in document["cells"]
        if cell["kinds"] is not None and cell["kinds"] < min(FEW, document["games"] / 2)
    ]
    if not few:
        return ""
    least, most = (choose(cell["kinds"] for cell in few) for choose in (min, max))
    span = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    return (
        f"In {len(few):,} of the {len(document['cells']):,} combinations only few games are different ({span} of "
        f"{document['games']:,}): the figures are sure for these players, and say little about others."
    )


def _lettered(offered: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**answer, "letter": letter} for answer, letter in zip(offered, ascii_uppercase, strict=False)]


def _is_drawn(row: Mapping[str, Any]) -> bool:
    first = row["first"]
    return bool(first and first["low"] > 0 and first["value"] >= MATTERING)


def _places(share: Mapping[str, Any] | None) -> dict[str, str]:
    """Where a share stands on a scale from 0 to 100, and its interval; nothing where it is not told."""
    if share is None:
        return {}
    places = {"dot": share["value"], "low": share["low"], "high": share["high"]}
    return {name: f"{100 * min(max(at, 0), 1):.1f}" for name, at in places.items()}


def _outcome(
    outcome: dict[str, Any], document: Mapping[str, Any], drawn: Mapping[str, Any], known: set[str]
) -> dict[str, Any]:
    """An outcome with its plot, its questions with their numbers, and its answers in words."""
    questions = document["questions"]
    numbers = {one["slug"]: number for number, one in enumerate(questions, start=1)}
    texts = {
        (question["slug"], answer["slug"]): answer["text"] for question in questions for answer in question["answers"]
    }
    rows = [
        {
            **row,
            **_places(row["first"]),
            "number": numbers[row["slug"]],
            "is_known": row["slug"] in known,
            "answers": [{**answer, "words": texts.get((row["slug"], answer["slug"]), "")} for answer in row["answers"]],
        }
        for row in outcome["questions"]
    ]
    # What the sentence above names as the largest is always among what is drawn.
    largest = max(rows, key=lambda row: row["first"]["value"] if row["first"] else 0.0, default=None)
    shown = [row for row in rows if _is_drawn(row) or row is largest]
    if not any(map(_is_drawn, rows)):
        shown = rows[:LEAST_SHOWN]
    return {
        **outcome,
        "questions": rows,
        "shown": shown,
        "behind": [row for row in rows if row not in shown],
        "plot": drawn.get(f"doubts-{outcome['key'].replace('_', '-')}"),
        "deviation_words": _amount(outcome["deviation"], outcome["unit"]),
        "noise_words": _amount(outcome["noise"], outcome["unit"]),
        "lowest": document["cells"][outcome["lowest"]],
        "highest": document["cells"][outcome["highest"]],
    }


def _cell(cell: dict[str, Any], document: Mapping[str, Any], letters: list[dict[str, str]]) -> dict[str, Any]:
    """A cell with its answers as "1A 2C 3–" and its figures as texts, in the order of the outcomes."""
    coded = [
        f"{number}{of_one.get(slug, '–') if slug else '–'}"
        for number, (slug, of_one) in enumerate(zip(cell["answers"], letters, strict=True), start=1)
    ]
    figures = [(cell["figures"].get(outcome["key"]), outcome["unit"]) for outcome in document["outcomes"]]
    texts = [plain(figure["mean"], unit) if figure else "–" for figure, unit in figures]
    return {**cell, "coded": " ".join(coded), "texts": texts}


def _amount(deviation: float, unit: str) -> str:
    return f"{100 * deviation:.1f} percentage points" if unit == "share" else f"{deviation:,.2f} {unit}"


def command_line(document: Mapping[str, Any]) -> str:
    """The command that runs exactly this study, on any machine that has the same questions."""
    weights = [
        f"{question['slug']}:{answer['slug']}={answer['weight']:g}"
        for question in document["questions"]
        for answer in question["answers"]
        if answer["weight"] != 1
    ]
    players = document.get("players_by_name", document["players"])  # older studies have no levels
    options = [f"--{name} {document[name]}" for name in ("base", "games", "seed")]
    options += [f"--players {players}", *(f"--{name} {document[name]}" for name in ("cap", "until"))]
    options.append(f"--questions {','.join(one['slug'] for one in document['questions'])}")
    options += [f"--weights {' '.join(weights)}"] if weights else []
    return f"manage.py sensitivity {document['game']} {' '.join(options)} --inline --json"
