"""A process that asks in the inbox, waits there, and says what it heard: `python asking.py COMMAND [APPROVER]`."""

from __future__ import annotations

import asyncio
import sys

import limpet


async def ask(command: str, approver: str) -> limpet.Result:
    async with limpet.open(profile="workspace", sandbox="none", approver=approver) as shell:
        return await shell.run(command)


if __name__ == "__main__":
    result = asyncio.run(ask(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "inbox"))
    print(result.outcome, result.error, result.output, sep="|", flush=True)
