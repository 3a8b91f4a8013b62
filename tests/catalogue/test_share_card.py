"""The picture that stands for a page where it is shared: all words stand on it, whole, in the typefaces of the site."""

from itertools import pairwise

import pytest
from PIL import ImageFont

from catalogue.outcomes.bars import Outcomes, Segment
from catalogue.outcomes.share_card import BOARD, FOOT, GAP, MARGIN, WIDTH, Lines, ShareCard, lines_of, share_card
from catalogue.web.files import TYPEFACES

BARS = [
    (
        "Today’s summary",
        Outcomes((Segment("won-0", "x", 0, 0.4, ""), Segment("open", "y", 0.4, 0.6, "")), "", "", 9, 0.6),
    )
]
LONG = (
    "Between random players most games under Parker 1909 have not ended after 2,000 turns; with greedy ones they do. "
)
CARDS = (
    ShareCard("A game", "Daramuti", "Short.", "<svg></svg>", BARS * 3),
    ShareCard(
        "A game",
        "Kotu ellima: after Ludovisi 1873 · after today’s summary (DLP) · as the Ludii program",
        LONG * 4,
        "<svg></svg>",
        BARS * 5,
    ),
    ShareCard(
        "A claim",
        "Before all seven are laid there is little chance of taking a leopard or checking the tiger",
        LONG * 9,
    ),
    ShareCard("A word", "Wolkenkuckucksheimwettspielmeisterschaft" * 3, "gamespiel" * 40, "<svg></svg>"),
    ShareCard("Nothing", "M"),
)


def _width(line: Lines, words: str) -> float:
    face = "serif-bold" if "Serif" in line.style else "sans-bold" if "600" in line.style else "sans"
    return float(ImageFont.truetype(TYPEFACES / f"{face}.ttf", line.size).getlength(words))


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.kind + card.title[:4])
def test_all_words_have_room(card: ShareCard) -> None:
    lines = lines_of(card, "Evidence of Traditional Games")
    assert all(_width(one, words) <= one.room for one in lines for words in one.words)
    assert all(one.x == MARGIN and one.room <= WIDTH - 2 * MARGIN - (BOARD + GAP if card.board else 0) for one in lines)
    for above, below in pairwise(lines):
        assert above.foot + 0.7 * below.size <= below.y <= FOOT


def test_what_is_too_long_ends_with_a_clause() -> None:
    (found,) = [line for line in lines_of(CARDS[1], "Site") if line.words[0].startswith("Between")]
    assert " ".join(found.words).endswith(("turns …", "do. …"))


def test_a_card_shows_board_bars_and_escaped_words() -> None:
    board = '<svg viewBox="0 0 40 20" width="40"><style>x</style><g id="holes"/></svg>'
    drawn = share_card(ShareCard("A <game>", "A & B", "", board, BARS * 5), "Site")
    assert 'viewBox="0 0 40 20"><g id="holes"/></svg>' in drawn
    assert drawn.count("unfinished") == 3
    assert "A &lt;game&gt;" in drawn
    assert "<style>" not in drawn
