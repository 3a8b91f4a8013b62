"""Which doubt about a game matters: all its questions varied together."""
