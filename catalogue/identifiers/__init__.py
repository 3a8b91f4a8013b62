"""What things are called for good, and what programmes read of them."""
