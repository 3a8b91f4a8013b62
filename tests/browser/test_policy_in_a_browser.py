"""No page does what the content security policy of the site forbids."""

from django.test import LiveServerTestCase
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from tests.browser.test_pages_in_a_browser import PATIENCE, browser, pytestmark
from tests.catalogue.page_world import load_catalogue

__all__ = ["pytestmark"]


class PolicyInABrowser(LiveServerTestCase):
    def setUp(self) -> None:
        load_catalogue()

    def test_nothing_of_a_page_is_refused(self) -> None:
        addresses = [
            "/", "/evidence/DLP.Evidence.692/", "/map/", "/timeline/", "/search/?q=board", "/rulesets/daramuti-parker/",
            "/rulesets/puhulmutu-parker/change/", "/rulesets/puhulmutu-parker/play-a-game/?players=you,you&seed=1",
            "/compare/?game=daramuti", "/admin/login/", "/api/v1/games/", "/api/docs/",
        ]  # fmt: skip
        with browser() as driver:
            for address in addresses:
                driver.get(self.live_server_url + address)
                messages = [entry["message"] for entry in driver.get_log("browser")]
                assert not [message for message in messages if "Content Security Policy" in message], address
            WebDriverWait(driver, PATIENCE).until(
                lambda at: at.find_elements(By.CSS_SELECTOR, ".swagger-ui .info .title")
            )
            assert "Content Security Policy" not in str(driver.get_log("browser"))
