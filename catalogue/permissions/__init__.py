"""Who may do what: the roles, and what each address asks for. Data; a test goes through it address by address."""
