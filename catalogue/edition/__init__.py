"""The edition: what is played, compared and judged of every record by one plan, and ships as files."""
