"""The English of the site: how easily its pages read, and phrases that may not come back. See docs/writing.md.

    python -m tools.prose            Flesch reading ease of each page of documentation and file of fixtures
    python -m tools.prose --phrases  name every phrase of PHRASES that stands somewhere; `make check` runs it

Flesch reading ease is a measure and no target: about 60 is plain English, below 30 is hard work. It counts the words
of a sentence and the syllables of a word, and does not know that "sowing game" has to be said.
"""

import ast
import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# What nobody would say aloud, and what to say instead. Phrases only, never an ordinary word or one of the field.
PHRASES: Mapping[str, str] = {
    "no words say": "the words do not say",
    "thinks of the case": "considers the case",
    "think of the case": "consider the case",
    "it is read so": "here it means",
    "a like board": "a similar board",
    "and no forecast": "not a forecast",
    "are held to one measure": "are tested by one measure",
    "and nothing keeps him off": "and nothing keeps it off",
    "so-manieth": "so often",
    "is told of the": "is said about the",
    "of which the record tells": "about which the record says",
    "neither voice says": "neither of the two says",
    "who first has all": "the first player with all",
    "the first who has": "the first player with",
    "the doubt concerns": "the question arises",
    "changes the players’ names and nothing else": "changes only the players’ names",
    "kinds of games": "different games",
    "games of few kinds": "too few different games",
    "of few kinds": "too few of them different",
    "turns over on": "reverses with strength",
    "the portal’s paraphrase": "today’s summary",
    "the portal says": "today’s summary says",
    "point of doubt": "open question",
    "points of doubt": "open questions",
    "which doubt": "which question",
    "any machine that has this program": "any computer that has this program",
    "not over after": "that have not ended after",
    "can be had as": "comes as",
    "cannot be had": "is not offered",
    "is had as": "comes as",
    "has otherwise than": "where the two differ",
    "oftener or rarer": "more or less frequent",
    "no batch yet": "no games simulated yet",
    "could not be told": "could not be listed",
    "belong into": "belong in",
    "parted by commas": "separated by commas",
    "lots in a table": "how the lots count",
    "what marks do": "what the marked squares do",
}
# Their sentences stand in documents that are cited by their content; pages say them in the words of `texts/voices.py`.
KEPT = {"comparison_document.py", "comparison_words.py", "ladder_matches.py", "voices.py", "study_document.py"}
OURS = {"text", "title", "why_not", "limits", "rests_text", "because", "reason", "definition", "meaning", "summary"}
OURS |= {"description"}
TAGS = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|<(?:script|style).*?</(?:script|style)>|<[^>]*>", re.DOTALL)
CODE = re.compile(r"```[^`]*```|`[^`]*`|^\|.*$|\]\([^)]*\)|[#*\[\]]", re.MULTILINE)
WORD = re.compile(r"[A-Za-z]+(?:[’'][a-z]+)?")
END = re.compile(r"[.!?](?:\s|$)|\n\n")
VOWELS = re.compile(r"[aeiouy]+")


def syllables(word: str) -> int:
    """Groups of vowels, without the e that is not heard at the end; off by one now and then, which evens out."""
    low = word.lower()
    groups = len(VOWELS.findall(low))
    is_silent = low.endswith("e") and not low.endswith(("le", "ee"))
    is_swallowed = low.endswith("ed") and not low.endswith(("ted", "ded"))
    return max(1, groups - (is_silent or is_swallowed))


def reading_ease(text: str) -> float:
    """Flesch (1948): 206.835 − 1.015 words a sentence − 84.6 syllables a word."""
    words = WORD.findall(text)
    if not words:
        return 0.0
    sentences = max(1, len([part for part in END.split(text) if WORD.search(part)]))
    return 206.835 - 1.015 * len(words) / sentences - 84.6 * sum(map(syllables, words)) / len(words)


def own_sentences(document: object, key: str = "") -> Iterator[str]:
    """What we wrote ourselves in a file of fixtures: no quotation, no paraphrase, no identifier."""
    if isinstance(document, dict):
        for name, value in document.items():
            yield from own_sentences(value, name)
    elif isinstance(document, list):
        for value in document:
            yield from own_sentences(value, key)
    elif isinstance(document, str) and key in OURS:
        yield document


def texts() -> dict[str, str]:
    """The English of each file, by its path below the project."""
    found = {}
    for path in sorted((ROOT / "templates").rglob("*.html")):
        found[str(path.relative_to(ROOT))] = TAGS.sub(" ", path.read_text(encoding="utf-8"))
    for folder in ("templates/docs", "docs"):
        for path in sorted((ROOT / folder).glob("*.md")):
            if path.name not in ("writing.md", "glossary.md"):  # they quote what is to be avoided
                found[str(path.relative_to(ROOT))] = CODE.sub(" ", path.read_text(encoding="utf-8"))
    names = ("readings", "notes", "uncertainty", "terms", "games", "source_notes")
    files = [*(ROOT / "fixtures" / "apparatus").glob("*.json"), *(ROOT / "fixtures" / f"{name}.json" for name in names)]
    for path in sorted(files):
        document = json.loads(path.read_text(encoding="utf-8"))
        if path.name == "source_notes.json":
            found[str(path.relative_to(ROOT))] = "\n\n".join(one["note"] for one in document.values())
        else:
            found[str(path.relative_to(ROOT))] = "\n\n".join(own_sentences(document))
    for path in sorted((ROOT / "simulator" / "engine" / "schemas").glob("*.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))["properties"]
        said = [text for spec in schema.values() for text in spec.get("x-words", {}).values()]
        found[str(path.relative_to(ROOT))] = "\n\n".join(said)
    for folder in ("catalogue", "simulator"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path.name not in KEPT and "migrations" not in path.parts:
                found[str(path.relative_to(ROOT))] = "\n\n".join(messages(path.read_text(encoding="utf-8")))
    return found


def messages(source: str) -> Iterator[str]:
    """The sentences that a module says to readers: its texts of several words, without its docstrings."""
    tree = ast.parse(source)
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in told)
    texts = (node.value for node in constants if isinstance(node.value, str))
    yield from (text for text in texts if text.strip().count(" ") >= 2)


def phrases_in(text: str) -> list[str]:
    """The phrases of PHRASES that stand in a text, whatever its lines and capitals."""
    low = " ".join(text.lower().replace("'", "’").split())
    return [phrase for phrase in PHRASES if phrase in low]


def main(arguments: list[str]) -> int:
    every = texts()
    if arguments == ["--phrases"]:
        found = [(path, phrase) for path, text in every.items() for phrase in phrases_in(text)]
        for path, phrase in found:
            print(f"{path}: “{phrase}”; say “{PHRASES[phrase]}” (docs/writing.md)")
        return 1 if found else 0
    for path, text in every.items():
        if not path.endswith((".html", ".py")):
            print(f"{reading_ease(text):6.1f}  {len(WORD.findall(text)):6,} words  {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
