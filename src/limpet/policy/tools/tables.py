"""Names of options -> entries of a table."""

from __future__ import annotations


def texts(names: str) -> dict[str, str]:
    """Options that take a value which means nothing to anybody else."""
    return dict.fromkeys(names.split(), "text")


def reads(names: str) -> dict[str, str]:
    """Options that take a file to read."""
    return dict.fromkeys(names.split(), "read")


def writes(names: str) -> dict[str, str]:
    """Options that take a file to write."""
    return dict.fromkeys(names.split(), "write")
