"""The map in a real browser: wheel, drag, buttons, keys and slider show what each view's own address shows."""

from collections.abc import Callable
from typing import ClassVar

import pytest
from django.test import LiveServerTestCase
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from catalogue.models import Evidence, Game, Place
from tests.browser.test_pages_in_a_browser import PATIENCE, browser, pytestmark
from tests.catalogue.page_world import load_catalogue

__all__ = ["pytestmark"]


class MapInABrowser(LiveServerTestCase):
    driver: ClassVar[Chrome]

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.driver = cls.enterClassContext(browser())

    def setUp(self) -> None:
        load_catalogue()
        colombo = Place.objects.create(name="Colombo", slug="colombo", latitude=6.93, longitude=79.85)
        made = Evidence.objects.create(
            identifier="X.1", type="Artifact", game=Game.objects.get(slug="dam"), quotation="A board.", date_edtf="1500"
        )
        made.places.add(colombo)

    def marks(self, driver: Chrome) -> list[str]:
        found = driver.find_elements(By.CSS_SELECTOR, "svg.world .marks a")
        return [str(mark.get_attribute("aria-label")) for mark in found]

    def heading(self, driver: Chrome) -> str:
        return driver.find_element(By.ID, "listed").text

    def wait(self, driver: Chrome, true: Callable[[Chrome], bool], what: str) -> None:
        WebDriverWait(driver, PATIENCE, ignored_exceptions=(Exception,)).until(true, f"never saw {what}")

    def wait_for_marks(self, driver: Chrome, *marks: str) -> None:
        self.wait(driver, lambda shown: self.marks(shown) == list(marks), str(marks))

    def box(self, driver: Chrome) -> list[float]:
        shown = driver.find_element(By.CSS_SELECTOR, "svg.world").get_dom_attribute("viewBox")
        return [float(number) for number in shown.split()]

    def as_its_address_shows_it(self, driver: Chrome) -> None:
        """What was reached by moving is what the address in the bar shows when it is loaded anew."""
        assert driver.execute_script("return window.sameDocument")
        moved = self.marks(driver), self.heading(driver), [round(at) for at in self.box(driver)]
        driver.refresh()
        assert (self.marks(driver), self.heading(driver), [round(at) for at in self.box(driver)]) == moved
        driver.execute_script("window.sameDocument = true")

    @pytest.mark.thorough
    def test_moving_the_map_shows_what_its_address_shows(self) -> None:
        driver = self.driver
        driver.get(f"{self.live_server_url}/map/")
        driver.execute_script("window.sameDocument = true")
        self.wait_for_marks(driver, "Sri Lanka, Colombo: 21 records", "Khasi: 1 record")
        outlines = driver.find_element(By.CSS_SELECTOR, "svg.world .land")
        self.wait(
            driver, lambda _: driver.execute_script("return arguments[0].getBBox().width", outlines) > 19_000, "land"
        )

        driver.find_element(By.CSS_SELECTOR, "svg.world .marks a.cluster circle:last-of-type").click()
        self.wait_for_marks(driver, "Sri Lanka: 20 records", "Colombo: 1 record")
        assert self.heading(driver) == "21 records in this view"
        self.as_its_address_shows_it(driver)

        stage = driver.find_element(By.CSS_SELECTOR, "[data-stage]")
        before = self.box(driver)
        stage.send_keys("-")
        self.wait(driver, lambda shown: self.box(shown)[2] > 1.9 * before[2], "a wider view")
        self.as_its_address_shows_it(driver)
        west = self.box(driver)[0]
        driver.find_element(By.CSS_SELECTOR, "[data-stage]").send_keys(Keys.ARROW_RIGHT)
        self.wait(driver, lambda shown: self.box(shown)[0] > west and "x=" in shown.current_url, "the east")

        driver.get(f"{self.live_server_url}/map/")
        driver.execute_script("window.sameDocument = true")
        driver.execute_script(
            "const map = document.querySelector('svg.world'), at = map.getBoundingClientRect();"
            "map.dispatchEvent(new WheelEvent('wheel', {deltaY: -720, cancelable: true, bubbles: true,"
            " clientX: at.left + .73 * at.width, clientY: at.top + .4 * at.height}))"
        )
        self.wait(driver, lambda shown: "z=2" in shown.current_url, "the address of a nearer view")
        self.wait(driver, lambda shown: self.heading(shown).endswith("in this view"), "its list")
        self.as_its_address_shows_it(driver)

        before, address = self.box(driver), driver.current_url
        drawing = driver.find_element(By.CSS_SELECTOR, "svg.world")
        ActionChains(driver).drag_and_drop_by_offset(drawing, -120, 0).perform()
        self.wait(driver, lambda shown: shown.current_url != address, "the address of another view")
        assert self.box(driver)[0] > before[0] + 100

        driver.back()
        self.wait(
            driver, lambda shown: [round(at) for at in self.box(shown)] == [round(at) for at in before], "where it was"
        )

    def test_the_slider_narrows_map_and_list_together(self) -> None:
        driver = self.driver
        driver.get(f"{self.live_server_url}/map/")
        first, last = driver.find_elements(By.CSS_SELECTOR, ".two-handles input")
        assert (first.get_attribute("min"), last.get_attribute("max")) == ("1500", "1942")
        driver.execute_script(
            "arguments[0].value = 1600; arguments[0].dispatchEvent(new Event('input', {bubbles: true}))", last
        )
        self.wait_for_marks(driver, "Colombo: 1 record")
        assert self.heading(driver) == "1 record"
        assert driver.current_url.endswith("/map/?to=1600")
        assert driver.find_element(By.ID, "to").get_attribute("value") == "1600"
        last.send_keys(Keys.END)
        self.wait_for_marks(driver, "Sri Lanka, Colombo: 21 records", "Khasi: 1 record")

        driver.get(f"{self.live_server_url}/timeline/?from=1900")
        self.wait(driver, lambda shown: len(shown.find_elements(By.CSS_SELECTOR, "svg a .bar")) == 17, "17 bars")
        first, _ = driver.find_elements(By.CSS_SELECTOR, ".two-handles input")
        assert first.get_attribute("value") == "1900"
        first.send_keys(Keys.HOME)
        self.wait(driver, lambda shown: len(shown.find_elements(By.CSS_SELECTOR, "svg a .bar")) == 22, "22 bars")

    def test_a_narrow_window_holds_both_pages(self) -> None:
        driver = self.driver
        size = {"width": 360, "height": 800, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        for address in ("/map/", "/map/?z=4&x=14484&y=4344", "/timeline/"):
            driver.get(f"{self.live_server_url}{address}")
            assert driver.execute_script("return document.documentElement.scrollWidth") <= 360, address
        driver.get(f"{self.live_server_url}/map/")
        circle = driver.find_element(By.CSS_SELECTOR, "svg.world .marks circle")
        assert circle.rect["width"] >= 24  # WCAG 2.2, 2.5.8
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    @pytest.mark.thorough
    def test_without_javascript_every_view_is_a_page(self) -> None:
        with browser(javascript=False) as driver:
            driver.get(f"{self.live_server_url}/map/")
            driver.find_element(By.CSS_SELECTOR, "svg.world .marks a.cluster circle:last-of-type").click()
            self.wait_for_marks(driver, "Sri Lanka: 20 records", "Colombo: 1 record")
            driver.find_element(By.CSS_SELECTOR, ".steer a[aria-label='Further away']").click()
            driver.find_element(By.ID, "to").send_keys("1600", Keys.ENTER)
            self.wait_for_marks(driver, "Colombo: 1 record")
            assert "z=" in driver.current_url
            driver.find_element(By.LINK_TEXT, "As a time line").click()
            self.wait(driver, lambda shown: len(shown.find_elements(By.CSS_SELECTOR, "svg a .bar")) == 1, "a bar")
