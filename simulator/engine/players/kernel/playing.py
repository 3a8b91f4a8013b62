"""Games between players who think, and a single answer of one: compiled once for all families."""

from simulator.engine.compiled import kernel_function
from simulator.engine.ends import MOST_PLIES_OF_A_TURN, UNFINISHED
from simulator.engine.players.kernel import calls
from simulator.engine.players.kernel.alpha_beta import alpha_beta_move
from simulator.engine.players.kernel.expectimax import expectimax_move
from simulator.engine.players.kernel.greedy import greedy_move
from simulator.engine.players.kernel.uct import uct_move
from simulator.engine.players.names import ALPHA_BETA, EXPECTIMAX, GREEDY, RANDOM
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import below, open_search, open_streams

TURNS, DECISIONS, OPTIONS = 0, 1, 2


@kernel_function
def choose_move(frame, player, position, counts, workspace, out, seed, game, ply):
    """(the move of a player who thinks, number of options).

    player: int64[6], kind, budget, horizon, exploration, prior, address of the rules with what it weighs

    The draws of a search are its own: they depend on the seed, the game and the ply, and tell nothing of the throws to
    come. Where there is one option there is nothing to think about.
    """
    calls.set_position(frame, position, counts)
    options = calls.legal_moves(frame, out)
    if options < 2:
        return out[0], options
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
    """Play len(rows) games and write their rows; returns the plies of the last.

    players: int64[seats, 6], as `choose_move` has them; listed: takes the first moves of the last game
    halt:    int64[1]; once it is not 0, the block stops at the next ply and its rows say nothing
    """
    ply = 0
    frame[calls.AT_STREAMS] = calls.address(streams)
    for g in range(len(rows)):
        open_streams(streams, seed, first_game + g, frame[calls.FIRST_STREAM], CHOICE - 1)
        open_streams(streams, choice_seed, first_game + g, CHOICE, frame[calls.LAST_STREAM])
        calls.set_position(frame, position, counts)
        calls.call(frame, calls.START)
        ply, turn, begun = 0, counts[TURNS], 0
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
    """What a player does after the moves in `played`, in game 0 of the seed; or in `position` itself if it is given.

    Returns -1 - n if move n of `played`, or the answer, is asked for where the game is over or the move is none.
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
