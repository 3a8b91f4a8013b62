"""What a replay calls a throw: the names of the records, and the shell that makes so-hatara."""

from itertools import product

import pytest

from simulator.engine.documents import with_changes
from simulator.engine.families.race import notation
from simulator.engine.families.race.notation import throw_name
from simulator.engine.families.race.referee.contract import start_array
from simulator.engine.families.race.referee.throws import cowrie_throw, dice_throw, take_throws
from simulator.engine.referee_playout import plies
from tests.engine.race.positions import Scripted
from tests.engine.rulesets import RULESETS

ASI, TAYAM = RULESETS["asi-keliya-dlp"], RULESETS["tayam-sonalu-dlp"]


def names(ruleset, throws):
    found = {throw_name(ruleset.parameters, throw.lots, throw.score) for throw in throws}
    return found - {""}


def shells(ruleset):
    return [cowrie_throw(ruleset.parameters, lots) for lots in product((0, 1), repeat=6)]


@pytest.mark.parametrize(
    ("slug", "called"),
    [
        ("sokkattan-parker", {"barah", "pachis", "do", "tin", "char", "das", "choka"}),
        ("pancha-keliya-parker", {"pancha", "onduwa", "bokka"}),
        ("asi-keliya-dlp", {"so-hatara"}),
        ("kawade-kelia-culin", set()),
    ],
)
def test_names_of_the_records(slug, called):
    assert names(RULESETS[slug], shells(RULESETS[slug])) == called


def test_tayam_and_sonal():
    """ "When the throw is 0 and 1, the throw is called Tayam, when it is 0 and 4 it is called Sonal"."""
    found = {
        faces: throw_name(TAYAM.parameters, faces, dice_throw(TAYAM.parameters, faces).score)
        for faces in product((0, 1, 2, 4), repeat=2)
    }
    assert {faces for faces, name in found.items() if name == "tayam"} == {(0, 1), (1, 0)}
    assert {faces for faces, name in found.items() if name == "sonal"} == {(0, 4), (4, 0)}
    assert set(found.values()) == {"", "tayam", "sonal"}


def test_a_throw_that_scores_otherwise_has_no_such_name():
    """A what-if in which five mouths score 5 throws no pachis."""
    changed = with_changes(
        RULESETS["pancha-keliya-parker"],
        {"scores": "[0, 1, 2, 3, 4, 6, 6]", "again_scores": "[1, 6]", "enter_scores": "[1, 6]"},
    )
    assert names(changed, shells(changed)) == {"onduwa", "bokka"}


@pytest.mark.parametrize(
    ("lots", "sentence"),
    [
        ((0, 1, 1, 1, 0, 0), "3 mouths up, the yellow shell’s down, so-hatara: 4"),
        ((1, 1, 1, 0, 0, 0), "3 mouths up, the yellow shell’s among them: 3"),
        ((0, 1, 0, 0, 0, 0), "1 mouth up, the yellow shell’s down: 1"),
        ((1, 1, 1, 1, 1, 1), "6 mouths up: 6"),
    ],
)
def test_the_yellow_shell_is_told(lots, sentence):
    """ "A throw of 3 when one of the cowries with the mouth down is the yellow one … is known as So-hatara"."""
    position = start_array(ASI.parameters)
    # A draw of 0 is a mouth up; 4 mouths end the series that 1 and so-hatara begin.
    last = () if sentence.endswith(("3", "6")) else (0, 0, 0, 0, 1, 1)
    take_throws(ASI.parameters, position, Scripted(*(1 - shell for shell in lots), *last))
    ply = next(plies(ASI, 1, 0))
    sentence_now = notation.sentence_of(ply, position.thrown[0])
    assert sentence_now == f"the first player throws {sentence}"
    facts = notation.event_facts(ply, position.thrown[0])
    assert facts["name"] == ("so-hatara" if "so-hatara" in sentence else "")
