"""Compilers, linkers, and programs that start what they built -> what their calls read, write and run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, program, read, risk, script, write
from limpet.policy.tools.fieldpaths import begin
from limpet.policy.tools.invocation import matched
from limpet.policy.tools.own_code import loads, named, parse_exact, play_options, runs_file, runs_place, runs_settings
from limpet.policy.tools.spec import Spec, describe
from limpet.policy.tools.verbs import HERE, exactly, parse_spec, works_here
from limpet.syntax.values.field import Field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule

_WITH_VALUE = frozenset({
    "-I", "-L", "-D", "-U", "-l", "-x", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-isysroot", "-T",
    "-MT", "-MQ", "-Xlinker", "-Xpreprocessor", "-Xassembler", "-Xclang", "-arch", "-target", "-u", "-z", "-framework",
    "--param", "-aux-info", "-dumpbase", "-e", "-h", "-soname", "-rpath", "-m", "-mllvm", "-A",
})  # fmt: skip
"""Options of C compilers whose value may be the next word."""
_WRITES = ("-o", "-MF", "-dumpdir", "--output", "-MJ", "-Map")
_LOADS = (
    "-wrapper", "-fplugin", "-B", "-specs", "--specs", "-fuse-ld=/", "-fuse-ld=.", "--ld-path", "-load",
    "-fpass-plugin",
    "-plugin", "--plugin", "--config", "-no-canonical-prefixes=", "-ccc-", "--gcc-toolchain", "-ccbin",
    "--compiler-bindir", "-optf", "--options-file",
)  # fmt: skip


def compile_c(command: Command) -> Iterator[Effect]:
    """gcc, clang and what takes the same options."""
    yield HERE
    waiting = ""
    for field in command.arguments:
        start = field.prefix
        if waiting:
            yield from _value(waiting, field)
            waiting = ""
        elif start.startswith("@"):
            yield risk("compiler.options", Risk.OPAQUE, "takes its options from a file")
        elif start.startswith("-") and start != "-":
            waiting = start if field.text in (*_WITH_VALUE, *_WRITES) else ""
            yield from _c_option(field, start) if not waiting else ()
        else:
            yield read(field)


def _value(option: str, field: Field) -> Iterator[Effect]:
    if option in _WRITES:
        yield write(field)
    elif option in ("-include", "-imacros", "-T"):
        yield read(field)
    elif option in ("-Xclang", "-mllvm", "-Xlinker") and any(word in field.prefix for word in ("load", "plugin")):
        yield risk("compiler.plugin", Risk.UNKNOWN, "makes the compiler load other code")


def _c_option(field: Field, start: str) -> Iterator[Effect]:
    if start.startswith(_LOADS) or ",-plugin" in start or ",--plugin" in start:
        yield risk("compiler.plugin", Risk.UNKNOWN, "makes the compiler load or run other code")
    elif start.startswith("-o") and not start.startswith(("-ob", "-opt")):
        yield write(Field((start[2:], *field.pieces[1:]), field.many))
    elif start.startswith("--output="):
        yield write(Field((start[9:], *field.pieces[1:]), field.many))


_JAVA = {
    "-cp": "text", "-classpath": "text", "-class-path": "text", "-p": "text", "-module-path": "text", "-m": "text",
    "-module": "text", "-add-modules": "text", "-add-opens": "text", "-add-exports": "text", "-add-reads": "text",
    "-jar": "text", "-source": "text", "-upgrade-module-path": "text", "-limit-modules": "text",
}  # fmt: skip
_AGENTS = ("-javaagent", "-agentlib", "-agentpath", "-Xrun", "-Xbootclasspath", "-XX:Flags", "-XX:VMOptionsFile")


def java(command: Command) -> Iterator[Effect]:
    """Runs a class, an archive or a source file."""
    parsed = parse_exact(command.arguments, _JAVA, stop_early=True)
    yield HERE
    for name, value in parsed.options:
        if name.startswith(_AGENTS):
            yield risk("java.agent", Risk.UNKNOWN, "makes Java load other code")
        elif name in ("-XX:OnError", "-XX:OnOutOfMemoryError") and value is not None:
            yield script(value, f"java {name}")
        elif name == "-jar" and value is not None:
            yield runs_file(value, "java -jar")
        elif name in _CLASSES and value is not None:
            yield from _classes(value, "java")
    yield from _java_operand(parsed.operands)


_CLASSES = (
    "-cp", "-classpath", "-class-path", "-p", "-module-path", "-processorpath", "-processor-path",
    "-processor-module-path", "-upgrade-module-path", "-extdirs", "-endorseddirs", "-docletpath",
)  # fmt: skip


def _classes(value: Field, by: str) -> Iterator[Effect]:
    """A list of places with code."""
    value = matched(value)
    if value.text is None:
        yield program(value, by)
    for place in (value.text or "").split(":"):
        yield from runs_place(Field((place,)), by)


def _javac(command: Command) -> Iterator[Effect]:
    """Compiles, and runs the annotation processors that it finds among its libraries."""
    yield from (_JAVA_SCRIPT if command.name in ("kotlin", "scala", "groovy") else _JAVAC)(command)
    for field in named(command.arguments, [*_CLASSES, *(f"-{name}" for name in _CLASSES)], glued=False):
        yield from _classes(field, command.name or "")
    if any(field.prefix.startswith("@") for field in command.arguments):
        yield risk("compiler.options", Risk.OPAQUE, "takes its options from a file")


_JAVAC_OPTIONS = (
    {"-d": "write", "-h": "write", "-s": "write", **dict.fromkeys(_CLASSES, "text"), "-sourcepath": "text",
     "-source": "text", "-target": "text", "-e": "ask:runs inline code", "-processor": "text", "-release": "text",
     "-encoding": "text", "-doclet": "text"}
)  # fmt: skip
_JAVAC_LOADS = {"-J": "passes options to the virtual machine", "-Xplugin": "loads other code"}
_JAVAC = exactly(_JAVAC_OPTIONS, ask=_JAVAC_LOADS)
_JAVA_SCRIPT = exactly(_JAVAC_OPTIONS, ask=_JAVAC_LOADS, starts=True)


def _java_operand(operands: tuple[Field, ...]) -> Iterator[Effect]:
    for field in operands[:1]:
        if field.prefix.startswith("@"):
            yield risk("java.options", Risk.OPAQUE, "takes its options from a file")
        elif field.suffix.endswith((".java", ".jar")):
            yield runs_file(field, "java")


_RUSTC = {"-o": "write", "-out-dir": "write", "-C": "text", "-codegen": "text", "-L": "text", "-l": "text",
    "-emit": "text",
          "-crate-type": "text", "-crate-name": "text", "-edition": "text", "-extern": "text", "-cfg": "text",
          "-Z": "text",
          "-target": "text", "-W": "text", "-A": "text", "-D": "text", "-F": "text"}  # fmt: skip


_RUSTC_LOADS = ("linker=", "linker-plugin", "llvm-args", "codegen-backend", "-plugin", "=-B", "fuse-ld=/", "=-wrapper")


def rustc(command: Command) -> Iterator[Effect]:
    """Compiles; `-C linker=` runs another program."""
    parsed = parse_exact(command.arguments, _RUSTC)
    yield HERE
    yield from play_options(parsed, _RUSTC, command)
    for name, value in parsed.options:
        text = f"{name}={value.prefix}" if value is not None else name
        if name in ("-extern", "-L", "-sysroot") and value is not None:
            start = value.prefix.rpartition("=")[2]
            yield from runs_settings(Field((start, *value.pieces[1:])), "rustc") if "/" in start else ()
        if any(word in text for word in _RUSTC_LOADS):
            yield risk("compiler.plugin", Risk.UNKNOWN, "makes the compiler load or run other code")
    yield from map(read, parsed.operands)


def _tex(tool: Rule) -> Rule:
    """TeX, to which a word that begins with a backslash is code."""

    def rule(command: Command) -> Iterator[Effect]:
        yield from tool(command)
        if any(field.prefix.startswith("\\") for field in command.arguments):
            yield risk("tex.code", Risk.OPAQUE, "runs inline TeX code")

    return rule


def ldd(command: Command) -> Iterator[Effect]:
    """May run a program to see what it loads."""
    for field in command.arguments:
        if not field.prefix.startswith("-"):
            yield runs_file(field, "ldd")


_LOADS_CODE = {"--plugin": "loads other code", "--target-plugin": "loads other code"}
_READ_OBJECTS = Spec(operands="read*", ask=_LOADS_CODE)
_OUTPUT = Spec(
    operands="read*",
    options={
        "-o": "write",
        "--output": "write",
        "-d": "write",
        "-out": "write",
        "--out-dir": "write",
        "--outdir": "write",
        "--outfile": "write",
        "--header-file": "write",
        "--header": "write",
        "--report-file": "write",
    },
)

_PROTOC = Spec(operands="read*", options={
    "-I": "text", "--proto_path": "text", "--descriptor_set_out": "write", "-o": "write", "--dependency_out": "write",
    "--plugin": "text",
})  # fmt: skip


def _protoc(command: Command) -> Iterator[Effect]:
    """Every `--NAME_out` is a folder, perhaps behind options and a colon; `--plugin` is a program, perhaps named."""
    parsed = parse_spec(_PROTOC, command)
    yield HERE
    yield from describe(_PROTOC, command)
    for name, value in parsed.options:
        if value is not None and name == "--plugin":
            yield from runs_settings(begin(value, value.prefix.rpartition("=")[2]), "protoc --plugin")
        elif value is not None and name.endswith("_out") and name not in _PROTOC.options:
            yield write(begin(value, value.prefix.rpartition(":")[2]))
    if any(field.prefix.startswith("@") for field in parsed.operands):
        yield risk("compiler.options", Risk.OPAQUE, "takes its options from a file")


COMPILERS: dict[str, Spec | Rule] = {
    **dict.fromkeys(
        ("gcc", "g++", "cc", "c++", "clang", "clang++", "cpp", "gfortran", "tcc", "icc", "icx", "icpx", "ld", "ld.lld",
         "ld.gold", "ld.bfd", "lld", "mold", "gold", "as", "emcc", "em++", "nvcc", "gdc", "c99", "c89",
         "x86_64-w64-mingw32-gcc",
         "aarch64-linux-gnu-gcc", "arm-none-eabi-gcc"),
        compile_c,
    ),
    **{f"{name}-{version}": compile_c for name in ("gcc", "g++", "clang", "clang++") for version in range(7, 22)},
    **dict.fromkeys(("nm", "size", "objdump", "readelf", "addr2line", "c++filt", "otool", "lipo", "llvm-objdump",
                     "llvm-nm", "llvm-readelf", "pahole", "gcov"), _READ_OBJECTS),
    "ldd": ldd,
    **dict.fromkeys(("ar", "llvm-ar", "gcc-ar"), Spec(operands="text write read*",
        ask={"--plugin": "loads other code"})),
    "ranlib": Spec(operands="write*", ask={"--plugin": "loads other code"}),
    **dict.fromkeys(("strip", "llvm-strip"), Spec(operands="write*", options={"-o": "write", "-K": "text", "-N": "text",
        "-R": "text"}, ask=_LOADS_CODE)),
    **dict.fromkeys(("objcopy", "llvm-objcopy"), Spec(operands="read write", options={
        "-O": "text", "-I": "text", "-B": "text", "-j": "text", "-R": "text", "--dump-section": "text"},
        ask=_LOADS_CODE)),
    **dict.fromkeys(("ctags", "etags", "cscope"), works_here(Spec(operands="read*", options={
        "-f": "write", "-o": "write", "-L": "read", "--options": "ask:takes its options from a file",
        "--filter-terminator": "text"}))),
    "java": java,
    **dict.fromkeys(("javac", "kotlinc", "scalac", "groovyc", "javadoc", "kotlin", "scala", "groovy"), _javac),
    **dict.fromkeys(("jar", "jlink", "jpackage"), works_here(Spec(operands="text*", options={"-C": "read",
        "--output": "write"}))),
    **dict.fromkeys(("javap", "jdeps", "jps", "jstack", "jmap", "jinfo"), Spec(operands="text*")),
    "rustc": rustc,
    **dict.fromkeys(("rustdoc", "bindgen", "cbindgen", "protoc-gen", "flex", "bison", "yacc", "lex", "re2c",
                     "nasm", "yasm", "glslc", "dot", "neato", "plantuml", "mmdc"), works_here(_OUTPUT)),
    "protoc": _protoc,
    **dict.fromkeys(("pdflatex", "xelatex", "lualatex", "latex", "tex", "latexmk", "bibtex", "biber", "tectonic"),
        _tex(loads(exactly(
        {"-output-directory": "write", "-outdir": "write", "-jobname": "text", "-interaction": "text", "-fmt": "text",
                 "-e": "ask:runs inline code", "-r": "text", "-pdflatex": "script", "-latex": "script",
                 "-cnf-line": "ask:changes the settings of TeX"},
        ask={"-shell-escape": "lets the document run commands", "-enable-write18": "lets the document run commands"}),
        "-r", glued=False))),
}  # fmt: skip
