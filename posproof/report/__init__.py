"""Ways of showing a run: terminal, JSON, JUnit, Markdown and notebook boxes."""
