"""Which rules selected words may be about: the parameters of a family in order, learnt from what was anchored before.

Words are compared by their stems and those of their synonyms, by pairs of stems and by pieces of four letters. Five
plain numbers are taken of each rule: how near the words are to words that carry it in other games, to the sentences in
which clauses, questions and answers of other games say it (squared cosines of tf-idf, the nearest of each), and to the
middle of all of these; and how well they find, as a search would (BM25), all that was said of the rule, and what the
schema says of it. A text that carries several rules counts for each of them by the root of their number. The sum of the
five, weighed, puts the rules in order; beside what a draft says so far, rules that are still missing gain a little, and
those that cannot come into play yet lose. The weights are learnt (`learning.py`), everything else is counted, so that
what an editor anchors today is known tomorrow. `manage.py measure_offers` says how often the right one is among five.
"""

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.evidence.clauses import newest_documents
from catalogue.models import Anchor, Clause, Question
from catalogue.models.changes import content_version
from catalogue.search.words import stem_of
from catalogue.workshop.checking import idle, missing_of
from simulator.engine.family import FAMILY_NAMES, family
from simulator.engine.schemas import words_of
from simulator.engine.tables import read_place

NEAREST = 60  # texts of each kind that are asked
WEIGHTS = (3.0, 1.9, 0.7, 2.2, 3.0)  # of the five numbers, as `manage.py measure_offers` learns them of all games
SATURATION, BY_LENGTH = 1.2, 0.75  # BM25, as it is usually set
PIECE = 4  # letters
OF_A_PIECE = 0.3  # what a piece of a word counts beside its stem
OFFERED = 5
OF_IDLE = 1.0  # what a rule loses that cannot come into play beside what a draft says so far
OF_MISSING = 0.5  # what a rule gains without which there is no game, and that the draft does not say yet
# The tables that examples are taken from.
READ = ("catalogue_anchor", "catalogue_clause", "catalogue_reading", "catalogue_question", "catalogue_answer")

# Words that stand in every text, and say nothing of a rule alone.
COMMON_WORDS = """the a an of to in is are be it its as at on and or that this his her he they their one by for with
from may can which when if into each has have was were then not any only other another who all but no so there him
them"""
COMMON = frozenset(COMMON_WORDS.split())
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
    "more most",
)
IN_WORDS = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty"""
BOUND = re.compile(r"\bat (?:most|least)\b")  # of a number, and no word for who has most
# To win, of a game, is not to win counters: where nothing is won, or the game is.
VICTORY = re.compile(r"\b(?:wins?|won|winner)\b(?=\s*(?:[.,;:]|$|(?:the|a|that|this) (?:game|round)\b))")
NUMERALS = {word: number for number, word in enumerate(IN_WORDS.split())}
NUMBER = "#"

Vector = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Example:
    """Words, or a sentence, that carry rules in a reading of a game.

    values:   what they are there
    said:     whether it is a sentence of a clause, of a question or of an answer
    answered: whether it is words that give an answer to an open question
    """

    game: str
    family: str
    text: str
    keys: frozenset[str]
    values: Mapping[str, Any]
    reading: str
    said: bool = False
    answered: bool = False


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
    text = VICTORY.sub("victory", BOUND.sub(" ", text.lower()))
    words = [word for word in re.findall(r"[^\W\d_]+|\d+", text) if word not in COMMON]
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


@lru_cache(20_000)
def _weights_of(text: str) -> Mapping[str, float]:
    """Terms by how much they weigh in a text, before their rarity: often is more than once, and less than so often."""
    return {term: 1 + math.log(count) if count >= 1 else count for term, count in terms_of(text).items()}


def numbers_in(text: str) -> list[int]:
    """The numbers that words name, in order: "six holes", "2x6"."""
    found = re.findall(r"[a-z]+|\d+", text.lower())
    return [int(word) if word.isdigit() else NUMERALS[word] for word in found if word.isdigit() or word in NUMERALS]


def ways_in(text: str) -> set[str]:
    """Whither it is said to go: from the left and to the right are one way, from right to left the other."""
    found = re.findall(r"\b(from|to)(?:wards?)? (?:(?:the|his|her|its|their|one['’]s) )?(left|right)\b", text.lower())
    return {side if sense == "to" else {"left": "right", "right": "left"}[side] for sense, side in found}


@cache
def parameters_of(kind: str) -> tuple[str, ...]:
    return tuple(key for key in family(kind).schema["properties"] if key != "family")


@cache
def schema_text(kind: str, key: str) -> str:
    """What the schema says of a parameter: title, description, the sentences of its values; nothing inside it."""
    spec = family(kind).schema["properties"][key]
    return " ".join(map(str, (spec.get("title", ""), spec.get("description", ""), *spec.get("x-words", {}).values())))


@cache
def _whole_schema_text(kind: str, key: str) -> str:
    """What the schema says of a parameter, and of whatever is inside it."""

    def said(spec: Any) -> Iterator[str]:
        if isinstance(spec, Mapping):
            for name, part in spec.items():
                if name in ("title", "description"):
                    yield str(part)
                elif name == "x-words":
                    yield from map(str, part.values())
                else:
                    yield from said(part)
        elif isinstance(spec, list):
            for part in spec:
                yield from said(part)

    return " ".join(said(family(kind).schema["properties"][key]))


class Index:
    """Texts by their terms: what each term weighs in which of them."""

    def __init__(self, texts: Iterable[Vector]) -> None:
        places: dict[str, list[int]] = defaultdict(list)
        weights: dict[str, list[float]] = defaultdict(list)
        self.number = 0
        for place, text in enumerate(texts):
            self.number += 1
            for term, weight in text.items():
                places[term].append(place)
                weights[term].append(weight)
        self.of = {term: (np.array(places[term]), np.array(weights[term])) for term in places}

    def scores(self, asked: Vector) -> NDArray[np.float64]:
        found = np.zeros(self.number)
        for term, weight in asked.items():
            if held := self.of.get(term):
                found[held[0]] += weight * held[1]
        return found


class Search:
    """Texts as a search engine ranks them, by BM25; what is asked for counts by the length that it has of its own."""

    def __init__(self, texts: Sequence[Vector]) -> None:
        number = Counter(term for text in texts for term in text)
        self.rarity = {term: math.log(1 + (len(texts) - count + 0.5) / (count + 0.5)) for term, count in number.items()}
        lengths = [sum(text.values()) for text in texts]
        mean = sum(lengths) / len(lengths)
        self.index = Index(
            {
                term: self.rarity[term] * count * (SATURATION + 1)
                / (count + SATURATION * (1 - BY_LENGTH + BY_LENGTH * length / mean))
                for term, count in text.items()
            }
            for text, length in zip(texts, lengths, strict=True)
        )  # fmt: skip

    def scores(self, words: str) -> NDArray[np.float64]:
        asked = dict.fromkeys(terms_of(words), 1.0)
        length = math.sqrt(sum(self.rarity.get(term, 0) ** 2 for term in asked))
        found: NDArray[np.float64] = self.index.scores(asked) / max(1.0, length)
        return found


class Ranking:
    """The rules of a family, ranked for words by a set of examples."""

    def __init__(self, kind: str, examples: Iterable[Example], weights: Sequence[float] = WEIGHTS) -> None:
        self.kind, self.keys, self.weights = kind, parameters_of(kind), np.array(weights)
        self.examples = sorted((one for one in examples if one.family == kind), key=lambda one: one.said)
        self.anchored = sum(not one.said for one in self.examples)
        texts = [one.text for one in self.examples] + [schema_text(kind, key) for key in self.keys]
        counts = Counter(term for text in texts for term in terms_of(text))
        self.number = len(texts)
        self.rarity = {term: math.log(1 + self.number / count) for term, count in counts.items()}
        self.carries = np.array([[key in one.keys for key in self.keys] for one in self.examples], dtype=float)
        self.carries = self.carries.reshape(len(self.examples), len(self.keys))
        self.share = self.carries / np.sqrt(np.maximum(self.carries.sum(axis=1, keepdims=True), 1))
        vectors = [self._vector(text) for text in texts]
        self.index = Index(vectors)
        self.middle = np.array([self._length_of_middle(place, vectors) for place in range(len(self.keys))])
        schema = [Counter(_weights_of(_whole_schema_text(kind, key))) for key in self.keys]
        self.of_schema = Search(schema)
        self.of_all = Search([self._all_said_of(place, one) for place, one in enumerate(schema)])

    def _members(self, place: int) -> list[int]:
        return [int(number) for number in np.flatnonzero(self.carries[:, place])]

    def _length_of_middle(self, place: int, vectors: Sequence[Vector]) -> float:
        """How long the sum of all texts that carry a rule is, that of the schema among them."""
        total: dict[str, float] = defaultdict(float)
        for number in (*self._members(place), len(self.examples) + place):
            for term, weight in vectors[number].items():
                total[term] += weight
        return math.sqrt(sum(weight * weight for weight in total.values())) or 1

    def _all_said_of(self, place: int, schema: Vector) -> Vector:
        total: dict[str, float] = defaultdict(float, schema)
        for number in self._members(place):
            for term, weight in _weights_of(self.examples[number].text).items():
                total[term] += weight
        return total

    def _vector(self, text: str) -> Vector:
        unknown = math.log(1 + self.number)
        weighed = {term: weight * self.rarity.get(term, unknown) for term, weight in _weights_of(text).items()}
        length = math.sqrt(sum(weight * weight for weight in weighed.values())) or 1
        return {term: weight / length for term, weight in weighed.items()}

    def similar(self, words: str) -> NDArray[np.float64]:
        """The cosine of words with each example, and then with what the schema says of each parameter."""
        return self.index.scores(self._vector(words))

    def features(self, words: str, own: Sequence[Example] = ()) -> NDArray[np.float64]:
        """Five numbers of each parameter. own: words of the draft itself that carry rules by now"""
        near = self.similar(words)
        texts, schema = near[: len(self.examples)], near[len(self.examples) :]
        nearest = [np.zeros(len(self.keys)), np.zeros(len(self.keys))]
        for place, part in enumerate((slice(0, self.anchored), slice(self.anchored, None))):
            if len(cosines := texts[part]):
                least = np.partition(cosines, -NEAREST)[-NEAREST] if len(cosines) > NEAREST else 0
                nearest[place] = (np.where(cosines >= least, cosines, 0) ** 2) @ self.share[part]
        asked = self._vector(words)
        for one in own:
            cosine = _cosine(asked, self._vector(one.text)) ** 2 / math.sqrt(len(one.keys) or 1)
            nearest[0] += [cosine * (key in one.keys) for key in self.keys]
        middle = (texts @ self.carries + schema) / self.middle
        said, schemas = self.of_all.scores(words), self.of_schema.scores(words)
        return np.stack([*np.sqrt(nearest), middle, said / 3, schemas / 3], axis=1)

    def offers(self, words: str, own: Sequence[Example] = (), document: Mapping[str, Any] | None = None) -> list[Offer]:
        """Every parameter of the family, the likeliest first. document: what a draft says so far"""
        score = self.features(words, own) @ self.weights
        if document is not None:
            asleep, missing = idle(document), missing_of(document)
            score += [OF_MISSING * (key in missing) - OF_IDLE * (key in asleep) for key in self.keys]
        cosines = self.similar(words)[: self.anchored]
        order = np.argsort(-score, kind="stable")
        offers = []
        for place in order:
            held = cosines * (self.carries[: self.anchored, place] > 0)
            best = int(held.argmax()) if len(held) else -1
            like = self.examples[best] if best >= 0 and held[best] > 0 else None
            offers.append(Offer(self.keys[place], float(score[place]), like))
        return offers

    def rows(self, key: str, words: str) -> list[Mapping[str, Any]]:
        """Rows of a table as other games have them, those first whose words are most like these."""
        score: dict[str, float] = defaultdict(float)
        for cosine, one in zip(self.similar(words), self.examples, strict=False):
            rows = one.values.get(key) if key in one.keys else None
            for row in rows if isinstance(rows, list) else ():  # a word stands in the place of a whole table
                score[json.dumps(row, sort_keys=True)] += float(cosine) ** 2
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
        for cosine, one in zip(self.similar(words), self.examples, strict=False):
            if key in one.keys and str(one.values.get(key)) in score:
                score[str(one.values[key])] += float(cosine) ** 2
        way = ways_in(words)
        for value in score:
            if way and (told := ways_in(sentences.get(value, ""))) and not way & told:
                score[value] = -1  # it goes the other way
        return sorted(offered, key=lambda value: -score[str(value)])


def _cosine(one: Vector, other: Vector) -> float:
    if len(other) < len(one):
        one, other = other, one
    return sum(weight * other[term] for term, weight in one.items() if term in other)


def examples() -> list[Example]:
    """All words that are anchored to clauses that cover something, or to answers, and what these and questions say."""
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
    asked = [
        one
        for one in _asked({one.game: one.family for one in found})
        if (one.game, one.family, one.text) not in together
    ]
    return (*found, *asked, *together.values())


def _asked(family_of: Mapping[str, str]) -> Iterator[Example]:
    """What open questions ask, what each answer says, and the words that give it."""
    for question in Question.objects.select_related("game").prefetch_related("answers__anchors").order_by("pk"):
        kind = family_of.get(game := question.game.slug)
        keys = frozenset(str(read_place(place)[0]) for place in question.parameters)
        keys &= frozenset(parameters_of(kind) if kind else ())
        if kind and keys:
            of = f"an open question of {question.game}"
            asked = Example(game, kind, f"{question.title} {question.text}", keys, {}, of, said=True)
            yield asked
            for answer in question.answers.all():
                said = replace(asked, text=answer.text, values=answer.values or {})
                yield said
                for anchor in answer.anchors.all():
                    yield replace(said, text=anchor.exact, said=False, answered=True)


def _covered(value: Any, key: str, clause: Clause) -> Any:
    """The value of a parameter; of a table the rows that the clause covers."""
    places = [read_place(place) for place in clause.parameters]
    rows = {place[1] for place in places if place[0] == key and len(place) > 1}
    if rows and isinstance(value, list):
        return [row for number, row in enumerate(value) if number in rows]
    return value


@lru_cache(3)
def _ranking(kind: str, state: str) -> Ranking:
    return Ranking(kind, _examples(state))


def ranking(kind: str) -> Ranking:
    """The ranking of a family by what was anchored so far."""
    return _ranking(kind, content_version(READ))


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


def changes_of(kind: str, key: str) -> bool:
    """Whether a rule has more than three choices in words: of fewer each is offered."""
    return len(words_of(family(kind).schema["properties"][key])) > 3
