"""Pages and the editors' room before axe-core, in light and dark: no violation, and no contrast left open.

Contrasts that axe cannot make out are looked at a second time: the colour of the letters against what is painted under
them, shape by shape. What stays open then is an error, as is too little contrast. axe-core comes from the npm registry
when the proof is run (`npm pack`): nothing else here needs Node. Most of the editors' room is drawn by Django; what
Django gets wrong and no template of ours can mend is named in OF_DJANGO, and anything else is an error.
"""

import json
import re
import subprocess
import tarfile
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from selenium.webdriver.common.by import By

from tests.proofs.running import Figures, demand
from tests.proofs.site_browser import Site, each, lengthen, scheme, show, size, window
from tests.proofs.site_walks import wait

AXE, WIDTH = "axe-core@4", 1400
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
CONTRAST = (Path(__file__).parent / "site_contrast.js").read_text(encoding="utf-8")
RUN = """
const done = arguments[arguments.length - 1];
const named = (one) => `${one.id}: ${one.nodes[0].target} (${one.nodes.length})`;
axe.run(document, { runOnly: arguments[0], resultTypes: ["violations", "incomplete"] }).then((found) => {
  const open = found.incomplete.filter((one) => one.id === "color-contrast").flatMap((one) => one.nodes);
  done({
    violations: found.violations.map(named),
    looked_at_twice: open.length,
    contrasts: open.map((node) => [node.target.join(" "), contrast(document.querySelector(node.target[0]))])
      .filter(([target, wrong]) => wrong).map((one) => one.join(": ")),
  });
});
"""


@cache
def checker() -> str:
    """axe-core as one script."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["npm", "pack", "--silent", AXE], cwd=folder, check=True, capture_output=True, timeout=120)
        (archive,) = Path(folder).glob("*.tgz")
        with tarfile.open(archive) as files:
            script = files.extractfile("package/axe.min.js")
            assert script is not None
            return script.read().decode("utf-8")


def checked_by() -> str:
    """All that a page needs to be looked at."""
    return checker() + CONTRAST


def axe(site: Site) -> Figures:
    """Of each type of page and scheme: what is violated, and which contrasts are too low or cannot be made out."""
    figures: Figures = {}
    with window() as driver:
        for name, address in each(site.types):
            figures[name] = {}
            for colours in ("light", "dark"):
                size(driver, WIDTH)
                scheme(driver, colours)
                show(driver, site.base + address)
                lengthen(driver, WIDTH)
                driver.execute_script(checked_by())
                figures[name][colours] = driver.execute_async_script(RUN, TAGS)
    wrong = {
        f"{name}, {colours}, {kind}": found[kind]
        for name, schemes in figures.items()
        for colours, found in schemes.items()
        for kind in ("violations", "contrasts")
        if found[kind]
    }
    demand(not wrong, json.dumps(wrong, ensure_ascii=False), figures)
    return figures


LOGIN, EDITOR = "/admin/login/", "editor"
BEGIN = "/workshop/begin/DLP.Evidence.692/"
PAGES = {
    "first page": "/admin/",
    "desk": "/workshop/",
    "list of records": "/admin/catalogue/evidence/",
    "list of rules": "/admin/catalogue/clause/",
    "new rule": "/admin/catalogue/clause/add/",
    "new record": "/admin/catalogue/evidence/add/",
    "record from nothing": "/workshop/records/new/",
    "record of the portal": "/workshop/records/import/",
    "record in the workshop": "/workshop/records/DLP.Evidence.692/",
    "words corrected": "/workshop/records/DLP.Evidence.692/words/",
    "draft, begun": BEGIN,
    "drafts": "/workshop/drafts/",
    "signing": "/workshop/sign/daramuti-parker/",
    "new picture": "/workshop/records/DLP.Evidence.692/pictures/new/",
    "board of a record": "/workshop/records/DLP.Evidence.692/board/",
    "new observation": "/workshop/records/DLP.Evidence.692/observations/new/",
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
        for name, address in each(PAGES | forms | _draft(driver, site)):
            _look(driver, site, name, address, figures)
    wrong = {name: one for name, one in figures.items() if name != "of Django" and any(one.values())}
    demand(not wrong, json.dumps(wrong, ensure_ascii=False), figures)
    return figures


def _draft(driver: Any, site: Site) -> dict[str, str]:
    """The pages of a draft that begins with the rules of a reading, one of them with words that are chosen."""
    show(driver, f"{site.base}{BEGIN}")
    driver.find_element(By.CSS_SELECTOR, "option[value=daramuti-parker]").click()
    driver.find_element(By.CSS_SELECTOR, "main form.column button").click()
    wait(driver, lambda: "/drafts/" in driver.current_url)
    own = driver.current_url.removeprefix(site.base)
    return {
        "draft": own,
        "draft, a rule by its name": f"{own}?find=relay",
        "draft, tried": f"{own}try/?whole=1",
        "draft, published": f"{own}publish/",
        "draft, its board": f"{own}board/",
    }


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
