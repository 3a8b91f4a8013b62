"""What is meant by the words in the box, where it is not the words themselves: kinds of games, and questions.

A word of the left column finds what the words beside it find as well. In a question in full words the little words are
left out, and what it asks for ("which games …") stands first. Pure Python, no Django.
"""

from collections.abc import Sequence

from catalogue.search.words import form_of, stem_of

# What readers call kinds of games, and what the catalogue and its sources call them.
KINDS_OF_GAMES = {
    "mancala": ("sowing",),
    "mankala": ("sowing",),
    "manqala": ("sowing",),
    "sowing": (),
    "checkers": ("draughts",),
    "draughts": ("checkers",),
    "tiger": ("leopard",),
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
_BY_STEM = {stem_of(word): others for word, others in SYNONYMS.items()}
_GAMES = frozenset(map(stem_of, KINDS_OF_GAMES))
_GAMES = frozenset(map(stem_of, KINDS_OF_GAMES))
_KIND_BY_STEM = {stem_of(word): kind for word, kind in KINDS.items()}


def synonyms(word: str) -> tuple[str, ...]:
    """Words that are looked for beside this one."""
    return _BY_STEM.get(stem_of(word), ())


def is_question(text: str, words: Sequence[str]) -> bool:
    return len(words) > 2 and (text.rstrip().endswith("?") or form_of(words[0]) in QUESTION_WORDS)


def asked_for(words: Sequence[str]) -> str:
    """The kind of thing that a question asks for, by the word after its first ones; empty if it names none."""
    return next((kind for word in words[:4] if (kind := _KIND_BY_STEM.get(stem_of(word), ""))), "")


def is_little(word: str) -> bool:
    return form_of(word) in LITTLE_WORDS


def is_kind(word: str) -> bool:
    return stem_of(word) in _KIND_BY_STEM


def is_kind_of_game(word: str) -> bool:
    return stem_of(word) in _GAMES
