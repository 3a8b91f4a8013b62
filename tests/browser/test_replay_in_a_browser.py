"""A replay in a real browser: keys, slider and list step through it, and without JavaScript every turn is a page."""

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from simulator.batches.service import request_batch
from simulator.engine.replay import SLICE
from simulator.models import Batch
from tests.browser.browsing import BrowserTestCase, in_a_browser

pytestmark = in_a_browser


class ReplayInABrowser(BrowserTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.batch = Batch.objects.get()
        self.address = f"/batches/{self.batch.id}/games/0/"

    def title(self) -> str:
        drawn = self.driver.find_element(By.CSS_SELECTOR, "figure.board svg title")
        return str(self.driver.execute_script("return arguments[0].textContent", drawn))

    def wait_for_turn(self, turn: int) -> None:
        wanted = f"The board after turn {turn}" if turn else "The board before the first move"
        self.wait(lambda _: self.title() == wanted, f"“{wanted}”")

    def board(self) -> str:
        return str(self.driver.find_element(By.CSS_SELECTOR, "figure.board").get_attribute("innerHTML"))

    def test_keys_slider_and_list_show_the_page_of_each_turn(self) -> None:
        driver = self.driver
        self.show(self.address)
        driver.execute_script("window.sameDocument = true")
        body = driver.find_element(By.TAG_NAME, "body")
        last = int(str(driver.find_element(By.CSS_SELECTOR, "[data-last]").get_attribute("data-last")))
        assert last > 2 * SLICE
        steps = (
            (Keys.ARROW_RIGHT, 1),
            (Keys.ARROW_RIGHT, 2),
            (Keys.ARROW_LEFT, 1),
            (Keys.END, last),
            (Keys.ARROW_LEFT, last - 1),
            (Keys.HOME, 0),
        )
        for key, turn in steps:
            body.send_keys(key)
            self.wait_for_turn(turn)
            assert driver.current_url.endswith(f"?turn={turn}")
        slider = driver.find_element(By.CSS_SELECTOR, "input[type=range]")
        driver.execute_script(
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))", slider, SLICE + 2
        )
        self.wait_for_turn(SLICE + 2)
        driver.find_element(By.CSS_SELECTOR, f"[data-index] a[href='?turn={SLICE + 3}']").click()
        self.wait_for_turn(SLICE + 3)
        assert driver.execute_script("return window.sameDocument")
        stepped = self.board(), driver.find_element(By.CSS_SELECTOR, "[data-turn-summary]").text
        driver.refresh()
        assert (self.board(), driver.find_element(By.CSS_SELECTOR, "[data-turn-summary]").text) == stepped
        current = driver.find_element(By.CSS_SELECTOR, "[data-index] [aria-current]")
        assert current.get_attribute("data-turn") == str(SLICE + 3)

    @pytest.mark.thorough
    def test_it_plays_by_itself_unless_motion_is_unwanted(self) -> None:
        driver = self.driver
        self.show(self.address)
        body, caption = (driver.find_element(By.CSS_SELECTOR, one) for one in ("body", "[data-caption]"))
        last = int(str(driver.find_element(By.CSS_SELECTOR, "[data-last]").get_attribute("data-last")))
        play = driver.find_element(By.CSS_SELECTOR, "[data-by-itself] button")
        driver.execute_script("document.getElementById('pace').selectedOptions[0].value = 400")
        play.send_keys(Keys.ENTER)
        self.wait_for_turn(2)
        assert (play.text, caption.get_attribute("aria-live")) == ("Pause", "off")
        body.send_keys(Keys.HOME)
        self.wait_for_turn(0)
        assert (play.text, caption.get_attribute("aria-live")) == ("Play", "polite")
        self.show(f"{self.address}?turn={last - 2}")
        driver.execute_script("localStorage.setItem('pace', 'off')")
        driver.execute_script("document.getElementById('pace').selectedOptions[0].value = 20")
        driver.find_element(By.CSS_SELECTOR, "[data-by-itself] button").click()
        self.wait(lambda now: now.find_element(By.CSS_SELECTOR, "[data-by-itself] [role=status]").text == "The end.")
        self.wait_for_turn(last)
        still = {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", still)
        try:
            self.wait(lambda now: not now.find_element(By.CSS_SELECTOR, "[data-by-itself]").is_displayed())
        finally:
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})

    @pytest.mark.thorough
    def test_a_narrow_window_holds_the_boards_of_all_families(self) -> None:
        for slug in ("daramuti-parker", "hat-diviyan-keliya-dlp", "sokkattan-dlp"):
            batch = request_batch(slug, games=1, announce=False)
            self.show(f"/batches/{batch.id}/games/0/?turn=5", 360)
            assert self.overflow() <= 0, slug
            assert self.title() == "The board after turn 5"

    @pytest.mark.thorough
    def test_without_javascript_every_turn_is_a_page(self) -> None:
        driver = self.driver
        with self.without_scripts():
            self.show(self.address)
            driver.find_element(By.LINK_TEXT, "on →").click()
            self.wait_for_turn(1)
            driver.find_element(By.LINK_TEXT, "Later turns").click()
            self.wait_for_turn(SLICE + 1)
            field = driver.find_element(By.ID, "turn")
            field.clear()
            field.send_keys("3", Keys.ENTER)
            self.wait_for_turn(3)
            assert "The first player takes 7 from 1b" in driver.find_element(By.TAG_NAME, "main").text
            driver.find_element(By.PARTIAL_LINK_TEXT, "DLP.Evidence.692").click()
            assert "/evidence/DLP.Evidence.692/#words." in driver.current_url
