"""What pages and API share of a request: who asks, where things are, and how a mistake is answered."""
