"""What stands around every page, in a real browser: the six words, the search box that offers names, the typefaces."""

from typing import ClassVar

import pytest
from django.test import LiveServerTestCase
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from tests.browser.test_pages_in_a_browser import BROWSER, DRIVER, PATIENCE, browser
from tests.catalogue.page_world import load_catalogue

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (BROWSER and DRIVER), reason="needs chromium and chromedriver on the path"),
]
HEIGHT = 64  # pixels of the head of a page at most


class ShellInABrowser(LiveServerTestCase):
    driver: ClassVar[Chrome]

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.driver = cls.enterClassContext(browser())

    def setUp(self) -> None:
        load_catalogue()

    def show(self, driver: Chrome, address: str, width: int) -> None:
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        driver.get(self.live_server_url + address)

    def seen(self, driver: Chrome, selector: str) -> list[str]:
        return [one.text for one in driver.find_elements(By.CSS_SELECTOR, selector) if one.is_displayed()]

    def test_the_head_is_one_low_row_and_its_words_are_there_without_scripts(self) -> None:
        with browser(javascript=False) as plain:
            for width, words in ((1400, 6), (800, 0), (375, 0)):
                self.show(plain, "/claims/", width)
                head = plain.find_element(By.CSS_SELECTOR, ".masthead")
                assert head.size["height"] <= HEIGHT, width
                assert len(self.seen(plain, "nav.main a")) == words, width
            for toggle in plain.find_elements(By.CSS_SELECTOR, ".toggle summary"):
                toggle.click()
            assert self.seen(plain, ".find input") is not None
            assert plain.find_element(By.CSS_SELECTOR, ".find input").is_displayed()
            plain.find_element(By.CSS_SELECTOR, ".toggle summary").click()
            assert len(self.seen(plain, "nav.main a")) == 6

    def test_a_search_box_offers_names_and_works_by_keyboard(self) -> None:
        self.show(self.driver, "/claims/", 1400)
        box = self.driver.find_element(By.CSS_SELECTOR, ".find input")
        assert (box.get_attribute("role"), box.get_attribute("aria-expanded")) == ("combobox", "false")
        box.send_keys("daram")
        wait = WebDriverWait(self.driver, PATIENCE)
        wait.until(lambda _: box.get_attribute("aria-expanded") == "true")
        options = self.driver.find_elements(By.CSS_SELECTOR, "[role=option]")
        assert [one.text.splitlines()[0] for one in options] == ["Daramuti game", "DLP.Evidence.692 · Daramuti record"]
        box.send_keys(Keys.ARROW_DOWN, Keys.ARROW_UP)
        assert box.get_attribute("aria-activedescendant") == options[-1].get_attribute("id")
        assert [one.get_attribute("aria-selected") for one in options] == ["false", "true"]
        box.send_keys(Keys.ESCAPE)
        assert box.get_attribute("aria-expanded") == "false"
        assert box.get_attribute("value") == "daram"
        box.send_keys("u")
        wait.until(lambda _: box.get_attribute("aria-expanded") == "true")
        box.send_keys(Keys.ARROW_DOWN, Keys.ENTER)
        wait.until(lambda driver: driver.current_url.endswith("/games/daramuti/"))
        assert self.driver.get_log("browser") == []

    def test_typefaces_of_the_site_are_used(self) -> None:
        self.show(self.driver, "/about/style/", 1400)
        loaded = self.driver.execute_async_script(
            "const done = arguments[0]; document.fonts.ready.then(() => done("
            "[...document.fonts].filter((one) => one.status === 'loaded').map((one) => one.family)))"
        )
        assert {name.strip('"') for name in loaded} >= {"Edition Serif", "Edition Sans"}
