"""What holds in every test."""

import atexit
import contextlib
import gc
import importlib
import math
import os
import sys
from collections.abc import Iterable
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings

from tests import choice, databases

# One profile, so that no test depends on how fast the machine is.
hypothesis.settings.register_profile(
    "catalogue",
    max_examples=50 if choice.ALL else 12,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(hypothesis.HealthCheck),
)
hypothesis.settings.load_profile("catalogue")

# What was collected stays until the end, and need not be looked through again and again: a tenth of all time.
gc.set_threshold(100_000, 20, 100)


def pytest_configure(config: pytest.Config) -> None:
    if choice.ALL:
        config.option.markexpr = config.option.markexpr.replace("not thorough and ", "")


def pytest_report_header() -> str:
    return "all tests" if choice.ALL else f"a choice of the tests of all rulesets: ROTATION={choice.ROTATION}"


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Let the second of two processes import the tests from the end: after that each finds what the other compiled.

    What cannot be imported is left to the collection, which says so.
    """
    if os.environ.get("PYTEST_XDIST_WORKER") != "gw1":
        return
    files = {file for one in session.config.args for file in _files_of_tests(Path(one))}
    for path in sorted(files, reverse=True):
        top = next(folder for folder in path.parents if not (folder / "__init__.py").exists())
        if str(top) not in sys.path:
            sys.path.insert(0, str(top))
        with contextlib.suppress(Exception, pytest.skip.Exception):
            importlib.import_module(".".join(path.relative_to(top).with_suffix("").parts))


def _files_of_tests(path: Path) -> Iterable[Path]:
    return path.resolve().rglob("test_*.py") if path.is_dir() else ()


@pytest.hookimpl(trylast=True)  # when thorough tests are left out
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave two thirds of the tests marked `by_turns` to other days; those that share a name take turns as one.

    Whoever names tests, or one file of them, wants all of these.
    """
    names = {item: mark.args[0] if mark.args else item.nodeid for item in items if (mark := _turn_of(item))}
    if len({item.path for item in items}) == 1 or any("::" in word for word in config.args):
        return
    chosen = set(choice.third_of_the_day(dict.fromkeys(names.values())))
    others = [item for item, name in names.items() if name not in chosen]
    config.hook.pytest_deselected(items=others)
    left_out = set(others)
    items[:] = [item for item in items if item not in left_out]


def _turn_of(item: pytest.Item) -> pytest.Mark | None:
    """What was marked last says with whom it takes turns: the module of a test, where all of it is marked."""
    return next(iter(list(item.iter_markers("by_turns"))[-1:]), None)


def pytest_collection_finish(session: pytest.Session) -> None:
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """End a process of xdist, which has sent its results, at once: Python would take seconds to free each object.

    In the others pytest looks through all of them for what was left open, several times; there is nothing of the tests.
    """
    gc.freeze()
    if hasattr(config, "workerinput"):
        atexit._run_exitfuncs()
        os._exit(0)


@pytest.fixture(scope="session")
def database_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return databases.made_once(databases.folder_of_the_run(tmp_path_factory))


@pytest.fixture(scope="session")
def empty_database(database_files: dict[str, Path]) -> Path:
    """A file with all tables and no rows."""
    return database_files["empty"]


@pytest.fixture(scope="session")
def shipped_database(database_files: dict[str, Path]) -> Path:
    """A file with the shipped records, readings and rulesets."""
    return database_files["shipped"]


@pytest.fixture(scope="session")
def place_of_the_edition(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Where the small edition of the tests is built, once for all processes that share the tests among them."""
    from tests.catalogue.edition_world import EditionTestCase

    own = tmp_path_factory.getbasetemp()
    EditionTestCase.built = own / "edition-of-this-process"
    EditionTestCase.shared = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "shared-edition"
    EditionTestCase.shared.mkdir(exist_ok=True)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(database_files: dict[str, Path]) -> None:
    """What the tests of this process write to: asked for before the database is made."""
    databases.begin_with(database_files)


@pytest.fixture(scope="session", autouse=True)
def site_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The settings that differ from those of a site; one fixture, as every test asks for each that there is."""
    from catalogue.search import ranking  # here: the models come after the settings
    from tests.catalogue.page_world import finalize

    # All tests ask from one address; those of the limits set limits of their own.
    settings.API_REQUESTS_PER_MINUTE = settings.API_REQUESTS_PER_HOUR = 0
    # Not what is released on this machine; the tests of the releases make their own.
    settings.DATASETS_DIR = settings.VAR_DIR / "no-datasets"
    settings.FILES_DIR = tmp_path_factory.mktemp("files")
    # What a page was when it was last seen is no matter between two runs, and every test sees the page rendered.
    own = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "pages"}
    settings.CACHES = {**settings.CACHES, "pages": own}
    settings.KEEP_PAGES = False
    # Static files are looked for when they are asked for, not all of them by the client of each test.
    settings.WHITENOISE_AUTOREFRESH = True
    # What is kept because it took long must not depend on how busy the machine is; a test that wants it says so.
    ranking.LONG = math.inf
    # Plots take longer than all else of a batch: a test that looks at them says so, see `page_world.with_plots`.
    finalize.draw_if_undrawn = lambda batch_id: None
