"""What a worker is told to do, what it does beside that, and the servers that one command starts."""
