"""Transactions: what commands change is kept apart from the workspace, looked at, committed, undone or dropped."""
