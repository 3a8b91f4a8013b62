"""Anchors by hand, and what always holds of pieces of a text."""

import hashlib
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue.texts.anchors import (
    ASKED,
    CLAIMED,
    AnchorProblem,
    Coverage,
    Mark,
    Span,
    coverage,
    digest_of,
    locate,
    marked,
    merged,
    segments,
    selectors,
    sigla,
)

TEXT = "He takes the seeds. He takes the rest of the seeds."


def test_words_are_found_by_code_points() -> None:
    assert locate("œil, naïve naga", "naga") == Span(11, 15)


def test_a_prefix_or_a_suffix_tells_two_places_apart() -> None:
    assert locate(TEXT, "the seeds", suffix=". He") == Span(9, 18)
    assert locate(TEXT, "the seeds", prefix="rest of ") == Span(41, 50)


def test_words_that_stand_twice_are_refused_without_one() -> None:
    with pytest.raises(AnchorProblem, match="2 times"):
        locate(TEXT, "the seeds")


def test_overlapping_occurrences_are_two() -> None:
    with pytest.raises(AnchorProblem, match="2 times"):
        locate("anana", "ana")


def test_missing_words_name_the_nearest() -> None:
    with pytest.raises(AnchorProblem, match="the nearest are 'takes the rest'"):
        locate(TEXT, "takes teh rest")


def test_a_page_of_wrong_words_is_refused_in_few_words() -> None:
    """Ten thousand times "word " against a long text once took more than a minute of processor time."""
    text = "The players sow the words of the board, word after word. " * 200
    begun = time.process_time()
    with pytest.raises(AnchorProblem) as raised:
        locate(text, "word " * 10_000)
    assert time.process_time() - begun < 10
    assert len(str(raised.value)) < 3_000


def test_an_anchor_needs_words() -> None:
    with pytest.raises(AnchorProblem):
        locate(TEXT, "")


def test_selectors_are_those_of_the_web_annotation_model() -> None:
    assert selectors("seeds", "the ", ".", Span(13, 18)) == [
        {"type": "TextQuoteSelector", "exact": "seeds", "prefix": "the ", "suffix": "."},
        {"type": "TextPositionSelector", "start": 13, "end": 18},
    ]


def test_the_digest_is_the_sha256_of_the_text() -> None:
    assert digest_of("puta – naga") == hashlib.sha256("puta – naga".encode()).hexdigest()


def test_coverage_counts_words_an_anchor_touches() -> None:
    # "takes the" and, of the second sentence, the end of "takes": 3 of 11 words
    assert coverage(TEXT, [Span(3, 12), Span(26, 28)]) == Coverage(words=11, anchored=3, unused=8)
    assert coverage("", []).share is None


def test_coverage_counts_support_contradiction_and_claims_apart() -> None:
    # "He takes" for a rule, "takes the" against one, "the seeds" in a claim: "takes" and "the" are used in two ways
    found = coverage(TEXT, [Span(0, 8)], [Span(3, 12)], [Span(9, 18)])
    assert found == Coverage(words=11, anchored=2, opposing=2, claimed=2, unused=7)
    asked = coverage(TEXT, [Span(0, 8)], asked=[Span(3, 18)])
    assert asked == Coverage(words=11, anchored=2, unused=7, asked=3)


def test_words_of_a_claim_differ_from_unused_words() -> None:
    pieces = marked(
        TEXT[:18], [Mark(Span(0, 8), "P1", 1, 0, False, "")], [(Span(9, 18), CLAIMED), (Span(8, 12), ASKED)]
    )
    assert [(piece.text, piece.labels, piece.use) for piece in pieces] == [
        ("He takes", "P1", ""), (" ", "", ASKED), ("the", "", CLAIMED), (" seeds", "", CLAIMED),
    ]  # fmt: skip


def test_touching_spans_become_one() -> None:
    assert merged([Span(5, 9), Span(0, 3), Span(3, 6)]) == [Span(0, 9)]


SPANS = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)).filter(lambda pair: pair[0] < pair[1]), max_size=8)


@given(SPANS)
def test_pieces_joined_are_the_text_and_know_what_lies_over_them(pairs: list[tuple[int, int]]) -> None:
    spans = [Span(*pair) for pair in pairs]
    at = 0
    for piece in segments(TEXT[:50], spans):
        for place in range(at, at + len(piece.text)):
            assert set(piece.over) == {k for k, span in enumerate(spans) if span.start <= place < span.end}
        at += len(piece.text)
    assert "".join(piece.text for piece in segments(TEXT[:50], spans)) == TEXT[:50]


@given(SPANS)
def test_every_mark_starts_and_ends_once(pairs: list[tuple[int, int]]) -> None:
    marks = [Mark(Span(*pair), f"P{k}", 1, 0, False, "") for k, pair in enumerate(pairs)]
    pieces = marked(TEXT[:50], marks)
    assert sorted(mark.label for piece in pieces for mark in piece.starts) == sorted(mark.label for mark in marks)
    assert sorted(mark.label for piece in pieces for mark in piece.ends) == sorted(mark.label for mark in marks)


def test_the_inner_of_two_marks_comes_first() -> None:
    outer, inner = Mark(Span(0, 18), "P1", 1, 0, False, "all"), Mark(Span(9, 18), "P2", 1, 0, False, "part")
    (first, second, third) = marked(TEXT, [outer, inner])
    assert (first.text, first.labels) == ("He takes ", "P1")
    assert (second.text, second.labels, second.gloss) == ("the seeds", "P2 P1", "P2 part · P1 all")
    assert [mark.label for mark in second.ends] == ["P2", "P1"]
    assert not third.marks


def test_a_rule_after_the_words_comes_before_one_against_them() -> None:
    """On a phone the first tap opened the rule that says the contrary of the words."""
    book = Mark(Span(0, 18), "P2", 1, 0, False, "captures the hole opposite")
    summary = Mark(Span(9, 18), "D9", 1, 1, True, "captures nothing")
    program = Mark(Span(9, 18), "L1", 1, 2, False, "captures both")
    (_, piece, _) = marked(TEXT, [summary, program, book])
    assert piece.labels == "P2 L1 D9"
    assert (piece.followed_by, piece.departed_from_by) == ("book program", "summary")
    (_, piece, _) = marked(TEXT, [summary, program, book], first=2)
    assert piece.labels == "L1 P2 D9"
    (_, piece, _) = marked(TEXT, [summary, program, book], first=1)
    assert piece.labels == "P2 L1 D9"


@pytest.mark.parametrize(
    ("authorities", "found"),
    [
        (["parker", "dlp", "ludii"], ["P", "D", "L"]),
        (["ludovisi", "dlp", "ludii"], ["Lo", "D", "Li"]),
        (["marin-pancha", "marin-dice"], ["Mp", "Md"]),
        (["das-gupta", "dlp", "ludii"], ["Da", "Dl", "L"]),
        (["a", "ab", "abc"], ["A1", "A2", "A3"]),
    ],
)
def test_sigla(authorities: list[str], found: list[str]) -> None:
    assert list(sigla(authorities).values()) == found
