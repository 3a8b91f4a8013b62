"""Two hundred games of every ruleset, as they were when their family's version was published."""

import pytest

from simulator.engine.family import family
from tests.engine.rulesets import VERSIONS
from tests.golden_digests import GOLDEN, digest


def test_every_shipped_ruleset_has_a_digest():
    assert set(GOLDEN) == set(VERSIONS)


@pytest.mark.parametrize("slug", VERSIONS)
def test_games_are_as_they_were(slug):
    golden, ruleset = GOLDEN[slug], VERSIONS[slug]
    version = family(ruleset.family).rules_version
    if golden["version"] != version:
        pytest.fail(
            f"the {ruleset.family} family is at version {version}, golden_digests.json at {golden['version']}: "
            "when the new version is final, run python -m tests.golden_digests and commit the file"
        )
    assert digest(ruleset) == golden["rows"], (
        f"games of {slug} are played differently than version {version} of the {ruleset.family} family played them. "
        "If the change is not meant, find it (tests/engine/test_conformance.py says whether the engines agree). "
        "If it is meant, raise the family's version in its definition.py, say why in CHANGELOG.md, and run "
        "python -m tests.golden_digests"
    )
