"""After a text was changed: words whose place both texts show are set again, all else is left to a person."""

import io
import json
import unicodedata
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import TestCase

from catalogue.evidence.reanchoring import REASON
from catalogue.models import Anchor, Clause, Evidence, Reading
from catalogue.texts.anchors import NOT_KNOWN, Span, digest_of, locate, relocate
from catalogue.texts.descent import REPEATED
from tests import builders
from tests.proofs.anchors import proved

TEXT = "The first player takes six. If the last seed falls into an empty hole the turn ends. He takes six."
EMPTY = "the last seed falls into an empty hole"


def where(text: str, words: str, nth: int = 0) -> Span:
    start = -1
    for _ in range(nth + 1):
        start = text.index(words, start + 1)
    return Span(start, start + len(words))


SIDES = "what stood round the words has changed"


@pytest.mark.parametrize(
    ("text", "words", "place", "doubt"),
    [
        (f"A new beginning. {TEXT}", EMPTY, (EMPTY, 0), ""),
        (f"{TEXT} He keeps what he took.", "takes six", ("takes six", 1), ""),
        (f"{TEXT} He takes six.", "takes six", ("takes six", 1), REPEATED),
        (f"{TEXT} {TEXT}", EMPTY, (EMPTY, 0), "the words stand there 2 times"),
        (f"{TEXT} six.", "takes six", ("takes six", 1), REPEATED),
        (TEXT.replace("He", "She"), "takes six", ("takes six", 1), "the words stand there 2 times"),
        (TEXT.replace("the turn ends", "he may go on"), EMPTY, (EMPTY, 0), SIDES),
        (
            TEXT.replace("seed falls", "counter falls"),
            EMPTY,
            ("the last counter falls into an empty hole", 0),
            "the words are not there any more",
        ),
    ],
)
def test_where_words_stand_in_a_changed_text(text: str, words: str, place: tuple[str, int], doubt: str) -> None:
    was = where(TEXT, words, 1 if words != EMPTY else 0)
    found = relocate(text, words, "", "", was, TEXT)
    assert found is not None
    assert (found.span, found.exact, found.uncertainty) == (where(text, *place), place[0], doubt)
    assert (found.similarity == 1) == (found.exact == words)


def test_nothing_is_certain_if_the_earlier_text_is_not_known() -> None:
    """The anchored sentence is gone; the same words stand in another."""
    text = "A line of three wins. Captured are three pieces at a time. The pieces move one step."
    found = relocate(text, "three pieces", "", "", Span(38, 50))
    assert found is not None
    assert found.uncertainty == NOT_KNOWN


def test_of_words_in_a_row_no_text_shows_which_are_gone() -> None:
    again = "He enters an empty hole in his turn. "
    before, now = (f"{again * times}Each player can’t take an empty hole." for times in (3, 2))
    for nth in range(3):
        found = relocate(now, "his turn", "", "", where(before, "his turn", nth), before)
        assert found is not None
        assert found.uncertainty
    row = relocate(f"{before} He takes six.", "his turn", "", "", where(before, "his turn", 2), before)
    assert row is not None
    assert not row.uncertainty  # none is gone


RULES = (
    "A line of three wins. Captured are as many as stand there. Each player has three pieces. The pieces move one step,"
    " and none moves back. Nobody may pass."
)


@pytest.mark.parametrize(
    "text",
    [
        RULES.replace(" Each player has three pieces.", "").replace("as many as stand there", "three pieces at a time"),
        RULES.replace("Each player has three pieces. ", "") + " Each player has three pieces.",
        RULES.replace("three pieces", "five pieces").replace("wins", "wins three pieces"),
        RULES.replace("Each player has three pieces.", "Each player has three pieces. Each player has three pieces."),
        RULES.replace("A line of three wins. ", "").replace(
            "Nobody", "A line of three wins. Nobody"
        ),  # or the rest moved
    ],
)
def test_words_alike_are_never_certain(text: str) -> None:
    was = where(RULES, "three pieces")
    found = relocate(text, "three pieces", "", "", was, RULES)
    assert found is not None
    assert found.uncertainty


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("It’s “his” turn – now", 'It\'s "his" turn — now'),
        ("It’s “his” turn – now", "It’s «his»\u00a0turn\n–\tnow"),
        ("It’s “his” turn – now", "It’s “h\u00adis” tu\u200drn – now"),
        ("Máwkár kátiyá", unicodedata.normalize("NFD", "Máwkár kátiyá")),
        ("the ﬁrst ofﬁcer…", "the first officer..."),
        ("ක්‍රීඩා දරමුටි", "ක්රීඩා දරමුටි"),
    ],
)
def test_signs_and_white_space_leave_words_certain(old: str, new: str) -> None:
    before, after = (f"The game begins. Then {words} they say. {TEXT}" for words in (old, new))
    found = relocate(after, old, "Then ", "", where(before, old), before)
    assert found is not None
    assert (found.exact, found.uncertainty, found.span) == (new, "", where(after, new))
    assert after[: found.span.start].endswith(found.prefix)


@pytest.mark.parametrize(("old", "new"), [("10² men", "102 men"), ("½ of it", "12 of it"), ("He says", "he says")])
def test_other_words_are_no_other_signs(old: str, new: str) -> None:
    before, after = (f"{TEXT} So {words} there. {TEXT}" for words in (old, new))
    found = relocate(after, old, "", "", where(before, old), before)
    assert found is not None
    assert found.uncertainty


def test_a_certain_place_is_told_from_places_alike() -> None:
    """A form that looks for the words finds them again."""
    after = f"{TEXT} The other player, if he likes, takes six and four."
    found = relocate(after, "takes six", "", "", where(TEXT, "takes six"), TEXT)
    assert found is not None
    assert not found.uncertainty
    assert locate(after, found.exact, found.prefix, found.suffix) == found.span


def test_generated_edits_set_no_anchor_on_other_words() -> None:
    """The proof of anchors edits 100,000 texts."""
    assert proved("generated", 60, 47, 0)


def test_of_places_alike_the_nearest_to_the_old_one_is_proposed() -> None:
    text = "six " * 9
    found = relocate(text, "six", "", "", Span(13, 16))
    assert found is not None
    assert found.span == Span(12, 15)


def test_similarity_is_that_of_the_two_passages() -> None:
    # 6 of 7 letters are common to both words of 7: 2 x 6 / 14.
    found = relocate("abcdefX", "abcdefg", "", "", Span(0, 7))
    assert found is not None
    assert found.similarity == 0.857
    assert relocate("", "six", "", "", Span(0, 3)) is None


class CommandTests(TestCase):
    def setUp(self) -> None:
        self.record = builders.evidence(1, quotation=TEXT)
        game = self.record.game
        reading = Reading.objects.create(slug="r", title="R", game=game, authority="a", kind="interpretation")
        self.clause = Clause.objects.create(reading=reading, slug="c", basis="stated", text="A rule.")
        self.empty = self.anchor(1, EMPTY, where(TEXT, EMPTY))
        self.six = self.anchor(2, "takes six", where(TEXT, "takes six", 1), prefix="He ")

    def anchor(self, number: int, exact: str, span: Span, **fields: str) -> Anchor:
        return Anchor.objects.create(
            key=f"clause/r/c/supports/{number}", clause=self.clause, evidence=self.record, field="content", exact=exact,
            start=span.start, end=span.end, text_sha256=digest_of(TEXT), **fields,
        )  # fmt: skip

    def edit(self, text: str) -> None:
        self.record.quotation = text
        self.record.save()

    def run_it(self, *arguments: str, status: int = 0) -> Any:
        out, problem = io.StringIO(), None
        try:
            call_command("reanchor", *arguments, "--json", stdout=out)
        except CommandError as error:
            problem = error
        assert (problem.returncode if problem else 0) == status, problem
        return json.loads(out.getvalue()) if out.getvalue() else str(problem)

    def test_nothing_is_proposed_where_nothing_is_broken(self) -> None:
        assert self.run_it() == {"broken": 0, "certain": 0, "applied": 0, "for_a_person": 0, "anchors": []}

    def test_certain_places_are_set_only_on_request(self) -> None:
        self.edit(f"Here begins the text. {TEXT}")
        printed = self.run_it()
        assert (printed["broken"], printed["certain"], printed["applied"]) == (2, 2, 0)
        assert [one["now"]["start"] - one["was"]["start"] for one in printed["anchors"]] == [22, 22]
        self.empty.refresh_from_db()
        assert self.empty.problem() != ""
        assert self.run_it("--apply")["applied"] == 2
        for anchor in Anchor.objects.all():
            assert anchor.problem() == ""
            assert anchor.history.latest().history_change_reason == REASON
        assert self.run_it()["broken"] == 0

    def test_what_is_doubtful_is_left_to_a_person(self) -> None:
        self.edit(TEXT.replace("seed falls", "counter falls"))
        printed = self.run_it("--apply", status=1)
        assert (printed["broken"], printed["certain"], printed["applied"], printed["for_a_person"]) == (2, 1, 1, 1)
        doubtful = next(one for one in printed["anchors"] if not one["certain"])
        assert doubtful["anchor"] == self.empty.key
        assert doubtful["now"]["exact"] == "the last counter falls into an empty hole"
        assert 0.85 < doubtful["now"]["similarity"] < 1
        self.empty.refresh_from_db()
        assert (self.empty.exact, self.empty.history.count()) == (EMPTY, 1)

    def test_words_at_their_old_place_are_confirmed(self) -> None:
        self.edit(f"{TEXT} So it ends.")
        assert self.run_it("--apply")["applied"] == 2
        assert all(anchor.problem() == "" for anchor in Anchor.objects.all())

    def test_words_in_other_signs_are_set_as_they_are_written_now(self) -> None:
        self.edit(TEXT.replace(" ", "\u00a0").replace("empty", "emp\u00adty"))
        assert self.run_it("--apply")["applied"] == 2
        self.empty.refresh_from_db()
        assert (self.empty.exact.replace("\u00a0", " "), self.empty.problem()) == (EMPTY.replace("p", "p\u00ad"), "")

    def test_a_lookalike_is_left_to_a_person(self) -> None:
        self.edit(f"If {EMPTY} nothing is taken. {TEXT.replace(f'If {EMPTY} the', 'The')}")
        printed = self.run_it("--apply", status=1)
        assert [one["doubt"] for one in printed["anchors"] if one["anchor"] == self.empty.key] == [SIDES]
        self.empty.refresh_from_db()
        assert self.empty.problem() != ""

    def test_without_the_earlier_text_nothing_is_set(self) -> None:
        self.edit(f"{TEXT} So it ends.")
        Evidence.history.exclude(quotation=self.record.quotation).delete()
        assert {one["doubt"] for one in self.run_it("--apply", status=1)["anchors"]} == {NOT_KNOWN}

    def test_only_the_records_that_are_named_are_looked_at(self) -> None:
        self.edit(f"{TEXT} So it ends.")
        builders.evidence(2)
        assert self.run_it("DLP.Evidence.2")["broken"] == 0
        assert self.run_it("DLP.Evidence.1", "DLP.Evidence.1")["broken"] == 2
        printed = self.run_it("DLP.Evidence.11", status=2)
        assert printed == "there is no record 'DLP.Evidence.11' (nearest valid value: DLP.Evidence.1)"

    def test_a_person_reads_where_the_words_were_and_are(self) -> None:
        self.edit(TEXT.replace("seed falls", "counter falls"))
        out = io.StringIO()
        with pytest.raises(CommandError, match="1 of 2 broken anchors need a person"):
            call_command("reanchor", stdout=out)
        assert "now 31–72: 'the last counter falls into an empty hole'" in out.getvalue()
        assert "certain: 1; --apply sets them" in out.getvalue()
