"""A user, an area and a way of running -> every deed of the area tried against victims of its own, and what fell."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import secrets
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from attack.escapes.deed import deeds
from attack.hostile import User, somebody
from commandline import SOURCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from attack.escapes.deed import Victim

HERE = Path(__file__).parent
ORDINARY = 61234
"""A user without a name, without rights, and without processes."""
_VISIBLE = ("/opt", "/srv", "/var/lib", str(SOURCE.parent))
"""Folders that a command behind walls sees as they are; of /tmp it sees nothing anyway."""


HIDDEN = ("/tmp/", "/var/tmp/", "/dev/shm/", "/run/")
"""Where a command behind walls sees nothing but its own."""


class Scene(NamedTuple):
    """Where it happens, and as whom."""

    uid: int
    place: Path
    """The user's own: a home, a workspace, and a folder outside of it."""
    user: User
    contained: bool
    secret: str
    """In the environment of whoever starts the command."""

    @property
    def open_file(self) -> Path:
        """Held open by whoever starts the command, not by the command."""
        return self.place / "open-file"

    @property
    def prefix(self) -> tuple[str, ...]:
        """What makes a command line the user's."""
        return self.user._prefix

    @property
    def ours(self) -> Path:
        """A copy of what attackers need of limpet."""
        return self.place / "ours"

    @property
    def path_inside(self) -> str:
        """Where a contained Python looks: a checkout that lies in /tmp may be seen there and not be read."""
        return f"{self.ours}{os.pathsep}{self.user.environment()['PYTHONPATH']}"

    @property
    def python(self) -> str:
        """An interpreter that a command behind walls sees: a checkout, and with it ours, may lie in /tmp."""
        found = self.user._python
        return os.path.realpath(found) if found.startswith(HIDDEN) else found

    @property
    def home(self) -> Path:
        return self.place / "home"

    @property
    def workspace(self) -> Path:
        return self.place / "around" / "workspace"

    @property
    def outside(self) -> Path:
        return self.place / "outside"

    def make(self) -> None:
        """Its folders."""
        for folder in (self.place, self.home, self.workspace.parent, self.workspace, self.outside):
            self.folder(folder)
        self.file(self.open_file)

    def part(self, number: int) -> Scene:
        """A scene of its own for one of many attempts."""
        new = self._replace(place=self.place / f"part-{number}")
        new.make()
        return new

    def own(self, path: Path) -> Path:
        """It belongs to the user."""
        os.chown(path, self.uid, self.uid, follow_symlinks=False)
        return path

    def folder(self, path: Path) -> Path:
        """Made, and the user's."""
        path.mkdir(exist_ok=True)
        return self.own(path)

    def file(self, path: Path, text: str = "as it was\n") -> Path:
        """The same for a file."""
        path.write_text(text)
        return self.own(path)

    def limpet(self, option: str, command: str) -> list[str]:
        """The command line behind walls."""
        return self.user.limpet("run", "--sandbox", "native", *([option] if option else []), "--", command)

    def environment(self) -> dict[str, str]:
        """Of whoever starts the command, with something in it that is nobody's business."""
        places = {"HOME": str(self.home), "LIMPET_STATE_DIR": str(self.home / "state")}
        return {**self.user.environment(), **places, "MY_API_KEY": self.secret}


class Victims(Protocol):
    """What is attacked, ready to be looked at again afterwards."""

    told: dict[str, Victim]
    """By name of the deed: what the attacker is told."""

    def fell(self, name: str, loot: bytes | None) -> bool:
        """Whether the deed was done to its victim, seen from outside; `loot` is what the attacker brought back."""


class Fate(NamedTuple):
    """What became of the victim of one deed."""

    fell: bool
    refused: str
    """What the attacker was told."""


_AS_BEFORE = """
exec 7<"$1"
shift
env -i PATH="$PATH" HOME="$HOME" PYTHONPATH="$PYTHONPATH" "$@" 7<&-
exit $?
"""


def plain(scene: Scene, argv: list[str]) -> None:
    """Without any sandbox: by a shell with the caller's environment and an open file, neither of which it passes on."""
    _run(scene, [*scene.prefix, "bash", "-c", _AS_BEFORE, "bash", str(scene.open_file), *argv])


def limpet(scene: Scene, argv: list[str], *options: str, sandbox: str = "native") -> None:
    """Behind limpet's walls."""
    command = f"PYTHONPATH={shlex.quote(scene.path_inside)} {shlex.join(argv)}"
    out = _run(scene, scene.user.limpet("run", "--sandbox", sandbox, "--json", *options, "--", command))
    result = json.loads(out)
    assert (result["guarantees"]["level"], result["exit_code"]) == (sandbox, 0), result


def limpet_online(scene: Scene, argv: list[str]) -> None:
    """The same, with the network that was granted."""
    limpet(scene, argv, "--network", "on")


def limpet_by_landlock(scene: Scene, argv: list[str]) -> None:
    """Behind the lower walls that limpet builds where there are no namespaces."""
    limpet(scene, argv, sandbox="landlock")


def _run(scene: Scene, argv: list[str]) -> bytes:
    done = subprocess.run(
        argv, cwd=scene.workspace, env=scene.environment(), stdin=subprocess.DEVNULL, capture_output=True, timeout=60
    )
    assert done.returncode == 0, (done.stdout[-1000:], done.stderr[-1000:])
    return done.stdout


@contextlib.contextmanager
def scene(who: str, *, contained: bool) -> Iterator[Scene]:
    """A place for one trial, gone afterwards."""
    with contextlib.ExitStack() as stack:
        found = stack.enter_context(somebody(who, Path("/")))
        prefix = tuple(word.replace("65534", str(ORDINARY)) for word in found._prefix)
        uid = os.geteuid() if who == "self" else ORDINARY
        place = Path(stack.enter_context(_folder()))
        place.chmod(0o755)
        new = Scene(uid, place, User(place, prefix, found._python), contained, secret())
        new.make()
        yield new


@contextlib.contextmanager
def _folder() -> Iterator[str]:
    base = next(folder for folder in _VISIBLE if os.access(folder, os.W_OK))
    place = tempfile.mkdtemp(prefix="limpet-escapes-", dir=base)
    try:
        yield place
    finally:
        subprocess.run(["chmod", "-R", "u+rwX", place], check=True, timeout=20)  # an attacker may have closed folders
        shutil.rmtree(place)


def trial(area: str, who: str, launch: Callable[[Scene, list[str]], None]) -> dict[str, Fate]:
    """Try every deed of an area: what became of each victim."""
    with scene(who, contained=launch is not plain) as here:
        bring_attackers(here)
        module = importlib.import_module(f"attack.escapes.victims_{area}")
        with module.victims(here) as victims:
            told = {one.name: victims.told[one.name] for one in deeds(area)}
            here.file(here.workspace / "victims.json", json.dumps(told))
            launch(here, [here.python, "-m", "attack.escapes.inside", area])
            return {one.name: _fate(here, victims, one.name) for one in deeds(area)}


def bring_attackers(here: Scene) -> None:
    """The attackers' code lies in the workspace, and is the user's; what it needs of ours lies beside."""
    package = here.workspace / "attack" / "escapes"
    shutil.copytree(HERE, package, ignore=shutil.ignore_patterns("__pycache__", "test_*"))
    ours = here.ours / "limpet"
    shutil.copytree(SOURCE / "limpet" / "kernel", ours / "kernel", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(SOURCE / "limpet" / "__init__.py", ours)
    for path in here.workspace.rglob("*"):
        here.own(path)


def _fate(here: Scene, victims: Victims, name: str) -> Fate:
    tried, loot, refused = (here.workspace / folder / name for folder in ("tried", "loot", "refused"))
    assert tried.exists(), f"{name} was not tried"
    fell = victims.fell(name, loot.read_bytes() if loot.exists() else None)
    return Fate(fell, refused.read_text() if refused.exists() else "it did not come back")


def secret() -> str:
    """Something that nobody can know who was not told."""
    return f"limpet-secret-{secrets.token_hex(12)}"
