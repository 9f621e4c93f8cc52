"""Nothing outside the workspace changes, whichever way a command tries."""

from __future__ import annotations

from attack.escapes.trying_both import both_users, every_deed, succeeds_only_without


@both_users
@every_deed("files")
def test_a_file_outside_is_as_it_was(name: str, who: str) -> None:
    succeeds_only_without("files", name, who)
