"""The plan of laying, compiled: which part of it holds for a player's next piece, and what that says. Rulesets without
a plan (R_PLANS is 0) never come here."""

from simulator.engine.compiled import inlined
from simulator.engine.families.points import position as code
from simulator.engine.families.points.kernel import layout
from simulator.engine.families.points.kernel import rules as rule

# A part: from which piece on, until before which one, how many in a turn, and what else; then the points, a set.
BEGINS, UNTIL, AT_ONCE, FLAGS, POINTS = range(5)
FORBIDS_ROWS, INSTEAD, ANSWERED = 1, 2, 4
MUST_ANSWER = 2  # in the word W_LAID of a position


@inlined
def part(rules, position, wide, seat, more):
    """Return where the part stands that holds for the piece a player lays next, or laid `more` pieces ago."""
    laid = rules[rule.R_HAND + seat] - position[code.W_HAND + seat] - more
    at = layout.plan_table(rules, wide, seat)
    while rules[at + UNTIL] <= laid:
        at += POINTS + len(wide)
    return at


@inlined
def may_move_instead(rules, position, wide, seat):
    """Return whether a player with pieces in hand may move one that is on the board."""
    if rules[rule.R_PLANS] == 0:
        return False
    flags = rules[part(rules, position, wide, seat, 0) + FLAGS]
    return (flags & INSTEAD != 0) | ((flags & ANSWERED != 0) & (position[code.W_LAID] & MUST_ANSWER == 0))


@inlined
def is_answered(rules, position, wide, seat):
    """Return whether a player has to lay because the other has just laid."""
    if rules[rule.R_PLANS] == 0 or position[code.W_HAND + seat] == 0:
        return False
    return rules[part(rules, position, wide, seat, 0) + FLAGS] & ANSWERED != 0


@inlined
def lays_another(rules, position, wide, seat):
    """Return whether a player who has just laid a piece has another to lay in the same turn."""
    if rules[rule.R_PLANS] == 0 or position[code.W_HAND + seat] == 0:
        return False
    laid = rules[rule.R_HAND + seat] - position[code.W_HAND + seat]
    at = part(rules, position, wide, seat, 1)
    return (laid < rules[at + UNTIL]) & ((laid - rules[at + BEGINS]) % rules[at + AT_ONCE] != 0)
