"""Words as they are compared, and the box as it is understood: nothing of a database is in it."""

import tracemalloc
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue.search.query import LONGEST, MOST_WORDS_ASKED, NotUnderstood, parse_query
from catalogue.search.words import (
    AROUND,
    ASCII_WORD,
    GAP,
    MOST_TIMES,
    MOST_WORDS,
    PLAIN_WORD,
    any_word,
    best_snippet,
    form_of,
    found_in,
    marked,
    sort_key,
    stem_of,
    token_of,
    tokens,
    words_of,
)


@pytest.mark.parametrize(
    ("written", "form"),
    [
        ("Máwkár", "mawkar"),
        ("bændum", "baendum"),
        ("Straße", "strasse"),
        ("Ærø", "aero"),
        ("naïve", "naive"),
        ("İstanbul", "istanbul"),
        ("seed's", "seed"),
        ("seed’s", "seed"),
        ("Mag’da", "magda"),
        ("2×7", "2x7"),
        ("ﬁve", "five"),
        ("දරමුටි", "දරමුටි"),  # vowel signs of Sinhala are letters, not accents
        ("नौका", "नौका"),
        ("كِتَاب", "كتاب"),  # points of Arabic are not
    ],
)
def test_a_word_is_folded(written: str, form: str) -> None:
    assert form_of(written) == unicodedata.normalize("NFC", form)


# Of each pair one word is looked for, and the other stands in a text.
@pytest.mark.parametrize(
    ("written", "other"),
    [
        ("ක්\u200dරීඩා", "ක්රීඩා"),  # the joiner of Sinhala, which many keyboards leave out
        ("क्\u200cष", "क्ष"),
        ("pa\u00adchisi", "pachisi"),
        ("divi\u2060yan", "diviyan"),
        ("\ufeffdivi\ufeffyan", "diviyan"),
        ("see\u00add’\u00ads", "seed"),
        ("葛\U000e0100城", "葛城"),
        ("ന്\u200d", "ൻ"),
        ("كـــتاب", "كتاب"),  # drawn out
        ("کتاب", "كتاب"),
        ("أب", "اب"),
        ("Hawaiʻi", "Hawai'i"),
        ("ʻokina", "okina"),
        ("Qurʾān", "Quran"),
        ("１２", "12"),
        ("१२", "12"),
        ("ΟΔΌΣ", "οδος"),
        ("ILIK", "ılık"),
        ("Ɔware", "oware"),
        ("ｶﾞｲ", "ガイ"),
        ("1⁄2", "½"),
        ("தமி\u200bழ்", "தமி ழ்"),  # where a line may break
        ("10²", "10 2"),
        ("ٱلشطرنج", "الشطرنج"),
        ("لعبة", "لعبه"),
        ("گنجفہ", "گنجفه"),
        ("ǃKung", "Kung"),
        ("ˌdaraˈmuːti", "daramuti"),
        ("col·legi", "collegi"),
        ("ἀρχῇ", "αρχη"),  # readers leave the iota below out
        ("snꜣt", "snt"),
        ("ƙwarƙwara", "kwarkwara"),
        ("ৎ", "ত্"),
        ("צה״ל", "צהל"),
        ("שָׁלוֹם", "שלום"),
        ("ᲜᲐᲠᲓᲘ", "ნარდი"),
        ("և", "եւ"),
        ("윷놀이", unicodedata.normalize("NFD", "윷놀이")),
        ("𝐃𝐚𝐦", "dam"),
        ("d\u034fam", "dam"),
        ("ſenet", "senet"),
        ("Лихачёв", "Лихачев"),
    ],
)
def test_two_spellings_are_the_same_words(written: str, other: str) -> None:
    assert [found.stem for found in found_in(written)] == [found.stem for found in found_in(other)]
    assert tokens([words_of(written)]) == tokens([words_of(other)])
    text = f"In words: {written}, and more"
    query = parse_query(other)
    pieces = marked(text, [tuple(found.stem for found in found_in(other))])
    assert "".join(piece.text for piece in pieces) == text
    assert query.positive[0].stems == tuple(found.stem for found in found_in(written))[: len(query.positive[0].stems)]
    assert [piece.text for piece in pieces if piece.is_found] == [written.removeprefix("\ufeff")]


@pytest.mark.parametrize(("written", "other"), [("½", "12"), ("10²", "102"), ("seeds²", "seeds2"), ("①0", "10")])
def test_figures_of_their_own_are_no_part_of_others(written: str, other: str) -> None:
    assert [found.stem for found in found_in(written)] != [found.stem for found in found_in(other)]
    assert stem_of(other) not in [found.stem for found in found_in(written)]


def test_words_are_found_where_no_space_parts_them() -> None:
    for text, word in (("古代围棋历史", "围棋"), ("เล่นหมากรุกไทย", "หมากรุก"), ("むかしのすごろく", "すごろく")):
        (term,) = parse_query(word).positive
        assert [piece.text for piece in marked(text, [term.marked]) if piece.is_found] == [word]


def test_composed_and_decomposed_spellings_are_one_word() -> None:
    for written in ("Máwkár", "kátiyá", "ñ", "ö"):
        assert form_of(unicodedata.normalize("NFD", written)) == form_of(unicodedata.normalize("NFC", written))


# From the vocabulary of Snowball's English stemmer: https://snowballstem.org/algorithms/english/stemmer.html
@pytest.mark.parametrize(
    ("word", "stem"),
    [("consisting", "consist"), ("consistently", "consist"), ("knackeries", "knackeri"), ("knightly", "knight")],
)
def test_stems_are_those_of_snowball(word: str, stem: str) -> None:
    assert stem_of(word) == stem


def test_a_token_is_ascii_a_word_or_a_number() -> None:
    assert token_of("seed") == "seed"
    assert token_of("1909") == "1909"
    assert token_of("5e4y") == "zq35653479"  # PostgreSQL would take it for a number and a word
    assert token_of("දර").isascii()


@pytest.mark.by_turns
@given(st.text(max_size=200))
def test_every_text_is_taken_apart_without_harm(text: str) -> None:
    column = tokens([words_of(text)])
    assert all(token.isascii() and token.isalnum() for token in column.split())
    for word in found_in(text):
        assert 0 <= word.start < word.end <= len(text)
        assert stem_of(text[word.start : word.end]) == word.stem
    assert len(sort_key(text)) <= 120


@given(st.text(st.characters(max_codepoint=127), max_size=80))
def test_the_quick_ways_find_the_same_words_as_the_thorough_one(text: str) -> None:
    assert ASCII_WORD.findall(text) == PLAIN_WORD.findall(text) == any_word().findall(text)


def test_what_exceeds_the_bounds_of_a_database_is_a_gap() -> None:
    column = tokens([["hole"] * (MOST_TIMES + 3)]).split()
    assert column.count("hole") == MOST_TIMES
    assert column[-3:] == [GAP] * 3
    assert len(tokens([[f"w{n}" for n in range(MOST_WORDS + 9)]]).split()) == MOST_WORDS


def test_numbers_are_sorted_by_their_value() -> None:
    names = ["DLP.Evidence.1194", "DLP.Evidence.690", "DLP.Evidence.9"]
    assert sorted(names, key=sort_key) == names[::-1]


def understood(text: str) -> str:
    return parse_query(text).understood


def test_the_box_says_what_it_understood() -> None:
    assert understood("seeds  board") == "seeds and board"
    assert understood('"sowing game" -chess') == "“sowing game”, without chess"
    assert understood("draughts OR checkers board") == "draughts or checkers and board"
    assert understood('-chess -"a board"') == "everything, without chess and without “a board”"
    assert understood("kotu-baendum?") == "“kotu-baendum”"
    assert understood("OR") == "OR"
    assert understood("(NEAR/3 title:x) *") == "“NEAR/3” and “title:x”"


@pytest.mark.parametrize(
    "written",
    [
        "“sowing game”", "„sowing game“", "«sowing game»", "＂sowing\u00a0game＂", '"sowing\u3000game', "sowing-game",
        "「sowing game」", "sowing－game",
    ],
)  # fmt: skip
def test_signs_of_every_language_make_a_phrase(written: str) -> None:
    (term, *_) = parse_query(written).positive
    assert (term.stems, term.is_phrase) == (("sow", "game"), True)


@pytest.mark.parametrize(
    "written", ["(sowing", "sowing]]", "''sowing", "sowing\x00", "%sowing%", "- sowing", "\u200bsowing;"]
)
def test_signs_round_a_word_are_no_part_of_it(written: str) -> None:
    assert [term.stems for term in parse_query(written).positive if not term.is_besides][-1][0] == "sow"


def test_a_star_at_the_end_takes_words_that_begin_so() -> None:
    (term,) = parse_query("Puhul*").positive
    assert (term.marked, term.is_prefix) == (("puhul*",), True)
    assert understood("puhul* board") == "words that begin with “puhul” and board"
    assert understood("'puhul＊'") == "words that begin with “puhul”"
    assert understood('"sowing gam*" -seed*') == "“sowing gam…”, without words that begin with “seed”"
    text = "Puhulmutu, a sowing game: puhul, and others"
    pieces = marked(text, [term.marked, ("sow", "gam*")])
    assert [piece.text for piece in pieces if piece.is_found] == ["Puhulmutu", "sowing game", "puhul"]


def test_a_star_that_says_nothing_is_said_to_be_left_out() -> None:
    end, short, own = "at the end of a word", "too many words", "No word begins"
    texts = {"*mutu": end, "pu*mutu": end, "p*": short, "zqg*": own, '"board z*"': short, '"board zq*"': own}
    for text, why in texts.items():
        (remark,) = parse_query(text).remarks
        assert why in remark
        assert not parse_query(text).positive[0].is_prefix


def test_words_joined_by_hyphens_are_looked_for_as_one_too() -> None:
    phrase, word = parse_query("puhul-mutu").positive
    assert (phrase.stems, word.stems) == (("puhul", "mutu"), ("puhulmutu",))
    assert understood("puhul-mutu") == "“puhul-mutu”"
    assert [term.stems for term in parse_query("1909-10").positive] == [("1909", "10")]


def test_what_is_put_right_is_said() -> None:
    open_phrase = parse_query("“sowing game")
    assert open_phrase.understood == "“sowing game”"
    assert "no partner" in open_phrase.remarks[0]
    assert parse_query("seeds & holes").remarks == ("There is no word in “&”: it was left out.",)


def test_what_cannot_be_taken_is_refused_with_what_can() -> None:
    for text, why in (("x" * (LONGEST + 1), "characters"), ("w " * (MOST_WORDS_ASKED + 1), "words"), ("?!", "no word")):
        with pytest.raises(NotUnderstood, match=why) as refused:
            parse_query(text)
        nearest = refused.value.nearest
        assert not nearest or parse_query(nearest) or not nearest.strip()


@given(st.text(max_size=60))
def test_any_box_is_understood_or_refused(text: str) -> None:
    try:
        found = parse_query(text)
    except NotUnderstood:
        return
    for term in (*found.positive, *found.without):
        assert term.tokens
        assert all(token.isascii() and token.isalnum() for token in term.tokens)


def test_snippets_show_the_words_around_a_hit_as_written() -> None:
    text = "Among the Khasis the game is known as Máwkár kátiyá (=going round the slab or plank). " + "Then on. " * 60
    snippet = best_snippet([("paraphrase", "Nothing."), ("quotation", text)], [("mawkar",), ("slab",)])
    assert snippet is not None
    assert snippet.label == "quotation"
    assert [piece.text for piece in snippet.pieces if piece.is_found] == ["Máwkár", "slab"]
    assert len(words_of(snippet.text)) <= AROUND
    assert snippet.text.endswith(" …")


def test_a_phrase_is_marked_whole_and_only_as_a_phrase() -> None:
    pieces = marked("A sowing game: a game of sowing", [("sow", "game")])
    assert [piece.text for piece in pieces if piece.is_found] == ["sowing game"]
    assert "".join(piece.text for piece in pieces) == "A sowing game: a game of sowing"


@given(st.text(max_size=300), st.lists(st.text("ab ", min_size=1, max_size=5), max_size=3))
def test_marking_loses_nothing_of_a_text(text: str, terms: list[str]) -> None:
    stems = [found for term in terms if (found := tuple(stem_of(word) for word in words_of(term)))]
    assert "".join(piece.text for piece in marked(text, stems)) == text


@pytest.mark.by_turns
def test_long_words_of_strangers_are_not_remembered():
    """Each of them another one of 8,000 letters, as long as an address can be: kept, they would be 4 MB."""
    tracemalloc.start()
    try:
        for number in range(500):
            assert tokens([[f"{number}" + "x" * 8_000]])
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 1_000_000
