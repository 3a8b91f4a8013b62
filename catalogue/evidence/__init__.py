"""A record as an apparatus: its words, the clauses they became, what they cover, and what stays open."""
