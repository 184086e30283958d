"""No exact evidence at the top; the topic has it."""
