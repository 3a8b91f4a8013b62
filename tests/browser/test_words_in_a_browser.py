"""An editor selects words of a record in a real browser, with the mouse and by keyboard, and saves them."""

from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from catalogue.models import Anchor, Clause, Evidence
from tests.browser.browsing import BrowserTestCase, in_a_browser

pytestmark = in_a_browser
RECORD, TWICE = "DLP.Evidence.1386", "the player"
SELECT = """
const text = document.querySelector("[data-source-text]"), [start, end] = arguments, range = document.createRange();
const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
for (let node, place = 0; (node = walker.nextNode()); place += node.length) {
  if (place <= start && start < place + node.length) range.setStart(node, start - place);
  if (place < end && end <= place + node.length) range.setEnd(node, end - place);
}
getSelection().removeAllRanges();
getSelection().addRange(range);
"""


class WordsInABrowser(BrowserTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.record = Evidence.objects.get(identifier=RECORD)
        self.clause = Clause.objects.get(reading__slug="puhulmutu-parker", slug="relay")
        client = Client()
        client.force_login(User.objects.create_superuser("amara", password=None))
        self.show("/robots.txt")
        name = settings.SESSION_COOKIE_NAME
        self.driver.add_cookie({"name": name, "value": client.cookies[name].value})

    def value(self, field: str) -> str:
        return str(self.driver.find_element(By.ID, f"id_{field}").get_attribute("value"))

    def text(self) -> Any:
        return self.driver.find_element(By.CSS_SELECTOR, "[data-source-text]")

    def wait_for_words(self, words: str) -> None:
        marked = "#found mark"
        self.wait(lambda at: at.find_element(By.CSS_SELECTOR, marked).text == words, f"“{words}” marked")

    def test_words_are_selected_by_keyboard_and_by_mouse_and_saved(self) -> None:
        self.show("/evidence/DLP.Evidence.1386/")
        address = f"/admin/catalogue/anchor/add/?clause={self.clause.pk}"
        assert self.driver.find_elements(By.CSS_SELECTOR, f'a[href^="{address}&evidence="]')
        self.show(address)
        whole = self.record.quotation
        assert self.text().get_property("textContent") == whole
        self.text().click()
        keys = ActionChains(self.driver).key_down(Keys.CONTROL).send_keys(Keys.HOME).key_up(Keys.CONTROL)
        keys.send_keys(Keys.ARROW_RIGHT).key_down(Keys.SHIFT).send_keys(*[Keys.ARROW_RIGHT] * 9).key_up(Keys.SHIFT)
        keys.perform()
        self.wait_for_words(whole[1:10])
        assert (self.value("exact"), self.value("prefix"), self.value("suffix")) == (whole[1:10], "", "")
        ActionChains(self.driver).send_keys("typed", Keys.DELETE, Keys.ENTER).perform()
        assert self.text().get_property("textContent") == whole
        size = self.text().size
        corner = (60 - size["width"] // 2, 24 - size["height"] // 2)  # the first word, counted from the middle
        ActionChains(self.driver).move_to_element_with_offset(self.text(), *corner).double_click().perform()
        self.wait(lambda _: self.value("exact") == "Puhulmutu", "the word under the mouse")
        assert not Anchor.objects.filter(key__contains="editors-").exists()
        second = whole.index(TWICE, whole.index(TWICE) + 1)
        self.driver.execute_script(SELECT, second - 1, second + len(TWICE) + 1)  # with the white space around
        self.wait_for_words(TWICE)
        assert self.value("prefix") or self.value("suffix")
        self.driver.find_element(By.NAME, "_save").click()
        self.wait(lambda at: at.current_url.endswith("/anchor/"), "the list")
        anchor = Anchor.objects.get(key="clause/puhulmutu-parker/relay/supports/editors-1")
        assert (anchor.exact, anchor.start, anchor.problem()) == (TWICE, second, "")
        assert self.driver.get_log("browser") == []

    @pytest.mark.thorough
    def test_another_text_is_shown_when_it_is_chosen(self) -> None:
        self.show(f"/admin/catalogue/anchor/add/?clause={self.clause.pk}")
        self.driver.execute_script("const f = document.querySelector('#id_field'); f.value = 'rules';"
                                   "django.jQuery(f).trigger('change')")  # fmt: skip
        self.wait(lambda _: self.text().get_property("textContent") == self.record.paraphrase, "the paraphrase")
        self.driver.execute_script(SELECT, 0, 12)
        self.wait_for_words(self.record.paraphrase[:12].strip())

    @pytest.mark.thorough
    def test_the_page_is_previewed_in_a_window_of_its_own(self) -> None:
        self.show(f"/admin/catalogue/clause/{self.clause.pk}/change/")
        text = self.driver.find_element(By.ID, "id_text")
        text.clear()
        text.send_keys("A text that nobody saved.")
        own = self.driver.current_window_handle
        self.driver.find_element(By.NAME, "_preview").click()
        self.wait(lambda at: len(at.window_handles) == 2, "another window")
        try:
            self.driver.switch_to.window(
                next(window_handle for window_handle in self.driver.window_handles if window_handle != own)
            )
            self.wait_for("A text that nobody saved.")
            assert self.driver.current_url.endswith("#clause-relay")
            assert "Preview." in self.driver.find_element(By.CSS_SELECTOR, "main [role=status]").text
            assert self.driver.get_log("browser") == []
        finally:
            self.driver.close()
            self.driver.switch_to.window(own)
        self.clause.refresh_from_db()
        assert self.clause.text != "A text that nobody saved."

    def test_without_scripts_the_fields_are_typed_and_looked_at(self) -> None:
        with self.without_scripts():
            self.show(f"/admin/catalogue/anchor/add/?clause={self.clause.pk}")
            self.driver.find_element(By.ID, "id_exact").send_keys("going on round the bord")
            self.driver.find_element(By.NAME, "_look").click()
            self.wait(lambda at: "the nearest are" in at.find_element(By.ID, "found").text, "what is wrong")
            assert self.value("exact") == "going on round the bord"
