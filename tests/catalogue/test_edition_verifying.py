"""The edition is verified: whatever is otherwise than its games is found and named."""

import json
import lzma
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.core.management import CommandError

from catalogue.edition.plans import Part, fitted, planned_games
from catalogue.edition.terms import KINDS, read_plan
from catalogue.edition.verifying import verify
from catalogue.models import Comparison
from simulator.batches import finalize
from simulator.models import Batch
from tests.catalogue.edition_world import EditionTestCase


@pytest.mark.thorough
class VerifyingTests(EditionTestCase):
    def test_verified_it_has_no_difference(self) -> None:
        found = self.edition("verify", "--sample", "19")["parts"]
        assert {one["kind"] for one in found} == set(KINDS[:-1])
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
        key = self.folder.ids("batches")[0]
        document = self.folder.read("batches", key)
        self.folder.write("batches", key, {**document, "family_version": 1})  # nobody here can play it
        assert key not in [one["id"] for one in self.edition("verify", "--batches", "--sample", "99")["parts"]]
        self.folder.write("batches", key, document)

    def test_what_a_part_says_otherwise_than_its_games_is_named(self) -> None:
        terms = read_plan(self.plan)
        parts = {(one.part.kind, one.part.id): one.part for one in fitted(terms, planned_games(terms), 8, 2).parts}
        for kind, key, name, spoil in self.faults():
            document = self.folder.read(kind, key)
            spoilt = json.loads(json.dumps(document))
            spoil(spoilt)
            self.folder.write(kind, key, spoilt)
            found = verify(self.folder, parts[kind, key], lambda batch: None)
            self.folder.write(kind, key, document)
            assert [one.partition(" ")[0] for one in found.differences] == [name], (kind, found)

    def test_a_claim_of_one_test_is_judged_anew(self) -> None:
        terms = read_plan(self.plan)
        parts = [one.part for one in fitted(terms, planned_games(terms), 8, 2).parts]
        part = next(one for one in parts if one.kind == "claims" and one.requests)
        document = self.folder.read(part.kind, part.id)
        trial = part.request.trials[0]
        of_one = {**document, "verdicts": document["verdicts"][:1]}
        alone = replace(part, request=replace(part.request, trials=(trial,)))
        self.folder.write(alone.kind, alone.id, of_one)
        found = verify(self.folder, alone, lambda batch: None)
        self.folder.remove(alone.kind, alone.id)
        self.folder.write(part.kind, part.id, document)
        assert (found.differences, of_one["verdicts"][0]["number"]) == ((), trial.number)

    def faults(self) -> Iterator[tuple[str, str, str, Callable[[Any], Any]]]:
        """(kind and id of a part, what is said to differ, what makes it so)"""
        batch, study = self.folder.ids("batches")[0], self.folder.ids("studies")[0]
        claim = next(key for key in self.folder.ids("claims") if self.folder.read("claims", key)["batches"])
        ladder = self.folder.ids("ladders")[0]
        yield "batches", batch, "tally", lambda one: one["tally"]["codes"][0].__setitem__(-1, 0)
        yield "batches", batch, "cap", lambda one: one.update(cap=one["cap"] + 1)
        yield "batches", batch, "summary", lambda one: one["summary"]["sections"][0]["rows"][0].update(value=0.123)
        yield "batches", batch, "summary", lambda one: one["summary"]["games_to_look_at"].clear()
        yield "batches", batch, "summary", lambda one: one["summary"]["variety"].update(different=1)
        yield "studies", study, "document", lambda one: one["document"]["outcomes"][0].update(mean=0.123)
        yield "claims", claim, "batch", lambda one: one["batches"].update({min(one["batches"]): "0"})
        yield "claims", claim, "verdicts", lambda one: one["verdicts"][0].update(verdict="another")
        yield "claims", claim, "verdicts", lambda one: one["verdicts"][-1].update(low=0.123)
        yield "claims", claim, "claim", lambda one: one.update(claim="another")
        yield "ladders", ladder, "document", lambda one: one["document"]["matches"][0]["share"].update(value=0.123)
        yield "ladders", ladder, "request", lambda one: one["request"].update(games=1)

    def test_repetition_is_verified_in_as_many_games(self) -> None:
        """How many are worth their time goes by prices; that they are other ones now is no difference."""
        part, document = self.part_with_repetition()
        looked_at = Batch.objects.select_related("ruleset").get(id=part.id)
        finalize.rescan_repetition(looked_at, document["summary"]["repetition"]["games"] - 1)
        looked_at.refresh_from_db()
        self.folder.write(part.kind, part.id, {**document, "summary": looked_at.summary})
        fewer = verify(self.folder, part, lambda batch: None).differences
        wrong = json.loads(json.dumps(document))
        wrong["summary"]["repetition"]["longest"] += 1
        self.folder.write(part.kind, part.id, wrong)
        otherwise = verify(self.folder, part, lambda batch: None).differences
        self.folder.write(part.kind, part.id, document)
        assert (fewer, otherwise) == ((), ("summary is not what is computed from its games",))

    def test_a_comparison_without_rows_here_is_not_called_the_same(self) -> None:
        terms = read_plan(self.plan)
        part = next(
            one.part for one in fitted(terms, planned_games(terms), 8, 2).parts if one.part.kind == "comparisons"
        )
        Comparison.objects.filter(id=part.id).delete()
        (said,) = verify(self.folder, part, lambda batch: None).differences
        assert said.startswith("it cannot be computed anew")

    def part_with_repetition(self) -> tuple[Part, dict[str, Any]]:
        terms = read_plan(self.plan)
        for part in (one.part for one in fitted(terms, planned_games(terms), 8, 2).parts if one.part.kind == "batches"):
            document = self.folder.read(part.kind, part.id)
            if document["summary"].get("repetition", {}).get("games", 0) > 1:
                return part, document
        raise AssertionError("no batch of this plan was looked at for repetition")

    def test_other_rows_than_those_of_the_games_are_found(self) -> None:
        key = self.folder.ids("batches")[0]
        file = self.place / "batches" / f"{key}.rows.xz"
        whole = file.read_bytes()
        terms = read_plan(self.plan)
        parts = {one.part.id: one.part for one in fitted(terms, planned_games(terms), 8, 2).parts}
        file.write_bytes(lzma.compress(bytes(len(lzma.decompress(whole)))))
        found = verify(self.folder, parts[key], lambda batch: None)
        file.write_bytes(whole)
        assert found.differences == ("rows differ from those of the games played again",)

    def test_a_difference_is_a_failure_of_the_command(self) -> None:
        key = self.folder.ids("claims")[0]
        document = self.folder.read("claims", key)
        self.folder.write("claims", key, {**document, "batches": dict.fromkeys(document["batches"], "0")})
        with pytest.raises(CommandError) as caught:
            self.edition("verify", "--sample", "19")
        self.folder.write("claims", key, document)
        assert caught.value.returncode == 1
        assert "claims" in str(caught.value)
