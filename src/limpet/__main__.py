"""`python -m limpet` and the `limpet` command."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # what `signal` is made of; already there, so no interrupt comes between
import atexit
import gc
import sys


def main() -> None:
    """Run the command line. Ctrl-C before anything has started ends it like any other program, without a traceback."""
    if sys.argv[1:2] == ["hook"] and not {"-h", "--help"} & set(sys.argv):
        _answer_hook()
    if _signal.getsignal(_signal.SIGINT) != _signal.SIG_IGN:  # a script that ignores it wants that of us, too
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    _collect_less()
    from limpet.surfaces.cli.streams import open_missing_streams  # noqa: PLC0415 - not before the signal is settled

    open_missing_streams()
    if sys.argv[1:2] == ["run"]:
        _start_keepers()
    elif sys.argv[1:2] == ["start"]:
        _start_holder()
    from limpet.surfaces.cli.main import run_cli  # noqa: PLC0415 - not before the signal is settled

    sys.exit(run_cli(sys.argv[1:]))


def _answer_hook() -> None:
    """An agent waits before each command: nothing is imported that is not needed, and nothing tidied up at the end."""
    from limpet.surfaces.hooks.client import run  # noqa: PLC0415 - nobody else needs it

    run(sys.argv[2:])


def _collect_less() -> None:
    """What is imported is no garbage: it is looked through neither while it is loaded nor at the end."""
    gc.disable()  # until a subcommand is loaded
    atexit.register(gc.freeze)


def _start_keepers() -> None:
    """They start while everything else is imported."""
    import contextlib  # noqa: PLC0415 - not before the signal is settled

    from limpet.errors import LaunchError  # noqa: PLC0415 - as above
    from limpet.process.shared import keepers  # noqa: PLC0415 - as above

    with contextlib.suppress(LaunchError):  # the run itself says why
        keepers().start()


def _start_holder() -> None:
    """It gets ready while everything else is imported; without a task it ends with us."""
    from limpet.tasks.spare import spare  # noqa: PLC0415 - not before the signal is settled

    spare().begin()


if __name__ == "__main__":
    main()
