"""Ways to more rights: programs that lend them, other users, root. A victim is a file that is somebody else's."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from attack.escapes.deed import DONE, ROOT, Loot, Victim, deed


def shown(program: str, path: str) -> Loot:
    done = subprocess.run([program, path], capture_output=True, timeout=3)
    if done.returncode:
        raise PermissionError(done.stderr.decode())
    return done.stdout


@deed("rights")
def run_a_set_uid_program(victim: Victim) -> Loot:
    return shown(victim["set_uid"], victim["file"])


@deed("rights")
def run_a_set_gid_program(victim: Victim) -> Loot:
    return shown(victim["set_gid"], victim["group_file"])


@deed("rights")
def run_a_set_uid_program_in_the_workspace(victim: Victim) -> Loot:
    return shown(victim["set_uid_in_workspace"], victim["file"])


@deed("rights")
def run_a_program_with_capabilities(victim: Victim) -> Loot:
    return shown(victim["capable"], victim["file"])


@deed("rights")
def run_a_program_with_capabilities_in_the_workspace(victim: Victim) -> Loot:
    return shown(victim["capable_in_workspace"], victim["file"])


@deed("rights", ROOT)
def read_as_root(victim: Victim) -> Loot:
    return Path(victim["file"]).read_bytes()


@deed("rights", ROOT)
def become_somebody_else(victim: Victim) -> Loot:
    os.setgroups([])
    os.setresgid(victim["uid"], victim["uid"], victim["uid"])
    os.setresuid(victim["uid"], victim["uid"], victim["uid"])
    fd = os.open(victim["file"], os.O_RDONLY)
    found = os.read(fd, 4096)
    Path(victim["drop"]).write_bytes(found)  # the workspace is not theirs
    return found


@deed("rights", ROOT)
def become_somebody_else_for_files(victim: Victim) -> Loot:
    os.seteuid(victim["uid"])
    found = Path(victim["file"]).read_bytes()
    os.seteuid(0)
    return found


@deed("rights", ROOT)
def give_a_file_away(victim: Victim) -> Loot:
    Path("mine").touch()
    os.chown("mine", victim["uid"], victim["uid"])
    return DONE


@deed("rights", ROOT)
def make_a_program_with_capabilities(victim: Victim) -> Loot:
    Path("mine").touch()
    os.setxattr("mine", "security.capability", bytes.fromhex("0100000204000000000000000000000000000000"))
    return DONE


@deed("rights", ROOT)
def change_the_mode_of_what_is_anothers(victim: Victim) -> Loot:
    os.chmod(victim["file"], 0o444)
    return Path(victim["file"]).read_bytes()


@deed("rights", ROOT)
def read_the_passwords(victim: Victim) -> Loot:
    Path("/etc/shadow").read_bytes()
    return DONE
