"""The tasks of a worker, what it does beside them, and the servers that one command starts."""
