"""Commands + rules -> a decision; pure."""
