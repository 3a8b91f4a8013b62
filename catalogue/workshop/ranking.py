"""Which rules selected words may be about: the parameters of a family in order, learnt from what was anchored before.

Words are compared by their stems and those of their synonyms, by pairs of stems and by pieces of four letters, weighted
by how rare they are (tf-idf), with three kinds of text: words that carry a rule in another game, the sentences in which
clauses of other games say it, and the schema's own sentences. A rule's score is the sum of the squared cosines of the
nearest of each kind; a text that carries several rules counts for each of them by the root of their number. No model
is trained, so what an editor anchors today is known tomorrow. `manage.py measure_offers` says how often the right one
is among five.
"""

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from catalogue.evidence.clauses import newest_documents, newest_rulesets
from catalogue.models import Anchor, Clause, Reading
from catalogue.models.changes import content_version
from catalogue.search.words import stem_of
from simulator.engine.family import FAMILY_NAMES, family
from simulator.engine.schemas import words_of
from simulator.engine.tables import read_place

NEAREST = 60  # texts of each kind that are asked
OF_A_SENTENCE, OF_THE_SCHEMA = 1.5, 0.8  # what these count beside words that were anchored
PIECE = 4  # letters
OF_A_PIECE = 0.3  # what a piece of a word counts beside its stem
OFFERED = 5
READ = ("catalogue_anchor", "catalogue_clause", "catalogue_reading")  # the tables that examples are taken from

# Words that stand in every text, and say nothing of a rule alone.
COMMON = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "to",
        "in",
        "is",
        "are",
        "be",
        "it",
        "its",
        "as",
        "at",
        "on",
        "and",
        "or",
        "that",
        "this",
        "his",
        "her",
        "he",
        "they",
        "their",
        "one",
        "by",
        "for",
        "with",
        "from",
        "may",
        "can",
        "which",
        "when",
        "if",
        "into",
        "each",
        "has",
        "have",
        "was",
        "were",
        "then",
        "not",
        "any",
        "only",
        "other",
        "another",
        "who",
        "all",
        "but",
        "no",
        "so",
        "there",
        "him",
        "them",
    ]
)
# What sources call the same thing, in whatever game. The first word of each line stands for all of it.
SYNONYMS = (
    "counter seed bean stone nut pebble ball piece man men pawn token peg pearl soldier",
    "hole pit cup cavity",
    "capture eat take win kill seize chop",
    "sow distribute drop spread",
    "store enclosure mancala kalah bank",
    "jump leap hop spring",
    "point intersection spot crossing junction place",
    "throw cast toss roll thrown",
    "cowrie shell die dice stick lot",
    "square cell space",
    "end finish over conclude close stop cease",
    "enter start begin commence",
    "first tiger leopard cheetah wolf fox hunter",
    "second dog sheep goat cattle lamb prey",
    "remove away lift",
    "safe castle protected",
    "home goal last",
    "adjacent next neighbouring",
    "opponent adversary enemy other",
    "move go step",
)
NUMERALS = {
    word: number
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ]
    )
}
NUMBER = "#"

Vector = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Example:
    """Words, or a sentence, that carry rules in a reading of a game. values: what they are there; said: of a clause"""

    game: str
    family: str
    text: str
    keys: frozenset[str]
    values: Mapping[str, Any]
    reading: str
    said: bool = False


@dataclass(frozen=True, slots=True)
class Offer:
    """A rule that words may be about. like: the words of another game that are most like them, if any are"""

    key: str
    score: float
    like: Example | None = None


@cache
def _synonyms() -> dict[str, str]:
    """Stem -> what stands for it and the words of its line."""
    return {stem_of(word): f"={line.split()[0]}" for line in SYNONYMS for word in line.split()}


@lru_cache(20_000)
def terms_of(text: str) -> Mapping[str, float]:
    """Stems, what stands for them, pairs of these and pieces of words, each with how often it stands there. A number
    counts as a number."""
    words = [word for word in re.findall(r"[^\W\d_]+|\d+", text.lower()) if word not in COMMON]
    stems = [NUMBER if word in NUMERALS or word.isdigit() else stem_of(word) for word in words]
    alike = [_synonyms().get(stem, stem) for stem in stems]
    found: dict[str, float] = defaultdict(float)
    for terms in (stems, map(" ".join, pairwise(stems))):
        for term in terms:
            found[term] += 1
    for stem, term in zip(stems, alike, strict=True):
        found[term] += stem != term
    for (stem, behind), pair in zip(pairwise(stems), pairwise(alike), strict=True):
        found[" ".join(pair)] += (stem, behind) != pair
    for word in words:
        if not word.isdigit():
            bounded = f"^{word}$"
            for start in range(len(bounded) - PIECE + 1):
                found[f"~{bounded[start : start + PIECE]}"] += OF_A_PIECE
    return {term: count for term, count in found.items() if count}


def numbers_in(text: str) -> list[int]:
    """The numbers that words name, in order: "six holes", "2x6"."""
    found = re.findall(r"[a-z]+|\d+", text.lower())
    return [int(word) if word.isdigit() else NUMERALS[word] for word in found if word.isdigit() or word in NUMERALS]


@cache
def parameters_of(kind: str) -> tuple[str, ...]:
    return tuple(key for key in family(kind).schema["properties"] if key != "family")


@cache
def schema_text(kind: str, key: str) -> str:
    """What the schema says of a parameter: title, description, the sentences of its values.

    The columns of a table are left out: they name so much that tables would be offered for everything.
    """
    return " ".join(_sentences(family(kind).schema["properties"][key]))


def _sentences(spec: Mapping[str, Any]) -> list[str]:
    parts = (spec.get("title", ""), spec.get("description", ""), *spec.get("x-words", {}).values())
    return [str(part) for part in parts]


class Ranking:
    """The rules of a family, ranked for words by a set of examples."""

    def __init__(self, kind: str, examples: Iterable[Example]) -> None:
        self.kind, self.keys = kind, parameters_of(kind)
        examples = [one for one in examples if one.family == kind]
        texts = [terms_of(one.text) for one in examples] + [terms_of(schema_text(kind, key)) for key in self.keys]
        counts = Counter(term for text in texts for term in text)
        self.number = len(texts)
        self.rarity = {term: math.log(1 + self.number / count) for term, count in counts.items()}
        self.anchored = [(self._vector(one.text), one) for one in examples if not one.said]
        self.sentences = [(self._vector(one.text), one) for one in examples if one.said]
        self.schema = {key: self._vector(schema_text(kind, key)) for key in self.keys}

    def _vector(self, text: str) -> Vector:
        unknown = math.log(1 + self.number)
        weighed = {
            term: (1 + math.log(count) if count >= 1 else count) * self.rarity.get(term, unknown)
            for term, count in terms_of(text).items()
        }
        length = math.sqrt(sum(weight * weight for weight in weighed.values())) or 1
        return {term: weight / length for term, weight in weighed.items()}

    def offers(self, words: str) -> list[Offer]:
        """Every parameter of the family, the likeliest first."""
        asked = self._vector(words)
        score = {key: OF_THE_SCHEMA * _cosine(asked, vector) for key, vector in self.schema.items()}
        like: dict[str, tuple[float, Example]] = {}
        for group, weight in ((self.anchored, 1.0), (self.sentences, OF_A_SENTENCE)):
            near = sorted(((_cosine(asked, vector), one) for vector, one in group), key=lambda pair: -pair[0])
            for cosine, one in near[:NEAREST]:
                for key in one.keys:
                    score[key] += weight * cosine**2 / math.sqrt(len(one.keys))
                    if cosine > like.get(key, (0, None))[0] and not one.said:
                        like[key] = (cosine, one)
        ordered = sorted(self.keys, key=lambda key: -score[key])
        return [Offer(key, score[key], like[key][1] if key in like else None) for key in ordered]

    def rows(self, key: str, words: str) -> list[Mapping[str, Any]]:
        """Rows of a table as other games have them, those first whose words are most like these."""
        asked = self._vector(words)
        score: dict[str, float] = defaultdict(float)
        for vector, one in (*self.anchored, *self.sentences):
            for row in one.values.get(key) or () if key in one.keys else ():
                score[json.dumps(row, sort_keys=True)] += _cosine(asked, vector) ** 2
        return [json.loads(row) for row in sorted(score, key=lambda row: -score[row])]

    def values(self, key: str, words: str) -> list[Any]:
        """The values of a parameter that has choices, the likeliest first; of a number, or of a list of
        them, those that the words name."""
        spec = family(self.kind).schema["properties"][key]
        if spec.get("type") == "integer":
            return [one for one in numbers_in(words) if spec["minimum"] <= one <= spec["maximum"]]
        item = spec.get("items", {})
        if "minimum" in item and spec.get("minItems", 0) < 2:
            return [[one] for one in numbers_in(words) if item["minimum"] <= one <= item["maximum"]]
        offered = [False, True] if spec.get("type") == "boolean" else list(words_of(spec))
        asked, sentences = self._vector(words), spec.get("x-words", {})
        score = {
            str(value): _cosine(
                asked, self._vector(sentences.get(str(value).lower() if value in (True, False) else value, ""))
            )
            for value in offered
        }
        for vector, one in (*self.anchored, *self.sentences):
            if key in one.keys and str(one.values.get(key)) in score:
                score[str(one.values[key])] += _cosine(asked, vector) ** 2
        return sorted(offered, key=lambda value: -score[str(value)])


def _cosine(one: Vector, other: Vector) -> float:
    if len(other) < len(one):
        one, other = other, one
    return sum(weight * other[term] for term, weight in one.items() if term in other)


def examples() -> list[Example]:
    """All words that are anchored to clauses, and what these clauses say; of clauses that cover something."""
    return list(_examples(content_version(READ)))


@lru_cache(1)
def _examples(state: str) -> tuple[Example, ...]:
    clauses = Clause.objects.exclude(parameters=[]).select_related("reading__game").order_by("pk")
    documents = newest_documents({clause.reading.slug for clause in clauses})
    found: list[Example] = []
    of_clause: dict[int, tuple[str, str, frozenset[str], dict[str, Any], str]] = {}
    for clause in clauses:
        document = documents.get(clause.reading.slug)
        if not document:
            continue
        kind = document["family"]
        specs = family(kind).schema["properties"]
        keys = frozenset(str(read_place(place)[0]) for place in clause.parameters) & set(parameters_of(kind))
        if keys:
            values = {key: _covered(document.get(key, specs[key].get("default")), key, clause) for key in keys}
            of_clause[clause.pk] = (clause.reading.game.slug, kind, keys, values, clause.reading.title)
            game, kind, keys, values, title = of_clause[clause.pk]
            found.append(Example(game, kind, clause.rule, keys, values, title, said=True))
    together: dict[tuple[str, str, str], Example] = {}
    for number, words in Anchor.objects.filter(clause__in=of_clause).order_by("pk").values_list("clause", "exact"):
        game, kind, keys, values, title = of_clause[number]
        before = together.get((game, kind, words))
        merged = (keys | before.keys, {**values, **before.values}) if before else (keys, values)
        together[game, kind, words] = Example(game, kind, words, *merged, before.reading if before else title)
    return (*found, *together.values())


def _covered(value: Any, key: str, clause: Clause) -> Any:
    """The value of a parameter; of a table the rows that the clause covers."""
    places = [read_place(place) for place in clause.parameters]
    rows = {place[1] for place in places if place[0] == key and len(place) > 1}
    if rows and isinstance(value, list):
        return [row for number, row in enumerate(value) if number in rows]
    return value


@lru_cache(8)
def _ranking(kind: str, state: str, without: str) -> Ranking:
    return Ranking(kind, (one for one in _examples(state) if one.game != without))


def ranking(kind: str, without: str = "") -> Ranking:
    """The ranking of a family by what was anchored so far. without: the game whose own words are left out"""
    return _ranking(kind, content_version(READ), without)


# What each family's words are; a text that has more of one than of the others is of that family.
STEMS = {
    "sowing": "sow sown sows sowing seed counter hole pit store lap cup",
    "race": "throw dice die cowrie track race home square stick safe enter bear",
    "points": "point line intersect leap jump hop hunt tiger leopard dog sheep goat mill row align capture",
}


def guessed_family(text: str) -> list[str]:
    """The families, the likeliest for a text first."""
    stems = Counter(stem_of(word) for word in re.findall(r"[^\W\d_]+", text.lower()))
    wanted = {kind: {stem_of(word) for word in words.split()} for kind, words in STEMS.items()}
    score = {kind: sum(stems[stem] for stem in wanted.get(kind, ())) for kind in FAMILY_NAMES}
    return sorted(FAMILY_NAMES, key=lambda kind: -score[kind])


ALL, NO_KIN, NONE = "others", "others of another kind", "none"  # whose words the ranking may know


@dataclass(frozen=True, slots=True)
class Measured:
    """How often a right rule is among the first n. candidates: the mean number of rules that could have been right

    values: of rules with choices that are among five, how often the right value is among the first three
    """

    known: str
    selections: int
    among: Mapping[int, float]
    candidates: float
    by_family: Mapping[str, tuple[int, float]]
    values: float


def measured(found: Sequence[Example], known: str = ALL, places: Sequence[int] = (1, 3, 5, 10)) -> Measured:
    """Leave one game out: its words are ranked by what was anchored elsewhere. Raises ValueError without words.

    known: ALL, in the other games; NO_KIN, in those that are of another kind than all of its readings, as evaluations
    know kinds; NONE, nowhere: only the schema's sentences are left
    """
    asked = [one for one in found if not one.said]
    if not asked:
        raise ValueError("no words are anchored to rules: load the fixtures first")
    kinds = _kinds() if known == NO_KIN else {}
    hits: Counter[int] = Counter()
    of_family: dict[str, Counter[str]] = defaultdict(Counter)
    candidates, values = 0, Counter[bool]()
    for game, kind in sorted({(one.game, one.family) for one in asked}):
        kin = {other for other in kinds if kinds[other] & kinds[game]} | {game}
        others = [] if known == NONE else [one for one in found if one.game not in kin]
        ranked = Ranking(kind, others)
        for one in (one for one in asked if (one.game, one.family) == (game, kind)):
            order = [offer.key for offer in ranked.offers(one.text)]
            first = min(order.index(key) for key in one.keys)
            candidates += len(order)
            of_family[kind]["all"] += 1
            of_family[kind]["hit"] += first < OFFERED
            for place in places:
                hits[place] += first < place
            key = order[first]
            if first < OFFERED and changes_of(kind, key):
                values[one.values[key] in ranked.values(key, one.text)[:3]] += 1
    return Measured(
        known,
        len(asked),
        {place: hits[place] / len(asked) for place in places},
        candidates / len(asked),
        {kind: (count["all"], count["hit"] / count["all"]) for kind, count in sorted(of_family.items())},
        values[True] / max(1, values.total()),
    )


def changes_of(kind: str, key: str) -> bool:
    """Whether a rule has more than three choices in words: of fewer each is offered."""
    return len(words_of(family(kind).schema["properties"][key])) > 3


def _kinds() -> dict[str, frozenset[str]]:
    """Game -> the kinds of game that its readings are of."""
    rows = Reading.objects.values_list("game__slug", "slug")
    rulesets = newest_rulesets(slug for _, slug in rows)
    found: dict[str, set[str]] = defaultdict(set)
    for game, slug in rows:
        if ruleset := rulesets.get(slug):
            found[game].add(f"{ruleset.family}: {family(ruleset.family).kind_of_game(ruleset.parameters)}")
    return {game: frozenset(kinds) for game, kinds in found.items()}
