"""What holds in every test."""

import math

import pytest
from django.conf import settings


@pytest.fixture(scope="session", autouse=True)
def nobody_is_counted() -> None:
    """All tests ask from one address; those of the limits set limits of their own."""
    settings.API_REQUESTS_PER_MINUTE = settings.API_REQUESTS_PER_HOUR = 0


@pytest.fixture(scope="session", autouse=True)
def no_release_is_offered() -> None:
    """Whatever whoever runs the tests has released; the tests of the releases make their own."""
    settings.DATASETS_DIR = settings.VAR_DIR / "no-datasets"


@pytest.fixture(scope="session", autouse=True)
def files_are_those_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> None:
    settings.FILES_DIR = tmp_path_factory.mktemp("files")


@pytest.fixture(scope="session", autouse=True)
def pages_are_remembered_by_the_process() -> None:
    """What a page was when it was last seen is no matter between two runs."""
    own = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "pages"}
    settings.CACHES = {**settings.CACHES, "pages": own}


@pytest.fixture(scope="session", autouse=True)
def nothing_is_kept_for_being_slow() -> None:
    """What is kept because it took long must not depend on how busy the machine is; a test that wants it says so."""
    from catalogue.search import cache  # here: the models come after the settings

    cache.LONG = math.inf
