from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from limpet.sandbox.notified import Notified
from limpet.sandbox.secrets import Secrets
from living import wait_for

Change = Callable[[Path], object]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder, in another, with a file and a folder in it."""
    folder = tmp_path / "around" / "home"
    (folder / "below").mkdir(parents=True)
    (folder / "file").write_text("old")
    (tmp_path / "aside").write_text("new")
    return folder


def told_of(*folders: Path) -> Notified:
    notified = Notified(frozenset(map(str, folders)))
    notified.end(notified.begin())
    assert notified.quiet()
    return notified


CHANGES: dict[str, Change] = {
    "a new file": lambda home: (home / "new").touch(),
    "a new folder": lambda home: (home / "new").mkdir(),
    "a new link": lambda home: (home / "new").symlink_to("file"),
    "another name of a file": lambda home: (home / "new").hardlink_to(home / "file"),
    "a file removed": lambda home: (home / "file").unlink(),
    "a folder removed": lambda home: (home / "below").rmdir(),
    "a file saved by renaming": lambda home: (home.parent.parent / "aside").rename(home / "file"),
    "a file moved out": lambda home: (home / "file").rename(home.parent / "file"),
    "a file renamed": lambda home: (home / "file").rename(home / "name"),
    "it is moved": lambda home: home.rename(home.parent / "moved"),
    "it is removed": shutil.rmtree,
    "what is around it is moved": lambda home: home.parent.rename(home.parent.parent / "moved"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_it_is_told_of_every_name(name: str, place: Path) -> None:
    notified = told_of(place)
    CHANGES[name](place)
    assert (notified.quiet(), notified.quiet()) == (False, False)
    notified.end(notified.begin())
    assert notified.quiet()


def test_it_hears_nothing_of_what_is_written_or_happens_further_down(place: Path) -> None:
    notified = told_of(place)
    (place / "file").write_text("more")
    (place / "file").chmod(0o600)
    (place / "below" / "new").touch()
    (place.parent / "beside").touch()
    assert notified.quiet()


def test_what_happens_while_everything_is_looked_at_is_not_forgotten(place: Path) -> None:
    notified = told_of(place)
    (place / "one").touch()
    begun = notified.begin()
    (place / "two").touch()
    notified.end(begun)
    assert not notified.quiet()


def test_who_asks_takes_nothing_from_who_looks(place: Path) -> None:
    notified = told_of(place)
    begun = notified.begin()
    (place / "one").touch()
    threads = [threading.Thread(target=notified.quiet) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    notified.end(begun)
    assert not notified.quiet()


def test_many_threads_ask_at_once(place: Path) -> None:
    notified = told_of(place)

    def ask(_: int) -> bool:
        return all(notified.quiet() for _ in range(2000))

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(ask, range(8)))


def test_a_forked_child_takes_nothing_from_its_parent(place: Path) -> None:
    notified = told_of(place)
    (place / "one").touch()
    child = os.fork()
    if child == 0:
        quiet = notified.quiet()
        notified.end(notified.begin())
        os._exit(quiet or notified.quiet())
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert not notified.quiet()


MOUNTED = """
import subprocess, sys
from limpet.sandbox.notified import Notified
notified = Notified(frozenset({sys.argv[1]}))
notified.end(notified.begin())
before = notified.quiet()
subprocess.run(["mount", "-t", "tmpfs", "none", sys.argv[2]], check=True)
after = notified.quiet()
notified.end(notified.begin())
print(before, after, notified.quiet())
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
def test_it_is_told_of_mounts(place: Path) -> None:
    alone = ["unshare", "--mount", "--propagation", "private", sys.executable, "-c", MOUNTED]
    done = subprocess.run([*alone, place, place / "below"], capture_output=True, text=True, timeout=30)
    assert (done.stdout, done.stderr) == ("True False True\n", "")


MANY_MOUNTS = """
import os, subprocess, sys
from limpet.sandbox.notified import Notified
for number in range(60):
    os.mkdir(f"{sys.argv[1]}/{number}")
    subprocess.run(["mount", "-t", "tmpfs", "none", f"{sys.argv[1]}/{number}"], check=True)
subprocess.run(["mount", "-t", "proc", "none", sys.argv[2]], check=True)
try:
    Notified(frozenset({sys.argv[2]}))
except OSError as error:
    print(error.strerror)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
def test_a_folder_is_known_for_what_it_is_on_behind_any_number_of_mounts(place: Path) -> None:
    alone = ["unshare", "--mount", "--propagation", "private", sys.executable, "-c", MANY_MOUNTS]
    done = subprocess.run([*alone, place, place / "below"], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("the kernel is not told of every change\n", "")


@pytest.mark.parametrize("folder", ["/proc/self", "/nowhere", "/etc/passwd", "/proc/self/fd"])
def test_where_others_may_change_things_too_it_is_not_to_be_had(folder: str) -> None:
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(OSError, match=folder if folder.startswith("/proc") else "inotify_add_watch"):
        Notified(frozenset({"/etc", folder}))
    assert len(os.listdir("/proc/self/fd")) == before


def test_it_leaves_nothing_open(place: Path) -> None:
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    closed = told_of(place)
    closed.close()
    closed.close()
    told_of(place)
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) == before
    assert not closed.quiet()


def secrets_of(home: Path) -> Secrets:
    """Which have been asked for now and then for a while."""
    found = Secrets({"HOME": str(home)}, str(home.parent / "state"))
    (home.parent / "state").mkdir(exist_ok=True)
    found.hidden("/nowhere")
    found._looked -= 10
    found.hidden("/nowhere")
    assert found._notified is not None
    return found


def has(secrets: Secrets, path: Path) -> bool:
    return str(path) in secrets.hidden("/nowhere").around


@pytest.mark.parametrize("name", [".netrc", ".config/gh", ".ssh", ".docker/config.json"])
def test_a_new_secret_is_hidden_at_once(name: str, place: Path) -> None:
    secrets = secrets_of(place)
    time.sleep(0.15)  # as long as what the kernel tells is not followed again
    (place / name).parent.mkdir(exist_ok=True)
    (place / name).touch()
    assert has(secrets, place / name)
    before = secrets.hidden("/nowhere")
    (place / name).unlink()
    wait_for(lambda: not has(secrets, place / name), 5)
    (place / name).touch()
    wait_for(lambda: has(secrets, place / name), 5)
    assert secrets.hidden("/nowhere").marks != before.marks


def test_a_home_in_which_much_happens_is_looked_at_now_and_then(place: Path) -> None:
    secrets = secrets_of(place)
    kept = secrets.hidden("/nowhere")
    for number in range(30):
        (place / f"{number}").touch()
        assert secrets.hidden("/nowhere") is kept
    (place / ".netrc").touch()
    wait_for(lambda: has(secrets, place / ".netrc"), 5)


UNTOLD = """
import sys, time
from pathlib import Path
from limpet.sandbox.secrets import Secrets
home = Path(sys.argv[1])
found = Secrets({"HOME": str(home)}, str(home / "state"))
for _ in range(2):
    found.hidden("/nowhere")
    time.sleep(1.1)
assert found._notified is None
(home / ".netrc").touch()
print(str(home / ".netrc") in found.hidden("/nowhere").around)
"""


def test_where_the_kernel_tells_nothing_secrets_are_looked_for_all_the_same(place: Path) -> None:
    none_left = 'echo 0 > /proc/sys/user/max_inotify_instances || exit 9; exec "$0" -c "$1" "$2"'
    alone = ["unshare", "--user", "--map-root-user", "sh", "-c", none_left, sys.executable, UNTOLD, str(place)]
    done = subprocess.run(alone, capture_output=True, text=True, timeout=30)
    if done.returncode in (1, 9):
        pytest.skip("no user namespace to be had")
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_a_link_leads_where_nobody_is_told_of_so_it_is_looked_at_now_and_then(place: Path) -> None:
    (place / ".ssh").symlink_to(place / "below")
    secrets = Secrets({"HOME": str(place)}, str(place.parent / "state"))
    for _ in range(2):
        assert has(secrets, place / "below")
        secrets._looked -= 10
    assert secrets._notified is None
