"""Sockets that are no way to talk to anybody but the kernel, the hypervisor or the wire."""

from __future__ import annotations

import contextlib
import fcntl
import socket
import struct

from attack.escapes.deed import DONE, ROOT, ROOT_ON_SOME_HOSTS, SOME_HOSTS, Loot, Victim, deed
from attack.escapes.deeds_kernel import NAMESPACES
from limpet.kernel.syscalls import call


@deed("kernel", ROOT)
def send_any_packet(victim: Victim) -> Loot:
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close()
    return DONE


@deed("kernel", ROOT_ON_SOME_HOSTS)
def hear_all_packets(victim: Victim) -> Loot:
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0).close()
    return DONE


@deed("kernel", SOME_HOSTS)
def talk_to_the_hypervisor(victim: Victim) -> Loot:
    socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM).close()
    return DONE


@deed("kernel", SOME_HOSTS)
def use_the_cryptography_of_the_kernel(victim: Victim) -> Loot:
    socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET).close()
    return DONE


@deed("kernel", SOME_HOSTS)
def talk_to_the_audit_of_the_kernel(victim: Victim) -> Loot:
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 9).close()
    return DONE


@deed("kernel", SOME_HOSTS)
def talk_to_the_firewall(victim: Victim) -> Loot:
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 12).close()
    return DONE


@deed("kernel", ROOT_ON_SOME_HOSTS)
def set_up_the_network(victim: Victim) -> Loot:
    """Takes the loopback of a namespace of its own up."""
    with contextlib.suppress(OSError):
        call("unshare", NAMESPACES["network"])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        fcntl.ioctl(sock, 0x8914, struct.pack("16sH22x", b"lo", 1))
    return DONE
