"""The proof of names finds an old name wherever one can stand, and lets it stand where there is a reason."""

from pathlib import Path

import pytest

from tests.proofs import house_names
from tests.proofs.house_names import Allowed, names
from tests.proofs.house_trees import Trees
from tests.proofs.running import Unproved


@pytest.fixture
def trees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trees:
    """A tree of one module and one template, which may say `told` in the template's language."""
    for place, text in {
        "catalogue/pages/one.py": 'path("games/<str:slug>/", one)\nsummary = "told in words"  # told in a comment\n',
        "templates/one.html": '{% if outcome.told == "desk" %}<p id="desk">It is told.</p>{# desk #}{% endif %}\n',
    }.items():
        path = tmp_path / "now" / place
        path.parent.mkdir(parents=True)
        path.write_text(text)
    monkeypatch.setattr(house_names, "allowed", lambda: [Allowed("told", "templates/*", "a published field")])
    return Trees(tmp_path, "none")


def test_where_no_old_name_stands_the_allowed_ones_are_told_with_their_reason(trees: Trees) -> None:
    found = names(trees)
    assert found["files"] == 2
    assert found["found"] == {}
    assert found["allowed"] == {"told in templates/*": "1 times: a published field"}


@pytest.mark.parametrize(
    ("place", "text", "found"),
    [
        (
            "catalogue/pages/two.py",
            "def told():\n    pass\n",
            "told in catalogue/pages/two.py: now summary, TurnSummary",
        ),
        ("simulator/two.py", "class Wish:\n    pass\n", "Wish in simulator/two.py"),
        ("simulator/desk/two.py", "x = 1\n", "desk in simulator/desk/two.py"),
        ("catalogue/weighing.py", "x = 1\n", "weighing in catalogue/weighing.py"),
        ("tests/catalogue/test_judgements.py", "x = 1\n", "judgements in tests/catalogue/test_judgements.py"),
        ("catalogue/config/urls.py", 'path("games/<str:slug>/doubts/", view)\n', "doubts in catalogue/config/urls.py"),
        ("templates/two.html", "{{ asked.told }}{{ thinking }}", "thinking in templates/two.html"),
        ("templates/two.html", "<h1>Judgements</h1>", "Judgements in templates/two.html: now another word"),
    ],
)
def test_an_old_name_that_is_planted_is_found(trees: Trees, place: str, text: str, found: str) -> None:
    path = trees.root("now") / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    with pytest.raises(Unproved, match="1 old names are left") as fault:
        names(trees)
    assert [one for one in fault.value.figures["found"] if one.startswith(found)] != []


def test_a_place_that_is_allowed_in_vain_is_a_fault(trees: Trees) -> None:
    (trees.root("now") / "templates/one.html").write_text("<p>Nothing.</p>\n")
    with pytest.raises(Unproved, match="a place is allowed that needs it no more"):
        names(trees)
