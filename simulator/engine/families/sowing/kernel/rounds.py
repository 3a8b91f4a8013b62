"""Between two rounds, compiled: the fast counterpart of the referee's `rounds`."""

from simulator.engine.compiled import kernel_function, noinline
from simulator.engine.ends import DRAW, WIN
from simulator.engine.families.sowing import measures
from simulator.engine.families.sowing import position as code
from simulator.engine.families.sowing.kernel import rules as rule
from simulator.engine.families.sowing.kernel.layout import HOLES, idle_at, kept_flag_at, memory_count_at
from simulator.engine.families.sowing.kernel.layouts import count_layout, lay_full_row, lay_poorer_row


@kernel_function
def end_game(position, winner):
    """winner: a seat, or -1 for a draw."""
    noinline()
    position[code.W_PHASE] = code.OVER
    position[code.W_END] = DRAW if winner < 0 else WIN
    position[code.W_WINNERS] = 0 if winner < 0 else 1 << winner


@kernel_function
def count_up(rules, position):
    """Each player takes his row and the holes marked as his; the board is bare then."""
    noinline()
    row = rules[rule.R_ROW]
    marks = HOLES + 2 * row
    for hole in range(2 * row):
        mark = position[marks + hole]
        owner = (1 if hole >= row else 0) if mark <= code.BLIND else mark & 1
        position[code.W_STORE + owner] += position[HOLES + hole]
        position[HOLES + hole] = 0
        if not (mark >= code.TIED and rules[rule.R_TIES_KEPT]):
            position[marks + hole] = 0


@kernel_function
def finish_round(rules, position, counts, ended_by):
    """Count up, and end the game or lay out the next round. ended_by: the seat whose turn ended the round."""
    noinline()
    count_up(rules, position)
    position[code.W_SHORT] = 0
    position[code.W_SHORT_NUMBER] = 0
    position[code.W_LOAN] = 0
    position[code.W_RICHER] = 0
    position[code.W_EXCESS] = 0
    position[code.W_REMAINDER] = 0
    position[idle_at(rules)] = 0
    position[memory_count_at(rules)] = 0
    position[kept_flag_at(rules)] = 0
    first, second = position[code.W_STORE], position[code.W_STORE + 1]
    richer = 0 if first > second else 1 if second > first else -1
    counts[measures.ROUNDS_ENDED] += 1
    counts[measures.EQUAL_ROUNDS] += richer < 0
    count_recovery(position, counts, richer)
    if not counts[measures.FIRST_ENDED]:
        counts[measures.FIRST_ENDED] = 1
        counts[measures.FIRST_WINNER] = richer
        counts[measures.FIRST_TURNS] = counts[measures.TURNS]
        counts[measures.FIRST_DECISIONS] = counts[measures.DECISIONS]
        counts[measures.FIRST_LAPS] = counts[measures.LAPS]
        counts[measures.FIRST_CAPTURES] = counts[measures.CAPTURES_0] + counts[measures.CAPTURES_1]
    if rules[rule.R_NEXT_ROUND] == 0:
        end_game(position, richer)
    elif first < rules[rule.R_RUINED]:
        end_game(position, 1)
    elif second < rules[rule.R_RUINED]:
        end_game(position, 0)
    elif richer < 0 and rules[rule.R_EQUAL] == rule.EQUAL_DRAW:
        end_game(position, -1)
    else:
        begin_round(rules, position, counts, ended_by, richer)
        counts[measures.ROUNDS] += 1


@kernel_function
def count_recovery(position, counts, richer):
    """Whether who began the round with fewer has gained, and who begins the next one so."""
    noinline()
    if counts[measures.POORER]:
        counts[measures.UNEQUAL_ROUNDS] += 1
        owned = position[code.W_STORE + counts[measures.POORER] - 1]
        counts[measures.RECOVERED_ROUNDS] += owned > counts[measures.POORER_OWNED]
    counts[measures.POORER] = 2 - richer if richer >= 0 else 0
    counts[measures.POORER_OWNED] = min(position[code.W_STORE], position[code.W_STORE + 1])


@kernel_function
def begin_round(rules, position, counts, ended_by, richer):
    """Lay out what can be laid without a decision, and say who acts."""
    noinline()
    before = position[code.W_STARTER]
    if richer >= 0:
        poorer = 1 - richer
    elif rules[rule.R_EQUAL_STARTER] == rule.SECOND_SEAT:
        poorer = 1
    else:
        poorer = 1 - before
    alternates = rules[rule.R_STARTER] == rule.ALTERNATE
    starter = 1 - before if alternates else poorer
    if alternates or (rules[rule.R_EQUAL_STARTER] == 0 and rules[rule.R_EQUAL] != rule.EQUAL_DRAW):
        position[code.W_STARTER] = starter
    if rules[rule.R_REST_ROUND] > 2:
        position[code.W_ROUND] = min(position[code.W_ROUND] + 1, rules[rule.R_REST_ROUND])
    if rules[rule.R_FIRST_END] == rule.EACH_ROUND:
        position[code.W_MOVED] = 0
    if rules[rule.R_LAYOUT_FROM] == rule.FROM_LEFT:
        lay_full_row(rules, position, 1 - poorer)
        lay_poorer_row(rules, position, poorer, code.LAYOUT)
        count_layout(rules, position, counts)
        position[code.W_PHASE] = code.SOW
        position[code.W_MOVER] = starter
    elif rules[rule.R_LAYOUT_TURN] and ended_by == poorer:
        position[code.W_PHASE] = code.LAY_RICH
        position[code.W_MOVER] = 1 - poorer
    else:
        lay_full_row(rules, position, 1 - poorer)
        position[code.W_PHASE] = code.LAY
        position[code.W_MOVER] = poorer


@kernel_function
def begin_as_after_a_round(rules, position, counts):
    """Lay out the first round like a further one, for a first player who owns so many counters."""
    noinline()
    for hole in range(2 * rules[rule.R_ROW]):
        position[HOLES + hole] = 0
    first = rules[rule.R_BEGINS_WITH]
    second = 2 * rules[rule.R_ROW] * rules[rule.R_FULL] - first
    position[code.W_STORE] = first
    position[code.W_STORE + 1] = second
    position[code.W_ROUND] = max(rules[rule.R_REST_ROUND] - 1, 1)
    richer = 0 if first > second else 1
    counts[measures.POORER] = 2 - richer
    counts[measures.POORER_OWNED] = min(first, second)
    begin_round(rules, position, counts, -1, richer)
