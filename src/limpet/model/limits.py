"""What a run may spend, and what it spent."""

from __future__ import annotations

import msgspec


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Ceilings for one run; None leaves that one open."""

    cpu: float | None = None
    """CPU seconds of any one process."""
    memory: int | None = None
    """Bytes in use by all processes of the run together."""
    processes: int | None = None
    """Processes and threads of the run at one time."""
    file_size: int | None = None
    """Bytes of any one file it writes."""
    open_files: int | None = None
    """Descriptors of any one process."""
    output_disk: int | None = None
    """Bytes of output stored on disk; what comes after is counted, and its end is still shown."""


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """What a run really spent, from the kernel's own accounts."""

    cpu_user: float = 0.0
    cpu_system: float = 0.0
    max_rss: int = 0
    """Largest resident set of any one process, in bytes."""
    wall: float = 0.0
    """Seconds from start to the end of its last process."""
