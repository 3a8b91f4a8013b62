"""A replay in a real browser: keys, slider and list step through it, and without JavaScript every turn is a page."""

from typing import ClassVar

import pytest
from django.test import LiveServerTestCase
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from simulator.batches.service import request_batch
from simulator.engine.replay_slices import SLICE
from simulator.models import Batch
from tests.browser.test_pages_in_a_browser import PATIENCE, browser, pytestmark
from tests.catalogue.page_world import load_catalogue

__all__ = ["pytestmark"]


class ReplayInABrowser(LiveServerTestCase):
    driver: ClassVar[Chrome]

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.driver = cls.enterClassContext(browser())

    def setUp(self) -> None:
        load_catalogue()
        self.batch = Batch.objects.get()
        self.address = f"{self.live_server_url}/batches/{self.batch.id}/games/0/"

    def title(self, driver: Chrome) -> str:
        drawn = driver.find_element(By.CSS_SELECTOR, "figure.board svg title")
        return str(driver.execute_script("return arguments[0].textContent", drawn))

    def wait_for_turn(self, driver: Chrome, turn: int) -> None:
        wanted = f"The board after turn {turn}" if turn else "The board before the first move"
        waiting = WebDriverWait(driver, PATIENCE, ignored_exceptions=(Exception,))
        waiting.until(lambda shown: self.title(shown) == wanted, f"never saw “{wanted}”")

    def board(self, driver: Chrome) -> str:
        return str(driver.find_element(By.CSS_SELECTOR, "figure.board").get_attribute("innerHTML"))

    def test_keys_slider_and_list_show_what_each_turns_own_address_shows(self) -> None:
        driver = self.driver
        driver.get(self.address)
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
            self.wait_for_turn(driver, turn)
            assert driver.current_url.endswith(f"?turn={turn}")
        slider = driver.find_element(By.CSS_SELECTOR, "input[type=range]")
        driver.execute_script(
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))", slider, SLICE + 2
        )
        self.wait_for_turn(driver, SLICE + 2)
        driver.find_element(By.CSS_SELECTOR, f"[data-index] a[href='?turn={SLICE + 3}']").click()
        self.wait_for_turn(driver, SLICE + 3)
        assert driver.execute_script("return window.sameDocument")
        stepped = self.board(driver), driver.find_element(By.CSS_SELECTOR, "[data-turn-summary]").text
        driver.refresh()
        assert (self.board(driver), driver.find_element(By.CSS_SELECTOR, "[data-turn-summary]").text) == stepped
        current = driver.find_element(By.CSS_SELECTOR, "[data-index] [aria-current]")
        assert current.get_attribute("data-turn") == str(SLICE + 3)

    def test_a_narrow_window_holds_the_boards_of_all_families(self) -> None:
        driver = self.driver
        size = {"width": 360, "height": 800, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        for slug in ("daramuti-parker", "hat-diviyan-keliya-dlp", "sokkattan-dlp"):
            batch = request_batch(slug, games=1, announce=False)
            driver.get(f"{self.live_server_url}/batches/{batch.id}/games/0/?turn=5")
            assert driver.execute_script("return document.documentElement.scrollWidth") <= 360, slug
            assert self.title(driver) == "The board after turn 5"

    @pytest.mark.thorough
    def test_without_javascript_every_turn_is_a_page(self) -> None:
        with browser(javascript=False) as driver:
            driver.get(self.address)
            driver.find_element(By.LINK_TEXT, "on →").click()
            self.wait_for_turn(driver, 1)
            driver.find_element(By.LINK_TEXT, "Later turns").click()
            self.wait_for_turn(driver, SLICE + 1)
            field = driver.find_element(By.ID, "turn")
            field.clear()
            field.send_keys("3", Keys.ENTER)
            self.wait_for_turn(driver, 3)
            assert "The first player takes 7 from 1b" in driver.find_element(By.TAG_NAME, "main").text
            driver.find_element(By.PARTIAL_LINK_TEXT, "DLP.Evidence.692").click()
            assert "/evidence/DLP.Evidence.692/#words." in driver.current_url
