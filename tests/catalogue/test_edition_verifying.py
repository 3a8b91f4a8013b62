"""The edition is verified: whatever is otherwise than its games is found and named."""

import copy
import lzma
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, ClassVar
from unittest import mock

import pytest
from django.core.management import CommandError

from catalogue.edition import verifying
from catalogue.edition.plans import Part
from catalogue.models import Comparison
from simulator.batches import finalize
from simulator.models import Batch
from tests.catalogue.edition_world import BUILT, EditionTestCase


@pytest.mark.thorough
class VerifyingTests(EditionTestCase):
    replays: ClassVar[dict[tuple[str, bool], Any]] = {}  # the games of a batch are the same in every test

    def setUp(self) -> None:
        super().setUp()
        replayed, known = verifying._replayed, self.replays

        def once(request: Any, *, with_rows: bool) -> Any:
            key = request.id, with_rows
            if key not in known:
                known[key] = replayed(request, with_rows=with_rows)
            return known[key]

        self.enterContext(mock.patch.object(verifying, "_replayed", once))

    def differences(self, part: Part, document: dict[str, Any]) -> tuple[str, ...]:
        """What is found of a part that says this."""
        self.folder.write(part.kind, part.id, document)
        return verifying.verify(self.folder, part, lambda batch: None).differences

    def test_verified_it_has_no_difference(self) -> None:
        found = self.edition("verify", "--sample", "19")["parts"]
        assert {one["kind"] for one in found} == set(BUILT)
        assert not any(one["differences"] for one in found)
        assert sum(one["games"] for one in found) > 200

    def test_shares_of_a_sample_are_the_sample(self) -> None:
        whole = self.edition("verify", "--batches", "--sample", "5")["parts"]
        first, second = (
            self.edition("verify", "--batches", "--sample", "5", "--share", f"{one}/2")["parts"] for one in (1, 2)
        )
        assert (first, second) == (whole[0::2], whole[1::2])
        for wrong in ("0/2", "3/2", "half", "1/"):
            with pytest.raises(CommandError, match="the second of eight is 2/8"):
                self.edition("verify", "--share", wrong)

    def test_batches_are_drawn_from_their_files_alone(self) -> None:
        found = self.edition("verify", "--batches", "--sample", "3", "--seed", "4")["parts"]
        assert [one["kind"] for one in found] == ["batches"] * 3
        assert found == self.edition("verify", "--batches", "--sample", "3", "--seed", "4")["parts"]
        assert found != self.edition("verify", "--batches", "--sample", "3", "--seed", "5")["parts"]
        part, document = self.part("batches")
        self.folder.write("batches", part.id, {**document, "family_version": 1})  # nobody here can play it
        assert part.id not in [one["id"] for one in self.edition("verify", "--batches", "--sample", "99")["parts"]]

    def test_what_a_part_says_otherwise_than_its_games_is_named(self) -> None:
        for kind, name, spoil in self.faults():
            part, document = self.part(kind)
            whole = copy.deepcopy(document)
            spoil(document)
            found = self.differences(part, document)
            assert [one.partition(" ")[0] for one in found] == [name], (kind, found)
            self.folder.write(kind, part.id, whole)

    def faults(self) -> Iterator[tuple[str, str, Callable[[Any], Any]]]:
        """(kind of a part, what is said to differ, what makes it so)"""
        yield "batches", "tally", lambda one: one["tally"]["codes"][0].__setitem__(-1, 0)
        yield "batches", "cap", lambda one: one.update(cap=one["cap"] + 1)
        yield "batches", "summary", lambda one: one["summary"]["sections"][0]["rows"][0].update(value=0.123)
        yield "batches", "summary", lambda one: one["summary"]["games_to_look_at"].clear()
        yield "batches", "summary", lambda one: one["summary"]["variety"].update(different=1)
        yield "studies", "document", lambda one: one["document"]["outcomes"][0].update(mean=0.123)
        yield "claims", "batch", lambda one: one["batches"].update({min(one["batches"]): "0"})
        yield "claims", "verdicts", lambda one: one["verdicts"][0].update(verdict="another")
        yield "claims", "verdicts", lambda one: one["verdicts"][-1].update(low=0.123)
        yield "claims", "claim", lambda one: one.update(claim="another")
        yield "ladders", "document", lambda one: one["document"]["matches"][0]["share"].update(value=0.123)
        yield "ladders", "request", lambda one: one["request"].update(games=1)

    def test_a_claim_of_one_test_is_judged_anew(self) -> None:
        part, document = self.part("claims")
        trial = part.request.trials[0]
        alone = replace(part, request=replace(part.request, trials=(trial,)))
        assert document["verdicts"][0]["number"] == trial.number
        assert self.differences(alone, {**document, "verdicts": document["verdicts"][:1]}) == ()

    def test_repetition_is_verified_in_as_many_games(self) -> None:
        """How many are worth their time goes by prices; that they are other ones now is no difference."""
        documents = ((part, self.folder.read(part.kind, part.id)) for part in self.parts if part.kind == "batches")
        part, document = next(
            (part, one) for part, one in documents if one["summary"].get("repetition", {}).get("games", 0) > 1
        )
        looked_at = Batch.objects.select_related("ruleset").get(id=part.id)
        finalize.rescan_repetition(looked_at, document["summary"]["repetition"]["games"] - 1)
        looked_at.refresh_from_db()
        assert self.differences(part, {**document, "summary": looked_at.summary}) == ()
        document["summary"]["repetition"]["longest"] += 1
        assert self.differences(part, document) == ("summary is not what is computed from its games",)

    def test_a_comparison_without_rows_here_is_not_called_the_same(self) -> None:
        part, document = self.part("comparisons")
        Comparison.objects.filter(id=part.id).delete()
        (said,) = self.differences(part, document)
        assert said.startswith("it cannot be computed anew")

    def test_other_rows_than_those_of_the_games_are_found(self) -> None:
        part, document = self.part("batches")
        file = self.place / "batches" / f"{part.id}.rows.xz"
        file.write_bytes(lzma.compress(bytes(len(lzma.decompress(file.read_bytes())))))
        assert self.differences(part, document) == ("rows differ from those of the games played again",)

    def test_a_difference_is_a_failure_of_the_command(self) -> None:
        part, document = self.part("batches")
        for key in self.folder.ids("batches"):
            if key != part.id:
                self.folder.remove("batches", key)
        self.folder.write("batches", part.id, {**document, "tally_digest": "0"})
        with pytest.raises(CommandError, match="tally_digest") as caught:
            self.edition("verify", "--batches", "--sample", "9")
        assert caught.value.returncode == 1
