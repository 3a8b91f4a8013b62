"""A record from nothing, in an empty catalogue and without scripts: an object, its source, and its picture."""

import tempfile
from pathlib import Path

from django.test import override_settings
from PIL import Image
from selenium.webdriver.common.by import By

from catalogue.models import Evidence
from tests.browser.browsing import BrowserTestCase, in_a_browser

pytestmark = in_a_browser
MOST_CLICKS = 25
BIBTEX = "@article{c, author = {Crist, Walter}, title = {A Roman board}, journal = {Antiquity}, year = 2026}"


class EnteringInABrowser(BrowserTestCase):
    holds = "empty"
    clicks = 0

    def setUp(self) -> None:
        super().setUp()
        folder = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="media-")))
        self.enterContext(override_settings(MEDIA_ROOT=str(folder)))
        self.slab = folder / "slab.jpg"
        Image.linear_gradient("L").convert("RGB").save(self.slab)

    def click(self, selector: str) -> None:
        self.driver.find_element(By.CSS_SELECTOR, selector).click()
        self.clicks += 1

    def type(self, **typed: str) -> None:
        for name, words in typed.items():
            field = self.driver.find_element(By.CSS_SELECTOR, f"main form [name={name}]")
            field.clear()
            field.send_keys(words)

    def test_an_object_is_entered_with_its_picture(self) -> None:
        driver = self.driver
        with self.without_scripts():
            self.log_in()
            self.show("/workshop/")
            self.click(".ways a[href='/workshop/records/new/']")
            self.click("[name=without_words]")
            self.type(source=BIBTEX, game="The slab of Coriovallum", place="Heerlen", date_words="the 250s")
            self.type(type="Artifact")
            self.click("form > p.actions button")
            assert "new" in driver.find_element(By.CSS_SELECTOR, ".understood").text
            self.click("[name=save]")
            self.click("a[href$='/pictures/new/']")
            driver.find_element(By.NAME, "picture").send_keys(str(self.slab))
            self.click("[name=kind][value=object]")
            self.type(description="A slab with lines that cross in the middle.", origin="Heerlen, object 04433")
            self.click("#id_rights option[value=cc0]")
            self.click("main form button")
            assert driver.find_element(By.CSS_SELECTOR, "#picture-1 img").get_property("naturalWidth") == 256
            self.click("a.button[href^='/workshop/begin/']")
            assert "Open a draft" in driver.find_element(By.TAG_NAME, "main").text
        record = Evidence.objects.get()
        assert (record.without_words, record.date_edtf, record.pictures.get().rights) == (True, "025X", "cc0")
        assert self.clicks <= MOST_CLICKS
