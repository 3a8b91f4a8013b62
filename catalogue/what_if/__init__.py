"""What if a rule were another."""
