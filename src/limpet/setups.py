"""What a person's interactive shell sets up, captured once, for commands and sessions to begin from."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import msgspec

from limpet.config import state_dir
from limpet.errors import ConfigError, InvalidRequestError, LaunchError
from limpet.model.session import SessionState, SetUp
from limpet.output.key_shapes import is_secret_name
from limpet.output.redact import Redactor
from limpet.process.interactive import ask
from limpet.sandbox.bash import find
from limpet.session import telling, words
from limpet.session.setup import setup_from

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.config import Settings
    from limpet.model.request import Request

_SETUP = "setup.json"
_PATIENCE = 60.0


def capture(settings: Settings, environ: Mapping[str, str]) -> SetUp:
    """Run the user's interactive shell once, and store what it sets up. Raises LaunchError."""
    redactor, nonce = Redactor(), os.urandom(8).hex()

    def is_secret(name: str, value: str) -> bool:
        stripped = settings.environment.strip
        return is_secret_name(name) or name.startswith(stripped) or redactor.command(value) != value

    told = ask(
        find(settings.run.shell), telling.request(nonce).decode(), environ, fd=words.CHANNEL, patience=_PATIENCE
    )  # fmt: skip
    state, withheld = setup_from(told, nonce, is_secret)
    if state is None:
        raise LaunchError("your interactive bash did not tell its state: its start-up files end it, or replace it")
    path = _store_setup(state, state_dir(environ))
    variables, functions, aliases = telling.names_of(state)
    return SetUp(variables=variables, functions=functions, aliases=aliases, withheld=withheld, path=path)


def _store_setup(state: SessionState, folder: str) -> str:
    os.makedirs(folder, mode=0o700, exist_ok=True)
    path = os.path.join(folder, _SETUP)
    fd = os.open(f"{path}.new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with open(fd, "wb") as file:
        file.write(msgspec.json.encode(state))
    os.replace(f"{path}.new", path)
    return path


def stored(settings: Settings, environ: Mapping[str, str]) -> SessionState | None:
    """What sessions begin with, where the settings want that. Raises ConfigError when nothing was captured."""
    if not settings.run.setup:
        return None
    path = os.path.join(state_dir(environ), _SETUP)
    try:
        with open(path, "rb") as file:
            return msgspec.json.decode(file.read(), type=SessionState)
    except (OSError, msgspec.DecodeError) as error:
        raise ConfigError(
            f"run.setup is on, but {path} cannot be read ({error}): `limpet session capture` makes it"
        ) from error


def refuse_what_cannot(request: Request) -> None:
    """A shell that is set up first takes its input and gives its output by way of limpet."""
    by_itself = request.terminal is not None or request.transaction is not None
    if request.inherit_stdin or request.open_stdin or by_itself or not request.capture_output:
        raise InvalidRequestError(
            "with run.setup a command can have neither a terminal, nor a transaction, nor input while it runs, nor "
            "limpet's own streams",
            field="setup",
        )
