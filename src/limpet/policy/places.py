"""A path -> the kind of place it is."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable
from fnmatch import fnmatchcase
from functools import cached_property

import msgspec

from limpet.policy.overlap import is_wild
from limpet.policy.sensitive import holds_secrets, is_trusted, must_stay, names_of, why_later
from limpet.syntax.values.field import Field, Pattern, Unknown
from limpet.syntax.walk.folders import join_path


class Place(enum.StrEnum):
    """Kinds of places, by what a change there could do."""

    WORKSPACE = "inside the workspace"
    WORKSPACE_ITSELF = "the whole workspace"
    NOWHERE = "nowhere"
    """`/dev/null`, the terminal, the standard streams."""
    DEVICE = "a device"
    SOCKET = "a network connection"
    """bash's own `/dev/tcp` and `/dev/udp`."""
    ROOT = "the whole file system"
    SYSTEM = "a system folder"
    """The folder itself, or all that is in it."""
    HOMES = "a home folder"
    """The folder itself, or all that is in it, or the folder of all homes."""
    IN_SYSTEM = "inside a system folder"
    IN_HOME = "inside the home folder, outside the workspace"
    TEMPORARY = "a temporary folder"
    ELSEWHERE = "outside the workspace"
    UNKNOWN = "a place that is not known"


class World(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """What paths are judged against."""

    workspace: str
    home: str
    extra_writable: tuple[str, ...] = ()
    """Folders that may be written like the workspace."""
    resolve: Callable[[str], str] | None = None
    """Follows symbolic links of what exists; without it paths are judged by their text."""

    @cached_property
    def home_names(self) -> list[str]:
        """The home folder, name by name."""
        return names_of(self.home)

    @cached_property
    def workspace_names(self) -> list[str]:
        """The workspace, name by name."""
        return names_of(self.workspace)

    def keeps(self, names: list[str]) -> bool:
        """Whether a path, given name by name, should not leave the machine."""
        return holds_secrets(names, self.home_names, self.workspace_names) or must_stay(
            names, self.home_names, self.workspace_names
        )


class Judged(msgspec.Struct, frozen=True, dict=True):
    """A path and what is known of where it is; what is asked of few paths is found out when it is asked."""

    place: Place
    path: str
    """Absolute, for a person; with `…` for what is not known."""
    world: World
    real: str | None = None
    """Behind all links; None when nobody knows where it is."""
    ending: str = ""
    """Of one that nobody knows: how it ends."""

    @cached_property
    def names(self) -> list[str]:
        """What the tables are asked about: one that nobody knows could be in a home, and hold secrets there."""
        return names_of(self.world.home + self.ending if self.real is None else self.real)

    @cached_property
    def credential(self) -> bool:
        """Whether it holds keys, tokens or passwords."""
        if self.real is not None:
            return holds_secrets(self.names, self.world.home_names, self.world.workspace_names)
        return len(self.ending) > 1 and self.world.keeps(self.names)

    @cached_property
    def to_keep(self) -> bool:
        """Whether it should not leave the machine."""
        if self.credential or self.path != self.real:
            return self.credential or self.world.keeps(names_of(self.path))
        return must_stay(self.names, self.world.home_names, self.world.workspace_names)

    @cached_property
    def runs_later(self) -> str:
        """Why a file there makes some other program do something later; empty when it does not."""
        return why_later(self.names, self.world.home_names, self.world.workspace_names) if self.real is not None else ""

    @property
    def account(self) -> bool:
        """Accounts, boot, what the system trusts."""
        return self.real is not None and is_trusted(self.names)

    @property
    def inside(self) -> bool:
        """It lies in the workspace, whatever else that is: somebody's home may be their workspace."""
        return self.real is not None and is_inside(self.real, self.world.workspace)


_ANY_NAMES = ("a", "Makefile", "src", "0.txt")
"""A glob that matches all of these matches everything in a folder."""
_FOLLOWED = re.compile(r"^/proc/[^/]+/(?:cwd|root|task)(?:/|\Z)")
"""Where the kernel leads, no text tells."""
_NOWHERE = frozenset({
    "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero", "/dev/full", "/dev/random",
    "/dev/urandom",
})  # fmt: skip
_SYSTEM = (
    "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/media", "/mnt", "/nix", "/opt", "/proc",
    "/root", "/run", "/sbin", "/srv", "/sys", "/snap", "/usr", "/var", "/System", "/Library", "/Applications",
    "/private/etc", "/private/var",
)  # fmt: skip
_AS_A_WHOLE = frozenset({
    *_SYSTEM, "/usr/bin", "/usr/lib", "/usr/local", "/usr/sbin", "/usr/share", "/var/lib", "/var/log",
})  # fmt: skip
_TEMPORARY = ("/tmp", "/var/tmp", "/dev/shm", "/private/tmp")  # noqa: S108 - names to recognise, nothing is made there
_IN_SYSTEM = tuple(f"{folder}/" for folder in _SYSTEM)
_IN_TEMPORARY = tuple(f"{folder}/" for folder in _TEMPORARY)
_DEVICE_STARTS = (
    "/dev/sd", "/dev/hd", "/dev/vd", "/dev/xvd", "/dev/nvme", "/dev/mmcblk", "/dev/disk", "/dev/mapper/", "/dev/dm-",
    "/dev/md", "/dev/loop", "/dev/mem", "/dev/kmem", "/dev/port", "/dev/sg", "/dev/sr", "/dev/rdisk", "/dev/block/",
    "/dev/ram", "/dev/zram", "/dev/nbd", "/dev/fb", "/dev/mtd", "/dev/kvm", "/dev/fuse", "/dev/net/",
)  # fmt: skip


def judge_path(field: Field, cwd: str | None, world: World, *, loose: bool = False) -> Judged:
    """Where a path leads; `loose`: a name with a known beginning, such as `report-$x.txt`, stays in its folder."""
    text = _shown(field)
    if any(isinstance(piece, Unknown) for piece in field.pieces) and not _safe_beginning(field, loose=loose):
        return _unknown(field, text, world)
    path = join_path(cwd, text)
    if path is None or _FOLLOWED.search(text):
        return _unknown(field, text, world)
    real = world.resolve(path) if world.resolve is not None else path
    return Judged(_place(real, path, world), path, world, real)


def _unknown(field: Field, text: str, world: World) -> Judged:
    """Nobody knows where it is, but it may end like a place of secrets."""
    last = max((at for at, piece in enumerate(field.pieces) if isinstance(piece, Unknown)), default=-1)
    suffix = _shown(Field(field.pieces[last + 1 :]))
    end = suffix if suffix.startswith("/") else f"/{suffix.rpartition('/')[2]}"
    return Judged(Place.UNKNOWN, text, world, ending=end)


def _shown(field: Field) -> str:
    """The path with globs as they are and `…` for what is not known."""
    shown = []
    for piece in field.pieces:
        if isinstance(piece, str):
            shown.append(piece)
        else:
            shown.append(piece.text.replace("\\", "") if isinstance(piece, Pattern) else "…")
    return "".join(shown)


def _safe_beginning(field: Field, *, loose: bool) -> bool:
    """Whether it is known at least which folder it lies in, were it not for `..`."""
    if loose and field.prefix and not field.prefix.startswith((".", "/", "~")):
        return True
    return "/" in field.prefix.lstrip("/") or (field.prefix.startswith("/") and field.prefix.count("/") > 1)


def is_inside(path: str, folder: str) -> bool:
    """Whether a path is the folder, or lies in it; compared name by name."""
    folder = folder.rstrip("/")
    return path == folder or path.startswith(f"{folder}/") or folder == ""


def _place(real: str, path: str, world: World) -> Place:
    """`path` before, `real` after links were followed; a path that ends in a glob of everything means its folder."""
    folder = real.rsplit("/", 1)[0] or "/" if _is_everything(path.rpartition("/")[2]) else real
    return _special(real, path) or _folder(folder, world) or _around(folder, world)


def _is_everything(name: str) -> bool:
    """Whether a name is a glob of all that is in a folder."""
    if not is_wild(name):
        return False
    return name in (".*", ".[!.]*", ".??*", "*.*") or all(fnmatchcase(each, name) for each in _ANY_NAMES)


def _special(real: str, path: str) -> Place | None:
    if path in _NOWHERE or real in _NOWHERE or path.startswith(("/dev/fd/", "/proc/self/fd/", "/dev/pts/")):
        return Place.NOWHERE
    if path.startswith(("/dev/tcp/", "/dev/udp/")):
        return Place.SOCKET
    if real.startswith(_DEVICE_STARTS):
        return Place.DEVICE
    return None


def _folder(folder: str, world: World) -> Place | None:
    """A folder that matters as a whole."""
    workspace, home = world.workspace.rstrip("/") or "/", world.home.rstrip("/") or "/"
    if folder == "/":
        return Place.ROOT
    if folder in (home, "/home", "/Users", "/root") or _is_some_home(folder):
        return Place.HOMES
    if folder in _AS_A_WHOLE:
        return Place.SYSTEM
    if folder == workspace:
        return Place.WORKSPACE_ITSELF
    if is_inside(folder, workspace) or any(is_inside(folder, extra) for extra in world.extra_writable):
        return Place.WORKSPACE
    return Place.HOMES if is_inside(home, folder) else None


def _is_some_home(folder: str) -> bool:
    parts = folder.split("/")
    return len(parts) == 3 and parts[1] in ("home", "Users")


def _around(folder: str, world: World) -> Place:
    """Anything else."""
    if folder in _TEMPORARY or folder.startswith(_IN_TEMPORARY):
        return Place.TEMPORARY
    if is_inside(folder, world.home):
        return Place.IN_HOME
    if folder in _SYSTEM or folder.startswith(_IN_SYSTEM):
        return Place.IN_SYSTEM
    return Place.ELSEWHERE
