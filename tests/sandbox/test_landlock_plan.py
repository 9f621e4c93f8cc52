"""Wishes and a version of Landlock -> rules that this version takes, and what it lacks said."""

from __future__ import annotations

import marshal

import pytest

from limpet.kernel.landlock import Missing, Rules, plan
from limpet.kernel.landlock.rights import ON_FILES, READ, USE, WRITE, File, Net, Scope

M = Missing
ALL_FILES = File((1 << 16) - 1)


def test_the_seventh_version_lacks_nothing() -> None:
    found = plan(7, read=["/"], write=["/w"], use=["/dev/null"], bind=[80], connect=[80, 443])
    assert found == Rules(
        files=ALL_FILES,
        net=Net.BIND | Net.CONNECT,
        scopes=Scope.ABSTRACT_SOCKET | Scope.SIGNAL,
        paths=(("/", READ), ("/dev/null", USE), ("/w", WRITE)),
        ports=((80, Net.BIND | Net.CONNECT), (443, Net.CONNECT)),
        missing=(),
    )


@pytest.mark.parametrize(
    ("version", "files", "net", "scopes", "missing"),
    [
        (1, 0x1FFF, 0, 0, (M.MOVES, M.TRUNCATE, M.TCP, M.DEVICES, M.SCOPES)),
        (2, 0x3FFF, 0, 0, (M.TRUNCATE, M.TCP, M.DEVICES, M.SCOPES)),
        (3, 0x7FFF, 0, 0, (M.TCP, M.DEVICES, M.SCOPES)),
        (4, 0x7FFF, 3, 0, (M.DEVICES, M.SCOPES)),
        (5, 0xFFFF, 3, 0, (M.SCOPES,)),
        (6, 0xFFFF, 3, 3, ()),
        (7, 0xFFFF, 3, 3, ()),
        (99, 0xFFFF, 3, 3, ()),
    ],
)
def test_each_version_does_what_it_can_and_says_what_it_cannot(
    version: int, files: int, net: int, scopes: int, missing: tuple[Missing, ...]
) -> None:
    found = plan(version, read=["/"], write=["/w"], use=["/dev"], bind=[], connect=[])
    assert (found.files, found.net, found.scopes, found.missing) == (files, net, scopes, missing)
    assert all(allowed and allowed & found.files == allowed for _, allowed in found.paths)


def test_packed_rules_are_plain_values_that_survive_a_journey() -> None:
    found = plan(7, read=["/"], write=["/w"], use=["/dev/null"], bind=[], connect=[443]).packed()
    assert marshal.loads(marshal.dumps(found)) == found
    paths = (("/", 0x000D), ("/dev/null", 0xC00F), ("/w", 0x77BF))
    assert found == (0xFFFF, 3, 3, paths, ((443, 2),))


def test_without_landlock_there_are_no_rules_and_everything_is_missing() -> None:
    found = plan(0, read=["/"], write=["/w"], bind=[80], connect=[])
    assert found == Rules(File(0), Net(0), Scope(0), (), (), (Missing.EVERYTHING,))


def test_what_was_not_asked_for_is_not_missing() -> None:
    found = plan(1, read=["/"], scoped=False)
    assert found.missing == (Missing.MOVES, Missing.TRUNCATE, Missing.DEVICES)
    assert plan(7, read=["/"], connect=[]).net == Net.CONNECT
    assert plan(7, read=["/"], scoped=False).scopes == Scope(0)


def test_a_path_named_twice_is_one_rule_with_both_rights() -> None:
    assert plan(7, read=["/a", "/a"], use=["/a"], write=["/a"]).paths == (("/a", USE | WRITE),)


def test_device_nodes_are_made_nowhere() -> None:
    nodes = File.MAKE_CHAR | File.MAKE_BLOCK
    assert [allowed & nodes for allowed in (READ, USE, WRITE)] == [File(0)] * 3
    assert WRITE | nodes | File.IOCTL_DEV == ALL_FILES


def test_rights_on_files_are_those_that_make_sense_without_a_folder() -> None:
    assert ON_FILES == 0xC007


def test_what_is_missing_is_said_in_words() -> None:
    assert all(" " in each.value for each in Missing)
