"""The lead of the page of a game: where, when and by whom it is told, from the records' own data."""

from collections.abc import Sequence

from catalogue.texts.formatting import listed, span_words

MOST = 3  # places, sources or names that are listed


def known_from(
    records: int, places: Sequence[str], years: Sequence[int | None], sources: Sequence[str], people: Sequence[str] = ()
) -> str:
    """ "One record tells of it: from Sri Lanka, 1909 (Parker 1909: 599)."; empty without records"""
    if not records:
        return ""
    known = [year for year in years if year is not None]
    when = span_words(min(known), max(known)) if known else "undated"
    where = f"from {_first(places)}" if places else "from no place that is named"
    cited = f" ({'; '.join(list(dict.fromkeys(sources))[:MOST])})" if sources else ""
    played = f" Played by {_first(people)}." if people else ""
    told = "One record tells of it" if records == 1 else f"{records:,} records tell of it"
    return f"{told}: {where}, {when}{cited}.{played}"


def also_called(names: Sequence[str], name: str) -> str:
    """ "Also called Daramutu and Ellaewala-kanda."; empty where it has no other name"""
    others = [other for other in dict.fromkeys(names) if other != name]
    return f"Also called {_first(others)}." if others else ""


def _first(words: Sequence[str]) -> str:
    every = list(dict.fromkeys(words))
    more = [f"{len(every) - MOST} more"] if len(every) > MOST else []
    return listed([*every[:MOST], *more])
