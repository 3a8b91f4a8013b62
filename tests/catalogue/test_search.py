"""What the search finds and in what order, what it takes words to mean, and which others it offers."""

from unittest.mock import patch

import pytest

from catalogue.models import Evidence, Game, SearchEntry
from catalogue.search import ranking
from catalogue.search.indexing import index_missing
from catalogue.search.query import parse_query
from catalogue.search.ranking import entries_with
from tests.catalogue.search_world import SEARCH, SearchCase


class FindingTests(SearchCase):
    @pytest.mark.by_turns
    def test_accents_and_ligatures_do_not_matter(self) -> None:
        assert "DLP.Evidence.741 · Mawkar Katiya" in self.titles(q="Máwkár")
        assert self.titles(q="Máwkár") == self.titles(q="mawkar") == self.titles(q="MAWKÁR")
        assert self.titles(q="bændum") == self.titles(q="baendum")
        assert "Kotu Baendum" in self.titles(q="bændum")

    def test_endings_do_not_matter(self) -> None:
        assert self.titles(q="captures", kind="record") == self.titles(q="captured", kind="record")
        assert self.read(q="capturing", kind="record")["count"] > 5

    def test_a_record_is_found_by_its_texts_and_its_identifier(self) -> None:
        assert self.titles(q="astonishing rapidity", kind="record") == ["DLP.Evidence.692 · Daramuti"]
        assert "DLP.Evidence.692 · Daramuti" in self.titles(q='"2x7 board with two stores"', kind="record")
        assert self.titles(q="DLP.Evidence.692")[0] == "DLP.Evidence.692 · Daramuti"

    def test_everything_that_is_asked_for_must_be_there(self) -> None:
        both = self.read(q="leopards cattle")["count"]
        assert 0 < both < self.read(q="leopards")["count"]
        assert self.read(q="leopards xyzzy", kind="record")["count"] == 0

    def test_a_phrase_stands_in_that_order(self) -> None:
        assert self.read(q='"sowing game"')["count"] > 0
        assert self.read(q='"game sowing"')["count"] == 0
        assert self.read(q="game sowing")["count"] > self.read(q='"sowing game"')["count"]

    def test_a_phrase_does_not_run_on_from_one_text_into_the_next(self) -> None:
        game = Game.objects.create(name="Zumba", slug="zumba", description="Begins with words.")
        Evidence.objects.create(
            identifier="X.1", type="Artifact", game=game, quotation="A quorn", paraphrase="blitted board"
        )
        index_missing()
        assert self.read(q='"a quorn"')["count"] == 1
        assert self.read(q='"quorn blitted"')["count"] == 0

    @pytest.mark.by_turns
    def test_exclusion_and_choice(self) -> None:
        every = self.read(q="hole")["count"]
        without = self.read(q="hole -puta")["count"]
        assert without + self.read(q="hole puta")["count"] == every
        assert self.read(q="-hole")["count"] + every == SearchEntry.objects.count()
        either = set(self.titles(q="astonishing OR Khasis", kind="record"))
        assert either >= {"DLP.Evidence.692 · Daramuti", "DLP.Evidence.741 · Mawkar Katiya"}

    @pytest.mark.by_turns
    def test_nothing_in_the_box_is_syntax(self) -> None:
        for text in (
            "NEAR(a b)",
            "title:seed",
            "seed*",
            "a & !b | c:*",
            "'; DROP TABLE x; --",
            "{a b}",
            "^seed",
            "100%",
        ):
            assert self.client.get(SEARCH, {"q": text}).status_code == 200, text

    def test_names_come_before_headings_and_headings_before_texts(self) -> None:
        titles = self.titles(q="daramuti")
        assert titles[0] == "Daramuti"
        assert titles[1].startswith("DLP.Evidence.692")
        assert titles[2].startswith("Daramuti, after")
        named = [place for place, title in enumerate(titles) if "aramuti" in title]
        assert named == sorted(named)
        assert self.titles(q="Parker", kind="source")[0].startswith("Parker 1909")

    def test_what_holds_a_word_oftener_in_fewer_words_comes_first(self) -> None:
        game = Game.objects.first()
        for name, text in (
            ("X.1", "A quorn stone. " + "Other words stand here. " * 60),
            ("X.2", "Quorn, quorn, a quorn."),
        ):
            Evidence.objects.create(identifier=name, type="Artifact", game=game, quotation=text)
        index_missing()
        assert [title.split(" ")[0] for title in self.titles(q="quorn")] == ["X.2", "X.1"]

    def test_beyond_the_ranked_hits_the_list_goes_on(self) -> None:
        wanted = parse_query("Sokkattan")
        rows = entries_with(wanted)
        every = list(rows.order_by(*ranking.IN_CATALOGUE).values_list("pk", flat=True))
        assert len(every) > 40
        for ranked in (0, 7, 31, 500):
            with patch.object(ranking, "RANKED", ranked):
                pages = [ranking.in_order(wanted, {}, "relevance", n, n + 10) for n in range(0, len(every), 10)]
                found = [key for page in pages for key in page]
                assert sorted(found) == sorted(every), ranked
                assert found == ranking.in_order(wanted, {}, "relevance", 0, len(every) + 5), ranked

    def test_what_was_found_is_marked_and_escaped(self) -> None:
        game = Game.objects.first()
        Evidence.objects.create(identifier="X.1", type="Artifact", game=game, quotation="A <b>quorn</b> & more.")
        index_missing()
        page = self.page(f"{SEARCH}?q=quorn")
        assert "&lt;b&gt;<mark>quorn</mark>&lt;/b&gt; &amp; more." in page

    @pytest.mark.by_turns
    def test_orders(self) -> None:
        named = self.titles(kind="record", sort="name")
        assert named == sorted(named, key=lambda title: int(title.split(".")[2].split(" ")[0]))
        *years, last = [find["earliest"] for find in self.read(kind="record", sort="year")["results"]]
        assert years == sorted(years)
        assert last is None, "the slab, which has no date"
        *newest, last = [find["latest"] for find in self.read(kind="record", sort="newest")["results"]]
        assert last is None
        assert newest == sorted(newest, reverse=True)
        Evidence.objects.create(identifier="X.1", type="Artifact", game=Game.objects.first(), quotation="A board.")
        index_missing()
        for sort in ("year", "newest"):
            assert any(title.startswith("X.1") for title in self.titles(kind="record", sort=sort)[-2:])


class SuggestionTests(SearchCase):
    @pytest.mark.by_turns
    def test_a_typing_error_leads_to_the_word_that_was_meant(self) -> None:
        for wrong, right in (
            ("daramutti", "daramuti"),
            ("captrue", "capture"),
            ("leopords cattel", "leopards cattle"),
            ("ludovsi", "ludovisi"),
        ):
            assert self.read(q=wrong)["suggestion"] == right
            assert self.read(q=right)["count"] > 0
        assert 'q=daramuti">daramuti</a>' in self.page(f"{SEARCH}?q=daramutti")

    def test_a_name_with_another_space_or_hyphen_is_found_or_offered(self) -> None:
        every = self.read(q="puhulmutu")["count"]
        assert self.read(q="puhul-mutu")["count"] == every
        assert self.read(q="puhul mutu")["suggestion"] == "puhulmutu"
        assert self.read(q="Kotubaendum")["suggestion"] == "kotu-baendum"
        assert self.read(q="kotu-baendum")["count"] == self.read(q='"kotu baendum"')["count"] > 0

    def test_words_that_begin_so(self) -> None:
        every = self.read(q="puhulmutu")["count"]
        found = self.read(q="puhul*")
        assert found["understood"] == "words that begin with “puhul”"
        assert found["count"] >= every
        assert self.read(q="puhul* -puhulmutu")["count"] == found["count"] - every
        assert self.read(q="daramuti -daram*", kind="game")["count"] == 0
        for word, beginning in (("counters", "count"), ("capturing", "capturi"), ("variety", "variety")):
            # The stem of the last is varieti: it is found by what is written.
            assert self.read(q=f"{beginning}*")["count"] >= self.read(q=word)["count"] > 0, word

    def test_suggestions_find_something_and_are_similar(self) -> None:
        assert self.read(q="xyzzyqwertz")["suggestion"] is None
        assert self.read(q="daramutti -daramuti")["suggestion"] is None
        assert "Nothing here has all of this" in self.page(f"{SEARCH}?q=xyzzyqwertz")


class MeaningTests(SearchCase):
    """What is meant by the words: the record, the kind of game, the nouns of a question."""

    def test_the_record_that_is_meant_comes_first(self) -> None:
        assert self.titles(q="Parker Daramuti")[0] == "DLP.Evidence.692 · Daramuti"
        assert self.titles(q="Das-Gupta Mawkar")[0].startswith("DLP.Evidence.741")
        assert self.titles(q="Parker")[0].startswith("Parker 1909")

    def test_kinds_of_games_are_found_by_the_words_readers_know(self) -> None:
        for asked, game in (("mancala", "Puhulmutu"), ("draughts", "Dam"), ("tiger game", "Diviyan Keliya")):
            found = self.read(q=asked)
            assert game in [find["title"] for find in found["results"]], asked
            assert found["results"][0]["kind"] == "game", asked
        assert "mancala or sowing" in self.read(q="mancala")["understood"]

    def test_a_question_in_full_words_is_answered_by_its_nouns(self) -> None:
        found = self.read(q="which games are played with dice?")
        assert [find["kind"] for find in found["results"][:8]] == ["game"] * 8
        assert {"Saturankam", "Sokkattan", "Kawade Kelia"} <= {find["title"] for find in found["results"][:8]}
        assert found["remarks"][0].startswith("Taken as a question: which, games, are")
        assert self.titles(q="what is a puta?")

    def test_little_words_are_kept_where_nothing_is_asked(self) -> None:
        assert self.read(q="the game of the board")["remarks"] == []
        assert self.read(q='"which is the"')["remarks"] == []

    def test_entries_with_some_words_are_shown_if_none_has_all(self) -> None:
        found = self.read(q="leopard xylophone")
        assert found["count"] == self.read(q="leopard")["count"] > 0
        assert found["remarks"][-1].startswith("Nothing here has all of these words")
        assert self.read(q="leopard xylophone", kind="game")["count"] == 0


class AnswerTests(SearchCase):
    """What stands before the finds, and in which order names stand."""

    def answers(self, q: str, **asked: str) -> list[tuple[str, str]]:
        return [(one["kind"], one["title"]) for one in self.read(q=q, **asked)["answers"]]

    def test_a_name_as_written_comes_before_synonyms(self) -> None:
        assert self.titles(q="pachisi")[0] == "Sokkattan"
        assert self.titles(q="leopard")[:3] == ["Diviyan Keliya", "Hat Diviyan Keliya", "Koti Keliya"]

    def test_reference_games_come_behind_the_others(self) -> None:
        games = self.titles(q="mancala", kind="game")
        reference = set(Game.objects.filter(is_reference=True).values_list("name", flat=True))
        behind = [name in reference for name in games]
        assert behind == sorted(behind)
        assert {"Kalah", "Oware"} <= set(games)
        assert self.titles(q="kalah")[0] == "Kalah"

    def test_a_word_of_the_players_is_answered_by_its_meaning(self) -> None:
        (answer,) = self.read(q="puta")["answers"]
        assert answer["kind"] == "word of the players"
        assert answer["text"].startswith("son: the single seed left")
        assert answer["links"][0]["address"].endswith("/terms/#DLP.Evidence.1386-puta")
        assert self.answers("what is a puta?") == self.answers("puta")
        assert self.answers("puta", kind="record") == []

    def test_a_place_is_found_by_its_name_of_before(self) -> None:
        (answer,) = self.read(q="ceylon")["answers"]
        assert (answer["title"], answer["text"]) == ("Sri Lanka", "Ceylon is an old name of Sri Lanka.")
        assert self.read(q="Taprobane")["count"] == self.read(q="sri-lanka", kind="")["count"] > 0
        assert self.answers("sri lanka") == [("place", "Sri Lanka")]

    def test_questions_are_led_to_their_pages(self) -> None:
        for asked, page in (
            ("who wins", "/findings/"),
            ("Which games are unfair?", "/findings/"),
            ("how long does a game take", "/games/"),
            ("can I play against the computer", "/games/"),
            ("where was it played", "/map/"),
            ("wear worn board", "/wear/"),
            ("which rules would wear a stone board so", "/wear/"),
        ):
            (answer,) = self.read(q=asked)["answers"]
            assert [link["address"] for link in answer["links"]] == [f"http://testserver{page}"], asked
        (answer,) = self.read(q="who wins Daramuti after the book")["answers"]
        assert answer["links"][0]["address"].endswith("/games/daramuti/#outcomes")
        (answer,) = self.read(q="is koti keliya fair")["answers"]
        assert answer["links"][0]["address"].endswith("/games/koti-keliya/#outcomes")
        assert self.answers("winning row") == self.answers("board") == []
        page = " ".join(self.client.get("/search/", {"q": "who wins koti keliya"}).content.decode().split())
        assert "<b>Koti Keliya.</b> " in page  # what is proved of it, or what its games show

    def test_the_finds_of_the_corrected_spelling_are_shown(self) -> None:
        for wrong, game in (("Darmuti", "Daramuti"), ("puhulmuthu", "Puhulmutu")):
            found = self.read(q=wrong)
            assert found["results"][0]["title"] == game
            assert found["remarks"][0].startswith(f"Nothing here has “{wrong}”. These are the finds of")
        assert self.read(q="Darmuti", kind="game")["count"] == 0

    def test_finds_show_their_boards_lazily(self) -> None:
        page = self.page(f"{SEARCH}?q=daramuti&kind=game")
        assert page.count('<img class="thumb"') == 1
        assert 'src="/rulesets/daramuti-parker/board.svg" width="96" height="72" loading="lazy" alt=""' in page
