"""No text of a row runs as a script: markup in every text column, every page in a browser without a policy."""

import pytest
from django.contrib.auth import get_user_model
from django.test import Client, override_settings

from tests.browser.browsing import BrowserTestCase, in_a_browser
from tests.catalogue.dataset_world import a_folder
from tests.catalogue.markup import spoil
from tests.every_address import addresses, fill

pytestmark = in_a_browser

DOWNLOADED = ("batch-rows", "release-archive", "release-file", "citation", "citation-of-catalogue", "admin:logout")
FOREIGN = """
const scripts = [...document.querySelectorAll("script:not([src])")].filter(one => !one.type.startsWith("application/"));
const elements = document.querySelectorAll("[onerror], [onload], [onmouseover], [src=x], [href^='javascript:']");
return [window.ran || 0, [...scripts, ...elements].map(one => one.outerHTML.slice(0, 80))];
"""


@pytest.mark.thorough
class MarkupInABrowser(BrowserTestCase):
    """It opens every address of the site once."""

    def setUp(self) -> None:
        super().setUp()
        self.enterContext(override_settings(DATASETS_DIR=self.enterContext(a_folder()), CONTENT_SECURITY_POLICY=None))
        spoil()
        self.every = addresses(fill())

    def test_nothing_of_it_runs(self) -> None:
        client, driver, wrong = Client(), self.driver, []
        client.force_login(get_user_model()._default_manager.create_superuser(username="somebody"))
        assert "Content-Security-Policy" not in client.get("/")
        driver.get(f"{self.live_server_url}/robots.txt")
        driver.add_cookie({"name": "sessionid", "value": client.cookies["sessionid"].value})
        for route, address in self.every.items():
            if route not in DOWNLOADED:
                driver.get(self.live_server_url + address)
                ran, foreign = driver.execute_script(FOREIGN)
                if ran or foreign:
                    wrong.append((route, ran, foreign))
        assert not wrong, wrong
