"""Names as printed sources give them: lists of authors, taken apart into persons and bodies.

References print one list in a dozen ways: all surnames first ("Culin, S.; Doe, J."), only the first ("Beals, R. and
P. Carrasco"), none ("S. Culin and J. Doe"), initials without points ("Culin S, Doe JA"), full names. What a comma
means follows from what stands on both of its sides: initials after a surname belong to it, a name that begins with its
initials is complete. Where that leaves two readings, the words stay together as a `literal`, which every style prints
as they are: a wrong surname is sorted, searched and cited wrongly, a literal is only not turned round.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TypedDict


class Name(TypedDict, total=False):
    """A name as CSL-JSON has it: `family`, `given` and `suffix`, or `literal` for a body; "et al." is a literal."""

    family: str
    given: str
    suffix: str
    literal: str


AND_OTHERS = Name(literal="et al.")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


LABELS = {"editor": ("ed.", "eds."), "translator": ("trans.", "trans."), "compiler": ("comp.", "comps.")}
# In brackets a role may be said in any language and size; behind a comma "Red" and "Ed" may be given names.
EDITS = r"(?:eds?|editors?|hrsg|éds?)"
EDITS_OF_OTHERS = r"(?:hgg?|éditeurs?|dirs?|coords?|orgs?|a\s+cura\s+di|curr?|red|szerk|ред|сост|επιμ|主?[编編])"
TRANSLATES_OF_OTHERS = r"(?:trad|tr|übers|пер|[译譯訳])"
ROLES = {  # or, where no surname reads so, behind a blank
    role: re.compile(
        rf"(?:[\s,]*[(\[（](?:{words}|{of_others})\.?[)\]）]|[,，]\s*(?!Ed$){words}\.?|[,，]\s*(?-i:{of_others}|Hg)\.?{bare})[\s.]*$",
        re.IGNORECASE,
    )
    for role, words, of_others, bare in (
        ("editor", rf"(?:{EDITS}\.?\s*(?:and|&)\s*trans\w*|{EDITS})", EDITS_OF_OTHERS, r"|\s+(?:eds?\.|主?[编編])"),
        ("translator", r"(?:trans|transl|translators?)", TRANSLATES_OF_OTHERS, r"|\s+(?:trans\.|[译譯訳])"),
        ("compiler", r"(?:comps?|compilers?)", r"recop", ""),
    )
}
# Said amid the names, "Tolstoy, L. N., trans. L. Wiener": it is not said of who wrote.
SAID_AMID = re.compile(
    r"[,;]\s*(?:(?-i:ed|trans|transl|comp)\.?\s+(?:and\s+\w+\.?\s+)?(?:by\s+)?|(?:edited|translated|compiled)\s+"
    r"(?:and\s+\w+\s+)?by\s+)(?=\w)|,\s+in:?\s+(?=[A-Z])|^(?:под\s+ред|hrsg\.?\s+v|ed\.?\s+por|sous\s+la\s+dir)",
    re.IGNORECASE,
)
# Marks that lead to a note or an address, and what a name has no room for.
NOTE_MARKS = re.compile(r"(?<=\w|\.)[*†‡§¶¹²³⁰⁴-⁹]+(?=[\s,;&]|$)")
NO_NAME = re.compile(r"[()\[\]{}<>=+*?!:/\\|\"“”«»…\d]")
LIFETIME = re.compile(  # 1850–1909; (d. 1909)
    r",?\s*\(?(?:\b(?:b|fl)\.\s*)?(?:ca?\.\s*)?\b\d{3,4}\s*[-–]\s*(?:\d{3,4}\b)?\)?\.?(?=$|;)"
    r"|,?\s*\(?\b(?:[bd]|fl)\.\s*\d{3,4}\)?(?=$|;)"
)
BETWEEN = re.compile(
    r"\s*[;；؛]\s*|(?<=\.)\s+[/+–—-]\s+|(?<=[\uac00-\ud7af])·(?=[\uac00-\ud7af])|(?<=[\u3400-\u9fff])・(?=[\u3400-\u9fff])"
)
BRACKETED = re.compile(r"(?P<surname>[^\W\d_][\w'’ -]*?)\s+\((?P<given>[^()]+)\)")  # Parker (H.), as the French do
NO_SURNAME = _words("and by from with ed. eds. trans. translated edited")
LEFT_OUT = re.compile(r"[\s,;&]*(?:…|\.\s*\.\s*\.)[\s,;&]*(?=\w)")  # "Doe, B., … Roe, C.": names are left out
SAID_BEFORE = {  # "edited by J. Smith"
    "editor": re.compile(r"(?:edited\s+(?:and\s+translated\s+)?by|eds?\.(?:\s+by)?)\s+(?=\w)", re.IGNORECASE),
    "translator": re.compile(r"(?:translated\s+(?:and\s+edited\s+)?by|trans\.(?:\s+by)?)\s+(?=\w)", re.IGNORECASE),
    "compiler": re.compile(r"(?:compiled\s+by|comps?\.(?:\s+by)?)\s+(?=\w)", re.IGNORECASE),
}
SLIP = re.compile(r"(?<![\w.])([^\W\d_][\w'’-]{2,})\.\s+(?=(?:[^\W\d_a-z]\.[\s-]?)+(?:$|[,;&]|\s|and\b))")
TITLES = _words(
    "adm baron bro capt cdr col dom don dr fr gen hon lady lieut lord lt maj major mgr mme mrs pater prof rev sir"
)
SAID_OF_ONE = re.compile(rf"\s*[(\[](?:{EDITS}|{EDITS_OF_OTHERS}|trans|comps?)\.?[)\]]", re.IGNORECASE)
OTHERS = re.compile(
    r"[\s,;\[(]*(?:(?:\bet|&)\.?\s+(?:al(?:ii|iae|ia)?|coll|autres)\b|(?:\band|&)\s+(?:\d+\s+)?others\b|\band\s+associates$"
    r"|\b(?:и|та|й)\s+(?:др|ін|другие)\b|(?-i:\bu\.\s*a\b|\bm\.\s*fl\b|\bi\s+in\b|\ba\s+(?:kol|spol)\b|\bvd\b|\bs\.\s*fl\b)"
    r"|\b(?:und|en|och|og)\s+(?:andere|anderen|andra|andre)\b|\b[ye]\s+(?:otr[oa]s|altri|outr[oa]s)\b"
    r"|\bκαι\s+(?:άλλοι|συν)\b|\bκ\.\s?ά\b|\s*[等他]|\s*ほか|\s+외|\+\s*\d+(?:\s+(?:others|more))?)\.?[\])]?\s*$",
    re.IGNORECASE,
)
PARTICLES = _words(
    """'t a af al abu ap av ó ní mac ben bin bint da dal dalla dalle das de degli dei del della delle dello den der des
    di do dos du e el ibn in la las le les lo los op st st. san santa ten ter te the ul van vande vander vom von y zu
    zum zur"""
)
TAIL = re.compile(r"(?:\s+(?:de|d'|van|von|der|den|da|do|dos|das|di|del|la|le|du|zu|ten|ter|af|av))+$")
SUFFIX = re.compile(
    r"(?:[Jj]r|[Ss]r|JR(?=\.)|SR(?=\.)|jnr|Jnr|Snr|Junior|Senior|Esq|Bart(?=\.)|Gent(?=\.)|Mudaliyar|fils|père)\.?"
    r"|II|III|IV|2nd|3rd|4th"
)
SURNAMES_TOO = _words("Junior Senior Mudaliyar")
HONOURS = re.compile(  # behind a name that is complete; some are written as initials are
    r"(?:Ph\.?\s?D|M\.?D|D\.?\s?Phil|D\.?\s?Litt|Litt\.?\s?D|LL\.?\s?[BDM]|[BM]\.(?:A|Sc|Phil)|D\.(?:D|Sc)|F\.R\.[A-Z](?:\.[A-Z])*"
    r"|FR[A-Z]S|F\.[BLS]\.A|[CKG]\.(?:C\.)?(?:M\.G|B|I\.E|V\.O|S\.I)|C\.C\.S|I\.C\.S|[CMO]\.?B\.?E|S\.J|O\.(?:F\.M|P|S\.B)|[QK]\.C"
    r"|M\.P|R\.[AEN]|J\.P)\.?"
)
ROMAN = re.compile("[IV]+")
FIRM = re.compile(
    r"(?:\band|&)\s+(?:sons?|co|company|bros|brothers|daughters?|associates|partners)\b|"
    r"\b(?:ltd|inc|gmbh|llc|pty|plc|limited|incorporated)\b",
    re.IGNORECASE,
)
BODY = re.compile(
    r"\b(?:academy|agency|anonymous|archives?|associates|association|associação|asociación|authority|bank|board|bros"
    r"|brothers|bureau|cent(?:er|re|rum|ro)|church|clubs?|colleges?|commission\w*|committee|company|conference|congress"
    r"|consortium|contributors|co-?operative|corp|corporation|council|court|departments?|dept|division|editors|editorial"
    r"|embassy|f[ée]d[ée]rations?|forum|foundation|fund|gallery|games|government|group|house|industries|initiative"
    r"|institut\w*|journal|laborator\w*|league|librar\w*|ludeme|magazine|maintainers|manufactur\w*|media|ministry|mission"
    r"|muse(?:um|o|u|et)s?|musées?|nations|network|news|newspapers?|office|organi[sz]ation|party|press|productions|project|projekt"
    r"|publish\w*|review|royal|school|secretariat|service|society|societies|société|sociedade?|società|gesellschaft|staff"
    r"|studios?|survey|team|times|trust|trustees|union|universi\w*|verein|verlag|workshop)\b|\bthe\s|\bof\s\w|\bfor\s\w",
    re.IGNORECASE,
)
AND = (
    r"(?P<and>[Aa]nd|AND|&|with(?:\s+(?:[a-z]+\s+){1,4}(?:of|by|from))?)|(?P<other>y|et|und|e|en|och|og|i|и|та|a|ac|agus"
    r"|és|ve|ja|ir|un|och|și|şi|και|і|й|dan|và|և|و|සහ|හා|மற்றும்|और|एवं|এবং|ও|და)"
)
JOINED = re.compile(rf"\s+(?:{AND})\s+")
JOINED_FIRST = re.compile(rf"(?:{AND})\s+")
KEEPS_ITS_POINT = _words("anon bros chas co corp edw esq geo gmbh inc jas jos jr ltd robt saml sr thos wm")
# Two letters that stand for one of another script or of the language: "Ch.", "Yu.".
AS_ONE_LETTER = _words("ch cs dz fr gy ja ju kh ph sh sz th ts ya ye yo yu zh zs")
# Written without capitals, or family name first without a comma: nothing there tells a surname from the rest.
EAST_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
WITHOUT_CASE = re.compile(
    r"[\u0590-\u08ff\u0900-\u0dff\u0e00-\u0fff\u1000-\u109f\u10d0-\u10ff\u1200-\u139f\u1780-\u18af\u1900-\u1cff\u2d30-\u2d7f]"
)
FAMILY_FIRST = _words(
    """bai bui cai cao chang chen cheng chiang cho choi chu chung dang deng ding dinh do doan dong du duan duong fan
    fang feng fu gao ge gong gu guo han hao he ho hoang hong hou hsu hu huang hung huynh jang jeong jia jiang jin
    jung kang kim kong kwon lai lam lee lei leung li liang liao lim lin liu long lu luo luong ly ma mai mao meng mo
    ngo nguyen ni nie ning ouyang pan park peng pham phan qian qiao qin qiu ren rhee rong shao shen shi song su sun
    tan tang tao tian tran trinh truong tsai tu vo vu wan wang wei wen wong woo wu xia xiang xiao xie xing xiong xu
    xue yan yang yao ye yi yin yoo yoon you yu yuan yun zeng zhan zhang zhao zheng zhong zhou zhu zou"""
)
# Given names by which a name printed in full is known to begin with them; of others it is not known.
GIVEN = _words(
    """adam adriana alan albert alex alexander alexandra alfred alice allan amy ana andrea andreas andrew angela ann
    anna anne anne-elizabeth anthony antonio arthur barbara benjamin bernard brian bruce cameron carl carlo carlos
    carol caroline catherine charles charlotte chris christian christina christine christopher claude claudia clive
    colin cynthia dan daniel david deborah dennis diana diane dmitri donald donna dorothy douglas duncan edith
    edward elena eleanor elisabeth elizabeth emily emma eric erika ernest eva evelyn fernando florence frances
    francesca francesco francis francisco frank franz françois frederick friedrich gabriel gareth gary geoffrey
    george gerald gerhard gilbert giovanni giulia giuseppe gordon graham gregory hans harold harriet harry heather
    heinrich helen helena henri henrik henry herbert hermann hugh hugo ian ingrid irene irving isabel isabella ivan
    jack jacques james jan jane janet jason javier jean jeff jeffrey jennifer jeremy jessica joan johann johannes
    john jonathan jorge josé joseph joshua joão juan judith julia julian karen karl katherine keith kenneth kevin
    klaus larry laura laurence lawrence leonard lewis linda lisa louis louise lucy luigi luis lynn manuel marco
    marcus margaret maria marie mario marion mark martha martin mary matthew matthias maurice max megan michael
    michel michele miguel mohamed mohammed muhammad nancy natalie nathan nicholas nicolas nigel norman olga oliver
    olivia oscar pamela patricia patrick paul paula paulo pedro peter philip philippe pierre rachel ralph raymond
    rebecca reginald ricardo richard robert roberto robin roger roland rolf ronald rosa rose roy russell ruth sally
    samuel sandra sara sarah scott sean sergei sharon sidney simon sofia sophia sophie stefan stephanie stephen
    steven stewart stuart susan suzanne sylvia teresa theodore thierry thomas timothy tom tony ulrich ulrike ursula
    valerie victor victoria vincent virginia vladimir walter werner wilhelm william wolfgang yuri yves ève éric"""
)
MOST_WORDS = 5  # of a surname


def is_initials(word: str) -> bool:
    """Whether a word is initials: "J.", "J.-F.", "H.J.R.", "Ch.", "JA", "එස්."; capitals with a vowel may be a word."""
    pieces = [piece for piece in re.split(r"[.\-‐‑’']", word) if piece]
    if not pieces or word == "Ó" or any(map(str.isdigit, word)):
        return False
    if WITHOUT_CASE.search(word):
        return word.endswith(".") and max(map(len, pieces)) <= 4
    if "." in word or "-" in word:
        return pieces[0][0].isupper() and all(map(_is_letter, pieces))
    return (
        word.isupper()
        and word.isalpha()
        and (len(word) < 3 or (len(word) == 3 and not re.search("[AEIOUY]", word[1:])))
    )


def _is_letter(piece: str) -> bool:
    return (
        len(piece) == 1
        or piece.casefold() in AS_ONE_LETTER
        or (len(piece) == 2 and bool(unicodedata.combining(piece[1])))
    )


class _Part:
    """What stands between two commas. joined: by "and", not only by a comma, to what stands before it"""

    def __init__(self, text: str, joined: bool, *, may_be_suffix: bool = True) -> None:
        *words, last = _without_point(text).split()
        # "House II" may be initials; behind a surname with initials it is no more of them.
        is_last = bool(words) and bool(SUFFIX.fullmatch(last)) and (not ROMAN.fullmatch(last) or is_initials(words[-1]))
        self.suffix = last if is_last else ""
        self.words = words if self.suffix else [*words, last]
        self.text, self.joined = " ".join(self.words), joined
        self.printed = " ".join([*words, last])
        self.is_suffix = may_be_suffix and not words and bool(SUFFIX.fullmatch(last))
        untailed = TAIL.sub("", self.text).split()
        marks = [is_initials(word) for word in self.words]
        self.is_initials = all(map(is_initials, untailed)) and not self.is_suffix
        in_capitals = len(self.words) > 1 and self.text.isupper() and "." not in self.text
        self.is_direct = marks[0] and not self.is_initials and not self.is_suffix and not in_capitals
        """It begins with initials, and goes on."""
        self.is_given = len(marks) > 1 and marks[-1] and not any(marks[:1]) and not self.is_direct
        """Words that end in initials: given names, "Robert C.", or a whole name without its comma, "Bell RC"."""
        has_middle = any(mark and "." in word for mark, word in list(zip(marks, self.words, strict=True))[1:-1])
        self.is_middle = has_middle and not self.is_initials and not self.is_direct and not self.is_given
        self.is_plain = not (self.is_initials or self.is_direct or self.is_given or self.is_middle or self.is_suffix)
        self.is_whole = self.is_direct or self.is_middle or (self.is_plain and len(self.words) > 1)
        self.is_surname = sum(word.casefold() not in PARTICLES for word in self.words) == 1
        self.is_known = self.words[0].rstrip(".").casefold() in GIVEN
        self.is_acronym = self.text.isupper() and self.text.isalpha() and len(self.text) > 2 and not self.is_suffix
        self.is_regnal = self.is_given and bool(re.fullmatch("[IVX]+", self.words[-1]))  # Alfonso X
        self.ends_in_capitals = len(self.words) > 1 and self.words[-1].isupper() and not self.text.isupper()
        is_firm = bool(FIRM.search(text))
        self.is_firm = (is_firm or any(map(str.isdigit, self.text))) and not self.is_suffix
        is_person = self.is_given or (self.is_direct and "." in self.words[0])  # not so "BBC News"
        self.is_body = self.is_firm or (bool(BODY.search(self.text)) and not is_person)


@lru_cache(4_096)
def parsed(printed: str) -> tuple[str, tuple[Name, ...]]:
    """(role, the names) of a printed list; the role is author, editor, translator or compiler."""
    text = unicodedata.normalize("NFC", " ".join(printed.split()))
    text = re.sub(r"\s+(?=[.,;])", "", re.sub(r"^\[(.+)\]\.?$", r"\1", text))
    text = re.sub(r"^[Bb]y\s+(?=[A-Z])|(?<!\.)\.(?=\.(?!\.))", "", re.sub(r"(?<=\.)(?=and\s)", " ", text))
    role, text = _role(text)
    if SAID_AMID.search(text):
        return role, (Name(literal=text),)
    text, has_others = OTHERS.subn("", text)
    text = LIFETIME.sub("", NOTE_MARKS.sub("", SAID_OF_ONE.sub("", text)))
    text = BRACKETED.sub(_with_given, text)
    text, left_out = LEFT_OUT.subn(", ", text)
    names = [name for part in BETWEEN.split(text) for name in _names(part)]
    return role, (*names, *([AND_OTHERS] if (has_others or left_out) and names else []))


def _role(text: str) -> tuple[str, str]:
    """The role that is said of the names, and the text without it."""
    for role, pattern in ROLES.items():
        without = pattern.sub("", text)
        if without not in ("", text):
            return role, without
        if before := SAID_BEFORE[role].match(text):
            return role, text[before.end() :]
    return "author", text


def _with_given(found: re.Match[str]) -> str:
    """Initials or a known given name in brackets behind a surname; a body may have its short name there."""
    surname, given = found["surname"], found["given"]
    is_given = all(map(is_initials, given.split())) or given.split()[0].casefold() in GIVEN
    words = JOINED_FIRST.sub("", surname).split()
    is_one = sum(word.casefold() not in PARTICLES for word in words) == 1
    return f"{surname}, {given}" if is_given and is_one and not BODY.search(surname) else found[0]


def _with_comma(found: re.Match[str]) -> str:
    """ "Das-Gupta. H." has a full stop where the comma belongs; "Rev. H." has not."""
    word = found[1].casefold()
    is_short = word in TITLES or word in KEEPS_ITS_POINT or found[1][0].islower()
    return found[0] if is_short else f"{found[1]}, "


def people(printed: str) -> tuple[str, list[Name]]:
    """("author", "editor", …, the names): "Parker, H.; Doe, J. (eds.)" is two editors.

    >>> people("Beals, R. and P. Carrasco.")
    ('author', [{'family': 'Beals', 'given': 'R.'}, {'family': 'Carrasco', 'given': 'P.'}])
    """
    role, names = parsed(printed)
    return role, [name.copy() for name in names]


def canonical(printed: str) -> str:
    """The list as the catalogue keeps it: surnames first, semicolons between. It is read as the same names."""
    role, names = parsed(printed)
    listed = "; ".join(inverted(name) for name in names if name != AND_OTHERS)
    others = " et al." if AND_OTHERS in names else ""
    label = f" ({LABELS[role][len(names) > 1]})" if role in LABELS else ""
    kept = f"{listed}{others}{label}"
    return kept if parsed(kept) == (role, names) else " ".join(printed.split())


def inverted(name: Name) -> str:
    """Murray, H.J.R."""
    parts = (name.get("family", ""), name.get("given", ""), name.get("suffix", ""))
    return name.get("literal") or ", ".join(filter(None, parts))


def called(name: Name) -> str:
    """What is said for a name where it is short: the surname; of a body, its name up to a comma."""
    return name.get("family") or name["literal"].split(",")[0]


def _names(text: str) -> list[Name]:
    """The names between two semicolons."""
    text = re.sub(r"^(?:and|&)\s+|\s+(?:and|&)$", "", text.strip(" ,"), flags=re.IGNORECASE)
    if not any(map(str.isalnum, text)):
        return []
    if EAST_ASIAN.search(text):
        text = re.sub(r"\s+[著撰]$", "", text.rstrip("。."))
        return [Name(literal=part) for part in re.split(r"\s*[、，]\s*", text) if part]
    text = SLIP.sub(_with_comma, re.sub(r"\s*[،፣]\s*", ", ", text))
    names = _read(_parts(text))
    is_told = names is not None and not any(map(_is_odd_name, names))
    return names if names is not None and is_told else [Name(literal=_without_point(text))]


def _is_odd_name(name: Name) -> bool:
    """Whether a person has a name that no person has: signs or small words in it, or initials only for a surname."""
    if "literal" in name:
        return False
    family, given = name["family"], name["given"]
    only_initials = "." in family and all(map(is_initials, family.split()))
    small = [word for word in given.split() if re.match(r"(?!\w{1,3}['’-])[^\W\d_]{2}", word) and word[0].islower()]
    others = any(word.rstrip(".").casefold() not in PARTICLES for word in small)
    return only_initials or others or bool(NO_NAME.search(family + given) or NO_SURNAME & {*family.split()})


def _parts(text: str) -> list[_Part]:
    found: list[_Part] = []
    for piece in re.split(r"\s*,[\s,]*", text):
        first = JOINED_FIRST.match(piece) if found else None
        for number, one in enumerate(_divided(piece[first.end() :] if first else piece, is_first=not found)):
            part = _Part(one, joined=bool(first) or number > 0) if any(map(str.isalnum, one)) else None
            if part and found and not part.joined and _honours(found[-1], one):
                found[-1].suffix = ", ".join(filter(None, (found[-1].suffix, part.printed)))
                found[-1].printed += f", {part.printed}"
            elif part:
                found.append(part)
    for number, (named, other) in enumerate(pairwise(found)):
        if named.text in SURNAMES_TOO and other.is_initials and (number == 0 or found[number - 1].is_initials):
            found[number] = _Part(named.printed, joined=named.joined, may_be_suffix=False)
    # "Crist W, de Voogt A.": where initials have no points, the only one ends the list.
    if text.endswith(".") and text.count(".") == 1 and len(found) > 1 and found[0].is_given and not found[-1].is_suffix:
        found[-1] = _Part(found[-1].printed.rstrip("."), joined=found[-1].joined)
    return found


def _without_point(text: str) -> str:
    """The text without a full stop that ends a list, and not a word."""
    last = text.split()[-1]
    bare = last.rstrip(".").casefold()
    keeps = is_initials(last) or len(bare) == 1 or bare in KEEPS_ITS_POINT or "." in bare or SUFFIX.fullmatch(last)
    return text if keeps else text.rstrip(".")


def _honours(before: _Part, text: str) -> bool:
    """Whether these are letters of honour; what could be initials is that only where the name has its own."""
    has_initials = before.is_initials or before.is_direct or before.is_given
    is_complete = has_initials or before.is_suffix or bool(before.suffix) or (before.is_whole and before.is_known)
    if text.endswith(".") and text[0].isupper() and text.rstrip(".").casefold() in TITLES:
        return is_complete
    may_be_initials = all(map(is_initials, text.split()))
    return bool(HONOURS.fullmatch(text)) and (is_complete or not may_be_initials)


def _divided(piece: str, *, is_first: bool) -> Iterator[str]:
    """The parts of a piece that "and" joins; not where it stands within the name of a body or a double surname."""
    begin = 0
    for found in JOINED.finditer(piece):
        before, after = piece[begin : found.start()], piece[found.end() :]
        if is_first and begin == 0 and found["other"] and all(map(is_initials, before.split())):
            continue  # "T. a Kempis"
        by_initials = _ends_in_initials(before) or _begins_with_initials(after) or bool(SUFFIX.fullmatch(before))
        next_one = after[: following.start()] if (following := JOINED.search(after)) else after
        a_body = bool(BODY.search(next_one)) or next_one.isupper()
        is_after_a_person = _begins_with_initials(before) and (a_body or found["and"])
        may_part = not FIRM.search(piece) or _ends_in_initials(before)
        if may_part and (by_initials or is_after_a_person or (found["and"] and not BODY.search(piece))):
            yield before
            begin = found.end()
    yield piece[begin:]


def _ends_in_initials(text: str) -> bool:
    return bool(text.split()) and is_initials(text.split()[-1])


def _begins_with_initials(text: str) -> bool:
    return bool(text.split()) and is_initials(text.split()[0])


def _read(parts: list[_Part], *, is_all: bool = True) -> list[Name] | None:
    """The names that the parts are; None where they may be read in several ways. is_all: no others stand behind them"""
    if len(parts) < 3 and any(part.is_regnal for part in parts):
        return None
    if any(_is_body(parts, at) for at in range(len(parts))):
        return _with_bodies(parts)
    pairs = _pairs(parts, is_all=is_all)
    if pairs is None:
        return None
    names: list[Name] = []
    rest, in_full = parts, False
    while rest:
        name, used = _first(rest, paired=pairs == "all" or (pairs == "first" and not names), certain=in_full)
        in_full = in_full or (used > 1 and rest[1].is_plain and not names)
        if used < len(rest) and rest[used].is_suffix and not rest[used].joined:
            suffix = rest[used].printed
            name |= Name(suffix=suffix) if "family" in name else Name(literal=f"{name['literal']}, {suffix}")
            used += 1
        names.append(name)
        rest = rest[used:]
    return names


def _is_body(parts: Sequence[_Part], at: int) -> bool:
    """A surname may be the word of a body: "Church, A."."""
    part, after = parts[at], parts[at + 1] if at + 1 < len(parts) else None
    is_surname = len(part.words) == 1 and after is not None and (after.is_initials or after.is_given or after.is_known)
    stands_alone = after is None or after.joined or after.is_direct or (after.is_given and "." not in after.text)
    if part.is_acronym and at + 2 < len(parts) and after is not None and after.is_initials:
        stands_alone = "." not in after.text and parts[at + 2].is_initials  # "UNESCO, LI, W."
    elif part.is_acronym and at > 0:
        stands_alone = after is None or not after.is_initials
    return part.is_firm or (part.is_body and not is_surname) or (part.is_acronym and stands_alone)


def _with_bodies(parts: list[_Part]) -> list[Name] | None:
    """Bodies among persons: what "and" joins, or follows a whole name, is one of its own; else all is one name."""
    at = next(number for number in range(len(parts)) if _is_body(parts, number))
    before = parts[:at]
    if before and not (parts[at].joined or before[-1].is_initials or before[-1].is_given or before[-1].is_direct):
        return None
    end = next((n for n in range(at + 1, len(parts)) if parts[n].joined), len(parts))
    if any(part.is_direct or part.is_initials for part in parts[at + 1 : end]):
        return None
    persons, others = _read(before, is_all=False) if before else [], _read(parts[end:]) if end < len(parts) else []
    if persons is None or others is None:
        return None
    body = ", ".join(f"{part.text} {part.suffix}".strip() for part in parts[at:end])
    return [*persons, Name(literal=body), *others]


def _pairs(parts: list[_Part], *, is_all: bool) -> str | None:
    """Whether words behind a surname are its given names: of "all", of the "first" only, or of "none"; None: unknown.

    Initials behind a surname are its own in any case, so that only other words are asked about.
    """
    if any(_is_odd(*two) for two in pairwise(parts)) and len(parts) > 2 - (
        parts[0].ends_in_capitals or parts[0].is_acronym
    ):
        return None
    if parts[0].is_acronym and not is_all and len(parts) > 1 and not parts[1].is_initials:
        return None
    asked = [
        n
        for n, (one, other) in enumerate(pairwise(parts))
        if one.is_plain and not other.joined and (other.is_plain or other.is_direct)
    ]
    if not asked:
        return "none"
    parts = [part for part in parts if not part.is_suffix]
    if len(parts) == 2:
        is_pair = parts[1].words[0] not in PARTICLES and not _is_caseless(parts[0])
        return "all" if is_pair and (is_all or parts[0].is_surname) else None
    groups = _groups(parts)
    if len(groups) > 1 and len(groups[-1]) > 1:
        return "all" if all(map(_is_in_turn, groups)) else None
    if asked[0] > 0 and any(part.is_direct or part.is_middle for part in parts[: asked[0]]):
        return "none"
    if asked == [0] and all(part.is_direct or part.is_middle for part in parts[2:]):
        return "first" if parts[0].is_surname or len(parts[1].words) == 1 else None
    if len(groups) > 1 and asked[0] == 0:
        return _first_alone(parts)
    is_surnames = all(part.is_surname for part in parts[::2])
    if is_surnames and all(part.is_known and part.is_plain for part in parts[1::2]) and _is_in_turn(parts):
        return "all"
    return None


def _is_odd(one: _Part, other: _Part) -> bool:
    """Whether words that end in initials are rather a name of their own than given names: "Murray JMU, Ifland WU"."""
    if not one.is_plain or other.joined or not other.is_given:
        return False
    is_given = other.is_known or ("." in other.text and not _begins_small(other))
    return one.ends_in_capitals or not is_given or (one.is_acronym and not other.is_known)


def _begins_small(part: _Part) -> bool:
    return part.words[0].islower()


def _first_alone(parts: list[_Part]) -> str | None:
    """As `_pairs`, of a list whose last name has no comma."""
    if not all(part.is_whole for part in parts[2:]):
        return "none" if all(part.is_plain and part.is_surname and not part.is_known for part in parts) else None
    if parts[0].is_acronym and not any(word.isupper() and len(word) > 2 for part in parts[1:] for word in part.words):
        return None
    if parts[0].is_known and parts[0].is_whole and parts[1].is_whole:
        return "none"
    return "first" if parts[0].is_surname or len(parts[1].words) == 1 else None


def _is_caseless(part: _Part) -> bool:
    return len(part.words) > 1 and bool(WITHOUT_CASE.search(part.text))


def _groups(parts: Sequence[_Part]) -> list[list[_Part]]:
    """The parts between each two "and"."""
    groups: list[list[_Part]] = [[]]
    for part in parts:
        if part.joined:
            groups.append([])
        if not part.is_suffix:
            groups[-1].append(part)
    return [group for group in groups if group]


def _is_in_turn(group: Sequence[_Part]) -> bool:
    """Whether the parts are surnames and given names in turn."""
    return len(group) % 2 == 0 and all(part.is_plain and not part.is_known for part in group[::2])


def _first(rest: Sequence[_Part], *, paired: bool, certain: bool) -> tuple[Name, int]:
    """The name that begins here, and the number of its parts."""
    part = rest[0]
    following = [one for one in rest[1:3] if not one.joined]
    after = following[0] if len(rest) > 1 and following and not rest[1].joined else None
    if part.is_direct or part.is_middle or (part.is_given and not (after and after.is_initials)):
        return (_without_comma(part) if part.is_given else _direct(part, certain=True)), 1
    if after and after.is_suffix and len(following) > 1 and (following[1].is_initials or part.is_surname):
        return _turned(part, following[1], after.printed), 3
    if after and (after.is_initials or after.is_given or (paired and not after.is_suffix)):
        return _turned(part, after), 2
    return _direct(part, certain=certain) if part.is_whole else Name(literal=part.printed), 1


def _without_comma(part: _Part) -> Name:
    """Bell RC; de Voogt A."""
    number = next(n for n, word in enumerate(part.words) if n and is_initials(word))
    family, given = part.words[:number], part.words[number:]
    if not all(map(is_initials, given)) or family[0].casefold() in GIVEN:
        return Name(literal=part.printed)
    return _named(family, given, part.suffix)


def _turned(surname: _Part, given: _Part, suffix: str = "") -> Name:
    if len(surname.words) > MOST_WORDS:
        return Name(literal=f"{surname.printed}, {given.printed}")
    words = surname.words
    if len(words) > 1 and ROMAN.fullmatch(words[-1]):
        *words, suffix = words
    return _named(words, given.words, suffix or surname.suffix or given.suffix)


def _named(family: Sequence[str], given: Sequence[str], suffix: str) -> Name:
    name = Name(family=" ".join(family), given=" ".join(given))
    return {**name, "suffix": suffix} if suffix else name


def _direct(part: _Part, *, certain: bool) -> Name:
    """A name with its given names first; a literal where it is not known where the surname begins.

    certain: other names of the list tell that a surname stands last
    """
    # Alfonso X el Sabio, Louis XIV
    has_number = any(re.fullmatch("[IVX]+", one) and other.islower() for one, other in pairwise(part.words))
    is_ruler = has_number or bool(re.fullmatch("[IVXLC]{2,}", part.words[-1]))
    begins = 0 if is_ruler else _surname_at(part.words, certain=certain)
    if not begins:
        return Name(literal=part.printed)
    return _named(part.words[begins:], part.words[:begins], part.suffix)


def _surname_at(words: Sequence[str], *, certain: bool) -> int:
    """The number of the word the surname begins with; 0 if that is not known."""
    begins = max((n + 1 for n, word in enumerate(words[:-1]) if is_initials(word)), default=0)
    if begins == 0:
        known, ends = words[0].casefold() in GIVEN, words[-1].casefold()
        other_order = _plain_letters(words[0]) in FAMILY_FIRST or ends.endswith(("sson", "dóttir", "dottir"))
        is_patronymic = any(word.casefold() in ("bin", "bint", "ibn") for word in words)
        if not (known or certain) or other_order or is_patronymic or words[0].casefold() in PARTICLES:
            return 0
        begins = 1
    while begins < len(words) - 1 and words[begins].casefold() in GIVEN:
        begins += 1
    rest = [word.casefold() for word in words[begins:]]
    is_one = (
        len(rest) == 1 or rest[0] in PARTICLES or (len(rest) == 3 and rest[1] in ("y", "e") and rest[2] not in GIVEN)
    )
    return begins if is_one else 0


def _plain_letters(word: str) -> str:
    letters = unicodedata.normalize("NFD", word.casefold().replace("đ", "d"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
