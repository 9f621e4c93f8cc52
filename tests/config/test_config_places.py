from __future__ import annotations

import os
import pwd
import subprocess
import sys
from pathlib import Path

import platformdirs
import pytest

from limpet.config import Layer, SettingsFile, settings_files, state_dir


def test_the_state_directory_is_the_one_that_was_named() -> None:
    assert state_dir({"LIMPET_STATE_DIR": "/x/y", "HOME": "/h", "XDG_STATE_HOME": "/s"}) == "/x/y"


def test_a_relative_state_directory_counts_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert state_dir({"LIMPET_STATE_DIR": "state"}) == str(tmp_path / "state")


@pytest.mark.parametrize(
    ("environ", "directory"),
    [
        ({"XDG_STATE_HOME": "/s", "HOME": "/h"}, "/s/limpet"),
        ({"XDG_STATE_HOME": "relative", "HOME": "/h"}, "/h/.local/state/limpet"),
        ({"LIMPET_STATE_DIR": "", "XDG_STATE_HOME": "", "HOME": "/h"}, "/h/.local/state/limpet"),
    ],
)
def test_else_state_lives_where_the_given_environment_says(environ: dict[str, str], directory: str) -> None:
    assert state_dir(environ) == directory


def test_the_places_are_those_of_the_platform() -> None:
    environ = {name: value for name, value in os.environ.items() if name != "LIMPET_STATE_DIR"}
    user = next(file.path for file in settings_files("/w", environ) if file.layer is Layer.USER)
    assert (state_dir(environ), os.path.dirname(user)) == (
        platformdirs.user_state_dir("limpet", appauthor=False),
        platformdirs.user_config_dir("limpet", appauthor=False),
    )


def test_without_a_home_the_password_database_knows_it() -> None:
    code = "import limpet.config as c; print(c.state_dir({}))"
    run = subprocess.run([sys.executable, "-c", code], env=_only_path(), capture_output=True, text=True, timeout=60)
    assert run.stdout == os.path.expanduser(f"~{_user()}") + "/.local/state/limpet\n", run.stderr


def test_the_files_are_listed_from_the_lowest_layer_up() -> None:
    assert settings_files("/w", {"HOME": "/h"}) == (
        SettingsFile(layer=Layer.SYSTEM, path="/etc/limpet/config.toml"),
        SettingsFile(layer=Layer.USER, path="/h/.config/limpet/config.toml"),
        SettingsFile(layer=Layer.PROJECT, path="/w/.limpet.toml"),
    )


def test_the_user_file_follows_xdg_config_home() -> None:
    assert settings_files("/w", {"HOME": "/h", "XDG_CONFIG_HOME": "/c"})[1].path == "/c/limpet/config.toml"


def test_settings_load_no_event_loop_and_without_files_no_parser() -> None:
    heavy = {"asyncio", "click", "rich", "tomllib", "platformdirs", "difflib", "subprocess", "sqlite3"}
    code = (
        "import sys, limpet.config as c; "
        "c.resolve(workspace='/nowhere', environ={'HOME': '/nowhere'}); c.state_dir({'HOME': '/nowhere'}); "
        f"print(sorted({heavy!r} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], env=_only_path(), capture_output=True, text=True, timeout=60)
    assert run.stdout == "[]\n", run.stderr


def _only_path() -> dict[str, str]:
    return {"PYTHONPATH": str(Path(sys.modules["limpet.config"].__file__ or "").parents[2])}


def _user() -> str:
    return pwd.getpwuid(os.getuid()).pw_name
