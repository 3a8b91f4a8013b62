"""The board painter by its forms, as a script sends clicks, and as hands do by keyboard."""

import io
import json
import random
from contextlib import suppress
from typing import Any, ClassVar

import pytest
from bs4 import BeautifulSoup
from django.http import HttpResponse
from PIL import Image

from catalogue.models import Evidence, Picture
from catalogue.workshop import checking
from catalogue.workshop.board import ACTS, PAINTED, PAINTERS
from catalogue.workshop.encoding import encode_apart
from catalogue.workshop.painter.look import Look, WrongPlace
from catalogue.workshop.pictures import keep
from simulator.engine.boards.drawings import WrongFigure
from simulator.engine.documents import parse
from tests.catalogue.page_world import CatalogueTestCase
from tests.catalogue.test_workshop import RECORD, Maker

FORMS, DOCUMENTS = 20, 60  # hostile ones
WORDS = ("a1", "0,0", "1e9,nan", "-3,2", "b2 c3", "<script>", "z999", ",", "9,9 9,9", "\x00", "a1-z99", "1,1,1")
KEYS = ("board", "first_array", "regions", "seats", "circuits", "owners", "start", "rows", "holes_per_row")
VALUES: tuple[Any, ...] = (
    *(None, [], {}, "x", -1, 10**9, ["a1"], {"castle": "a1"}, [{"holes": "a1"}]),
    *(
        {"points": []},
        {"points": {"a1": 3}},
        {"lines": ["a1 a1"]},
        {"shapes": [{"grid": [99, 99]}]},
        {"shapes": "grid"},
    ),
    *({"squares": {"a1": [0, 0]}, "tracks": 3}, {"rows": ["a1-a9"], "tracks": {"2": ["a1", "b9"]}}),
)
STRANGE = {
    "at": WORDS,
    "way-1": WORDS,
    "start": WORDS,
    "symmetry": ("off", "quarters", "?"),
    "kind": ("grid", "rings", "star"),
    "one": "0359",
    "two": "3",
    "wide": ("nan", "1e99", "5"),
    "shape": ("", "0", "77"),
    "set.rows": ("2", "x", "-1"),
    "figure": "1",
    "name": ("castle",),
    "count": "2",
    "key": ("board",),
    "basis": ("drawn",),
    "pointed": "1",
}


class Painter(Maker):
    """Somebody at the painter's page."""

    def paint(self, act: str, status: int = 302, **given: Any) -> HttpResponse:
        sent = {"act": act, "number": self.draft.number, **given}
        answer = self.client.post(f"{self.address}board/", sent)
        assert answer.status_code == status, BeautifulSoup(answer.content, "html.parser").main.text[:900]
        return answer

    def draw(self, at: str, tool: str = "line", status: int = 302, **look: Any) -> HttpResponse:
        return self.paint("strike", status, at=at, tool=tool, **look)

    def click(self, at: str, tool: str = "line", **look: Any) -> HttpResponse:
        return self.paint("strike", at=at, tool=tool, pointed="1", **look)

    @property
    def document(self) -> dict[str, Any]:
        return self.draft.document


def soup(answer: HttpResponse) -> BeautifulSoup:
    return BeautifulSoup(answer.content, "html.parser")


class BoardPainterTests(CatalogueTestCase):
    picture: ClassVar[Picture]

    def begun(self, family: str = "points", role: str = "") -> Painter:
        ada = Painter(role)
        ada.begin(family=family)
        return ada

    def test_a_figure_is_taken_and_drawn_on(self) -> None:
        ada = self.begun()
        page = ada.look("board/")
        assert "Nothing is drawn yet" in page.select_one("#in-words").text
        titles = [one.text.strip() for one in page.select("#gallery .figure")]
        ada.paint("figure", figure=titles.index("Plain grid, five by five"))
        ada.draw("a1 e5")
        ada.draw("c3", "first")
        ada.draw("a1 e1", "second")
        ada.draw("e1", "second")
        assert ada.document["first_array"] == ["c3"]
        assert (ada.document["second_array"], ada.document["second_pieces"]) == (["a1"], 2)
        ruleset = parse(ada.document)
        assert len(ruleset.document["board"]["points"]) == 25
        page = ada.look("board/")
        assert "It can be played as it stands: board of 25 points" in page.select_one("#valid").text
        told = next(one.text for one in page.select(".told li") if one.text[:2] == "c3")
        assert told == "c3, in the middle: joined to b2, c2, b3, d3, c4, d4; the first player stands here."
        assert page.select_one('.sheet [data-at="c3"] .side-0')
        ada.paint("undo")
        ada.paint("undo")
        ada.paint("undo")
        assert "first_array" not in ada.document
        ada.paint("redo")
        assert ada.document["first_array"] == ["c3"]
        ada.paint("redo")
        ada.paint("redo")
        ada.paint("redo", 400)

    def test_clicks_draw_a_line_that_goes_on_until_it_is_ended(self) -> None:
        ada = self.begun()
        first = ada.click("-2.04,0.97")
        assert "start=a1" in first["Location"]
        then = ada.click("0.1,1.1", start="a1")
        assert "start=b1" in then["Location"]
        ended = ada.click("b1", start="b1")
        assert "start" not in ended["Location"]
        assert ada.document["board"]["points"] == {"a1": [-2, 1], "b1": [0, 1]}
        assert ada.document["board"]["lines"] == ["a1 b1"]
        ada.click("0.3,0.9", "first")  # near a point it means the point
        assert ada.document["first_array"] == ["b1"]
        ada.click("-2,-1", "point", symmetry="sides")
        assert ada.document["first_array"] == ["b2"]  # the same point, called otherwise by now
        ada.draw("b2", "out")
        assert "first_array" not in ada.document

    def test_shapes_are_placed_turned_and_joined(self) -> None:
        ada = self.begun()
        ada.paint("shape", kind="grid", one="5", two="5", joins="alternating")
        for turn, at in ((0, "0,-3"), (90, "3,0"), (180, "0,3"), (270, "-3,0")):
            ada.paint("shape", kind="triangle", one="3", two="3", at=at, turn=turn)
        assert checking.checked({**ada.document, "first_pieces": 1, "second_pieces": 1}).ruleset is not None
        assert parse({**ada.document, "first_pieces": 1, "second_pieces": 1}).document["board"] == "alquerque_triangles"
        ada.paint("shape", shape="4", leave="yes")
        assert len(ada.document["board"]["shapes"]) == 4
        ada.paint("shape", shape="1", kind="triangle", one="4", two="3", at="0,-3.5")
        assert ada.document["board"]["shapes"][1] == {"triangle": 4, "lines": 3, "at": [0, -3.5]}
        ada.click("0.04,-3.4", "shape", count="2")
        assert ada.document["board"]["shapes"][1]["at"] == [0, -3.5]
        bob = self.begun()
        bob.paint("shape", kind="grid", one="8", two="8", joins="dark")
        assert bob.look("board/").select_one("#joins-0 option[selected]")["value"] == "dark"
        assert parse({**bob.document, "first_pieces": 1, "second_pieces": 1}).document["board"] == "chequered_8"
        wrong = ada.paint("shape", 400, kind="cross", one="3", two="4", at="1,1")
        page = soup(wrong)
        assert "Nearest valid: [3, 5]" in page.select_one("#did").text
        assert page.select_one("#at-")["value"] == "1,1"
        for strange in ({"kind": "knot"}, {"one": "many"}, {"at": "here"}, {"turn": "left"}, {"scale": "0"}):
            ada.paint("shape", 400, **{"kind": "grid", "one": "3", "two": "3", **strange})

    def test_regions_follow_their_points(self) -> None:
        ada = self.begun()
        ada.paint("shape", kind="grid", one="3", two="3")
        ada.paint("fields", **{"set.first_pieces": "2", "set.second_pieces": "3"})
        ada.draw("b2", "region", 400)
        ada.draw("a1 b2", "region", name="castle")
        ada.draw("-3,0 a2")
        assert ada.document["regions"] == {"castle": ["b1", "c2"]}
        ada.draw("b1 c2", "region", name="castle")
        assert "regions" not in ada.document

    def test_a_track_is_clicked_square_by_square(self) -> None:
        ada = self.begun("race")
        ada.click("-3.4,1.2", "block")
        ada.click("4,-1", "block", start="-3,1")
        ada.draw("a5-a6 c5-c6", "square")
        ada.draw("a4-a1 b1-b8 a8-a7", "way-1", symmetry="ends")
        ada.draw("a1 b4 a7", "mark", symmetry="ends", name="rosette")
        assert ada.document["board"]["tracks"] == {"2": ["a4-a1 b1-b8 a8 a7", "c4-c1 b1-b8 c8 c7"]}
        ada.paint("fields", **{"set.seats": "2", "set.pieces": "7"})
        by_hand = {
            "rows": ["a1-a4 . . a7-a8", "b1-b8", "c1-c4 . . c7-c8"],
            "tracks": {"2": ["a4-a1 b1-b8 a8-a7", "c4-c1 b1-b8 c8-c7"]},
            "marks": {"rosette": ["a1", "c1", "b4", "a7", "c7"]},
        }
        thrown = {"dice": 1, "die_faces": [1, 3, 4, 6]}
        played = parse({**ada.document, **thrown})
        assert played.hash == parse({"family": "race", "board": by_hand, "seats": 2, "pieces": 7, **thrown}).hash
        page = ada.look("board/", tool="way-1")
        assert page.select_one("#typed-way-1").text.strip() == "a4-a1 b1-b8 a8 a7"
        assert "player 2 treads 14 squares: c4-c1 b1-b8 c8 c7" in page.select_one("#in-words").text
        ada.paint("ways", **{"way-1": "a4-a1", "way-2": "c4-c1", "home_row": "1"})
        wrong = ada.paint("ways", 400, **{"way-1": "a4-a9", "way-2": "c4-c1"})
        assert "No square is called a5; nearest: " in soup(wrong).select_one("#did").text
        assert soup(wrong).select_one("#typed-way-1").text.strip() == "a4-a9"
        ada.draw("a9", "way-1", 400)
        ada.draw("b1", "way-3", 400)
        ada.paint("ways", **{"way-1": "a4-a1", "way-2": "c4-c2"})
        assert "all ways are equally long" in ada.look("board/").select_one("#valid").text

    def test_squares_keep_the_names_that_others_gave_them(self) -> None:
        ada = self.begun("race")
        for board in (
            {"rows": ["a3 b3", "a2 b2", "a1 b1"], "tracks": {"2": ["a1-a3", "b1-b3"]}},  # files and ranks
            {"rows": ["q1 r7"], "tracks": {"2": ["q1 r7", "r7 q1"]}},
        ):
            ada.paint("document", text=json.dumps({"board": board, "seats": 2}))
            ada.draw("3,3", "square")
            ada.draw("3,3", "square")
            named = [name for row in board["rows"] for name in row.split()]
            assert sorted(ada.document["board"]["squares"]) == sorted(named)
            assert ada.document["board"]["tracks"] == board["tracks"]

    def test_holes_are_set_by_numbers_and_clicks(self) -> None:
        ada = self.begun("sowing")
        ada.draw("a1", "start", 400)
        ada.paint("fields", **{"set.rows": "4", "set.holes_per_row": "8", "set.counters_per_hole": "2"})
        ada.draw("a1-a8 b8-b1", "way-1")
        ada.draw("d8-d1 c1-c8", "way-2")
        ada.click("c3", "way-2")  # what comes behind it goes
        assert ada.document["circuits"] == ["a1-a8 b8-b1", "d8-d1 c1-c2"]
        ada.draw("c3-c8", "way-2")
        ada.draw("a1-a4 d5-d8", "start", count="0")
        ada.click("a4", "start", count="2")
        assert ada.document["start"] == [{"holes": ["a1-a3", "d8-d5"], "counters": 0}]
        ada.click("c1", "owner-1")
        assert "c1" in ada.document["owners"][0].split()
        page = ada.look("board/")
        assert "Circuit 2 is sown along d8-d1 c1-c8" in page.select_one("#in-words").text
        ada.paint("strike", 400, tool="start", at="9.5,9.5", pointed="1")

    def test_what_is_typed_is_told_where_it_is_wrong_and_kept(self) -> None:
        ada = self.begun()
        for text, why in (
            ('{"board": ', "line 1, column 11"),
            ("[1]", "The document is an object"),
            ('{"bord": {}}', "nearest: “board”"),
        ):
            page = soup(ada.paint("document", 400, text=text))
            assert why in page.select_one("#did").text
            assert page.select_one("#text").text.strip() == text.strip()
        figure = {"points": {"a1": [0, 0], "b1": [1, 0]}, "lines": ["a1 b2"]}
        ada.paint("document", text=json.dumps({"board": figure, "first_pieces": 1, "second_pieces": 1}))
        page = ada.look("board/")
        assert "the figure has no point b2. Nearest valid: " in page.select_one("#valid").text
        assert '"a1 b2"' in page.select_one("#text").text
        refused = ada.draw("2,2", status=400)
        assert soup(refused).select_one("#at")["value"] == "2,2"
        ada.paint("repair")
        assert checking.checked(ada.document).ruleset is not None
        assert "No point is called a9; nearest: a1" in soup(ada.draw("a9", status=400)).select_one("#did").text
        assert "1000 steps" in soup(ada.draw("9999,0", status=400)).select_one("#did").text
        for act, given in (("figure", {"figure": "99"}), ("no such", {}), ("ways", {}), ("rest", {"basis": "drawn"})):
            ada.paint(act, 400, **given)

    def test_of_two_that_save_at_once_the_second_is_told(self) -> None:
        ada = self.begun()
        before = ada.draft.number
        ada.draw("0,0 1,0")
        answer = ada.paint("strike", 409, number=before, at="0,0 0,1", tool="line")
        page = soup(answer)
        assert "saved elsewhere" in page.select_one("#did").text
        assert page.select_one("#at")["value"] == "0,0 0,1"
        bob = Painter()
        assert bob.client.get(f"{ada.address}board/").status_code == 404
        assert bob.client.post(f"{ada.address}board/", {"act": "undo"}).status_code == 404

    def test_a_board_that_the_record_draws_rests_on_its_picture(self) -> None:
        record = Evidence.objects.get(identifier=RECORD)
        sent = io.BytesIO()
        Image.new("RGB", (90, 60), "white").save(sent, "PNG")
        Picture.objects.create(
            evidence=record, number=1, kind="drawing", description="A square with both diagonals.",
            origin="Tried", rights="cc0", **keep(encode_apart(sent.getvalue())),
        )  # fmt: skip
        ada = self.begun(role="editor")
        over = {"picture": f"{RECORD}:1", "opacity": "40", "wide": "6", "right": "1"}
        page = ada.look("board/", **over)
        image = page.select_one(".sheet image")
        assert (image["opacity"], image["href"][:10]) == ("0.4", "/pictures/")
        hidden = {one["name"]: one["value"] for one in page.select("#strike input[type=hidden]")}
        assert {name: hidden[name] for name in over} == over
        ada.draw("0,0 1,0 1,1 0,1 0,0", **over)
        assert page.select('.founded button[value="drawn"]') == []
        assert ada.look("board/").select_one('.founded button[value="drawn"]')
        ada.paint("fields", **{"set.first_pieces": "1", "set.second_pieces": "1"})
        ada.paint("rest", basis="drawn", key="board", **over)
        ada.paint("rest", basis="conjecture", key=["first_pieces", "second_pieces"])
        clause = ada.draft.clauses[0]
        assert (clause["parameters"], clause["basis"]) == (["board"], "drawn")
        assert f"So it is drawn in picture 1 of {RECORD}." in clause["text"]
        assert ada.look("board/").select_one(".founded") is None
        ada.draw("0,0 1,1")
        assert ada.draft.clauses[0]["text"] != clause["text"]
        assert "picture 1" in ada.draft.clauses[0]["text"]
        about = {"do": "publish", "title": "T", "authority": "tried", "kind": "interpretation", "summary": "S.",
                 "encoded_by": "Ada"}  # fmt: skip
        assert "it is drawn, and no record has" not in ada.look("publish/").text
        Picture.objects.update(taken_down_on="2026-11-28", taken_down_reason="Tried.")
        assert "it is drawn, and no record has a picture of it" in ada.look("publish/").text
        Picture.objects.update(taken_down_on=None)
        published = ada.client.post(f"{ada.address}publish/", about)
        assert published["Location"] == "/rulesets/puhulmutu-tried/", soup(published).main.text[:900]
        assert "drawn" in soup(ada.client.get("/rulesets/puhulmutu-tried/")).main.text

    @pytest.mark.thorough
    def test_hostile_forms_are_refused_in_words(self) -> None:
        numbers = random.Random(87)
        for family, painter in PAINTERS.items():
            ada = self.begun(family)
            for _ in range(FORMS):
                text = json.dumps({numbers.choice(KEYS): numbers.choice(VALUES)})
                pairs = {name: numbers.choice(words) for name, words in STRANGE.items()}
                tool = numbers.choice(list(painter.TOOLS))
                sent = {
                    "act": numbers.choice(list(ACTS)),
                    "number": ada.draft.number,
                    "tool": tool,
                    "text": text,
                    **pairs,
                }
                before = ada.document
                answer = ada.client.post(f"{ada.address}board/", sent)
                assert answer.status_code in (302, 400), sent
                if answer.status_code == 400:
                    assert ada.document == before, sent
                    continue  # the pages of that document were asked for already
                assert ada.client.get(f"{ada.address}board/", {"tool": tool}).status_code == 200, ada.document
                assert ada.client.get(ada.address).status_code == 200, ada.document


@pytest.mark.parametrize("family", PAINTERS)
def test_whatever_stands_in_a_document_is_drawn_or_told(family: str) -> None:
    numbers, painter = random.Random(87), PAINTERS[family]
    for _ in range(DOCUMENTS):
        document = {"family": family} | {
            key: numbers.choice(VALUES) for key in PAINTED[family] if numbers.random() < 0.6
        }
        sent = {name: numbers.choice(words) for name, words in STRANGE.items()}
        look = Look.read({**sent, "tool": numbers.choice(list(painter.TOOLS))}, painter.TOOLS, **painter.USUAL)
        assert painter.sheet(document, look, None).startswith("<svg")
        assert all(isinstance(one, str) for one in painter.told(document))
        assert set(painter.tools(document)) <= set(painter.TOOLS)
        with suppress(WrongPlace, WrongFigure):
            painter.strike(document, look, sent["at"], numbers.random() < 0.5)
