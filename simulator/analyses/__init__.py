"""What is concluded from batches of games."""
