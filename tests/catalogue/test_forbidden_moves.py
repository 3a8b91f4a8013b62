"""What forbids a move, family by family, in games under the readings of the records; and by no rule at all."""

from importlib import import_module

import pytest

from simulator.engine.boards.points import BOARDS
from simulator.engine.families.points.position import Position as PointsPosition
from simulator.engine.families.race.position import Position as RacePosition
from simulator.engine.families.race.referee.throws import kinds
from simulator.engine.families.race.referee.way import course
from simulator.engine.families.sowing.position import Position as SowingPosition
from simulator.engine.family import FAMILY_NAMES, family
from simulator.engine.illegal_move import Interpretation, Refusal, interpret
from simulator.engine.session import Session
from tests.catalogue.test_play import at, ruleset


def why(session: Session, text: str) -> Refusal:
    """The one refusal of a move that cannot be played."""
    found = interpret(session, text)
    assert found.move is None
    assert not found.choices
    assert len(found.refusals) == 1
    return found.refusals[0]


DARAMUTI_ROUND = "ca.fa.ca.da.da.aa.da.da.da.ga.aa.-.ca.-.ba.left-4-4-4-4-4-4-2"
MORRIS = "e3.b6.c3.g4.f2.d1.f4.c4.d7.f6.d2.g1.d5.g7.xf2.f2.d6.xf4.f4.a7.d5e5.d6d5.d2d3"

BY_A_RULE = [
    # Sowing. "The players commence from either end hole" (Kotu-baendum); "a single seed in the end hole …" (Puhulmutu).
    ("kotu-baendum-parker", "", "c", ("first_move_from_end",)),
    ("kotu-baendum-parker", "aa.ga.ea.fa", "1a", ("tied_ends",)),
    ("puhulmutu-parker", "ca.fa.ca.ea.ba.aa.da.ca.ga.ga", "g", ("singles",)),
    ("puhulmutu-dlp", "ca.fa", "1b", ("singles",)),
    ("puhulmutu-parker", "aa", "a<", ("direction",)),
    ("daramuti-parker", DARAMUTI_ROUND, "2g", ("remainder_barred",)),
    ("daramuti-parker", f"{DARAMUTI_ROUND}.fa", "1g", ("matching_barred",)),
    ("puhulmutu-ludii", "ca.fa.ca.ea.left-4-4-4-4-0-0-0", "1e", ("unfilled_closed",)),
    ("puhulmutu-ludii", "ca.fa.ca.ea", "1a", ("next_round",)),
    # Points. Parker's Dam: a player who can jump must; the pieces of the Hunt's tiger alone capture; and so on.
    ("dam-parker", "d5e6.i8j7.b5c6.e8f7.f5g6", "k8 l7", ("capture_compulsory",)),
    ("english-draughts-reference", "g3h4.d6e5", "h4 g3", ("first_steps",)),
    ("koti-keliya-parker", "i4.i12j11", "i4-f1", ("first_reach",)),
    ("diviyan-keliya-parker", "e4", "e3", ("lay_safe",)),
    ("hat-diviyan-keliya-ludovisi", "a2.b3.a2a1", "b3 b2", ("laying_ends",)),
    ("hat-diviyan-keliya-ludovisi", "a2.b1.a2a3.a2.a3xa1", "a1 a2", ("chain",)),
    ("nerenchi-keliya-dlp", "e3.b6.c3.g4", "e3 d3", ("laying_ends",)),
    ("nine-mens-morris-reference", MORRIS, "xg1", ("removable",)),
    ("nine-mens-morris-reference", "g1.d5.g4.f6.d7.c4.d6.a1.d3.a4.f2.e4.f4.g7.b4.e5.c5.d2", "g1 b6", ("flies_at",)),
    ("nine-mens-morris-reference", "e3.b6.c3.g4.f2.d1.f4.c4.d7.f6.d2.g1.d5.g7", "g7 b2", ("line_laying",)),
    # Race. A piece enters by 1, 5 or 6 (Pancha keliya), by an extra point (Sokkattan); nobody passes (Asi keliya).
    ("pancha-keliya-dlp", "", "waiting-1", ("enter_scores", "entry")),
    ("sokkattan-dlp", "", "waiting-1", ("entry",)),
    ("sokkattan-dlp", "-.-.-.j12-10.-.-.-.-.i13-2.h11-25", "j1 +1", ("extra_scores",)),
    ("asi-keliya-dlp", "-.-.-.-.-.-.-.e11-5.-.-.-.-.-", "b7", ("no_passing",)),
    ("saturankam-dlp", "e1-1", "f1", ("division",)),
]


@pytest.mark.parametrize(("name", "moves", "text", "keys"), BY_A_RULE)
def test_the_rule_that_forbids_a_move_is_named(name: str, moves: str, text: str, keys: tuple[str, ...]) -> None:
    found = why(at(name, moves, seed=0), text)
    assert (found.keys, found.together, found.missing) == (keys, False, None)


@pytest.mark.parametrize(
    ("name", "moves", "text", "said"),
    [
        ("kalah-reference", "da", "1a", "1a is in the other player’s row; a turn starts from a hole in one’s own row."),
        ("kalah-reference", "da", "2c", None),
        ("puhulmutu-parker", "aa", "c", "2c is empty: there is nothing in it to sow."),
        ("dam-parker", "", "b9 c8", "The piece on b9 is the other player’s."),
        ("dam-parker", "", "b7 c8", "There is no piece on b7."),
        ("dam-parker", "", "a2 b1", "b1 is not vacant."),
        ("dam-parker", "", "a2", "The piece on a2 has nowhere to go."),
        ("dam-parker", "", "b7", "b7 is vacant, and there is no piece in hand to lay on it."),
        ("hat-diviyan-keliya-ludovisi", "b4", "b4", "The piece on b4 is the other player’s."),
        ("sokkattan-dlp", "", "waiting-2", "No piece of the player to move is on waiting-2: what stands there is "),
        ("sokkattan-dlp", "", "j5", "No piece of the player to move is on j5: what stands there is nobody’s."),
        ("saturankam-dlp", "", "e1 +12", "No 12 is left to play of what was thrown."),
    ],
)
def test_what_no_rule_forbids_is_said_plainly(name: str, moves: str, text: str, said: str | None) -> None:
    session = at(name, moves, seed=0)
    if said is None:
        assert interpret(session, text).move is not None
        return
    found = why(session, text)
    assert (found.keys, found.missing) == ((), None)
    assert found.plainly.startswith(said)


def test_a_step_too_far_is_explained_by_board_and_absent_rule() -> None:
    found = why(at("koti-keliya-parker", "i4"), "e12 i8")
    assert found.plainly.startswith("i8 is farther from e12 than the piece may go")
    assert found.missing is not None
    assert found.missing[0] == "second_reach"
    off_the_lines = why(at("dam-parker"), "d5 g6")
    assert off_the_lines.plainly == "No straight line on the board leads from d5 to g6."


def test_two_rules_that_forbid_it_together_are_both_named() -> None:
    moves = "e4.c7.c4.b6.c4d4.g1.d4d5.a5.d5d6.g7.e4f4"
    found = why(at("diviyan-keliya-parker", moves), "c7 e5")  # a piece of the herd would take the tiger, before all lie
    assert found.together
    assert found.keys == ("captures_by", "laying_ends")


def test_a_piece_goes_home_by_the_exact_number_only() -> None:
    found = why(at("pancha-keliya-dlp", "-.-.-.-.-.b3-4.c2-5.-.-.-.-.-.-.-.-.-", seed=1), "f5")
    assert found.plainly == "The piece is 1 from home, and 3 is more."
    assert found.missing == ("overshoot", True)


def sowing(name: str, holes: list[int], mover: int = 0) -> Session:
    session = Session(ruleset(name), 1)
    row = len(holes) // 2
    session.set_position(SowingPosition(row, holes, [0] * len(holes), direction=1, mover=mover))
    return session


def test_an_empty_row_must_be_fed() -> None:
    session = sowing("oware-reference", [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0])
    assert [session.name_of(move) for move in session.options] == ["f>"]
    assert why(session, "a").keys == ("must_feed",)


def points(name: str, first: str, second: str, kings: str = "") -> Session:
    rules = ruleset(name)
    board = BOARDS[rules.parameters["board"]]
    men = [{board.number(point) for point in points.split()} for points in (first, second)]
    crowned = {board.number(point) for point in kings.split()}
    session = Session(rules, 1)
    session.set_position(PointsPosition(len(board.points), men, [crowned, set()]))
    return session


def test_men_of_english_draughts_jump_forward_only() -> None:
    session = points("english-draughts-reference", "c5", "b4 h8")
    assert why(session, "c5 a3").keys == ("captures",)


def test_a_king_of_dam_does_not_turn_in_the_middle_of_the_board() -> None:
    session = points("dam-parker", "", "c4 e4 g8 a12", kings="a2")
    session.play(next(move for move in session.options if session.name_of(move) == "a2xd5"))
    assert "d5xh9" in [session.name_of(move) for move in session.options]
    assert why(session, "d5 f3").keys == ("king_turns",)


def race(name: str, pieces: list[list[int]], hand: list[int] | None = None, **more: int) -> Session:
    """hand: values of the parts of the throw that are to be played."""
    rules = ruleset(name)
    position = RacePosition(rules.parameters, pieces, **more)
    for value in hand or []:
        number = next(n for n, kind in enumerate(kinds(rules.parameters)) if kind.value == value)
        position.hand[number] += 1
    session = Session(rules, 1)
    session.set_position(position)
    return session


def test_the_home_row_is_walked_by_ones() -> None:
    rules = ruleset("asi-keliya-dlp").parameters
    step = course(rules).home_row
    session = race("asi-keliya-dlp", [[0, 0, 0, step], *[[0] * 4] * 3], [3])
    square = session.places.place_name(rules, 0, step)
    assert why(session, square).keys == ("home_row_ones",)


def test_a_home_row_is_barred_until_the_partner_has_passed() -> None:
    rules = ruleset("pahada-keliya-dlp").parameters
    step = course(rules).home_row - 1
    session = race("pahada-keliya-dlp", [[6, 7, 11, step], [6, 7, 11, 11], [6, 7, 11, 11], [6, 7, 11, 11]], [4])
    found = interpret(session, session.places.place_name(rules, 0, step))
    assert [refusal.keys for refusal in found.refusals] == [("partner_bar",)]


def test_some_distances_from_home_need_a_double() -> None:
    rules = ruleset("saturankam-dlp").parameters
    way = course(rules)
    session = race("saturankam-dlp", [[10, way.home - 3], [1, 1]], pool=4)
    refusals = interpret(session, f"{session.places.place_name(rules, 0, way.home - 3)} +3").refusals
    assert {key for refusal in refusals for key in refusal.keys} == {"exit_doubles"}


def test_parts_of_a_throw_are_spoken_of_one_by_one() -> None:
    rules = ruleset("pancha-keliya-dlp").parameters
    home = course(rules).home
    session = race("pancha-keliya-dlp", [[0, 5, home - 1], [0, 0, 0]], [3, 4])
    refusals = interpret(session, session.places.place_name(rules, 0, home - 1)).refusals
    assert [(refusal.what[-2:], refusal.plainly) for refusal in refusals] == [
        ("+3", "The piece is 1 from home, and 3 is more."),
        ("+4", "The piece is 1 from home, and 4 is more."),
    ]


def test_a_place_from_which_several_moves_lead_asks_which() -> None:
    hole = interpret(at("puhulmutu-parker"), "1a")
    assert [at("puhulmutu-parker").name_of(code) for code in hole.choices] == ["a>", "a<"]
    assert len(interpret(at("dam-parker"), "b5").choices) == 2


def test_words_that_name_no_move_are_distinguished() -> None:
    for text in ["", " ", "zz9", "c99", "pass the salt", "waiting-9", "<script>", "🎲", "1" * 60]:
        for name in ["kalah-reference", "dam-parker", "sokkattan-dlp", "saturankam-dlp"]:
            assert interpret(at(name), text) == Interpretation(), (name, text)


@pytest.mark.parametrize("kind", FAMILY_NAMES)
def test_the_parameters_looked_at_are_parameters(kind: str) -> None:
    module = import_module(f"simulator.engine.families.{kind}.attempts")
    known = family(kind).schema["properties"]
    assert set(module.FORBIDDING) | set(module.ALLOWING) <= set(known)
    assert not set(module.FORBIDDING) & set(family(kind).schema["required"])
