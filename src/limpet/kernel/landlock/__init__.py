"""Files, TCP ports, sockets and signals that a command may use -> all others refused by the kernel, for good.

`rights.py` has the kernel's bits and when they came, `plan.py` turns wishes into rules for the kernel at hand and says
what it lacks, `restrict.py` puts rules into force.
"""

from limpet.kernel.landlock.plan import Missing, Packed, Rules, plan
from limpet.kernel.landlock.restrict import Ruleset, build, enforce, enforce_packed, prepare, restrict, version

__all__ = [
    "Missing",
    "Packed",
    "Rules",
    "Ruleset",
    "build",
    "enforce",
    "enforce_packed",
    "plan",
    "prepare",
    "restrict",
    "version",
]
