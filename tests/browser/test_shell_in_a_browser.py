"""What stands around every page, in a real browser: the six words, the search box that offers names, the typefaces."""

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.browser.browsing import BrowserTestCase, in_a_browser

pytestmark = in_a_browser
HEIGHT = 64  # pixels of the head of a page at most


class ShellInABrowser(BrowserTestCase):
    def seen(self, selector: str) -> list[str]:
        return [one.text for one in self.driver.find_elements(By.CSS_SELECTOR, selector) if one.is_displayed()]

    def test_the_head_is_one_low_row_also_without_scripts(self) -> None:
        driver = self.driver
        with self.without_scripts():
            for width, words in ((1400, 6), (800, 0), (375, 0)):
                self.show("/claims/", width)
                head = driver.find_element(By.CSS_SELECTOR, ".masthead")
                assert head.size["height"] <= HEIGHT, width
                assert len(self.seen("nav.main a")) == words, width
            for toggle in driver.find_elements(By.CSS_SELECTOR, ".toggle summary"):
                toggle.click()
            assert self.seen(".find input") is not None
            assert driver.find_element(By.CSS_SELECTOR, ".find input").is_displayed()
            driver.find_element(By.CSS_SELECTOR, ".toggle summary").click()
            assert len(self.seen("nav.main a")) == 6

    def test_a_search_box_offers_names_and_works_by_keyboard(self) -> None:
        self.show("/claims/")
        box = self.driver.find_element(By.CSS_SELECTOR, ".find input")
        assert (box.get_attribute("role"), box.get_attribute("aria-expanded")) == ("combobox", "false")
        box.send_keys("daram")
        self.wait(lambda _: box.get_attribute("aria-expanded") == "true", "what is offered")
        options = self.driver.find_elements(By.CSS_SELECTOR, "[role=option]")
        assert [option.text.splitlines()[0] for option in options] == [
            "Daramuti game",
            "DLP.Evidence.692 · Daramuti record",
        ]
        box.send_keys(Keys.ARROW_DOWN, Keys.ARROW_UP)
        assert box.get_attribute("aria-activedescendant") == options[-1].get_attribute("id")
        assert [option.get_attribute("aria-selected") for option in options] == ["false", "true"]
        box.send_keys(Keys.ESCAPE)
        assert box.get_attribute("aria-expanded") == "false"
        assert box.get_attribute("value") == "daram"
        box.send_keys("u")
        self.wait(lambda _: box.get_attribute("aria-expanded") == "true", "what is offered")
        box.send_keys(Keys.ARROW_DOWN, Keys.ENTER)
        self.wait(lambda driver: driver.current_url.endswith("/games/daramuti/"), "the page of the game")
        assert self.driver.get_log("browser") == []

    @pytest.mark.thorough
    def test_typefaces_of_the_site_are_used(self) -> None:
        self.show("/about/style/")
        loaded = self.driver.execute_async_script(
            "const done = arguments[0]; document.fonts.ready.then(() => done("
            "[...document.fonts].filter((one) => one.status === 'loaded').map((one) => one.family)))"
        )
        assert {name.strip('"') for name in loaded} >= {"Edition Serif", "Edition Sans"}
