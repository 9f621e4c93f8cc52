"""The table of names says of each tool which module knows it, and only that one is loaded."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

from limpet.policy import tools
from limpet.policy.tool_names import NAMES
from limpet.policy.tools import Tools, known_tools

HOW = "run `python tools/tool_names.py`"
TWICE = {
    ("builds", "packing"): "ar gcc-ar jar llvm-ar",
    ("cloud", "network"): "ssh-keygen",
    ("cloud", "system"): "op pass",
    ("compressing", "editors"): "zless",
    ("facts", "interpreters"): "units",
    ("facts", "system"): """
        arch atop btop dmesg dmidecode domainname fastfetch free getconf getent getopt groups hostname htop hwinfo id
        iostat ipcs last lastlog locale logname lsblk lscpu lshw lsipc lslocks lslogins lsmem lsmod lsns lspci lsusb
        mesg mpstat neofetch nproc numastat nvidia-smi pgrep pidof pidstat pmap procs ps pstree reset runlevel slabtop
        stty sw_vers system_profiler top tput tty uname uptime users vmstat w who whoami
    """,
    ("files", "system"): "chcon restorecon",
    ("packages", "packing"): "dpkg-deb",
    ("system", "text"): "clear",
}
"""Tools that two families know; the later one counts. No others may come."""


def test_the_table_knows_every_tool_as_the_families_do() -> None:
    known, table = known_tools(), Tools()
    assert sorted(table) == sorted(known), HOW
    assert [name for name, tool in known.items() if table[name] is not tool] == [], HOW


def test_a_tool_is_in_the_table_once() -> None:
    names = [name for each in NAMES.values() for name in each.split()]
    assert len(names) == len(set(names)), HOW


def test_two_families_know_a_tool_only_where_that_is_said() -> None:
    homes: dict[str, list[str]] = {}
    for family in tools._FAMILIES:
        for name in import_module(f"limpet.policy.tools.{family}").TOOLS:
            homes.setdefault(name, []).append(family)
    listed = {name: families for families, names in TWICE.items() for name in names.split()}
    twice = {name: tuple(families) for name, families in homes.items() if len(families) > 1}
    assert {name: families for name, families in twice.items() if listed.get(name) != families} == {}


def test_a_name_that_the_module_lost_is_no_tool() -> None:
    table = Tools()
    table._homes["no-such-tool"] = "git"
    assert table.get("no-such-tool") is None


def test_judging_a_tool_loads_no_other_family_and_no_reader_of_code() -> None:
    asked = "from limpet.policy.tools import Tools; 'git' in Tools()"
    code = f"import sys, limpet; limpet.check('ls -l src'); {asked}; print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    loaded = {name.removeprefix("limpet.policy.") for name in modules if name.startswith("limpet.policy.")}
    assert "tools.looking" in loaded
    assert {name for name in loaded if name.startswith(("tools.git", "tools.system", "code", "variable"))} == set()
