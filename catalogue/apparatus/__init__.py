"""Words and the rules they became: anchors, clauses, questions, and a record as an apparatus."""
