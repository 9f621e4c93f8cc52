"""node and its relatives -> their code, their file, or what they read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.policy.tools.interpreter import Interpreter, interpret
from limpet.syntax.values.field import known

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limpet.policy.command import Command
    from limpet.policy.effect import Effect

_OPENS_PORT = "ask:opens a port for a debugger"
_TEXTS = (
    "-C", "--conditions", "--stack-trace-limit", "--title", "--icu-data-dir", "--disable-warning",
    "--test-name-pattern", "--test-skip-pattern", "--unhandled-rejections", "--max-http-header-size",
    "--input-type", "--dns-result-order", "--secure-heap", "--test-concurrency", "--test-timeout", "--test-shard",
    "--watch-path", "--experimental-default-type", "--run", "--max-old-space-size", "--tsconfig",
)  # fmt: skip

_NODE = Interpreter(
    language="node",
    options={
        "-e": "code", "--eval": "code", "-p": "code", "--print": "code", "-pe": "code", "-ep": "code",
        "-r": "module", "--require": "module", "--import": "module", "--loader": "module",
        "--experimental-loader": "module", "--test-reporter": "module", "--openssl-config": "module",
        "--env-file": "module", "--env-file-if-exists": "module", "--experimental-config-file": "module",
        "--redirect-warnings": "write",
        "--test-reporter-destination": "write", "--diagnostic-dir": "write", "--cpu-prof-dir": "write",
        "--heap-prof-dir": "write", "--report-dir": "write", "--report-directory": "write", "--snapshot-blob": "file",
        "--experimental-sea-config": "read", **dict.fromkeys(_TEXTS, "text"),
    },
    flags={
        "-v": "quit", "--version": "quit", "-h": "quit", "--help": "quit", "--v8-options": "quit", "--test": "reads",
        "-c": "reads", "--check": "reads", "--run": "quit", "-i": "stdin", "--interactive": "stdin",
        "--prof-process": "reads",
        "--inspect": _OPENS_PORT, "--inspect-brk": _OPENS_PORT, "--inspect-wait": _OPENS_PORT,
        "--inspect-port": _OPENS_PORT,
        "--debug": _OPENS_PORT, "--completion-bash": "quit",
    },
    main="index.js",
    clusters=False,
)  # fmt: skip


def _node(command: Command) -> Iterable[Effect]:
    """`node inspect x.js` opens a port as `--inspect` does."""
    arguments = command.arguments
    if arguments and arguments[0].text in ("inspect", "debug"):
        arguments = (known("--inspect"), *arguments[1:])
    return interpret(_NODE)(msgspec.structs.replace(command, argv=(*command.argv[:1], *arguments)))


def _tsx(command: Command) -> Iterable[Effect]:
    """`tsx watch x.ts` runs it, too."""
    arguments = command.arguments
    if arguments and arguments[0].text == "watch":
        arguments = arguments[1:]
    return interpret(_TYPESCRIPT)(msgspec.structs.replace(command, argv=(*command.argv[:1], *arguments)))


_TYPESCRIPT = msgspec.structs.replace(
    _NODE,
    options={
        **_NODE.options, "-P": "module", "--project": "module", "-O": "text", "--compiler-options": "text",
        "--cwd": "text",
        "-C": "module", "--compiler": "module", "--scope-dir": "text", "-I": "text",
    },
    flags={**_NODE.flags, "-T": "text", "--transpile-only": "text", "--showConfig": "quit"},
    main="index.ts",
)  # fmt: skip


TOOLS = {
    "node": _node, "nodejs": _node, "iojs": _node, "tsx": _tsx, "ts-node": _tsx, "ts-node-esm": _tsx, "esr": _tsx,
    "nodemon": interpret(msgspec.structs.replace(_NODE, options={
        **_NODE.options, "-x": "script", "--exec": "script", "-w": "text", "--watch": "text", "-e": "text",
        "--ext": "text",
        "-i": "text", "--ignore": "text", "-d": "text", "--delay": "text", "--config": "module", "-C": "text",
    }, stdin=False)),
    "babel-node": _tsx, "qjs": interpret(msgspec.structs.replace(_NODE, options={
        "-e": "code", "--eval": "code", "-I": "file", "--include": "file",
    })),
}  # fmt: skip
