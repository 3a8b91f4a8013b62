"""What stands behind the question mark, and addresses that are none: refused by name, with the nearest right one."""

from tests.api.api_world import ApiTestCase


class ParameterTests(ApiTestCase):
    def test_mistakes_are_named_with_the_nearest_valid_value(self) -> None:
        for path, nearest in (
            ("evidence/?plac=sri-lanka", {"plac": "place"}),
            ("evidence/?place=sri-lnka", {"place": "sri-lanka"}),
            ("evidence/?game=daramutti&source=parker-1908", {"game": "daramuti", "source": "parker-1909"}),
            ("evidence/?type=Ethnografy", {"type": "Ethnography"}),
            ("evidence/?from=99999", {"from": 3000}),
            ("evidence/?to=-99999", {"to": -20000}),
            ("evidence/?from=nineteen", {"from": None}),
            ("evidence/?undated=ja", {"undated": "yes"}),
            ("evidence/?page=2", {"page": 1}),
            ("evidence/?page=x", {"page": 1}),
            ("evidence/?page=-3", {"page": 1}),
            ("evidence/?page_size=0", {"page_size": 1}),
            ("evidence/?page_size=1000", {"page_size": 100}),
            ("evidence/?page_size=5&page=9", {"page": 5}),
            ("evidence/?format=jsn", {"format": "json"}),
            ("evidence/DLP.Evidence.692/?formt=json", {"formt": "format"}),
            ("games/?place=khas", {"place": "khasi"}),
            ("places/?kind=contry", {"kind": "country"}),
            ("rulesets/?authority=parkr", {"authority": "parker"}),
            ("rulesets/?evidence=DLP.Evidence.6922", {"evidence": "DLP.Evidence.692"}),
            ("batches/?state=don", {"state": "done"}),
            ("batches/?ruleset=daramuti-parkr", {"ruleset": "daramuti-parker"}),
            ("?place=khasi", {"place": None}),
        ):
            assert self.nearest(path) == nearest, path

    def test_the_message_repeats_the_value_and_says_what_there_is(self) -> None:
        answer = self.read("evidence/?plac=khasi", 400)
        assert answer["title"] == "Bad Request"
        assert "'plac'" in answer["detail"]
        assert "page, page_size, place, source, to, type, uncertainty, undated" in answer["detail"]

    def test_a_parameter_given_twice_is_refused(self) -> None:
        assert self.nearest("evidence/?game=daramuti&game=puhulmutu") == {"game": None}

    def test_names_nearly_right_lead_to_the_right_ones(self) -> None:
        for path, nearest in (
            ("evidence/DLP.Evidence.6922/", {"identifier": "DLP.Evidence.692"}),
            ("games/daramutti/", {"slug": "daramuti"}),
            ("places/srilanka/", {"slug": "sri-lanka"}),
            ("sources/parker-1906/", {"key": "parker-1909"}),
            ("rulesets/daramuti-parkr/", {"ruleset": "daramuti-parker"}),
            (f"batches/{self.batch.id[:-1]}/", {"id": self.batch.id}),
            ("evidnce/", {"": "evidence"}),
            ("games/daramuti/rules/", {"": "games"}),
        ):
            assert self.nearest(path, 404) == nearest, path

    def test_an_address_without_final_slash_redirects(self) -> None:
        assert self.client.get("/api/v1/evidence").headers["Location"] == "/api/v1/evidence/"

    def test_rows_cannot_be_changed(self) -> None:
        for method in (self.client.post, self.client.put, self.client.patch, self.client.delete):
            response = method("/api/v1/evidence/")
            assert (response.status_code, response.json()["title"]) == (405, "Method Not Allowed")

    def test_pages_hold_every_row_once(self) -> None:
        seen, address = [], "/api/v1/evidence/?page_size=6&place=sri-lanka"
        while address:
            answer = self.client.get(address).json()
            seen += [record["identifier"] for record in answer["results"]]
            address = answer["next"]
        assert len(seen) == len(set(seen)) == answer["count"] == 20
        assert answer["previous"].endswith("page=3&page_size=6&place=sri-lanka")
