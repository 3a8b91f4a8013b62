"""Between two rounds, compiled: the fast twin of the referee's `rounds`."""

from simulator.engine.compiled import apart, kernel_function
from simulator.engine.families.sowing.kernel.layout import HOLES, idle_at, kept_flag_at, memory_count_at
from simulator.engine.families.sowing.kernel.layouts import lay_full_row, lay_poorer_row
from simulator.engine.families.sowing.kernel.rules import (
    ALTERNATE,
    CHOSEN,
    EACH_ROUND,
    EQUAL_DRAW,
    R_EQUAL,
    R_EQUAL_STARTER,
    R_FIRST_END,
    R_LAYOUT_FROM,
    R_LAYOUT_TURN,
    R_NEXT_ROUND,
    R_REST_ROUND,
    R_ROW,
    R_RUINED,
    R_STARTER,
    R_TIES_KEPT,
    SECOND_SEAT,
)
from simulator.engine.families.sowing.measures import (
    CAPTURES_0,
    CAPTURES_1,
    DECISIONS,
    FIRST_CAPTURES,
    FIRST_DECISIONS,
    FIRST_ENDED,
    FIRST_LAPS,
    FIRST_TURNS,
    FIRST_WINNER,
    LAPS,
    ROUNDS,
    ROUNDS_ENDED,
    TURNS,
)
from simulator.engine.families.sowing.position import (
    BLIND,
    LAY,
    LAY_RICH,
    LAYOUT,
    OVER,
    SOW,
    TIED,
    W_END,
    W_EXCESS,
    W_LOAN,
    W_MOVED,
    W_MOVER,
    W_PHASE,
    W_REMAINDER,
    W_RICHER,
    W_ROUND,
    W_SHORT,
    W_SHORT_NUMBER,
    W_STARTER,
    W_STORE,
    W_WINNERS,
)
from simulator.engine.family import DRAW, WIN


@kernel_function
def end_game(position, winner):
    """winner: a seat, or -1 for a draw."""
    apart()
    position[W_PHASE] = OVER
    position[W_END] = DRAW if winner < 0 else WIN
    position[W_WINNERS] = 0 if winner < 0 else 1 << winner


@kernel_function
def count_up(rules, position):
    """Each player takes his row and the holes marked as his; the board is bare then."""
    apart()
    row = rules[R_ROW]
    marks = HOLES + 2 * row
    for hole in range(2 * row):
        mark = position[marks + hole]
        owner = (1 if hole >= row else 0) if mark <= BLIND else mark & 1
        position[W_STORE + owner] += position[HOLES + hole]
        position[HOLES + hole] = 0
        if not (mark >= TIED and rules[R_TIES_KEPT]):
            position[marks + hole] = 0


@kernel_function
def finish_round(rules, position, counts, ended_by):
    """Count up, and end the game or lay out the next round. ended_by: the seat whose turn ended the round."""
    apart()
    count_up(rules, position)
    position[W_SHORT] = 0
    position[W_SHORT_NUMBER] = 0
    position[W_LOAN] = 0
    position[W_RICHER] = 0
    position[W_EXCESS] = 0
    position[W_REMAINDER] = 0
    position[idle_at(rules)] = 0
    position[memory_count_at(rules)] = 0
    position[kept_flag_at(rules)] = 0
    first, second = position[W_STORE], position[W_STORE + 1]
    richer = 0 if first > second else 1 if second > first else -1
    counts[ROUNDS_ENDED] += 1
    if not counts[FIRST_ENDED]:
        counts[FIRST_ENDED] = 1
        counts[FIRST_WINNER] = richer
        counts[FIRST_TURNS] = counts[TURNS]
        counts[FIRST_DECISIONS] = counts[DECISIONS]
        counts[FIRST_LAPS] = counts[LAPS]
        counts[FIRST_CAPTURES] = counts[CAPTURES_0] + counts[CAPTURES_1]
    if rules[R_NEXT_ROUND] == 0:
        end_game(position, richer)
    elif first < rules[R_RUINED]:
        end_game(position, 1)
    elif second < rules[R_RUINED]:
        end_game(position, 0)
    elif richer < 0 and rules[R_EQUAL] == EQUAL_DRAW:
        end_game(position, -1)
    else:
        begin_round(rules, position, ended_by, richer)
        counts[ROUNDS] += 1


@kernel_function
def begin_round(rules, position, ended_by, richer):
    """Lay out what can be laid without a decision, and say who acts."""
    apart()
    before = position[W_STARTER]
    if richer >= 0:
        poorer = 1 - richer
    elif rules[R_EQUAL_STARTER] == SECOND_SEAT:
        poorer = 1
    else:
        poorer = 1 - before
    starter = 1 - before if rules[R_STARTER] == ALTERNATE else poorer
    if rules[R_STARTER] == ALTERNATE or (rules[R_EQUAL_STARTER] == 0 and rules[R_EQUAL] != EQUAL_DRAW):
        position[W_STARTER] = starter
    if rules[R_REST_ROUND] > 2:
        position[W_ROUND] = min(position[W_ROUND] + 1, rules[R_REST_ROUND])
    if rules[R_FIRST_END] == EACH_ROUND:
        position[W_MOVED] = 0
    if rules[R_LAYOUT_FROM] != CHOSEN:
        lay_full_row(rules, position, 1 - poorer)
        lay_poorer_row(rules, position, poorer, LAYOUT)
        position[W_PHASE] = SOW
        position[W_MOVER] = starter
    elif rules[R_LAYOUT_TURN] and ended_by == poorer:
        position[W_PHASE] = LAY_RICH
        position[W_MOVER] = 1 - poorer
    else:
        lay_full_row(rules, position, 1 - poorer)
        position[W_PHASE] = LAY
        position[W_MOVER] = poorer
