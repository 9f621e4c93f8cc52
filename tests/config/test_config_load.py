from __future__ import annotations

import contextlib
import os
import socket
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.config.fields import SECTIONS
from limpet.config.load import load, parse
from limpet.config.places import SettingsFile
from limpet.config.source import Given, Layer, Source
from limpet.errors import ConfigError
from limpet.model.guarantees import GUARANTEE_NAMES
from limpet.model.window import PRESETS, Truncate
from limpet.policy.profiles import PROFILES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def read(text: str | bytes, layer: Layer = Layer.USER) -> tuple[Given, ...]:
    return parse(text.encode() if isinstance(text, str) else text, layer=layer, path="c.toml")


def complaint(text: str | bytes) -> str:
    with pytest.raises(ConfigError) as caught:
        read(text)
    assert caught.value.source == "c.toml"
    return str(caught.value)


def given_at(line: int, name: str, value: object) -> Given:
    return Given(name=name, value=value, source=Source(layer=Layer.USER, place="c.toml", line=line))


def test_every_way_to_write_a_key_gives_its_value_and_its_line() -> None:
    text = (
        """\ufeff# settings
run.timeout = 30
"output" = { truncate = "tail", 'disk' = "1 GiB",
""".rstrip(",\n")
        + ''' }
[environment]
allow = [
  "PATH",  # disk = 3
  "HOME", "PATH",
]
strip = ["AWS_"]
[environment.set]
NOTE = """
[limits]
memory = "1k"
"""
CI = "1"
[ 'limits' ]
"memory" = "512 MiB"
cpu = "none"
'''
    )
    assert read(text) == (
        given_at(2, "run.timeout", 30.0),
        given_at(3, "output.truncate", "tail"),
        given_at(3, "output.disk", 1024**3),
        given_at(5, "environment.allow", ("PATH", "HOME")),
        given_at(9, "environment.strip", ("AWS_",)),
        given_at(10, "environment.set", {"NOTE": '[limits]\nmemory = "1k"\n', "CI": "1"}),
        given_at(17, "limits.memory", 512 * 1024**2),
        given_at(18, "limits.cpu", None),
    )


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "[run]\n", "run = {}\n", "\ufeff"])
def test_a_file_that_sets_nothing_is_fine(text: str) -> None:
    assert read(text) == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[run]\nTimeot = 5", "c.toml:2: unknown setting 'Timeot' in [run]; did you mean timeout?"),
        (
            "x = '''\n[run]\n'''",
            f"c.toml:1: unknown section 'x'; the sections are: {', '.join(SECTIONS)}",
        ),
        ("\n\n[sandbx]\n", "c.toml:3: unknown section 'sandbx'; did you mean sandbox?"),
        ("\ntimeout = 5", "c.toml:2: 'timeout' stands outside its section; move it below [run]"),
        (
            '"run.timeout" = 5',
            "c.toml:1: 'run.timeout' is one word because of its quotes; write run.timeout without them",
        ),
        ("\nrun = 5", "c.toml:2: run is a section, not 5; write [run] with its settings below it"),
        ("\n[[run]]\nx = 1", "c.toml:2: run is a section, not [a table]; write [run] with its settings below it"),
        (
            "[sandbox]\nxyz = 5",
            (
                "c.toml:2: unknown setting 'xyz' in [sandbox]; [sandbox] has: "
                "mode, network, require, write, allow, engine, image"
            ),
        ),
        (
            "[sandbox]\n'a\\u001b' = 5",
            (
                "c.toml:2: unknown setting 'a\\\\u001b' in [sandbox]; [sandbox] has: "
                "mode, network, require, write, allow, engine, image"
            ),
        ),
        (
            '[sandbox]\n"a\\u001b\\u202e" = 5',
            (
                "c.toml:2: unknown setting 'a\\x1b\\u202e' in [sandbox]; [sandbox] has: "
                "mode, network, require, write, allow, engine, image"
            ),
        ),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest_known_one(text: str, message: str) -> None:
    assert complaint(text) == message


A_SIZE = "write a number of bytes or one such as 512 MiB, 2 GB or 64k"
NO_PATTERNS = "letters, digits and '_' only, patterns are not known"
STRIP = "environment.strip"
SECONDS = 'run.timeout must be a number of seconds, or "none", not '


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[run]\n\ntimeout = true", f"c.toml:3: {SECONDS}true"),
        ("[run]\ntimeout = '30'", f"c.toml:2: {SECONDS}'30'"),
        ("[run]\ntimeout = nan", f"c.toml:2: {SECONDS}nan"),
        ("[run]\ntimeout = 2020-01-01", f"c.toml:2: {SECONDS}a date"),
        ("[run]\ntimeout.x = 5", f"c.toml:2: {SECONDS}a table"),
        ("[run]\ntimeout = inf", "c.toml:2: run.timeout must be at most 31536000, not inf"),
        ("[run]\ntimeout = -inf", "c.toml:2: run.timeout must be at least 0.001, not -inf"),
        ("[run]\ntimeout = -1", "c.toml:2: run.timeout must be at least 0.001, not -1"),
        ("[run]\ntimeout = 0", "c.toml:2: run.timeout must be at least 0.001, not 0"),
        ("[run]\ngrace = -0.5", "c.toml:2: run.grace must be at least 0, not -0.5"),
        ("[run]\ngrace = 'none'", "c.toml:2: run.grace must be a number of seconds, not 'none'"),
        ("[run]\nparallel = 2.0", "c.toml:2: run.parallel must be a whole number, not 2.0"),
        ("[run]\nparallel = true", "c.toml:2: run.parallel must be a whole number, not true"),
        ("[run]\nshell = 'bash'", "c.toml:2: run.shell must be an absolute path, or empty, not 'bash'"),
        ("[run]\nrequire_description = 1", "c.toml:2: run.require_description must be true or false, not 1"),
        (
            f"[run]\nmax_timeout = 0x{'f' * 5000}",
            "c.toml:2: run.max_timeout must be at most 31536000, not a number of more than 64 bits",
        ),
        (f"[run]\nmax_timeout = {'9' * 5000}", "c.toml:2: a number with thousands of digits; shorten it"),
        (
            "[output]\ndisk = '1 parsec'",
            f"c.toml:2: output.disk: '1 parsec' is not a size; {A_SIZE}",
        ),
        (
            "[output]\ndisk = 1.5",
            'c.toml:2: output.disk must be a number of bytes or a size such as "512 MiB", not 1.5',
        ),
        (
            "[output]\ntruncate = 'mid'",
            f"c.toml:2: output.truncate must be one of {', '.join([*Truncate, *PRESETS])}, not 'mid'",
        ),
        (
            "[policy]\nprofile = 'read_only'",
            f"c.toml:2: policy.profile must be one of {', '.join(PROFILES)}, not 'read_only'",
        ),
        ("[limits]\nmemory = 512", "c.toml:2: limits.memory must be at least 1048576, not 512"),
        ("[environment]\nallow = 'PATH'", "c.toml:2: environment.allow must be a list of variable names, not 'PATH'"),
        (
            "[environment]\nallow = ['LC_*']",
            f"c.toml:2: environment.allow must be a list of variable names, and 'LC_*' is none; {NO_PATTERNS}",
        ),
        (
            "[environment]\nstrip = ['']",
            f"c.toml:2: {STRIP} must be a list of beginnings of variable names, and '' is none; {NO_PATTERNS}",
        ),
        ("[environment]\nhome = 'tmp'", "c.toml:2: environment.home must be one of real, workspace, not 'tmp'"),
        ("[environment]\nset = 1", "c.toml:2: environment.set must be a table of variables, each with a text, not 1"),
        ("[environment.set]\nA = '1'\nB = 1", "c.toml:3: environment.set: B must be a text; put its value in quotes"),
        (
            "[environment]\nset = { A = '1',\tB-C = '2' }",
            "c.toml:2: environment.set: 'B-C' is not the name of a variable",
        ),
        (
            '[environment.set]\nA = """\n"""\nB = "\\u0000"',
            "c.toml:4: environment.set: the text for B holds a NUL, which no variable can",
        ),
        (
            "[sandbox]\nrequire = ['tree', 'trees']",
            f"c.toml:2: sandbox.require must be one of {', '.join(GUARANTEE_NAMES)}, not 'trees'",
        ),
        (
            "[sandbox]\nmode = ''",
            "c.toml:2: sandbox.mode must be a short name of letters, digits, '.', '_' and '-', not ''",
        ),
    ],
)
def test_a_wrong_value_is_refused_with_what_it_must_be(text: str, message: str) -> None:
    assert complaint(text) == message


def test_the_value_of_a_variable_stays_out_of_the_message() -> None:
    assert "hunter2" not in complaint("[environment.set]\nTOKEN = ['hunter2']")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[run]\ntimeout 30\n", "c.toml:2: not valid TOML, column 9: "),
        ("[run]\ntimeout = \n[output]", "c.toml:2: not valid TOML, column 11: "),
        ("[run]\n\nshell = '''x\n", "c.toml:3: not valid TOML: "),
        ("[run]\ntimeout = 1\ntimeout = 2", "c.toml:3: not valid TOML: "),
        ("[run]\n\n[run]\n\n", "c.toml:3: not valid TOML, column 5: "),
    ],
)
def test_what_is_not_toml_is_refused_with_its_line(text: str, place: str) -> None:
    message = complaint(text)
    assert message.startswith(place)
    assert message.endswith("; correct it or remove the line")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"\n{'a.' * 17}a = 1", "c.toml:2: a key with more than 16 dots is no setting; remove it"),
        (f"\n[run]\nshell = {'[' * 5000}", "c.toml:3: too many brackets within brackets; no setting has so many"),
        (b"[run]\nshell = '\xff'", "c.toml:2: is not UTF-8 (byte 16 of the file); save it in that encoding"),
    ],
)
def test_what_no_parser_should_see_is_refused_with_its_line(text: str | bytes, message: str) -> None:
    assert complaint(text) == message


@settings(deadline=None, max_examples=400)
@given(
    st.one_of(
        st.binary(max_size=60),
        st.lists(
            st.sampled_from(
                [
                    "[run]\n",
                    "[environment.set]\n",
                    "timeout",
                    " = ",
                    ".",
                    '"',
                    "'''",
                    "[",
                    "]",
                    "{",
                    "}",
                    ",",
                    "\n",
                    "1",
                    "nan",
                    "#",
                ]
            ),
            max_size=25,
        ).map(lambda parts: "".join(parts).encode()),
    )
)
def test_any_bytes_are_settings_or_a_named_error(data: bytes) -> None:
    with contextlib.suppress(ConfigError):
        assert isinstance(read(data), tuple)


def at(path: Path | str, layer: Layer = Layer.USER) -> SettingsFile:
    return SettingsFile(layer=layer, path=str(path))


def refusal(file: SettingsFile) -> str:
    with pytest.raises(ConfigError) as caught:
        load(file)
    return str(caught.value)


def test_a_missing_file_gives_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert (load(at(tmp_path / "none")), load(at(tmp_path / "file" / "below"))) == ((), ())


def test_a_directory_is_refused(tmp_path: Path) -> None:
    assert refusal(at(tmp_path)) == f"{tmp_path}: is a directory where a settings file is expected; move it away"


def test_a_fifo_without_a_writer_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "c.toml")
    assert refusal(at(tmp_path / "c.toml")) == f"{tmp_path}/c.toml: is not a regular file; move it away"


def test_a_device_and_a_socket_are_refused(tmp_path: Path) -> None:
    (tmp_path / "zero").symlink_to("/dev/zero")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
        assert [refusal(at(tmp_path / "zero")), refusal(at(tmp_path / "socket"))] == [
            f"{tmp_path}/zero: is not a regular file; move it away",
            f"{tmp_path}/socket: cannot be read: No such device or address; make it readable or move it away",
        ]


def test_a_link_to_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "c.toml").symlink_to("c.toml")
    message = f"{tmp_path}/c.toml: cannot be read: Too many levels of symbolic links; make it readable or move it away"
    assert refusal(at(tmp_path / "c.toml")) == message


def test_a_file_without_read_permission_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.touch(mode=0o000)
    with ordinary_user():
        assert refusal(at(file)) == f"{file}: cannot be read: Permission denied; make it readable or move it away"


@pytest.mark.parametrize("layer", [Layer.SYSTEM, Layer.USER])
def test_a_file_that_anybody_may_change_is_not_trusted(tmp_path: Path, layer: Layer) -> None:
    file = tmp_path / "c.toml"
    file.touch()
    file.chmod(0o646)
    assert refusal(at(file, layer)) == f"{file}: anybody may write to it, so it cannot be trusted; run: chmod o-w"
    assert load(at(file, Layer.PROJECT)) == ()


def test_a_file_of_one_mebibyte_is_read_and_one_byte_more_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_bytes(b"#" * 1024 * 1024)
    assert load(at(file)) == ()
    file.write_bytes(b"#" * (1024 * 1024 + 1))
    assert refusal(at(file)) == f"{file}: is larger than 1 MiB, too large for a settings file; shorten it"


def test_odd_paths_are_refused_in_words_that_can_be_printed(tmp_path: Path) -> None:
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/\xff")
    os.mkdir(odd)
    refusal(at(odd)).encode()
    assert refusal(at("/a\0b")).endswith("cannot be read: embedded null byte; make it readable or move it away")


def test_no_descriptor_stays_open(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text("[run]\ntimeout = 0")
    before = os.listdir("/proc/self/fd")
    for path in (file, tmp_path):
        refusal(at(path))
    assert os.listdir("/proc/self/fd") == before


@contextlib.contextmanager
def ordinary_user() -> Iterator[None]:
    """Root reads everything, so become somebody else for a moment."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
