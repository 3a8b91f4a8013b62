"""The map in a real browser: wheel, drag, buttons, keys and slider show what each view's own address shows."""

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from catalogue.models import Evidence, Game, Place
from tests.browser.browsing import BrowserTestCase, in_a_browser

pytestmark = in_a_browser

SEEN = """
const frame = document.querySelector("[data-stage]").getBoundingClientRect();
return [...document.querySelectorAll("[data-marks] a")].map((one) => one.getBoundingClientRect())
  .map((one) => one.left >= frame.left && one.right <= frame.right);
"""


class MapInABrowser(BrowserTestCase):
    def setUp(self) -> None:
        super().setUp()
        colombo = Place.objects.create(name="Colombo", slug="colombo", latitude=6.93, longitude=79.85)
        made = Evidence.objects.create(
            identifier="X.1", type="Artifact", game=Game.objects.get(slug="dam"), quotation="A board.", date_edtf="1500"
        )
        made.places.add(colombo)

    def marks(self) -> list[str]:
        found = self.driver.find_elements(By.CSS_SELECTOR, "svg.world .marks a")
        return [str(mark.get_attribute("aria-label")) for mark in found]

    def heading(self) -> str:
        return self.driver.find_element(By.ID, "listed").text

    def wait_for_marks(self, *marks: str) -> None:
        self.wait(lambda _: self.marks() == list(marks), str(marks))

    def box(self) -> list[float]:
        shown = self.driver.find_element(By.CSS_SELECTOR, "svg.world").get_dom_attribute("viewBox")
        return [float(number) for number in shown.split()]

    def as_its_address_shows_it(self, before: str) -> None:
        """What was reached by moving from that address is what the one in the bar shows when it is loaded anew."""
        self.wait(lambda shown: shown.current_url != before, "another address")
        self.wait(lambda _: self.heading().endswith("in this view"), "its list")
        assert self.driver.execute_script("return window.sameDocument")
        moved = self.marks(), self.heading(), [round(at) for at in self.box()]
        self.driver.refresh()
        assert (self.marks(), self.heading(), [round(at) for at in self.box()]) == moved
        self.driver.execute_script("window.sameDocument = true")

    @pytest.mark.thorough
    def test_on_a_phone_the_records_are_in_sight_and_no_ocean(self) -> None:
        self.show("/map/?z=0", width=375)
        self.wait(lambda shown: shown.execute_script(SEEN) == [True] * 3, "all three marks in sight")
        circle = self.driver.find_element(By.CSS_SELECTOR, "svg.world .marks circle")
        assert circle.rect["width"] >= 24  # WCAG 2.2, 2.5.8

    @pytest.mark.thorough
    def test_moving_the_map_shows_what_its_address_shows(self) -> None:
        driver = self.driver
        self.show("/map/?z=0")
        driver.execute_script("window.sameDocument = true")
        self.wait_for_marks("Sri Lanka, Colombo: 21 records", "Heerlen: 1 record", "Khasi: 1 record")
        outlines = driver.find_element(By.CSS_SELECTOR, "svg.world .land")
        self.wait(lambda _: driver.execute_script("return arguments[0].getBBox().width", outlines) > 19_000, "land")

        driver.find_element(By.CSS_SELECTOR, "svg.world .marks a.cluster circle:last-of-type").click()
        self.wait_for_marks("Sri Lanka: 20 records", "Colombo: 1 record")
        self.as_its_address_shows_it(f"{self.live_server_url}/map/?z=0")
        assert self.heading() == "21 records in this view"

        stage = driver.find_element(By.CSS_SELECTOR, "[data-stage]")
        before, address = self.box(), driver.current_url
        stage.send_keys("-")
        self.wait(lambda shown: self.box()[2] > 1.9 * before[2], "a wider view")
        self.as_its_address_shows_it(address)
        west = self.box()[0]
        driver.find_element(By.CSS_SELECTOR, "[data-stage]").send_keys(Keys.ARROW_RIGHT)
        self.wait(lambda shown: self.box()[0] > west and "x=" in shown.current_url, "the east")

        self.show("/map/?z=0")
        driver.execute_script("window.sameDocument = true")
        driver.execute_script(
            "const map = document.querySelector('svg.world'), at = map.getBoundingClientRect();"
            "map.dispatchEvent(new WheelEvent('wheel', {deltaY: -720, cancelable: true, bubbles: true,"
            " clientX: at.left + .73 * at.width, clientY: at.top + .4 * at.height}))"
        )
        self.wait(lambda shown: "z=2" in shown.current_url, "the address of a nearer view")
        self.as_its_address_shows_it(f"{self.live_server_url}/map/?z=0")

        before, address = self.box(), driver.current_url
        drawing = driver.find_element(By.CSS_SELECTOR, "svg.world")
        ActionChains(driver).drag_and_drop_by_offset(drawing, -120, 0).perform()
        self.wait(lambda shown: shown.current_url != address, "the address of another view")
        assert self.box()[0] > before[0] + 100

        driver.back()
        self.wait(lambda shown: [round(at) for at in self.box()] == [round(at) for at in before], "where it was")

    @pytest.mark.thorough
    def test_the_slider_narrows_map_and_list_together(self) -> None:
        driver = self.driver
        self.show("/map/?z=0")
        first, last = driver.find_elements(By.CSS_SELECTOR, ".two-handles input")
        assert (first.get_attribute("min"), last.get_attribute("max")) == ("1500", "1942")
        driver.execute_script(
            "arguments[0].value = 1600; arguments[0].dispatchEvent(new Event('input', {bubbles: true}))", last
        )
        self.wait_for_marks("Colombo: 1 record")
        assert self.heading() == "1 record"
        assert "to=1600" in driver.current_url
        assert driver.find_element(By.ID, "to").get_attribute("value") == "1600"
        last.send_keys(Keys.END)
        self.wait_for_marks("Sri Lanka, Colombo: 21 records", "Heerlen: 1 record", "Khasi: 1 record")

        self.show("/timeline/?from=1900")
        self.wait(lambda shown: len(shown.find_elements(By.CSS_SELECTOR, "svg a .bar")) == 17, "17 bars")
        first, _ = driver.find_elements(By.CSS_SELECTOR, ".two-handles input")
        assert first.get_attribute("value") == "1900"
        first.send_keys(Keys.HOME)
        self.wait(lambda shown: len(shown.find_elements(By.CSS_SELECTOR, "svg a .bar")) == 22, "22 bars")

    @pytest.mark.thorough
    def test_without_javascript_every_view_is_a_page(self) -> None:
        driver = self.driver
        with self.without_scripts():
            self.show("/map/?z=0")
            driver.find_element(By.CSS_SELECTOR, "svg.world .marks a.cluster circle:last-of-type").click()
            self.wait_for_marks("Sri Lanka: 20 records", "Colombo: 1 record")
            driver.find_element(By.CSS_SELECTOR, ".steer a[aria-label='Further away']").click()
            driver.find_element(By.ID, "to").send_keys("1600", Keys.ENTER)
            self.wait_for_marks("Colombo: 1 record")
            assert "z=" in driver.current_url
            driver.find_element(By.LINK_TEXT, "a time line").click()
            self.wait(lambda shown: len(shown.find_elements(By.CSS_SELECTOR, "svg a .bar")) == 1, "a bar")
