"""How games end, as a figure: of which games, in bars, in sentences and as a drawing to take away."""
