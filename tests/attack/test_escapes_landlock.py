"""The escapes tried where there are no walls: what succeeds is what the notes of the level say, and nothing else."""

from __future__ import annotations

import json
import shlex
import subprocess
from typing import TYPE_CHECKING

import pytest

from attack.escapes import stage
from attack.escapes.deed import AREAS
from limpet.kernel import landlock

if TYPE_CHECKING:
    from attack.escapes.stage import Scene

pytestmark = pytest.mark.skipif(landlock.version() < 6, reason="older versions of Landlock leave more open, and say so")

LEFT_OPEN = {
    # "mode, times and attributes of the user's own can be changed"
    "files": {
        "change_its_mode", "change_its_owner", "change_its_times", "change_the_mode_by_a_descriptor",
        "change_the_mode_of_a_device", "change_the_times_of_its_folder", "set_an_attribute", "touch_a_device",
    },
    # "/proc shows what it shows this user", "limits, priority and processors"
    "processes": {
        "read_its_command_line", "read_the_command_lines_of_all", "lower_its_limits", "change_its_processors",
        "slow_down_all_of_the_user", "slow_it_down",
    },
    # "services that listen on unix sockets can be reached"
    "sockets": {
        "unix_beside_the_workspace", "unix_by_a_descriptor", "unix_by_a_symlink", "unix_datagram_in_the_home",
        "unix_datagram_without_connecting", "unix_elsewhere", "unix_in_run", "unix_in_the_home", "unix_in_tmp",
        "unix_sequence_in_the_home",
    },
    # "/proc shows what it shows this user", "a device node that lies in the workspace"
    "devices": {"read_the_map_of_physical_pages", "use_a_node_that_lies_in_the_workspace"},
    "ipc": {"list_shared_memory"},
    "secrets": {"list_the_keys"},
}  # fmt: skip


def held(scene: Scene, argv: list[str]) -> None:
    """A way to run a command: without walls, by Landlock and the filter."""
    command = f"PYTHONPATH={shlex.quote(scene.path_inside)} {shlex.join(argv)}"
    done = subprocess.run(
        scene.user.limpet("run", "--sandbox", "landlock", "--json", "--", command),
        cwd=scene.workspace, env=scene.environment(), stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
    )  # fmt: skip
    result = json.loads(done.stdout)
    assert (result["guarantees"]["level"], result["exit_code"]) == ("landlock", 0), result


@pytest.mark.parametrize("who", ["self", "nobody"], ids=["as-ourselves", "as-an-ordinary-user"])
@pytest.mark.parametrize("area", AREAS)
def test_nothing_is_open_but_what_is_said_to_be(area: str, who: str) -> None:
    fell = {name for name, fate in stage.trial(area, who, held).items() if fate.fell}
    assert fell <= LEFT_OPEN.get(area, set())
