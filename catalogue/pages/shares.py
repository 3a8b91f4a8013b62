"""The picture of a page where it is shared: its title, what was found, and the board, 1200 × 630 as PNG.

The head of a page names it (`share_picture` of `templatetags/citing.py`). It is made from rows, read by nobody's
session, and kept as every answer is until one of these rows changes (`web/conditional.py`).
"""

from collections.abc import Callable, Iterable, Sequence

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from catalogue.analyses.claim_results import claim_results, claim_rows
from catalogue.analyses.claim_words import stamp, tested
from catalogue.analyses.study_words import answer_of
from catalogue.citations.items import NAME
from catalogue.evidence.questions import question_rows, rank_studies
from catalogue.evidence.worn import draw_observed
from catalogue.models import Game, Study, WearStudy
from catalogue.models.lookup import NothingHere, found_or_nearest
from catalogue.models.querysets import (
    first_readings,
    newest_versions,
    place_rows,
    source_rows,
)
from catalogue.outcomes.share_card import ShareCard, share_card
from catalogue.pages import figures
from catalogue.pages.answers import A_DAY
from catalogue.play.game_view import start_board
from catalogue.templatetags.wording import counted
from catalogue.web import files
from catalogue.web.routes import route

Maker = Callable[[HttpRequest, str], ShareCard]
KINDS = {
    "evidence": "A record, word by word",
    "games": "An old game",
    "rulesets": "Rules that can be played",
    "batches": "Games by the thousand",
    "comparisons": "Readings compared",
}
WAITING = "Its games are still being played."
# The catalogue itself, and its lists: by the name of their route, what they are called and what they hold.
PAGES = {
    "home": ("Old books tell how games were played. What games are they?", "Point at a word, see its rule, play it."),
    "game-list": ("Games", "Every game with its board, its records and how it ends under each reading."),
    "evidence-list": ("Evidence", "What old books, travellers and excavators wrote of games, record by record."),
    "source-list": ("Sources", "The books and articles that the records are taken from."),
    "place-list": ("Places", "Where the records of traditional games are from."),
    "map": ("Map of the records", "Where the records of traditional games are from."),
    "timeline": ("Time line of the records", "When the records of traditional games are of."),
    "findings": ("Findings", "The largest finding of each game, with the games that show it."),
    "claim-list": ("What the old books claimed", "Each sentence with the games that put it to the test."),
    "question-list": ("Open questions", "Where the words can be read in more than one way, and how much it matters."),
    "study-list": ("Which open questions matter", "The questions about a game varied together, and what each changes."),
    "wear-list": ("Worn boards", "Which rules would wear a board as it is worn: played, counted, held against it."),
    "comparison-list": ("Readings compared", "Two readings of one passage give two games. This is how they differ."),
    "compare": ("Compare readings", "Two readings of one passage give two games. This is how they differ."),
    "reference-games": ("Reference games", "Games whose rules are published, each with its board and an opponent."),
    "ruleset-list": ("Rulesets", "Readings of the sources that a machine can play."),
    "batch-list": ("Batches of games", "Every figure names the games it was computed from."),
    "term-list": ("Words of the players", "What boards, counters and throws are called, with their meaning."),
    "release-list": ("The data", "Records, rules and figures to take away, as tables."),
    "edition": ("The edition", "What ships with the catalogue, and can be played again to the last digit."),
    "about": ("About this catalogue", "Point at a word of a source, see the rule it became, read it another way."),
}  # fmt: skip


@route("share/<slug:subject>/<path:name>.png", example="/share/games/daramuti.png", queries=30)
def share_picture(request: HttpRequest, subject: str, name: str) -> HttpResponse:
    if subject not in MAKERS:
        raise NothingHere(f"There are no pictures of “{subject[:60]}” here; there are of {', '.join(MAKERS)}.")
    drawn = share_card(MAKERS[subject](request, name), NAME)
    response = HttpResponse(files.picture(drawn, of_the_site=True), content_type="image/png")
    response["Cache-Control"] = f"public, max-age={A_DAY}"
    return response


def _of_figure(subject: str) -> Maker:
    def card(request: HttpRequest, name: str) -> ShareCard:
        shown = figures.figure_called(request, subject, name)
        if shown is None:
            return ShareCard(KINDS[subject], name, WAITING)
        figure = shown.figure
        board = next((bar.row.ruleset for bar in figure.bars if bar.row.ruleset), None)
        bars = [(bar.row.label, bar.outcomes) for bar in figure.played if bar.outcomes]
        drawn = start_board(board).document if board else ""
        found = figure.finding if bars else ""
        return ShareCard(KINDS[subject], shown.title, found, drawn, bars)

    return card


def _claim(request: HttpRequest, name: str) -> ShareCard:
    game, _, slug = name.partition("/")
    results = claim_results(claim_rows().filter(game__slug=game, slug=slug))
    if not results:
        raise NothingHere(f"There is no claim called “{name[:60]}”.")
    one = results[0]
    words = stamp(one).words
    found = f"{words[:1].upper()}{words[1:]}. {tested(one)}"
    return ShareCard(
        f"What an old book claimed of {one.claim.game.name}", one.claim.title, found, _board_of(one.claim.game)
    )


def _question(request: HttpRequest, name: str) -> ShareCard:
    game, _, slug = name.partition("/")
    question = question_rows().filter(game__slug=game, slug=slug).first()
    if question is None:
        raise NothingHere(f"There is no question called “{name[:60]}”.")
    found = " · ".join(answer.text for answer in question.answers.all())
    return ShareCard(f"An open question about {question.game.name}", question.title, found, _board_of(question.game))


def _study(request: HttpRequest, name: str) -> ShareCard:
    study = Study.objects.filter(id=name).defer("plots").select_related("game").first()
    if study is None:
        raise NothingHere(f"There is no study “{name[:60]}” here.")
    return _of_study(study)


def _of_study(study: Study) -> ShareCard:
    document = study.document
    found = "" if document["withheld"] else answer_of(document["outcomes"], len(document["questions"]))
    return ShareCard("Which open questions matter", study.game.name, found, _board_of(study.game))


def _studies(request: HttpRequest, slug: str) -> ShareCard:
    game = found_or_nearest(Game.objects.all(), "slug", slug, "game")
    studies = rank_studies(game.studies.defer("document", "plots"))
    return (
        _of_study(studies[0]) if studies else ShareCard("Which open questions matter", game.name, "", _board_of(game))
    )


def _wear(request: HttpRequest, name: str) -> ShareCard:
    study = WearStudy.objects.filter(id=name).select_related("record__game").first()
    if study is None:
        raise NothingHere(f"There is no wear study “{name[:60]}” here.")
    found = f"{counted(len(study.names), 'candidate')} played and held against what was seen on the board."
    drawn = draw_observed(study.record, [])
    return ShareCard("Which rules would wear it so", study.record.game.name, found, str(drawn or ""))


def _source(request: HttpRequest, key: str) -> ShareCard:
    source = found_or_nearest(source_rows(), "key", key, "source")
    number: int = source.records  # type: ignore[attr-defined]  # annotated
    found = f"{source.title or source.container}. {counted(number, 'record')}."
    board = _first_board(Game.objects.filter(evidence__citations__source=source))
    return ShareCard("A source", str(source), found.removeprefix(". "), board)


def _place(request: HttpRequest, slug: str) -> ShareCard:
    place = found_or_nearest(place_rows(), "slug", slug, "place")
    number: int = place.records  # type: ignore[attr-defined]  # annotated
    found = f"{counted(number, 'record')} of traditional games."
    return ShareCard(
        "Where records are from", place.name, found, _first_board(Game.objects.filter(evidence__places=place))
    )


def _page(request: HttpRequest, name: str) -> ShareCard:
    if name not in PAGES:
        raise NothingHere(f"No page is called “{name[:60]}”.")
    title, found = PAGES[name]
    games = list(Game.objects.filter(is_reference=False).order_by("slug"))
    boards = _boards(games)
    place = list(PAGES).index(name)  # so that not all lists have one picture
    board = boards[place % len(boards)] if boards else ""
    return ShareCard(NAME, title, found, board)


def _first_board(games: "QuerySet[Game]") -> str:
    return next(iter(_boards(games.order_by("slug").distinct())), "")


def _board_of(game: Game) -> str:
    return next(iter(_boards([game])), "")


def _boards(games: Iterable[Game]) -> Sequence[str]:
    first = first_readings([game.pk for game in games])
    versions = newest_versions(first.values()) if first else {}
    return [start_board(versions[slug].ruleset).document for _, slug in sorted(first.items()) if slug in versions]


MAKERS: dict[str, Maker] = {
    **{subject: _of_figure(subject) for subject in figures.SUBJECTS},
    "claims": _claim,
    "questions": _question,
    "studies": _study,
    "wear": _wear,
    "sensitivity": _studies,
    "sources": _source,
    "places": _place,
    "pages": _page,
}
