"""The time limit of a command in a session holds whatever the client does meanwhile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from living import marker, sleeping, wait_for, wait_gone

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE = 60
CLIENT = """
import sys
from limpet import sync
workspace, sandbox, command = sys.argv[1:]
with sync.open(workspace, sandbox=sandbox) as shell, shell.session() as bash:
    bash.run("x=before")
    first = bash.pid
    result = bash.run(command, timeout=1)
    print(result.outcome, bash.run("echo $x").stdout.strip(), bash.pid == first)
"""


def stopped(command: str, sandbox: str, workspace: Path, awake: str) -> subprocess.Popen[str]:
    """A client that was stopped as soon as its command ran."""
    arguments = [sys.executable, "-c", CLIENT, str(workspace), sandbox, command]
    client = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
    wait_for(lambda: sleeping(awake), PATIENCE)
    os.kill(client.pid, signal.SIGSTOP)
    return client


def went_on(client: subprocess.Popen[str]) -> str:
    os.kill(client.pid, signal.SIGCONT)
    return client.communicate(timeout=PATIENCE)[0].strip()


@pytest.mark.parametrize("sandbox", ["none", "native"])
def test_a_command_is_ended_in_time_though_its_client_is_stopped(sandbox: str, workspace: Path) -> None:
    awake = marker()
    client = stopped(f"x=after; sleep {awake}", sandbox, workspace, awake)
    wait_for(lambda: not sleeping(awake), PATIENCE)
    assert went_on(client) == "timed_out before False"
    assert wait_gone(awake)


@pytest.mark.parametrize("sandbox", ["none", "native"])
def test_one_that_was_over_in_time_is_not_ended_for_a_client_that_hears_of_it_late(
    sandbox: str, workspace: Path
) -> None:
    awake = f"0.5{marker()[5:]}"
    client = stopped(f"x=after; sleep {awake}", sandbox, workspace, awake)
    time.sleep(1.5)  # the limit has passed by then, and whoever would be ended is
    assert went_on(client) == "exited after True"
