"""What we want -> exactly what will be executed."""
