"""Comparing readings: the form, the wait, and the comparison under its permanent address."""

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from django import forms
from django.db.models import Count, prefetch_related_objects
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse

from catalogue.analyses import comparison_words, comparisons
from catalogue.filters.parameters import refuse_unknown
from catalogue.findings.kept import findings
from catalogue.findings.over_levels import telling
from catalogue.models import Basis, ComparedBatch, Comparison, Game, Reading
from catalogue.models.analyses import BY_TWO_PLAYERS
from catalogue.models.lookup import NothingHere, found_or_nearest
from catalogue.models.querysets import (
    RulesetTitle,
    compared_rulesets,
    comparison_rows,
    first_readings,
    newest_versions,
)
from catalogue.outcomes import played, wording
from catalogue.outcomes.figure import Bar, FigureRow, OtherLevel, by_role, named_outcomes
from catalogue.pages import answers, figures
from catalogue.play.game_view import start_board
from catalogue.texts.words import Suggested
from catalogue.web import plots
from catalogue.web.addresses import comparison_title, titles_compared, titles_for
from catalogue.web.routes import route, routes_below
from simulator.batches import levels
from simulator.batches.requests import DEFAULTS, has_rounds
from simulator.batches.versions import is_of_this_engine
from simulator.engine.family import family
from simulator.engine.players.names import PlayersProblem
from simulator.models import Batch
from simulator.problems import QueueFull, WrongRequest
from simulator.rulesets import as_engine
from simulator.statistics.verdicts import Verdict

_number = partial(answers.number_field, required=False, step="any")
MARGINS = tuple(f"margin_{name}" for name in comparisons.DEFAULT_MARGINS)


class AnyOf(forms.MultipleChoiceField):
    """Names that are handed on as they were sent: the service knows which there are."""

    def validate(self, value: Any) -> None:
        """Left to the service, which also knows the nearest name."""


class ComparisonForm(answers.PlayersForm):
    """A request for a comparison; a field that is left empty has its usual value.

    choices: (name, title) of the rulesets that are offered; with_rounds: whether their games have rounds to stop after
    """

    rulesets = AnyOf(
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Readings",
        help_text="Two to six; differences are told as those of the later ones against the earlier ones.",
    )
    games = _number(comparisons.DEFAULT_GAMES, "Of each reading.")
    seed = _number(int(DEFAULTS["seed"]), "All readings play the same game numbers of this seed.")
    cap = _number(int(DEFAULTS["cap"]), "A game still running after so many turns is left unfinished.")
    until = forms.ChoiceField(choices=Batch.Until.choices, required=False, initial=Batch.Until.GAME, label="Play until")
    margin_shares = _number(
        comparisons.DEFAULT_MARGINS["shares"], "The difference of shares that matters: 0.02 is two percentage points."
    )
    margin_amounts = _number(
        comparisons.DEFAULT_MARGINS["amounts"],
        "The difference of lengths and other amounts that matters: 0.05 is 5 % of the smaller.",
    )
    bootstrap_seed = _number(comparisons.DEFAULT_BOOTSTRAP_SEED, "Where the draws of the resampled median begin.")
    field_order = ("rulesets", "games", "seed", "players", "cap", "until", *MARGINS, "bootstrap_seed", "other_players")

    def __init__(self, *args: Any, choices: Sequence[tuple[str, str]], with_rounds: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["rulesets"].choices = choices  # type: ignore[attr-defined]
        if not with_rounds:
            del self.fields["until"]

    @property
    def wanted(self) -> dict[str, Any]:
        """The arguments of `check_comparison` besides the rulesets."""
        sent = super().wanted
        sent.pop("rulesets", None)
        margins = {name.removeprefix("margin_"): sent.pop(name) for name in MARGINS if name in sent}
        return {**sent, "margins": margins}


MOST_SHOWN = 20  # names of an address that are offered again
MOST_LOOKED_AT = 500  # comparisons, the newest, of which each game names its own


@route("compare/", example="/compare/?game=daramuti", methods="GET POST", sitemap=True)
def compare(request: HttpRequest) -> HttpResponse:
    """A GET leads to the comparison if it exists, else to the form filled in; a POST requests it."""
    sent = request.POST if request.method == "POST" else request.GET
    if request.method != "POST":
        refuse_unknown(request, ("game", *ComparisonForm.base_fields), several=("rulesets",))
    names = sent.getlist("rulesets")
    game = _game_of(sent, names)
    if request.method != "POST" and len(names) < 2:
        return _form_page(request, game, _form(game, names, None, sent))
    form = _form(game, names, sent)
    if form.is_valid():
        try:
            checked = comparisons.check_comparison(names, may_be_alike=True, **form.wanted)
            is_there = Comparison.objects.filter(id=checked.id).exists()
            if not is_there:
                comparisons.check_comparison(names, **form.wanted)
            if request.method == "POST":
                _request(request, checked)
            if request.method == "POST" or is_there:
                return redirect("comparison", comparison_id=checked.id)
        except (WrongRequest, QueueFull) as error:
            form.refuse(error)
    return _form_page(request, game, form)


def _game_of(sent: QueryDict, names: Sequence[str]) -> Game | None:
    """The game whose readings are offered: the one named, or that of the first reading."""
    if slug := sent.get("game"):
        return found_or_nearest(Game.objects.all(), "slug", str(slug), "game")
    slugs = [name.partition("@")[0] for name in names]
    return Game.objects.filter(readings__slug__in=slugs).order_by("name").first()


def _form(
    game: Game | None, names: Sequence[str], sent: QueryDict | None, initial: QueryDict | None = None
) -> ComparisonForm:
    readings = list(Reading.objects.filter(game=game).order_by("position", "slug")) if game else []
    choices = [(reading.slug, f"{reading.title} ({reading.slug})") for reading in readings]
    choices += [(name, _short(name)) for name in dict.fromkeys(names[:MOST_SHOWN]) if name not in dict(choices)]
    versions = newest_versions(reading.slug for reading in readings).values()
    with_rounds = not versions or any(has_rounds(family(version.ruleset.family)) for version in versions)
    given = {name: initial[name] for name in initial if name not in ("game", "rulesets")} if initial else {}
    begun = {**given, "rulesets": list(names) or [reading.slug for reading in readings]}
    seats = [family(one.ruleset.family).seats(as_engine(one.ruleset).parameters) for one in versions]
    typed = ",".join((sent or initial or QueryDict()).getlist("players"))
    if sent is not None:
        sent = sent.copy()  # an empty field of an address has its usual value, as one that is left out has
        for name, field in ComparisonForm.base_fields.items():
            if field.initial is not None and not sent.get(name):
                sent[name] = str(field.initial)
    form = ComparisonForm(sent, choices=choices, with_rounds=with_rounds, initial=begun)
    form.offer_seats(seats, typed)
    return form


def _short(name: str) -> str:
    return f"ruleset {name[:8]}" if len(name) == 64 else name


def _request(request: HttpRequest, checked: comparisons.ComparisonRequest) -> None:
    answers.requested(request, comparisons.COMPARISONS, checked)


def _form_page(request: HttpRequest, game: Game | None, form: ComparisonForm) -> HttpResponse:
    """The form: for a game its readings and their comparisons, else the games with several readings."""
    known = findings()
    context = {
        "game": game,
        "bars": known.bars_of(game) if game else (),
        "bars_of": known.first_shown[game.pk][0] if game and game.pk in known.first_shown else None,
        "comparisons": _comparisons_of(game) if game else [],
        "games": _games_compared() if not game else [],
    }
    return answers.form_page(request, "catalogue/compare.html", form, context)


class _ComparedGame(NamedTuple):
    """A game with several readings. board: the ruleset whose board is drawn; made: (who played, address) of the newest
    comparison by each players"""

    game: Game
    board: str
    bars: tuple[Bar, ...]
    made: list[tuple[str, str]]


def _games_compared() -> list[_ComparedGame]:
    """The games with several readings, each with what was compared of it: four queries."""
    games = list(Game.objects.annotate(read=Count("readings")).filter(read__gt=1).order_by("name"))
    game_of = dict(Reading.objects.filter(game__in=games).values_list("slug", "game"))
    made: dict[int, dict[str, str]] = {}
    done = Comparison.objects.filter(state=Comparison.State.DONE).exclude(players="")
    for one in done.only("id", "names", "players")[:MOST_LOOKED_AT]:
        slugs = (name.partition("@")[0] for name in one.names)
        for pk in {game_of[slug] for slug in slugs if slug in game_of}:
            made.setdefault(pk, {}).setdefault(one.players, one.get_absolute_url())
    boards, known = first_readings([game.pk for game in games]), findings()
    return [
        _ComparedGame(
            game,
            boards.get(game.pk, ""),
            known.bars_of(game),
            [(_in_short(line), address) for line, address in made.get(game.pk, {}).items()],
        )
        for game in games
    ]


def _in_short(line: str) -> str:
    """The players of a line as a link names them: "club players"."""
    said = levels.line_in_words(line)
    return said if len(set(line.split(","))) > 1 else said.partition(", ")[0]


def _comparisons_of(game: Game) -> list[Comparison]:
    """The comparisons that are done and name a reading of a game, the newest first."""
    done = comparison_rows().filter(state=Comparison.State.DONE)
    slugs = set(Reading.objects.filter(game=game).values_list("slug", flat=True))
    compared = ComparedBatch.objects.filter(batch__ruleset__versions__slug__in=slugs)
    rows = done.filter(pk__in=compared.values("comparison"))[:MOST_SHOWN]
    # Readings of two games may be one ruleset: the names tell which of them was asked for.
    return [row for row in rows if slugs & {name.partition("@")[0] for name in row.names}]


@route("comparisons/", sitemap=True)
def comparison_list(request: HttpRequest) -> HttpResponse:
    """A page of comparisons, the newest first, those of one game together."""
    page = answers.page_of(request, comparison_rows(), size=50)
    by_game: dict[str, list[_Listed]] = {}
    for one in page:
        game, colon, what = comparison_title(titles_compared(request, one)).partition(": ")
        drawn = next((place.batch.ruleset_id for place in one.compared.all()), "")
        in_short = vars(one)["in_short"]
        thinks = bool(levels.second_line(one.players or in_short["players"] or ""))
        listed = _Listed(one, drawn, what, in_short, thinks)
        by_game.setdefault(game if colon else "Rulesets of several games", []).append(listed)
    named = [(game, _told_once(rows)) for game, rows in by_game.items()]
    return render(request, "catalogue/comparison_list.html", {"page": page, "by_game": named})


class _Listed(NamedTuple):
    """A comparison of the list.

    board:    the ruleset whose board is drawn, empty without one; what: is compared, empty where it is as above
    in_short: see `comparison_rows`
    thinks:   as of the comparison, which would read its whole document for it
    """

    one: Comparison
    board: str
    what: str
    in_short: dict[str, Any]
    thinks: bool


def _told_once(rows: Sequence[_Listed]) -> list[_Listed]:
    before = ["", *(row.what for row in rows)]
    return [row._replace(what="" if row.what == above else row.what) for row, above in zip(rows, before, strict=False)]


comparison_route = routes_below("comparisons/<batch_id:comparison_id>/", "/comparisons/{comparison}/")


@comparison_route(queries=12)
def comparison(request: HttpRequest, comparison_id: str) -> HttpResponse:
    comparison, batches = get_comparison(comparison_id)
    first = batches[0] if batches else None
    context: dict[str, Any] = {
        "comparison": comparison,
        "heading": _heading(titles_compared(request, comparison)),
        "first": first,
        "batches": [(comparison.places[one.place], one.batch) for one in comparison.compared.all()],
        "changed_levels": _with_changed_levels(comparison),
        "is_lost": len(batches) < len(comparison.places),
        "players": comparison.asked or (first.players if first else ""),
        "margins": comparison_words.margins_in_words(comparison.margins),
        "command": comparisons.command_line(comparison, first) if first else "",
    }
    if comparison.told:
        document = comparisons.with_clauses(comparison.told)
        shown, sentences = comparison_figure(request, comparison, batches) or (None, [])
        context |= {
            "document": document,
            "is_of_this_engine": all(map(is_of_this_engine, batches)),
            "shown": shown,
            "who_wins": sentences[1:],  # the figure itself says the first of them
            "over_levels": _over_levels(request, comparison, batches),
            "all_alike": all(comparison_words.is_same_game(pair) for pair in document["pairs"]),
            "rules": [_rule(document, rule) for rule in document["rules"]],
            "boards": _start_boards(document, batches),
            "pairs": [_pair(document, pair) for pair in document["pairs"]],
        }
    elif not comparison.is_withheld:
        context["progress"] = comparisons.COMPARISONS.progress(comparison)
        context["cancel"] = answers.cancel_address(request, comparisons.COMPARISONS, comparison)
    return render(request, "catalogue/comparison.html", context)


def _over_levels(
    request: HttpRequest, comparison: Comparison, batches: Sequence[Batch]
) -> figures.StrengthTable | None:
    """The rulesets two by two over the levels of play, as far as they are readings of one game today.

    The verdicts are those of the page of the game, which looks at all of its readings together.
    """
    if len(batches) < len(comparison.places):
        return None
    titles = titles_for(request)
    slugs = [name.partition("@")[0] for name in comparison.places]
    now = {slug for slug, batch in zip(slugs, batches, strict=True) if titles.has_now(slug, batch.ruleset)}
    every = chain.from_iterable(findings().by_strength.values())
    return figures.strength_table(telling([one for one in every if {one.first.slug, one.second.slug} <= now]))


def get_comparison(comparison_id: str) -> tuple[Comparison, list[Batch]]:
    """The comparison with its batches in order, as far as none was thrown away."""
    comparison = _comparison(comparison_id)
    prefetch_related_objects([comparison], compared_rulesets())
    return comparison, [one.batch for one in comparison.compared.all()]


def _comparison(comparison_id: str) -> Comparison:
    comparison = Comparison.objects.filter(id=comparison_id).first()
    if comparison is None:
        raise NothingHere(
            f"There is no comparison “{comparison_id}” here. If you have the command that was printed on its page, it "
            "computes the same comparison again.",
            [Suggested("Compare readings", "/compare/")],
        )
    return comparison


def comparison_figure(
    request: HttpRequest, comparison: Comparison, batches: Sequence[Batch]
) -> tuple[figures.ShownFigure, list[str]] | None:
    """A row for each ruleset, and who wins in sentences; None where its games are not all there.

    batches: in order, with their rulesets
    """
    titles = titles_compared(request, comparison)
    if len(batches) < len(comparison.places) or comparison.is_withheld:
        return None
    batches, again = batches[: len(titles)], batches[len(titles) :]  # the bars are of the first players
    rows = [
        figures.titled_row(title, batch.ruleset, place, reverse("ruleset", args=[name]))
        for place, (title, batch, name) in enumerate(zip(titles, batches, comparison.names, strict=True))
    ]
    figure = played.figure_of_batches(_with_distinct_names(rows), batches, comparison.asked)
    if again:
        second = played.figure_of_batches(_with_distinct_names(rows), again, comparison.second_players)
        other = OtherLevel(second.level, second.bars) if second.level else None
        figure = replace(figure, headline="", second=other)  # its first line then says where it depends on who plays
    named = named_outcomes(figure.bars)
    if len(named) < len(titles):
        return None
    page = comparison.get_absolute_url()
    shown = figures.ShownFigure(
        by_role(figure), "comparisons", comparison.id, comparison_title(titles), page, request.path
    )
    return shown, wording.who_wins(named) if _is_of_rules(comparison) else []


def _is_of_rules(comparison: Comparison) -> bool:
    """Whether what the bars show may be told of the rulesets: of one search, or of few kinds of games, it may not."""
    pairs = (comparison.document or {"pairs": []})["pairs"]
    few = any(measure["verdict"] == Verdict.KINDS for pair in pairs for measure in pair["measures"])
    return not comparison.second_players and not few


def _with_distinct_names(rows: Sequence[FigureRow]) -> list[FigureRow]:
    """Name rows by their whole titles where two would have the same name in a sentence."""
    names = [row.name for row in rows]
    return [replace(one, name=f"“{one.title}”", label=one.title) if names.count(one.name) > 1 else one for one in rows]


@figures.figure_of("comparisons")
def named_figure(request: HttpRequest, comparison_id: str) -> figures.ShownFigure | None:
    refuse_unknown(request, ())
    shown, _ = comparison_figure(request, *get_comparison(comparison_id)) or (None, [])
    return shown


def _with_changed_levels(comparison: Comparison) -> list[Batch]:
    """The batches whose players are not those that stand for the levels that were requested today."""
    placed = list(comparison.compared.all())
    if not comparison.players or not placed or placed[0].place:
        return []
    first = as_engine(placed[0].batch.ruleset)
    found = []
    for one in placed:
        line = comparison.second_players if one.place >= len(comparison.names) else comparison.players
        ruleset = as_engine(one.batch.ruleset)
        asked = comparisons.same_players(first, line) if comparison.version >= BY_TWO_PLAYERS else line
        with contextlib.suppress(PlayersProblem):
            if ",".join(levels.players_for(ruleset, asked)) == one.batch.players:
                continue
        found.append(one.batch)
    return found


def _heading(titles: Sequence[RulesetTitle]) -> str:
    """ "Daramuti: 3 readings compared", or the whole titles where they are not of one game."""
    games = {str(title).partition(", ")[0] for title in titles}
    if len(games) != 1 or not all(one.near for one in titles):
        return f"{comparison_title(titles)} compared"
    what = "rulesets" if any(one.but for one in titles) else "readings"
    return f"{games.pop()}: {len(titles)} {what} compared"


ARRAYS = ("first_array", "second_array")  # rules that boards side by side show better than the names of points


def _rule(document: dict[str, Any], rule: dict[str, Any]) -> dict[str, Any]:
    """A rule whose sides say whose they are, and their basis in words."""
    sides = []
    for side, ruleset in zip(rule["sides"], document["rulesets"], strict=True):
        clause = side["clause"]
        basis = Basis(clause["basis"]).label if clause else ""
        sides.append({**side, "called": ruleset["title"] or ruleset["name"], "basis": basis})
    return {**rule, "sides": sides, "is_array": rule["key"] in ARRAYS}


class _StartBoard(NamedTuple):
    """called: the ruleset; drawn: the hash under which its board is had as a file; standing: who stands where"""

    called: str
    drawn: str
    standing: str


def _start_boards(document: dict[str, Any], batches: Sequence[Batch]) -> list[_StartBoard]:
    """The boards at the start, side by side; none where all look alike, or where a batch was thrown away."""
    called = [ruleset["title"] or ruleset["name"] for ruleset in document["rulesets"]]
    if len(batches) < len(called):
        return []
    rulesets = [batch.ruleset for batch in batches[: len(called)]]
    boards = [start_board(ruleset) for ruleset in rulesets]
    if len({board.svg for board in boards}) < 2:
        return []
    return [
        _StartBoard(name, ruleset.hash, board.standing)
        for name, ruleset, board in zip(called, rulesets, boards, strict=True)
    ]


def _pair(document: dict[str, Any], pair: dict[str, Any]) -> dict[str, Any]:
    sides = document["rulesets"]
    both = {"first": sides[pair["first"]], "second": sides[pair["second"]]}
    return {**pair, **both, "sections": comparison_words.sections(pair["measures"])}


@comparison_route("progress.json")
def comparison_progress(request: answers.HtmxRequest, comparison_id: str) -> HttpResponse:
    """`running` as long as there is something to wait for."""
    comparison = _comparison(comparison_id)
    progress = comparisons.COMPARISONS.progress(comparison)
    waiting = progress.state == Comparison.State.WAITING
    return answers.progress_answer(request, "running" if waiting else progress.state, progress)


@comparison_route("lengths.svg")
def comparison_plot(request: HttpRequest, comparison_id: str) -> HttpResponse:
    comparison = _comparison(comparison_id)
    if not comparison.plot:
        raise NothingHere("The curves are drawn when all games of the comparison are played.")
    return answers.drawing(plots.dressed(comparison.plot["svg"]))
