"""The board of a record and what is seen on it: entered by pointing or by name, shown, corrected, taken back."""

import json
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.core.exceptions import ValidationError
from django.test import TestCase

from catalogue.evidence.worn import draw_observed, heights
from catalogue.models import Evidence, Observation
from catalogue.models.observations import canonical_board, contradictions, lines_of, orders, unused
from simulator.engine.boards.points import BOARDS
from tests import builders
from tests.catalogue.members import member

TRIANGLE = {"points": {"a": [0, 0], "b": [1, 0], "c": [1, 1]}, "lines": ["a b", "b c", "c a"]}
SEEN = {"observer": "R. Reader", "means": "eye", "certainty": "likely", "grade": "", "source": "", "words": ""}


def seen(number: int, places: list[str], grade: str = "", than: tuple[str, ...] = (), **fields: Any) -> Observation:
    given: dict[str, Any] = {"of": "lines", "certainty": "certain", "means": "eye", "observer": "R. Reader"}
    return Observation(number=number, places=places, grade=grade, than=list(than), **{**given, **fields})


def test_one_figure_in_two_ways_is_one_board() -> None:
    turned = {"points": {"c": [3, 3], "a": [2, 2], "b": [3, 2]}, "lines": ["c b", "a c", "b a"]}
    assert canonical_board(turned) == canonical_board(TRIANGLE)
    assert canonical_board("squares_3") == {"family": "points", "board": "squares_3"}


@pytest.mark.parametrize("wrong", [{"points": {"a": [0, 0]}, "lines": ["a b"]}, {}, 7, {"points": 3}, "no such board"])
def test_what_is_no_board_is_refused(wrong: Any) -> None:
    with pytest.raises(ValidationError):
        canonical_board(wrong)


def test_lines_are_named_by_the_neighbours_they_join() -> None:
    # Three squares in one another: each has eight pieces of line, and two join at the middle of each side.
    names = lines_of(BOARDS["squares_3"])
    assert len(names) == len(set(names)) == 3 * 8 + 4 * 2
    assert names[0] == "a1-d1"


def test_grades_that_differ_are_an_order() -> None:
    graded = seen(1, ["a"], "strong"), seen(2, ["b", "c"], "slight", certainty="likely"), seen(4, ["e"], "strong")
    told = [*graded, seen(3, ["d"], than=("a",))]
    found = [(one.more, one.less, one.certainty, one.numbers) for one in orders(told, "lines")]
    assert found == [
        (("d",), ("a",), "certain", (3,)),
        (("a",), ("b", "c"), "likely", (1, 2)),
        (("e",), ("b", "c"), "likely", (2, 4)),
    ]
    assert not orders(told, "points")


def test_contradictions_are_told_of_both() -> None:
    told = [
        seen(1, ["a"], than=("b",)),
        seen(2, ["b", "c"], than=("a",)),
        seen(3, ["c"], than=("b",)),
        seen(4, ["d"], "strong"),
        seen(5, ["d"], "none"),
    ]
    assert contradictions(told) == {1: [2], 2: [1], 4: [5], 5: [4]}


def test_what_is_in_no_order_is_unused() -> None:
    told = [seen(1, ["a"], "strong"), seen(2, ["p"], of="points", than=("q",)), seen(3, ["b"], than=("c",))]
    assert [(one.number, why) for one, why in unused(told, "lines")] == [
        (1, "a grade alone is no order: no other lines are graded otherwise"),
        (2, "it is of points, and lines are looked at"),
    ]


def test_the_drawing_keeps_every_order() -> None:
    """As was seen on the slab: the left side more than the right, and both more than the middle."""
    left, right = ["a1-a2", "a2-a3"], ["c1-c2", "c2-c3"]
    told = [seen(1, left, than=tuple(right)), seen(2, [*left, *right], than=("b1-b4",))]
    shares, disputed = heights(told)
    assert min(shares[one] for one in left) > max(shares[one] for one in right) > shares["b1-b4"] > 0
    assert not disputed
    shares, disputed = heights([*told, seen(3, right, than=tuple(left))])
    assert disputed == {*left, *right}
    assert len({shares[one] for one in disputed}) == 1, "none is surer, so none is drawn as more worn"
    shares, disputed = heights([*told, seen(3, right, than=tuple(left), certainty="doubtful")])
    assert (shares["a1-a2"] > shares["c1-c2"], disputed) == (True, set())
    shares, _ = heights([seen(1, ["a"], "clear"), seen(2, ["b"], than=("a",)), seen(3, ["a"], than=("c",))])
    assert shares["b"] > shares["a"] > shares["c"]


class ObservationTests(TestCase):
    record: Evidence

    @classmethod
    def setUpTestData(cls) -> None:
        cls.record = builders.evidence(9, quotation="", without_words=True)
        cls.editor, cls.contributor = member("editor"), member("contributor")
        builders.a_source()

    def setUp(self) -> None:
        self.client.force_login(self.editor)
        self.below = f"/workshop/records/{self.record}"

    def set_board(self, **fields: str) -> Any:
        return self.client.post(f"{self.below}/board/", {"board": "written", **fields})

    def test_a_board_is_chosen_by_its_drawing_or_its_title(self) -> None:
        page = BeautifulSoup(self.client.get(f"{self.below}/board/").content, "lxml")
        offered = {one.text.strip(): one.input["value"] for one in page.select(".boards label") if one.svg}
        assert len(offered) > len(BOARDS)
        example = page.select_one("#id_written_helptext").text.partition("“")[2].partition("”")[0]
        for typed in (example, "alquerque", "Alquerque: five by five"):
            assert self.set_board(written=typed).status_code == 302, typed
        called = next(title for title in offered if title.startswith("Alquerque: five"))
        assert self.client.post(f"{self.below}/board/", {"board": offered[called]}).status_code == 302
        grid = {"shapes": [{"grid": [5, 5], "diagonals": "alternating"}]}
        assert Evidence.objects.get(pk=self.record.pk).board == canonical_board(grid)

    def test_a_board_is_typed_and_shown(self) -> None:
        refused = self.set_board(written="square_3")
        assert "the nearest is squares_3" in refused.content.decode()
        assert "square_3" in refused.content.decode(), "what was typed is kept"
        assert self.set_board(written=json.dumps(TRIANGLE)).status_code == 302
        self.record.refresh_from_db()
        assert self.record.board == canonical_board(TRIANGLE)
        assert self.record.history.latest().history_change_reason == "Board set in the workshop"
        page = BeautifulSoup(self.client.get(self.record.get_absolute_url()).content, "html.parser")
        places = {place["data-place"] for place in page.select("#board + .worn [data-place]")}
        assert places == {"a1", "b1", "b2", "a1-b1", "b1-b2", "a1-b2"}

    def test_a_board_is_drawn_by_clicks_without_a_draft(self) -> None:
        """A triangle, line by line; the diagonal is undone and drawn again; then it is the record's, and no draft's."""
        address = f"{self.below}/board/draw/"
        link = self.client.get(f"{self.below}/board/").content.decode()
        assert f'href="{address}"' in link
        page = BeautifulSoup(self.client.get(address).content, "html.parser")
        assert {one["id"] for one in page.select(".tools a")} == {"tool-line", "tool-point", "tool-bend", "tool-out"}
        assert "This is no board yet" in page.select_one("#valid").text

        def press(**sent: str) -> BeautifulSoup:
            form = {one["name"]: one.get("value", "") for one in page.select("#strike input[name]")}
            answer = self.client.post(address, {**form, **sent}, follow=True)
            return BeautifulSoup(answer.content, "html.parser")

        refused = press(act="end")
        assert "Type the board" not in refused.text
        assert refused.select_one("[role=alert]") is not None
        for act, at in (
            ("strike", "0,0 1,0"),
            ("strike", "1,0 1,1"),
            ("strike", "0,0 1,1"),
            ("undo", ""),
            ("redo", ""),
        ):
            page = press(act=act, at=at)
        assert "It is a board as it stands." in " ".join(page.select_one("#valid").text.split())
        assert not Evidence.objects.get(pk=self.record.pk).board, "not before it is set"
        assert "saved elsewhere" in press(act="undo", number="0").text
        done = self.client.post(address, {"act": "end", "number": page.select_one("[name=number]")["value"]})
        assert done["Location"] == f"{self.below}/"
        record = Evidence.objects.get(pk=self.record.pk)
        assert record.board == canonical_board(TRIANGLE)
        assert not record.drafts.exists()
        self.client.force_login(self.contributor)
        assert self.client.get(address).status_code == 403

    def test_observations_from_entry_to_being_taken_back(self) -> None:
        early = self.client.get(f"{self.below}/observations/new/", follow=True)
        assert "say first which board it is" in early.content.decode()
        self.set_board(written=json.dumps(TRIANGLE))
        new = f"{self.below}/observations/new/"
        for sent, told in (
            ({}, "Which lines?"),
            ({"places": "a1-b1"}, "Say how worn they are"),
            ({"places": "a1-b1", "than": "a1-b1"}, "cannot be more worn than itself"),
            ({"places": ["a1-b1", "a1"], "grade": "clear"}, "enter one observation of each"),
            ({"places": "a1-b1", "grade": "clear", "source": "parker-1990"}, "The nearest is parker-1909"),
            ({"places": "a1-b1", "grade": "clear", "words": "deeply cut"}, "Whose words are these?"),
        ):
            refused = self.client.post(new, {**SEEN, **sent})
            assert told in refused.content.decode(), told
        assert not self.record.observations.exists()
        first = {**SEEN, "places": ["a1-b1", "b1-b2"], "than": "a1-b2", "source": "parker-1909", "words": "deeper than"}
        assert self.client.post(new, first).status_code == 302
        assert self.client.post(new, {**SEEN, "places": "a1", "grade": "none"}).status_code == 302
        page = self.client.get(self.record.get_absolute_url()).content.decode()
        assert "Not used by wear studies: a grade alone is no order" in " ".join(page.split())
        assert "The lines a1-b1 and b1-b2 are more worn than a1-b2." in page
        assert "The point a1 is not worn." in page
        api = self.client.get(f"/api/v1/evidence/{self.record}/").json()
        assert api["board"]["family"] == "points"
        assert [(one["number"], one["of"], one["than"]) for one in api["observations"]] == [
            (1, "lines", ["a1-b2"]),
            (2, "points", []),
        ]
        keeps = self.set_board(written=json.dumps({"points": {"a": [0, 0], "b": [1, 0]}, "lines": ["a b"]}))
        assert "Observation 1 is of b1-b2, which this board does not have" in keeps.content.decode()
        changed = {**SEEN, "places": "a1", "grade": "strong"}
        assert self.client.post(f"{self.below}/observations/2/", changed).status_code == 302
        back = f"{self.below}/observations/2/take-back/"
        assert self.client.post(back, {"reason": ""}).status_code == 400
        assert self.client.post(back, {"reason": "It was another board"}).status_code == 302
        assert self.client.post(new, {**SEEN, "places": "b1", "grade": "slight"}).status_code == 302
        assert list(self.record.observations.values_list("number", flat=True)) == [1, 3], "no number is given twice"
        history = self.client.get(f"/history/record/{self.record}/").content.decode()
        for told in ("Observation 2", "It was another board"):
            assert told in history

    def test_who_may_not_enter_is_refused(self) -> None:
        self.client.force_login(self.contributor)
        for rest in ("board/", "observations/new/"):
            assert self.client.get(f"{self.below}/{rest}").status_code == 403

    def test_the_surest_observation_is_drawn(self) -> None:
        self.record.board = canonical_board(TRIANGLE)
        rows = [seen(1, ["a1-b1"], "strong"), seen(2, ["a1-b1"], "none", certainty="doubtful")]
        drawn = str(draw_observed(self.record, rows))
        assert 'stroke-width="11.0" stroke-opacity="1.00"' in drawn
        assert "<title>a1-b1: observation 2, observation 1</title>" in drawn
