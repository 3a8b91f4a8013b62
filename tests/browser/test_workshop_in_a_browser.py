"""From an empty catalogue to a game that can be played, by pointing at words: as a person would, with clicks counted.

Nothing is there but records as they are shipped. Whatever the words decide is set by selecting the words that the
shipped reading names, and pressing the sentence that they say; what the words do not decide is left as it stands.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from catalogue.loading.rows import Loaded, load_rows
from catalogue.models import Reading
from simulator.engine.documents import write_value
from simulator.engine.family import family
from tests.browser.browsing import in_a_browser
from tests.browser.making import MakerInABrowser

pytestmark = in_a_browser
FIXTURES = Path(settings.BASE_DIR) / "fixtures"
DECIDED = ("stated", "entailed", "other_source")
SELECT = """
const [record, field, exact, prefix] = arguments;
const text = document.querySelector(`[data-record="${record}"][data-in="${field}"]`);
const at = text.textContent.indexOf(prefix + exact) + prefix.length;
const range = document.createRange(), walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
let passed = 0, begun = false;
for (let node; (node = walker.nextNode()); passed += node.data.length) {
  if (!begun && at < passed + node.data.length) { range.setStart(node, at - passed); begun = true; }
  if (at + exact.length <= passed + node.data.length) { range.setEnd(node, at + exact.length - passed); break; }
}
getSelection().removeAllRanges();
getSelection().addRange(range);
"""


def shipped(name: str) -> Any:
    return json.loads((FIXTURES / name).read_text(encoding="utf-8"))


def load_records(names: set[str]) -> None:
    """These records with their games, sources and places, and nothing that anybody has read in them."""
    rows = [row for file in ("places", "games", "sources", "evidence") for row in shipped(f"{file}.json")]
    of_records = [
        row
        for row in rows
        if row["model"] not in ("catalogue.evidence", "catalogue.citation")
        or (row["fields"].get("identifier") or row["fields"]["evidence"][0]) in names
    ]
    load_rows(of_records, Loaded(), bring_up_to_date=True)


class WorkshopInABrowser(MakerInABrowser):
    def set_rule(self, key: str, value: Any, words: Mapping[str, str], basis: str) -> None:
        """Select words, and press the sentence that they say; a rule that is not offered is looked up by its name."""
        number = self.draft.number
        given = (words["record"], words["in"], words["exact"], words.get("prefix", ""))
        self.driver.execute_script(SELECT, *given)
        self.clicks += 1
        shown = f"“{words['exact'][:40]}"
        self.wait(lambda driver: shown in driver.find_element(By.ID, "offers").text.replace("\n", " "), shown)
        typed = write_value(value)
        button, own = f'#offers button[value="{key}={typed}"]', f'#offers button[value="{key}="]'
        if not self.driver.find_elements(By.CSS_SELECTOR, f"{button}, {own}"):
            Select(self.driver.find_element(By.ID, "id_find")).select_by_value(key)
            self.clicks += 2
            self.wait(lambda driver: driver.find_elements(By.CSS_SELECTOR, f"{button}, {own}"), key)
        if basis != "stated":
            self.click(f'#offers input[name=basis][value="{basis}"]')
        if self.driver.find_elements(By.CSS_SELECTOR, button):
            self.click(button)
        else:
            self.type(f'#offers [name="set.{key}"]', typed)
            self.click(own)
        self.wait(lambda _: self.draft.number > number, f"{key} is set")

    def decided(self, game: str, reading: str, document: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any, str]]:
        """(parameter, value, words, basis) of all that the words of the records decide in the shipped reading."""
        specs = family(document["family"]).schema["properties"]
        for clause in shipped(f"apparatus/{game}.json")["readings"][reading]["clauses"]:
            words = next((one for one in clause["words"] if one["record"] in self.records), None)
            if clause["basis"] in DECIDED and words:
                for key in clause["parameters"]:
                    yield key, document.get(key, specs[key].get("default")), words, clause["basis"]

    def make_playable(self, game: str, reading: str, record: str) -> None:
        self.records = {record}
        load_records(self.records)
        assert not Reading.objects.exists()
        document = shipped(f"rulesets/{reading}.json")["document"]
        self.log_in()
        self.show(f"/evidence/{record}/")
        self.click('a[href^="/workshop/begin/"]')
        assert (
            self.driver.find_element(By.CSS_SELECTOR, "input[name=family]:checked").get_attribute("value")
            == (document["family"])
        )
        self.click("main form.column button")
        self.wait_for("These words")
        decided = list(self.decided(game, reading, document))
        for rule in decided:
            self.set_rule(*rule)
        made = self.draft.document
        specs = family(document["family"]).schema["properties"]
        assert {key: made.get(key, specs[key].get("default")) for key, *_ in decided} == {
            key: value for key, value, *_ in decided
        }
        self.finish()

    @pytest.mark.proof
    def test_a_sowing_game_is_made_playable_again(self) -> None:
        self.make_playable("puhulmutu", "puhulmutu-parker", "DLP.Evidence.1386")

    @pytest.mark.thorough
    def test_a_game_of_points_is_made_playable_again(self) -> None:
        self.make_playable("nerenchi-keliya", "nerenchi-keliya-parker", "DLP.Evidence.1478")

    @pytest.mark.proof
    def test_a_race_game_is_made_playable_again(self) -> None:
        self.make_playable("pancha-keliya", "pancha-keliya-parker", "DLP.Evidence.1316")
