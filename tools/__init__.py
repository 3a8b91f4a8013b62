"""Commands and measurements for developers of the project; the site and its workers never import them."""
