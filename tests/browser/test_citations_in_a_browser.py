"""Citations in a real browser: a link opens them, and one press copies one."""

from django.test import LiveServerTestCase
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from tests.browser.test_pages_in_a_browser import PATIENCE, browser, pytestmark
from tests.catalogue.page_world import load_catalogue

__all__ = ["pytestmark"]


class CitingInABrowser(LiveServerTestCase):
    def setUp(self) -> None:
        load_catalogue()

    def test_a_citation_is_opened_by_its_link_and_copied_by_its_button(self) -> None:
        with browser() as driver:
            driver.get(f"{self.live_server_url}/sources/marin-1942/")
            assert not driver.find_element(By.ID, "cite").is_displayed()
            driver.get(f"{self.live_server_url}/sources/marin-1942/#cite")
            waiting = WebDriverWait(driver, PATIENCE)
            waiting.until(lambda shown: shown.find_element(By.ID, "cite").is_displayed())
            driver.execute_script(
                "window.taken = []; navigator.clipboard.writeText = async (text) => { window.taken.push(text); };"
            )
            buttons = {button.text: button for button in driver.find_elements(By.CSS_SELECTOR, ".cite .copy")}
            assert list(buttons) == [
                "Copy Note", "Copy Bibliography", "Copy Author and date", "Copy BibTeX", "Copy RIS", "Copy CSL-JSON",
            ]  # fmt: skip
            for name in ("Copy Bibliography", "Copy BibTeX"):
                driver.execute_script("arguments[0].click()", buttons[name])
                waiting.until(lambda shown, name=name: buttons[name].text == "Copied")
            bibliography, bibtex = driver.execute_script("return window.taken")
            assert bibliography == "Marin, G. “An Ancestor of the Game of ‘Ludo.’” Man 42 (1942): 114–17."
            assert bibtex.startswith("@article{marin-1942,\n  author = {Marin, G.},")
            assert not driver.execute_script("return document.documentElement.scrollWidth > innerWidth")
