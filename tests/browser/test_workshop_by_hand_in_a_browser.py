"""The workshop without scripts, and by keyboard alone: from a record to a draft that is tried, as visitors do."""

from collections.abc import Callable

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select

from catalogue.models import Draft
from simulator.models import Batch
from tests.browser.browsing import BrowserTestCase, in_a_browser

pytestmark = in_a_browser
RECORD = "DLP.Evidence.1386"
# text, words, what is pressed, what it sets
RULES = (
    ("rules", "2x7 board with two stores.", "holes_per_row=7"),
    ("rules", "Four counters in each hole.", "counters_per_hole=4"),
    ("content", "He then takes the seeds of the next hole, if there be any", "relay=next"),
)
OTHERWISE = ("content", "plays in exactly the same manner until the last seed", "relay=last")
MOST_KEYS = 1_500


class ByHand(BrowserTestCase):
    @property
    def draft(self) -> Draft:
        return Draft.objects.latest("created")

    def one(self, selector: str) -> WebElement:
        return self.wait(lambda driver: driver.find_element(By.CSS_SELECTOR, selector), selector)

    def set_so(self, press: Callable[[str], None], field: str, words: str, rule: str) -> None:
        """Words are typed or pasted into the field, and a rule is taken from those that are offered, or by its name."""
        key = rule.partition("=")[0]
        for wanted in ("", key):
            Select(self.one("#id_in")).select_by_value(field)
            Select(self.one("#id_find")).select_by_value(wanted)
            exact = self.one("#id_exact")
            exact.clear()
            exact.send_keys(words)
            press("#choose button")
            self.wait(lambda driver: driver.find_elements(By.CSS_SELECTOR, "#offers .chosen"), words)
            if self.driver.find_elements(By.CSS_SELECTOR, f'#offers button[value="{rule}"]'):
                break
        press(f'#offers button[value="{rule}"]')

    @pytest.mark.thorough
    def test_the_whole_walk_without_scripts(self) -> None:
        with self.without_scripts():
            self.walk()

    def walk(self) -> None:
        def press(selector: str) -> None:
            shown = self.one(selector)
            if not shown.is_displayed():  # behind a fold
                shown.find_element(By.XPATH, "ancestor::details[1]/summary").click()
            shown.click()

        self.show(f"/evidence/{RECORD}/")
        press(f'a[href="/workshop/begin/{RECORD}/"]')
        Select(self.one("#id_like")).select_by_value("")  # an empty board
        press("main form.column button")
        for rule in RULES:
            self.set_so(press, *rule)
            self.wait(lambda _, set=rule: self.draft.document.get(set[2].partition("=")[0]), rule[2])
        exact = self.one("#id_exact")
        exact.send_keys("words that stand nowhere")
        press("#choose button")
        self.wait(lambda driver: driver.find_elements(By.CSS_SELECTOR, '#offers [role="alert"]'), "what is wrong")
        assert self.one("#id_exact").get_attribute("value") == "words that stand nowhere"
        self.one("#id_exact").clear()
        self.set_so(press, *OTHERWISE)
        press('button[name="ask"]')
        self.wait(lambda _: self.draft.questions, "the question")
        press('button[name="silent"][value="every="]')
        self.wait_for("Every rule that can come into play has its basis.")
        press('button[name="matters"]')
        self.wait_for("Does this question matter?")
        assert Batch.objects.filter(games=2_000).count() == 2
        assert len(self.driver.find_elements(By.CSS_SELECTOR, ".told > li")) == 36
        press('a[href$="?whole=1#game-1"]')
        self.wait(
            lambda driver: len(driver.find_elements(By.CSS_SELECTOR, "#game-1 .told > li")) > 12, "the whole game"
        )
        press('a[href$="/publish/"]')
        self.one("#id_title").clear()
        self.one("#id_title").send_keys("Puhulmutu, by hand")
        self.one("#id_summary").send_keys("Sevens and fours.")
        press('button[value="save"]')
        self.wait(lambda _: self.draft.title == "Puhulmutu, by hand", "its title")
        self.one("#id_text").send_keys("It was made without a script.")
        press('button[value="send"]')
        self.wait(lambda _: self.draft.state == Draft.State.SENT, "that it is sent")
        self.wait_for("Sent to the editors")

    @pytest.mark.thorough
    def test_the_whole_walk_by_keyboard(self) -> None:
        """Nothing is clicked: focus goes by Tab to what Enter presses, and words are selected with Shift and arrows."""
        self.keys = 0

        def send(*keys: str) -> None:
            self.driver.switch_to.active_element.send_keys(*keys)
            self.keys += len(keys)

        def reach(selector: str) -> None:
            """Tab until the element has the focus; a fold that hides it is opened on the way."""
            element = self.one(selector)
            for _ in range(MOST_KEYS):
                active = self.driver.switch_to.active_element
                if active == element:
                    return
                hides = "return arguments[0].tagName === 'SUMMARY' && !arguments[0].parentElement.open"
                if self.driver.execute_script(
                    f"{hides} && arguments[0].parentElement.contains(arguments[1])", active, element
                ):
                    send(Keys.ENTER)
                send(Keys.TAB)
            raise AssertionError(f"Tab never comes to {selector}")

        def press(selector: str) -> None:
            reach(selector)
            send(Keys.ENTER)

        def caret_behind(field: str, words: str) -> None:
            """Select words in a text: the caret is where the text begins when the focus comes, and goes by arrows."""
            reach(f'.source-text[data-in="{field}"]')
            whole = self.driver.switch_to.active_element.get_property("textContent")
            at = str(whole).index(words)
            send(Keys.CONTROL + Keys.HOME)
            self.driver.switch_to.active_element.send_keys(Keys.NULL)
            send(*[Keys.ARROW_RIGHT] * at)
            self.driver.switch_to.active_element.send_keys(Keys.SHIFT, *[Keys.ARROW_RIGHT] * len(words))
            self.keys += len(words)

        self.show(f"/evidence/{RECORD}/")
        press(f'a[href="/workshop/begin/{RECORD}/"]')
        self.wait(lambda driver: "/begin/" in driver.current_url, "the form")
        reach("#id_like")
        send(Keys.HOME)  # an empty board
        press("main form.column button")
        self.wait(lambda driver: "/drafts/" in driver.current_url, "the draft")
        for field, words, rule in RULES[:2]:
            number = self.draft.number
            caret_behind(field, words)
            self.wait(lambda driver, said=words: said in driver.find_element(By.ID, "offers").text, words)
            press(f'#offers button[value="{rule}"]')
            self.wait(lambda _, before=number: self.draft.number > before, rule)
            self.wait(lambda driver: driver.find_element(By.ID, "did").text, "what was done")
            self.wait(lambda driver: driver.switch_to.active_element.get_attribute("id") == "did", "the focus")
        number = self.draft.number
        press('button[name="silent"][value="conjecture=direction"]')
        self.wait(lambda _: self.draft.number > number, "one rule of those that no words say")
        on_next = "return document.activeElement.closest('[data-go-on] li') !== null"
        self.wait(lambda driver: driver.execute_script(on_next), "the next of these rules")
        press('button[name="silent"][value="every="]')
        self.wait_for("Every rule that can come into play has its basis.")
        press('a[href$="/try/"]')
        self.wait_for("Nothing stands in its way")
        press('button[name="play"]')
        self.wait(lambda _: Batch.objects.filter(games=2_000).exists(), "the games that it asked for")
        assert self.draft.document["counters_per_hole"] == 4
