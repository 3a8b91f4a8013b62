"""Real servers for the tests in this folder."""

from collections.abc import Iterator

import pytest

from simulator import embedded
from tests.services.machine import Machine


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[embedded.EmbeddedBroker]:
    with embedded.running_broker(tmp_path_factory.mktemp("broker") / "broker.log") as running:
        yield running


@pytest.fixture(scope="module")
def machine(broker: embedded.EmbeddedBroker, tmp_path_factory: pytest.TempPathFactory) -> Machine:
    one = Machine(tmp_path_factory.mktemp("machine"), broker)
    one.manage("migrate", "--verbosity", "0", "--skip-checks")
    return one
