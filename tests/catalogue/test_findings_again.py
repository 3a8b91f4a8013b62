"""The notebook that computes findings again comes to what is published, of games that are played here."""

import io

import pytest
from django.core.management import call_command
from django.test import LiveServerTestCase

from tests.catalogue.page_world import load_catalogue
from tests.proofs.findings import CELLS, FINDING, computed_again

READINGS = ("puhulmutu-parker", "puhulmutu-ludii")


@pytest.mark.thorough
class Again(LiveServerTestCase):
    def test_the_notebook_comes_to_what_is_published(self) -> None:
        """Two readings compared, by rows that the API sends; a study whose games are played again."""
        load_catalogue()
        for command, words in (("compare", READINGS), ("sensitivity", ("koti-keliya", "--players", "greedy"))):
            call_command(command, *words, "--games", "100", "--inline", stdout=io.StringIO(), stderr=io.StringIO())
        printed = computed_again(self.live_server_url)
        found = FINDING.findall(printed)
        assert [verdict for *_, verdict, _ in found] == ["same"] * len(found), printed
        [(cells, shares, hashes)] = CELLS.findall(printed)
        assert int(cells) == int(shares) == int(hashes) > 1
        assert len(found) >= 2
