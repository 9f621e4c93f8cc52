"""Which system calls a contained command may make -> a filter in the kernel that nothing can take off again.

`rules.py` has the words, `denied.py` and `arguments.py` the tables, `program.py` turns them into instructions with the
help of `assemble.py`, `install.py` hands those to the kernel.
"""

from limpet.kernel.seccomp.install import install, prepare
from limpet.kernel.seccomp.profile import profile
from limpet.kernel.seccomp.program import program

__all__ = ["install", "prepare", "profile", "program"]
