"""What answers a search before its finds: a word of the players with its meaning, a place by a name of before, and
for questions that readers ask of games the page that answers them.

The questions are data: words that a question has, what answers it, and where. A question that names games is led to
their pages. Three queries at most.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from django.db.models import Q
from django.urls import reverse

from catalogue.geography.old_names import old_names
from catalogue.models import Place, SearchEntry
from catalogue.search.query import QUESTION_WORDS, Query, Term, is_kind, is_little
from catalogue.search.ranking import Holds
from catalogue.search.words import form_of, stem_of, words_of

MOST = 3  # of each sort
MOST_WORDS = 6  # of a name, or of a question without its little words


@dataclass(frozen=True, slots=True)
class Lead:
    """kind: what answers, in words; links: (words, address); is_of_winners: whether it is asked who wins"""

    kind: str
    title: str
    text: str
    links: tuple[tuple[str, str], ...] = ()
    is_of_winners: bool = False


@dataclass(frozen=True, slots=True)
class _Question:
    """words: of which one is in the question; page: the name of the route that answers it of all games

    part: the element of a game's page that answers it of that game; beside: words that may stand in the question too
    """

    words: str
    title: str
    text: str
    link: str
    page: str
    part: str = ""
    beside: str = ""

    def asked(self, words: Iterable[str]) -> set[str]:
        """Those of the words that ask for it."""
        return set(self.words.split()).intersection(words)


QUESTIONS = (
    _Question(
        "win wins winner winning won fair unfair balanced advantage first",
        "Who wins, and is it fair?",
        "Every game was played by the thousand, by random and by strong players. "
        "The findings say which games the first player, or one side, wins more often.",
        "Findings",
        "findings",
        "outcomes",
    ),
    _Question(
        "long longest short shortest length minutes duration endless never take takes",
        "How long does a game take?",
        "The page of each game shows how many turns its games took, and whether some were endless or unfinished.",
        "Games",
        "game-list",
        "outcomes",
    ),
    _Question(
        "play computer online opponent",
        "Can I play?",
        "Yes: every game with rules here can be played in the browser, alone, by two, or against the computer.",
        "Games that can be played",
        "game-list",
    ),
    _Question(
        "hard hardest difficult easy easiest skill luck chance complex strategy",
        "Skill or luck?",
        "Players of four strengths were matched. Where the stronger hardly wins more often, luck decides.",
        "Findings",
        "findings",
        "outcomes",
    ),
    _Question(
        "matter matters doubtful unclear disputed uncertain",
        "What do the sources leave open, and does it matter?",
        "The studies play each game with every answer to its open questions.",
        "Studies",
        "study-list",
        "rulesets",
    ),
    _Question(
        "true wrong right claim claims claimed tested",
        "Were the old books right?",
        "Their claims about how a game goes, each with the games that tested it.",
        "Claims",
        "claim-list",
        "rulesets",
    ),
    _Question(
        "old oldest when century age",
        "How old is it?",
        "The time line shows from which years the records are.",
        "Time line",
        "timeline",
        "records",
    ),
    _Question(
        "where map country countries",
        "Where was it played?",
        "The map shows the places that the records name.",
        "Map",
        "map",
        "records",
    ),
    _Question(
        "wear wears worn wore scratched traces",
        "Which rules would wear a board so?",
        "Candidate rules are played on the board of an object; what they leave there is held against what is seen.",
        "Worn boards",
        "wear-list",
        beside="board boards line lines stone rules",
    ),
    _Question(
        "download data dataset csv api export",
        "How do I get the data?",
        "All of it as one file, each table by itself, and an interface for programs.",
        "Data",
        "release-list",
    ),
)


def leads_of(query: Query) -> tuple[Lead, ...]:
    """What answers the query: words of the players and places of exactly this name, then pages for its question."""
    words = [form for word in words_of(query.text) if (form := form_of(word))]
    named = [form for group in query.groups for word in words_of(group[0].written) if (form := form_of(word))]
    if not words or len(named) > MOST_WORDS:
        return ()
    return (*_words_of_players(named), *_places(named), *_for_question(words))


def _words_of_players(named: Sequence[str]) -> Iterator[Lead]:
    if not named:
        return
    groups = tuple((Term(form, (stem_of(form),)),) for form in named)
    rows = SearchEntry.objects.filter(Holds("names", groups), kind="term").order_by("sort_name", "id")
    found = (row for row in rows[: 4 * MOST] if [form_of(word) for word in words_of(row.title)] == list(named))
    for row in islice(found, MOST):
        links = ((f"Said in {row.about.rpartition(' · ')[2]}", row.address),)
        yield Lead("word of the players", row.title, dict(row.passages)["meaning"], links)


def _places(named: Sequence[str]) -> Iterator[Lead]:
    text = " ".join(named)
    before = {slug: name for slug, names in old_names().items() for name in names if _folded(name) == text}
    rows = Place.objects.filter(Q(slug__in=before) | Q(slug=text.replace(" ", "-")))
    for place in rows.order_by("name")[:MOST]:
        told = f"{before[place.slug]} is an old name of {place.name}." if place.slug in before else ""
        links = (
            ("Its records and games", place.get_absolute_url()),
            ("On the map", f"{reverse('map')}?place={place.slug}"),
        )
        yield Lead("place", place.name, told, links)


def _folded(name: str) -> str:
    return " ".join(map(form_of, words_of(name)))


def _for_question(words: Sequence[str]) -> Iterator[Lead]:
    """A question begins with a word for one, or has nothing but its words, little ones, and names of games."""
    asked = [question for question in QUESTIONS if question.asked(words)]
    known = {word for question in asked for word in (*question.asked(words), *question.beside.split())}
    rest = [word for word in words if word not in known and not is_little(word) and not is_kind(word)]
    if not asked or len(rest) > MOST_WORDS:
        return
    games = _games_named(rest) if rest else []
    if rest and not games and words[0] not in QUESTION_WORDS:
        return
    # A word that asks says more than one that is little elsewhere, as "play".
    question = next((one for one in asked if one.asked(set(words) - {"play", "first"})), asked[0])
    links = [(title, f"{address}#{question.part}" if question.part else address) for title, address in games]
    every = (*links, (question.link, reverse(question.page)))
    yield Lead("question", question.title, question.text, every, question is QUESTIONS[0])


def _games_named(words: Sequence[str]) -> list[tuple[str, str]]:
    """Names and addresses of the games that have all of the words in their names; where none has, one of them."""
    terms = tuple(Term(word, (stem_of(word),)) for word in words)
    games = SearchEntry.objects.filter(kind="game").order_by("standing", "sort_name", "id")
    for groups in dict.fromkeys([tuple((term,) for term in terms), (terms,)]):
        if found := list(games.filter(Holds("names", groups)).values_list("title", "address")[:MOST]):
            return found
    return []
