"""go -> what its calls run, write and download."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, risk
from limpet.policy.options import Parsed
from limpet.policy.tools.own_code import parse_exact, play_options, runs_place, runs_settings
from limpet.policy.tools.verbs import (
    HERE,
    elsewhere,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command

_GO_OPTIONS = {
    **dict.fromkeys(
        ("-p", "-run", "-bench", "-count", "-timeout", "-tags", "-mod", "-modfile", "-buildmode", "-compiler",
            "-covermode",
         "-coverpkg", "-pkgdir", "-installsuffix", "-parallel", "-cpu", "-skip", "-shuffle", "-list", "-fuzz",
         "-fuzztime",
         "-vet", "-benchtime", "-pgo", "-gcflags", "-asmflags", "-f", "-gccgoflags", "-ldflags", "-blockprofilerate",
         "-memprofilerate", "-test.run", "-C"), "text"),
    **dict.fromkeys(("-o", "-coverprofile", "-cpuprofile", "-memprofile", "-blockprofile", "-mutexprofile", "-trace",
                     "-outputdir", "-test.coverprofile"), "write"),
    **dict.fromkeys(("-exec", "-toolexec", "-vettool"), "script"),
    "-overlay": "text",
}  # fmt: skip
_GO_OWN = frozenset(
    [
        "build",
        "test",
        "vet",
        "run",
        "fmt",
        "generate",
        "list",
        "doc",
        "version",
        "help",
        "tool",
        "fix",
        "clean",
        "env",
        "mod",
        "work",
        "bug",
        "telemetry",
    ]
)
_GO_NETWORK = {"get", "install"}
_GO_MOD_LOCAL = frozenset(["init", "edit", "graph", "verify", "why", "vendor-check"])


def go(command: Command) -> Iterator[Effect]:
    """The verbs of go; `-exec` and its like run other programs."""
    texts, arguments = command.texts, command.arguments
    folder = next(
        (index for index, text in enumerate(texts[:2]) if text is not None and text.startswith(("-C", "--C"))), None
    )
    if folder is not None:
        yield _go_elsewhere(command, folder)
        return
    verb = texts[0] if texts else "help"
    parsed = parse_exact(arguments[1:], _GO_OPTIONS, stop_early=verb in ("run", "tool"))
    yield from play_options(parsed, _GO_OPTIONS, command)
    if parsed.has("-exec", "-toolexec", "-vettool") and verb != "list":
        yield risk("go.exec", Risk.UNKNOWN, "has go run another program")
    if verb == "tool" and any(field.prefix.lstrip("-").startswith("http") for field in arguments):
        yield risk("go.port", Risk.NETWORK, "opens a port")
    if any("extld" in value.prefix or "-fplugin" in value.prefix for value in parsed.values("-ldflags", "-gccgoflags")):
        yield risk("go.linker", Risk.UNKNOWN, "makes go run another linker")
    for field in parsed.values("-overlay", "-modfile"):
        yield from runs_settings(field, "go")
    yield from _go_verb(verb, texts[1:])
    for field in parsed.operands[: 1 if verb == "run" else None]:
        yield from runs_place(field, "go")
        if verb == "tool" and "://" in field.prefix:
            yield risk("go.network", Risk.NETWORK, "talks to the network")
        if verb == "run" and "@" in field.prefix:
            yield risk("go.network", Risk.NETWORK, "downloads a module and runs it")


def _go_elsewhere(command: Command, at: int) -> Effect:
    """`-C` comes first, before or behind the verb."""
    arguments = command.arguments
    glued = "=" in arguments[at].prefix
    parsed = parse_exact(arguments[at : at + (1 if glued else 2)], ("-C",))
    rest = (*arguments[:at], *arguments[at + (1 if glued else 2) :])
    return elsewhere(command, Parsed(parsed.options, rest), ("-C",))


def _go_verb(verb: str | None, rest: tuple[str | None, ...]) -> Iterator[Effect]:
    first = next((text for text in rest if text is None or not text.startswith("-")), "")
    if verb in _GO_NETWORK or (verb in ("mod", "work") and first not in _GO_MOD_LOCAL):
        yield risk("go.network", Risk.NETWORK, "downloads modules")
    elif verb == "env" and {"-w", "-u", "--w", "--u"} & {*rest}:
        yield risk("go.env", Risk.PERSISTS, "changes go's settings for later")
    elif verb == "clean" and any(text is not None and "cache" in text for text in rest):
        yield risk("go.clean", Risk.DESTROYS, "empties caches outside the workspace")
    elif verb == "telemetry" and first:
        yield risk("go.telemetry", Risk.PERSISTS, "changes what go reports")
    elif verb not in _GO_OWN:
        yield risk("go.unknown", Risk.UNKNOWN, "does something with go that is not known")
    elif verb not in ("list", "doc", "version", "help", "env"):
        yield HERE
