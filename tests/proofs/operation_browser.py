"""Whether a script of somebody's runs, looked at in a real browser: what was sent, and where it was kept, is shown."""

import json
from collections.abc import Iterable
from typing import Any

from selenium.common.exceptions import UnexpectedAlertPresentException, WebDriverException

from tests.browser.browsing import BROWSER, browser

MARK = "hostile"
# Every mark of ours calls a function of this name, which would leave a trace.
TRACE = (
    "window.ran = []; window.hostile = () => window.ran.push('hostile'); window.alert = (text) => window.ran.push(text)"
)


def ran(site: str, targets: Iterable[str], cookies: dict[str, str]) -> dict[str, Any]:
    """How many pages were opened, and on which of them something ran or was stopped only by the policy."""
    said: dict[str, Any] = {"browser": bool(BROWSER), "opened": 0, "ran": [], "stopped": []}
    if not BROWSER:
        return said
    with browser() as driver:
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": TRACE})
        driver.get(f"{site}/robots.txt")
        for name, value in cookies.items():
            driver.add_cookie({"name": name, "value": value})
        for target in targets:
            try:
                driver.get(f"{site}{target}")
                found = driver.execute_script("return window.ran || []")
            except UnexpectedAlertPresentException as error:
                found = [str(error)[:200]]
            except WebDriverException:
                continue  # no page: a file, or an address that a browser does not take
            said["opened"] += 1
            if found:
                said["ran"].append([target[:300], json.dumps(found)[:300]])
            messages = [entry["message"] for entry in driver.get_log("browser")]
            said["stopped"] += [[target[:300], one[:300]] for one in messages if "Content Security Policy" in one]
    return said
