"""No page does what the content security policy of the site forbids."""

from tests.browser.browsing import BrowserTestCase, in_a_browser
from tests.choice import of_the_day

pytestmark = in_a_browser


class PolicyInABrowser(BrowserTestCase):
    def test_nothing_of_a_page_is_refused(self) -> None:
        addresses = [
            "/", "/evidence/DLP.Evidence.692/", "/map/", "/timeline/", "/search/?q=board", "/rulesets/daramuti-parker/",
            "/rulesets/puhulmutu-parker/change/", "/rulesets/puhulmutu-parker/play-a-game/?players=you,you&seed=1",
            "/compare/?game=daramuti", "/admin/login/", "/api/v1/games/", "/api/docs/",
        ]  # fmt: skip
        for address in of_the_day(addresses, 4):
            self.show(address)
            messages = [entry["message"] for entry in self.driver.get_log("browser")]
            assert not [message for message in messages if "Content Security Policy" in message], address
