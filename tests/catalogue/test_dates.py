"""Dates of evidence: printed words to EDTF, EDTF to years."""

import calendar
import datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue.texts.dates import DateProblem, centuries_of, century_of, edtf_of_portal, years


@pytest.mark.parametrize(
    ("words", "edtf"),
    [
        ("1909-01-01 - 1909-12-31", "1909"),
        ("1923-06-01 - 1923-12-31", "1923-06/1923-12"),
        ("1873-01-01 - 1909-12-31", "1873/1909"),
        ("1942-02-03 - 1942-02-03", "1942-02-03"),
        ("1942-02-01 - 1942-02-28", "1942-02"),
        ("1944-02-01 - 1944-02-28", "1944-02-01/1944-02-28"),
        ("-0500-01-01 - -0400-12-31", "-0500/-0400"),
        ("1909", "1909"),
        ("700 BC – 601 BC", "-0699/-0600"),
        ("700–601 BCE", "-0699/-0600"),
        ("500 B.C.", "-0499"),
        ("50 BC - AD 50", "-0049/0050"),
        ("AD 50 - 100", "0050/0100"),
        ("1 BC", "0000"),
        ("12000 BC – 9000 BC", "Y-11999/-8999"),
        ("100 BC - 50", ""),  # of which era the second is, is not said
        ("600 AH", ""),  # another calendar
        ("about the year 1900", ""),
        ("", ""),
    ],
)
def test_portal_dates_become_the_shortest_edtf(words: str, edtf: str) -> None:
    assert edtf_of_portal(words) == edtf


@pytest.mark.parametrize(
    ("edtf", "expected"),
    [
        ("", (None, None)),
        ("1909", (1909, 1909)),
        ("1923-06/1923-12", (1923, 1923)),
        ("189X", (1890, 1899)),
        ("18XX", (1800, 1899)),
        ("1909?", (1909, 1909)),
        ("1873~/1909", (1873, 1909)),
        ("1909/..", (1909, None)),
        ("../1500", (None, 1500)),
        ("-0499", (-499, -499)),
        ("-04XX", (-499, -400)),
        ("Y-12000", (-12000, -12000)),
        ("1944-02-29", (1944, 1944)),
        ("1942-21", (1942, 1942)),
        ("2004-XX-XX", (2004, 2004)),
        ("2004-06-XX", (2004, 2004)),
        ("1923-06-15/1923-06", (1923, 1923)),  # the end lasts as long as it is said to
        ("2001-24/2001-21", (2001, 2001)),  # a winter may come before a spring
        ("1909/", (1909, None)),
        ("0000", (0, 0)),
    ],
)
def test_years_of_edtf(edtf: str, expected: tuple[int | None, int | None]) -> None:
    assert years(edtf) == expected


@pytest.mark.parametrize(
    ("edtf", "what_is_said"),
    [
        ("c. 1900", "write for example 1909"),
        ("190", "no EDTF date"),
        ("1909-13", "no month 13"),
        ("1942-02-29", "that month has 28 days"),
        ("1909/1873", "did you mean 1873/1909?"),
        ("1873/1909/1942", "one slash"),
        ("1923-12/1923-06", "did you mean 1923-06/1923-12?"),
        ("1923-06-30/1923-06-01", "ends before it begins"),
        ("1923-07/1923-06-30", "ends before it begins"),
        ("-0000", "0000 is 1 BCE"),
        ("/..", "names no date"),
        ("../..", "names no date"),
        ("/", "names no date"),
        ("2004-XX-11", "a day of no month"),
        ("189X-06", "has no month"),
        ("1XXX", "no EDTF date"),
        ("2001-21-05", "seasons 21 to 24, without a day"),
        ("2001-21-XX", "seasons 21 to 24, without a day"),
        ("Y01909", "write 1909"),
        ("Y12000-05", "no EDTF date"),
        ("-44", "as in -0044"),
    ],
)
def test_what_is_no_edtf_date_is_refused_with_the_reason(edtf: str, what_is_said: str) -> None:
    with pytest.raises(DateProblem, match=what_is_said.replace("?", r"\?")):
        years(edtf)


@given(st.integers(-12_000, 3_000), st.integers(0, 2_000))
def test_every_year_has_one_century_and_none_has_two_eras(first: int, length: int) -> None:
    bins = list(centuries_of(first, first + length))
    assert sum(begin <= first <= end for begin, end in bins) == 1
    for begin, end in bins:
        assert century_of(begin) == century_of(end) == (begin, end)
        if end <= 0:  # in the years that people count: 700–601 BCE
            assert ((1 - begin) % 100, (1 - end) % 100) == (0, 1)
            assert end - begin == 99
        else:
            assert begin == max(1, end - 99)
    assert all(before[1] + 1 == after[0] for before, after in pairwise(bins))


@pytest.mark.parametrize(
    "words", ["-0000", "1909-13-01 - 1909-12-31", "1909-02-30 - 1909-12-31", "1910-01-01 - 1909-12-31"]
)
def test_impossible_days_of_the_portal_are_refused(words: str) -> None:
    with pytest.raises(DateProblem):
        edtf_of_portal(words)


@given(st.dates(), st.dates())
def test_years_of_any_range_of_days_are_those_of_its_ends(one: datetime.date, other: datetime.date) -> None:
    first, last = sorted((one, other))
    assert years(edtf_of_portal(f"{first} - {last}")) == (first.year, last.year)


@given(st.integers(1, 9999), st.integers(1, 12))
def test_a_whole_month_is_written_as_a_month(year: int, month: int) -> None:
    days = calendar.monthrange(year, month)[1]
    assert edtf_of_portal(f"{year:04}-{month:02}-01 - {year:04}-{month:02}-{days}") == f"{year:04}-{month:02}"
