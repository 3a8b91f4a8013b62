"""A difference between long texts is told by the part round the first place where they differ."""

from catalogue.portal.dump.importing import BEFORE, LONGEST_REPORTED, difference


def test_short_values_are_told_whole() -> None:
    one = difference("DLP.Evidence.1", "rules", "seeds", "pieces")
    assert (one.kept, one.offered) == ("seeds", "pieces")


def test_of_long_texts_the_part_round_the_first_difference_is_difference() -> None:
    same, rest = "a" * 5_000, "z" * 5_000
    one = difference("DLP.Evidence.1", "rules", f"{same}stored{rest}", f"{same}offered{rest}")
    assert one.kept == f"…{'a' * BEFORE}stored{'z' * (LONGEST_REPORTED - BEFORE - 6)}…"
    assert one.offered == f"…{'a' * BEFORE}offered{'z' * (LONGEST_REPORTED - BEFORE - 7)}…"


def test_a_text_that_only_goes_on_is_told_where_it_goes_on() -> None:
    one = difference("DLP.Evidence.1", "rules", "b" * 500, "b" * 500 + "more")
    assert (one.kept, one.offered) == (f"…{'b' * BEFORE}", f"…{'b' * BEFORE}more")
    empty = difference("DLP.Evidence.1", "rules", "", "c" * 500)
    assert (empty.kept, empty.offered) == ("", "c" * LONGEST_REPORTED + "…")
