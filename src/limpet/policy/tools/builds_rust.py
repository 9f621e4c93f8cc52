"""cargo and rustup -> what their calls do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.model.decision import Risk
from limpet.policy.effect import risk
from limpet.policy.tools.own_code import runs_file, telling
from limpet.policy.tools.spec import Spec
from limpet.policy.tools.verbs import (
    CHANGES,
    READS,
    Verb,
    Verbs,
    asks,
    each,
    reaches,
    runs_rest,
    with_verbs,
)
from limpet.syntax.values.field import Field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.effect import Effect

_CARGO_OPTIONS = {
    "--manifest-path": "write", "--target-dir": "write", "--artifact-dir": "write", "--out-dir": "write",
    "--config": "ask:changes the settings, which may run programs", "-Z": "text", "--color": "text", "-p": "text",
    "--package": "text", "--features": "text", "-F": "text", "--target": "text", "--profile": "text", "--bin": "text",
    "--example": "text", "--test": "text", "--bench": "text", "-j": "text", "--jobs": "text",
    "--message-format": "text",
    "--explain": "text", "--exclude": "text", "--lockfile-path": "write",
}  # fmt: skip
_WATCHES = risk("cargo.watch", Risk.UNKNOWN, "runs commands whenever files change")
_CARGO = Verbs(
    options=_CARGO_OPTIONS,
    folder=("-C",),
    flags="-v -vv --verbose -q --quiet --offline --locked --frozen --list --bins --examples --tests --benches "
    "--all-targets --all-features --all --test-threads --benchmark --target-applies-to-host",
    table={
        **each("build b check c test t run r bench doc d clippy fmt fix nextest miri expand udeps machete llvm-cov "
            "tarpaulin "
               "hack insta criterion package vendor-check asm bloat flamegraph", CHANGES),
        **each("metadata tree locate-project verify-project pkgid read-manifest version help config report deny",
            READS),
        **each("clean", CHANGES),
        **each("init new", Verb(CHANGES.does, Spec(operands="write*", options={"--name": "text", "--vcs": "text",
            "--edition": "text"}))),
        **each("remove rm generate-lockfile", CHANGES),
        **each("add update fetch install search info vendor upgrade outdated audit binstall generate watch-install",
               reaches("cargo.network", "downloads crates")),
        "uninstall": asks("cargo.uninstall", Risk.DESTROYS, "removes an installed program"),
        **each("publish yank owner", asks("cargo.publish", Risk.PUBLISHES,
            "changes what is published on the registry")),
        **each("login logout", asks("cargo.login", Risk.SECRETS, "changes the log-in of the registry")),
        "watch": telling(lambda _: (_WATCHES,), "-s --shell"),
        "run-script": asks("cargo.script", Risk.UNKNOWN, "runs a script"),
    },
)  # fmt: skip


def cargo(command: Command) -> Iterator[Effect]:
    """`cargo +toolchain VERB` does what the verb does."""
    arguments = command.arguments
    if arguments and arguments[0].prefix.startswith("+"):
        toolchain = Field((arguments[0].prefix[1:], *arguments[0].pieces[1:]))
        if toolchain.text is None or "/" in toolchain.text:
            yield runs_file(toolchain, "cargo +")
        command = msgspec.structs.replace(command, argv=(command.argv[0], *arguments[1:]))
    yield from with_verbs(_CARGO)(command)


def _rustup_run(command: Command) -> Iterator[Effect]:
    """`rustup run TOOLCHAIN CMD …`."""
    rest = [field for field in command.arguments if field.text != "--install"]
    yield from runs_rest("rustup run")(msgspec.structs.replace(command, argv=(command.argv[0], *rest[1:])))


_RUSTUP = Verbs(
    flags="-v --verbose -q --quiet",
    table={
        **each("show which doc man completions help", READS),
        "run": _rustup_run,
        **each("update install uninstall toolchain target component override self set default check",
               reaches("rustup.network", "downloads or changes toolchains")),
    },
)  # fmt: skip


rustup = with_verbs(_RUSTUP)
