"""Addresses that mean nothing: each is refused, and names what is wrong or the nearest address that means something."""

import html

import pytest

from tests.catalogue.page_world import CatalogueTestCase, plain
from tests.choice import half_of_the_day

RECORD, LONG = "/evidence/DLP.Evidence.692/", "/claims/kotu-baendum/very-long/"
NO = "0123456789abcdef"  # the id of nothing
NOT_THERE = (
    ("/no/such/page/", "/evidence/"),
    ("/evidence/dlp.evidence.6922/", RECORD),
    ("/games/daramutti/", "/games/daramuti/"),
    ("/compare/?game=daramutti", "/games/daramuti/"),
    ("/games/saturankm/sensitivity/", "/games/saturankam/"),
    ("/places/srilanka/", "/places/sri-lanka/"),
    ("/sources/parker-1906/", "/sources/parker-1909/"),
    ("/about/right/", "/about/rights/"),
    ("/rulesets/daramuti-parkr/", "/rulesets/daramuti-parker/"),
    ("/rulesets/puhulmutu-parkr/change/", "/rulesets/puhulmutu-parker/"),
    ("/claims/kotu-baendum/very-lon/", LONG),
    ("/claims/kotu-baendm/very-long/", LONG),
    ("/questions/puhulmutu/single-countersx/", "/questions/puhulmutu/single-counters/"),
    ("/history/clause/puhulmutu-parker/rely/", "/history/clause/puhulmutu-parker/relay/"),
    ("/history/record/DLP.Evidence.13866/", "/history/record/DLP.Evidence.1386/"),
    ("/history/readings/puhulmutu-parker/", "/history/reading/puhulmutu-parker/"),
    ("/history/reading/puhulmutu-parkr/", "/history/reading/puhulmutu-parker/"),
    ("/history/reading/puhulmutu/parker/", "/history/reading/puhulmutu-parker/"),
    ("/cite/record/DLP.Evidence.69.bib", "/cite/record/DLP.Evidence.692.bib"),
    ("/cite/record/DLP.Evidence.692.bibtex", "/cite/record/DLP.Evidence.692.bib"),
    ("/cite/records/DLP.Evidence.692.ris", "/cite/record/DLP.Evidence.692.ris"),
    ("/cite/claim/dam/won-by-takin-all.ris", "/cite/claim/dam/won-by-taking-all.ris"),
    ("/cite/catalogue.bibtex", "/cite/catalogue.bib"),
    ("/cite/edition.bibtex", "/cite/edition.bib"),
    ("/id/DLP.Evidence.69", "/id/record/DLP.Evidence.692"),
    ("/id/source/parker-1990", "/id/source/parker-1909"),
    ("/id/sorce/parker-1909", "/id/source/parker-1909"),
    ("/id/clause/daramuti-parker/relai", "/id/clause/daramuti-parker/relay"),
    ("/id/dam/won-by-taking-al", "/id/claim/dam/won-by-taking-all"),
)
WRONG_PARAMETERS = (
    ("/evidence/?place=sri-lnka", "/evidence/?place=sri-lanka"),
    ("/evidence/?plce=sri-lanka", "/evidence/?place=sri-lanka"),
    ("/evidence/?game=daramutti&from=1900", "/evidence/?game=daramuti&from=1900"),
    ("/evidence/?from=nineteen", "/evidence/"),
    ("/evidence/?undated=perhaps", "/evidence/?undated=yes"),
    ("/evidence/?page=7", "/evidence/?page=1"),
    ("/evidence/?page=x", "/evidence/?page=1"),
    ("/claims/?verdict=suported", "/claims/?verdict=supported"),
    ("/claims/?game=puhulmut", "/claims/?game=puhulmutu"),
    ("/claims/?verdit=supported", "/claims/?verdict=supported"),
    ("/claims/?page=9", "/claims/?page=1"),
    ("/map/?place=sri-lnka", "/map/?place=sri-lanka"),
    ("/map/?plce=khasi&z=2", "/map/?z=2&place=khasi"),
    ("/map/?z=9", "/map/?z=6"),
    ("/map/?z=1&x=-5", "/map/?z=1&x=0"),
    ("/map/?z=two", "/map/?z=0"),
    ("/map/?page=4", "/map/?page=1"),
    ("/timeline/?from=1910&to=1900", "/timeline/?from=1900&to=1910"),
    ("/timeline/?from=3001", "/timeline/?from=3000"),
    ("/timeline/?undated=perhaps", "/timeline/?undated=yes"),
    ("/timeline/?gam=daramuti", "/timeline/?game=daramuti"),
    ("/compare/?rulesett=daramuti-dlp", "/compare/?rulesets=daramuti-dlp"),
)
WITHOUT_NEAREST = (
    (f"/studies/{NO}/", "There is no study"),
    (f"/studies/{NO}/nothing.svg", "There is no plot"),
    (f"/batches/{NO}/", "plays the same games again"),
    (f"/comparisons/{NO}/", "computes the same comparison again"),
    ("/id/daramuti-parker@99999999999999999999", "Nothing in this catalogue is called"),
    (f"/id/{'x' * 5000}", "Nothing in this catalogue is called"),
    ("/sitemap-records.xml", "There are: pages, evidence"),
    ("/sitemap-evidence.xml?p=2", "There is no page “2”"),
    ("/sitemap-evidence.xml?p=0", "There is no page “0”"),
    ("/sitemap-evidence.xml?p=x", "There is no page “x”"),
    ("/sitemap-evidence.xml?p=99999999999", "There is no page “99999999999”"),
)


class WrongAddressTests(CatalogueTestCase):
    @pytest.mark.by_turns
    def test_an_address_of_nothing_leads_to_the_nearest(self) -> None:
        for address, nearest in half_of_the_day(NOT_THERE):
            assert f'href="{nearest}"' in html.unescape(self.page(address, 404)), address

    @pytest.mark.by_turns
    def test_a_wrong_parameter_leads_to_the_nearest(self) -> None:
        for address, nearest in half_of_the_day(WRONG_PARAMETERS):
            assert f'href="{nearest}"' in html.unescape(self.page(address, 400)), address

    def test_without_a_nearest_the_page_says_what_is_missing(self) -> None:
        for address, words in half_of_the_day(WITHOUT_NEAREST):
            assert words in plain(self.page(address, 404)), address
