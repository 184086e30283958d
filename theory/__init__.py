"""What is claimed: definitions in SymPy and claims made of formal clauses."""
