"""What players do who may end a game by consent is told with every figure that depends on it, and with no other."""

import pytest

from catalogue.analyses.claim_results import claim_results
from simulator.batches.service import batch_answer
from simulator.engine.players.wording import BY_LOT, BY_VALUE, NOBODY
from simulator.models import Batch
from tests.catalogue.claim_world import a_claim, judge
from tests.catalogue.comparison_world import PAIR, a_comparison, play
from tests.catalogue.page_world import GAMES, CatalogueTestCase, plain

RECORD = "/evidence/DLP.Evidence.692/"
TOLD = f"random players, {NOBODY}"
WITHOUT = ("daramuti-ludii", "daramuti-dlp")  # no draw can be called in either


class WhoMayCallADraw(CatalogueTestCase):
    def test_with_the_figures_of_a_batch(self) -> None:
        page = plain(self.page(f"/batches/{self.batch.id}/"))
        assert TOLD.capitalize() in page
        assert TOLD in plain(self.page(f"/batches/{self.batch.id}/games/0/")).lower()
        assert all(NOBODY in " ".join(plot.svg.split()) for plot in self.batch.plots.all())

    def test_in_the_answer_of_the_command_and_in_the_api(self) -> None:
        answer = batch_answer(self.batch, "daramuti-parker")
        assert answer["consent"] == answer["summary"]["context"]["consent"] == NOBODY
        assert self.client.get(f"/api/v1/batches/{self.batch.id}/").json()["consent"] == NOBODY

    def test_nothing_is_added_where_no_draw_can_be_called(self) -> None:
        batch = play("daramuti-dlp", GAMES)
        assert "consent" not in {**batch_answer(batch, "daramuti-dlp"), **batch.summary["context"]}
        assert self.client.get(f"/api/v1/batches/{batch.id}/").json()["consent"] == ""
        assert "calling a draw" not in self.page(f"/batches/{batch.id}/")
        rounds = play("daramuti-parker", GAMES, until="round")
        assert "calling a draw" not in self.page(f"/batches/{rounds.id}/")

    def test_of_an_earlier_engine_that_lots_were_drawn(self) -> None:
        sections = [one for one in self.batch.summary["sections"] if one["key"] != "draws"]  # which it did not have
        summary = {**self.batch.summary, "sections": sections}
        Batch.objects.filter(id=self.batch.id).update(family_version=1, summary=summary)
        self.batch.plots.all().delete()  # which would have said so, too
        page = plain(self.page(f"/batches/{self.batch.id}/"))
        assert BY_LOT in page
        assert NOBODY not in page

    @pytest.mark.by_turns
    def test_beside_a_record_once_for_each_kind_of_player(self) -> None:
        assert self.foot(RECORD).count(NOBODY) == 1
        play("daramuti-parker", GAMES, players="uct:100")
        assert self.foot(f"{RECORD}?level=uct:100").count(BY_VALUE) == 1

    def foot(self, address: str) -> str:
        return str(self.soup(address).select_one("#outcomes p.foot").get_text())

    @pytest.mark.by_turns
    def test_with_a_comparison(self) -> None:
        found = a_comparison()
        assert found.document["consent"] == NOBODY
        assert TOLD in plain(self.page(f"/comparisons/{found.id}/"))
        assert "consent" not in a_comparison(WITHOUT, seed=3).document
        assert PAIR[1] in WITHOUT

    def test_with_the_test_of_a_claim(self) -> None:
        claim = a_claim("kotu-baendum", "very-long")
        (before,) = claim_results([claim])
        assert [test.players for test in before.tests[:2]] == [TOLD, "random players"]
        judge(claim, columns={"laps": 1200})
        (judged,) = claim_results([claim])
        assert [test.players for test in judged.tests[:2]] == [TOLD, "random players"]
        Batch.objects.filter(id__in=judged.tests[0].batches).update(family_version=2)
        (earlier,) = claim_results([claim])
        assert earlier.tests[0].players == f"random players, {BY_LOT}"
