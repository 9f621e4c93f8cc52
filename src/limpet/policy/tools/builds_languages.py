"""Build tools of one language each (cargo, go, gradle, dotnet …) -> what their calls do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from limpet.model.decision import Risk
from limpet.policy.effect import risk
from limpet.policy.tools.builds_compilers import compile_c
from limpet.policy.tools.builds_go import go
from limpet.policy.tools.builds_jvm import gradle, mvn
from limpet.policy.tools.builds_rust import cargo, rustup
from limpet.policy.tools.own_code import asking, loads, runs_file, wary_of
from limpet.policy.tools.spec import Spec
from limpet.policy.tools.verbs import (
    CHANGES,
    HERE,
    READS,
    RUNS,
    Verb,
    Verbs,
    asks,
    each,
    exactly,
    reaches,
    runs_rest,
    with_verbs,
    works_here,
)
from limpet.syntax.late import late
from limpet.syntax.values.field import known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.effect import Effect
    from limpet.policy.tools.spec import Rule
    from limpet.policy.tools.verbs import Meaning

_DOTNET_OWN = Spec(operands="text*", options={
    "-o": "write", "--output": "write", "--artifacts-path": "write", "-c": "text", "-f": "text", "-r": "text",
    "--project": "write", "--logger": "text", "--results-directory": "write", "--filter": "text", "-v": "text",
    "--test-adapter-path": "ask:loads code from another folder", "-s": "text", "--settings": "text", "--diag": "write",
})  # fmt: skip
_DOTNET_NETWORK = reaches("dotnet.network", "downloads packages")
_DOTNET = Verbs(
    flags="--info --list-sdks --list-runtimes -d --diagnostics",
    table={
        **each("build test run clean publish pack format msbuild vstest watch", Verb(CHANGES.does, _DOTNET_OWN,
            starts=True)),
        **each("new sln solution", Verb(CHANGES.does, Spec(operands="text*", options={"-o": "write",
            "--output": "write"}))),
        **each("list reference help", READS),
        **each("restore workload", _DOTNET_NETWORK),
        "add": Verbs(table={"reference": CHANGES, "package": _DOTNET_NETWORK}, other=Verbs(
            table={"reference": CHANGES, "package": _DOTNET_NETWORK})),
        "package": Verbs(table={"list": READS, "remove": CHANGES}, other=_DOTNET_NETWORK),
        "remove": CHANGES,
        "tool": Verbs(table={"list": READS, "run": runs_rest("dotnet tool run")}, other=_DOTNET_NETWORK),
        "nuget": Verbs(table={
            **each("push delete", asks("dotnet.publish", Risk.PUBLISHES, "changes what is published on the registry")),
            "list": READS,
        }, other=asks("dotnet.nuget", Risk.PERSISTS, "changes where packages come from")),
        **each("dev-certs user-secrets", asks("dotnet.secrets", Risk.SECRETS, "changes certificates or secrets")),
        "exec": asks("dotnet.exec", Risk.UNKNOWN, "runs a program"),
        "ef": Verbs(table=each("migrations dbcontext", CHANGES), other=asks("dotnet.database", Risk.DESTROYS,
        "changes a database")),
    },
)  # fmt: skip


def dotnet(command: Command) -> Iterator[Effect]:
    """A verb, or a program to run."""
    first = command.arguments[0] if command.arguments else known("")
    if first.suffix.endswith((".dll", ".exe")):
        yield HERE
        yield runs_file(first, "dotnet")
    else:
        yield from with_verbs(_DOTNET)(_without_properties(_as_options(command)))
        yield from _loads_outside(_as_options(command))


def _as_options(command: Command) -> Command:
    """`/p:X=Y`, as Windows writes options, is `-p:X=Y`."""
    arguments = [known(f"-{text[1:]}") if text is not None and _SWITCH.match(text) else field
                 for field, text in zip(command.arguments, command.texts, strict=True)]  # fmt: skip
    return msgspec.structs.replace(command, argv=(command.argv[0], *arguments))


def _without_properties(command: Command) -> Command:
    """`-p:X=Y` is no cluster of letters."""
    kept = (field for field in command.arguments if not re.match("--?[A-Za-z]+:", field.prefix))
    return msgspec.structs.replace(command, argv=(command.argv[0], *kept))


_SWITCH = late(r"/[A-Za-z]+(:|$)")


def _loads_outside(command: Command) -> Iterator[Effect]:
    """Properties and loggers can name files of code."""
    for field in command.arguments:
        _, _, value = field.prefix.partition(":") if field.prefix.startswith("-") else ("", "", "")
        if re.search(r"(^|[=,;])(/|\.\.)", value):
            yield risk(f"{command.name}.property", Risk.UNKNOWN, "names a file outside the project, which may be code")


def _msbuild(command: Command) -> Iterator[Effect]:
    """Builds the project of its folder, or the one that is named."""
    command = _as_options(command)
    yield from works_here(_NO_FOLDER, starts=True)(_without_properties(command))
    yield from _loads_outside(command)


def _usual(tool: str, own: str, reads: str, network: str, publishes: str = "", **more: Meaning) -> Rule:
    """A tool with the usual verbs: those that work on the folder, that look, that download, that publish."""
    return with_verbs(Verbs(
        options={"-C": "write", "--color": "text"},
        flags="-v --verbose -q --quiet -h",
        bare=CHANGES,
        table={
            **each(own, RUNS),
            **each(reads + " help version", READS),
            **each(network, reaches(f"{tool}.network", "downloads packages")),
            **each(publishes, asks(f"{tool}.publish", Risk.PUBLISHES, "changes what is published on the registry")),
            **more,
        },
    ))  # fmt: skip


_SWIFT = Verb(CHANGES.does, Spec(operands="text*", options={
    "--package-path": "write", "--build-path": "write", "--scratch-path": "write", "-o": "write",
    "-e": "ask:runs inline code",
}), starts=True)  # fmt: skip
_BAZEL_RUN = Verb(CHANGES.does, Spec(operands="text*", ask={
    "--run_under": "runs another program", "--shell_executable": "runs another shell",
    "--remote_executor": "builds elsewhere",
    "--override_repository": "takes code from elsewhere", "--override_module": "takes code from elsewhere",
    "--workspace_status_command": "runs another program", "--package_path": "takes code from elsewhere",
    "--bes_backend": "uploads the build log"}))  # fmt: skip
_NO_FOLDER = Spec(operands="text*")
_OUTPUTS = Spec(operands="text*", options={"-o": "write", "--output": "write", "-output": "write",
                                           "-destination": "write"})  # fmt: skip
_RUNS_CODE = Verb(CHANGES.does, Spec(operands="text*", options={
    **dict.fromkeys(("-e", "--eval"), "ask:runs inline code"), **dict.fromkeys(("--script", "-r", "--require"), "text"),
}), starts=True)  # fmt: skip

_COMPILED = Spec(operands="read*", options={"-o": "write", "--output": "write", "-d": "write"})

LANGUAGES: dict[str, Spec | Rule] = {
    "cargo": cargo,
    "rustup": rustup,
    "go": go,
    "gofmt": Spec(operands="write*", options={"-r": "text", "-cpuprofile": "write"}),
    "goimports": exactly({"-local": "text", "-srcdir": "text"}, operands="write"),
    "golangci-lint": loads(works_here(_NO_FOLDER), "-c --config"),
    **dict.fromkeys(("gotestsum", "ginkgo"), wary_of(works_here(_NO_FOLDER),
        "--raw-command --post-run-command --packages-cmd", "runs another command")),
    **dict.fromkeys(("staticcheck", "golint", "govulncheck", "revive", "gocyclo", "ineffassign", "errcheck", "gosec",
                     "nilaway", "deadcode", "gci", "golines", "mockgen", "stringer", "wire", "swag", "sqlc", "templ",
                     "controller-gen", "gotests", "goconst", "unparam", "dupl", "gocritic"), works_here(_OUTPUTS)),
    **dict.fromkeys(("gradle", "gradlew"), gradle),
    **dict.fromkeys(("mvn", "mvnw", "mvnd"), mvn),
    "ant": loads(exactly({"-f": "text", "-file": "text", "-buildfile": "text", "-l": "write", "-logfile": "write",
                          "-lib": "ask:loads code", "-logger": "text", "-listener": "text", "-propertyfile": "read",
                          "-inputhandler": "ask:loads code", "-main": "ask:loads code"}, operands="text"),
                 "-f -file -buildfile --file --buildfile -s -find", glued=False),
    "sbt": wary_of(wary_of(works_here(_NO_FOLDER), "--sbt-dir -sbt-dir --sbt-launch-repo -sbt-launch-repo --sbt-jar "
                   "-sbt-jar --java-home -java-home -addPluginSbtFile --addPluginSbtFile", "loads code from elsewhere"),
                   "publish publishSigned publishM2 sonatypeRelease release", "publishes what was built"),
    "lein": _usual("lein", "compile test run repl uberjar jar clean check trampoline do",
    "classpath pprint show-profiles",
                   "deps upgrade search new", "deploy release"),
    "clj": asking("runs code"),
    "dotnet": dotnet,
    "msbuild": _msbuild,
    "swift": with_verbs(Verbs(table={
        **each("build test run", _SWIFT),
        "package-registry": asks("swift.registry", Risk.PUBLISHES, "logs in to a registry, or publishes there"),
        "package": Verbs(table={**each("describe dump-package show-dependencies tools-version", READS),
                                **each("init clean reset", CHANGES)}, other=reaches("swift.network",
                                    "downloads packages")),
    }, options={"-e": "ask:runs inline code"}, other=RUNS)),
    "xcodebuild": exactly(
        {"-derivedDataPath": "write", "-project": "text", "-scheme": "text", "-archivePath": "write",
            "-exportPath": "write"},
        operands="text", ask={"-allowProvisioningUpdates": "changes certificates on the server"}),
    **dict.fromkeys(("swiftlint", "swiftformat", "ktlint", "detekt", "scalafmt", "google-java-format"), works_here()),
    **dict.fromkeys(("bazel", "bazelisk", "buck", "buck2", "pants"), with_verbs(Verbs(
        options={"--output_base": "write", "--output_user_root": "write",
            "--bazelrc": "ask:takes its options from a file"},
        flags="--batch --nohome_rc --noworkspace_rc --nosystem_rc",
        table={
            **each("build test coverage run lint fmt check tailor mobile-install", _BAZEL_RUN),
            **each("query cquery aquery info version help targets audit dump print_action list peek roots log "
                "dependencies", READS),
            **each("clean shutdown kill", CHANGES),
            **each("fetch sync mod vendor", reaches("bazel.network", "downloads dependencies")),
        },
    ))),
    "scons": loads(works_here(Spec(operands="text*", options={"-f": "text", "-C": "write", "-Y": "text",
                                                              "--site-dir": "text"})), "-f --site-dir --sconstruct"),
    "mix": _usual("mix", "compile test format credo dialyzer phx.server phx.routes clean run ecto.gen.migration docs "
                  "phx.gen.live phx.gen.context phx.gen.html xref app.start", "deps deps.tree", "deps.get deps.update "
                  "local.hex local.rebar archive.install escript.install new phx.new deps.compile",
                  "hex.publish hex.user hex.owner", run=_RUNS_CODE,
                  **each("ecto.drop ecto.reset ecto.rollback ecto.migrate ecto.create ecto.setup",
                         asks("mix.database", Risk.DESTROYS, "changes a database"))),
    "rebar3": _usual("rebar3", "compile eunit ct dialyzer clean xref release shell fmt as cover proper", "tree report",
    "get-deps "
                     "update upgrade new plugins", "hex", shell=_RUNS_CODE),
    "stack": _usual("stack", "build test bench clean run haddock ghci repl sdist", "path ls list-dependencies query",
                    "setup update upgrade install unpack new init", "upload", **each("exec", runs_rest("stack exec"))),
    "cabal": _usual("cabal", "build test bench clean run haddock repl check configure format gen-bounds sdist v2-build",
                    "info list path", "update install get fetch outdated init", "upload report",
                    **each("exec", runs_rest("cabal exec"))),
    **dict.fromkeys(("ghc", "ghci", "runghc", "runhaskell"), exactly(
        {"-o": "write", "-e": "ask:runs inline code", "-odir": "write"}, starts=True,
        ask={"-F": "runs a preprocessor", **{f"-pgm{letter}": "runs another program" for letter in "FLPclsawm"},
             "-fplugin": "loads other code", "-plugin-package": "loads other code", "-package-db": "loads other code",
             "-ghci-script": "runs a file"})),
    "zig": loads(_usual("zig", "build test run build-exe build-lib build-obj fmt translate-c ar dlltool init",
                        "env targets zen ast-check", "fetch", "", **each("cc c++", compile_c)),
                 "--build-file --build-runner --zig-lib-dir"),
    "nim": wary_of(works_here(starts=True), "--eval --eval:", "runs inline code"),
    "nimble": _usual("nimble", "build test run check c tasks", "list dump path",
    "install update refresh "
                                          "search develop init", "publish"),
    "dune": _usual("dune", "build test runtest clean fmt utop init promote", "describe show top", "pkg", "",
                   **each("exec", runs_rest("dune exec"))),
    "opam": _usual("opam", "lint", "list show config var info env", "install update upgrade remove reinstall init "
    "switch pin repo "
                   "source", "publish", **each("exec", runs_rest("opam exec"))),
    **dict.fromkeys(("ocamlc", "ocamlopt", "ocamlfind", "elixirc", "erlc", "fpc", "dmd", "ldc2", "crystal", "v", "solc",
                     "valac", "gleam", "elm", "purs", "spago", "coffee", "sass", "lessc", "stylus", "swiftc"),
                    wary_of(works_here(_COMPILED, starts=True),
                            "eval -e --eval -pp -ppx -r --require -u --use --plugin --js -run --repl play console "
                            "install publish -load-plugin-library -load-plugin-executable -plugin-path --cc",
                            "runs other code, or downloads it")),
    **dict.fromkeys(("forge", "hardhat", "truffle"), with_verbs(Verbs(table={
        **each("build test fmt coverage compile clean inspect snapshot doc", CHANGES),
        **each("install update", reaches("forge.network", "downloads packages")),
    }))),
}  # fmt: skip
