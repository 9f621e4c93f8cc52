"""What the kernel does for a command ends at the walls: namespaces, mounts, keys, rings, devices, settings, rights."""

from __future__ import annotations

from attack.escapes.trying_both import both_users, every_deed, succeeds_only_without


@both_users
@every_deed("kernel")
def test_the_kernel_refuses(name: str, who: str) -> None:
    succeeds_only_without("kernel", name, who)


@both_users
@every_deed("devices")
def test_there_is_no_device_but_harmless_ones(name: str, who: str) -> None:
    succeeds_only_without("devices", name, who)


@both_users
@every_deed("sysctl")
def test_the_machine_is_not_to_be_changed(name: str, who: str) -> None:
    succeeds_only_without("sysctl", name, who)


@both_users
@every_deed("rights")
def test_no_rights_are_to_be_gained(name: str, who: str) -> None:
    succeeds_only_without("rights", name, who)
