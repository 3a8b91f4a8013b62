"""Games between players who search, single replies of one, and the greedy player: compiled once for all families."""

from simulator.engine.compiled import inlined, kernel_function
from simulator.engine.ends import MOST_PLIES_OF_A_TURN, UNFINISHED
from simulator.engine.players.kernel import calls
from simulator.engine.players.kernel.calls import MATE, copy, shuffle, throws_drawn, value
from simulator.engine.players.kernel.depth_first import alpha_beta_move, expectimax_move
from simulator.engine.players.kernel.memory import AT, COUNT, GREEDY_PLIES, GREEDY_POSITIONS
from simulator.engine.players.kernel.uct import uct_move
from simulator.engine.players.names import ALPHA_BETA, EXPECTIMAX, GREEDY, RANDOM
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import below, open_search, open_streams

TURNS, DECISIONS, OPTIONS = 0, 1, 2


@kernel_function
def choose_move(frame, player, position, counts, workspace, out, seed, game, ply):
    """Return (the move of a player who searches, number of options).

    player: int64[6], kind, budget, horizon, exploration, prior, address of the rules with what it weighs

    The draws of a search are its own: they depend on the seed, the game and the ply, and reveal nothing of the throws
    to come. A single option is returned without a search.
    """
    calls.set_position(frame, position, counts)
    options = calls.legal_moves(frame, out)
    if options < 2:
        return out[0], options
    # Put back afterwards: the game goes on with its own draws, and by the weights of no player.
    streams, rules = frame[calls.AT_STREAMS], frame[calls.AT_RULES]
    frame[calls.AT_STREAMS], frame[calls.AT_RULES] = calls.address(workspace.streams), player[5]
    open_search(workspace.streams, seed, game, ply, frame[calls.FIRST_STREAM], frame[calls.LAST_STREAM])
    if player[0] == RANDOM:
        move = out[below(workspace.streams, CHOICE, calls.without_consent(frame, out, options))]
    elif player[0] == GREEDY:
        move = greedy_move(frame, position, counts, workspace)
    elif player[0] == ALPHA_BETA:
        move = alpha_beta_move(frame, position, counts, workspace, out, player[1], player[2])
    elif player[0] == EXPECTIMAX:
        move = expectimax_move(frame, position, counts, workspace, player[1])
    else:
        frame[calls.EXPLORATION], frame[calls.PRIOR] = player[3], player[4]
        move = uct_move(frame, position, counts, workspace, out, player[1], player[2])
    frame[calls.AT_STREAMS], frame[calls.AT_RULES] = streams, rules
    calls.set_position(frame, position, counts)
    return move, options


@kernel_function
def play_games(
    frame, players, rows, position, counts, streams, workspace, out, listed, seed, choice_seed, first_game, cap, halt
):
    """Play len(rows) games and write their rows, int32[games, measures]; returns the plies of the last game.

    players: int64[seats, 6], as `choose_move` has them; listed: takes the first moves of the last game
    halt:    int64[1]; once it is not 0, the block stops at the next ply and its rows say nothing
    """
    ply = 0
    frame[calls.AT_STREAMS] = calls.address(streams)
    for g in range(len(rows)):
        # Throws from one seed and choices from the other, as in the loop of random players.
        open_streams(streams, seed, first_game + g, frame[calls.FIRST_STREAM], CHOICE - 1)
        open_streams(streams, choice_seed, first_game + g, CHOICE, frame[calls.LAST_STREAM])
        calls.set_position(frame, position, counts)
        calls.call(frame, calls.START)
        ply, turn, begun = 0, counts[TURNS], 0  # begun: the ply with which the turn began
        while frame[calls.END] < 0 and counts[TURNS] < cap and halt[0] == 0 and ply - begun < MOST_PLIES_OF_A_TURN:
            seat = frame[calls.MOVING]
            if players[seat, 0] == RANDOM:
                move, options = calls.draw_move(frame, CHOICE + seat, out)
            else:
                move, options = choose_move(
                    frame, players[seat], position, counts, workspace, out, choice_seed, first_game + g, ply
                )
            if options > 1:
                counts[DECISIONS] += 1
                counts[OPTIONS] += options
            if ply < len(listed):
                listed[ply] = move
            ply += 1
            calls.play(frame, move)
            if counts[TURNS] != turn:
                turn, begun = counts[TURNS], ply
        rows[g, 0] = UNFINISHED if frame[calls.END] < 0 else frame[calls.END]
        rows[g, 1] = frame[calls.WINNERS]
        for i in range(2, rows.shape[1]):
            rows[g, i] = counts[i - 2]
    return ply


@kernel_function
def reply(frame, player, position, counts, streams, workspace, out, played, is_given, seed):
    """Return the move of a player after the moves in `played`, in game 0 of the seed; or in `position` if it is given.

    Returns -1 - n where move n of `played` is not legal, or where the game is over before it or before the answer.
    """
    frame[calls.AT_STREAMS] = calls.address(streams)
    open_streams(streams, seed, 0, frame[calls.FIRST_STREAM], frame[calls.LAST_STREAM])
    calls.set_position(frame, position, counts)
    if is_given:
        calls.read_outcome(frame)
    else:
        calls.call(frame, calls.START)
    for ply in range(len(played)):
        is_legal = False
        if frame[calls.END] < 0:
            for k in range(calls.legal_moves(frame, out)):
                is_legal |= out[k] == played[ply]
        if not is_legal:
            return -1 - ply
        calls.play(frame, played[ply])
    if frame[calls.END] >= 0:
        return -1 - len(played)
    return choose_move(frame, player, position, counts, workspace, out, seed, 0, len(played))[0]


@kernel_function
def greedy_move(frame, position, counts, workspace):
    """Return the move that begins the best turn from `position`; `workspace.streams` are opened for it.

    The greedy player takes the turn after which the family's evaluation is best for it, ties drawn. A turn may have
    several plies, which are all searched, up to GREEDY_PLIES deep and GREEDY_POSITIONS wide; where its own turn goes on
    after a throw it does not look further, since the throw is unknown. It ends no game by consent, which is no turn.
    """
    levels, positions, tallies, lists = workspace.levels, workspace.positions, workspace.counts, workspace.lists
    copy(position, positions[0])
    copy(counts, tallies[0])
    calls.set_position(frame, positions[0], tallies[0])
    calls.read_outcome(frame)
    seat, turn = frame[calls.MOVING], counts[TURNS]
    levels[0, COUNT] = _turns_to_begin(frame, lists[0])
    shuffle(lists[0], levels[0, COUNT], workspace.streams)
    levels[0, AT] = 0
    # -2 * MATE is less than any value, so that the first turn looked at is taken.
    best_move, best, looked, level = lists[0][0], -2 * MATE, 0, 0
    while level >= 0:
        if levels[level, AT] == levels[level, COUNT]:
            level -= 1
            continue
        move = lists[level][levels[level, AT]]
        levels[level, AT] += 1
        copy(positions[level], positions[level + 1])
        copy(tallies[level], tallies[level + 1])
        calls.set_position(frame, positions[level + 1], tallies[level + 1])
        drawn = throws_drawn(frame, workspace.streams)
        calls.play(frame, move)
        looked += 1
        # After a throw the turn goes on with what nobody could know: it is judged where it stands.
        same_turn = tallies[level + 1, TURNS] == turn and throws_drawn(frame, workspace.streams) == drawn
        if frame[calls.END] < 0 and same_turn and level + 1 < GREEDY_PLIES and looked < GREEDY_POSITIONS:
            level += 1
            levels[level, COUNT] = _turns_to_begin(frame, lists[level])
            levels[level, AT] = 0
            continue
        worth = value(frame, frame[calls.END], frame[calls.WINNERS], seat, 0)
        if worth > best:
            best, best_move = worth, lists[0][levels[0, AT] - 1]
    return best_move


@inlined
def _turns_to_begin(frame, out):
    """Write the legal moves but for a consent into `out`; returns how many."""
    return calls.without_consent(frame, out, calls.legal_moves(frame, out))
