"""Dates of evidence: printed words to EDTF, EDTF to years."""

import calendar
import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue.texts.dates import DateProblem, edtf_of_portal, years


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
    ],
)
def test_what_is_no_edtf_date_is_refused_with_the_reason(edtf: str, what_is_said: str) -> None:
    with pytest.raises(DateProblem, match=what_is_said.replace("?", r"\?")):
        years(edtf)


@pytest.mark.parametrize("words", ["1909-13-01 - 1909-12-31", "1909-02-30 - 1909-12-31", "1910-01-01 - 1909-12-31"])
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
