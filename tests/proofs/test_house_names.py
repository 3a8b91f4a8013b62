"""The proof of names finds an old name wherever one can stand, and lets it stand where there is a reason."""

import re
from pathlib import Path

import pytest

from tests.proofs import house_names
from tests.proofs.house_names import Allowed, main, names
from tests.proofs.house_trees import ROOT, Trees
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
    assert found["found"] == []
    assert found["allowed"] == {"told in templates/*": "1 times: a published field"}


@pytest.mark.parametrize(
    ("place", "text", "found"),
    [
        (
            "catalogue/pages/two.py",
            "x = 1\ndef told():\n    pass\n",
            "2: `told` is an old name; now summary, TurnSummary",
        ),
        ("simulator/two.py", "class Wish:\n    pass\n", "1: `Wish`"),
        ("simulator/desk/two.py", "x = 1\n", "1: `desk`"),
        ("catalogue/weighing.py", "x = 1\n", "1: `weighing`"),
        ("tests/catalogue/test_judgements.py", "x = 1\n", "1: `judgements`"),
        ("catalogue/config/urls.py", '[\n  path("games/<str:slug>/doubts/", view)]\n', "2: `doubts`"),
        ("templates/two.html", "{# desk\n#}{{ asked.told }}{{ thinking }}", "2: `thinking`"),
        ("templates/two.html", "<p\n>\n<h1>Judgements</h1>", "3: `Judgements` is an old name; now another word"),
    ],
)
def test_an_old_name_that_is_planted_is_found(trees: Trees, place: str, text: str, found: str) -> None:
    path = trees.root("now") / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    with pytest.raises(Unproved, match="1 old names are left") as fault:
        names(trees)
    assert [one[: len(place) + 1 + len(found)] for one in fault.value.figures["found"]] == [f"{place}:{found}"]


def test_a_place_that_is_allowed_in_vain_is_a_fault(trees: Trees) -> None:
    (trees.root("now") / "templates/one.html").write_text("<p>Nothing.</p>\n")
    with pytest.raises(Unproved, match="a place is allowed that needs it no more"):
        names(trees)


def test_the_command_prints_only_what_it_finds(
    trees: Trees, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(house_names, "ROOT", trees.root("now"))
    assert (main(), capsys.readouterr().out) == (0, "")
    (trees.root("now") / "templates/one.html").write_text("{% if desk %}{% endif %}\n")
    assert main() == 1
    assert capsys.readouterr().out.splitlines() == [
        "templates/one.html:1: `desk` is an old name; now noinline, call_frame, dispatch, inactive, active",
        "told in templates/*: allowed, and not met any more",
    ]


def test_what_make_check_does_the_hooks_do() -> None:
    makefile, hooks = ((ROOT / name).read_text() for name in ("Makefile", ".pre-commit-config.yaml"))
    steps = makefile.partition("\ncheck:")[2].partition("\n\n")[0].splitlines()[1:]
    commands = [
        step.strip().replace("$(BIN)", ".venv/bin").replace("$(MANAGE)", ".venv/bin/python manage.py") for step in steps
    ]
    entries = [entry.removesuffix(" --force-exclude") for entry in re.findall(r"entry: (\.venv/[^,]*)", hooks)]
    assert ".venv/bin/python -m tests.proofs.house_names" in commands
    assert sorted(command.removesuffix(" .") for command in commands) == sorted(entries)
