"""The strength of players: replies in the browser, tuning, exact solutions, and whether a level beats the next."""
