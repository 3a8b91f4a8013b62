"""The boards of the race games, by name. The order is that of the schema's list."""

from simulator.engine.boards.race_crosses import CASTLES, CORNERS, CROSSES, PLAIN
from simulator.engine.boards.race_figures import KAWADE, MARIN, PANCHA, SPIRAL
from simulator.engine.boards.tracks import Board

BOARDS: dict[str, Board] = {
    board.name: board for board in (CASTLES, CROSSES, PLAIN, CORNERS, SPIRAL, PANCHA, KAWADE, MARIN)
}
