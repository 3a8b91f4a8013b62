/* Random games of Kalah (two rows of six holes, four counters in each) on the plan of the compiled kernel: hole by hole,
   with the generator of simulator/engine/randomness.py, so that the games are the same. */

#include <stdint.h>

enum { ROW = 6, AROUND = 2 * ROW, FULL = 4, CHOICE = 8, WIN = 0, DRAW = 1, UNFINISHED = 3 };

#define GAMMA 0x9E3779B97F4A7C15u

typedef struct {
    uint64_t key, drawn;
} Draws;

typedef struct {
    int holes[AROUND], stores[2], mover;
} Board;

static uint64_t mix(uint64_t value) {
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    return value ^ (value >> 31);
}

static Draws stream(uint64_t seed, uint64_t game, uint64_t number) {
    uint64_t key = mix((mix(seed + GAMMA) ^ game) + GAMMA);
    return (Draws){mix((key ^ number) + GAMMA), 0};
}

static uint64_t scaled_word(Draws *draws, uint32_t bound) {
    return (mix(draws->key + ++draws->drawn * GAMMA) >> 32) * bound;
}

/* Less than bound, without bias; a single option draws nothing. */
static int below(Draws *draws, uint32_t bound) {
    if (bound < 2)
        return 0;
    uint64_t product = scaled_word(draws, bound);
    if ((uint32_t)product < bound) {
        uint32_t least = -bound % bound;
        while ((uint32_t)product < least)
            product = scaled_word(draws, bound);
    }
    return product >> 32;
}

/* The holes that are not empty, as bits. */
static unsigned filled(const Board *board) {
    unsigned found = 0;
    for (int hole = 0; hole < AROUND; hole++)
        found |= (unsigned)(board->holes[hole] > 0) << hole;
    return found;
}

/* Sow from a hole and capture; returns whether the last counter fell into the mover's store. */
static int sow(Board *board, int start) {
    int *holes = board->holes, seat = board->mover, end = seat * ROW + ROW - 1;
    int hand = holes[start], place = start;
    holes[start] = 0;
    while (hand > 0) {
        if (place == end) {
            board->stores[seat]++;
            if (--hand == 0)
                return 1;
        }
        place = place + 1 < AROUND ? place + 1 : 0;
        holes[place]++;
        hand--;
    }
    int facing = AROUND - 1 - place;
    if (holes[place] == 1 && (place >= ROW) == seat && holes[facing] > 0) {
        board->stores[seat] += 1 + holes[facing];
        holes[place] = holes[facing] = 0;
    }
    return 0;
}

static int nth_bit(unsigned bits, int number) {
    while (number-- > 0)
        bits &= bits - 1;
    return __builtin_ctz(bits);
}

/* Play `games` games from number `first` on; for each the end, the winner as a bit, turns, decisions, options, and
   how often the lead changed: int32[games][6]. */
void play_games(int32_t *rows, int64_t games, uint64_t seed, uint64_t first, int64_t cap) {
    for (int64_t game = 0; game < games; game++) {
        Draws draws[2] = {stream(seed, first + game, CHOICE), stream(seed, first + game, CHOICE + 1)};
        Board board = {.mover = 0};
        int32_t turns = 0, decisions = 0, options = 0, changes = 0;
        int lead = 0, over = 0;
        for (int hole = 0; hole < AROUND; hole++)
            board.holes[hole] = FULL;
        unsigned rows_filled = filled(&board);
        while (!over && turns < cap) {
            unsigned own = rows_filled >> (board.mover * ROW) & ((1 << ROW) - 1);
            int found = __builtin_popcount(own);
            if (found > 1) {
                decisions++;
                options += found;
            }
            int again = sow(&board, board.mover * ROW + nth_bit(own, below(&draws[board.mover], found)));
            rows_filled = filled(&board);
            over = rows_filled >> ROW == 0 || (rows_filled & ((1 << ROW) - 1)) == 0;
            if (again && !over)
                continue;
            board.mover = 1 - board.mover;
            turns++;
            int ahead = board.stores[0] - board.stores[1];
            if (ahead != 0) {
                changes += lead == (ahead > 0 ? -1 : 1);
                lead = ahead > 0 ? 1 : -1;
            }
        }
        int margin = board.stores[0] - board.stores[1];
        for (int hole = 0; hole < AROUND; hole++)
            margin += hole < ROW ? board.holes[hole] : -board.holes[hole];
        int32_t *row = rows + 6 * game;
        row[0] = !over ? UNFINISHED : margin ? WIN : DRAW;
        row[1] = !over || margin == 0 ? 0 : margin > 0 ? 1 : 2;
        row[2] = turns;
        row[3] = decisions;
        row[4] = options;
        row[5] = changes;
    }
}
