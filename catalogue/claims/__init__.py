"""What sources claim of games, tested."""
