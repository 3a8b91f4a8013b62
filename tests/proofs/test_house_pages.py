"""How the proof of the house judges pages, on sites of a few pages that were never started."""

import json

import pytest

from tests.proofs import house_pages
from tests.proofs.house_pages import Look, pages
from tests.proofs.house_text import Answer
from tests.proofs.house_trees import Trees
from tests.proofs.running import Figures, Unproved

BEFORE = {"/": "<p>All doubts", "/a/": "<p>A on 22 November 2026", "/b/": "<p>B"}


def look(texts: dict[str, str], moved: dict[str, str] | None = None) -> Look:
    answers = {
        path: Answer(200, "text/html", text, (moved or {}).get(path, path), ["2026-11-22"])
        for path, text in texts.items()
    }
    return Look(list(texts), "", answers)


@pytest.fixture
def judged(monkeypatch, tmp_path):
    """The figures of a site as it is now beside the one before; the trees that were looked at are listed."""

    def judge(now: Look, words: tuple = (), keep: bool = False) -> Figures:
        listed = tmp_path / "words.json"
        listed.write_text(json.dumps(words))
        monkeypatch.setattr(house_pages, "WORDS", listed)
        looks = {"before": look(BEFORE), "now": now}
        monkeypatch.setattr(
            house_pages, "look_at", lambda trees, name, paths=None: judge.looked.append(name) or looks[name]
        )
        return pages(Trees(tmp_path, "0" * 40, tmp_path / "kept" if keep else None))

    judge.looked = []
    return judge


def test_pages_that_say_the_same_hold(judged):
    figures = judged(look({**BEFORE, "/b/": "<div><b>B</b></div>"}))
    assert (figures["pages"], figures["equal"], figures["different"]) == (3, 3, 0)


def test_a_page_that_says_something_else_does_not_hold_and_is_shown(judged):
    with pytest.raises(Unproved, match="1 of 3 pages say something else") as raised:
        judged(look({**BEFORE, "/b/": "<p>C"}))
    assert raised.value.figures["first_differences"] == {"/b/": [" status 200, text/html", "-B", "+C"]}


def test_listed_words_may_change_and_those_that_are_nowhere_are_named(judged):
    words = (("doubts", "open questions", "the field's term"), ("desk", "dispatch", "the field's term"))
    figures = judged(look({**BEFORE, "/": "<p>All open questions"}), words)
    assert (figures["equal"], figures["equal_but_for_listed_words"]) == (2, ["/"])
    assert figures["listed_words_not_met"] == ["desk"]


def test_where_a_path_leads_elsewhere_is_told(judged):
    assert judged(look(BEFORE, {"/b/": "/c/"}))["redirected"] == {"/b/": "/c/"}


def test_what_was_kept_is_not_looked_at_again(judged):
    for _ in range(2):
        assert judged(look(BEFORE), keep=True)["equal"] == 3
    assert judged.looked == ["before", "now", "now"]
