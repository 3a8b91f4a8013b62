"""Columns of the portal that pages have no place of their own for, by the names that readers know."""

from catalogue.portal.statements import in_words


def test_columns_are_named_and_their_codes_are_read() -> None:
    printed = {"LudiiRuleset": "1234", "DLPGame": "1", "PublicGame": "0", "ProprietaryGame": "?", "Unknown": "as it is"}
    said = in_words(printed)
    assert said[0] == ("Ruleset that Ludii plays", "DLP.Ruleset.1234")
    assert [value for _, value in said[1:]] == ["yes", "no", "?", "as it is"]
    assert said[-1][0] == "Unknown"
    assert in_words({"LudiiRuleset": "1234a"}) == [("Ruleset that Ludii plays", "1234a")]
