"""Playing in the browser, page by page: the address holds the game, the referee says what may be played and why not."""

import random
import re
from types import SimpleNamespace
from typing import Any
from unittest import mock
from urllib.parse import urlencode

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from catalogue.play import game_view
from catalogue.play import players as seated_players
from catalogue.play.players import offered_levels
from simulator import rulesets
from simulator.batches import prices
from simulator.batches.levels import player_of
from simulator.batches.queueing import RULESETS_OF_AN_ADDRESS, admit_ruleset
from simulator.engine import shipped
from simulator.engine.players.names import Expectation
from simulator.models import Reply, Ruleset
from simulator.problems import QueueFull
from simulator.strength.replies import keep
from tests.catalogue.page_world import CatalogueTestCase, parsed, text_of
from tests.catalogue.test_play import at

KALAH = shipped.load("kalah-reference")
HUNT = "hat-diviyan-keliya-ludovisi"

ANNOUNCED = "simulator.batches.dispatch.notify_of_reply"


def address(name: str, **asked: Any) -> str:
    return f"/rulesets/{name}/play-a-game/" + (f"?{urlencode(asked, safe=',:/*')}" if asked else "")


def plain(page: str) -> str:
    main = parsed(page).find("main")
    return re.sub(r"\s+", " ", main.get_text(" "))


def buttons(page: str) -> list[str]:
    form = parsed(page).find("form", attrs={"data-moves": True})
    return [button["value"] for button in form.find_all("button")] if form else []


def link(page: str, words: str) -> str:
    return parsed(page).find("a", string=words)["href"]


def test_moves_are_said_on_their_buttons() -> None:
    """ "+a1" and "a>" were the only words for moves. In the upper row, seen from below, > leads to the left."""
    told = {
        ("+a1", 0): "lay on a1",
        ("a1-b2", 1): "a1 to b2",
        ("d6xd4", 0): "d6 takes, to d4",
        ("e1 +10", 0): "e1 by 10",
    }
    told |= {("a>", 0): "a →", ("a<", 0): "a ←", ("a>", 1): "a ←", ("pass", 0): "pass"}
    assert {key: game_view.said(*key) for key in told} == told


class PositionTests(CatalogueTestCase):
    def test_a_game_is_begun_from_the_page_of_the_ruleset(self) -> None:
        page = self.page("/rulesets/kalah-reference/")
        assert link(page, "Play it yourself") == address("kalah-reference")
        begin = self.client.get(address("kalah-reference"), {"players": ["you", "random"], "seed": ""})
        assert re.fullmatch(re.escape(address("kalah-reference")) + r"\?players=you,random&seed=\d+", begin["Location"])
        page = self.page(begin["Location"])
        assert buttons(page) == ["aa", "ba", "ca", "da", "ea", "fa"]
        assert "Turn 1: your move , first player." in plain(page)
        assert 'data-place="1a"' in page

    def test_the_same_address_is_the_same_position_for_anyone(self) -> None:
        here = address("dam-dlp", players="you,random", seed=3, moves="b5c6.a8b7")
        first = self.page(here)
        self.client.cookies.clear()
        assert plain(self.page(here)) == plain(first)
        assert not Reply.objects.exists()

    def test_a_move_leads_to_the_address_with_move_and_reply(self) -> None:
        asked = {"players": "you,random", "seed": "3", "moves": "b5c6.a8b7", "move": "c4b5"}
        answer = self.client.get(address("dam-dlp"), asked)
        moves = re.search(r"moves=([^&]+)$", answer["Location"])[1].split(".")
        assert moves[:3] == ["b5c6", "a8b7", "c4b5"]
        session = at("dam-dlp", "b5c6.a8b7.c4b5", seed=3)
        assert session.name_of(session.draw_move()).replace("-", "") == moves[3]
        assert "Second player (Easy)" in plain(self.page(answer["Location"]))

    def test_places_and_notation_mean_the_move_too(self) -> None:
        for move in ("c4 b5", "c4-b5", "c4b5", " c4  b5 "):
            asked = {"players": "you", "seed": "3", "moves": "b5c6.a8b7", "move": move}
            location = self.client.get(address("dam-dlp"), asked)["Location"]
            assert location == address("dam-dlp", players="you,you", seed=3, moves="b5c6.a8b7.c4b5")

    def test_a_hole_with_two_directions_asks_which(self) -> None:
        page = self.page(address("puhulmutu-parker", players="you", seed=1, move="1c"))
        asked = parsed(page).find(id="refused")
        assert [button["value"] for button in asked.find_all("button")] == ["ca", "cc"]

    def test_long_notation_is_redirected_to_the_short_address(self) -> None:
        answer = self.client.get(address("puhulmutu-parker"), {"players": "you", "seed": "1", "moves": "a>"})
        assert answer["Location"] == address("puhulmutu-parker", players="you,you", seed=1, moves="aa")

    def test_a_game_of_four_throws_and_passes_with_a_button(self) -> None:
        page = self.page(address("sokkattan-dlp", players="you,you,you,you", seed=5))
        assert "The first player throws" in plain(page)
        assert "The one move there is:" in plain(page)
        assert buttons(page) == ["-"]
        assert parsed(page).find("button", string="pass")
        asked = {"players": "you,you,you,you", "seed": "5", "move": "-"}
        after = self.client.get(address("sokkattan-dlp"), asked)
        assert "your move , second player" in plain(self.page(after["Location"]))

    def test_the_players_change_seats_and_a_move_is_taken_back(self) -> None:
        here = address("dam-dlp", players="you,random", seed=3, moves="b5c6.a8b7.c4b5.b9a8")
        page = self.page(here)
        assert link(page, "Take back") == address("dam-dlp", players="you,random", seed=3, moves="b5c6.a8b7")
        assert link(page, "Go on as the other side").startswith(
            address("dam-dlp", players="random,you", seed=3, moves="b5c6.a8b7.c4b5.b9a8")
        )
        assert link(page, "Start again") == address("dam-dlp", players="you,random", seed=3)
        exchanged = self.client.get(link(page, "Go on as the other side"))
        assert exchanged["Location"].startswith(link(page, "Go on as the other side") + ".")

    def test_an_ended_game_names_the_winner_and_takes_no_move(self) -> None:
        moves = "g1.d5.g4.f6.d7.c4.d6.a1.d3.a4.f2.e4.f4.g7.b4.e5"
        page = self.page(address("niranchy-ludovisi", players="you,you", seed=1, moves=moves))
        assert "The game is over." in plain(page)
        assert "Second player wins." in plain(page)
        assert buttons(page) == []
        refused = plain(self.page(address("niranchy-ludovisi", players="you,you", seed=1, moves=f"{moves}.a7"), 400))
        assert "Ply 17, “a7”, comes after the end of the game." in refused

    def test_the_end_is_told_to_the_one_who_played_and_leads_on(self) -> None:
        """Niranchy, won by the second player: a page said only who had won, whoever read it."""
        moves = "g1.d5.g4.f6.d7.c4.d6.a1.d3.a4.f2.e4.f4.g7.b4.e5"
        for players, told, next_level in (
            ("random,you", "You have won!", "greedy,you"),
            ("you,greedy", "You have lost this one.", "you,random"),
        ):
            page = parsed(self.page(address("niranchy-ludovisi", players=players, seed=1, moves=moves)))
            card = page.select_one(".end-card")
            assert card.h2.get_text() == told
            assert "It took 16 turns." in card.get_text()
            assert card.select_one(".actions a.button")["href"].endswith(f"play-a-game/?players={next_level}")
            assert page.select_one("figure.won-1")

    def test_what_happened_last_stands_with_the_clause_that_fired(self) -> None:
        page = self.page(address("puhulmutu-parker", players="you,you", seed=1, moves="aa"))
        turns = parsed(page).find("ol", class_="turns")
        assert "5 sown from 1e" in turns.get_text()
        assert "If the last counter falls into an occupied hole" in turns.get_text()
        assert turns.find("a", href=re.compile(r"^/evidence/DLP\.Evidence\.1386/"))

    def test_positions_are_no_more_queries_however_long_the_game(self) -> None:
        short = address("puhulmutu-parker", players="you,you", seed=1)
        moves = "aa.aa.ba.ba"
        self.page(short)
        with CaptureQueriesContext(connection) as few:
            self.page(short)
        with self.assertNumQueries(len(few)):
            self.page(address("puhulmutu-parker", players="you,you", seed=1, moves=moves))
        assert len(few) < 15

    def test_a_hash_is_played_like_a_name(self) -> None:
        digest = rulesets.find("kalah-reference").hash
        assert buttons(self.page(f"{address(digest)}?players=you,you&seed=1")) == ["aa", "ba", "ca", "da", "ea", "fa"]


class LevelTests(CatalogueTestCase):
    def offered(self, page: str, seat: int = 2) -> dict[str, str]:
        options = parsed(page).find(id=f"seat-{seat}").find_all("option")
        return {option["value"]: option.get_text() for option in options}

    def test_the_opponent_is_chosen_by_level_in_words(self) -> None:
        page = self.page(address("kalah-reference"))
        assert self.offered(page) == {
            "you": "you, before this screen",
            "random": "Easy: plays anything that is legal",
            "greedy": "Greedy: looks one turn ahead",
            player_of(KALAH, "club"): "Club: thinks some turns ahead",
            player_of(KALAH, "strong"): "Strong: thinks longer, and further ahead",
        }
        chosen = parsed(page).find(id="seat-2").find("option", selected=True)
        assert chosen["value"] == player_of(KALAH, "club")

    def test_a_player_of_no_level_stays_chosen_in_words(self) -> None:
        page = self.page(address("kalah-reference", players="you,uct:7", seed=1))
        assert self.offered(page)["uct:7"] == "Monte Carlo search, 7 iterations"
        assert "uct:7" not in self.offered(self.page(address("kalah-reference")))

    def test_levels_cost_no_more_than_a_visitor_may_have_thought_out(self) -> None:
        with mock.patch("simulator.strength.replies.MOST_THOUGHT", 1_000):
            offered = offered_levels(shipped.load("kalah-reference"))
        assert [level.title for level in offered] == ["Easy", "Greedy", "Club"]  # Strong comes to the same
        assert all(prices.turn_price(shipped.load("kalah-reference"), one.player) <= 1_000 for one in offered)
        assert offered[-1].how == "thinks some turns ahead"


class ForbiddenTests(CatalogueTestCase):
    def test_the_clause_that_forbids_a_move_is_named_with_its_words(self) -> None:
        wanted = address("kotu-baendum-parker", players="you,you", seed=1, move="1c")
        # A page that takes it in keeps the address of the position.
        assert self.client.get(wanted)["HX-Push-Url"] == "false"
        page = self.page(wanted, 400)
        refused = parsed(page).find(id="refused")
        rule = refused.find("li", attrs={"data-rule-key": "first_move_from_end"})
        assert rule.find("a", href=re.compile("^/rulesets/kotu-baendum-parker/#clause-"))
        assert rule.find("q")
        assert buttons(page) == ["aa", "ac", "ga", "gc"]  # the position stands, and may be played on

    def test_without_a_reading_the_parameter_explains_itself(self) -> None:
        changed = rulesets.save(rulesets.find("kotu-baendum-parker", {"pass_over": "5"}))
        page = plain(self.page(address(changed.hash, players="you,you", seed=1, move="1c"), 400))
        assert "Each player's first move of the game starts from an end hole." in page

    def test_what_would_need_a_rule_that_is_not_there_is_said_so(self) -> None:
        page = plain(self.page(address("kalah-reference", players="you,you", seed=1, move="c<"), 400))
        assert "Counters are sown anticlockwise: from left to right" in page
        moves = "-.-.-.-.-.b3-4.c2-5.-.-.-.-.-.-.-.-.-"
        changed = rulesets.save(rulesets.find("pancha-keliya-dlp", {"safe_squares": "false"})).hash
        for name, said in (
            ("pancha-keliya-dlp", "A piece leaves by exactly one more than the squares that remain."),
            (changed, "no rule here such as: “A piece may go home by more than the number it needs.”"),
        ):
            page = plain(self.page(address(name, players="you,you", seed=1, moves=moves, move="f5"), 400))
            assert "The piece is 1 from home, and 3 is more." in page
            assert said in page

    def test_words_that_name_no_move_get_the_nearest(self) -> None:
        page = plain(self.page(address("kalah-reference", players="you,you", seed=1, move="zz"), 400))
        assert "“zz” names no move of this game. The nearest that can be played is" in page


class WrongAddressTests(CatalogueTestCase):
    def test_every_mistake_is_named_with_the_nearest_valid_value(self) -> None:
        for asked, said, near in (
            ({"players": "you,rndom"}, "no player is called 'rndom'", "players=you,random"),
            ({"players": "random,random"}, "nobody sits before the screen", "players=you,random"),
            ({"players": "you,uct:190000"}, "thinks longer than a visitor may", "players=you,uct:100000"),
            ({"players": "you,alpha_beta:20"}, "thinks longer", "players=you,alpha_beta:6"),
            ({"player": "you"}, "has no “player”", "players=you"),
            ({"players": "you", "seed": "many"}, "must be a whole number, not 'many'", "seed=0"),
            ({"players": "you", "seed": "1", "moves": "aa.ax.ca"}, "Ply 2, “ax”, is no move", "moves=aa.aa"),
        ):
            page = self.page(f"{address('kalah-reference')}?{urlencode(asked)}", 400)
            assert said in plain(page), asked
            links = [one["href"] for one in parsed(page).find("main").find_all("a", href=True)]
            assert any(near in one for one in links), (asked, links)

    @pytest.mark.by_turns
    def test_no_address_is_an_error_of_the_site(self) -> None:
        chance = random.Random(6)
        names = ("puhulmutu-dlp", "dam-parker", "sokkattan-parker", "niranchy-dlp", "saturankam-dlp")
        words = (
            "",
            "you",
            "aa",
            "b5c6",
            "-",
            "j8-4",
            ".",
            "..",
            "%",
            "\u2603",
            "a" * 300,
            "you,random",
            "-1",
            "1e9",
            "∞",
        )
        keys = ("players", "seed", "moves", "move", "x")
        for _ in range(30):
            asked = [(chance.choice(keys), chance.choice(words)) for _ in range(chance.randint(1, 4))]
            response = self.client.get(address(chance.choice(names)), asked and dict(asked))
            assert response.status_code in (200, 302, 400), asked
        assert not Reply.objects.exists()

    def test_what_is_typed_is_shown_and_never_run(self) -> None:
        attack = '"><script>alert(1)</script>'
        for asked in ({"players": attack}, {"players": "you", "seed": "1", "move": attack}, {attack: "1"}):
            page = text_of(self.client.get(address("kalah-reference"), asked, follow=True))
            assert "<script>alert" not in page
            assert "&lt;script&gt;alert" in page


@mock.patch(ANNOUNCED)
class EngineTests(CatalogueTestCase):
    here = address("kalah-reference", players="you,uct:50", seed=1, moves="da")

    def test_the_page_waits_for_the_reply_and_then_holds_it(self, announced: mock.Mock) -> None:
        page = self.page(self.here)
        assert "Second player (Monte Carlo search, 50 iterations) is thinking" in plain(page)
        assert '<noscript><meta http-equiv="refresh" content="1"></noscript>' in page
        assert buttons(page) == []
        self.page(self.here)
        reply = Reply.objects.get()
        assert announced.mock_calls == [mock.call(reply.key)]
        session = at("kalah-reference", "da")
        assert (reply.player, reply.seed, reply.moves, reply.state) == ("uct:50", 1, session.moves, "waiting")
        keep(reply, session.options[2])
        answer = self.client.get(self.here)
        assert answer["Location"] == f"{self.here}.ca"

    def test_a_reply_that_failed_says_so(self, announced: mock.Mock) -> None:
        self.page(self.here)
        Reply.objects.get().fail("ValueError: no")
        assert "could not find a move: ValueError: no" in plain(self.page(self.here))

    def test_nobody_moves_for_an_engine(self, announced: mock.Mock) -> None:
        response = self.client.get(f"{self.here}&move=aa")
        assert response["Location"] == self.here

    def test_visitors_are_bounded_and_learn_when_to_return(self, announced: mock.Mock) -> None:
        thought = prices.UNITS * prices.turn_price(shipped.load("kalah-reference"), "uct:50")
        with override_settings(VISITOR_WORK_PER_HOUR=int(1.5 * thought)):
            self.page(self.here)
            response = self.client.get(address("kalah-reference", players="you,uct:50", seed=2, moves="da"))
        assert response.status_code == 429
        assert 3_500 < int(response["Retry-After"]) <= 3_601
        assert "An engine has thought for you as much as it may within an hour." in plain(text_of(response))
        assert Reply.objects.count() == 1

    def test_a_hint_is_what_the_strongest_level_would_play(self, announced: mock.Mock) -> None:
        here = address("kalah-reference", players="you,random", seed=1)
        asked = link(self.page(here), "Hint")
        assert asked == f"{here}&hint=yes"
        page = self.page(asked)
        assert "Strong is thinking about a hint" in plain(page)
        assert '<noscript><meta http-equiv="refresh" content="1"></noscript>' in page
        assert buttons(page) == ["aa", "ba", "ca", "da", "ea", "fa"]
        reply = Reply.objects.get()
        assert (reply.player, reply.moves) == (player_of(KALAH, "strong"), [])
        keep(reply, at("kalah-reference").options[3])
        hinted = self.page(asked)
        assert "A hint: Strong would play d" in plain(hinted)
        assert "Pointed out: 1d." in plain(hinted)
        assert self.client.get(f"{asked}&move=da")["Location"].startswith(f"{here}&moves=da.")

    @pytest.mark.by_turns
    def test_how_it_stands_is_said_without_a_move(self, announced: mock.Mock) -> None:
        here = address("kalah-reference", players="you,random", seed=1)
        asked = link(self.page(here), "How do I stand?")
        assert asked == f"{here}&standing=yes"
        page = self.page(asked)
        assert "Strong is thinking about how it stands" in plain(page)
        assert '<noscript><meta http-equiv="refresh" content="1"></noscript>' in page
        for expected, words in (
            (
                Expectation(share=0.634),
                "Strong expects about 63 % for the first player, whose move it is: its share of",
            ),
            (
                Expectation(value="won", plies=7),
                "the first player, whose move it is, can win within 7 moves of both sides",
            ),
            (Expectation(value="lost", plies=1), "can be beaten with the next move, whatever it does."),
            (Expectation(value="drawn"), "can neither force a win nor be forced to lose."),
            (
                Expectation(value="open", plies=9),
                "can neither force a win within 9 moves of both sides nor be forced to lose so soon.",
            ),
            (None, "Strong does not say how it stands."),
        ):
            keep(Reply.objects.get(), at("kalah-reference").options[3], expected)
            page = self.page(asked)
            assert words in " ".join(parsed(page).find(id="advice").get_text().split())
            assert "A hint" not in page
            assert "Pointed out" not in plain(page), "the move is not given away"
            assert self.client.get(f"{asked}&move=da")["Location"].startswith(f"{here}&moves=da.")
        assert "A hint: Strong would play d" in plain(self.page(f"{here}&hint=yes")), "of the same reply"

    def test_nobody_is_given_a_hint_where_there_is_nothing_to_choose(self, announced: mock.Mock) -> None:
        for here in (address("sokkattan-dlp", players="you,you,you,you", seed=5), self.here):
            for asked in ("hint", "standing"):
                page = self.page(f"{here}&{asked}=yes")
                assert ">Hint</a>" not in page
                assert ">How do I stand?</a>" not in page
        assert [reply.player for reply in Reply.objects.all()] == ["uct:50"]

    def test_hints_are_bounded_as_replies_are(self, announced: mock.Mock) -> None:
        here = address("kalah-reference", players="you,random", seed=1)
        with override_settings(VISITOR_WORK_PER_HOUR=1):
            self.page(here)
            self.page(f"{here}&hint=yes")
            response = self.client.get(address("kalah-reference", players="you,random", seed=2) + "&hint=yes")
        assert response.status_code == 429
        assert buttons(text_of(response)) == ["aa", "ba", "ca", "da", "ea", "fa"]

    def test_one_move_is_no_thought(self, announced: mock.Mock) -> None:
        players = "you,uct:50,uct:50,uct:50"
        response = self.client.get(address("sokkattan-dlp", players=players, seed=5, moves="-"))
        assert response["Location"].startswith(address("sokkattan-dlp", players=players, seed=5, moves="-.-"))


class WhatIfTests(CatalogueTestCase):
    change = "/rulesets/kalah-reference/change/?set.holes_per_row=3"

    def test_a_change_is_played_at_once(self) -> None:
        assert self.soup(self.change).find("button", string="Play it yourself")
        answer = self.client.post(self.change, {"yourself": "yes"})
        digest = rulesets.find("kalah-reference", {"holes_per_row": "3"}).hash
        assert answer["Location"] == address(digest)
        assert buttons(self.page(address(digest, players="you,you", seed=1))) == ["aa", "ba", "ca"]

    def test_rulesets_nobody_has_batches_of_are_bounded(self) -> None:
        before = Ruleset.objects.count()
        with mock.patch("simulator.batches.queueing.RULESETS_PER_HOUR", 0):
            answer = self.client.post(self.change, {"yourself": "yes"})
        assert (answer.status_code, answer["Retry-After"]) == (429, "600")
        assert "Too many changed rulesets" in text_of(answer)
        assert Ruleset.objects.count() == before

    def test_one_address_writes_only_its_share_of_rulesets(self) -> None:
        cache.clear()
        self.addCleanup(cache.clear)
        for _ in range(RULESETS_OF_AN_ADDRESS):
            admit_ruleset("10.0.0.1")
        with pytest.raises(QueueFull, match="40 changed rulesets an hour are taken up from one address") as told:
            admit_ruleset("10.0.0.1")
        assert 0 < told.value.retry_after <= 3600
        admit_ruleset("10.0.0.2")
        with mock.patch("simulator.batches.queueing.RULESETS_OF_AN_ADDRESS", 0):
            answer = self.client.post(self.change, {"yourself": "yes"})
        assert (answer.status_code, "from one address" in text_of(answer)) == (429, True)


class Framed(CatalogueTestCase):
    """The board alone, for pages of others and for screens in a room."""

    FRAME = f"/rulesets/{HUNT}/play-a-game/embed/"
    KIOSK = f"/rulesets/{HUNT}/play-a-game/kiosk/"

    def test_a_board_may_stand_on_another_sites_page(self) -> None:
        for address in (self.FRAME, f"{self.FRAME}?players=you,you&seed=1", self.KIOSK):
            response = self.client.get(address)
            assert "frame-ancestors *" in response["Content-Security-Policy"], address
            assert "X-Frame-Options" not in response
        ordinary = self.client.get(f"/rulesets/{HUNT}/play-a-game/?players=you,you&seed=1")
        assert "frame-ancestors 'none'" in ordinary["Content-Security-Policy"]

    def test_its_moves_stay_in_the_frame_and_its_links_leave_it(self) -> None:
        page = self.soup(f"{self.FRAME}?players=you,you&seed=1&moves=b4")
        assert page.select_one("base[target=_blank]")
        assert not page.select("header, footer, nav")
        assert all(form["target"] == "_self" for form in page.select("form"))
        within = [link["href"] for link in page.select("a[target=_self]")]
        assert within
        assert all(address.startswith(self.FRAME) for address in within)
        response = self.client.get(f"{self.FRAME}?players=you,you&seed=1&moves=b4&move=%2Bb2")
        assert response["Location"] == f"{self.FRAME}?players=you,you&seed=1&moves=b4.b2"

    def test_a_kiosk_leads_nowhere_and_begins_anew(self) -> None:
        page = self.soup(f"{self.KIOSK}?players=you,you&seed=1&moves=b4")
        assert all(link["href"].startswith(self.KIOSK) for link in page.select("a"))
        main = page.select_one("main")
        assert (main["data-begins-anew"], main["data-start"]) == ("120", self.KIOSK)

    def test_one_tap_begins_a_game_against_a_level(self) -> None:
        page = self.soup(self.FRAME)
        taps = [link["href"] for link in page.select(".levels a")]
        assert taps[0] == "?players=you,random"
        assert len(taps) > 2


@pytest.mark.parametrize(
    ("value", "seated"), [("second_wins", "random,you"), ("first_wins", "you,random"), (None, "you,random")]
)
def test_nobody_begins_with_a_side_that_is_proved_lost(value: str | None, seated: str) -> None:
    """Of Hat diviyan keliya the leopards win, who are second: "Play at once" gave the tiger, and did not say so."""
    solution: Any = SimpleNamespace(document={"start": {"value": value}})
    with mock.patch.object(seated_players, "table_seconds", return_value=None):
        games, note = seated_players.quick_games(shipped.load(HUNT), solution)
    assert games[0].query == f"players={seated}"
    assert ("it is proved that you can win" in note) == bool(value)
    assert ("owner of the leopards" in note) == (value == "second_wins")
    assert all("lines" not in one.how for one in games)


class Passes(CatalogueTestCase):
    def test_who_can_only_pass_is_passed_over(self) -> None:
        """Sokkattan: before a piece has entered only an extra point is of use; the throws are those of the seed."""
        first = self.client.get(address("sokkattan-parker", players="you,you,you,you", seed=4))
        assert first.status_code == 200  # the position that is named is shown
        after = self.client.get(address("sokkattan-parker", players="you,you,you,you", seed=4, move="-"))
        moves = after["Location"].partition("moves=")[2].split(".")
        assert len(moves) > 1
        assert set(moves) == {"-"}
        page = parsed(self.client.get(after["Location"]).content)
        named = [move["data-places"] for move in page.select("[data-moves] [data-places]")]
        assert all(named)

    def test_the_throw_is_there_to_be_drawn(self) -> None:
        page = self.soup(address("sokkattan-parker", players="you,you,you,you", seed=4))
        said = page.select_one(".throw")
        kind, lots, faces = said["data-lots"].split(";")[0].split(" ")
        assert (kind, lots, faces.count(",")) == ("throw", "cowries", 5)
        assert f"throws {faces.count('1')} mouths up" in said.get_text()
