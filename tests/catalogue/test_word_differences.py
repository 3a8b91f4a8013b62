"""A text compared with the one before it, word by word."""

import random

import pytest

from catalogue.texts.words import ADDED, LEFT_OUT, REMOVED, SAME, WordRun, changed_words, in_short

WORDS = ["the", "last", "seed", "of", "a", "row", "falls", "into", "an", "empty", "hole"]


@pytest.mark.parametrize(
    ("before", "after", "pieces"),
    [
        ("one two three", "one three", [(SAME, "one "), (REMOVED, "two "), (SAME, "three")]),
        ("one three", "one two three", [(SAME, "one "), (ADDED, "two "), (SAME, "three")]),
        ("a seed", "a counter", [(SAME, "a "), (REMOVED, "seed"), (ADDED, "counter")]),
        ("a\n\nb c", "a\nb c", [(REMOVED, "a\n\n"), (ADDED, "a\n"), (SAME, "b c")]),
        ("a b", "a b", [(SAME, "a b")]),
        ("", "a b", [(ADDED, "a b")]),
        ("a b", "", [(REMOVED, "a b")]),
        ("a a", "a", [(REMOVED, "a "), (SAME, "a")]),
    ],
)
def test_what_was_added_and_removed(before: str, after: str, pieces: list[tuple[str, str]]) -> None:
    assert [(piece.kind, piece.text) for piece in changed_words(before, after)] == pieces


def test_the_pieces_are_both_texts() -> None:
    draw = random.Random(1)
    for _ in range(200):
        before, after = (" ".join(draw.choices(WORDS, k=draw.randrange(40))) for _ in range(2))
        pieces = changed_words(before, after)
        assert "".join(piece.text for piece in pieces if piece.kind != ADDED) == before
        assert "".join(piece.text for piece in pieces if piece.kind != REMOVED) == after


def test_what_is_far_from_every_change_is_left_out() -> None:
    before = "a b c d e f old g h i j k l"
    pieces = in_short(changed_words(before, before.replace("old", "new")), context=2)
    assert [(piece.kind, piece.text) for piece in pieces] == [
        (LEFT_OUT, "a b c d "),
        (SAME, "e f "),
        (REMOVED, "old "),
        (ADDED, "new "),
        (SAME, "g h "),
        (LEFT_OUT, "i j k l"),
    ]


def test_between_two_changes_both_ends_are_kept() -> None:
    pieces = [WordRun(ADDED, "x "), WordRun(SAME, "a b c d e f "), WordRun(ADDED, "y")]
    assert [piece.text for piece in in_short(pieces, context=2)] == ["x ", "a b ", "c d ", "e f ", "y"]
    assert in_short(pieces, context=3) == pieces
