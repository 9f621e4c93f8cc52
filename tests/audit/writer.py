"""Path, count, name -> that many runs in the log; each row is named on stdout once it was acknowledged."""

from __future__ import annotations

import asyncio
import os
import sys

from audit.happenings import finished, prepared, recorder
from limpet.errors import AuditError


async def main(path: str, count: int, name: str) -> int:
    log, failures = recorder(path), 0
    os.write(1, b"ready\n")
    for number in range(count):
        for event in (prepared(f"{name}-{number}"), finished(f"{name}-{number}")):
            try:
                await log.record(event)
                os.write(1, f"{event.request.id} {type(event).__name__.lower()}\n".encode())
            except AuditError as error:
                failures += 1
                os.write(2, f"{error}\n".encode())
    log.close()
    return failures


if __name__ == "__main__":
    sys.exit(min(asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3])), 100))
