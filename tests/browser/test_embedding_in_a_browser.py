"""Figures of the catalogue in a page of another site, visited again and again by one browser."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from django.test import override_settings
from selenium.webdriver.common.by import By

from tests.browser.browsing import BrowserTestCase, in_a_browser

pytestmark = in_a_browser
IN_MEMORY = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
SHOWN = """
const [seen] = performance.getEntriesByType("navigation");
return [document.querySelector("h1, h2, figcaption, svg") !== null, seen.transferSize < seen.encodedBodySize];
"""


class OtherSite(BaseHTTPRequestHandler):
    """A page of a museum, with a frame."""

    def __init__(self, framed: str, *given: Any) -> None:
        self.framed = framed
        super().__init__(*given)

    def do_GET(self) -> None:
        page = f"<!doctype html><title>A museum</title><iframe width=800 height=600 src='{self.framed}'></iframe>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(page.encode())

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def other_site(framed: str) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(OtherSite, framed))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


@override_settings(KEEP_PAGES=True, CACHES={"default": IN_MEMORY, "pages": {**IN_MEMORY, "LOCATION": "pages"}})
class EmbeddingInABrowser(BrowserTestCase):
    def test_a_figure_stays_in_its_frame_on_later_visits(self) -> None:
        for address in ("/evidence/DLP.Evidence.692/outcomes/", "/games/daramuti/outcomes/?level=random"):
            with other_site(self.live_server_url + address) as museum:
                for visit in range(3):
                    self.driver.get(f"{museum}?{visit}")
                    self.driver.switch_to.frame(self.driver.find_element(By.TAG_NAME, "iframe"))
                    assert self.driver.execute_script(SHOWN) == [True, visit > 0], (address, visit)
                    self.driver.switch_to.default_content()
                assert self.driver.get_log("browser") == []
