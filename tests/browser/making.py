"""An editor who makes a reading in a real browser: what is clicked and typed is counted."""

from selenium.webdriver.common.by import By

from catalogue.models import Draft, Reading
from tests.browser.browsing import BrowserTestCase

MOST_CLICKS = 150


class MakerInABrowser(BrowserTestCase):
    """An editor in an empty catalogue. What is clicked and typed is counted."""

    holds = "empty"
    clicks = keys = 0

    def click(self, selector: str, **beside: str) -> None:
        """Click what is there, or comes soon. It counts."""
        self.wait(lambda driver: driver.find_elements(By.CSS_SELECTOR, selector), selector)
        element = self.driver.find_element(By.CSS_SELECTOR, selector)
        self.driver.execute_script("arguments[0].closest('details')?.setAttribute('open', '')", element)
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()
        self.clicks += 1

    def type(self, selector: str, words: str) -> None:
        field = self.driver.find_element(By.CSS_SELECTOR, selector)
        self.driver.execute_script("arguments[0].closest('details')?.setAttribute('open', '')", field)
        field.clear()
        field.send_keys(words)
        self.keys += len(words)

    @property
    def draft(self) -> Draft:
        return Draft.objects.latest("created")

    def finish(self) -> None:
        """Answer in bulk what the words do not say, try it, and publish it."""
        for box in self.driver.find_elements(By.CSS_SELECTOR, "input[name=key]"):
            if "needs a basis" in box.find_element(By.XPATH, "ancestor::li").text:
                self.driver.execute_script("arguments[0].click()", box)
                self.clicks += 1
        self.click('a[href$="/try/"]')
        self.wait_for("Nothing stands in its way")
        assert len(self.driver.find_elements(By.CSS_SELECTOR, ".told > li")) > 20
        self.click('a[href$="/publish/"]')
        self.type("#id_summary", "What the words of the record say, and no more.")
        self.click('button[value="publish"]')
        self.wait_for("nobody yet")
        assert Reading.objects.get().checked_by == ""
        assert self.clicks <= MOST_CLICKS, self.clicks
