"""What holds in every test."""

import atexit
import gc
import math
import os
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings

from tests import choice, databases

# One profile, so that no test depends on how fast the machine is.
hypothesis.settings.register_profile(
    "catalogue",
    max_examples=100 if choice.ALL else 12,
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
        config.option.markexpr = ""  # thorough tests too


def pytest_report_header() -> str:
    return "all tests" if choice.ALL else f"a choice of the tests of all rulesets: ROTATION={choice.ROTATION}"


def pytest_collection_finish(session: pytest.Session) -> None:
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """End a process of xdist, which has sent its results, at once: Python would take seconds to free each object."""
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
