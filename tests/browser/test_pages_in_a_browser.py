"""The pages in a real browser: no width overflows, headings are in order, and nothing needs JavaScript.

No page does what the content security policy of the site forbids.
"""

import itertools
from unittest import mock

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from simulator.batches.service import request_batch
from simulator.models import Batch, Chunk
from tests.browser.browsing import BrowserTestCase, in_a_browser
from tests.catalogue.page_world import finish, nobody_hears
from tests.choice import of_the_day

pytestmark = in_a_browser
CHANGED = "/rulesets/puhulmutu-parker/change/"
PAGES = (
    "/", "/evidence/", "/evidence/?place=nowhere", "/evidence/DLP.Evidence.692/", "/evidence/DLP.Evidence.1386/",
    "/evidence/DLP.Evidence.692/suggest/", "/games/puhulmutu/", "/games/daramuti/sensitivity/", "/places/sri-lanka/",
    "/sources/parker-1909/", "/rulesets/", "/rulesets/daramuti-parker/", "/batches/", "/claims/", "/studies/",
    "/claims/puhulmutu/lasts-for-hours/", CHANGED, f"{CHANGED}?set.pass_over=5", f"{CHANGED}?set.next_round=off",
    "/rulesets/puhulmutu-dlp/?parent=puhulmutu-parker", "/rulesets/dam-parker/play-a-game/", "/about/",
    "/about/figures/", "/no/such/page/", "/map/", "/map/?z=4&x=14484&y=4344", "/timeline/", "/search/?q=board",
    "/compare/?game=daramuti",
)  # fmt: skip
OF_EACH_FAMILY = ("dam-parker", "sokkattan-dlp", "puhulmutu-parker")
NOT_OURS = ("/admin/login/", "/api/v1/games/", "/api/docs/")  # templates of the frameworks
GAP = "return arguments[1].getBoundingClientRect().top - arguments[0].getBoundingClientRect().bottom"
# Of the headings of a page, in one request to the browser.
LEVELS = "return [...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map((heading) => +heading.tagName[1])"


@mock.patch("simulator.batches.service.dispatch.notify_of_chunks", nobody_hears)
class PagesInABrowser(BrowserTestCase):
    """The edge of the world is the broker: what is asked for here is never heard by a worker."""

    def setUp(self) -> None:
        super().setUp()
        self.batch = Batch.objects.get()

    def test_pages_fit_and_break_no_policy_with_headings_in_order(self) -> None:
        request_batch("daramuti-dlp", games=200_000, announce=False)
        running = Batch.objects.get(games=200_000)
        addresses = [
            *PAGES, f"/batches/{running.id}/", f"/batches/{self.batch.id}/", f"/batches/{self.batch.id}/games/0/",
            *(f"/rulesets/{name}/play-a-game/?players=you&seed=1" for name in OF_EACH_FAMILY),
        ]  # fmt: skip
        for address in of_the_day(addresses, 10):
            self.show(address, 360)
            assert self.overflow() <= 0, address
            for width in (800, 1400):
                self.widen(width)
                assert self.overflow() <= 0, (address, width)
            assert self.refused() == [], address
            levels = self.driver.execute_script(LEVELS)
            assert levels.count(1) == 1, address
            assert levels[0] == 1, address
            steps = [below - above for above, below in itertools.pairwise(levels)]
            assert max(steps, default=0) <= 1, f"{address}: {levels}"
        for address in NOT_OURS:
            self.show(address)
            assert self.refused() == [], address

    def refused(self) -> list[str]:
        """What the page did that the policy forbids."""
        messages = [entry["message"] for entry in self.driver.get_log("browser")]
        return [message for message in messages if "Content Security Policy" in message]

    @pytest.mark.thorough
    def test_words_rule_and_figure_are_in_one_view_on_a_wide_screen(self) -> None:
        driver = self.driver
        self.show("/evidence/DLP.Evidence.692/", 1400)
        words, rule, figure = (
            driver.find_element(By.CSS_SELECTOR, name).rect
            for name in (".quotation", ".rule-column .opening", ".outcomes .bars")
        )
        assert words["x"] + words["width"] < rule["x"] < rule["x"] + rule["width"] < figure["x"]
        assert max(words["y"], rule["y"], figure["y"] + figure["height"]) < 900
        driver.execute_script("scrollTo(0, 400)")
        beside = driver.execute_script("return document.querySelector('.outcomes').getBoundingClientRect().top")
        assert 0 <= beside < 40  # as the words are read on, the figure stays

    def test_on_a_phone_tapped_words_open_a_sheet_with_their_rule(self) -> None:
        driver = self.driver
        self.show("/evidence/DLP.Evidence.692/", 375)
        figure, words = (driver.find_element(By.CSS_SELECTOR, name).rect for name in (".bars", ".quotation"))
        assert words["y"] < min(812, figure["y"])  # the quotation comes first
        word = driver.find_element(By.CSS_SELECTOR, ".quotation a.words")
        sheet = driver.find_element(By.ID, word.get_attribute("href").partition("#")[2])
        assert not sheet.is_displayed()
        driver.execute_script("arguments[0].click()", word)
        assert sheet.is_displayed()
        bottom = driver.execute_script("return arguments[0].getBoundingClientRect().bottom", sheet)
        assert bottom == pytest.approx(900, abs=1)
        sheet.find_element(By.CLASS_NAME, "close").click()
        assert not sheet.is_displayed()
        driver.execute_script("scrollBy(0, arguments[0].getBoundingClientRect().bottom - innerHeight)", word)
        driver.execute_script("arguments[0].click()", word)
        self.wait(lambda at: at.execute_script(GAP, word, sheet) >= 0, "the tapped words in sight above the sheet")

    def test_a_word_leads_to_its_rule_and_the_rule_back(self) -> None:
        driver = self.driver
        self.show("/evidence/DLP.Evidence.692/", 1400)
        word = driver.find_element(By.CSS_SELECTOR, ".quotation a.words")
        word.send_keys(Keys.ENTER)
        rule = driver.find_element(By.CSS_SELECTOR, ".rules-read > :target")
        assert rule.get_attribute("id") == word.get_attribute("href").partition("#")[2]
        back = rule.find_element(By.CSS_SELECTOR, ".back a[href^='#']")
        back.send_keys(Keys.ENTER)
        mark = driver.find_element(By.ID, back.get_attribute("href").partition("#")[2])
        assert mark.find_element(
            By.XPATH, "ancestor::*[contains(@class, 'quotation') or contains(@class, 'paraphrase')]"
        )
        assert (
            0
            <= mark.rect["y"] - driver.execute_script("return window.scrollY")
            < driver.execute_script("return window.innerHeight")
        )

    @pytest.mark.thorough
    def test_words_and_rules_that_belong_together_light_up(self) -> None:
        driver = self.driver
        self.show("/evidence/DLP.Evidence.692/", 1400)
        word = driver.find_elements(By.CSS_SELECTOR, ".quotation a.words")[-1]
        label = word.get_attribute("data-rules").split()[0]
        rule = driver.find_element(By.ID, f"c-{label}")
        assert not rule.is_displayed()
        driver.execute_script("arguments[0].focus()", word)
        assert "lit" in rule.get_attribute("class")
        assert rule.is_displayed()

    def test_an_answer_is_played_beside_the_words(self) -> None:
        driver = self.driver
        self.show("/evidence/DLP.Evidence.692/", 1400)
        driver.execute_script("window.sameDocument = true; location.hash = 'q-last-counter-in-an-empty-hole'")
        driver.find_element(By.CSS_SELECTOR, "#q-last-counter-in-an-empty-hole button[name=take]").click()
        self.wait_for("0 of 2,000")
        assert "also=daramuti-parker.last-counter-in-an-empty-hole." in driver.current_url
        finish(Batch.objects.get(games=2000))
        self.wait(lambda driver: driver.find_elements(By.CSS_SELECTOR, ".what-if svg.bar"), "its bar")
        driver.find_elements(By.CSS_SELECTOR, "#q-last-counter-in-an-empty-hole button[name=take]")[-1].click()
        self.wait(lambda driver: len(driver.find_elements(By.CLASS_NAME, "what-if")) == 2, "both answers")
        assert driver.current_url.count("also=") == 2
        assert driver.execute_script("return window.sameDocument")

    @pytest.mark.thorough
    def test_a_record_is_narrowed_and_played_without_javascript(self) -> None:
        driver = self.driver
        with self.without_scripts():
            self.show("/evidence/", 375)  # the choices are folded there
            driver.find_element(By.XPATH, "//summary[.='Narrow the records']").click()
            driver.find_element(By.CSS_SELECTOR, "select[name=game] option[value=daramuti]").click()
            driver.find_element(By.CSS_SELECTOR, "main form button").click()
            self.wait_for("1 record")
            driver.find_element(By.CSS_SELECTOR, "main a[href='/evidence/DLP.Evidence.692/']").click()
            self.wait_for("astonishing rapidity")
            word = driver.find_elements(By.CSS_SELECTOR, ".quotation a.words")[-1]
            rule = driver.find_element(By.ID, word.get_attribute("href").partition("#")[2])
            assert not rule.is_displayed()
            word.click()
            assert rule.is_displayed()
            self.show("/rulesets/daramuti-parker/")
            driver.find_element(By.XPATH, "//summary[.='How many, and by which players']").click()
            driver.find_element(By.XPATH, "//button[.='Play']").click()
            self.wait_for("0 of 2,000 games are done")
            Batch.objects.filter(origin=Batch.Origin.VISITOR).update(state=Batch.State.FAILED)
            self.wait_for("This batch failed.")  # the page has looked again by itself

    @pytest.mark.thorough
    def test_a_reading_is_changed_and_played_without_javascript(self) -> None:
        driver = self.driver
        with self.without_scripts():
            self.show("/rulesets/puhulmutu-parker/", 360)
            driver.find_element(By.LINK_TEXT, "Change a rule").click()
            driver.find_element(By.ID, "question-single-counters").click()
            driver.find_element(By.CSS_SELECTOR, "button[value='single-counters.only-without-larger']").click()
            self.wait_for("This clause no longer holds (stated)")
            assert driver.current_url.endswith("/change/?set.singles=only_without_larger")
            field = driver.find_element(By.CSS_SELECTOR, "#parameter-holes_per_row input")
            field.clear()
            field.send_keys("99", Keys.ENTER)
            self.wait_for("must be at most 32, not 99")
            driver.find_element(By.LINK_TEXT, "Take the nearest").click()
            self.wait_for("Each row has 32 holes.")
            driver.find_element(By.XPATH, "//button[.='Play']").click()
            self.wait_for("0 of 2,000 games are done")

    @pytest.mark.thorough
    def test_the_bar_of_a_running_batch_moves_until_it_is_over(self) -> None:
        batch = request_batch("daramuti-parker", games=200_000, announce=False)
        first = batch.chunks.get(number=0)
        driver = self.driver
        self.show(f"/batches/{batch.id}/")
        driver.execute_script("window.sameDocument = true")
        Chunk.objects.filter(id=first.id).update(state=Chunk.State.DONE)
        self.wait_for(f"{first.games:,} of 200,000 games are done")
        assert driver.execute_script("return window.sameDocument")
        Batch.objects.filter(id=batch.id).update(state=Batch.State.CANCELLED)
        self.wait_for("This batch was cancelled")

    def test_the_first_key_leads_past_the_navigation(self) -> None:
        driver = self.driver
        self.show("/evidence/DLP.Evidence.692/")
        driver.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
        link = driver.switch_to.active_element
        assert link.text == "Skip to the content"
        assert link.rect["x"] >= 0
        link.send_keys(Keys.ENTER)
        assert driver.switch_to.active_element.get_attribute("id") == "content"
