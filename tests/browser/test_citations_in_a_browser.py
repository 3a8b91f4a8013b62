"""Citations in a real browser: a link opens them, and one press copies one."""

from selenium.webdriver.common.by import By

from tests.browser.browsing import BrowserTestCase, in_a_browser

pytestmark = in_a_browser


class CitingInABrowser(BrowserTestCase):
    def test_a_citation_is_opened_and_copied(self) -> None:
        driver = self.driver
        self.show("/sources/marin-1942/")
        assert not driver.find_element(By.ID, "cite").is_displayed()
        self.show("/sources/marin-1942/#cite")
        self.wait(lambda shown: shown.find_element(By.ID, "cite").is_displayed(), "the citations")
        driver.execute_script(
            "window.taken = []; navigator.clipboard.writeText = async (text) => { window.taken.push(text); };"
        )
        buttons = {button.text: button for button in driver.find_elements(By.CSS_SELECTOR, ".cite .copy")}
        assert list(buttons) == [
            "Copy Note", "Copy Bibliography", "Copy Author and date", "Copy BibTeX", "Copy RIS", "Copy CSL-JSON",
        ]  # fmt: skip
        for name in ("Copy Bibliography", "Copy BibTeX"):
            driver.execute_script("arguments[0].click()", buttons[name])
            self.wait(lambda shown, name=name: buttons[name].text == "Copied", "that it was copied")
        bibliography, bibtex = driver.execute_script("return window.taken")
        assert bibliography == "Marin, G. “An Ancestor of the Game of ‘Ludo.’” Man 42 (1942): 114–17."
        assert bibtex.startswith("@article{marin-1942,\n  author = {Marin, G.},")
        assert self.overflow() <= 0
