"""The games as environments of the usual interfaces of game research, for programs that learn to play.

`numbered`     a game in whole numbers: moves, throws with their chances, what is observed, results; needs nothing else
`openspiel`    the same as a game of OpenSpiel: `pip install 'traditional-games-engine[openspiel]'`
`pettingzoo`   the same as an environment of PettingZoo: `pip install 'traditional-games-engine[pettingzoo]'`

The referee plays, so that what is learnt is learnt of the rules as they are read; a ply costs a fraction of a
millisecond to a few.
"""
