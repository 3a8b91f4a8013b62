"""A record without words becomes a game by its drawing alone, clicked over its picture; a board is drawn by keys alone.

The slab is object 04433 of Heerlen, as Crist et al. 2026 describe it; points, lines and the game are one of the
candidates that they played, "haretavl, starting position, no extension, joined diagonal".
"""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import override_settings
from PIL import Image, ImageDraw
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from catalogue.models import Clause, Draft, Evidence, Game, Reading
from simulator.engine.documents import parse
from tests.browser.browsing import in_a_browser
from tests.browser.making import MakerInABrowser

pytestmark = in_a_browser
MOST_KEYS, MOST_TABS = 200, 120
POINTS = ((0, 0), (2, 0), (4, 0), (0, 1), (4, 1), (4, 1.5), (4, 2.5), (0, 1.5), (0, 2.5), (2, 2.5))
LINES = [(0, 1), (1, 2), (0, 3), (2, 4), (5, 6), (7, 8), (8, 9), (9, 6), (3, 7), (5, 4), (9, 1), (3, 1), (1, 4), (5, 9)]
LINES.append((9, 7))
BY_HAND = {
    "family": "points",
    "board": {
        "points": {f"p{number}": list(place) for number, place in enumerate(POINTS)},
        "lines": [f"p{one} p{other}" for one, other in LINES],
    },
    "first_pieces": 3,
    "second_pieces": 1,
    "first_array": ["p6", "p8", "p9"],
    "second_array": ["p1"],
    "second_stuck": "loses",
}
STEP = 180  # pixels of the picture, which is five steps wide
MIDDLE = (2, 1.25)  # of the slab
# Where the pen goes on the left side, in steps from the middle; the right side follows by symmetry.
STROKES = (
    ((0, -1.25), (-2, -1.25), (-2, 1.25), (0, 1.25), (0, -1.25), (-2, -0.25)),
    ((-2, 0.25), (0, 1.25)),
)
# In steps of the sheet → in pixels of the window.
PLACE = """
const sheet = document.querySelector(".sheet"), { unit, left, high } = sheet.dataset;
sheet.scrollIntoView({ block: "nearest" });
const [x, y] = [(arguments[0] - left) * unit, (high - arguments[1]) * unit];
const at = new DOMPoint(x, y).matrixTransform(sheet.getScreenCTM());
return [Math.round(at.x), Math.round(at.y)];
"""


class PainterInABrowser(MakerInABrowser):
    def setUp(self) -> None:
        super().setUp()
        folder = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="media-")))
        self.enterContext(override_settings(MEDIA_ROOT=str(folder)))
        self.slab = folder / "slab.png"
        picture = Image.new("RGB", (5 * STEP, 620), "#c4beb4")
        pen = ImageDraw.Draw(picture)
        for line in LINES:
            ends = [POINTS[point] for point in line]
            pen.line([((x - 2) * STEP + 450, 310 - (y - 1.25) * STEP) for x, y in ends], fill="#5a5046", width=5)
        picture.save(self.slab)

    def fresh(self, do: Any) -> None:
        """Do something, and wait until the page shows what came of it."""
        self.driver.execute_script("window.before = document.querySelector('#painter')")
        do()
        shown = "return document.querySelector('#painter') && window.before !== document.querySelector('#painter')"
        self.wait(lambda driver: driver.execute_script(shown), "the painter anew")

    def point_to(self, x: float, y: float) -> None:
        """Click the sheet so many steps from its middle. It counts."""
        place = self.driver.execute_script(PLACE, x, y)
        action = ActionChains(self.driver)
        action.w3c_actions.pointer_action.move_to_location(*place)
        action.w3c_actions.pointer_action.click()
        self.fresh(action.perform)
        self.clicks += 1

    def press(self, selector: str) -> None:
        self.fresh(lambda: self.click(selector))

    def choose(self, field: str, value: str) -> None:
        """Choose of a list: one click to open it, one to choose."""
        self.fresh(lambda: Select(self.driver.find_element(By.ID, field)).select_by_value(value))
        self.clicks += 2

    def enter(self) -> None:
        """The record, its source, and its picture."""
        self.show("/workshop/records/new/")
        self.click("[name=without_words]")
        self.type("main [name=source]", "Crist, Walter. 2026. “A Roman board.” Antiquity 100.")
        self.type("main [name=game]", "Slab")
        self.type("main [name=type]", "Artifact")
        self.click("form > p.actions button:last-of-type")
        self.click("[name=save]")
        self.click("a[href$='/pictures/new/']")
        self.driver.find_element(By.NAME, "picture").send_keys(str(self.slab))
        self.click("[name=kind][value=object]")
        self.type("main [name=description]", "A slab with lines.")
        self.type("main [name=origin]", "Heerlen 04433")
        self.click("#id_rights option[value=cc0]")
        self.click("main form button:last-of-type")

    @pytest.mark.thorough
    def test_a_slab_becomes_a_game_by_its_drawing_alone(self) -> None:
        self.log_in()
        self.enter()
        self.click("a.button[href^='/workshop/begin/']")
        self.click("input[name=family][value=points]")
        self.click("main form.column button")
        self.wait_for("Begin with a figure")
        assert self.driver.find_elements(By.CSS_SELECTOR, ".sheet image.under")
        wide = self.driver.find_element(By.ID, "wide")
        self.fresh(lambda: wide.send_keys(Keys.END, Keys.BACKSPACE, "5", Keys.TAB))
        self.keys += 4
        self.choose("snap", "1/4")
        self.choose("symmetry", "sides")
        for path in STROKES:
            for place in path:
                self.point_to(*place)
            self.point_to(*path[-1])
        self.press("#tool-first")
        self.point_to(-2, 1.25)
        self.point_to(0, 1.25)
        self.press("#tool-second")
        self.point_to(0, -1.25)
        assert "10 points, 15 pieces of line, 9 lines" in self.read(".sheet desc")
        told = "a4, 2 left and 1.25 up: joined to a3, b4; the first player stands here"
        assert told in self.read("#in-words")
        assert "The second player stands on b1" in self.read("#heard")
        self.press('.founded button[value="drawn"]')
        self.press('.founded button[value="conjecture"]')
        assert self.driver.get_log("browser") == []
        self.click(".painter-head a")
        self.wait_for("its drawing is its text")
        Select(self.driver.find_element(By.ID, "id_find")).select_by_value("second_stuck")
        self.clicks += 2
        self.click('#offers button[value="second_stuck=loses"]')
        self.wait_for("The second player loses when he has no move")
        assert parse(self.draft.document).hash == parse(BY_HAND).hash
        self.finish()
        clause = Clause.objects.get(reading=Reading.objects.get(), slug="board")
        assert (clause.basis, clause.text.rpartition("\n")[2]) == (
            "drawn", f"So it is drawn in picture 1 of {Evidence.objects.get().identifier}.",
        )  # fmt: skip
        assert self.keys <= MOST_KEYS, self.keys

    def test_a_board_is_drawn_by_keys_alone(self) -> None:
        self.log_in()
        self.drawn_by_keys()
        assert "The second player stands on b2" in self.read("#heard")

    def test_a_board_is_drawn_without_scripts(self) -> None:
        with self.without_scripts():
            self.log_in()
            self.drawn_by_keys()

    def drawn_by_keys(self) -> None:
        """A board drawn, undone and set up by a keyboard; nothing is clicked."""
        game = Game.objects.create(slug="tried", name="Tried")
        draft = Draft.objects.create(game=game, maker=User.objects.get(), document={"family": "points"})
        self.show(f"/workshop/drafts/{draft.key}/board/")
        self.keyed("at", "-1,-1 1,-1 1,1 -1,1 -1,-1", Keys.ENTER)
        self.wait_for("4 points, 4 pieces of line")
        self.keyed("at", "-1,-1 1,1", Keys.ENTER)
        self.wait_for("4 points, 5 pieces of line")
        self.keyed("undo", Keys.ENTER)
        self.wait_for("The last change is undone")
        self.keyed("at", "a1 0,0 b2", Keys.ENTER)
        self.wait_for("5 points, 6 pieces of line")
        self.keyed("tool-first", Keys.ENTER)
        self.wait_for("First player: do it there")
        self.keyed("at", "a1 c1", Keys.ENTER)
        self.wait_for("The first player stands on a1, c1")
        self.keyed("tool-second", Keys.ENTER)
        self.wait_for("Second player: do it there")
        self.keyed("at", "b3", Keys.ENTER)
        self.wait_for("No point is called b3; nearest: ")
        self.keyed("at", Keys.END, Keys.BACKSPACE, "2", Keys.ENTER)
        self.wait_for("It can be played as it stands: board of 5 points")
        draft.refresh_from_db()
        assert (draft.document["first_pieces"], draft.document["second_array"]) == (2, ["b2"])
        assert self.overflow() <= 0

    def keyed(self, id: str, *keys: str) -> None:
        """Go to an element with the tabulator, as far as it takes, and press these keys."""
        for _ in range(MOST_TABS):
            if self.driver.switch_to.active_element.get_attribute("id") == id:
                break
            ActionChains(self.driver).send_keys(Keys.TAB).perform()
        else:
            raise AssertionError(f"the tabulator does not lead to {id}")
        ActionChains(self.driver).send_keys(*keys).perform()

    def read(self, selector: str) -> str:
        return str(self.driver.find_element(By.CSS_SELECTOR, selector).get_attribute("textContent"))
