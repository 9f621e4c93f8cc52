"""What Landlock can refuse -> the kernel's bits for it, and the version of Landlock that brought each."""

from __future__ import annotations

from enum import IntFlag


class File(IntFlag):
    """Rights on files and folders; given for a folder, they hold for everything beneath."""

    EXECUTE = 1 << 0
    WRITE_FILE = 1 << 1
    READ_FILE = 1 << 2
    READ_DIR = 1 << 3
    REMOVE_DIR = 1 << 4
    REMOVE_FILE = 1 << 5
    MAKE_CHAR = 1 << 6
    MAKE_DIR = 1 << 7
    MAKE_REG = 1 << 8
    MAKE_SOCK = 1 << 9
    MAKE_FIFO = 1 << 10
    MAKE_BLOCK = 1 << 11
    MAKE_SYM = 1 << 12
    REFER = 1 << 13
    """Moving or linking from one folder to another."""
    TRUNCATE = 1 << 14
    IOCTL_DEV = 1 << 15


class Net(IntFlag):
    """Rights on TCP ports."""

    BIND = 1 << 0
    CONNECT = 1 << 1


class Scope(IntFlag):
    """What must not cross to processes outside."""

    ABSTRACT_SOCKET = 1 << 0
    SIGNAL = 1 << 1


FIRST = File(File.REFER - 1)
"""What the first version has."""

REFER_SINCE, TRUNCATE_SINCE, TCP_SINCE, IOCTL_SINCE, SCOPES_SINCE = 2, 3, 4, 5, 6

ON_FILES = File.EXECUTE | File.WRITE_FILE | File.READ_FILE | File.TRUNCATE | File.IOCTL_DEV
"""The kernel refuses rules that give other rights on anything but a folder."""

READ = File.EXECUTE | File.READ_FILE | File.READ_DIR

WRITE = FIRST & ~(File.MAKE_CHAR | File.MAKE_BLOCK) | File.REFER | File.TRUNCATE
"""All that work on files needs. Device nodes are left out: one made in the workspace would be the device itself."""

USE = READ | File.WRITE_FILE | File.TRUNCATE | File.IOCTL_DEV
"""For devices: to talk to what is there, without making or removing anything."""
