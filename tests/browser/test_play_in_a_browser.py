"""A whole game of each family in a real browser, by mouse and by keyboard; and one without JavaScript."""

from unittest import mock

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from simulator import rulesets
from simulator.batches import levels
from simulator.engine import shipped
from simulator.models import Reply
from tests.browser.browsing import BrowserTestCase, in_a_browser

pytestmark = in_a_browser
MOST_MOVES = 60
# Whether the page shows another position than the one with so many plies, or the end of the game.
PLIES = "return document.querySelector('dl.facts dd:nth-of-type(2)').textContent"


class PlayInABrowser(BrowserTestCase):
    """Against `random`, who needs no worker, on a board that does not move unless the test says so."""

    def setUp(self) -> None:
        super().setUp()
        self.motion("reduce")
        self.addCleanup(self.motion, "")

    def motion(self, wish: str) -> None:
        """What the reader wishes of motion: "reduce", or nothing."""
        features = [{"name": "prefers-reduced-motion", "value": wish}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def play(self, name: str, players: str = "you,random", seed: int = 1, moves: str = "", width: int = 1400) -> None:
        asked = f"players={players}&seed={seed}" + (f"&moves={moves}" if moves else "")
        self.show(f"/rulesets/{name}/play-a-game/?{asked}", width)

    def what_if(self, name: str, **changes: str) -> str:
        return str(rulesets.save(rulesets.find(name, changes)).hash)

    def is_over(self) -> bool:
        return "The game is over." in self.driver.find_element(By.CSS_SELECTOR, ".standing").text

    def play_out(self, most_places: int = 2) -> int:
        """Play the first of the moves there are to the end, by mouse and by keyboard in turn; returns how many.

        most_places: of a move that have to be pointed to
        """
        driver = self.driver
        for played in range(MOST_MOVES):
            if self.is_over():
                return played
            plies = driver.execute_script(PLIES)
            first = driver.find_element(By.CSS_SELECTOR, "[data-moves] [data-places]")
            names = first.get_attribute("data-places").split()
            if names:
                point = self.press if played % 2 else self.click
                for name in names[:most_places]:
                    point(name)
            else:
                first.click()  # a pass has no place
            self.wait(lambda now, plies=plies: now.execute_script(PLIES) != plies, f"a move after {plies}")
        raise AssertionError(f"the game did not end in {MOST_MOVES} moves")

    def place(self, name: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, f"[data-board] [data-place='{name}']")

    def click(self, name: str) -> None:
        ActionChains(self.driver).move_to_element(self.place(name)).click().perform()

    def press(self, name: str) -> None:
        self.driver.execute_script("arguments[0].focus()", self.place(name))
        self.driver.switch_to.active_element.send_keys(Keys.ENTER)

    def test_a_sowing_game_by_mouse_and_by_keyboard(self) -> None:
        name = self.what_if("kalah-reference", holes_per_row="3", counters_per_hole="2")
        self.play(name)
        assert self.play_out() >= 3

    def test_counters_are_dropped_hole_by_hole_and_nothing_jumps(self) -> None:
        """Kalah, 4 from c: one each into d, e, f and the store; whoever points to the board meanwhile ends the show."""
        driver = self.driver
        self.motion("")
        self.play("kalah-reference", players="you,you", width=375)
        driver.execute_script("scrollTo(0, 60)")
        self.tap("1c")
        self.wait(lambda now: now.find_elements(By.CSS_SELECTOR, ".moving .seeds"))
        self.wait(lambda now: self.counts()["1c"] == "0")  # as soon as they are lifted, and not before
        assert driver.find_elements(By.CSS_SELECTOR, ".moving .seeds")
        self.tap("1a")
        self.wait(lambda now: not now.find_elements(By.CSS_SELECTOR, ".moving"))
        counts = self.counts()
        assert [counts[name] for name in ("1c", "1d", "1e", "1f", "store-1", "2f")] == ["0", "5", "5", "5", "1", "4"]
        assert driver.execute_script("return [scrollY, document.activeElement.dataset.place]") == [60, "1c"]

    def tap(self, name: str) -> None:
        """Click where a place is seen; the driver's own click would scroll it into view first."""
        box = "const box = arguments[0].getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]"
        x, y = self.driver.execute_script(box, self.place(name))
        for kind in ("mousePressed", "mouseReleased"):
            press = {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
            self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", press)

    def counts(self) -> dict[str, str]:
        """How many counters the board shows by place."""
        shown = (
            "[...document.querySelectorAll('[data-board] [data-place]:has(.count)')]"
            ".map((one) => [one.dataset.place, one.querySelector('.count').textContent])"
        )
        return dict(self.driver.execute_script(f"return {shown}"))

    @pytest.mark.thorough
    def test_a_points_game_by_mouse_and_by_keyboard(self) -> None:
        self.play("niranchy-ludovisi", seed=4)
        assert self.play_out() >= 3

    @pytest.mark.thorough
    def test_a_race_game_by_mouse_and_by_keyboard(self) -> None:
        name = self.what_if("pancha-keliya-complex-marin-dice", pieces="1", start_steps="[30]")
        self.play(name)
        assert self.play_out(most_places=1) >= 3

    def test_arrow_keys_reach_places_and_refusals_are_explained(self) -> None:
        driver = self.driver
        self.play("hat-diviyan-keliya-ludovisi", players="you,you", moves="b4.b2")
        self.press("b4")
        assert self.place("b4").get_attribute("aria-label") == "b4: man of the owner of the tiger"
        assert self.place("b3").get_attribute("aria-label") == "b3"
        assert "chosen" in self.place("b4").get_attribute("class")
        driver.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
        assert driver.switch_to.active_element.get_attribute("data-place") == "b3"
        driver.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
        driver.switch_to.active_element.send_keys(Keys.ENTER)
        self.wait(lambda now: "b2 is not vacant." in now.find_element(By.ID, "refused").text)
        assert driver.current_url.endswith("moves=b4.b2")
        self.click("b4")
        self.click("b3")
        self.wait(lambda now: now.current_url.endswith("moves=b4.b2.b4b3"))
        driver.back()
        self.wait(lambda now: now.current_url.endswith("moves=b4.b2"))
        self.wait(lambda now: now.execute_script(PLIES) == "2")

    @mock.patch("simulator.strength.replies.dispatch.notify_of_reply")
    @pytest.mark.thorough
    def test_a_game_against_an_engine_without_javascript(self, announced: mock.Mock) -> None:
        self.play("kalah-reference", players="you,uct:10", moves="da")
        self.wait(lambda now: "is thinking" in now.find_element(By.CSS_SELECTOR, ".standing").text)
        Reply.objects.update(state=Reply.State.DONE, move=4)
        self.wait(lambda now: now.current_url.endswith("moves=da.ca"))
        driver = self.driver
        self.play("kalah-reference")
        driver.find_element(By.LINK_TEXT, "Hint").click()
        self.wait(lambda now: "is thinking about a hint" in now.find_element(By.ID, "advice").text)
        Reply.objects.filter(player=levels.player_of(shipped.load("kalah-reference"), "strong")).update(
            state=Reply.State.DONE, move=0
        )
        self.wait(lambda now: "Strong would play a" in now.find_element(By.ID, "advice").text)
        with self.without_scripts():
            self.play("kalah-reference", players="you,random")
            driver.find_element(By.CSS_SELECTOR, "[data-moves] button[value=da]").click()
            self.wait(lambda now: "moves=da." in now.current_url)
            driver.find_element(By.ID, "typed").send_keys("zz", Keys.ENTER)
            self.wait(lambda now: "names no move" in now.find_element(By.ID, "refused").text)
            driver.find_element(By.LINK_TEXT, "Take back").click()
            self.wait(lambda now: "moves=" not in now.current_url)
