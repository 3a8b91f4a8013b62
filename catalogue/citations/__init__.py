"""How anything of the catalogue is cited."""
