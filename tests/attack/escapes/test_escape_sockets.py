"""Nobody outside hears from a command whose network is off."""

from __future__ import annotations

from attack.escapes.trying_both import both_users, every_deed, fates, succeeds_only_without


@both_users
@every_deed("sockets")
def test_a_listener_outside_hears_nothing(name: str, who: str) -> None:
    succeeds_only_without("sockets", name, who)


@both_users
def test_a_granted_network_is_no_way_to_the_sockets_of_this_machine(who: str) -> None:
    """TCP and UDP were asked for; the sockets of other programs were not."""
    reached = {name for name, fate in fates("sockets", who, "limpet_online").items() if fate.fell}
    assert {name for name in reached if not name.startswith(("tcp", "udp"))} == set()
    assert {"tcp", "udp"} <= reached
