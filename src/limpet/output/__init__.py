"""Bytes that a command printed -> what a reader should see; pure, total, and never slower than linear."""
