"""The protocol of analyses, by studies: what is shared, what workers find by themselves, what waits for what."""

import datetime
from unittest import mock

from django.utils import timezone

from catalogue.analyses import study_plans
from catalogue.analyses.studies import STUDIES
from catalogue.models import Study
from simulator.analyses import protocol
from simulator.batches import dispatch
from simulator.models import Batch
from tests.catalogue.page_world import CatalogueTestCase, nobody_hears

GAME, QUESTION = "saturankam", "passing-over"
VISITOR = {"origin": Batch.Origin.VISITOR, "visitor": "192.0.2.1"}
ANOTHER = {"origin": Batch.Origin.VISITOR, "visitor": "192.0.2.2"}


class ProtocolTests(CatalogueTestCase):
    def setUp(self) -> None:
        self.sent: list[tuple[str, tuple[str, ...]]] = []
        self.enterContext(mock.patch.object(dispatch, "notify_of_chunks", nobody_hears))
        sender = mock.patch.object(dispatch, "notify_of_analysis", lambda *task: self.sent.append(task) or True)
        self.enterContext(sender)

    def requested(self, who: dict[str, str]) -> Study:
        return STUDIES.request(study_plans.plan(GAME, questions=[QUESTION], games=2), **who)

    def test_a_second_visitor_shares_the_games_of_what_waits(self) -> None:
        row = self.requested(VISITOR)
        batches = Batch.objects.filter(id__in=row.batches)
        assert self.requested(VISITOR) == row
        assert not batches.filter(shared=True).exists()
        assert self.requested(ANOTHER) == row
        assert batches.filter(shared=True).count() == len(row.batches)
        assert STUDIES.cancel(row) == 0
        assert batches.filter(state=Batch.State.RUNNING).count() == len(row.batches)

    def test_workers_announce_what_is_played_and_nobody_looks_at(self) -> None:
        row = self.requested(VISITOR)
        long_ago = timezone.now() - datetime.timedelta(hours=1)
        Study.every.update(announced=long_ago)
        self.sent.clear()
        protocol.recover()
        assert self.sent == []  # its games are not played yet
        Batch.objects.filter(id__in=row.batches).update(state=Batch.State.DONE)
        protocol.recover()
        protocol.recover()
        assert self.sent == [(STUDIES.task, row.id)]

    def test_only_finished_studies_are_listed(self) -> None:
        row = self.requested(VISITOR)
        assert not Study.objects.exists()
        assert not row.game.studies.exists()
        assert (STUDIES.unfinished(row.id), STUDIES.kept(row.id)) == (row, None)
        assert set(protocol.waiting_for(STUDIES.batches_of(row)).values()) == {f"the study {row.id}"}
