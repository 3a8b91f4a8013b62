"""What things are called for good, and what programs read of them."""
