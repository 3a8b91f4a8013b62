"""What the tests in a browser share: one Chromium a process, and a server whose connections end when it does."""

import shutil
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.core.servers.basehttp import ThreadedWSGIServer
from django.test import Client, LiveServerTestCase
from django.test.testcases import LiveServerThread
from selenium.common.exceptions import WebDriverException
from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
]
PATIENCE = 120  # seconds, of a busy machine
# What a browser remembers of a test: its cookies and pages, which belong together, and how large its window was.
AS_NEW = ("Network.clearBrowserCookies", "Network.clearBrowserCache", "Emulation.clearDeviceMetricsOverride")

in_a_browser = [
    pytest.mark.browser,
    pytest.mark.by_turns,
    pytest.mark.skipif(not (BROWSER and DRIVER), reason="needs chromium and chromedriver on the path"),
]


@contextmanager
def browser(scripts: bool = True) -> Iterator[Chrome]:
    """scripts: whether pages may run any, as its user has set it"""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = Options()
        options.binary_location = BROWSER or ""
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        if not scripts:
            options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
        driver = Chrome(options=options, service=Service(DRIVER))
        driver.set_script_timeout(PATIENCE)
        try:
            yield driver
        finally:
            driver.quit()


class EndingServer(ThreadedWSGIServer):
    """Ends its connections when it is closed, and waits until all is answered: the browser, which is used on, keeps
    them open, and what is answered too late would find the database of another test."""

    daemon_threads = False

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.connected: set[socket.socket] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        self.connected.add(request)
        super().process_request(request, client_address)

    def close_request(self, request: Any) -> None:
        self.connected.discard(request)
        super().close_request(request)

    def server_close(self) -> None:
        for one in list(self.connected):
            with suppress(OSError):  # it is closed by now
                one.shutdown(socket.SHUT_RD)
        super().server_close()


class EndingServerThread(LiveServerThread):
    server_class = EndingServer


class BrowserTestCase(LiveServerTestCase):
    """The shipped catalogue in a browser, which each test finds as if nobody had used it."""

    holds = "played"
    server_thread_class = EndingServerThread
    driver: Chrome

    @pytest.fixture(autouse=True)
    def _with_a_driver(self, driver: Chrome) -> None:
        self.driver = driver

    def log_in(self) -> None:
        """As an editor: the page that is shown then was asked for without."""
        user = User.objects.create_user("ada", is_staff=True)
        user.groups.set(Group.objects.filter(name="editor"))
        client = Client()
        client.force_login(user)
        self.show("/workshop/drafts/")
        name = settings.SESSION_COOKIE_NAME
        self.driver.add_cookie({"name": name, "value": client.cookies[name].value})

    def tearDown(self) -> None:
        self.driver.get("about:blank")  # a page that waits would go on asking
        self.driver.get_log("browser")
        for command in AS_NEW:
            self.driver.execute_cdp_cmd(command, {})

    @contextmanager
    def without_scripts(self) -> Iterator[None]:
        """No page that is opened within runs any, and each shows what it has for that."""
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        try:
            yield
        finally:
            self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})

    def show(self, address: str, width: int = 1400) -> None:
        """width: of the window, in CSS pixels"""
        self.widen(width)
        self.driver.get(self.live_server_url + address)

    def widen(self, width: int) -> None:
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def overflow(self) -> int:
        """By how many CSS pixels the page is wider than its window."""
        return int(self.driver.execute_script("return document.documentElement.scrollWidth - innerWidth"))

    def wait(self, true: Callable[[Chrome], Any], what: str = "what it waited for") -> Any:
        """What is missing, or is replaced while it is looked at, is looked for again."""
        waiting = WebDriverWait(self.driver, PATIENCE, 0.1, ignored_exceptions=(WebDriverException,))
        return waiting.until(true, f"never saw {what}")

    def wait_for(self, words: str) -> None:
        self.wait(lambda driver: words in driver.find_element(By.TAG_NAME, "main").text, f"“{words}”")
