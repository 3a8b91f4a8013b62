"""What was written into the search box, taken apart: phrases, exclusions, synonyms, and questions in full words.

Nothing of it is ever the syntax of a database. A word that has synonyms finds what these find as well. In a question
the little words are left out, and what it asks for ("which games …") stands first. Pure Python, no Django.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from catalogue.search.words import GOES_ON, OWN, form_of, stem_of, token_of, words_of

# What readers call kinds of games, and what the catalogue and its sources call them.
KINDS_OF_GAMES = {
    "mancala": ("sowing",),
    "mankala": ("sowing",),
    "manqala": ("sowing",),
    "sowing": (),
    "checkers": ("draughts",),
    "draughts": ("checkers",),
    "tiger": ("leopard",),
    "leopard": (),
    "fox": ("leopard", "tiger"),
    "hunt": ("leopard", "tiger", "hunter"),
    "morris": ("morrice", "rows"),
    "merels": ("morris", "morrice", "rows"),
    "mill": ("morris", "morrice", "rows"),
    "dice": ("die", "cowries", "race"),
    "pachisi": ("race",),
    "parcheesi": ("race", "pachisi"),
    "ludo": ("race", "pachisi"),
    "backgammon": ("race",),
}
# Other spellings of the same name: what bears one of them bears the name.
SPELLINGS = {"pachisi": ("pachis", "pachesi", "parcheesi", "parchisi")}
SYNONYMS = {**KINDS_OF_GAMES, "die": ("dice",), "pits": ("holes",), "cells": ("holes",)}
QUESTION_WORDS = {
    "what", "which", "who", "whom", "whose", "where", "when", "why", "how", "is", "are", "was", "were", "do", "does",
    "did", "can", "could", "may", "have", "has",
}  # fmt: skip
LITTLE_WORDS = QUESTION_WORDS | {
    "a", "an", "the", "of", "in", "on", "at", "to", "from", "by", "with", "for", "and", "or", "as", "into", "about",
    "than", "not", "no", "it", "its", "they", "their", "there", "this", "that", "these", "those", "you", "we", "i",
    "one", "any", "all", "some", "be", "been", "played", "play", "plays", "playing", "called", "call", "use", "used",
    "using", "mean", "means", "say", "says", "tell", "tells", "know", "known", "wrote", "write", "writes", "written",
    "describe", "describes", "described", "mention", "mentions",
}  # fmt: skip
KINDS = {
    "game": "game", "record": "record", "evidence": "record", "source": "source", "book": "source",
    "author": "source", "ruleset": "ruleset", "reading": "ruleset", "rule": "rule", "claim": "claim",
    "doubt": "question", "question": "question",
}  # fmt: skip
_SPELT = {stem_of(word): spelt for spelt in ((word, *others) for word, others in SPELLINGS.items()) for word in spelt}
_BY_STEM = {stem_of(word): others for word, others in SYNONYMS.items()}
_GAMES = frozenset(map(stem_of, KINDS_OF_GAMES))
_KIND_BY_STEM = {stem_of(word): kind for word, kind in KINDS.items()}


def synonyms(word: str) -> tuple[str, ...]:
    """Words that are looked for beside this one."""
    return _BY_STEM.get(stem_of(word), ())


def is_question(text: str, words: Sequence[str]) -> bool:
    return len(words) > 2 and (text.rstrip().endswith("?") or form_of(words[0]) in QUESTION_WORDS)


def kind_of_question(words: Sequence[str]) -> str:
    """Return the kind of rows that a question is about, by the word after its first ones; empty if it names none."""
    return next((kind for word in words[:4] if (kind := _KIND_BY_STEM.get(stem_of(word), ""))), "")


def is_little(word: str) -> bool:
    return form_of(word) in LITTLE_WORDS


def is_kind(word: str) -> bool:
    return stem_of(word) in _KIND_BY_STEM


def is_kind_of_game(word: str) -> bool:
    return stem_of(word) in _GAMES


LONGEST = 200  # characters in the box
MOST_WORDS_ASKED = 16
EITHER = "OR"
QUOTES = str.maketrans(dict.fromkeys("“”„‟«»‹›＂「」『』《》〈〉〝〞", '"') | dict.fromkeys("＊∗٭", "*"))
DASHES = ("-", "−", "–", "－")
HYPHENS = "-‐‑–−－"
NO_HYPHENS = str.maketrans("", "", HYPHENS)
JOINED = re.compile(r"[^\W\d_]+(?:[\-‐‑–−－][^\W\d_]+)+")  # words that hyphens join
STAR, SHORTEST_BEGINNING = "*", 2
PIECE = re.compile(r'(?P<sign>[-−–－]?)"(?P<phrase>[^"]*)(?:"|$)|(?P<word>[^\s"]+)')


class NotUnderstood(ValueError):
    """The box cannot be taken as it is; `nearest` can."""

    def __init__(self, message: str, nearest: str) -> None:
        super().__init__(message)
        self.nearest = nearest


@dataclass(frozen=True, slots=True)
class Term:
    """Adjacent words, mostly one.

    is_prefix: whether the last one may go on
    is_besides: whether it is another spelling of the term before it, and not told
    is_synonym: whether it is another word, which finds the same kind of game
    """

    written: str
    stems: tuple[str, ...]
    is_phrase: bool = False
    is_prefix: bool = False
    is_besides: bool = False
    is_synonym: bool = False

    @property
    def marked(self) -> tuple[str, ...]:
        """Return the stems as `words.marked` takes them."""
        return (*self.stems[:-1], self.stems[-1] + GOES_ON) if self.is_prefix else self.stems

    @property
    def tokens(self) -> tuple[str, ...]:
        return tuple(token_of(stem) for stem in self.stems)

    @property
    def in_words(self) -> str:
        if self.is_prefix:
            return f"“{self.written}…”" if self.is_phrase else f"words that begin with “{self.written}”"
        return f"“{self.written}”" if self.is_phrase else self.written


@dataclass(frozen=True, slots=True)
class Query:
    """A query. groups: an entry must hold one term of each; without: and none of these; remarks: on corrections

    kind: of thing that a question asks for, which is listed first
    """

    text: str = ""
    groups: tuple[tuple[Term, ...], ...] = ()
    without: tuple[Term, ...] = ()
    remarks: tuple[str, ...] = ()
    kind: str = ""

    def __bool__(self) -> bool:
        return bool(self.groups or self.without)

    @property
    def positive(self) -> list[Term]:
        return [term for group in self.groups for term in group]

    @property
    def understood(self) -> str:
        """Return the query in words."""
        told = [[term.in_words for term in group if not term.is_besides] for group in self.groups]
        wanted = [" or ".join(group) for group in told]
        unwanted = [term.in_words for term in self.without if not term.is_besides]
        parts = [" and ".join(wanted)] if wanted else ["everything"]
        if unwanted:
            parts.append(f"without {' and without '.join(unwanted)}")
        return ", ".join(parts)


def parse_query(text: str) -> Query:
    """Raises NotUnderstood if it is too long, or if nothing in it is a word."""
    text = " ".join(text.split())
    if len(text) > LONGEST:
        message = f"A search takes {LONGEST} characters; this one has {len(text):,}."
        raise NotUnderstood(message, " ".join(words_of(text[:LONGEST])[:MOST_WORDS_ASKED]))
    if not text:
        return Query()
    remarks = []
    plain = text.translate(QUOTES)
    if plain.count('"') % 2:
        remarks.append("One quotation mark has no partner: what stands after it was taken as a phrase.")
    groups, without = _sorted_out(list(_pieces(plain, remarks)), remarks)
    if not groups and not without:
        raise NotUnderstood(f"There is no word in “{text[:40]}” that could be looked for.", "")
    every = [term for group in (*groups, without) for term in group if not term.is_besides]
    if sum(len(term.stems) for term in every) > MOST_WORDS_ASKED:
        words = words_of(text)
        message = f"A search takes {MOST_WORDS_ASKED} words; this one has {len(words)}."
        raise NotUnderstood(message, " ".join(words[:MOST_WORDS_ASKED]))
    kind, groups = _read_question(text, groups, remarks)
    if not kind and any(is_kind_of_game(term.written) for group in groups for term in group):
        kind = "game"
    return Query(text, tuple(tuple(_widened(group)) for group in groups), tuple(without), tuple(remarks), kind)


def any_of(query: Query) -> Query:
    """The same words, of which one is enough; remarks that it is so."""
    remark = "Nothing here has all of these words; what has some of them is listed, rare words first."
    return replace(query, groups=(tuple(query.positive),), remarks=(*query.remarks, remark))


def _read_question(text: str, groups: list[list[Term]], remarks: list[str]) -> tuple[str, list[list[Term]]]:
    """Return the kind of rows that a question in full words is about, and the words that carry its meaning."""
    words = [term.written for group in groups for term in group if not term.is_phrase]
    if not is_question(text, words):
        return "", groups
    kept = [group for group in groups if not _is_but(is_little, group)]
    nouns = [group for group in kept if not _is_but(is_kind, group)]
    kind = kind_of_question(words)
    found = (nouns if kind and nouns else kept) or groups
    left_out = [group[0].written for group in groups if group not in found]
    if left_out:
        first = f" Of what was found, {kind}s stand first." if kind else ""
        remarks.append(f"Taken as a question: {', '.join(left_out)} left out.{first}")
    return kind, found


def _is_but(test: Callable[[str], bool], group: list[Term]) -> bool:
    """Return whether a group is a single word that the test accepts."""
    return len(group) == 1 and not group[0].is_phrase and not group[0].is_prefix and test(group[0].written)


def _widened(group: list[Term]) -> list[Term]:
    """Add other spellings and words that mean the same kind of game; a phrase, or a beginning, is taken as it is."""
    words = [term.written for term in group if not term.is_phrase and not term.is_prefix]
    spelt = [Term(word, (stem_of(word),), is_besides=True) for own in words for word in _SPELT.get(stem_of(own), ())]
    other = [Term(word, (stem_of(word),), is_synonym=True) for own in words for word in synonyms(own)]
    by_stems = {term.stems: term for term in reversed([*group, *spelt, *other])}
    added = {term.stems: by_stems[term.stems] for term in (*spelt, *other)}
    return [*group, *(term for term in added.values() if term not in group)]


@dataclass(frozen=True, slots=True)
class _QueryPart:
    """besides: the same without its hyphens"""

    term: Term
    unwanted: bool = False
    may_join: bool = False
    besides: tuple[Term, ...] = ()


def _pieces(text: str, remarks: list[str]) -> Iterator[_QueryPart]:
    for match in PIECE.finditer(text):
        if match["word"] is None:
            written, unwanted, is_phrase = match["phrase"].strip(), bool(match["sign"]), True
        else:
            written, is_phrase = match["word"], False
            unwanted = written.startswith(DASHES) and len(written) > 1
            written = written[1:] if unwanted else written
        words = [word for word in words_of(written) if form_of(word)]
        stems = tuple(stem_of(word) for word in words)
        is_prefix = False
        besides: tuple[Term, ...] = ()
        if words:
            # Signs around a word are no part of it; those within make a phrase of it, as in kotu-baendum.
            begin, end = written.index(words[0]), written.rindex(words[-1]) + len(words[-1])
            is_prefix = _goes_on(words[-1], written[:end], written[end:], remarks)
            if is_prefix:
                stems = (*stems[:-1], form_of(words[-1]))
            if not is_phrase and len(words) > 1 and (joined := JOINED.fullmatch(written[begin:end])):
                one = form_of(joined.group().translate(NO_HYPHENS))
                besides = (Term(one, (one if is_prefix else stem_of(one),), is_prefix=is_prefix, is_besides=True),)
            written = written[:end] if is_phrase and is_prefix else written if is_phrase else written[begin:end]
        term = Term(written, stems, is_phrase or len(words) > 1, is_prefix)
        yield _QueryPart(term, unwanted, match["word"] == EITHER, besides)


def _goes_on(word: str, before: str, behind: str, remarks: list[str]) -> bool:
    """Return whether a star says that the word may go on; remarks on stars that say nothing."""
    if STAR not in before + behind:
        return False
    if STAR in before or not behind.startswith(STAR):
        remarks.append(f"A star stands at the end of a word, as in “{form_of(word)}*”: elsewhere it was left out.")
    if not behind.startswith(STAR):
        return False
    form = form_of(word)
    if (before.strip() == word or form == OWN[0]) and len(form) < SHORTEST_BEGINNING:
        remarks.append(f"“{word}*” begins too many words: a star takes {SHORTEST_BEGINNING} letters before it.")
        return False
    if form.startswith(OWN):  # it would find what the index writes for gaps and for letters beyond ASCII
        remarks.append(f"No word begins with “{word}”: the star was left out.")
        return False
    return True


def _sorted_out(pieces: Sequence[_QueryPart], remarks: list[str]) -> tuple[list[list[Term]], list[Term]]:
    groups: list[list[Term]] = []
    without: list[Term] = []
    joining = False
    for number, piece in enumerate(pieces):
        follows = pieces[number + 1] if number + 1 < len(pieces) else None
        if piece.may_join and groups and not joining and follows and follows.term.stems and not follows.unwanted:
            joining = True
        elif not piece.term.stems:
            remarks.append(f"There is no word in “{piece.term.written}”: it was left out.")
        elif piece.unwanted:
            without += [piece.term, *piece.besides]
        elif joining:
            groups[-1] += [piece.term, *piece.besides]
            joining = False
        else:
            groups.append([piece.term, *piece.besides])
    return groups, without
