"""Landlock in force: ways around it tried by real processes, each of which works without it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from limpet.kernel import landlock
from sandbox.trying import as_root_and_nobody, script

if TYPE_CHECKING:
    from collections.abc import Iterator

VERSION = landlock.version()
pytestmark = pytest.mark.skipif(VERSION == 0, reason="this kernel has no Landlock")

since = {
    name: pytest.mark.skipif(first > VERSION, reason=f"needs version {first} of Landlock")
    for name, first in {"tcp": 4, "devices": 5, "scopes": 6}.items()
}


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that anybody may work in: `inside` will be allowed, `outside` not. (pytest's own are for one user.)"""
    found = Path(tempfile.mkdtemp(prefix="limpet-landlock-"))
    for folder in ("inside/a", "inside/b", "outside/folder"):
        (found / folder).mkdir(parents=True)
    for file in ("inside/file", "inside/a/file", "outside/file", "outside/other"):
        (found / file).write_text("text\n")
    (found / "inside/link").symlink_to("../outside/file")
    (found / "inside/linked").symlink_to("../outside")
    for each in [found, *found.rglob("*")]:
        if not each.is_symlink():
            each.chmod(0o777 if each.is_dir() else 0o666)
    yield found
    shutil.rmtree(found)


# Each starts in a fresh `place`, with `inside` as its working folder.
OUTSIDE = {
    "write a new file": "open('../outside/new', 'w')",
    "overwrite": "open('../outside/file', 'w')",
    "append": "open('../outside/file', 'a')",
    "write in place": "os.open('../outside/file', os.O_RDWR)",
    "cut short": "os.truncate('../outside/file', 0)",
    "remove": "os.unlink('../outside/file')",
    "make a folder": "os.mkdir('../outside/new')",
    "remove a folder": "os.rmdir('../outside/folder')",
    "make a link": "os.symlink('x', '../outside/new')",
    "make a fifo": "os.mkfifo('../outside/new')",
    "make a socket": "socket.socket(socket.AF_UNIX).bind('../outside/new')",
    "rename there": "os.rename('../outside/file', '../outside/new')",
    "rename over": "os.rename('../outside/other', '../outside/file')",
    "move out": "os.rename('file', '../outside/new')",
    "move in": "os.rename('../outside/file', 'new')",
    "link out": "os.link('file', '../outside/new')",
    "link in": "os.link('../outside/file', 'new')",
    "through a link": "open('link', 'w')",
    "through a linked folder": "open('linked/new', 'w')",
    "through a link made now": "open(os.symlink('../outside/other', name := str(os.getpid())) or name, 'a')",
    "by /proc/self/root": "open('/proc/self/root' + os.path.abspath('../outside/file'), 'w')",
    "by /proc/self/cwd": "open('/proc/self/cwd/../outside/file', 'w')",
    "by a descriptor reopened": "open(f\"/proc/self/fd/{os.open('../outside/file', os.O_RDONLY)}\", 'w')",
    "by a folder's descriptor": "os.open('file', os.O_WRONLY, dir_fd=os.open('../outside', os.O_RDONLY))",
    "by a file without a name": "os.open('../outside', os.O_TMPFILE | os.O_RDWR)",
}

INSIDE = {
    "write a new file": "open('new', 'w').write('x')",
    "overwrite": "open('file', 'w').write('x')",
    "cut short": "os.truncate('file', 0)",
    "make and remove a folder": "(os.mkdir('new'), os.rmdir('new'))",
    "make a link": "os.symlink('x', 'new')",
    "make a fifo": "os.mkfifo('new')",
    "make a socket": "socket.socket(socket.AF_UNIX).bind('new')",
    "rename over": "os.rename('file', 'a/file')",
    "move a folder": "os.rename('a', 'b/a')",
    "link to another folder": "os.link('a/file', 'b/file')",
    "remove": "os.unlink('file')",
    "a file without a name": "os.open('.', os.O_TMPFILE | os.O_RDWR)",
    "read outside": "open('../outside/file').read()",
    "list outside": "os.listdir('../outside')",
    "run a program": "subprocess.run(['/bin/true'], check=True)",
    "write to /dev/null": "open('/dev/null', 'w').write('x')",
    "write to a pipe": "os.write(os.pipe()[1], b'x')",
}


def rules(place: Path, **more: Any) -> dict[str, Any]:
    return {"read": ["/"], "write": [str(place / "inside")], "use": ["/dev/null"], **more}


def tried(expression: str, place: Path, **wishes: Any) -> str:
    (answer,) = script(f"tell(word(lambda: {expression}))", cwd=place / "inside", **wishes)
    assert isinstance(answer, str)
    return answer


def contents(place: Path) -> dict[str, str]:
    return {str(each.relative_to(place)): each.read_text() if each.is_file() else "" for each in place.rglob("*")}


@as_root_and_nobody
@pytest.mark.parametrize("way", OUTSIDE)
def test_nothing_is_written_outside(way: str, uid: int | None, place: Path) -> None:
    before = contents(place / "outside")
    refused = tried(OUTSIDE[way], place, uid=uid, landlock=rules(place))
    assert (refused in ("EACCES", "EXDEV"), contents(place / "outside")) == (True, before), refused
    assert tried(OUTSIDE[way], place, uid=uid) == "ok"


@as_root_and_nobody
@pytest.mark.parametrize("way", INSIDE)
def test_work_inside_goes_on_as_ever(way: str, uid: int | None, place: Path) -> None:
    assert tried(INSIDE[way], place, uid=uid, landlock=rules(place)) == "ok"


@as_root_and_nobody
def test_what_may_not_be_read_is_not_read_listed_or_run(uid: int | None, place: Path) -> None:
    shutil.copy("/bin/true", place / "outside/program")
    (place / "outside/program").chmod(0o755)
    ways = ["open('../outside/file')", "os.listdir('../outside')", "os.execv('../outside/program', ['x'])"]
    text = f"for way in {ways!r}: tell(word(lambda: eval(way)))"
    narrow = {"read": ["/usr", "/lib", "/lib64"], "write": [str(place / "inside")]}
    assert script(text, cwd=place / "inside", uid=uid, landlock=narrow) == ["EACCES"] * 3


@as_root_and_nobody
def test_a_rule_on_a_file_is_about_that_file_only(uid: int | None, place: Path) -> None:
    ways = ["open('../outside/file', 'w')", "open('../outside/other', 'w')", "os.unlink('../outside/file')"]
    text = f"for way in {ways!r}: tell(word(lambda: eval(way)))"
    file = rules(place, write=[str(place / "outside/file")])
    assert script(text, cwd=place / "inside", uid=uid, landlock=file) == ["ok", "EACCES", "EACCES"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes device nodes")
def test_device_nodes_are_not_made_even_inside(place: Path) -> None:
    make = "os.mknod('null', 0o020666, os.makedev(1, 3))"
    assert tried(make, place, landlock=rules(place)) == "EACCES"
    assert tried(make, place) in ("ok", "EPERM")  # a container's root may lack the right


@since["devices"]
@as_root_and_nobody
def test_devices_take_commands_only_where_they_may_be_used(uid: int | None, place: Path) -> None:
    ask = "fcntl.ioctl(os.open('/dev/null', os.O_RDONLY), 0x5401, bytes(64))"  # TCGETS
    found = [tried(ask, place, uid=uid, landlock=rules(place, use=used)) for used in ([], ["/dev/null"])]
    assert found == ["EACCES", "ENOTTY"]


def test_devices_are_not_written_where_they_may_not_be_used(place: Path) -> None:
    assert tried("open('/dev/null', 'w')", place, landlock=rules(place, use=[])) == "EACCES"


@since["tcp"]
@as_root_and_nobody
def test_tcp_goes_to_named_ports_only(uid: int | None, place: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        connect = f"socket.socket().connect(('127.0.0.1', {port}))"
        found = [tried(connect, place, uid=uid, landlock=rules(place, connect=to)) for to in ([], [port], None)]
        assert found == ["EACCES", "ok", "ok"]


@since["tcp"]
@as_root_and_nobody
def test_tcp_listens_on_named_ports_only(uid: int | None, place: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]  # free once this is closed
    listen = f"socket.socket().bind(('127.0.0.1', {port}))"
    found = [tried(listen, place, uid=uid, landlock=rules(place, bind=on)) for on in ([], [port], None)]
    assert found == ["EACCES", "ok", "ok"]


@since["scopes"]
@as_root_and_nobody
def test_abstract_sockets_of_others_are_out_of_reach(uid: int | None, place: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        name = f"\0{place}"
        server.bind(name)
        server.listen(4)
        connect = f"socket.socket(socket.AF_UNIX).connect({name!r})"
        found = [tried(connect, place, uid=uid, landlock=rules(place, scoped=scoped)) for scoped in (True, False)]
    assert found == ["EPERM", "ok"]


@since["scopes"]
@as_root_and_nobody
def test_signals_do_not_reach_others(uid: int | None, place: Path) -> None:
    with subprocess.Popen(["sleep", "60"], user=uid) as victim:
        kill = f"os.kill({victim.pid}, 0)"
        found = [tried(kill, place, uid=uid, landlock=rules(place, scoped=scoped)) for scoped in (True, False)]
        victim.kill()
    assert found == ["EPERM", "ok"]


AMONG_THEMSELVES = """
server = socket.socket(socket.AF_UNIX); server.bind("\\0mine"); server.listen(1)
tell(word(lambda: socket.socket(socket.AF_UNIX).connect("\\0mine")))
child = subprocess.Popen(["sleep", "60"])
tell(word(child.kill)); child.wait()
"""


@as_root_and_nobody
def test_sockets_and_signals_work_among_themselves(uid: int | None, place: Path) -> None:
    text = AMONG_THEMSELVES.replace("mine", place.name)
    assert script(text, uid=uid, cwd=place / "inside", landlock=rules(place)) == ["ok", "ok"]


STATUS = "tell([line.split()[1] for line in open('/proc/self/status') if line.startswith('NoNewPrivs')])"


@as_root_and_nobody
def test_no_new_privileges_come_with_it(uid: int | None, place: Path) -> None:
    assert script(STATUS, uid=uid, landlock=rules(place)) == [["1"]]


LEFT_OUT = """
os.symlink("nowhere", "dangling"); os.symlink("loop", "loop")
paths = ["missing", "file/below", "dangling", "loop", "a"]
tell(landlock.restrict(landlock.plan(landlock.version(), write=paths)))
tell([word(lambda: open(name, "w")) for name in ("a/new", "b/new", "missing")])
"""


def test_paths_that_are_not_there_are_left_out_and_named(place: Path) -> None:
    left_out, answers = script(LEFT_OUT, cwd=place / "inside")
    assert left_out == ["missing", "file/below", "dangling", "loop"]
    assert answers == ["ok", "EACCES", "EACCES"]


SHARED = """
built = landlock.build(landlock.plan(landlock.version(), read=["/"], write=["a"]).packed())
take_on = landlock.prepare(built.fd)
def in_child(action, way):
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        landlock.enforce(built.fd) if way == "now" else take_on()
        os.write(write, word(action).encode()); os._exit(0)
    os.waitpid(pid, 0)
    return os.read(read, 99).decode()
tell([in_child(lambda: open(name, "w"), way) for way in ("now", "prepared") for name in ("a/new", "b/new")])
tell([word(lambda: open("b/new", "w")), os.get_inheritable(built.fd), built.left_out])
"""


@as_root_and_nobody
def test_rules_built_once_restrict_many_children_and_not_the_parent(uid: int | None, place: Path) -> None:
    assert script(SHARED, uid=uid, cwd=place / "inside") == [["ok", "EACCES"] * 2, ["ok", False, []]]


def test_rules_without_landlock_are_refused_rather_than_ignored() -> None:
    with pytest.raises(OSError, match="not supported"):
        landlock.restrict(landlock.plan(0, read=["/"]))


OLD_VERSIONS = """
tell({
    "MOVES": word(lambda: os.rename("file", "b/moved")),
    "TRUNCATE": word(lambda: os.truncate("../outside/file", 1)),
    "TCP": word(lambda: socket.socket().bind(("127.0.0.1", 0))),
    "DEVICES": word(lambda: fcntl.ioctl(os.open("/dev/null", os.O_RDONLY), 0x5401, bytes(64))),
    "SCOPES": word(lambda: os.kill(os.getppid(), 0)),
})
tell(word(lambda: open("../outside/file", "w")))
"""


@pytest.mark.parametrize("version", range(1, 8))
def test_an_older_version_lacks_exactly_what_it_is_said_to_lack(version: int, place: Path) -> None:
    """A kernel takes rules written for older ones: what they do not speak of is open, and moves are closed."""
    if version > VERSION:
        pytest.skip(f"this kernel has version {VERSION}")
    wishes = rules(place, version=version, use=[], bind=[], connect=[])
    tried, written = script(OLD_VERSIONS, cwd=place / "inside", landlock=wishes)
    open_ways = {"MOVES": "EXDEV", "TRUNCATE": "ok", "TCP": "ok", "DEVICES": "ENOTTY", "SCOPES": "ok"}
    closed = {"MOVES": "ok", "TRUNCATE": "EACCES", "TCP": "EACCES", "DEVICES": "EACCES", "SCOPES": "EPERM"}
    missing = {each.name for each in landlock.plan(version, bind=[], connect=[]).missing}
    assert (tried, written) == ({name: (open_ways if name in missing else closed)[name] for name in closed}, "EACCES")
