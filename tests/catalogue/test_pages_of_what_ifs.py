"""The page on which a reading is changed: what follows from a change, what is refused and why, and what is played."""

import io
import json
import shlex
from unittest import mock
from urllib.parse import urlencode

import pytest
from bs4 import BeautifulSoup
from django.core.management import call_command
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from catalogue.models import Clause, Comparison, Question, Reading
from simulator import rulesets
from simulator.analyses.ladders import shown_ladder
from simulator.batches import requests
from simulator.batches.service import request_batch
from simulator.management.commands.simulate import Command as SimulateCommand
from simulator.models import Batch, Ruleset
from simulator.replays import replay_command
from simulator.strength.solutions import solve_command
from tests.catalogue.page_world import CatalogueTestCase, nobody_hears, parsed, plain, text_of

PARENT = "/rulesets/puhulmutu-parker/"
CHANGE = f"{PARENT}change/"
SINGLES = f"{CHANGE}?set.singles=only_without_larger"
WANTED = {"games": "50", "seed": "7", "players": "random", "cap": "300", "until": "game"}
SHOWN = ("puhulmutu-parker", "dam-parker", "sokkattan-dlp")


def sent(html: str) -> dict[str, str]:
    """What a browser sends of the form of rules."""
    form = parsed(html).main.find("form", method="get")
    written = {field["name"]: field.get_text().strip() for field in form.find_all("textarea")}
    return written | {
        field["name"]: field.get("value", "")
        for field in form.find_all("input")
        if field["type"] != "radio" or field.has_attr("checked")
    }


def part(html: str, name: str) -> BeautifulSoup:
    return parsed(html).find(id=name)


class FirstRoundTests(CatalogueTestCase):
    def said(self, name: str, take: str) -> str:
        address = self.client.get(f"/rulesets/{name}/change/", {"take": take})["Location"]
        return " ".join(self.soup(address).get_text().split())

    def test_what_acts_only_later_a_first_round_cannot_tell(self) -> None:
        page = self.said("mawkar-katiya-das-gupta", "who-begins-the-next-game.the-loser")
        assert "A first round cannot tell what this changes" in page
        assert "Games have to be played to their end." in page

    @pytest.mark.by_turns
    def test_what_acts_at_once_it_can(self) -> None:
        assert "A first round cannot tell" not in self.said("puhulmutu-parker", "single-counters.no-rule")
        assert "A first round cannot tell" not in self.said("dam-parker", "who-begins.second")


class FormTests(CatalogueTestCase):
    @pytest.mark.by_turns
    def test_every_parameter_has_a_field_that_changes_nothing_itself(self) -> None:
        for slug in SHOWN:
            address = f"/rulesets/{slug}/change/"
            fields = sent(self.page(address))
            asked = {name.partition("[")[0] for name in fields}  # a table has fields for its cells
            assert asked == {f"set.{key}" for key in rulesets.find(slug).parameters if key != "family"}
            self.assertRedirects(self.client.get(address, fields), address)

    def test_every_field_has_a_label_and_every_group_a_legend(self) -> None:
        page = self.soup(CHANGE)
        labelled = {label["for"] for label in page.find_all("label")}
        for field in page.main.find_all(["input", "select"]):
            assert field.get("type") == "hidden" or field["id"] in labelled, field
        assert all(group.find("legend").get_text(strip=True) for group in page.find_all("fieldset"))

    def test_enter_in_a_field_shows_what_follows_and_takes_no_answer(self) -> None:
        form = self.soup(CHANGE).main.find("form", method="get")
        assert not form.find("button").has_attr("name")

    @pytest.mark.by_turns
    def test_a_change_has_one_address_whatever_else_the_form_sends(self) -> None:
        fields = sent(self.page(CHANGE)) | {"set.singles": "only_without_larger", "set.capture_making": "6, 4"}
        self.assertRedirects(
            self.client.get(CHANGE, fields), f"{CHANGE}?set.capture_making=4,6&set.singles=only_without_larger"
        )
        self.assertRedirects(
            self.client.get(f"{CHANGE}?set.singles=only_without_larger&set.capture_making=4"),
            f"{CHANGE}?set.singles=only_without_larger",
        )

    def test_the_longest_form_fits_into_an_address(self) -> None:
        longest = max(len(urlencode(sent(self.page(f"/rulesets/{slug}/change/")))) for slug in SHOWN)
        assert longest < 3000  # servers take 4094 bytes and more

    @pytest.mark.by_turns
    def test_many_changes_take_as_many_queries_as_one(self) -> None:
        self.page(CHANGE)
        with CaptureQueriesContext(connection) as one:
            self.page(SINGLES)
        with CaptureQueriesContext(connection) as many:
            self.page(f"{CHANGE}?set.pass_over=5&set.remainder_barred=1&set.singles=only_without_larger")
        assert len(one) == len(many) <= 16


class ConsequenceTests(CatalogueTestCase):
    @pytest.mark.by_turns
    def test_a_changed_rule_loses_its_clause_and_names_its_readers(self) -> None:
        clause = Clause.objects.get(reading__slug="puhulmutu-parker", slug="last-single")
        shown = plain(str(self.soup(SINGLES).find("section")))
        assert f"conjecture This clause no longer holds (stated): “{' '.join(clause.text.split())}”" in shown
        assert "So read by Puhulmutu, after today’s summary (DLP) ." in shown
        link = self.soup(SINGLES).find("a", string="This clause")["href"]
        assert link == f"{PARENT}#clause-last-single"
        assert part(self.page(PARENT), "clause-last-single") is not None
        for other in Clause.objects.filter(reading=clause.reading).exclude(pk=clause.pk):
            assert " ".join(other.text.split()) not in shown

    def test_a_changed_answer_names_the_readings_that_give_it(self) -> None:
        question = Question.objects.get(game__slug="puhulmutu", slug="single-counters")
        before, now = (question.answers.get(slug=slug) for slug in ("last-hole-alone", "only-without-larger"))
        shown = plain(self.page(SINGLES))
        assert f"{question.title} The answer is now: {now.text} So read by Puhulmutu, after today’s summary" in shown
        assert f"Before, it was: {before.text}" in shown

    @pytest.mark.by_turns
    def test_an_inherited_clause_is_lost_like_an_own_one(self) -> None:
        reading = Reading.objects.get(slug="puhulmutu-dlp")
        inherited = Clause.objects.get(reading=reading.rests_on, slug="nowhere-to-sow")
        shown = plain(self.page("/rulesets/puhulmutu-dlp/change/?set.pass_over_full=endless"))
        assert " ".join(inherited.text.split()) in shown

    def test_a_rule_of_which_nothing_was_said_is_a_conjecture_too(self) -> None:
        shown = plain(self.page("/rulesets/kalah-reference/change/?set.must_feed=true"))
        assert "conjecture What was changed has no clause on it." in shown

    def test_a_reading_with_the_rule_inactive_is_not_named(self) -> None:
        # The Ludii programme plays with short_handed empty, so it says nothing of a mixed layout.
        shown = plain(self.page("/rulesets/puhulmutu-dlp/change/?set.short_handed_mixed=false"))
        assert "So read by Puhulmutu, after Parker 1909" in shown
        assert "So read by Puhulmutu, as the Ludii" not in shown.partition("The rules")[0]

    def test_an_answer_button_leads_to_the_address_of_the_change(self) -> None:
        answers = part(self.page(CHANGE), "question-how-many-answer").find_parent("section")
        button = answers.find("button", value="how-many-answer.as-many-as-lacking")
        fields = sent(self.page(CHANGE)) | {button["name"]: button["value"], "set.pass_over": "5"}
        self.assertRedirects(self.client.get(CHANGE, fields), f"{CHANGE}?set.matching=deficit&set.pass_over=5")

    @pytest.mark.by_turns
    def test_what_an_existing_reading_says_is_called_by_its_name(self) -> None:
        parent, other = rulesets.find("puhulmutu-parker"), rulesets.find("puhulmutu-ludii")
        fields = {
            f"set.{key}": ",".join(map(str, value)) if isinstance(value, list) else str(value).lower()
            for key, value in other.parameters.items()
            if value != parent.parameters[key]
        }
        page = text_of(self.client.get(CHANGE, fields, follow=True))
        assert "This is no new ruleset: it is puhulmutu-ludii@2 ." in plain(page)
        assert other.hash in plain(page)

    def test_nothing_is_written_by_looking(self) -> None:
        before = Ruleset.objects.count(), Batch.objects.count(), Clause.objects.count()
        digest = rulesets.find("puhulmutu-parker", {"singles": "only_without_larger"}).hash
        assert digest in plain(self.page(SINGLES))
        assert (Ruleset.objects.count(), Batch.objects.count(), Clause.objects.count()) == before
        self.page(f"/rulesets/{digest}/", 404)

    @pytest.mark.by_turns
    def test_the_address_to_cite_names_the_version(self) -> None:
        link = self.soup(SINGLES).find("link", rel="canonical")["href"]
        assert link.endswith("/rulesets/puhulmutu-parker@1/change/?set.singles=only_without_larger")
        content = [plain(str(part(self.page(address), "content"))) for address in (link, SINGLES)]
        assert content[0] == content[1]


class RefusalTests(CatalogueTestCase):
    def test_an_impossible_combination_is_explained_beside_its_field(self) -> None:
        page = self.page(f"{CHANGE}?set.next_round=off", 400)
        field = part(page, "parameter-unfilled_closed")
        shown = "never fires unless “Further rounds” is “After a round each player lays out again what he owns"
        assert shown in plain(str(field))
        assert "Nearest valid value: Holes left empty by the layout are sown into like any other." in plain(str(field))
        described = field.find("fieldset")["aria-describedby"].split()
        assert "id_set.unfilled_closed_error" in described
        assert part(page, "id_set.unfilled_closed_error") is not None
        assert all(group.has_attr("open") for group in field.find_parents("details"))
        assert parsed(page).find("a", href="#parameter-unfilled_closed")
        assert "Hash of its content" not in page

    def test_the_nearest_that_can_be_played_is_one_step_away(self) -> None:
        page = self.soup(f"{CHANGE}?set.next_round=off", 400)
        address = page.find("a", string="Take the nearest")["href"]
        assert "set.next_round=off" in address
        assert "Hash of its content" in self.page(address)

    def test_a_mistyped_number_is_explained_at_its_field(self) -> None:
        page = self.page(f"{CHANGE}?set.holes_per_row=many&set.next_round=off", 400)
        assert "must be of type integer, not 'many'" in plain(str(part(page, "parameter-holes_per_row")))
        assert part(page, "id_set.holes_per_row")["value"] == "many"
        assert part(page, "id_set.holes_per_row")["aria-invalid"] == "true"
        assert "never fires" in plain(str(part(page, "parameter-remainder")))

    @pytest.mark.by_turns
    def test_a_wrong_address_names_what_was_wrong_and_the_nearest(self) -> None:
        for asked, said, near in (
            ("set.rely=next", "no parameter to be set by “set.rely”", "set.relay=next"),
            ("relay=next", "no parameter to be set by “relay”", "set.relay=next"),
            ("set.relay=nexd", "must be one of off, last, next, opposite, not 'nexd'", "set.relay=next"),
            ("set.unfilled_closed=maybe", "must be one of false, true", "set.unfilled_closed="),
            ("set.relay=next&set.relay=off", "“set.relay” is set 2 times", "set.relay="),
            ("take=single-counters.no-rul", "has an answer “single-counters.no-rul”", "take=single-counters.no-rule"),
            # An answer that no ruleset can give is none to take.
            ("take=part-hole-to-the-winner.at-once", "has an answer", "take=part-hole-to-the-winner.no"),
        ):
            of_mawkar = CHANGE.replace("puhulmutu-parker", "mawkar-katiya-das-gupta")
            page = self.page(f"{of_mawkar if 'part-hole' in asked else CHANGE}?{asked}", 400)
            assert said in plain(page), asked
            links = [link["href"] for link in parsed(page).find_all("a", href=True)]
            assert any(near in link for link in links), (asked, links)

    @pytest.mark.by_turns
    def test_what_is_typed_is_shown_and_never_run(self) -> None:
        attack = '"><script>alert(1)</script>'
        for fields, status in (
            ({"set.capture_making": attack}, 400),
            ({"set.relay": attack}, 400),
            ({attack: "1"}, 400),
        ):
            response = self.client.get(CHANGE, fields, follow=True)
            assert response.status_code == status
            assert "<script>alert" not in text_of(response)
            assert "&lt;script&gt;alert" in text_of(response)


@mock.patch("simulator.batches.dispatch.notify_of_chunks", nobody_hears)
class PlayTests(CatalogueTestCase):
    @pytest.mark.by_turns
    def test_a_requested_batch_gives_the_ruleset_a_page(self) -> None:
        answer = self.client.post(SINGLES, WANTED)
        batch = Batch.objects.latest("created")
        self.assertRedirects(answer, f"/batches/{batch.id}/")
        ruleset = rulesets.find("puhulmutu-parker", {"singles": "only_without_larger"})
        assert (batch.ruleset_id, batch.games, batch.origin) == (ruleset.hash, 50, Batch.Origin.VISITOR)
        address = f"/rulesets/{ruleset.hash}/?parent=puhulmutu-parker@1"
        assert part(self.page(SINGLES), "given").parent.find("a", href=address)
        page = self.page(address)
        assert "Changed from Puhulmutu, after Parker 1909" in plain(page)
        assert "This clause no longer holds" in plain(page)
        assert batch.id in page

    def test_it_can_be_compared_with_its_parent_at_once(self) -> None:
        answer = self.client.post(SINGLES, WANTED | {"compare": "yes"})
        digest = rulesets.find("puhulmutu-parker", {"singles": "only_without_larger"}).hash
        found = Comparison.objects.get()
        assert answer["Location"] == found.get_absolute_url()
        assert found.names == ["puhulmutu-parker@1", digest]
        asked = {(str(one.batch.games), str(one.batch.seed), one.batch.ruleset_id) for one in found.compared.all()}
        parent = rulesets.find("puhulmutu-parker").hash
        assert asked == {(WANTED["games"], WANTED["seed"], digest), (WANTED["games"], WANTED["seed"], parent)}

    @pytest.mark.by_turns
    def test_a_request_that_is_refused_writes_nothing_and_says_why(self) -> None:
        before = Ruleset.objects.count(), Batch.objects.count()
        with override_settings(VISITOR_WORK_PER_HOUR=1000):
            response = self.client.post(SINGLES, WANTED)
        assert response.status_code == 400
        assert "visitors may ask for" in text_of(response)
        assert self.client.post(SINGLES, WANTED | {"players": "nobody"}).status_code == 400
        assert self.client.post(f"{CHANGE}?set.next_round=off", WANTED).status_code == 400
        with override_settings(VISITOR_WORK_QUEUED=1000):
            response = self.client.post(SINGLES, WANTED)
        assert (response.status_code, response["Retry-After"]) == (429, "300")
        assert (Ruleset.objects.count(), Batch.objects.count()) == before


class HashPageTests(CatalogueTestCase):
    def changed(self) -> Ruleset:
        return rulesets.save(rulesets.find("puhulmutu-parker", {"singles": "only_without_larger"}))

    @pytest.mark.by_turns
    def test_every_page_of_a_ruleset_leads_to_the_form(self) -> None:
        digest = rulesets.find("puhulmutu-parker").hash
        for name in ("puhulmutu-parker", "puhulmutu-parker@1", digest):
            assert 'href="/rulesets/puhulmutu-parker@1/change/"' in self.page(f"/rulesets/{name}/")

    @pytest.mark.by_turns
    def test_a_hash_is_changed_like_a_name(self) -> None:
        row = self.changed()
        assert f'href="/rulesets/{row.hash}/change/"' in self.page(f"/rulesets/{row.hash}/")
        fields = sent(self.page(f"/rulesets/{row.hash}/change/"))
        assert fields["set.singles"] == "only_without_larger"
        address = f"/rulesets/{row.hash}/change/?set.pass_over=5"
        given = rulesets.find(row.hash, {"pass_over": "5"})
        assert given.hash in plain(self.page(address))
        back = self.page(f"/rulesets/{row.hash}/change/?set.singles=last_hole_alone")
        assert "This is no new ruleset: it is puhulmutu-parker@1 ." in plain(back)

    def test_what_was_changed_can_be_changed_further_from_its_parent(self) -> None:
        page = self.page(f"/rulesets/{self.changed().hash}/?parent=puhulmutu-parker")
        link = parsed(page).find("a", string="change something else")["href"]
        assert link == "/rulesets/puhulmutu-parker@1/change/?set.singles=only_without_larger"

    @pytest.mark.by_turns
    def test_a_wrong_parent_is_named_and_ignored(self) -> None:
        address = f"/rulesets/{self.changed().hash}/"
        for parent, said in (
            ("dam-parker", "a game of another family"),
            ("puhulmutu-parkr", "names a parent that is not here"),
            (self.changed().hash, "that is this ruleset itself"),
        ):
            page = self.page(f"{address}?parent={parent}")
            assert said in plain(page)
            assert "Changed from" not in page

    @pytest.mark.thorough
    def test_queries_do_not_grow_with_the_batches(self) -> None:
        row = self.changed()
        request_batch(row.hash, games=5, announce=False)
        self.page(SINGLES)
        with CaptureQueriesContext(connection) as few:
            self.page(SINGLES)
        for seed in range(2, 20):
            request_batch(row.hash, games=5, seed=seed, announce=False)
        with self.assertNumQueries(len(few)):
            self.page(SINGLES)


class CommandTests(CatalogueTestCase):
    """What a page prints runs where nobody has made the change: only shipped rulesets have names there."""

    CHANGES = (
        ("daramuti-parker", {"counters_per_hole": "5"}),
        ("puhulmutu-parker", {"relay": "off"}),
        ("hat-diviyan-keliya-ludovisi", {"begins": "second"}),
        ("dam-parker", {"capture_compulsory": "false"}),
        ("saturankam-parker", {"die_faces": "1,2,3,4,5,6", "exit_doubles": "1,6"}),
        ("saturankam-parker@1", {"safe_squares": "false"}),
    )

    def printed(self, address: str) -> list[str]:
        """The words of the first command on a page, without `manage.py` and the command."""
        for command in self.soup(address).find_all("pre"):
            words = shlex.split(command.get_text().replace("\\\n", " "))
            if words[:1] == ["manage.py"]:
                return words[1:]
        raise AssertionError(f"{address} prints no command")

    def test_the_command_of_a_what_if_runs_in_another_clone(self) -> None:
        for name, changes in self.CHANGES:
            changed = rulesets.find(name, changes)
            batch = request_batch(changed, games=20, seed=7, announce=False)
            command, *words = self.printed(f"/batches/{batch.id}/")
            of_a_game = replay_command(batch, 3)
            Batch.objects.all().delete()
            Ruleset.objects.filter(hash=changed.hash).delete()
            options = vars(SimulateCommand().create_parser("manage.py", command).parse_args(words))
            terms = {key: options[key] for key in requests.DEFAULTS}
            typed = rulesets.parse_changes(options["set"])
            assert requests.check_request(options["ruleset"], changes=typed, **terms).id == batch.id
            assert changed.hash not in " ".join((*words, of_a_game))
            assert of_a_game.startswith(f"manage.py replay {options['ruleset']} --set ")

    def test_so_do_those_of_ladders_and_solutions(self) -> None:
        changed = rulesets.find("hat-diviyan-keliya-ludovisi", {"begins": "second"})
        lasting = rulesets.lasting_name(changed, changed.hash)
        assert shown_ladder(changed, changed.hash).command == f"manage.py ladder {lasting.options} --inline"
        assert solve_command(changed, changed.hash, "--json") == f"manage.py solve {lasting.options} --json"
        assert rulesets.find(lasting.name, lasting.changes).hash == changed.hash

    @pytest.mark.thorough
    def test_and_gives_the_same_games(self) -> None:
        changed = rulesets.find("hat-diviyan-keliya-ludovisi", {"begins": "second"})
        answers = []
        for words in ((rulesets.save(changed).hash,), ()):
            batch = request_batch(changed, games=20, seed=7, announce=False)
            command, *printed = self.printed(f"/batches/{batch.id}/")
            batch.delete()
            out = io.StringIO()
            call_command(command, *(words or printed[:3]), *printed[3:], stdout=out)
            answers.append(json.loads(out.getvalue())["digest"])
            Batch.objects.all().delete()
            Ruleset.objects.filter(hash=changed.hash).delete()
        assert answers[0] == answers[1]
