"""The road: every command, from every surface, takes it."""
