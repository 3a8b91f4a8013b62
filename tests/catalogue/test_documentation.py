"""What the documentation names is there: files, links, make targets, commands with their options, modules."""

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import get_commands, load_command_class
from django.urls import Resolver404, resolve

ROOT = Path(settings.BASE_DIR)
PAGES = sorted(
    [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/*.md"), *ROOT.glob("templates/docs/*.md")]
)
ON_THE_SITE = re.compile(r"https?://(?:127\.0\.0\.1|localhost)(?::\d+)?")
FOLDERS = "catalogue|clients|docs|examples|fixtures|simulator|templates|tests|tools"
A_PATH = re.compile(rf"(?<![\w/.<>-])((?:{FOLDERS})/[\w<>*/.-]*|[\w<>-]+(?:/[\w<>.-]+)*\.(?:py|html|toml))(?![\w/-])")
# Where a path of a page may begin: the pages on the architecture name modules from their package on.
ROOTS = (
    ROOT,
    *(
        ROOT / name
        for name in ("catalogue", "simulator", "simulator/engine", "simulator/engine/families/race", "templates")
    ),
)


@cache
def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def code_in(text: str) -> list[str]:
    """What stands between backticks, and the lines of blocks without their comments."""
    blocks = re.findall(r"^ *```\w*\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL)
    rest = re.sub(r"^ *```\w*\n.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL)
    lines = re.sub(r"(^|\s)#.*$", "", "".join(blocks).replace("\\\n", " "), flags=re.MULTILINE).splitlines()
    return [" ".join(code.split()) for code in (*re.findall(r"`([^`]+)`", rest), *lines)]


def exists(name: str) -> bool:
    """A file, a folder, or a pattern: `<family>` stands for any name."""
    pattern = re.sub(r"<[^>]*>", "*", name.rstrip("/."))
    return any(found for root in ROOTS for found in root.glob(pattern))


def paths_missing(text: str) -> list[str]:
    """Paths in code."""
    found = {path for code in code_in(text) for path in A_PATH.findall(code) if "/" in path}
    return sorted(path for path in found if not exists(path))


def links_missing(text: str, folder: Path) -> list[str]:
    """Links to files of the tree, and to pages of the site."""
    missing = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        target = ON_THE_SITE.sub("", link).partition("#")[0].partition("?")[0]
        if target.startswith("/"):
            try:
                resolve(target)
            except Resolver404:
                missing.append(link)
        elif target and "://" not in target and not target.startswith("mailto:"):
            missing += [link] * (not (folder / target).exists())
    return missing


def targets_missing(text: str) -> list[str]:
    """`make TARGET`: those of the Makefile, and proofs that are there."""
    rules = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    wanted = {word for code in code_in(text) for word in re.findall(r"\bmake ([a-z][a-z-]*)", code)}
    proofs = {word: ROOT / f"tests/proofs/{word.removeprefix('proof-').replace('-', '_')}.py" for word in wanted}
    return sorted(word for word in wanted if word not in rules and not proofs[word].exists())


def commands_missing(text: str) -> list[str]:
    """`manage.py COMMAND --option …`, and `python -m MODULE` of this tree."""
    missing = []
    for code in code_in(text):
        for name, rest in re.findall(r"manage\.py ([a-z_]+)([^|;&#`]*)", code):
            if name not in get_commands():
                missing.append(f"manage.py {name}")
                continue
            known = load_command_class(get_commands()[name], name).create_parser("manage.py", name).format_help()
            missing += [
                f"manage.py {name} {option}"
                for option in re.findall(r"(?<=\s)--[a-z-]+", rest)
                if not re.search(rf"{option}\b(?!-)", known) and not in_an_action(name, option)
            ]
        for module in re.findall(r"python -m ((?:tests|simulator|catalogue|tools)[\w.]*)", code):
            missing += [module] * (find_spec(module) is None)
    return missing


def in_an_action(command: str, option: str) -> bool:
    """Whether an action of a command (`batches list`) has it."""
    parser = load_command_class(get_commands()[command], command).create_parser("manage.py", command)
    choices = [action.choices for action in parser._actions if isinstance(action.choices, dict)]
    return any(option in one.format_help() for actions in choices for one in actions.values())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
class TestDocumentation:
    def test_every_path_is_there(self, page: Path) -> None:
        assert paths_missing(text_of(page)) == []

    def test_every_link_leads_somewhere(self, page: Path) -> None:
        assert links_missing(text_of(page), page.parent) == []

    @pytest.mark.by_turns
    def test_every_target_command_and_option_is_known(self, page: Path) -> None:
        assert targets_missing(text_of(page)) == []
        assert commands_missing(text_of(page)) == []


def test_what_is_wrong_is_found() -> None:
    assert paths_missing("`catalogue/models/`, `fixtures/rulesets/<slug>.json` and `catalogue/nowhere.py`") == [
        "catalogue/nowhere.py"
    ]
    assert links_missing("[a](README.md) [b](nothing.md) [c](/games/) [d](/gmaes/)", ROOT) == ["nothing.md", "/gmaes/"]
    assert targets_missing("```sh\nmake check\nmake chekc\n```\n`make proof-site`, `make proof-siet`") == [
        "chekc",
        "proof-siet",
    ]
    wrong = "`manage.py replay X --seed 1 --sede 2`, `manage.py relay X`, `python -m tests.golden_digest`"
    assert commands_missing(wrong) == ["manage.py replay --sede", "manage.py relay", "tests.golden_digest"]
