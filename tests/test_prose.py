"""The English of the site: phrases that may not come back, and the measure of how easily a page reads."""

import pytest

from tools.prose import PHRASES, main, own_sentences, phrases_in, reading_ease, syllables


@pytest.mark.by_turns
def test_no_phrase_has_come_back(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--phrases"]) == 0, capsys.readouterr().out


def test_a_phrase_is_found_across_lines_and_capitals() -> None:
    assert phrases_in("No words\nsay who begins.") == ["no words say"]
    assert phrases_in("The words do not say who begins.") == []


def test_every_phrase_is_more_than_a_word_or_no_word_at_all() -> None:
    assert [phrase for phrase in PHRASES if " " not in phrase] == ["so-manieth"]


def test_short_sentences_of_short_words_read_more_easily() -> None:
    assert [syllables(word) for word in ("lap", "counter", "captured", "little", "interminable")] == [1, 2, 2, 2, 5]
    plain, hard = "The lap ends. He sows again.", "Multiplicity of interpretation necessitates qualification"
    assert reading_ease(plain) > 90 > 0 > reading_ease(hard)


def test_quotations_are_nobodys_own_sentences() -> None:
    clause = {"slug": "relay", "text": "The lap goes on.", "words": [{"exact": "No words say."}]}
    assert list(own_sentences({"clauses": [clause]})) == ["The lap goes on."]
