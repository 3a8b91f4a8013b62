"""A copy of the catalogue that a web server alone can serve: pages as files, with what needs the program left out."""
