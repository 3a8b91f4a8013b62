"""Games between players who think, and a single answer of one: compiled once for all families."""

from simulator.engine.compiled import kernel_function
from simulator.engine.family import UNFINISHED
from simulator.engine.players.kernel.alpha_beta import alpha_beta_move
from simulator.engine.players.kernel.calls import (
    AT_STREAMS,
    END,
    FIRST_STREAM,
    LAST_STREAM,
    MOVING,
    START,
    WINNERS,
    address,
    ask,
    draw_move,
    lay,
    legal_moves,
    look,
    play,
)
from simulator.engine.players.kernel.greedy import greedy_move
from simulator.engine.players.kernel.uct import uct_move
from simulator.engine.players.names import ALPHA_BETA, GREEDY, RANDOM
from simulator.engine.randomness import CHOICE
from simulator.engine.randomness_kernel import below, open_search, open_streams

TURNS, DECISIONS, OPTIONS = 0, 1, 2


@kernel_function
def think(desk, player, position, counts, thought, out, seed, game, ply):
    """(the move of a player who thinks, number of options); int64[3] player: kind, budget, horizon.

    The draws of a search are its own: they depend on the seed, the game and the ply, and tell nothing of the throws to
    come. Where there is one option there is nothing to think about.
    """
    lay(desk, position, counts)
    options = legal_moves(desk, out)
    if options < 2:
        return out[0], options
    streams = desk[AT_STREAMS]
    desk[AT_STREAMS] = address(thought.streams)
    open_search(thought.streams, seed, game, ply, desk[FIRST_STREAM], desk[LAST_STREAM])
    if player[0] == RANDOM:
        move = out[below(thought.streams, CHOICE, options)]
    elif player[0] == GREEDY:
        move = greedy_move(desk, position, counts, thought)
    elif player[0] == ALPHA_BETA:
        move = alpha_beta_move(desk, position, counts, thought, out, player[1])
    else:
        move = uct_move(desk, position, counts, thought, out, player[1], player[2])
    desk[AT_STREAMS] = streams
    lay(desk, position, counts)
    return move, options


@kernel_function
def play_thinking(
    desk, players, rows, position, counts, streams, thought, out, listed, seed, choice_seed, first_game, cap, halt
):
    """Play len(rows) games and write their rows; returns the plies of the last.

    players: int64[seats, 3], kind, budget and horizon of each; listed: takes the first moves of the last game
    halt:    int64[1]; once it is not 0, the block stops at the next ply and its rows say nothing
    """
    ply = 0
    desk[AT_STREAMS] = address(streams)
    for g in range(len(rows)):
        open_streams(streams, seed, first_game + g, desk[FIRST_STREAM], CHOICE - 1)
        open_streams(streams, choice_seed, first_game + g, CHOICE, desk[LAST_STREAM])
        lay(desk, position, counts)
        ask(desk, START)
        ply = 0
        while desk[END] < 0 and counts[TURNS] < cap and halt[0] == 0:
            seat = desk[MOVING]
            if players[seat, 0] == RANDOM:
                move, options = draw_move(desk, CHOICE + seat, out)
            else:
                move, options = think(
                    desk, players[seat], position, counts, thought, out, choice_seed, first_game + g, ply
                )
            if options > 1:
                counts[DECISIONS] += 1
                counts[OPTIONS] += options
            if ply < len(listed):
                listed[ply] = move
            ply += 1
            play(desk, move)
        rows[g, 0] = UNFINISHED if desk[END] < 0 else desk[END]
        rows[g, 1] = desk[WINNERS]
        for i in range(2, rows.shape[1]):
            rows[g, i] = counts[i - 2]
    return ply


@kernel_function
def answer(desk, player, position, counts, streams, thought, out, played, is_given, seed):
    """What a player does after the moves in `played`, in game 0 of the seed; or in `position` itself if it is given.

    Returns -1 - n if move n of `played`, or the answer, is asked for where the game is over or the move is none.
    """
    desk[AT_STREAMS] = address(streams)
    open_streams(streams, seed, 0, desk[FIRST_STREAM], desk[LAST_STREAM])
    lay(desk, position, counts)
    if is_given:
        look(desk)
    else:
        ask(desk, START)
    for ply in range(len(played)):
        is_legal = False
        if desk[END] < 0:
            for k in range(legal_moves(desk, out)):
                is_legal |= out[k] == played[ply]
        if not is_legal:
            return -1 - ply
        play(desk, played[ply])
    if desk[END] >= 0:
        return -1 - len(played)
    return think(desk, player, position, counts, thought, out, seed, 0, len(played))[0]
