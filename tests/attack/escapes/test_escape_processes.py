"""No process outside is read, changed or ended, nor is the one that started the command."""

from __future__ import annotations

from attack.escapes.trying_both import both_users, every_deed, succeeds_only_without


@both_users
@every_deed("processes")
def test_a_process_outside_is_undisturbed(name: str, who: str) -> None:
    succeeds_only_without("processes", name, who)


@both_users
@every_deed("launcher")
def test_whoever_starts_a_command_tells_it_nothing(name: str, who: str) -> None:
    succeeds_only_without("launcher", name, who)
