"""Anchors followed through edits: 100,000 generated quotations, and the shipped records with their own anchors.

    python -m tests.proofs.anchors [generated | shipped] [--texts N] [--seed N] [--show N]

Every word of a text carries the number it had when the anchor was set, so that the words an anchor stands on after an
edit are known by construction, and not by looking for them. The words of the generated texts are few, and so are the
forms of their sentences: nearly everything stands there twice. Edits move, delete and repeat words and sentences, write
words of the anchor anew in another sentence, respell words, and change white space, quotation marks, dashes, the
composition of letters, and soft hyphens.

right:    certain, on its own words
wrong:    certain, on any other words, or on a copy of its own; there must be none
in place: certain, on a copy that stands where the words stood before they were deleted, between the same words as
          they: the text is the one that deleting the copy would have left
uncertain, lost: a person is asked; nothing is like the words
untouched: anchors whose sentence, with the one before and the one behind, is as it was; how many of them are certain

Exit status 1 if an anchor is wrong, or if fewer than 7 of 10 untouched ones are certain. About fifteen minutes.
"""

import argparse
import json
import random
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from catalogue.texts.anchors import Relocated, Span, locate, relocate
from tests.services.machine import ROOT

TEXTS = {"generated": 100_000, "shipped": 3_000}
LEAST_CERTAIN = 0.7  # of the untouched anchors

SUBJECTS = ("the first player", "the second player", "he", "each player", "a king", "a man", "the player’s opponent")
VERBS = ("takes", "moves", "captures", "sows", "loses", "keeps", "may not move", "can’t take", "enters")
OBJECTS = (
    "six", "three pieces", "one piece", "the seeds", "the last seed", "a counter", "two cowries", "the kotu-baendum",
    "“naga”", "the Mawkár", "the pūta", "an empty hole", "all that is there",
)  # fmt: skip
PLACES = ("on the board", "from the left", "at a time", "in his turn", "– if he can –", "along the line", "", "", "")
SPELLINGS = (("’", "'"), ("“", '"'), ("”", '"'), ("–", "-"), ("–", "—"), ("-", "‐"))


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its punctuation as it stands in a text.

    number: its place in the text as it was; -1 of one that was not in it
    copied: whether it was written anew after another one
    behind: the white space behind it
    """

    written: str
    number: int = -1
    copied: bool = False
    behind: str = " "


Words = list[Word]


def sentence(draw: random.Random) -> list[str]:
    parts = [draw.choice(SUBJECTS), draw.choice(VERBS), draw.choice(OBJECTS), draw.choice(PLACES)]
    if draw.random() < 0.4:
        parts += ["and", draw.choice(VERBS), draw.choice(OBJECTS)]
    words = " ".join(filter(None, parts)).split()
    return [words[0].capitalize(), *words[1:-1], words[-1] + draw.choice("...;?")]


def quotation(draw: random.Random) -> Words:
    """Return a text of 2 to 14 sentences; some of them stand in it before."""
    sentences: list[list[str]] = []
    for _ in range(draw.randint(2, 14)):
        again = sentences and draw.random() < 0.2
        sentences.append(draw.choice(sentences) if again else sentence(draw))
    return numbered([word for one in sentences for word in one])


def numbered(words: list[str]) -> Words:
    return [Word(word, number) for number, word in enumerate(words)]


def rendered(words: Words) -> tuple[str, list[Span]]:
    """Return the text, and where each word stands in it."""
    text, places = "", []
    for word in words:
        places.append(Span(len(text), len(text) + len(word.written)))
        text += word.written + word.behind
    return text, places


def some(draw: random.Random, words: Words) -> tuple[int, int]:
    """Return a stretch of words: a few, or whole sentences."""
    start = draw.randrange(len(words))
    if draw.random() < 0.5:
        return start, min(len(words), start + draw.randint(1, 12))
    ends = [place + 1 for place, word in enumerate(words) if word.written[-1] in ".;?"]
    start = max((end for end in ends if end <= start), default=0)
    following = [end for end in ends if end > start][: draw.randint(1, 3)]
    return start, following[-1] if following else len(words)


def anew(words: Words) -> Words:
    return [replace(word, copied=True) for word in words]


def respelled(draw: random.Random, word: str) -> str:
    at = draw.randrange(len(word))
    return draw.choice((word[:at] + "e" + word[at:], word[:at] + word[at + 1 :] or "o", word.swapcase(), "counter"))


def edited(draw: random.Random, words: Words, anchored: tuple[int, int]) -> Words:
    """Return the words after one edit."""
    if not words:
        return numbered([])
    start, stop = some(draw, words)
    run, rest = words[start:stop], words[:start] + words[stop:]
    to, further = draw.randint(0, len(rest)), draw.randint(0, len(words))
    kind = draw.choice(KINDS)
    if kind == "move":
        return rest[:to] + run + rest[to:]
    if kind == "delete":
        return rest
    if kind == "repeat":
        return words[:further] + anew(run) + words[further:]
    if kind == "replace":  # the passage goes, and the same is written elsewhere
        return rest[:to] + anew(run) + rest[to:]
    if kind == "trap":  # the words of the anchor go, and stand in another sentence
        gone = [word for word in words if not anchored[0] <= word.number < anchored[1]]
        again = anew([word for word in words if anchored[0] <= word.number < anchored[1]])
        to = draw.randint(0, len(gone))
        other = [Word(word) for word in sentence(draw)]
        return [*gone[:to], *other[: draw.randint(0, 3)], *again, *other[-draw.randint(0, 3) :], *gone[to:]]
    if kind == "insert":
        return words[:further] + [Word(word) for word in sentence(draw)] + words[further:]
    if kind == "respell":
        return [
            *words[:start],
            replace(words[start], written=respelled(draw, words[start].written)),
            *words[start + 1 :],
        ]
    return [
        signs_changed(draw, word) if kind == "signs" or start <= at < stop else word for at, word in enumerate(words)
    ]


KINDS = ("move", "delete", "repeat", "replace", "trap", "insert", "respell", "signs", "some signs")


def signs_changed(draw: random.Random, word: Word) -> Word:
    written = word.written
    for one, other in SPELLINGS:
        if draw.random() < 0.3:
            written = written.replace(*draw.choice(((one, other), (other, one))))
    written = unicodedata.normalize(draw.choice(("NFC", "NFD")), written)
    if draw.random() < 0.1 and len(written) > 4:
        written = f"{written[:2]}\u00ad{written[2:]}"
    return replace(word, written=written, behind=draw.choice((" ", " ", "\u00a0", "\n", "  ", " \n")))


@dataclass(frozen=True, slots=True)
class Followed:
    """What became of an anchor: one of `ENDS`, and whether its neighbourhood was left as it was."""

    end: str
    untouched: bool


ENDS = ("right", "wrong", "in place", "uncertain", "lost")


def judged(before: Words, after: Words, anchored: tuple[int, int], found: Relocated | None) -> str:
    """Return what became of the anchor on words `anchored` by the numbers of the words it stands on now."""
    if found is None:
        return "lost"
    if found.uncertainty:
        return "uncertain"
    text, places = rendered(after)
    over = [at for at, span in enumerate(places) if span.start < found.span.end and found.span.start < span.end]
    exactly = over and text[places[over[0]].start : places[over[-1]].end].rstrip(".;?") in found.exact
    if not exactly or text[found.span.start : found.span.end] != found.exact or len(over) != anchored[1] - anchored[0]:
        return "wrong"
    if all(
        not after[at].copied and after[at].number == number for at, number in zip(over, range(*anchored), strict=True)
    ):
        return "right"
    return "in place" if nobody_can_tell(before, after, anchored, over) else "wrong"


def nobody_can_tell(before: Words, after: Words, anchored: tuple[int, int], over: list[int]) -> bool:
    """Whether the copies stand where the words stood, so that the text is one that deleting the copies had left.

    So it is if their own words are gone, and the next words on either side that were left are those that were left
    next to them; or if from some word on the left to some word on the right everything reads as it did.
    """
    own = {
        number
        for at, number in zip(over, range(*anchored), strict=True)
        if after[at].number != number or after[at].copied
    }
    kept = {word.number for word in after if not word.copied and word.number >= 0}
    left = [
        (at, word.number)
        for at, word in enumerate(after[: over[0]])
        if not word.copied and 0 <= word.number < anchored[0]
    ]
    right = [
        (at, word.number)
        for at, word in enumerate(after[over[-1] + 1 :], over[-1] + 1)
        if not word.copied and word.number >= anchored[1]
    ]
    left, right = [(-1, -1), *left], [*right, (len(after), len(before))]
    beside = (
        max((number for number in kept if number < anchored[0]), default=-1),
        min((number for number in kept if number >= anchored[1]), default=len(before)),
    )
    copies = all(
        after[at].copied or after[at].number == number for at, number in zip(over, range(*anchored), strict=True)
    )
    if copies and not own & kept and (left[-1][1], right[0][1]) == beside:
        return True
    return any(
        over[0] - at == anchored[0] - number
        and other_at - at == other - number
        and all(
            map(alike, (w.written for w in before[number + 1 : other]), (w.written for w in after[at + 1 : other_at]))
        )
        for at, number in left
        for other_at, other in right
    )


def is_untouched(before: Words, after: Words, anchored: tuple[int, int]) -> bool:
    """Whether the sentence of the words, the one before and the one behind are as they were, and side by side."""
    ends = [place + 1 for place, word in enumerate(before) if word.written[-1] in ".;?"]
    start = ([0, 0, *(end for end in ends if end <= anchored[0])])[-2]
    stop = ([end for end in ends if end >= anchored[1]][:2] or [len(before)])[-1]
    at = next((at for at, word in enumerate(after) if word.number == start and not word.copied), None)
    return (
        at is not None
        and [(word.number, word.copied) for word in after[at : at + stop - start]]
        == [(number, False) for number in range(start, stop)]
        and all(
            alike(a.written, b.written) for a, b in zip(before[start:stop], after[at : at + stop - start], strict=True)
        )
    )


def alike(one: str, other: str) -> bool:
    """Whether two spellings differ in signs alone, as `signs_changed` changes them."""

    def plain(word: str) -> str:
        word = unicodedata.normalize("NFC", word.replace("\u00ad", ""))
        for sign, another in reversed(SPELLINGS):
            word = word.replace(another, sign)
        return word.replace("—", "-").replace("–", "-").replace("‐", "-")

    return plain(one) == plain(other)


def chosen(draw: random.Random, before: Words) -> tuple[int, int]:
    """Return the first word of an anchor and the one behind its last."""
    length = draw.choice((1, 2, 2, 3, 4, 6, 9, 15))
    start = draw.randrange(len(before))
    return start, min(len(before), start + length)


def follow(
    draw: random.Random, before: Words, anchored: tuple[int, int]
) -> tuple[Followed, str, str, Relocated | None]:
    text, places = rendered(before)
    was = Span(places[anchored[0]].start, places[anchored[1] - 1].end)
    if draw.random() < 0.7 and was.end - was.start > 1:
        was = Span(was.start, was.end - (text[was.end - 1] in ".;?"))
    sides = draw.randint(0, 12) if draw.random() < 0.3 else 0
    prefix, suffix = text[max(0, was.start - sides) : was.start], text[was.end : was.end + sides]
    after = before
    for _ in range(draw.choice((1, 1, 1, 2, 2, 3, 5))):
        after = edited(draw, after, anchored)
    now = rendered(after)[0]
    found = relocate(now, text[was.start : was.end], prefix, suffix, was, before=text)
    return Followed(judged(before, after, anchored, found), is_untouched(before, after, anchored)), text, now, found


def generated(draw: random.Random, number: int) -> Iterator[tuple[Words, tuple[int, int]]]:
    for _ in range(number):
        before = quotation(draw)
        yield before, chosen(draw, before)


def shipped(draw: random.Random, number: int) -> Iterator[tuple[Words, tuple[int, int]]]:
    """Texts of records with the words of their own anchors, rounded to whole words."""
    rows = json.loads((ROOT / "fixtures" / "evidence.json").read_text(encoding="utf-8"))
    texts = {row["fields"]["identifier"]: row["fields"] for row in rows if row["model"] == "catalogue.evidence"}
    anchors = [
        anchor
        for path in sorted((ROOT / "fixtures" / "apparatus").glob("*.json"))
        for anchor in quoted(json.loads(path.read_text(encoding="utf-8")))
    ]
    for _ in range(number):
        anchor = draw.choice(anchors)
        name = {"content": "quotation", "rules": "paraphrase"}[anchor["in"]]
        text = texts[anchor["record"]][name] if anchor["record"] in texts else ""
        if not text:
            continue
        span = locate(text, anchor["exact"], anchor.get("prefix", ""), anchor.get("suffix", ""))
        before = numbered(text.split())
        first = len(text[: span.start].split()) - (span.start > 0 and not text[span.start - 1].isspace())
        yield before, (first, len(text[: span.end].split()))


def quoted(part: object) -> Iterator[dict[str, str]]:
    """Yield what is written as an anchor anywhere in a file of the apparatus."""
    if isinstance(part, dict) and {"record", "in", "exact"} <= part.keys():
        yield part
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from quoted(inner)


def proved(part: str, number: int, seed: int, show: int) -> bool:
    draw = random.Random(f"{part} {seed}")
    ends: Counter[str] = Counter()
    untouched: Counter[str] = Counter()
    for before, anchored in (generated if part == "generated" else shipped)(draw, number):
        followed, text, now, found = follow(draw, before, anchored)
        ends[followed.end] += 1
        untouched[followed.end] += followed.untouched
        if followed.end == "wrong" and show:
            show -= 1
            print(f"{followed.end}: words {anchored}\n  before: {text}\n  after:  {now}\n  {found}")  # noqa: T201
    total, left = ends.total(), untouched.total()
    kept = untouched["right"] / max(1, left)
    figures = ", ".join(f"{end} {ends[end]:,}" for end in ENDS)
    print(f"{part}: {total:,} anchors: {figures}; of {left:,} untouched {untouched['right']:,} certain ({kept:.1%})")  # noqa: T201
    return not ends["wrong"] and kept >= LEAST_CERTAIN


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.proofs.anchors", description=(__doc__ or "").split("\n\n")[0]
    )
    parser.add_argument(
        "parts", nargs="*", choices=(*TEXTS, []), metavar="PART", help=f"{', '.join(TEXTS)} (default: both)"
    )
    parser.add_argument("--texts", type=int, help="how many texts of each part")
    parser.add_argument("--seed", type=int, default=47)
    parser.add_argument("--show", type=int, default=3, help="how many wrong ones are printed")
    wanted = parser.parse_args(words)
    held = [proved(part, wanted.texts or TEXTS[part], wanted.seed, wanted.show) for part in wanted.parts or TEXTS]
    return int(not all(held))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
