"""One command that shows everything on one machine: what it starts, what it looks at, and what may be wrong."""
