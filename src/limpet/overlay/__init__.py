"""Transactions: what commands change is kept apart from the workspace, looked at, committed, undone or dropped.

`place.create` opens one, `mount.layer` is what a sandbox needs to show it, `changes.changes` and `diff.diff` tell what
it changes, `commit.commit` takes that over and `undo.undo` takes it back. `recover.recover` puts right what a crash has
left, `kept.prune` forgets what is too old. `copies` does without an overlay.
"""
