"""Who changed what in the catalogue, when and why."""
