"""`python -m limpet` and the `limpet` command."""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """Run the command line. Ctrl-C before anything has started ends it like any other program, without a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from limpet.surfaces.cli.main import run_cli  # noqa: PLC0415 - not before the signal is settled

    sys.exit(run_cli(sys.argv[1:]))


if __name__ == "__main__":
    main()
