"""What the user keeps secret stays secret, and so does what processes share by name."""

from __future__ import annotations

from attack.escapes.trying_both import both_users, every_deed, succeeds_only_without


@both_users
@every_deed("secrets")
def test_a_secret_stays_one(name: str, who: str) -> None:
    succeeds_only_without("secrets", name, who)


@both_users
@every_deed("ipc")
def test_what_is_shared_by_name_is_not_there(name: str, who: str) -> None:
    succeeds_only_without("ipc", name, who)
