"""Who may do what in the workshop: every address of it, for visitors, contributors, editors and curators; the private
link by which a visitor goes on with a draft; and what a draft knows by itself."""

import datetime
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.test import override_settings
from django.utils import timezone

from catalogue.models import Draft, Evidence
from catalogue.web.routes import every_route
from catalogue.workshop.ownership import private_link
from catalogue.workshop.publishing import files_of
from tests.catalogue.page_world import GAMES, CatalogueTestCase, played_batch
from tests.catalogue.test_workshop import FOURS, RECORD, RELAY, SEVEN, Maker

ROLES = {"v": "", "c": "contributor", "e": "editor", "k": "curator"}
ALL, EDITORS, NOBODY = "vcek", "ek", ""
# Who reads and who sends to each address: of a draft, one's own.
MATRIX = {
    "workshop": (ALL, NOBODY),
    "draft-list": (ALL, NOBODY),
    "begin-draft": (ALL, ALL),
    "keep-what-if": (NOBODY, ALL),
    "draft": (ALL, ALL),
    "draft-board": (ALL, ALL),
    "draft-try": (ALL, ALL),
    "draft-publish": (ALL, ALL),
    "draft-files": (ALL, NOBODY),
    "throw-away": (NOBODY, ALL),
    "take-over": (NOBODY, EDITORS),
    "open-draft": (ALL, ALL),
    "suggestion": (EDITORS, EDITORS),
    "sign-reading": ("k", "k"),
    "new-record": (EDITORS, EDITORS),
    "import-records": (EDITORS, EDITORS),
    "record-in-workshop": (EDITORS, NOBODY),
    "edit-words": (EDITORS, EDITORS),
    "new-picture": (EDITORS, EDITORS),
    "edit-picture": (EDITORS, EDITORS),
    "take-down-picture": ("k", "k"),
    "record-board": (EDITORS, EDITORS),
    "draw-record-board": (EDITORS, EDITORS),
    "new-observation": (EDITORS, EDITORS),
    "edit-observation": (EDITORS, EDITORS),
    "take-back-observation": (EDITORS, EDITORS),
}
SENT = {"do": "undo", "number": "0", "ruleset": "puhulmutu-parker"}  # does nothing, and is enough to be let in


@override_settings(DRAFTS_PER_HOUR=1_000)
class RightsTests(CatalogueTestCase):
    @pytest.mark.by_turns
    def test_each_address_asks_who_comes(self) -> None:
        routes = {name: one for name, one in every_route().items() if one.path.startswith("workshop/")}
        assert routes.keys() == MATRIX.keys()
        allowed = {name: ["", ""] for name in MATRIX}
        for letter, role in ROLES.items():
            somebody = Maker(role)
            for name, one in routes.items():
                of_draft = "drafts/<" in one.path
                address = one.example
                if name == "open-draft":
                    address = private_link(Maker().begin())
                elif name == "take-over":
                    of_other = Maker().begin()
                    Draft.objects.filter(pk=of_other.pk).update(state=Draft.State.SENT)
                    address = address.replace("/0/", f"/{of_other.key}/")
                elif of_draft:
                    address = address.replace("/0/", f"/{somebody.begin().key}/")
                for place, method in enumerate(("GET", "POST")):
                    if method not in one.methods:
                        continue
                    ask = somebody.client.post if method == "POST" else somebody.client.get
                    status = ask(address, SENT if method == "POST" else {}).status_code
                    refused = (403, 404) if of_draft else (403,)
                    allowed[name][place] += letter * (status not in refused)
        assert {name: tuple(who) for name, who in allowed.items()} == MATRIX

    def test_only_who_reads_suggestions_sees_what_was_sent(self) -> None:
        ada = Maker()
        sent = ada.begin()
        steps = ("", "board/", "try/", "publish/", "files.zip")
        for state, who in ((Draft.State.OPEN, NOBODY), (Draft.State.SENT, EDITORS)):
            Draft.objects.filter(pk=sent.pk).update(state=state)
            for letter, role in ROLES.items():
                somebody = Maker(role)
                seen = {somebody.client.get(f"{ada.address}{step}").status_code for step in steps}
                assert seen == ({200} if letter in who else {404}), (state, role)
                changed = somebody.client.post(ada.address, SENT).status_code
                assert changed == (403 if letter in who else 404), (state, role)


class PrivateLinkTests(CatalogueTestCase):
    def test_a_visitor_goes_on_in_another_browser(self) -> None:
        ada, elsewhere, editor = Maker(), Maker(), Maker("editor")
        draft = ada.begin()
        link = ada.look().select_one('a[href*="/open/"]')["href"]
        assert link == private_link(draft)
        assert link in ada.client.get("/workshop/drafts/").content.decode()
        wrong = link[:-2] + ("0" if link[-2] != "0" else "1") + "/"
        assert elsewhere.client.get(wrong).status_code == 404
        assert elsewhere.client.post(wrong).status_code == 404
        elsewhere.address = ada.address
        Draft.objects.update(changed=timezone.now() - datetime.timedelta(days=12))
        assert "going on with it keeps it" in elsewhere.client.get(link).content.decode()
        assert elsewhere.client.get(ada.address).status_code == 404  # to look at the link is not to take it
        assert elsewhere.client.post(link)["Location"] == ada.address
        assert elsewhere.draft.changed > timezone.now() - datetime.timedelta(minutes=5)
        elsewhere.do("rule", **SEVEN)
        assert ada.client.get(ada.address).status_code == 200  # it is still that of the first browser as well
        editor.client.post(link)
        assert (ada.draft.maker, ada.draft.visitor) == (editor.user, "")
        gone = elsewhere.client.get(link)
        assert (gone.status_code, "has made it his own" in gone.content.decode()) == (404, True)

    def test_a_notice_comes_before_it_is_thrown_away(self) -> None:
        ada = Maker()
        ada.begin()
        assert not ada.look().select_one(".note.wrong[role=status] a[href*='/open/']")
        Draft.objects.update(changed=timezone.now() - datetime.timedelta(days=12))
        assert ada.look().select_one(".note.wrong[role=status] a[href*='/open/']")
        Draft.objects.update(changed=timezone.now() - datetime.timedelta(days=14))
        assert not Draft.expired().exists()
        Draft.objects.update(changed=timezone.now() - datetime.timedelta(days=16))
        assert Draft.expired().exists()


SAID = {
    "Four seeds are placed in each hole.": "counters_per_hole=4",
    "One by one, to the right.": "direction=anticlockwise",
}


def clauses_in(files: dict[str, Any]) -> list[dict[str, Any]]:
    apparatus = next(document for path, document in files.items() if path.startswith("apparatus/"))
    return [clause for reading in apparatus["readings"].values() for clause in reading["clauses"]]


class DraftTests(CatalogueTestCase):
    def test_words_are_offered_the_rule_that_like_words_carry(self) -> None:
        ada = Maker()
        ada.begin()
        last = {"exact": "the last seed of the set which a player is sowing", "record": RECORD, "in": "content"}
        titles = [one.text for one in ada.look(**last).select("#offers h4")]
        assert "Palm" not in titles
        ada.do("rule", rule="palm=true", exact="until the last seed of those which he is sowing")
        titles = [one.text for one in ada.look(**last).select("#offers h4")]
        assert len(titles) == 5
        part = BeautifulSoup(ada.client.get(ada.address, {**last, "part": "offers"}).content, "html.parser")
        assert [one.text for one in part.select("h4")] == titles

    def test_missing_rules_are_offered_behind_the_first_five(self) -> None:
        ada = Maker()
        ada.begin("DLP.Evidence.692", family="sowing")
        ada.do("rule", rule="holes_per_row=", **{"set.holes_per_row": "7", "basis": "conjecture"})
        said = Evidence.objects.get(identifier="DLP.Evidence.692")
        Evidence.objects.filter(pk=said.pk).update(quotation=f"{said.quotation} {' '.join(SAID)}")
        for words, key in SAID.items():
            asked = {"exact": words, "record": "DLP.Evidence.692", "in": "content", "part": "offers"}
            part = BeautifulSoup(ada.client.get(ada.address, asked).content, "html.parser")
            assert part.select(f'button[value^="{key}"]'), words

    def test_offers_of_a_table_are_rows_and_words_and_none_twice(self) -> None:
        ada = Maker()
        ada.begin("DLP.Evidence.1480", family="points")
        found = [ada.look(find=key).select("#offers .values button") for key in ("captures", "barred_in_chain")]
        assert len(found[0]) > 3
        ada.begin()
        found.append(ada.look(find="barred_in_chain").select("#offers .values button"))
        for buttons in found:
            said = [one.text for one in buttons]
            assert len(said) == len(set(said))
            assert not [words for words in said if not words.endswith(".")]  # letters of a word are no rows

    def test_a_rule_that_is_written_otherwise_is_told(self) -> None:
        """On squares of one colour every line is a diagonal: to step along diagonals is to step in every direction."""
        ada = Maker("editor")
        ada.begin("DLP.Evidence.1480", family="points", like="koti-keliya-parker")
        words = {"record": "DLP.Evidence.1480", "exact": "which all move diagonally along the squares"}
        ada.do("rule", rule="first_steps=diagonal", **words)
        chosen, written = "Pieces of the first player step along diagonals", ", in every direction."
        assert f"is the same as “{chosen}{written}”" in ada.look().select_one("#did").text
        assert ada.draft.document["first_steps"] == "diagonal"
        assert f"You chose: {chosen}. It is written: {chosen}{written}" in ada.look("publish/").main.text
        held = next(one for one in clauses_in(files_of(ada.draft)) if one["parameters"] == ["first_steps"])
        assert held["text"] == f"{chosen}.\n\nWith this board that is the same as: {chosen}{written}"
        ada.do("rule", rule="first_reach=", **{"set.first_reach": "2", "basis": "conjecture"})
        assert "is the same as" not in ada.look().select_one("#did").text  # told once

    def test_games_that_are_shown_say_who_played_how_many(self) -> None:
        ada = Maker()
        played_batch("daramuti-parker", players="greedy")
        ada.begin("DLP.Evidence.692", like="daramuti-parker")
        page = ada.look("try/")
        shown = page.select_one("#outcomes")
        assert f"{len(GAMES)} games" in shown.select_one(".foot").text
        assert "andom players" in shown.select_one(".foot").text  # as the button plays them
        assert [one.text for one in shown.select("a[href*='level=']")] == ["random", "greedy"]
        assert "1c is the first player's third hole" in page.main.text
        draft = ada.look()
        assert "`" not in draft.select_one("#board").text
        assert draft.select_one("#did[tabindex='-1']")

    def test_words_that_cannot_be_played_speak_against_the_nearest(self) -> None:
        ada = Maker()
        ada.begin()
        for one in (SEVEN, FOURS, RELAY):
            ada.do("rule", **one)
        Draft.objects.update(document={**ada.draft.document, "holes_per_row": 99})
        ada.do("repair")
        told = ada.look().select_one("#did").text
        assert "Each row has 32 holes. It was: Each row has 99 holes." in told
        clause = next(one for one in ada.draft.clauses if one["parameters"] == ["holes_per_row"])
        assert (clause["basis"], clause["words"], len(clause["against"])) == ("conjecture", [], 1)

    def test_all_that_no_words_say_is_conjecture_by_one_button(self) -> None:
        ada = Maker()
        ada.begin()
        for one in (SEVEN, FOURS, RELAY):
            ada.do("rule", **one)
        page = ada.look()
        assert page.select_one('button[value="rest="]')  # on the reading whose rules are most like these
        every = [one["value"] for one in page.select("input[name=every]")]
        ada.do("silent", silent="every=", every=every)
        assert {place for one in ada.draft.clauses for place in one["parameters"]} >= set(every)
        assert not ada.look().select("input[name=every]")
