"""Things that programs do to files, as values: carried out in the current folder, alike every time."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from typing import TYPE_CHECKING

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Sequence

Operation = tuple[str, *tuple[object, ...]]

NAMES = (b"a", b"b", b"c", b"A", b"with space", b"\xff\xfe", "é".encode(), b".hidden", b"-n", b"two\nlines")
LONG_AGO = 1_000_000_000


class Doer:
    """One method an operation. What the system refuses is left out: it refuses both times or is a finding."""

    def __init__(self) -> None:
        self.count = 0

    def do(self, operations: Sequence[Operation]) -> None:
        for name, *given in operations:
            self.count += 1
            with contextlib.suppress(OSError, shutil.Error):
                getattr(self, name)(*given)

    def write(self, path: bytes, text: bytes) -> None:
        _no_pipe(path)
        with open(path, "wb") as file:
            file.write(text if text != b"LONG" else b"line\n" * 2000)
        self._date(path)

    def append(self, path: bytes, text: bytes) -> None:
        _no_pipe(path)
        with open(path, "ab") as file:
            file.write(text)
        self._date(path)

    def replace(self, path: bytes, text: bytes) -> None:
        """As editors and `sed -i` do."""
        self.write(path + b".tmp", text)
        os.rename(path + b".tmp", path)

    def sparse(self, path: bytes, size: int) -> None:
        _no_pipe(path)
        with open(path, "wb") as file:
            file.truncate(size)
            file.seek(size // 2)
            file.write(b"data")
        self._date(path)

    def remove(self, path: bytes) -> None:
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path, ignore_errors=True)  # all that can go, in whatever order it is listed
        else:
            os.unlink(path)

    def folder(self, path: bytes) -> None:
        os.makedirs(path)

    def renew(self, path: bytes, name: bytes) -> None:
        """A folder deleted and made again, with something else in it."""
        self.remove(path)
        os.mkdir(path)
        self.write(path + b"/" + name, b"renewed")

    def move(self, path: bytes, to: bytes) -> None:
        """A folder as `mv` does between disks: a layer cannot rename one that was there before."""
        if os.path.isdir(path) and not os.path.islink(path):
            if to.startswith(path + b"/") or os.path.lexists(to):
                return
            shutil.copytree(os.fsdecode(path), os.fsdecode(to), symlinks=True)
            shutil.rmtree(path, ignore_errors=True)  # all that can go, in whatever order it is listed
        else:
            os.rename(path, to)

    def symlink(self, path: bytes, target: bytes) -> None:
        os.symlink(target, path)
        self._date(path)

    def link(self, path: bytes, to: bytes) -> None:
        os.link(path, to, follow_symlinks=False)

    def pipe(self, path: bytes) -> None:
        os.mkfifo(path)
        self._date(path)

    def socket(self, path: bytes) -> None:
        os.mknod(path, stat.S_IFSOCK | 0o600)
        self._date(path)

    def retype(self, path: bytes, kind: str) -> None:
        """Something else in the same place: a file, a folder, a link to nowhere or to itself."""
        self.remove(path)
        if kind == "folder":
            os.mkdir(path)
        elif kind == "file":
            self.write(path, b"retyped")
        else:
            self.symlink(path, b"nowhere" if kind == "dangling" else os.path.basename(path))

    def mode(self, path: bytes, mode: int) -> None:
        """Not of a file with two names: the kernel's overlay goes on to check the former mode by the other one."""
        if os.path.isdir(path) or os.lstat(path).st_nlink == 1:
            os.chmod(path, mode, follow_symlinks=True) if not os.path.islink(path) else None

    def attribute(self, path: bytes, name: str, value: bytes) -> None:
        os.setxattr(path, "user." + name, value)

    def plain(self, path: bytes) -> None:
        for name in os.listxattr(path):
            os.removexattr(path, name)

    def touch(self, path: bytes) -> None:
        self._date(path)

    def _date(self, path: bytes) -> None:
        """A time that is the same in every run."""
        when = (LONG_AGO + self.count) * 10**9 + 123_456_789
        os.utime(path, ns=(when, when), follow_symlinks=False)


def _no_pipe(path: bytes) -> None:
    """Who writes to a pipe waits for a reader."""
    if os.path.exists(path) and stat.S_ISFIFO(os.stat(path).st_mode):
        raise BlockingIOError(path)


def is_dated(mtime_ns: int) -> bool:
    """Whether a time was set on purpose."""
    return mtime_ns < (LONG_AGO + 10**6) * 10**9


names = st.one_of(st.sampled_from(NAMES[:2]), st.sampled_from(NAMES))
paths = st.lists(names, min_size=1, max_size=3).map(b"/".join)
texts = st.one_of(st.binary(max_size=40), st.sampled_from((b"short", b"LONG")))
modes = st.sampled_from((0o644, 0o755, 0o700, 0o500, 0o555, 0o000, 0o2755, 0o4755, 0o1777, 0o600))

operations: st.SearchStrategy[list[Operation]] = st.lists(
    st.one_of(
        st.tuples(st.just("write"), paths, texts),
        st.tuples(st.just("append"), paths, texts),
        st.tuples(st.just("replace"), paths, texts),
        st.tuples(st.just("sparse"), paths, st.sampled_from((1 << 16, 5 << 20))),
        st.tuples(st.just("remove"), paths),
        st.tuples(st.just("folder"), paths),
        st.tuples(st.just("renew"), paths, st.sampled_from(NAMES)),
        st.tuples(st.just("move"), paths, paths),
        st.tuples(st.just("symlink"), paths, paths),
        st.tuples(st.just("link"), paths, paths),
        st.tuples(st.just("pipe"), paths),
        st.tuples(st.just("socket"), paths),
        st.tuples(st.just("retype"), paths, st.sampled_from(("file", "folder", "dangling", "loop"))),
        st.tuples(st.just("mode"), paths, modes),
        st.tuples(st.just("attribute"), paths, st.sampled_from(("x", "y")), st.binary(max_size=8)),
        st.tuples(st.just("plain"), paths),
        st.tuples(st.just("touch"), paths),
    ),
    max_size=25,
)
