"""The editors' room before axe-core, in light and dark: its login, its first page, the desk, lists and forms.

Most of it is drawn by Django. What Django gets wrong and no template of ours can mend is named in OF_DJANGO, one by
one: anything else is an error.
"""

import json
import re
from typing import Any

from selenium.webdriver.common.by import By

from tests.proofs.running import Figures, demand
from tests.proofs.site_axe import RUN, TAGS, WIDTH, checked_by
from tests.proofs.site_browser import lengthen, scheme, show, size, window
from tests.proofs.site_pages import Site, each
from tests.proofs.site_walks import wait

LOGIN, EDITOR = "/admin/login/", "editor"
PAGES = {
    "first page": "/admin/",
    "desk": "/admin/desk/",
    "list of records": "/admin/catalogue/evidence/",
    "list of rules": "/admin/catalogue/clause/",
    "new rule": "/admin/catalogue/clause/add/",
    "new record": "/admin/catalogue/evidence/add/",
}
# Forms of rows that there are: the list that leads to the first of them, what stands behind its address.
FORMS = {
    "record": ("/admin/catalogue/evidence/", "change/"),
    "rule and its words": ("/admin/catalogue/clause/", "change/"),
    "words in their text": ("/admin/catalogue/anchor/", "change/"),
    "question and its answers": ("/admin/catalogue/question/", "change/"),
    "history of a rule": ("/admin/catalogue/clause/", "history/"),
    "deleting a rule": ("/admin/catalogue/clause/", "delete/"),
}
# (rule of axe, what its target begins with) -> what Django draws so
OF_DJANGO = {
    ("aria-input-field-name", ".select2-selection"): "the box in which a row is chosen has no name (select2)",
    ("label", ".select2-search__field"): "nor has the field in it in which one types (select2)",
    ("list", ".select2-selection--multiple"): "the rows that were chosen are a list with a field in it (select2)",
    ("empty-table-header", "fieldset["): "the first column of rows below a form has no heading",
}


def editors(site: Site) -> Figures:
    """Of each page and scheme what is violated, without what is Django's, which is told beside."""
    figures: Figures = {"of Django": {f"{rule}: {target}": why for (rule, target), why in OF_DJANGO.items()}}
    demand(bool(site.password), "the password of the editor's account is not known: say it with --password", figures)
    with window() as driver:
        _look(driver, site, "login", LOGIN, figures)
        show(driver, site.base + LOGIN)
        driver.find_element(By.NAME, "username").send_keys(EDITOR)
        driver.find_element(By.NAME, "password").send_keys(site.password)
        driver.find_element(By.CSS_SELECTOR, "[type=submit]").click()
        wait(driver, lambda: LOGIN not in driver.current_url)
        forms = {name: _first(driver, site, *where) for name, where in FORMS.items()}
        for name, address in each(PAGES | forms):
            _look(driver, site, name, address, figures)
    wrong = {name: one for name, one in figures.items() if name != "of Django" and any(one.values())}
    demand(not wrong, json.dumps(wrong, ensure_ascii=False), figures)
    return figures


def _first(driver: Any, site: Site, list_of: str, end: str) -> str:
    show(driver, site.base + list_of)
    links = [one.get_attribute("href") for one in driver.find_elements(By.CSS_SELECTOR, "#result_list tbody th a")]
    return re.sub(r"change/.*", end, links[0].removeprefix(site.base))


def _look(driver: Any, site: Site, name: str, address: str, figures: Figures) -> None:
    figures[name] = {}
    for colours in ("light", "dark"):
        size(driver, WIDTH)
        scheme(driver, colours)
        show(driver, site.base + address)
        lengthen(driver, WIDTH)
        driver.execute_script(checked_by())
        found = driver.execute_async_script(RUN, TAGS)
        figures[name][colours] = [one for one in found["violations"] + found["contrasts"] if not _is_of_django(one)]


def _is_of_django(violation: str) -> bool:
    return any(violation.startswith(f"{rule}: {target}") for rule, target in OF_DJANGO)
