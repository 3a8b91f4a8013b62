"""The text of a clause: the rule first, as a player needs it, and after a blank line our remark on the sources."""

import json
import re
from pathlib import Path

from django.conf import settings

from catalogue.loading.rows import is_as_stored
from catalogue.models import Clause, Question

FILES = sorted((Path(settings.BASE_DIR) / "fixtures" / "apparatus").glob("*.json"))
# What a remark begins with; "The paraphrase does not say" is no rule to play by.
REMARKS = re.compile(r"(?:No (?:source|record)|The (?:words|record|text|author)|Parker|Culin) (?:do|does|say)")


def test_the_rule_is_the_first_paragraph() -> None:
    assert Clause(text="A player passes.\n\nNo source says so.").rule == "A player passes."
    assert Clause(text="A player passes.").rule == "A player passes."


def test_shipped_rules_are_rules_and_no_remarks_on_sources() -> None:
    texts = [
        clause["text"]
        for path in FILES
        for reading in json.loads(path.read_text(encoding="utf-8"))["readings"].values()
        for clause in reading["clauses"]
    ]
    assert len(texts) > 700
    assert [text for text in texts if REMARKS.search(text.partition("\n\n")[0])] == []
    assert [text for text in texts if text.count("\n\n") > 1 or text != text.strip()] == []


def test_a_remark_that_is_parted_from_its_rule_is_a_change() -> None:
    assert not is_as_stored(Clause, "text", "It passes. No source says so.", "It passes.\n\nNo source says so.")
    assert is_as_stored(Question, "text", "It passes. No source says so.", "It passes.\n\nNo source says so.")
