"""Nobody outside hears from a command whose network is off."""

from __future__ import annotations

from attack.escapes.trying_both import both_users, every_deed, succeeds_only_without


@both_users
@every_deed("sockets")
def test_a_listener_outside_hears_nothing(name: str, who: str) -> None:
    succeeds_only_without("sockets", name, who)
