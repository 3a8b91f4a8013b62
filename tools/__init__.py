"""What only developers of the project run; the site and its workers never import it."""
